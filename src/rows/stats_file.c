/* Statistics as text: a table of vertices, or all of them. */
#include "base/text.h"
#include "rows/stats.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* What there is of each vertex. */
enum { VERTEX, MOST, SUM, REACHABLE, CLOSENESS, IN_MOST, IN_REACHABLE, HARMONIC, COLUMNS };

static const struct column {
    const char *name;
    unsigned counted; /* only if these have been */
} columns[COLUMNS] = {
    [VERTEX] = {"vertex", 0},
    [MOST] = {"eccentricity", 0},
    [SUM] = {"sum", 0},
    [REACHABLE] = {"reachable", 0},
    [CLOSENESS] = {"closeness", 0},
    [IN_MOST] = {"in_eccentricity", APSP_STATS_IN},
    [IN_REACHABLE] = {"in_reachable", APSP_STATS_IN},
    [HARMONIC] = {"harmonic", APSP_STATS_HARMONIC},
};

static bool has(const struct apsp_stats *stats, int c)
{
    return (stats->counted & columns[c].counted) == columns[c].counted;
}

/* JSON has no number for what is none. */
static void print_real(FILE *out, double value)
{
    char text[TEXT_NUMBER];
    fputs(isfinite(value) ? text_real(text, value) : "null", out);
}

/* A sum beyond 64 bits is the nearest double, which is whole. */
static void print_value(FILE *out, const struct apsp_stats *stats, struct apsp_value value)
{
    if (stats->real)
        print_real(out, value.real);
    else if (value.whole == INT64_MAX || value.whole == INT64_MIN)
        fprintf(out, "%.0f", value.real);
    else
        fprintf(out, "%lld", (long long)value.whole);
}

typedef void print_name(FILE *out, const char *name);

static void print_entry(FILE *out, const struct stats_text *text, size_t k, int c,
                        print_name *print)
{
    const struct apsp_stats *stats = text->stats;
    const struct apsp_vertex_stats *vertex = &stats->vertex[k];
    if (c == VERTEX)
        label_print(out, text->labels, vertex->vertex, print);
    else if (c == REACHABLE || c == IN_REACHABLE)
        fprintf(out, "%zu", c == REACHABLE ? vertex->reachable : vertex->in_reachable);
    else if (c == CLOSENESS || c == HARMONIC)
        print_real(out, c == CLOSENESS ? vertex->closeness : vertex->harmonic);
    else
        print_value(out, stats,
                    c == MOST  ? vertex->most
                    : c == SUM ? vertex->sum
                               : vertex->in_most);
}

void stats_csv(FILE *out, const void *self)
{
    const struct stats_text *text = self;
    const struct apsp_stats *stats = text->stats;
    for (int c = 0; c < COLUMNS; c++)
        if (has(stats, c))
            fprintf(out, "%s%s", c > 0 ? "," : "", columns[c].name);
    for (size_t k = 0; k < stats->sources; k++)
        for (int c = 0; c < COLUMNS; c++)
            if (has(stats, c)) {
                fputc(c > 0 ? ',' : '\n', out);
                print_entry(out, text, k, c, text_print_csv);
            }
    fputc('\n', out);
}

/* The vertices whose eccentricity is that. */
static void print_those(FILE *out, const struct stats_text *text, const char *name,
                        struct apsp_value most)
{
    const struct apsp_stats *stats = text->stats;
    const char *comma = "";
    fprintf(out, ",\n\t\t\"%s\":\t[", name);
    for (size_t k = 0; k < stats->sources; k++)
        if (stats->vertex[k].most.whole == most.whole && stats->vertex[k].most.real == most.real) {
            fputs(comma, out);
            print_entry(out, text, k, VERTEX, text_print_json);
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
    for (int c = 0; c < COLUMNS; c++) {
        if (!has(stats, c))
            continue;
        fprintf(out, ",\n\t\"%s\":\t[", columns[c].name);
        for (size_t k = 0; k < stats->sources; k++) {
            fputs(k > 0 ? ", " : "", out);
            print_entry(out, text, k, c, text_print_json);
        }
        fputc(']', out);
    }
    fputs("\n}\n", out);
}
