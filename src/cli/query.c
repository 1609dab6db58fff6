#include "cli/query.h"

#include "base/mem.h"
#include "base/text.h"
#include "base/threads.h"
#include "base/typed.h"
#include "distances/format.h"
#include "rows/choose.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { VALUE_BYTES = 8, NUMBER = SCALE_TEXT }; /* of a value that is read; of one as text */

enum answer { DISTANCE, UNREACHABLE, IMPOSSIBLE };

/* What the value is, and its text; floating-point numbers get as many digits as tell them from
 * their neighbours. */
static enum answer show(char text[NUMBER], const struct distances *distances, union value value)
{
    const enum dtype dtype = distances->dtype;
    const int64_t infinity = dtype_info[dtype].unreachable;
    if (dtype_info[dtype].real) {
        const bool narrow = dtype == DTYPE_F32;
        int digits = narrow ? 6 : 15;
        do
            snprintf(text, NUMBER, "%.*g", digits, value.real);
        while (digits++ < 17 &&
               (narrow ? (double)strtof(text, NULL) : strtod(text, NULL)) != value.real);
        return isfinite(value.real) ? DISTANCE : value.real > 0 ? UNREACHABLE : IMPOSSIBLE;
    }
    scale_text(distances->scale, value.whole, text);
    return value.whole > infinity || value.whole <= -infinity ? IMPOSSIBLE
           : value.whole == infinity                          ? UNREACHABLE
                                                              : DISTANCE;
}

/* The row of vertex u in the file; APSP_USAGE unless it has one. */
static int find_row(const struct query *query, size_t u, size_t *row, struct apsp_error *error)
{
    *row = distances_row(&query->subject.distances, u);
    if (*row != SIZE_MAX)
        return APSP_OK;
    return error_set(error, APSP_USAGE, "vertex %s is none of --sources",
                     LABEL(graph_labels(&query->subject.graph), u));
}

/* From a vertex to itself the distance is 0: another entry tells that --sources has not the rows of
 * the file. A list of pairs names the vertices of each. */
static int check_own(const struct query *query, size_t u, size_t row, struct apsp_error *error)
{
    const struct distances *distances = &query->subject.distances;
    const size_t column = distances_column(distances, u);
    char text[NUMBER];
    union value value;
    if (distances->sources.count == 0 || column == SIZE_MAX ||
        query->subject.algebra != ALGEBRA_SHORTEST || strcmp(distances->format->name, "pairs") == 0)
        return APSP_OK;
    if (distances_read(distances, (struct range){row, row + 1}, (struct range){column, column + 1},
                       &value, error) != APSP_OK)
        return error->code;
    value = typed_get(distances->dtype, &value, 0);
    const enum answer kind = show(text, distances, value);
    if (kind == DISTANCE && strcmp(text, "0") == 0)
        return APSP_OK;
    const char *name = LABEL(graph_labels(&query->subject.graph), u);
    return error_set(
        error, APSP_REFUTED,
        "%s: row %zu is said to be %s, but has %s from %s to itself: --sources must be "
        "those of the run, in its order",
        distances->file.path, row + 1, name, kind == UNREACHABLE ? "no path" : text, name);
}

/* Makes query->row that of vertex u. */
static int read_row(struct query *query, size_t u, struct apsp_error *error)
{
    const struct distances *distances = &query->subject.distances;
    size_t row;
    if (!query->row && !(query->row = malloc(mem_bytes(distances->columns, VALUE_BYTES))))
        return error_set(error, APSP_MEMORY, "no memory for a row of %zu distances",
                         distances->columns);
    if (query->of == u)
        return APSP_OK;
    query->of = SIZE_MAX;
    if (find_row(query, u, &row, error) != APSP_OK || check_own(query, u, row, error) != APSP_OK ||
        distances_read(distances, (struct range){row, row + 1},
                       (struct range){0, distances->columns}, query->row, error) != APSP_OK)
        return error->code;
    query->of = u;
    return APSP_OK;
}

