#include "cli/outputs.h"

#include "base/error.h"
#include "base/setting.h"
#include "base/text.h"
#include "files/staged.h"
#include "graph/source.h"
#include "rows/sink.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* What a run is to write. */
struct output_file {
    const char *name, *path; /* path NULL: not this one */
    const char *suffixes;    /* Those that its formats have; NULL: any name will do. */
    bool suffixed;           /* It has one of them. */
};

/* Status of the folder in which the file is, or is to be. */
static bool find_folder(const char *path, struct stat *status)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
    bool found = folder && stat(folder, status) == 0;
    free(folder);
    return found;
}

/* Whether the two paths, of files that may not exist, are one name in one folder. */
static bool same_place(const char *a, const char *b)
{
    const char *slash_a = strrchr(a, '/'), *slash_b = strrchr(b, '/');
    struct stat folder_a, folder_b;
    if (staged_is_stdout(a) && staged_is_stdout(b))
        return true;
    if (strcmp(slash_a ? slash_a + 1 : a, slash_b ? slash_b + 1 : b) != 0)
        return false;
    return strcmp(a, b) == 0 ||
           (find_folder(a, &folder_a) && find_folder(b, &folder_b) &&
            folder_a.st_dev == folder_b.st_dev && folder_a.st_ino == folder_b.st_ino);
}

/* Suffixes that mean a format. */
static const char meant[] =
    ".csv .tsv .txt .dat .json .npy .npz .mtx .h5 .hdf5 .u8 .u16 .i32 .i64 .f32 .f64 .parquet "
    ".feather .arrow .xls .xlsx .ods .mat .pkl .pickle .rds .rdata .zarr .nc .db .sqlite .html "
    ".xml .geojson .yaml .yml .md .tex .png .pdf .svg .jpg .jpeg .gif .eps .ps .zip .gz .zst .xz "
    ".bz2 .tar .shp .kml .gpkg "
    ".gml .graphml .gexf .net .gr .graph .metis .dot .lgl .edges .el .wel";

/* A suffix is a promise: APSP_USAGE where it means a format, in whatever case of its letters, and
 * the output has it not; and where it has to be one of the output's. */
static int check_suffix(const struct output_file *file, struct apsp_error *error)
{
    const char *dot = strrchr(file->path, '.');
    char lower[TEXT_SHORT];
    if (!file->suffixes || text_has_suffix(file->path, file->suffixes))
        return APSP_OK;
    snprintf(lower, sizeof lower, "x%s", dot ? dot : "");
    for (char *at = lower; *at; at++)
        *at = text_lower(*at);
    if (dot && text_has_suffix(lower, meant))
        return error_set(error, APSP_USAGE, "%s '%s': %s is not written; use one of %s%s",
                         file->name, file->path, dot, file->suffixes,
                         !graph_source_suffixed(file->path) ? ""
                         : file->name[0] == '-'             ? "; GRAPH comes after the options"
                                                            : "; GRAPH comes before it");
    return file->suffixed
               ? error_set(error, APSP_USAGE,
                           "%s '%s': the suffix of its name is its format; use one of %s",
                           file->name, file->path, file->suffixes)
               : APSP_OK;
}

int outputs_check(const struct run_options *options, struct apsp_error *error)
{
    struct output_file files[SINKS_MAX + 4] = {
        {"--json", options->json, ".json .txt", false},
        {"--save-order", options->save_order, ".order", false},
        {"--names", options->names, ".txt .csv .tsv", false},
        {"--plot", options->results.plot, ".svg", false}};
    size_t count = 4;
    for (int i = 0; sink_table[i] && count < SINKS_MAX + 4; i++)
        if (sink_table[i]->path) {
            files[count] = (struct output_file){setting_name(sink_table[i]->setting),
                                                sink_table[i]->path(&options->results),
                                                sink_table[i]->suffixes, sink_table[i]->suffixed};
            if (sink_table[i]->ready && files[count].path &&
                sink_table[i]->ready(&options->results, error))
                return error->code;
            count++;
        }
    for (size_t i = 0; i < count; i++) {
        if (files[i].path && !*files[i].path)
            return error_set(error, APSP_USAGE, "the name of %s is empty", files[i].name);
        const bool is_input = files[i].path && same_place(files[i].path, options->graph);
        if (files[i].path && !is_input && check_suffix(&files[i], error))
            return error->code;
        for (size_t k = 0; k < i && files[i].path; k++)
            if (files[k].path && same_place(files[k].path, files[i].path))
                return error_set(error, APSP_USAGE, "%s '%s' and %s '%s' are the same file",
                                 files[i].name, files[i].path, files[k].name, files[k].path);
    }
    return APSP_OK;
}
