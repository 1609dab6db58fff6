#include "distances/format.h"

#include "base/mem.h"
#include "base/unpack.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NAMES = 80 };

const char *distances_format_names(void)
{
    static char names[NAMES];
    names[0] = '\0';
    for (int i = 0; distances_formats[i]; i++)
        snprintf(names + strlen(names), NAMES - strlen(names), "%s%s", i > 0 ? ", " : "",
                 distances_formats[i]->name);
    return names;
}

void distances_format_print(void)
{
    puts("\nformats of DISTANCES, told by its content, else by its suffix");
    for (int i = 0; distances_formats[i]; i++)
        printf("  %-8s %s%s%s\n", distances_formats[i]->name, distances_formats[i]->about,
               distances_formats[i]->suffix ? ": " : "",
               distances_formats[i]->suffix ? distances_formats[i]->suffix : "");
}

static const struct distances_format *find_named(const char *name)
{
    for (int i = 0; distances_formats[i]; i++)
        if (strcmp(distances_formats[i]->name, name) == 0)
            return distances_formats[i];
    return NULL;
}

/* What the types have for unreachable: the largest number, and what apsp writes; reals infinity anyway. Types
 * that dtype.h has stay as they are, unless others stand for unreachable. */
static const struct type {
    enum numbers_kind kind;
    size_t bytes;
    enum dtype dtype;
    double real;
    int64_t whole[2];
} types[] = {
    {NUMBERS_UNSIGNED, 1, DTYPE_I64, 0, {UINT8_MAX, UINT8_MAX}},
    {NUMBERS_UNSIGNED, 2, DTYPE_U16, 0, {UINT16_MAX, UINT16_MAX}},
    {NUMBERS_UNSIGNED, 4, DTYPE_I64, 0, {UINT32_MAX, UINT32_MAX}},
    {NUMBERS_UNSIGNED, 8, DTYPE_I64, 0, {INT64_MAX, INT64_MAX}},
    {NUMBERS_INT, 1, DTYPE_I64, 0, {INT8_MAX, INT8_MAX}},
    {NUMBERS_INT, 2, DTYPE_I64, 0, {INT16_MAX, INT16_MAX}},
    {NUMBERS_INT, 4, DTYPE_I32, 0, {INT32_MAX, INF_I32}},
    {NUMBERS_INT, 8, DTYPE_I64, 0, {INT64_MAX, INF_I64}},
    {NUMBERS_REAL, 4, DTYPE_F32, (double)FLT_MAX, {0}},
    {NUMBERS_REAL, 8, DTYPE_F64, DBL_MAX, {0}},
};

int distances_settle(struct distances *distances, enum numbers_kind kind, size_t bytes,
                     struct apsp_error *error)
{
    const struct type *type = NULL;
    struct absent *unreachable = &distances->unreachable;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (types[i].kind == kind && types[i].bytes == bytes)
            type = &types[i];
    if (!type)
        return error_set(error, APSP_INPUT,
                         "%s: truth values, or reals of 16 bits, which hold no distances exactly",
                         distances->file.path);
    distances->real = kind == NUMBERS_REAL;
    distances->dtype = type->dtype;
    if (distances->graph->real && !distances->real)
        return error_set(error, APSP_INPUT, "%s: has whole distances, but the weights of %s are real numbers",
                         distances->file.path, distances->graph->path);
    if (distances->options.unreachable) {
        distances->dtype = distances->real ? type->dtype : DTYPE_I64;
        return APSP_OK;
    }
    unreachable->count = distances->real ? 1 : 2;
    for (int i = 0; i < unreachable->count; i++) {
        unreachable->value[i].is_whole = !distances->real;
        unreachable->value[i].whole = type->whole[i];
        unreachable->value[i].real = distances->real ? type->real : (double)type->whole[i];
    }
    return APSP_OK;
}

static int look_at(const struct distances *distances, struct graph_look *look, unsigned char *text,
                   struct apsp_error *error)
{
    const struct file *file = &distances->file;
    *look = (struct graph_look){text, file->bytes < LOOK_BYTES ? file->bytes : LOOK_BYTES, file->bytes};
    return file_read(file, 0, text, look->have, error);
}

