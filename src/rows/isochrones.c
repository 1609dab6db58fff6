#include "rows/isochrones.h"

#include "base/mem.h"
#include "graph/graphml.h"
#include "rows/access_request.h"
#include "rows/records.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Coordinates of DIMACS are degrees times this. */
#define DIMACS_UNIT 1e6

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Ascending, each once. */
static int take_cutoffs(struct isochrones *isochrones, const char *words, struct apsp_error *error)
{
    const size_t count = access_count_words(words);
    double *cutoff = isochrones->cutoff = malloc(mem_bytes(count, sizeof *cutoff));
    if (!cutoff)
        return error_set(error, APSP_MEMORY, "no memory for %zu cutoffs", count);
    for (size_t k = 0; k < count && !error->code; k++) {
        char *word;
        access_take_cutoff(&words, &word, &cutoff[k], error);
        free(word);
    }
    if (error->code)
        return error->code;
    qsort(cutoff, count, sizeof *cutoff, compare);
    for (size_t k = 0; k < count; k++)
        if (k == 0 || cutoff[k] > cutoff[isochrones->count - 1])
            cutoff[isochrones->count++] = cutoff[k];
    return APSP_OK;
}

static int make_places(struct isochrones *isochrones, const struct graph *graph,
                       const struct comm *comm, struct apsp_error *error)
{
    isochrones->x = mem_alloc(mem_bytes(graph->n, 2 * sizeof *isochrones->x));
    if (!isochrones->x)
        return error_set(error, APSP_MEMORY, "no memory for the coordinates of %zu vertices on %s",
                         graph->n, comm->host);
    isochrones->y = isochrones->x + graph->n;
    for (size_t v = 0; v < 2 * graph->n; v++)
        isochrones->x[v] = NAN;
    return APSP_OK;
}

/* The fields of a line. */
struct places {
    bool dimacs;
    int count;
    int vertex, x, y;
};

/* The field that has the first of these names that there are; or -1. */
static int find_named(const struct records *records, const char *names)
{
    const char *first = NULL;
    int found = -1;
    for (int k = 0; k < records->count; k++) {
        const char *name = fields_among(&records->field[k], names);
        if (name && (!first || name < first)) {
            first = name;
            found = k;
        }
    }
    return found;
}

/* Takes both coordinates from a line of names, or nothing. The vertex is in the first of the other
 * fields. */
static void take_names(struct places *places, const struct records *records,
                       char about[GRAPH_ABOUT])
{
    char x[FIELD_SHOWN], y[FIELD_SHOWN];
    const int named[] = {find_named(records, PLACES_X), find_named(records, PLACES_Y)};
    if (named[0] < 0 || named[1] < 0)
        return;
    *places = (struct places){.count = records->count, .x = named[0], .y = named[1]};
    while (places->vertex == places->x || places->vertex == places->y)
        places->vertex++;
    snprintf(about, GRAPH_ABOUT, "coordinates: x is column %d (%s), y column %d (%s)",
             places->x + 1, fields_show(&records->field[places->x], x), places->y + 1,
             fields_show(&records->field[places->y], y));
}

/* A line of a vertex and its place. Vertices of other graphs are skipped. */
static int take_place(struct isochrones *isochrones, const struct records *records,
                      const struct places *places, const struct graph *graph,
                      struct apsp_error *error)
{
    const double unit = places->dimacs ? DIMACS_UNIT : 1;
    const int field[] = {places->x, places->y};
    char text[RECORDS_TEXT];
    double place[2];
    size_t vertex;
    if (records->count != places->count)
        return error_set(error, APSP_INPUT, "%s:%zu: expected %d fields, found %d", records->path,
                         records->line, places->count, records->count);
    if (records_text(records, places->vertex, text, error))
        return error->code;
    for (int k = 0; k < 2; k++)
        if (!records_number(records, field[k], &place[k]))
            return records_refuse(records, field[k], "a coordinate", error);
    if (!label_find(graph_labels(graph), graph->n, text, &vertex))
        return APSP_OK;
    if (!isnan(isochrones->x[vertex]))
        return records_refuse(records, places->vertex, "a vertex that is not above", error);
    isochrones->x[vertex] = place[0] / unit;
    isochrones->y[vertex] = place[1] / unit;
    return APSP_OK;
}

static void read_lines(struct isochrones *isochrones, struct records *records,
                       const struct graph *graph, struct apsp_error *error)
{
    struct places places = {false, 3, 0, 1, 2};
    double number;
    if (records->at[0] && strchr("cp", records->at[0]) && line_is_blank(records->at[1]))
        places = (struct places){true, 4, 1, 2, 3};
    else
        snprintf(isochrones->about, GRAPH_ABOUT, "coordinates: x is column 2, y column 3");
    records->begun = places.dimacs; /* Fields are then parted by blanks. */
    for (bool first = true; records_next(records, error); first = false) {
        if (places.dimacs && strchr("cp", *records->field[0].text))
            continue;
        if (!places.dimacs && first && !records_number(records, 1, &number) &&
            !records_number(records, 2, &number))
            take_names(&places, records, isochrones->about);
        else if (take_place(isochrones, records, &places, graph, error))
            break;
    }
}

/* Lines vertex,x,y, below a line of names if there is one; or those of DIMACS: `v` before a vertex,
 * and comments and the number of vertices, which is not needed, behind `c` and `p`; or GraphML. */
static int read_places(struct isochrones *isochrones, const char *path, const struct graph *graph,
                       struct apsp_error *error)
{
    struct records records;
    if (records_open(&records, path, "the file of coordinates", error) == APSP_OK) {
        const struct file xml =
            file_in_memory(path, records.text, (size_t)(records.end - records.text));
        if (*records.at == '<')
            graphml_places(&xml, graph, isochrones->x, isochrones->y, isochrones->about, error);
        else
            read_lines(isochrones, &records, graph, error);
    }
    records_close(&records);
    for (size_t v = 0; v < graph->n && !error->code; v++)
        if (isnan(isochrones->x[v]))
            return error_set(error, APSP_INPUT, "%s: vertex %s has no coordinates", path,
                             LABEL(graph_labels(graph), v));
    return error->code;
}

int isochrones_read(struct isochrones *isochrones, const struct results_isochrones *wish,
                    const char *cutoffs, const struct graph *graph, struct comm *comm,
                    struct apsp_error *error)
{
    *isochrones = (struct isochrones){0};
    if (!wish->path)
        return APSP_OK;
    if (take_cutoffs(isochrones, cutoffs, error) == APSP_OK && wish->coordinates &&
        make_places(isochrones, graph, comm, error) == APSP_OK && comm->rank == 0)
        read_places(isochrones, wish->coordinates, graph, error);
    if (comm_agree(comm, error) == APSP_OK && wish->coordinates)
        comm_broadcast(comm, isochrones->x, 2 * graph->n * sizeof *isochrones->x, 0);
    return error->code;
}

void isochrones_free(struct isochrones *isochrones)
{
    free(isochrones->cutoff);
    mem_free(isochrones->x);
    *isochrones = (struct isochrones){0};
}
