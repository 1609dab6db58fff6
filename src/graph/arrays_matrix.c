/* A matrix in memory: entry (i, j) is the weight of the edge i -> j. */
#include "graph/absent.h"
#include "graph/array.h"
#include "graph/source.h"

#include "base/mem.h"
#include "base/range.h"

#include <stdlib.h>

struct matrix { /* graph->own */
    struct apsp_matrix given;
    struct absent absent;
};

static int matrix_next(struct graph_part *part, struct edge *edges, size_t room, size_t *count,
                       struct apsp_error *error)
{
    const struct matrix *matrix = part->graph->own;
    const struct apsp_array *weight = &matrix->given.weight;
    const bool real = array_is_real(weight);
    const size_t n = part->graph->n;
    for (; *count < room && range_length(part->left) > 0; part->left.lo++, part->records++) {
        size_t from = part->left.lo / n, to = part->left.lo % n;
        union value value =
            array_value(weight, from * matrix->given.stride + to * matrix->given.step);
        if (absent_has(&matrix->absent, real, value))
            continue;
        if (!array_is_weight(weight, value))
            return error_set(error, APSP_INPUT,
                             "%s: entry (%zu, %zu) is not a finite weight of at most 62 bits",
                             part->graph->path, from, to);
        edges[(*count)++] = (struct edge){(uint32_t)from, (uint32_t)to, value};
    }
    return APSP_OK;
}

static const struct graph_source source = {
    .name = "matrix", .close = graph_free_own, .next = matrix_next};

int graph_matrix(struct graph *graph, const struct apsp_matrix *given, struct apsp_error *error)
{
    if (array_start(graph, &source, given->vertices, error) ||
        array_check_weight(&given->weight, error))
        return error->code;
    if (!given->weight.data)
        return error_set(error, APSP_USAGE, "weight: NULL, and a matrix has %zu entries",
                         graph->n * graph->n);
    struct matrix *matrix = graph->own = malloc(sizeof *matrix);
    if (!matrix)
        return error_set(error, APSP_MEMORY, "%s: no memory to open it", graph->path);
    *matrix = (struct matrix){.given = *given};
    matrix->given.step = given->step ? given->step : 1;
    matrix->given.stride = given->stride ? given->stride : graph->n * matrix->given.step;
    graph->m = graph->records = graph->n * graph->n;
    graph->real = array_is_real(&given->weight);
    graph->binary = true;
    graph->bytes = mem_bytes(graph->m, sizeof(union value));
    return absent_read(&matrix->absent, given->no_edge, ABSENT_DENSE, error);
}