static const struct distances_format *guess_format(const struct graph_look *look, enum graph_guess *guess)
{
    const struct distances_format *best = NULL;
    *guess = GUESS_NO;
    for (int i = 0; distances_formats[i]; i++) {
        enum graph_guess now = distances_formats[i]->guess ? distances_formats[i]->guess(look) : GUESS_NO;
        if (now > *guess) {
            *guess = now;
            best = distances_formats[i];
        }
    }
    return best;
}

/* Of a list of suffixes with blanks between them. */
static const struct distances_format *find_suffixed(const char *path)
{
    const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
    for (int i = 0; dot && distances_formats[i]; i++)
        for (const char *at = distances_formats[i]->suffix; at && *at; at += *at == ' ') {
            size_t length = strcspn(at, " ");
            if (strlen(dot) == length && memcmp(dot, at, length) == 0)
                return distances_formats[i];
            at += length;
        }
    return NULL;
}

/* What is compressed is unpacked, unless it is an array as it is. */
static int detect(struct distances *distances, unsigned char *text, struct apsp_error *error)
{
    struct graph_look look;
    enum graph_guess guess;
    bool unpacked = false;
    if (look_at(distances, &look, text, error) != APSP_OK)
        return error->code;
    const struct distances_format *likely = guess_format(&look, &guess);
    if (guess != GUESS_SURE && file_unpack(&distances->file, &unpacked, error) != APSP_OK)
        return error->code;
    if (unpacked) {
        char *dot = strrchr(distances->name, '.');
        if (dot)
            *dot = '\0';
        if (look_at(distances, &look, text, error) != APSP_OK)
            return error->code;
        likely = guess_format(&look, &guess);
    }
    if (distances->options.format)
        distances->format = find_named(distances->options.format);
    else if (guess == GUESS_SURE || !(distances->format = find_suffixed(distances->name)))
        distances->format = likely ? likely : find_named("raw");
    return APSP_OK;
}

static int open_file(struct distances *distances, const char *path, struct apsp_error *error)
{
    if (file_spool(&distances->file, path, "the distances", error) != APSP_OK)
        return error->code;
    unsigned char *text = malloc(LOOK_BYTES);
    distances->name = strdup(distances->file.path);
    if (text && distances->name)
        detect(distances, text, error);
    else
        error_set(error, APSP_MEMORY, "%s: no memory to open the distances", path);
    free(text);
    return error->code ? error->code : distances->format->open(distances, error);
}

static int read_options(struct distances *distances, struct comm *comm, struct apsp_error *error)
{
    struct apsp_error own = {0};
    const struct distances_options *options = &distances->options;
    const struct graph *graph = distances->graph;
    if (options->unreachable &&
        absent_read(&distances->unreachable, options->unreachable, NULL, &own) != APSP_OK)
        return error_set(error, own.code,
                         "--unreachable: '%s' is not a list such as -1,inf,nan, of at most %d numbers",
                         options->unreachable, ABSENT_MAX);
    if (sources_read(&distances->sources, options->sources, graph, comm, error) != APSP_OK ||
        sources_read(&distances->targets, options->targets, graph, comm, error) != APSP_OK)
        return error->code;
    distances->rows = options->sources ? distances->sources.count : graph->n;
    distances->columns = options->targets ? distances->targets.count : graph->n;
    return APSP_OK;
}

/* What apsp writes beside files of multiples; nothing here divides. */
static int check_scale(const struct distances *distances, const char *path, struct apsp_error *error)
{
    char *scale = NULL, text[32] = "";
    if (!distances->graph->real)
        return APSP_OK;
    if (asprintf(&scale, "%s.scale", path) < 0)
        return error_set(error, APSP_MEMORY, "%s: no memory to open the distances", path);
    FILE *file = fopen(scale, "r");
    const bool there = file && fgets(text, sizeof text, file) && strtod(text, NULL) != 1;
    if (file)
        fclose(file);
    if (there)
        error_set(error, APSP_INPUT,
                  "%s: holds multiples of 1/%.*s of the distances, says %s; apsp --output-type "
                  "f64 writes themselves",
                  path, (int)strcspn(text, "\n"), text, scale);
    free(scale);
    return error->code;
}

