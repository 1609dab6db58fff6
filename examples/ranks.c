/* A graph over the ranks of an MPI job, for mpirun -n 3 ./a.out:
 * mpicc ranks.c $(pkg-config --cflags --libs apsp) */
#include <apsp_mpi.h>

#include <stdio.h>

enum { N = 1000 };

int main(int argc, char **argv)
{
    static int32_t from[2 * N], to[2 * N], weight[2 * N], row[N];
    const struct apsp_edges edges = {
        N, 2 * N, {from, APSP_I32}, {to, APSP_I32}, {weight, APSP_I32}};
    const uint32_t vertex = 0;
    struct apsp_graph *graph = NULL;
    struct apsp_solution *solution = NULL;
    struct apsp_error error;
    int provided;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    for (int e = 0; e < 2 * N; e++) { /* a ring with chords */
        from[e] = e % N;
        to[e] = e < N ? (e + 1) % N : (e * 7) % N;
        weight[e] = 1 + e % 10;
    }
    if (apsp_graph_edges(&graph, &edges, &error)) /* no graph here: the solve fails, on all ranks */
        fprintf(stderr, "%s\n", error.text);
    if (apsp_solve_mpi(graph, MPI_COMM_WORLD, NULL, &solution, &error) == APSP_OK &&
        apsp_rows(solution, &vertex, 1, row, 0, &error) == APSP_OK) {
        const struct apsp_facts *facts = apsp_solution_facts(solution);
        printf("%zu rows; from 0 to %d: %d\n", facts->rows, N / 2, row[N / 2]);
    } else {
        fprintf(stderr, "%s\n", error.text);
    }
    apsp_solution_free(solution);
    apsp_graph_free(graph);
    MPI_Finalize();
    return error.code;
}
