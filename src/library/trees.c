/* Rows of predecessors, for the caller: made from rows of distances as these are copied. */
#include "library/library.h"

#include <stdlib.h>

struct trees {
    const struct apsp_solution *solution;
    int32_t none;
    struct predecessor_space *lane[SINK_LANES];
};

/* Writes the predecessors of row k of a block. */
static int make_tree(void *self, int lane, const struct block *block, size_t k, void *values,
                     struct apsp_error *error)
{
    struct trees *trees = self;
    int32_t *tree = values;
    const struct certificate certificate = library_certificate(trees->solution);
    struct predecessor_space **space = &trees->lane[lane];
    size_t n = trees->solution->facts.vertices;
    char why[CERTIFY_WHY];
    if (!*space && !(*space = predecessor_space_new(n, block->dtype)))
        return error_set(error, APSP_MEMORY, "no memory for paths in a graph of %zu vertices", n);
    if (!predecessor_row(&certificate, *space, block_source(block, k), block_row(block, k), tree,
                         why))
        return error_set(error, APSP_REFUTED, "no predecessors, since the distances are wrong: %s",
                         why);
    for (size_t v = 0; v < n; v++)
        tree[v] = tree[v] < 0 ? trees->none : tree[v];
    return APSP_OK;
}

struct trees_question {
    const struct apsp_list *from;
    int32_t none, *values;
    size_t stride;
};

static int trees_rank(struct apsp_solution *solution, void *opaque, struct apsp_error *error)
{
    const struct trees_question *question = opaque;
    const struct apsp_list *from = question->from;
    const size_t n = solution->facts.vertices, stride = question->stride ? question->stride : n;
    struct trees *trees = calloc(1, sizeof *trees);
    const struct library_rows rows = {.list = from ? from->vertex : NULL,
                                      .count = from && from->vertex ? from->count : n,
                                      .shared = true,
                                      .made = sizeof(int32_t),
                                      .make = make_tree,
                                      .self = trees};
    if (!trees)
        error_set(error, APSP_MEMORY, "no memory for paths in a graph of %zu vertices", n);
    else
        library_check(solution, &rows, question->values, stride, error);
    if (comm_agree(solution->solver->comm, error) == APSP_OK &&
        library_edges(solution, error) == APSP_OK) {
        trees->solution = solution;
        trees->none = question->none;
        library_copy(solution, &rows, question->values, stride, error);
    }
    for (int lane = 0; trees && lane < SINK_LANES; lane++)
        predecessor_space_free(trees->lane[lane]);
    free(trees);
    return error->code;
}

int apsp_predecessors(struct apsp_solution *solution, const struct apsp_list *from, int32_t none,
                      int32_t *values, size_t stride, struct apsp_error *error)
{
    struct trees_question question = {from, none, values, stride};
    return library_ask(solution, trees_rank, &question, error);
}
