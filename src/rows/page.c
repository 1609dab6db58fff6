#include "rows/page.h"

#include "base/error.h"
#include "base/mem.h"
#include "base/text.h"
#include "rows/output.h"
#include "rows/stats_columns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BINS = 40, ACROSS = 120, UP = 80, CELLS = (UP + 1) * ACROSS, FIRST = 50 };

/* A column of the page: of the statistics, or of all vertices. */
struct column {
    const char *name;
    const struct stats_column *own;
    const double *values;
    bool drawn; /* Its distribution is. */
};

struct work {
    const struct page *page;
    struct column *column;
    size_t columns;
    size_t *cell;         /* Vertices in each cell of the scatter. */
    unsigned char *shown; /* Rows that the table may show. */
    FILE *out;
};

size_t page_need(size_t rows)
{
    return mem_bytes(1, CELLS * sizeof(size_t) + rows);
}

static double value_of(const struct work *work, const struct column *column, size_t k)
{
    const struct stats_column *own = column->own;
    if (!own)
        return column->values[work->page->stats->columns->vertex[k]];
    return own->whole && own->whole[k] != REDUCTION_BEYOND ? (double)own->whole[k] : own->real[k];
}

static void add_column(struct work *work, const char *name, bool drawn)
{
    const struct page *page = work->page;
    struct column column = {
        .name = name, .own = stats_column_find(page->stats->columns, name), .drawn = drawn};
    if (strcmp(name, "betweenness") == 0)
        column.values = page->betweenness;
    if (column.own || column.values)
        work->column[work->columns++] = column;
}

static void print_number(FILE *out, double value)
{
    if (isfinite(value))
        fprintf(out, "%.10g", value);
    else
        fputs("null", out);
}

static void print_fact(const struct work *work, const char *name, double value)
{
    fprintf(work->out, ",\n[\"%s\", ", name);
    print_number(work->out, value);
    fputc(']', work->out);
}

static void print_facts(const struct work *work)
{
    const struct apsp_stats *stats = work->page->stats;
    fprintf(work->out, "\"facts\": [[\"vertices\", %zu]", stats->vertices);
    if (stats->sources < stats->vertices)
        print_fact(work, "sources", (double)stats->sources);
    print_fact(work, "pairs with a path", (double)stats->pairs - (double)stats->sources);
    print_fact(work, "pairs without a path", (double)stats->unreachable);
    print_fact(work, "mean distance", stats->mean);
    print_fact(work, "median distance", stats->quantile[APSP_QUANTILES / 2].at.real);
    print_fact(work, stats->sources < stats->vertices ? "largest eccentricity" : "diameter",
               stats->diameter.real);
    print_fact(work, stats->sources < stats->vertices ? "smallest eccentricity" : "radius",
               stats->radius.real);
    if (stats->counted & APSP_STATS_HARMONIC)
        print_fact(work, "efficiency", stats->efficiency);
    fputs("],\n", work->out);
}

static void print_distances(const struct work *work)
{
    const struct stats_bars bars = stats_bars(work->page->stats);
    fprintf(work->out, "\"distances\": {\"low\": %.17g, \"width\": %.17g, \"bins\": [", bars.low,
            bars.width);
    for (size_t k = 0; k < bars.count; k++)
        fprintf(work->out, "%s%zu", k > 0 ? "," : "", bars.pairs[k]);
    fputs("]},\n", work->out);
}

/* The axis of a column: of betweenness that of its logarithms, without zeros. */
struct axis {
    bool logarithmic;
    double low, high;
};

static double place_of(const struct axis *axis, double value)
{
    return axis->logarithmic ? log10(value) : value;
}

static bool is_on(const struct axis *axis, double value)
{
    return isfinite(value) && (!axis->logarithmic || value > 0);
}

static struct axis axis_of(const struct work *work, const struct column *column)
{
    struct axis axis = {column->values != NULL, INFINITY, -INFINITY};
    for (size_t k = 0; k < work->page->stats->sources; k++) {
        const double value = value_of(work, column, k);
        if (!is_on(&axis, value))
            continue;
        axis.low = fmin(axis.low, place_of(&axis, value));
        axis.high = fmax(axis.high, place_of(&axis, value));
    }
    if (axis.low > axis.high)
        axis.low = axis.high = 0;
    return axis;
}

/* The cell of a value among so many. */
static size_t cell_of(const struct axis *axis, double value, size_t cells)
{
    const double width = (axis->high - axis->low) / (double)cells,
                 at = width > 0 ? (place_of(axis, value) - axis->low) / width : 0;
    return at < (double)(cells - 1) ? (size_t)at : cells - 1;
}

/* Each integer of a short range has a bin, which is centred on it. */
static void print_distribution(const struct work *work, const struct column *column)
{
    struct axis axis = axis_of(work, column);
    size_t bin[2 * BINS] = {0}, zeros = 0, bins = BINS;
    if (column->own && column->own->whole && axis.high - axis.low < 2 * BINS) {
        bins = (size_t)(axis.high - axis.low) + 1;
        axis.low -= 0.5;
        axis.high += 0.5;
    }
    for (size_t k = 0; k < work->page->stats->sources; k++) {
        const double value = value_of(work, column, k);
        if (is_on(&axis, value))
            bin[cell_of(&axis, value, bins)]++;
        else
            zeros++;
    }
    fprintf(work->out,
            "{\"name\": \"%s\", \"log\": %s, \"zeros\": %zu, \"low\": %.17g, \"width\": %.17g, "
            "\"bins\": [",
            column->name, axis.logarithmic ? "true" : "false", zeros, axis.low,
            (axis.high - axis.low) / (double)bins);
    for (size_t k = 0; k < bins; k++)
        fprintf(work->out, "%s%zu", k > 0 ? "," : "", bin[k]);
    fputs("]}", work->out);
}

