/* The table of the formats of pairs, and what those that are text share. */
#include "rows/pairs.h"

#include "base/digits.h"
#include "files/target.h"

#include <stdio.h>
#include <string.h>

enum { SINGLE = 9 }; /* digits that tell one f32 from others */

/* As files have it, but for the rounding of their type where it is an integer's multiple. */
char *pairs_put_distance(char *out, const struct sink_task *task, union value distance)
{
    if (dtype_info[task->dtype].real)
        return digits_real(out, distance.real, task->dtype == DTYPE_F32 ? SINGLE : DIGITS_DOUBLE);
    if (!dtype_info[task->file].real)
        return digits_whole(out, distance.whole);
    return scale_put(out, task->scale, distance.whole);
}

static char *put_packed(char *out, const struct sink_task *task, size_t source,
                        const struct pair *pairs, size_t count)
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

static const struct pairs_format *const formats[] = {
    &pairs_wide_csv, &pairs_wide_tsv, &pairs_csv, &pairs_tsv, &pairs_txt, &pairs_mtx, &pairs_npz};
enum { FORMATS = sizeof formats / sizeof *formats, NAMES = 64 };

const struct pairs_format *pairs_format_of(const char *path)
{
    const size_t length = path ? strlen(path) : 0;
    for (int i = 0; i < FORMATS; i++) {
        const size_t end = strlen(formats[i]->suffix);
        if (length >= end && strcmp(path + length - end, formats[i]->suffix) == 0)
            return formats[i];
    }
    return NULL;
}

static bool is_bare_stream(const char *path)
{
    struct apsp_error ignored = {0};
    const char *slash = strrchr(path, '/');
    enum target_kind kind;
    return !strchr(slash ? slash : path, '.') && target_find(&kind, path, &ignored) == APSP_OK &&
           kind != TARGET_FILE;
}

const struct pairs_format *pairs_format_for(const struct results *results)
{
    const struct pairs_format *format = pairs_format_of(results->distances);
    bool chosen = results->distances && (results->nearest > 0 || results->bounded);
    return chosen && !format && is_bare_stream(results->distances) ? &pairs_csv : format;
}

const char *pairs_suffixes(void)
{
    static _Thread_local char names[NAMES];
    names[0] = '\0';
    for (int i = 0; i < FORMATS; i++)
        if (!formats[i]->whole)
            snprintf(names + strlen(names), NAMES - strlen(names), "%s%s", *names ? ", " : "",
                     formats[i]->suffix);
    return names;
}
