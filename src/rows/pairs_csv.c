/* Pairs as a table of text, with the names of the graph's file: .csv has commas, .tsv and .txt have
 * tabs. */
#include "rows/pairs.h"
#include "rows/skim.h"

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

static size_t put_head(char out[PAIRS_HEAD_MAX], const struct pairs_file *file, int part,
                       char separator)
{
    const struct skims *skims = file->task->results->skims;
    const char *values = file->task->results->values;
    if (part > 0)
        return 0;
    size_t used = (size_t)snprintf(out, PAIRS_HEAD_MAX, "from%cto%c%s", separator, separator,
                                   values ? values : "distance");
    for (size_t k = 0; skims && k < skims->count; k++)
        used +=
            (size_t)snprintf(out + used, PAIRS_HEAD_MAX - used, "%c%s", separator, skims->name[k]);
    out[used] = '\n';
    return used + 1;
}

static size_t head_csv(char out[PAIRS_HEAD_MAX], const struct pairs_file *file, int part)
{
    return put_head(out, file, part, ',');
}

static size_t head_tsv(char out[PAIRS_HEAD_MAX], const struct pairs_file *file, int part)
{
    return put_head(out, file, part, '\t');
}

const struct pairs_format pairs_csv = {.suffix = ".csv",
                                       .parts = 1,
                                       .separator = ',',
                                       .most = most_text,
                                       .put = put_csv,
                                       .head = head_csv};
const struct pairs_format pairs_tsv = {.suffix = ".tsv",
                                       .parts = 1,
                                       .separator = '\t',
                                       .most = most_text,
                                       .put = put_tsv,
                                       .head = head_tsv};
const struct pairs_format pairs_txt = {.suffix = ".txt",
                                       .parts = 1,
                                       .separator = '\t',
                                       .most = most_text,
                                       .put = put_tsv,
                                       .head = head_tsv};
