/* Blocks of rows by a callback, for the largest distance without a matrix:
 * cc blocks.c $(pkg-config --cflags --libs apsp) */
#include <apsp.h>

#include <stdio.h>

static int see(void *user, const struct apsp_block *block)
{
    int32_t *most = user;
    for (size_t k = 0; k < block->count; k++) {
        const int32_t *row = (const int32_t *)block->values + k * block->stride;
        for (size_t j = 0; j < block->columns; j++)
            if (row[j] != APSP_UNREACHABLE_I32 && row[j] > *most)
                *most = row[j];
    }
    return 0;
}

int main(int argc, char **argv)
{
    struct apsp_graph *graph = NULL;
    struct apsp_solution *solution = NULL;
    struct apsp_options options;
    struct apsp_error error;
    int32_t most = 0;

    apsp_options_init(&options);
    options.output = APSP_I32;
    if (apsp_graph_file(&graph, argc > 1 ? argv[1] : "graph.gr", NULL, &error) == APSP_OK &&
        apsp_solve(graph, &options, &solution, &error) == APSP_OK &&
        apsp_blocks(solution, see, &most, 0, &error) == APSP_OK)
        printf("%zu vertices, largest distance %d\n", apsp_graph_vertices(graph), most);
    else
        fprintf(stderr, "%s\n", error.text);
    apsp_solution_free(solution);
    apsp_graph_free(graph);
    return error.code;
}
