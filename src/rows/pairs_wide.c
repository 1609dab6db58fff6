/* A matrix as a table of text, with the names of the graph's file: a line for each source, a field
 * for each target, and a first line with the names of these. Distances that do not exist are inf.
 * .wide.csv has commas, .wide.tsv has tabs. */
#include "rows/pairs.h"

static const char corner[] = "from";

static size_t column_vertex(const struct sink_task *task, size_t column)
{
    return task->targets ? task->targets->vertex[column] : column;
}

static char *put_text(char *out, const char *text)
{
    while (*text)
        *out++ = *text++;
    return out;
}

/* Pairs are in the order of the columns. The first row begins with the names. */
static char *put_row(char *out, const struct sink_task *task, size_t source,
                     const struct pair *pairs, size_t count, char separator)
{
    const struct labels labels = task->certificate.labels;
    const size_t columns = sink_columns(task);
    const bool first = sink_place(task, source) == 0;
    out = first ? put_text(out, corner) : out;
    for (size_t j = 0; first && j < columns; j++) {
        *out++ = separator;
        out = label_put_csv(out, labels, column_vertex(task, j));
    }
    if (first)
        *out++ = '\n';
    out = label_put_csv(out, labels, source);
    for (size_t j = 0, k = 0; j < columns; j++) {
        *out++ = separator;
        if (k < count && pairs[k].vertex == column_vertex(task, j))
            out = pairs_put_distance(out, task, pairs[k++].distance);
        else
            out = put_text(out, "inf");
    }
    *out++ = '\n';
    return out;
}

static char *put_csv(char *out, const struct sink_task *task, size_t source,
                     const struct pair *pairs, size_t count)
{
    return put_row(out, task, source, pairs, count, ',');
}

static char *put_tsv(char *out, const struct sink_task *task, size_t source,
                     const struct pair *pairs, size_t count)
{
    return put_row(out, task, source, pairs, count, '\t');
}

/* A column has a distance and a name. */
static size_t most_text(const struct sink_task *task)
{
    return PAIRS_DISTANCE + label_csv_most(task->certificate.labels) + 2;
}

static size_t beside(const struct sink_task *task)
{
    return sizeof corner + label_csv_most(task->certificate.labels) + 2;
}

static size_t no_head(char out[PAIRS_HEAD_MAX], const struct pairs_file *file, int part)
{
    (void)out;
    (void)file;
    (void)part;
    return 0;
}

const struct pairs_format pairs_wide_csv = {.suffix = ".wide.csv",
                                            .parts = 1,
                                            .whole = true,
                                            .own = true,
                                            .most = most_text,
                                            .beside = beside,
                                            .put = put_csv,
                                            .head = no_head};
const struct pairs_format pairs_wide_tsv = {.suffix = ".wide.tsv",
                                            .parts = 1,
                                            .whole = true,
                                            .own = true,
                                            .most = most_text,
                                            .beside = beside,
                                            .put = put_tsv,
                                            .head = no_head};
