#include "distances/format.h"

#include "base/mem.h"
#include "base/plain.h"
#include "base/setting.h"
#include "base/text.h"
#include "base/typed.h"
#include "base/unpack.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NAMES = 80 };

const char *distances_format_names(void)
{
    static _Thread_local char names[NAMES];
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

/* What the types have for unreachable: the largest number, and what apsp writes; reals infinity
 * anyway. Types that dtype.h has stay as they are, unless others stand for unreachable. */
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
                         "%s: truth values and floating-point numbers of 16 bits do not hold "
                         "distances exactly; use another type",
                         distances->file.path);
    distances->real = kind == NUMBERS_REAL;
    distances->dtype = type->dtype;
    if (distances->real && distances->multiples)
        return error_set(
            error, APSP_INPUT, "%s: holds floating-point numbers, which are not multiples of 1/%s",
            distances->file.path, scale_print(distances->scale, (char[SCALE_TEXT]){0}));
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
    *look =
        (struct graph_look){text, file->bytes < LOOK_BYTES ? file->bytes : LOOK_BYTES, file->bytes};
    return file_read(file, 0, text, look->have, error);
}

static const struct distances_format *guess_format(const struct graph_look *look,
                                                   enum graph_guess *guess)
{
    const struct distances_format *best = NULL;
    *guess = GUESS_NO;
    for (int i = 0; distances_formats[i]; i++) {
        enum graph_guess now =
            distances_formats[i]->guess ? distances_formats[i]->guess(look) : GUESS_NO;
        if (now > *guess) {
            *guess = now;
            best = distances_formats[i];
        }
    }
    return best;
}

static const struct distances_format *find_suffixed(const char *path)
{
    for (int i = 0; distances_formats[i]; i++)
        if (distances_formats[i]->suffix && text_has_suffix(path, distances_formats[i]->suffix))
            return distances_formats[i];
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
                         "%s: '%s' is not a list such as -1,inf,nan, of at most %d numbers",
                         SETTING(UNREACHABLE), options->unreachable, ABSENT_MAX);
    if (sources_read(&distances->sources, SETTING(SOURCES), options->sources, graph, comm, error) !=
            APSP_OK ||
        sources_read(&distances->targets, SETTING(TARGETS), options->targets, graph, comm, error) !=
            APSP_OK)
        return error->code;
    distances->rows = options->sources ? distances->sources.count : graph->n;
    distances->columns = options->targets ? distances->targets.count : graph->n;
    return APSP_OK;
}

int distances_take_scale(struct distances *distances, const char *text, const char *where,
                         struct apsp_error *error)
{
    struct scale scale;
    char written[SCALE_TEXT];
    const double factor = plain_double(text, NULL);
    const int length = (int)strcspn(text, "\n");
    plain_print(written, sizeof written, "%.17g", factor);
    if ((size_t)length != strlen(written) || strncmp(text, written, (size_t)length) != 0 ||
        !scale_of_factor(&scale, factor))
        return error_set(error, APSP_INPUT,
                         "%s: '%.*s' is not a power of ten or of two, as apsp writes it", where,
                         length, text);
    if (text[length] != '\0' && text[length + 1] != '\0')
        return error_set(error, APSP_INPUT, "%s: has more than the line '%.*s'", where, length,
                         text);
    if (distances->multiples && scale_factor(distances->scale) != factor)
        return error_set(error, APSP_INPUT,
                         "%s: divides by %.*s, but the file beside it divides by another number",
                         where, length, text);
    distances->scale = scale;
    distances->multiples = factor != 1;
    return APSP_OK;
}

/* What apsp writes beside files of multiples. */
static int read_scale(struct distances *distances, const char *path, struct apsp_error *error)
{
    enum { ROOM = 40 };
    char *beside = NULL, text[ROOM] = "";
    struct file file = {.fd = -1};
    if (asprintf(&beside, "%s.scale", path) < 0)
        return error_set(error, APSP_MEMORY, "%s: no memory to open the distances", path);
    if (access(beside, F_OK) == 0 && file_open(&file, beside, "a scale", error) == APSP_OK &&
        file_read(&file, 0, text, file.bytes < ROOM ? file.bytes : ROOM - 1, error) == APSP_OK) {
        if (strlen(text) != file.bytes)
            error_set(error, APSP_INPUT, "%s: expected one line with a number", beside);
        else
            distances_take_scale(distances, text, beside, error);
    }
    file_close(&file);
    free(beside);
    return error->code;
}

/* Of the options, however the number is spelled. */
static int ask_scale(struct distances *distances, struct apsp_error *error)
{
    const char *asked = distances->options.scale;
    struct apsp_error own = {0};
    char *end, text[SCALE_TEXT];
    if (!asked)
        return APSP_OK;
    plain_print(text, sizeof text, "%.17g", plain_double(asked, &end));
    if (*end || distances_take_scale(distances, text, SETTING(SCALE), &own) != APSP_OK)
        error_set(error, APSP_USAGE, "%s: '%s' is not a power of ten or of two", SETTING(SCALE),
                  asked);
    return error->code;
}

