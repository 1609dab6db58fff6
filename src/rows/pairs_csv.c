/* Pairs as a table of text, with the names of the graph's file: .csv has commas, .tsv and .txt have
 * tabs. */
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

static char *put_pairs(char *out, const struct sink_task *task, size_t source,
                       const struct pair *pairs, size_t count, char separator)
{
    for (size_t k = 0; k < count; k++) {
        out = put_vertex(out, task, source);
        *out++ = separator;
        out = put_vertex(out, task, pairs[k].vertex);
        *out++ = separator;
        out = pairs_put_distance(out, task, pairs[k].distance);
        *out++ = '\n';
    }
    return out;
}

static char *put_csv(char *out, const struct sink_task *task, size_t source,
                     const struct pair *pairs, size_t count)
{
    return put_pairs(out, task, source, pairs, count, ',');
}

static char *put_tsv(char *out, const struct sink_task *task, size_t source,
                     const struct pair *pairs, size_t count)
{
    return put_pairs(out, task, source, pairs, count, '\t');
}

static size_t most_text(const struct sink_task *task)
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

static size_t head_tsv(char out[PAIRS_HEAD_MAX], const struct pairs_file *file, int part)
{
    (void)file;
    return part == 0 ? (size_t)snprintf(out, PAIRS_HEAD_MAX, "from\tto\tdistance\n") : 0;
}

const struct pairs_format pairs_csv = {
    .suffix = ".csv", .parts = 1, .most = most_text, .put = put_csv, .head = head_csv};
const struct pairs_format pairs_tsv = {
    .suffix = ".tsv", .parts = 1, .most = most_text, .put = put_tsv, .head = head_tsv};
const struct pairs_format pairs_txt = {
    .suffix = ".txt", .parts = 1, .most = most_text, .put = put_tsv, .head = head_tsv};
