/* Statistics as text: a table of vertices, or all of them. */
#include "base/text.h"
#include "rows/stats_columns.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* JSON has no number for what is none. */
static void print_real(FILE *out, double value)
{
    char text[TEXT_NUMBER];
    fputs(isfinite(value) ? text_real(text, value) : "null", out);
}

static void print_value(FILE *out, const struct apsp_stats *stats, struct apsp_value value)
{
    if (stats->real)
        print_real(out, value.real);
    else
        fprintf(out, "%lld", (long long)value.whole);
}

typedef void print_name(FILE *out, const char *name);

static void print_vertex(FILE *out, const struct stats_text *text, size_t k, print_name *print)
{
    label_print(out, text->labels, (size_t)text->stats->columns->vertex[k], print);
}

/* A sum beyond 64 bits is the nearest double, which is whole. */
static void print_entry(FILE *out, const struct stats_column *column, size_t k)
{
    if (!column->whole)
        print_real(out, column->real[k]);
    else if (column->real && column->whole[k] == REDUCTION_BEYOND)
        fprintf(out, "%.0f", column->real[k]);
    else
        fprintf(out, "%lld", (long long)column->whole[k]);
}

void stats_csv(FILE *out, const void *self)
{
    const struct stats_text *text = self;
    const struct apsp_columns *columns = text->stats->columns;
    fputs("vertex", out);
    for (size_t c = 0; c < columns->count; c++)
        fprintf(out, ",%s", columns->column[c].of->name);
    for (size_t k = 0; k < text->stats->sources; k++) {
        fputc('\n', out);
        print_vertex(out, text, k, text_print_csv);
        for (size_t c = 0; c < columns->count; c++) {
            fputc(',', out);
            print_entry(out, &columns->column[c], k);
        }
    }
    fputc('\n', out);
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
            print_vertex(out, text, k, text_print_json);
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
    fprintf(out, ",\n\t\"%s\":\t[", column->of->name);
    for (size_t k = 0; k < stats->sources; k++) {
        fputs(k > 0 ? ", " : "", out);
        print_entry(out, column, k);
    }
    fputc(']', out);
}

void stats_json(FILE *out, const void *self)
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
        print_vertex(out, text, k, text_print_json);
    }
    fputc(']', out);
    for (size_t c = 0; c < stats->columns->count; c++)
        print_column(out, stats, &stats->columns->column[c]);
    fputs("\n}\n", out);
}
