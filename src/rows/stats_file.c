/* Statistics as text: a table of vertices, or all of them. */
#include "base/digits.h"
#include "rows/output.h"
#include "rows/stats_columns.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ENTRY = DIGITS_ROOM + 1 }; /* characters at most, with a comma or a terminator */

/* JSON has no number for what is none. */
static char *put_real(char *out, double value)
{
    return isfinite(value) ? digits_shortest(out, value) : stpcpy(out, "null");
}

/* A sum beyond 64 bits is the nearest double, which is whole. */
static char *put_entry(char *out, const struct stats_column *column, size_t k)
{
    if (!column->whole)
        return put_real(out, column->real[k]);
    if (column->real && column->whole[k] == REDUCTION_BEYOND)
        return out + snprintf(out, ENTRY, "%.0f", column->real[k]);
    return digits_whole(out, column->whole[k]);
}

static char *put_line(char *out, const void *self, size_t k)
{
    const struct stats_text *text = self;
    const struct apsp_columns *columns = text->stats->columns;
    out = label_put_csv(out, text->labels, (size_t)columns->vertex[k]);
    for (size_t c = 0; c < columns->count; c++) {
        *out++ = ',';
        out = put_entry(out, &columns->column[c], k);
    }
    *out++ = '\n';
    return out;
}

/* The names of the columns, to free(); NULL without memory. */
static char *make_head(const struct apsp_columns *columns)
{
    size_t room = sizeof "vertex\n";
    for (size_t c = 0; c < columns->count; c++)
        room += strlen(columns->column[c].of->name) + 1;
    char *head = malloc(room), *end = head ? stpcpy(head, "vertex") : NULL;
    for (size_t c = 0; head && c < columns->count; c++)
        end = stpcpy(stpcpy(end, ","), columns->column[c].of->name);
    if (head)
        strcpy(end, "\n");
    return head;
}

int stats_csv(struct staged *staged, const struct stats_text *text, struct apsp_error *error)
{
    const struct apsp_columns *columns = text->stats->columns;
    char *head = make_head(columns);
    const struct output_lines lines = {.head = head,
                                       .count = text->stats->sources,
                                       .most = label_csv_most(text->labels) +
                                               columns->count * ENTRY + 1,
                                       .put = put_line,
                                       .self = text,
                                       .threads = text->threads};
    if (!head)
        return error_set(error, APSP_MEMORY, "%s: no memory for its text", staged->path);
    output_lines(staged, &lines, error);
    free(head);
    return error->code;
}

static void print_real(FILE *out, double value)
{
    char text[ENTRY];
    *put_real(text, value) = '\0';
    fputs(text, out);
}

static void print_value(FILE *out, const struct apsp_stats *stats, struct apsp_value value)
{
    if (stats->real)
        print_real(out, value.real);
    else
        fprintf(out, "%lld", (long long)value.whole);
}

static void print_vertex(FILE *out, const struct stats_text *text, size_t k)
{
    label_print_json(out, text->labels, (size_t)text->stats->columns->vertex[k]);
}

/* Whether the eccentricity of a vertex is that. */
static bool is_at(const struct apsp_stats *stats, size_t k, struct apsp_value most)
{
    const struct stats_column *column = stats_column_find(stats->columns, "eccentricity");
    return column->whole ? column->whole[k] == most.whole : column->real[k] == most.real;
}

/* The vertices whose eccentricity is that. */
static void print_those(FILE *out, const struct stats_text *text, const char *name,
                        struct apsp_value most)
{
    const struct apsp_stats *stats = text->stats;
    const char *comma = "";
    fprintf(out, ",\n\t\t\"%s\":\t[", name);
    for (size_t k = 0; k < stats->sources; k++)
        if (is_at(stats, k, most)) {
            fputs(comma, out);
            print_vertex(out, text, k);
            comma = ", ";
        }
    fputc(']', out);
}

static void print_overall(FILE *out, const struct stats_text *text)
{
    const struct apsp_stats *stats = text->stats;
    fputs("\t\t\"diameter\":\t", out);
    print_value(out, stats, stats->diameter);
    fputs(",\n\t\t\"radius\":\t", out);
    print_value(out, stats, stats->radius);
    print_those(out, text, "centre", stats->radius);
    print_those(out, text, "periphery", stats->diameter);
    fprintf(out, ",\n\t\t\"sum\":\t%s,\n\t\t\"wiener\":\t%s,\n\t\t\"mean\":\t", stats->sum,
            stats->wiener);
    print_real(out, stats->mean);
    fprintf(out, ",\n\t\t\"pairs\":\t%zu,\n\t\t\"unreachable\":\t%zu", stats->pairs,
            stats->unreachable);
    if (stats->counted & APSP_STATS_HARMONIC) {
        fputs(",\n\t\t\"efficiency\":\t", out);
        print_real(out, stats->efficiency);
    }
}

static void print_histogram(FILE *out, const struct apsp_stats *stats)
{
    fputs(",\n\t\"quantiles\":\t{", out);
    for (int q = 0; q < APSP_QUANTILES && stats->bins > 0; q++) {
        fprintf(out, "%s\"%g\": ", q > 0 ? ", " : "", stats->quantile[q].share);
        print_value(out, stats, stats->quantile[q].at);
    }
    fprintf(out, "},\n\t\"exact\":\t%s,\n\t\"histogram\":\t{\n\t\t\"width\":\t",
            stats->exact ? "true" : "false");
    print_value(out, stats, stats->width);
    fputs(",\n\t\t\"from\":\t[", out);
    for (size_t k = 0; k < stats->bins; k++) {
        fputs(k > 0 ? ", " : "", out);
        print_value(out, stats, stats->bin[k].from);
    }
    fputs("],\n\t\t\"pairs\":\t[", out);
    for (size_t k = 0; k < stats->bins; k++)
        fprintf(out, "%s%zu", k > 0 ? ", " : "", stats->bin[k].pairs);
    fputs("]\n\t}", out);
}

static void print_column(FILE *out, const struct apsp_stats *stats,
                         const struct stats_column *column)
{
    char entry[ENTRY];
    fprintf(out, ",\n\t\"%s\":\t[", column->of->name);
    for (size_t k = 0; k < stats->sources; k++) {
        fputs(k > 0 ? ", " : "", out);
        *put_entry(entry, column, k) = '\0';
        fputs(entry, out);
    }
    fputc(']', out);
}

static void print_json(FILE *out, const void *self)
{
    const struct stats_text *text = self;
    const struct apsp_stats *stats = text->stats;
    fprintf(out, "{\n\t\"vertices\":\t%zu,\n\t\"sources\":\t%zu,\n\t\"all\":\t{\n", stats->vertices,
            stats->sources);
    print_overall(out, text);
    fputs("\n\t}", out);
    if (stats->counted & APSP_STATS_HISTOGRAM)
        print_histogram(out, stats);
    fputs(",\n\t\"vertex\":\t[", out);
    for (size_t k = 0; k < stats->sources; k++) {
        fputs(k > 0 ? ", " : "", out);
        print_vertex(out, text, k);
    }
    fputc(']', out);
    for (size_t c = 0; c < stats->columns->count; c++)
        print_column(out, stats, &stats->columns->column[c]);
    fputs("\n}\n", out);
}

int stats_json(struct staged *staged, const struct stats_text *text, struct apsp_error *error)
{
    return output_text(staged, print_json, text, error);
}
