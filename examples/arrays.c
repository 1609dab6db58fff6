/* Arrays in, distances out: cc arrays.c $(pkg-config --cflags --libs apsp) */
#include <apsp.h>

#include <stdio.h>

int main(void)
{
    const int32_t from[] = {0, 1, 2, 0, 3}, to[] = {1, 2, 3, 3, 1};
    const double weight[] = {1.5, 0.5, 2, 4.25, 0.5};
    const struct apsp_edges edges = {4, 5, {from, APSP_I32}, {to, APSP_I32}, {weight, APSP_F64}};
    struct apsp_graph *graph = NULL;
    struct apsp_solution *solution = NULL;
    struct apsp_path path = {0, NULL};
    struct apsp_error error;
    double d[4][4];

    if (apsp_graph_edges(&graph, &edges, &error) == APSP_OK &&
        apsp_solve(graph, NULL, &solution, &error) == APSP_OK &&
        apsp_rows(solution, NULL, 0, d, 0, &error) == APSP_OK &&
        apsp_find_path(solution, 0, 3, &path, &error) == APSP_OK) {
        for (int i = 0; i < 4; i++)
            printf("%6g %6g %6g %6g\n", d[i][0], d[i][1], d[i][2], d[i][3]);
        for (size_t k = 0; k < path.length; k++)
            printf(k ? " -> %u" : "%u", path.vertex[k]);
        printf("\n");
    }
    if (error.code)
        fprintf(stderr, "%s\n", error.text);
    apsp_path_free(&path);
    apsp_solution_free(solution);
    apsp_graph_free(graph);
    return error.code;
}
