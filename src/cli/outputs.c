#include "cli/outputs.h"

#include "base/error.h"
#include "files/staged.h"
#include "rows/sink.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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

int outputs_check(const struct run_options *options, struct apsp_error *error)
{
    struct {
        const char *name, *path;
    } files[SINKS_MAX + 4] = {{"--json", options->json},
                              {"--save-order", options->save_order},
                              {"--names", options->names},
                              {"--plot", options->results.plot}};
    size_t count = 4;
    for (int i = 0; sink_table[i] && count < SINKS_MAX + 4; i++)
        if (sink_table[i]->path) {
            files[count].name = sink_table[i]->option;
            files[count++].path = sink_table[i]->path(&options->results);
            if (sink_table[i]->ready && files[count - 1].path &&
                sink_table[i]->ready(&options->results, error))
                return error->code;
        }
    for (size_t i = 0; i < count; i++) {
        if (files[i].path && !*files[i].path)
            return error_set(error, APSP_USAGE, "the name of %s is empty", files[i].name);
        for (size_t k = 0; k < i && files[i].path; k++)
            if (files[k].path && same_place(files[k].path, files[i].path))
                return error_set(error, APSP_USAGE, "%s '%s' and %s '%s' are the same file",
                                 files[i].name, files[i].path, files[k].name, files[k].path);
    }
    return APSP_OK;
}
