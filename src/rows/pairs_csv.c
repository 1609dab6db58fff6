/* Pairs as a table of text, with the names of the graph's file: .csv has commas, .tsv and .txt have
 * tabs. */
#include "rows/pairs.h"

#include <stdio.h>

static char *put_pairs(char *out, const struct sink_task *task, size_t source,
                       const struct pair *pairs, size_t count, char separator)
{
    const struct labels labels = task->certificate.labels;
    for (size_t k = 0; k < count; k++) {
        out = label_put_csv(out, labels, source);
        *out++ = separator;
        out = label_put_csv(out, labels, pairs[k].vertex);
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
    return PAIRS_DISTANCE + 2 * (label_csv_most(task->certificate.labels) + 1);
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