static void print_distributions(const struct work *work)
{
    const char *comma = "";
    fputs("\"distributions\": [", work->out);
    for (size_t c = 0; c < work->columns; c++) {
        if (!work->column[c].drawn)
            continue;
        fputs(comma, work->out);
        print_distribution(work, &work->column[c]);
        comma = ",\n";
    }
    fputs("],\n", work->out);
}

static const struct column *find(const struct work *work, const char *name)
{
    for (size_t c = 0; c < work->columns; c++)
        if (strcmp(work->column[c].name, name) == 0)
            return &work->column[c];
    return NULL;
}

static void print_axis(FILE *out, const char *name, const struct axis *axis, size_t cells)
{
    fprintf(out, "\"%s\": {\"low\": %.17g, \"high\": %.17g, \"cells\": %zu}, ", name, axis->low,
            axis->high, cells);
}

/* Vertices in one cell are one mark. Row 0 has those whose betweenness is 0. */
static void print_scatter(const struct work *work)
{
    const struct column *x = find(work, "closeness"), *y = find(work, "betweenness");
    const char *comma = "";
    if (!x || !y)
        return;
    const struct axis right = axis_of(work, x), up = axis_of(work, y);
    for (size_t k = 0; k < work->page->stats->sources; k++) {
        const double value = value_of(work, y, k);
        const size_t row = is_on(&up, value) ? 1 + cell_of(&up, value, UP) : 0;
        work->cell[row * ACROSS + cell_of(&right, value_of(work, x, k), ACROSS)]++;
    }
    fputs("\"scatter\": {", work->out);
    print_axis(work->out, "x", &right, ACROSS);
    print_axis(work->out, "y", &up, UP);
    fputs("\"marks\": [", work->out);
    for (size_t i = 0; i < CELLS; i++)
        if (work->cell[i] > 0) {
            fprintf(work->out, "%s[%d,%d,%zu]", comma, (int)i % ACROSS, (int)i / ACROSS,
                    work->cell[i]);
            comma = ",";
        }
    fputs("]},\n", work->out);
}

/* Marks the rows with the largest values of a column; of equal ones the first. */
static void show_first(struct work *work, const struct column *column)
{
    size_t best[FIRST], count = 0;
    for (size_t k = 0; k < work->page->stats->sources; k++) {
        const double value = value_of(work, column, k);
        size_t at = count;
        while (at > 0 && value > value_of(work, column, best[at - 1]))
            at--;
        if (at == FIRST)
            continue;
        count += count < FIRST;
        memmove(best + at + 1, best + at, (count - at - 1) * sizeof *best);
        best[at] = k;
    }
    for (size_t i = 0; i < count; i++)
        work->shown[best[i]] = 1;
}

static void print_rows(struct work *work)
{
    const char *comma = "";
    for (size_t c = 0; c < work->columns; c++)
        show_first(work, &work->column[c]);
    fputs("\"columns\": [\"vertex\"", work->out);
    for (size_t c = 0; c < work->columns; c++)
        fprintf(work->out, ", \"%s\"", work->column[c].name);
    fputs("],\n\"rows\": [", work->out);
    for (size_t k = 0; k < work->page->stats->sources; k++) {
        if (!work->shown[k])
            continue;
        fprintf(work->out, "%s[", comma);
        label_print_json(work->out, work->page->labels,
                         (size_t)work->page->stats->columns->vertex[k]);
        for (size_t c = 0; c < work->columns; c++) {
            fputc(',', work->out);
            print_number(work->out, value_of(work, &work->column[c], k));
        }
        fputc(']', work->out);
        comma = ",\n";
    }
    fputs("]\n", work->out);
}

static void print_lines(FILE *out, const char *const *line)
{
    for (; *line; line++)
        fputs(*line, out);
}

static void print_page(FILE *out, const void *self)
{
    struct work *work = (struct work *)self;
    const struct page *page = work->page;
    const char *slash = strrchr(page->graph, '/');
    work->out = out;
    print_lines(out, page_head);
    fputs("{\"graph\": ", out);
    text_print_json(out, slash ? slash + 1 : page->graph);
    fputs(",\n\"without\": ", out);
    text_print_json(out, page->without ? page->without : "");
    fputs(",\n", out);
    print_facts(work);
    print_distances(work);
    print_distributions(work);
    print_scatter(work);
    print_rows(work);
    fputc('}', out);
    print_lines(out, page_tail);
}

int page_write(struct staged *staged, const struct page *page, struct apsp_error *error)
{
    const struct apsp_columns *columns = page->stats->columns;
    struct work work = {.page = page, .column = calloc(columns->count + 1, sizeof *work.column)};
    work.cell = mem_alloc(page_need(page->stats->sources));
    if (!work.cell || !work.column) {
        mem_free(work.cell);
        free(work.column);
        return error_set(error, APSP_MEMORY, "%s: no memory for its text", staged->path);
    }
    work.shown = (unsigned char *)(work.cell + CELLS);
    add_column(&work, "betweenness", true);
    add_column(&work, "closeness", true);
    add_column(&work, "harmonic", true);
    add_column(&work, "eccentricity", true);
    for (size_t c = 0; c < columns->count; c++)
        if (!find(&work, columns->column[c].of->name))
            add_column(&work, columns->column[c].of->name, false);
    output_text(staged, print_page, &work, error);
    mem_free(work.cell);
    free(work.column);
    return error->code;
}
