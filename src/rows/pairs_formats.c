/* Formats of pairs that are text, and the table of all. */
#include "rows/pairs.h"

#include "base/text.h"

#include <stdio.h>
#include <string.h>

/* Characters of a vertex's number and of a distance, with what follows it, at most. */
enum { VERTEX_MAX = 11, DISTANCE_MAX = 26 };

static char *put_whole(char *out, int64_t value)
{
    char digits[DISTANCE_MAX], *at = digits + sizeof digits;
    uint64_t rest = value < 0 ? -(uint64_t)value : (uint64_t)value;
    do
        *--at = (char)('0' + rest % 10);
    while (rest /= 10);
    if (value < 0)
        *--at = '-';
    size_t length = (size_t)(digits + sizeof digits - at);
    memcpy(out, at, length);
    return out + length;
}

/* As files have it, but for the rounding of their type where it is a whole number's multiple. */
static char *put_distance(char *out, const struct sink_task *task, union value distance)
{
    char text[SCALE_TEXT];
    if (dtype_info[task->dtype].real)
        return out + snprintf(out, DISTANCE_MAX, task->dtype == DTYPE_F32 ? "%.9g" : "%.17g", distance.real);
    if (!dtype_info[task->file].real)
        return put_whole(out, distance.whole);
    return stpcpy(out, scale_text(task->scale, distance.whole, text));
}

/* By what it is called in the graph's file. */
static char *put_vertex(char *out, const struct sink_task *task, size_t vertex)
{
    const struct labels labels = task->certificate.labels;
    if (labels.names)
        return text_put_csv(out, names_at(labels.names, vertex));
    return put_whole(out, (int64_t)(vertex + labels.first));
}

static char *put_csv(char *out, const struct sink_task *task, size_t source, const struct pair *pairs,
                     size_t count)
{
    for (size_t k = 0; k < count; k++) {
        out = put_vertex(out, task, source);
        *out++ = ',';
        out = put_vertex(out, task, pairs[k].vertex);
        *out++ = ',';
        out = put_distance(out, task, pairs[k].distance);
        *out++ = '\n';
    }
    return out;
}

static size_t most_csv(const struct sink_task *task)
{
    const struct names *names = task->certificate.labels.names;
    size_t longest = 0;
    for (size_t v = 0; names && v < names->count; v++) {
        size_t length = strlen(names_at(names, v));
        longest = length > longest ? length : longest;
    }
    return DISTANCE_MAX + 2 * (names ? 2 * longest + sizeof "\"\"," : VERTEX_MAX);
}

static size_t head_csv(char out[PAIRS_HEAD_MAX], const struct pairs_file *file, int part)
{
    (void)file;
    return part == 0 ? (size_t)snprintf(out, PAIRS_HEAD_MAX, "from,to,distance\n") : 0;
}

/* Vertices count from 1, whatever the graph's file does. */
static char *put_mtx(char *out, const struct sink_task *task, size_t source, const struct pair *pairs,
                     size_t count)
{
    for (size_t k = 0; k < count; k++) {
        out = put_whole(out, (int64_t)source + 1);
        *out++ = ' ';
        out = put_whole(out, (int64_t)pairs[k].vertex + 1);
        *out++ = ' ';
        out = put_distance(out, task, pairs[k].distance);
        *out++ = '\n';
    }
    return out;
}

static size_t head_mtx(char out[PAIRS_HEAD_MAX], const struct pairs_file *file, int part)
{
    const struct sink_task *task = file->task;
    if (part > 0)
        return 0;
    return (size_t)snprintf(out, PAIRS_HEAD_MAX,
                            "%%%%MatrixMarket matrix coordinate %s general\n%zu %zu %zu\n",
                            dtype_info[task->file].real ? "real" : "integer", task->n, task->n, file->count);
}

static size_t most_mtx(const struct sink_task *task)
{
    (void)task;
    return DISTANCE_MAX + 2 * VERTEX_MAX;
}

static char *put_packed(char *out, const struct sink_task *task, size_t source, const struct pair *pairs,
                        size_t count)
{
    (void)task;
    (void)source;
    for (size_t k = 0; k < count; k++, out += PAIRS_PACKED) {
        const uint64_t words[] = {pairs[k].vertex, (uint64_t)pairs[k].distance.whole};
        memcpy(out, words, sizeof words);
    }
    return out;
}

static size_t most_packed(const struct sink_task *task)
{
    (void)task;
    return PAIRS_PACKED;
}

const struct pairs_format pairs_packed = {.parts = 1, .most = most_packed, .put = put_packed};
static const struct pairs_format csv = {
    .suffix = ".csv", .parts = 1, .most = most_csv, .put = put_csv, .head = head_csv};
static const struct pairs_format mtx = {
    .suffix = ".mtx", .parts = 1, .most = most_mtx, .put = put_mtx, .head = head_mtx};

static const struct pairs_format *const formats[] = {&csv, &mtx, &pairs_npz};
enum { FORMATS = sizeof formats / sizeof *formats, NAMES = 64 };

const struct pairs_format *pairs_format_of(const char *path)
{
    const char *suffix = path ? strrchr(path, '.') : NULL;
    for (int i = 0; suffix && i < FORMATS; i++)
        if (strcmp(formats[i]->suffix, suffix) == 0)
            return formats[i];
    return NULL;
}

const char *pairs_suffixes(void)
{
    static char names[NAMES];
    names[0] = '\0';
    for (int i = 0; i < FORMATS; i++)
        snprintf(names + strlen(names), NAMES - strlen(names), "%s%s", i > 0 ? ", " : "", formats[i]->suffix);
    return names;
}
