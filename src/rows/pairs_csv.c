/* Pairs as a table of comma-separated values, with the names of the graph's file. */
#include "rows/pairs.h"

#include "base/text.h"

#include <stdio.h>
#include <string.h>

/* By what it is called in the graph's file. */
static char *put_vertex(char *out, const struct sink_task *task, size_t vertex)
{
    const struct labels labels = task->certificate.labels;
    if (labels.names)
        return text_put_csv(out, names_at(labels.names, vertex));
    return pairs_put_whole(out, (int64_t)(vertex + labels.first));
}

static char *put_csv(char *out, const struct sink_task *task, size_t source,
                     const struct pair *pairs, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        out = put_vertex(out, task, source);
        *out++ = ',';
        out = put_vertex(out, task, pairs[k].vertex);
        *out++ = ',';
        out = pairs_put_distance(out, task, pairs[k].distance);
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
    return PAIRS_DISTANCE + 2 * (names ? 2 * longest + sizeof "\"\"," : PAIRS_VERTEX);
}

static size_t head_csv(char out[PAIRS_HEAD_MAX], const struct pairs_file *file, int part)
{
    (void)file;
    return part == 0 ? (size_t)snprintf(out, PAIRS_HEAD_MAX, "from,to,distance\n") : 0;
}

const struct pairs_format pairs_csv = {
    .suffix = ".csv", .parts = 1, .most = most_csv, .put = put_csv, .head = head_csv};