int distances_open(struct distances *distances, const char *path, const struct graph *graph,
                   const struct distances_options *options, struct apsp_error *error)
{
    struct comm *comm = NULL;
    *distances = (struct distances){.graph = graph, .file.fd = -1, .options = *options};
    if (comm_solo(&comm, error) == APSP_OK && read_options(distances, comm, error) == APSP_OK &&
        ask_scale(distances, error) == APSP_OK && read_scale(distances, path, error) == APSP_OK)
        open_file(distances, path, error);
    comm_free(comm);
    return error->code;
}

int distances_open_written(struct distances *distances, const struct distances_written *written,
                           const struct graph *graph, struct apsp_error *error)
{
    *distances = (struct distances){.format = find_named(written->format),
                                    .graph = graph,
                                    .file.fd = -1,
                                    .multiples = !dtype_info[written->dtype].real &&
                                                 scale_factor(written->scale) != 1,
                                    .scale = written->scale,
                                    .sources = *written->sources,
                                    .targets = *written->targets,
                                    .lent = true};
    distances->rows = distances->sources.count ? distances->sources.count : graph->n;
    distances->columns = distances->targets.count ? distances->targets.count : graph->n;
    if (asprintf(&distances->name, "distances.%s", dtype_info[written->dtype].name) < 0) {
        distances->name = NULL;
        return error_set(error, APSP_MEMORY, "%s: no memory to open the distances",
                         written->staged->path);
    }
    if (staged_reopen(written->staged, &distances->file, error) != APSP_OK)
        return error->code;
    return distances->format->open(distances, error);
}

void distances_close(struct distances *distances)
{
    if (distances->format)
        distances->format->close(distances);
    file_close(&distances->file);
    if (!distances->lent) {
        sources_free(&distances->targets);
        sources_free(&distances->sources);
    }
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

/* Into the type in which rows are given out, which is no wider than a value: integers of which one
 * or two stand for unreachable. */
static inline void put_whole(enum dtype dtype, const struct absent *list, void *values,
                             size_t count)
{
    const int64_t one = list->value[0].whole, two = list->value[list->count - 1].whole,
                  unreachable = dtype_info[dtype].unreachable;
    for (size_t i = 0; i < count; i++) {
        union value value;
        memcpy(&value, (char *)values + i * sizeof value, sizeof value);
        value.whole = value.whole == one || value.whole == two ? unreachable : value.whole;
        typed_put(dtype, values, i, value);
    }
}

/* What nearly all files are, with a loop for each type; false if this one is not. */
static bool put_plain(const struct distances *distances, void *values, size_t count)
{
    const struct absent *list = &distances->unreachable;
    bool plain = !distances->real && (list->count == 1 || list->count == 2);
    for (int i = 0; i < list->count; i++)
        plain &= list->value[i].is_whole;
    if (plain && distances->dtype == DTYPE_U16)
        put_whole(DTYPE_U16, list, values, count);
    else if (plain && distances->dtype == DTYPE_I32)
        put_whole(DTYPE_I32, list, values, count);
    else if (plain)
        put_whole(DTYPE_I64, list, values, count);
    return plain;
}

int distances_read(const struct distances *distances, struct range rows, struct range columns,
                   void *values, struct apsp_error *error)
{
    const size_t count = range_length(rows) * range_length(columns);
    const union value unreachable =
        distances->real ? (union value){.real = INFINITY}
                        : (union value){.whole = dtype_info[distances->dtype].unreachable};
    if (distances->format->read(distances, rows, columns, values, error) != APSP_OK)
        return error->code;
    for (size_t i = 0, others = put_plain(distances, values, count) ? 0 : count; i < others; i++) {
        union value value;
        memcpy(&value, (char *)values + i * sizeof value, sizeof value);
        typed_put(distances->dtype, values, i,
                  is_unreachable(distances, value) ? unreachable : value);
    }
    return APSP_OK;
}

size_t distances_need(const struct distances *distances)
{
    return distances->format && distances->format->need ? distances->format->need(distances) : 0;
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

/* No vertex is twice in a list, so that a list of all may still have another order. */
bool distances_are_natural(const struct distances *distances)
{
    const struct sources *targets = &distances->targets;
    size_t k = 0;
    while (k < targets->count && targets->vertex[k] == k)
        k++;
    return targets->count == 0 || k == distances->graph->n;
}

const char *distances_remark(const struct distances *distances, char text[TEXT_LINE])
{
    text[0] = '\0';
    if (distances->format->listed)
        snprintf(text, TEXT_LINE,
                 "; a pair that is not listed counts as unreachable: those of %s, %s, %s or %s are "
                 "not all",
                 SETTING(SOURCES), SETTING(TARGETS), SETTING(NEAREST), SETTING(WITHIN));
    return text;
}
