/* apsp_mpi.h: one graph over all ranks. mpirun --oversubscribe -n RANKS
 * build/tests/library/test_over */
#include "unit.h"

#include "apsp_mpi.h"
#include "gives.h"
#include "graph_of.h"
#include "wrap_stop.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static struct sample sample;
static int rank, ranks;
static struct apsp_graph *graph;
static struct apsp_solution *solve_by(const char *method)
{
    struct apsp_options options;
    struct apsp_solution *solution;
    apsp_options_init(&options);
    options.device = APSP_DEVICE_CPU;
    options.threads = 1;
    options.method = method;
    options.tile = method && strcmp(method, "sparse") == 0 ? 0 : 8;
    options.output = APSP_I64;
    GIVES(apsp_solve_mpi(graph, MPI_COMM_WORLD, &options, &solution, fresh()), APSP_OK);
    assert_int_equal(apsp_solution_facts(solution)->ranks, ranks);
    return solution;
}

static struct apsp_solution *solve(void)
{
    return solve_by(NULL);
}

/* The first test: what has been loaded stays. */
static void all_hear_of_a_rank_without_mpi(void **state)
{
    char *module = getenv("APSP_MPI_MODULE");
    struct apsp_solution *solution;
    (void)state;
    module = module ? strdup(module) : NULL;
    if (rank == 0)
        setenv("APSP_MPI_MODULE", "/nonexistent", 1);
    GIVES(apsp_solve_mpi(graph, MPI_COMM_WORLD, NULL, &solution, fresh()), APSP_PEER);
    assert_non_null(strstr(error.text, "MPI cannot be loaded"));
    assert_int_equal(strstr(error.text, "other ranks") == NULL, rank == 0);
    assert_null(solution);
    if (module)
        setenv("APSP_MPI_MODULE", module, 1);
    free(module);
}

static void no_communicator_is_refused(void **state)
{
    struct apsp_options options;
    struct apsp_solution *solution;
    (void)state;
    apsp_options_init(&options);
    options.ranks = rank == 0 ? 2 : 0;
    GIVES(apsp_solve_mpi(graph, MPI_COMM_WORLD, &options, &solution, fresh()), APSP_USAGE);
    assert_non_null(strstr(error.text, "those of the communicator"));
    assert_null(solution);
    GIVES(apsp_solve_mpi(graph, MPI_COMM_NULL, NULL, &solution, fresh()), APSP_USAGE);
    assert_non_null(strstr(error.text, "MPI_COMM_NULL"));
    assert_null(solution);
}

static void rows_come_to_all_who_want_them(void **state)
{
    const uint32_t list[] = {49, 3, 3, 0, 20};
    struct apsp_solution *solution = solve();
    int64_t all[N][N], some[5][N];
    (void)state;
    GIVES(apsp_rows(solution, NULL, 0, all, 0, fresh()), APSP_OK);
    assert_memory_equal(all, sample.right, sizeof all);
    memset(all, 0, sizeof all);
    if (ranks > 1) { /* the last rank alone */
        GIVES(apsp_rows(solution, NULL, 0, rank == ranks - 1 ? all : NULL, 0, fresh()), APSP_OK);
        assert_int_equal(memcmp(all, sample.right, sizeof all) == 0, rank == ranks - 1);
    }
    GIVES(apsp_rows(solution, list, 5, some, 0, fresh()), APSP_OK);
    for (size_t k = 0; k < 5; k++)
        assert_memory_equal(some[k], sample.right + (size_t)list[k] * N, sizeof some[k]);
    /* What is wrong on one rank, all are told. */
    GIVES(apsp_rows(solution, list, 5, some, rank == 0 ? 1 : 0, fresh()), APSP_USAGE);
    apsp_solution_free(solution);
}

/* Entries between two lists, in which vertices may stand twice. */
static void check_table(struct apsp_solution *solution, const struct apsp_list *from,
                        const struct apsp_list *to)
{
    int64_t table[N][N + 2];
    size_t rows = from->vertex ? from->count : N, columns = to->vertex ? to->count : N;
    GIVES(apsp_table(solution, from, to, table, N + 2, fresh()), APSP_OK);
    for (size_t k = 0; k < rows; k++)
        for (size_t j = 0; j < columns; j++) {
            size_t i = from->vertex ? from->vertex[k] : k, v = to->vertex ? to->vertex[j] : j;
            assert_int_equal(table[k][j], sample.right[i * N + v]);
        }
}