int distances_open(struct distances *distances, const char *path, const struct graph *graph,
                   const struct distances_options *options, struct apsp_error *error)
{
    struct comm *comm = NULL;
    *distances = (struct distances){.graph = graph, .file.fd = -1, .options = *options};
    if (comm_solo(&comm, error) == APSP_OK && read_options(distances, comm, error) == APSP_OK &&
        check_scale(distances, path, error) == APSP_OK)
        open_file(distances, path, error);
    comm_free(comm);
    return error->code;
}

void distances_close(struct distances *distances)
{
    if (distances->format)
        distances->format->close(distances);
    file_close(&distances->file);
    sources_free(&distances->targets);
    sources_free(&distances->sources);
    free(distances->name);
    *distances = (struct distances){.file.fd = -1};
}

static bool is_unreachable(const struct distances *distances, union value value)
{
    const struct absent *list = &distances->unreachable;
    bool found = distances->real && list->nan && isnan(value.real);
    for (int i = 0; i < list->count; i++)
        found |= distances->real           ? value.real == list->value[i].real
                 : list->value[i].is_whole ? value.whole == list->value[i].whole
                                           : (double)value.whole == list->value[i].real;
    return found;
}

/* Into the type in which rows are given out; every number of the file's type fits. */
static void put(enum dtype dtype, union value value, void *values, size_t i)
{
    switch (dtype) {
    case DTYPE_U16:
        memcpy((char *)values + i * sizeof(uint16_t), &(uint16_t){(uint16_t)value.whole}, sizeof(uint16_t));
        break;
    case DTYPE_I32:
        memcpy((char *)values + i * sizeof(int32_t), &(int32_t){(int32_t)value.whole}, sizeof(int32_t));
        break;
    case DTYPE_F32:
        memcpy((char *)values + i * sizeof(float), &(float){(float)value.real}, sizeof(float));
        break;
    default:
        memcpy((char *)values + i * sizeof value, &value, sizeof value);
    }
}

int distances_read(const struct distances *distances, struct range rows, struct range columns, void *values,
                   struct apsp_error *error)
{
    const size_t count = range_length(rows) * range_length(columns);
    const union value unreachable = distances->real
                                        ? (union value){.real = INFINITY}
                                        : (union value){.whole = dtype_info[distances->dtype].unreachable};
    if (distances->format->read(distances, rows, columns, values, error) != APSP_OK)
        return error->code;
    for (size_t i = 0; i < count; i++) { /* each is no wider than what it is made of */
        union value value;
        memcpy(&value, (char *)values + i * sizeof value, sizeof value);
        put(distances->dtype, is_unreachable(distances, value) ? unreachable : value, values, i);
    }
    return APSP_OK;
}

size_t distances_need(const struct distances *distances)
{
    return distances->format->need ? distances->format->need(distances) : 0;
}

/* SIZE_MAX for a vertex that is in no list. */
static size_t place_of(const struct sources *list, size_t vertex)
{
    return list->count == 0 ? vertex : (size_t)list->place[vertex] - 1;
}

size_t distances_row(const struct distances *distances, size_t vertex)
{
    return place_of(&distances->sources, vertex);
}

size_t distances_column(const struct distances *distances, size_t vertex)
{
    return place_of(&distances->targets, vertex);
}

size_t distances_vertex(const struct distances *distances, size_t row)
{
    return distances->sources.count == 0 ? row : distances->sources.vertex[row];
}

size_t distances_target(const struct distances *distances, size_t column)
{
    return distances->targets.count == 0 ? column : distances->targets.vertex[column];
}

const char *distances_remark(const struct distances *distances)
{
    return distances->format->remark ? distances->format->remark : "";
}