int query_load(struct query *query, struct apsp_error *error)
{
    const struct distances *distances = &query->subject.distances;
    size_t n = query->subject.graph.n, need;
    if (query->loaded)
        return APSP_OK;
    mem_mul(&need, n, 2 * (size_t)VALUE_BYTES + sizeof *query->tree + sizeof *query->path);
    mem_add(&need, need, predecessor_need(n, distances->dtype));
    mem_add(&need, need, distances->real ? exact_need(distances) : 0);
    mem_add(&need, need, distances_need(distances));
    query->loaded = subject_load(&query->subject, need, threads_default(), error) == APSP_OK;
    return error->code;
}

int query_prepare(struct query *query, struct apsp_error *error)
{
    const struct distances *distances = &query->subject.distances;
    size_t n = query->subject.graph.n;
    if (query->ready)
        return APSP_OK;
    if (distances->columns < n) /* Some have no column. */
        return error_set(
            error, APSP_USAGE,
            "--targets: a path is found from a whole row, and %s has %zu columns of %zu",
            query->subject.distances.file.path, distances->columns, n);
    if (query_load(query, error) != APSP_OK)
        return error->code;
    const struct exact *exact = subject_exact(&query->subject);
    query->tree = malloc(n * sizeof *query->tree);
    query->path = malloc(n * sizeof *query->path);
    query->space = predecessor_space_new(n, distances->dtype);
    query->exact = exact ? exact_space_new(distances) : NULL;
    const bool natural = distances_are_natural(distances);
    query->whole = natural ? NULL : malloc(mem_bytes(n, VALUE_BYTES));
    query->ready = query->tree && query->path && query->space && (query->exact || !exact) &&
                   (query->whole || natural);
    return query->ready
               ? APSP_OK
               : error_set(error, APSP_MEMORY, "no memory for paths in a graph of %zu vertices", n);
}

/* The row with the distance to each vertex at its number. */
static const void *arrange_row(const struct query *query)
{
    const struct distances *distances = &query->subject.distances;
    const size_t each = dtype_info[distances->dtype].bytes;
    if (!query->whole)
        return query->row;
    for (size_t i = 0; i < distances->columns; i++)
        memcpy((char *)query->whole + distances_target(distances, i) * each,
               (const char *)query->row + i * each, each);
    return query->whole;
}

/* Of distances that are exact, in integers; of others whose sums may have been rounded the
 * nearest. */
static bool find_tree(const struct query *query, size_t u, char why[CERTIFY_WHY])
{
    const struct exact *exact = subject_exact(&query->subject);
    return (exact && exact_row(exact, query->exact, u, query->row, query->tree, why)) ||
           predecessor_row(&query->subject.certificate, query->space, u, arrange_row(query),
                           query->tree, why);
}

/* Makes query->tree that of vertex u. */
static int make_tree(struct query *query, size_t u, struct apsp_error *error)
{
    char why[CERTIFY_WHY];
    if (query_prepare(query, error) != APSP_OK || query->from == u)
        return error->code;
    query->from = SIZE_MAX;
    if (read_row(query, u, error) != APSP_OK)
        return error->code;
    if (!find_tree(query, u, why))
        return error_set(error, APSP_REFUTED, "%s: these are not the distances of %s: %s%s",
                         query->subject.distances.file.path, query->subject.graph.path, why,
                         subject_hint(&query->subject));
    query->from = u;
    return APSP_OK;
}

/* As apsp-query reads it: in quotes where blanks or quotes are in it. Names are data, and reach a
 * file as they are; a terminal would obey what is a control character in them. */
static void print_vertex(const struct query *query, size_t v)
{
    char text[LABEL_SHOWN];
    const char *name = label_text(graph_labels(&query->subject.graph), v, text);
    const bool terminal = isatty(STDOUT_FILENO);
    if (name[strcspn(name, " \t\"")] != '\0')
        text_print_quoted(stdout, name, terminal);
    else if (terminal)
        text_print_clean(stdout, name);
    else
        fputs(name, stdout);
}

static void print_path(struct query *query, size_t v)
{
    size_t length = 0;
    for (int32_t at = (int32_t)v; at >= 0; at = query->tree[at])
        query->path[length++] = (uint32_t)at;
    fputs(" :", stdout);
    while (length > 0) {
        putchar(' ');
        print_vertex(query, query->path[--length]);
    }
}