static void tables_between_lists(void **state)
{
    const uint32_t list[] = {49, 3, 3, 0, 20}, wrong[] = {1, N};
    const struct apsp_list some = {list, 5}, all = {NULL, 0}, none = {list, 0}, bad = {wrong, 2};
    (void)state;
    for (int way = 0; way < 2; way++) {
        struct apsp_solution *solution = solve_by(way ? "sparse" : "dense");
        int64_t table[N * N];
        check_table(solution, &some, &some);
        check_table(solution, &all, &some);
        check_table(solution, &some, &all);
        check_table(solution, &all, &all);
        GIVES(apsp_table(solution, NULL, NULL, table, 0, fresh()), APSP_OK);
        assert_memory_equal(table, sample.right, sizeof table);
        GIVES(apsp_table(solution, &none, &some, NULL, 0, fresh()), APSP_OK);
        GIVES(apsp_table(solution, &some, &none, table, 0, fresh()), APSP_OK);
        GIVES(apsp_table(solution, &some, rank == 0 ? &bad : &some, table, N, fresh()), APSP_USAGE);
        assert_non_null(strstr(error.text, "to[1]: vertex 50"));
        GIVES(apsp_table(solution, rank == 0 ? &bad : &some, &some, table, N, fresh()), APSP_USAGE);
        assert_non_null(strstr(error.text, "from[1]: vertex 50"));
        GIVES(apsp_table(solution, &some, &some, table, rank == 0 ? 4 : 0, fresh()), APSP_USAGE);
        GIVES(apsp_table(NULL, &some, &some, table, 0, fresh()), APSP_USAGE);
        apsp_solution_free(solution);
    }
}

static bool comes_before(const int64_t *row, size_t a, size_t b)
{
    return row[a] < row[b] || (row[a] == row[b] && a < b);
}

/* Whether the vertex is among the nearest of the list: fewer than so many come before it. */
static bool is_wanted(const struct apsp_pairs_request *request, size_t from, size_t to)
{
    const int64_t *row = sample.right + from * N;
    size_t before = 0, count = request->to.vertex ? request->to.count : N;
    for (size_t j = 0; j < count; j++) {
        size_t v = request->to.vertex ? request->to.vertex[j] : j;
        before += (request->to.vertex || v != from) && comes_before(row, v, to);
    }
    return row[to] != INF_I64 && (request->to.vertex || from != to) &&
           (!request->bounded || (double)row[to] <= request->within) &&
           (!request->nearest || before < request->nearest);
}

static void check_pairs(struct apsp_solution *solution, const struct apsp_pairs_request *request)
{
    struct apsp_pairs pairs;
    size_t wanted = 0, rows = request->from.vertex ? request->from.count : N;
    size_t columns = request->to.vertex ? request->to.count : N;
    GIVES(apsp_find_pairs(solution, request, &pairs, fresh()), APSP_OK);
    for (size_t k = 0; k < rows; k++)
        for (size_t j = 0; j < columns; j++)
            wanted += is_wanted(request, request->from.vertex ? request->from.vertex[k] : k,
                                request->to.vertex ? request->to.vertex[j] : j);
    assert_int_equal(pairs.count, wanted);
    for (size_t k = 0; k < pairs.count; k++) {
        const struct apsp_pair *pair = &pairs.pair[k];
        const int64_t *row = sample.right + pair->from * (size_t)N;
        assert_true(is_wanted(request, pair->from, pair->to) && pair->whole == row[pair->to] &&
                    (int64_t)pair->real == pair->whole);
        if (request->nearest && k > 0 && pair[-1].from == pair->from)
            assert_true(comes_before(row, pair[-1].to, pair->to));
    }
    apsp_pairs_free(&pairs);
    assert_true(!pairs.pair && !pairs.count);
}

static void pairs_that_are_wanted(void **state)
{
    const uint32_t list[] = {49, 3, 0, 20}, twice[] = {3, 4, 3};
    const struct apsp_list some = {list, 4}, none = {list, 0};
    (void)state;
    for (int k = 0; k < 32; k++) {
        struct apsp_solution *solution = solve_by(k & 1 ? "sparse" : "dense");
        struct apsp_pairs_request request = {.nearest = k & 2 ? 3 : 0,
                                             .bounded = k & 4,
                                             .within = k & 8 ? 120.5 : -1,
                                             .from = {NULL, 0}};
        struct apsp_pairs pairs;
        if (k & 8)
            request.from = some;
        if (k & 16)
            request.to = some;
        check_pairs(solution, &request);
        request.to = none;
        GIVES(apsp_find_pairs(solution, &request, &pairs, fresh()), APSP_OK);
        assert_int_equal(pairs.count, 0);
        request.to = (struct apsp_list){twice, rank == 0 ? 3 : 2};
        GIVES(apsp_find_pairs(solution, &request, &pairs, fresh()), APSP_USAGE);
        assert_non_null(strstr(error.text, "to[2]: vertex 3 is listed twice"));
        request.to = some;
        request.bounded = 1;
        request.within = rank == 0 ? NAN : 0;
        GIVES(apsp_find_pairs(solution, &request, &pairs, fresh()), APSP_USAGE);
        GIVES(apsp_find_pairs(solution, rank == 0 ? NULL : &request, &pairs, fresh()), APSP_USAGE);
        apsp_solution_free(solution);
    }
}

struct seen {
    size_t rows, stop;
    bool right;
};

static int see(void *user, const struct apsp_block *block)
{
    struct seen *seen = user;
    const int64_t *values = block->values;
    for (size_t k = 0; k < block->count; k++) {
        size_t row = block->source ? block->source[k] : block->first + k;
        seen->right &=
            memcmp(values + k * block->stride, sample.right + row * N, N * sizeof *values) == 0;
    }
    seen->rows += block->count;
    return seen->rows >= seen->stop;
}

static void each_rank_gets_its_own_blocks(void **state)
{
    struct apsp_solution *solution = solve();
    struct seen seen = {0, SIZE_MAX, true};
    (void)state;
    GIVES(apsp_blocks(solution, see, &seen, 0, fresh()), APSP_OK);
    assert_int_equal(seen.rows, apsp_solution_facts(solution)->rows);
    assert_true(seen.right);
    unsigned long mine = seen.rows, all;
    MPI_Allreduce(&mine, &all, 1, MPI_UNSIGNED_LONG, MPI_SUM, MPI_COMM_WORLD);
    assert_int_equal(all, N);
    seen = (struct seen){0, rank == ranks - 1 ? 1 : SIZE_MAX, true};
    GIVES(apsp_blocks(solution, see, &seen, 0, fresh()), APSP_CANCELLED);
    apsp_solution_free(solution);
}

static void distances_and_paths(void **state)
{
    struct apsp_solution *solution = solve();
    struct apsp_distance distance;
    struct apsp_path path;
    (void)state;
    for (size_t i = 0; i < N; i += 12)
        for (size_t j = 0; j < N; j += 5) {
            int64_t right = sample.right[i * N + j];
            GIVES(apsp_find_distance(solution, i, j, &distance, fresh()), APSP_OK);
            assert_true(distance.reachable ? distance.whole == right : right == INF_I64);
            GIVES(apsp_find_path(solution, i, j, &path, fresh()), APSP_OK);
            assert_int_equal(path.length > 0, distance.reachable);
            apsp_path_free(&path);
        }
    GIVES(apsp_find_path(solution, 0, rank == 0 ? N : 1, &path, fresh()), APSP_USAGE);
    GIVES(apsp_find_distance(solution, 0, 1, rank == 0 ? NULL : &distance, fresh()), APSP_USAGE);
    GIVES(apsp_find_path(solution, 0, 1, rank == 0 ? NULL : &path, fresh()), APSP_USAGE);
    apsp_solution_free(solution);
}

/* A chain: i (N - 1 - i) pairs have vertex i between them. Rank 0 wants no values if there are
 * others. */
static void betweenness_on_all_ranks(void **state)
{
    static int32_t from[N - 1], to[N - 1];
    const struct apsp_edges edges = {N, N - 1, {from, APSP_I32}, {to, APSP_I32}, {NULL, APSP_AUTO}};
    struct apsp_graph *chain;
    struct apsp_solution *solution;
    double values[N];
    const bool mute = rank == 0 && ranks > 1;
    (void)state;
    for (int32_t i = 0; i < N - 1; i++) {
        from[i] = i;
        to[i] = i + 1;
    }
    GIVES(apsp_graph_edges(&chain, &edges, fresh()), APSP_OK);
    GIVES(apsp_solve_mpi(chain, MPI_COMM_WORLD, NULL, &solution, fresh()), APSP_OK);
    GIVES(apsp_betweenness(solution, NULL, 0, 0, mute ? NULL : values, fresh()), APSP_OK);
    for (int i = 0; i < N && !mute; i++)
        assert_true(values[i] == i * (N - 1 - i));
    GIVES(apsp_betweenness(solution, NULL, 0, rank == 0 ? 1U << 20 : 0, values, fresh()),
          APSP_USAGE);
    apsp_solution_free(solution);
    apsp_graph_free(chain);
}

static void cycles_are_known_to_all(void **state)
{
    struct sample *broken = malloc(sizeof *broken);
    struct apsp_graph *its;
    struct apsp_solution *solution;
    size_t length;
    (void)state;
    sample_make(broken, -60, 0);
    struct apsp_edges edges = sample_edges(broken);
    GIVES(apsp_graph_edges(&its, &edges, fresh()), APSP_OK);
    GIVES(apsp_solve_mpi(its, MPI_COMM_WORLD, NULL, &solution, fresh()), APSP_CYCLE);
    const uint32_t *cycle = apsp_graph_cycle(its, &length);
    assert_non_null(cycle);
    unsigned long mine = cycle[length - 1], first = mine;
    MPI_Bcast(&first, 1, MPI_UNSIGNED_LONG, 0, MPI_COMM_WORLD);
    assert_true(length > 0 && mine == first);
    apsp_graph_free(its);
    free(broken->right);
    free(broken);
}