/* A line for the pair; with its path if `path`. */
static int print_pair(struct query *query, const size_t pair[2], union value value, bool path,
                      struct apsp_error *error)
{
    char text[NUMBER];
    const struct labels labels = graph_labels(&query->subject.graph);
    enum answer kind = show(text, &query->subject.distances, value);
    if (kind == IMPOSSIBLE)
        return error_set(error, APSP_REFUTED,
                         "%s: the entry of vertices %s and %s is %s, which is not a distance",
                         query->subject.distances.file.path, LABEL(labels, pair[0]),
                         LABEL(labels, pair[1]), text);
    if (path && make_tree(query, pair[0], error) != APSP_OK)
        return error->code;
    print_vertex(query, pair[0]);
    putchar(' ');
    print_vertex(query, pair[1]);
    printf(" %s", kind == DISTANCE ? text : "unreachable");
    if (path && kind == DISTANCE)
        print_path(query, pair[1]);
    putchar('\n');
    return APSP_OK;
}

int query_pair(struct query *query, const size_t pair[2], bool path, struct apsp_error *error)
{
    const struct distances *distances = &query->subject.distances;
    union value value;
    size_t row, column = distances_column(distances, pair[1]);
    if (find_row(query, pair[0], &row, error) != APSP_OK ||
        check_own(query, pair[0], row, error) != APSP_OK)
        return error->code;
    if (column == SIZE_MAX)
        return error_set(error, APSP_USAGE, "vertex %s is none of --targets",
                         LABEL(graph_labels(&query->subject.graph), pair[1]));
    if (distances_read(distances, (struct range){row, row + 1}, (struct range){column, column + 1},
                       &value, error) != APSP_OK)
        return error->code;
    return print_pair(query, pair, typed_get(distances->dtype, &value, 0), path, error);
}

/* A whole row is read, so that all of it is to be distances. */
static int check_row(const struct query *query, size_t u, struct apsp_error *error)
{
    const struct distances *distances = &query->subject.distances;
    const struct labels labels = graph_labels(&query->subject.graph);
    char text[NUMBER];
    for (size_t i = 0; i < distances->columns; i++)
        if (show(text, distances, typed_get(distances->dtype, query->row, i)) == IMPOSSIBLE)
            return error_set(error, APSP_REFUTED,
                             "%s: the entry of vertices %s and %s is %s, which is not a distance",
                             query->subject.distances.file.path, LABEL(labels, u),
                             LABEL(labels, distances_target(distances, i)), text);
    return APSP_OK;
}

int query_row(struct query *query, size_t u, size_t nearest, struct apsp_error *error)
{
    const struct distances *distances = &query->subject.distances;
    const struct choice choice = {.dtype = distances->dtype,
                                  .columns = distances->columns,
                                  .column = distances->targets.vertex,
                                  .others = true,
                                  .nearest = nearest,
                                  .most =
                                      choose_most(distances->dtype, (struct scale){0}, INFINITY)};
    if (read_row(query, u, error) != APSP_OK || check_row(query, u, error) != APSP_OK)
        return error->code;
    if (!query->chosen &&
        !(query->chosen = malloc(mem_bytes(distances->columns, sizeof *query->chosen))))
        return error_set(error, APSP_MEMORY, "no memory for a row of %zu distances",
                         distances->columns);
    size_t count = choose_pairs(&choice, query->row, u, query->chosen);
    for (size_t k = 0; k < count && !error->code; k++)
        print_pair(query, (size_t[]){u, query->chosen[k].vertex}, query->chosen[k].distance,
                   query->paths, error);
    return error->code;
}

void query_print_numbering(const struct query *query, const char *start)
{
    const struct graph *graph = &query->subject.graph;
    printf("%s%zu vertices of ", start, graph->n);
    text_print_clean(stdout, graph->path);
    printf(", %s ", graph->names ? "called by names:" : "numbers");
    print_vertex(query, 0);
    printf(" to ");
    print_vertex(query, graph->n - 1);
    putchar('\n');
}

void query_free(struct query *query)
{
    exact_space_free(query->exact);
    predecessor_space_free(query->space);
    free(query->path);
    free(query->tree);
    free(query->chosen);
    free(query->whole);
    free(query->row);
    subject_free(&query->subject);
}