static int stop_at(void *user, const char *step, size_t done, size_t steps)
{
    int *left = user;
    (void)step;
    (void)done;
    (void)steps;
    return --*left == 0;
}

/* The last rank alone listens, and stops everywhere. */
static void one_rank_cancels_all(void **state)
{
    struct apsp_options options;
    struct apsp_solution *solution;
    (void)state;
    for (int stop = 1; stop <= 8; stop++) {
        int left = stop;
        apsp_options_init(&options);
        options.device = APSP_DEVICE_CPU;
        options.threads = 1;
        options.tile = 8;
        options.transport = stop % 2 ? "mpi" : "host";
        options.progress = rank == ranks - 1 ? stop_at : NULL;
        options.progress_user = &left;
        GIVES(apsp_solve_mpi(graph, MPI_COMM_WORLD, &options, &solution, fresh()), APSP_CANCELLED);
        assert_null(solution);
    }
    options.size = rank == 0 ? 0 : sizeof options;
    GIVES(apsp_solve_mpi(graph, MPI_COMM_WORLD, &options, &solution, fresh()), APSP_USAGE);
    GIVES(apsp_solve_mpi(rank == 0 ? NULL : graph, MPI_COMM_WORLD, NULL, &solution, fresh()),
          APSP_USAGE);
    apsp_solution_free(solve());
}

/* No rank listens, so that the others go on. A round that one has left is no error of the memory.
 */
static void a_cancel_in_the_middle_of_rounds(void **state)
{
    (void)state;
    for (int look = 1; look <= 120; look++) {
        struct apsp_options options;
        struct apsp_solution *solution;
        apsp_options_init(&options);
        options.device = APSP_DEVICE_CPU;
        options.method = "dense";
        options.threads = 1;
        options.tile = 8;
        options.paranoid = 1;
        looks = rank == ranks - 1 ? look : 0;
        int status = apsp_solve_mpi(graph, MPI_COMM_WORLD, &options, &solution, fresh());
        looks = 0;
        if (status != APSP_OK)
            assert_int_equal(status, APSP_CANCELLED);
        apsp_solution_free(solution);
    }
}

static void different_graphs_are_refused(void **state)
{
    struct apsp_edges edges = sample_edges(&sample);
    struct apsp_graph *own;
    struct apsp_solution *solution;
    (void)state;
    edges.edges -= rank == ranks - 1;
    GIVES(apsp_graph_edges(&own, &edges, fresh()), APSP_OK);
    GIVES(apsp_solve_mpi(own, MPI_COMM_WORLD, NULL, &solution, fresh()),
          ranks > 1 ? APSP_INPUT : APSP_OK);
    apsp_solution_free(solution);
    apsp_graph_free(own);
    /* As many bytes, and of another kind. */
    edges = sample_edges(&sample);
    if (rank == ranks - 1)
        edges.weight = (struct apsp_array){sample.weightf, APSP_F32};
    GIVES(apsp_graph_edges(&own, &edges, fresh()), APSP_OK);
    GIVES(apsp_solve_mpi(own, MPI_COMM_WORLD, NULL, &solution, fresh()),
          ranks > 1 ? APSP_INPUT : APSP_OK);
    assert_true(ranks == 1 || (strstr(error.text, "floating-point weights") &&
                               strstr(error.text, "integer weights")));
    apsp_solution_free(solution);
    apsp_graph_free(own);
}

int main(int argc, char **argv)
{
    int provided, ended;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    sample_make(&sample, 0, 30);
    struct apsp_edges edges = sample_edges(&sample);
    if (apsp_graph_edges(&graph, &edges, fresh()))
        return fprintf(stderr, "%s\n", error.text), 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_hear_of_a_rank_without_mpi),
        cmocka_unit_test(no_communicator_is_refused),
        cmocka_unit_test(rows_come_to_all_who_want_them),
        cmocka_unit_test(tables_between_lists),
        cmocka_unit_test(pairs_that_are_wanted),
        cmocka_unit_test(each_rank_gets_its_own_blocks),
        cmocka_unit_test(distances_and_paths),
        cmocka_unit_test(betweenness_on_all_ranks),
        cmocka_unit_test(cycles_are_known_to_all),
        cmocka_unit_test(one_rank_cancels_all),
        cmocka_unit_test(a_cancel_in_the_middle_of_rounds),
        cmocka_unit_test(different_graphs_are_refused),
    };
    int failed = cmocka_run_group_tests_name("over", tests, NULL, NULL);
    apsp_graph_free(graph);
    free(sample.right);
    MPI_Finalized(&ended);
    if (ended)
        return 1;
    MPI_Finalize();
    return failed;
}
