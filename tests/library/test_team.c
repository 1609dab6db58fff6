/* Ranks that are threads: every question has the same answer as of one rank, and the ranks live and
 * end with the solution. */
#include "gives.h"
#include "graph_of.h"
#include "wrap_stop.h"
#include "wrap_threads.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static struct sample sample;
static struct apsp_graph *graph;
static struct apsp_options options_of(const char *method, int ranks)
{
    struct apsp_options options;
    apsp_options_init(&options);
    options.device = APSP_DEVICE_CPU;
    options.threads = 1;
    options.ranks = ranks;
    options.method = method;
    options.tile = method && strcmp(method, "dense") == 0 ? 8 : 0;
    options.output = APSP_I64;
    return options;
}

static struct apsp_solution *solve(const char *method, int ranks)
{
    const struct apsp_options options = options_of(method, ranks);
    struct apsp_solution *solution;
    GIVES(apsp_solve(graph, &options, &solution, fresh()), APSP_OK);
    const struct apsp_facts *facts = apsp_solution_facts(solution);
    assert_int_equal(facts->ranks, ranks ? ranks : 1);
    assert_int_equal(facts->threads, ranks ? ranks : 1);
    assert_int_equal(facts->rows, N);
    return solution;
}

static int count_threads(void)
{
    DIR *folder = opendir("/proc/self/task");
    int count = -2; /* . and .. */
    while (readdir(folder))
        count++;
    closedir(folder);
    return count;
}

/* A thread that was joined is listed for a moment more. */
static int count_threads_soon(int wanted)
{
    for (int tries = 0; tries < 2000 && count_threads() != wanted; tries++)
        usleep(1000);
    return count_threads();
}

/* All that a solution is asked. */
struct answers {
    int64_t rows[N * N], some[5 * (N + 2)], table[5 * 5];
    int32_t trees[N * N];
    double betweenness[N], counts[5 * (N + 2)];
    struct apsp_distance distance;
    struct apsp_path path;
    struct apsp_pairs pairs;
    struct apsp_stats stats;
    struct apsp_edge_values edges;
    struct apsp_extent extent;
    int64_t eccentricity[N];
    double access[2 * N];
};

static const uint32_t list[] = {49, 3, 3, 0, 20};

static void ask_access(struct apsp_solution *solution, double *values)
{
    const double shares[] = {0.5, 0.9};
    double amount[N];
    struct apsp_access request = {.columns = 1, .amount = amount, .shares = 2, .share = shares};
    for (int v = 0; v < N; v++)
        amount[v] = v % 3;
    GIVES(apsp_find_access(solution, &request, values, fresh()), APSP_OK);
    GIVES(apsp_find_access(solution, &request, NULL, fresh()), APSP_USAGE);
}

static void ask(struct apsp_solution *solution, struct answers *answers)
{
    const struct apsp_list five = {list, 5}, distinct = {list + 2, 3};
    const struct apsp_pairs_request request = {.from = distinct, .nearest = 3};
    const struct apsp_through paths = {.from = distinct, .flags = APSP_ENDPOINTS};
    memset(answers, 0, sizeof *answers);
    GIVES(apsp_rows(solution, NULL, 0, answers->rows, 0, fresh()), APSP_OK);
    GIVES(apsp_rows(solution, list, 5, answers->some, N + 2, fresh()), APSP_OK);
    GIVES(apsp_table(solution, &five, &five, answers->table, 0, fresh()), APSP_OK);
    GIVES(apsp_predecessors(solution, NULL, -1, answers->trees, 0, fresh()), APSP_OK);
    GIVES(apsp_path_counts(solution, &five, &distinct, answers->counts, N + 2, fresh()), APSP_OK);
    GIVES(apsp_path_counts(solution, &five, &distinct, answers->counts, 2, fresh()), APSP_USAGE);
    GIVES(apsp_path_counts(solution, &five, NULL, NULL, 0, fresh()), APSP_USAGE);
    GIVES(apsp_find_distance(solution, 0, 20, &answers->distance, fresh()), APSP_OK);
    GIVES(apsp_find_path(solution, 0, 20, &answers->path, fresh()), APSP_OK);
    GIVES(apsp_find_pairs(solution, &request, &answers->pairs, fresh()), APSP_OK);
    GIVES(apsp_find_stats(solution, APSP_STATS_OUT | APSP_STATS_IN | APSP_STATS_HISTOGRAM,
                          &answers->stats, fresh()),
          APSP_OK);
    GIVES(apsp_find_extent(solution, &answers->extent, fresh()), APSP_OK);
    GIVES(apsp_eccentricities(solution, answers->eccentricity, fresh()), APSP_OK);
    ask_access(solution, answers->access);
    GIVES(apsp_paths_through(solution, &paths, answers->betweenness, &answers->edges, fresh()),
          APSP_OK);
}

static void forget(struct answers *answers)
{
    apsp_path_free(&answers->path);
    apsp_pairs_free(&answers->pairs);
    apsp_stats_free(&answers->stats);
    apsp_edge_values_free(&answers->edges);
    apsp_extent_free(&answers->extent);
}

static void check_stats(const struct apsp_stats *one, const struct apsp_stats *other)
{
    const char *name;
    assert_int_equal(one->pairs, other->pairs);
    assert_string_equal(one->sum, other->sum);
    assert_int_equal(one->bins, other->bins);
    assert_memory_equal(one->bin, other->bin, one->bins * sizeof *one->bin);
    for (size_t k = 0; (name = apsp_stats_name(one->counted, k)); k++) {
        struct apsp_array columns[2];
        GIVES(apsp_stats_column(one, name, &columns[0], fresh()), APSP_OK);
        GIVES(apsp_stats_column(other, name, &columns[1], fresh()), APSP_OK);
        assert_int_equal(columns[0].type, columns[1].type);
        assert_memory_equal(columns[0].data, columns[1].data, N * sizeof(double));
    }
}

static void check_answers(const struct answers *one, const struct answers *other)
{
    assert_memory_equal(one->rows, other->rows, sizeof one->rows);
    assert_memory_equal(one->some, other->some, sizeof one->some);
    assert_memory_equal(one->counts, other->counts, sizeof one->counts);
    assert_memory_equal(one->table, other->table, sizeof one->table);
    assert_memory_equal(one->trees, other->trees, sizeof one->trees);
    assert_memory_equal(one->betweenness, other->betweenness, sizeof one->betweenness);
    assert_true(one->distance.whole == other->distance.whole);
    assert_int_equal(one->path.length, other->path.length);
    assert_memory_equal(one->path.vertex, other->path.vertex,
                        one->path.length * sizeof *one->path.vertex);
    assert_int_equal(one->pairs.count, other->pairs.count);
    for (size_t k = 0; k < one->pairs.count; k++)
        assert_true(one->pairs.pair[k].from == other->pairs.pair[k].from &&
                    one->pairs.pair[k].to == other->pairs.pair[k].to &&
                    one->pairs.pair[k].whole == other->pairs.pair[k].whole);
    assert_int_equal(one->edges.count, other->edges.count);
    for (size_t k = 0; k < one->edges.count; k++)
        assert_true(one->edges.edge[k].value == other->edges.edge[k].value);
    assert_true(one->extent.diameter.whole == other->extent.diameter.whole &&
                one->extent.radius.whole == other->extent.radius.whole);
    assert_memory_equal(one->eccentricity, other->eccentricity, sizeof one->eccentricity);
    assert_memory_equal(one->access, other->access, sizeof one->access);
    check_stats(&one->stats, &other->stats);
}

static void answers_are_those_of_one_rank(void **state)
{
    static const char *const methods[] = {"dense", "sparse", "sssp"};
    static struct answers one, many;
    (void)state;
    for (int m = 0; m < 3; m++) {
        struct apsp_solution *solution = solve(methods[m], 0);
        ask(solution, &one);
        apsp_solution_free(solution);
        assert_memory_equal(one.rows, sample.right, sizeof one.rows);
        for (int ranks = 1; ranks <= 4; ranks++) {
            solution = solve(methods[m], ranks);
            for (int again = 0; again < 2; again++) {
                ask(solution, &many);
                check_answers(&one, &many);
                forget(&many);
            }
            apsp_solution_free(solution);
        }
        forget(&one);
    }
}

struct seen {
    atomic_size_t rows, calls;
    size_t stop; /* the call that cancels */
    atomic_bool right, within[4];
    atomic_uint lanes; /* bits of those seen */
};

static int see(void *user, const struct apsp_block *block)
{
    struct seen *seen = user;
    const int64_t *values = block->values;
    if (atomic_exchange(&seen->within[block->lane], true)) /* in another call */
        seen->right = false;
    for (size_t k = 0; k < block->count; k++) {
        const size_t row = block->source ? block->source[k] : block->first + k;
        if (memcmp(values + k * block->stride, sample.right + row * N, N * sizeof *values) != 0)
            seen->right = false;
    }
    atomic_fetch_or(&seen->lanes, 1U << block->lane);
    seen->rows += block->count;
    seen->within[block->lane] = false;
    return ++seen->calls == seen->stop;
}

static void blocks_of_all_ranks(void **state)
{
    (void)state;
    for (unsigned flags = 0; flags <= APSP_PARALLEL; flags++) {
        struct apsp_solution *solution = solve("dense", 3);
        struct seen seen = {.right = true};
        GIVES(apsp_blocks(solution, see, &seen, flags, fresh()), APSP_OK);
        assert_true(seen.right && seen.rows == N);
        assert_int_equal(seen.lanes, flags ? 7 : 1);
        const size_t calls = seen.calls;
        memset(&seen, 0, sizeof seen);
        seen.stop = 1;
        GIVES(apsp_blocks(solution, see, &seen, flags, fresh()), APSP_CANCELLED);
        assert_true(flags ? seen.calls <= calls : seen.calls == 1);
        GIVES(apsp_blocks(solution, NULL, &seen, flags, fresh()), APSP_USAGE);
        GIVES(apsp_blocks(solution, see, &seen, 4, fresh()), APSP_USAGE);
        GIVES(apsp_blocks(solution, see, &seen, APSP_ON_DEVICE, fresh()), APSP_DEVICE);
        apsp_solution_free(solution);
    }
}

static void wrong_questions(void **state)
{
    struct apsp_solution *solution = solve("sparse", 2);
    int64_t row[N];
    const uint32_t none[] = {N};
    struct apsp_pairs pairs;
    (void)state;
    GIVES(apsp_rows(solution, none, 1, row, 0, fresh()), APSP_USAGE);
    GIVES(apsp_rows(solution, NULL, 0, NULL, 0, fresh()), APSP_USAGE);
    GIVES(apsp_rows(solution, list, 1, row, 3, fresh()), APSP_USAGE);
    GIVES(apsp_find_pairs(solution, NULL, &pairs, fresh()), APSP_USAGE);
    GIVES(apsp_find_path(solution, 0, N, NULL, fresh()), APSP_USAGE);
    GIVES(apsp_find_stats(solution, 1U << 30, NULL, fresh()), APSP_USAGE);
    GIVES(apsp_betweenness(solution, NULL, 0, 0, NULL, fresh()), APSP_USAGE);
    GIVES(apsp_rows(solution, list, 1, row, 0, fresh()), APSP_OK);
    apsp_solution_free(solution);
}

static void estimates_are_of_all_ranks(void **state)
{
    struct apsp_options options = options_of("dense", 0);
    struct apsp_forecast one, three;
    (void)state;
    GIVES(apsp_estimate(graph, &options, &one, fresh()), APSP_OK);
    options.ranks = 3;
    GIVES(apsp_estimate(graph, &options, &three, fresh()), APSP_OK);
    assert_true(three.fits && three.methods == one.methods && three.memory > one.memory);
}

static void refused_options(void **state)
{
    static const struct {
        enum apsp_device device;
        int ranks, gpus;
        const char *text;
    } rows[] = {{APSP_DEVICE_AUTO, 2, 2, "ranks 2 and gpus 2: give one"},
                {APSP_DEVICE_GPU, 2, 0, "use gpus"},
                {APSP_DEVICE_CPU, 0, 2, "gpus contradict"},
                {APSP_DEVICE_AUTO, -1, 0, "-1 ranks"},
                {APSP_DEVICE_AUTO, 1 << 20, 0, "0 to "}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct apsp_options options = options_of(NULL, rows[i].ranks);
        struct apsp_solution *solution = (struct apsp_solution *)1;
        options.device = rows[i].device;
        options.gpus = rows[i].gpus;
        GIVES(apsp_solve(graph, &options, &solution, fresh()), APSP_USAGE);
        assert_non_null(strstr(error.text, rows[i].text));
        assert_null(solution);
    }
}

static void threads_begin_and_end_with_the_solution(void **state)
{
    const struct apsp_options options = options_of(NULL, 4);
    struct apsp_solution *solution;
    const int before = count_threads();
    (void)state;
    for (int left = 0; left < 3; left++) {
        threads_left = left;
        GIVES(apsp_solve(graph, &options, &solution, fresh()), APSP_MEMORY);
        threads_left = -1;
        assert_non_null(strstr(error.text, "for 4 ranks"));
        assert_null(solution);
        assert_int_equal(count_threads_soon(before), before);
    }
    solution = solve(NULL, 4);
    assert_int_equal(count_threads(), before + 3);
    apsp_solution_free(solution);
    assert_int_equal(count_threads_soon(before), before);
}

static void cycles_and_updates(void **state)
{
    static struct sample broken, other;
    struct apsp_options options = options_of(NULL, 3);
    struct apsp_graph *its, *heavier;
    struct apsp_solution *solution = solve("sparse", 3);
    int64_t rows[N * N];
    size_t length;
    (void)state;
    sample_make(&broken, -60, 0);
    sample_make(&other, 5, 3);
    const struct apsp_edges edges = sample_edges(&broken), heavy = sample_edges(&other);
    GIVES(apsp_graph_edges(&its, &edges, fresh()), APSP_OK);
    GIVES(apsp_solve(its, &options, &(struct apsp_solution *){NULL}, fresh()), APSP_CYCLE);
    assert_non_null(apsp_graph_cycle(its, &length));
    assert_true(length > 0 && strstr(error.text, " -> "));
    GIVES(apsp_update(solution, its, fresh()), APSP_CYCLE);
    GIVES(apsp_update(solution, NULL, fresh()), APSP_USAGE);
    GIVES(apsp_rows(solution, NULL, 0, rows, 0, fresh()), APSP_OK);
    assert_memory_equal(rows, sample.right, sizeof rows);
    GIVES(apsp_graph_edges(&heavier, &heavy, fresh()), APSP_OK);
    GIVES(apsp_update(solution, heavier, fresh()), APSP_OK);
    GIVES(apsp_rows(solution, NULL, 0, rows, 0, fresh()), APSP_OK);
    assert_memory_equal(rows, other.right, sizeof rows);
    apsp_solution_free(solution);
    apsp_graph_free(heavier);
    apsp_graph_free(its);
    free(broken.right);
    free(other.right);
}

static pthread_t listener;

static int stop_at(void *user, const char *step, size_t done, size_t steps)
{
    int *left = user;
    (void)step;
    (void)done;
    (void)steps;
    assert_true(pthread_equal(listener, pthread_self()));
    return --*left == 0;
}

static void a_cancel_ends_all_ranks(void **state)
{
    struct apsp_solution *solution;
    (void)state;
    listener = pthread_self();
    for (int stop = 1; stop <= 8; stop++) {
        int left = stop;
        struct apsp_options options = options_of("dense", 3);
        options.progress = stop_at;
        options.progress_user = &left;
        GIVES(apsp_solve(graph, &options, &solution, fresh()), APSP_CANCELLED);
        assert_null(solution);
    }
    for (int look = 1; look <= 200; look++) {
        const struct apsp_options options = options_of(look % 2 ? "dense" : "sparse", 3);
        looks = look;
        const int status = apsp_solve(graph, &options, &solution, fresh());
        looks = 0;
        assert_true(status == APSP_OK || status == APSP_CANCELLED);
        assert_int_equal(status, error.code);
        apsp_solution_free(solution);
    }
}

static void *ask_elsewhere(void *solution)
{
    int64_t rows[N * N];
    const int status = apsp_rows(solution, NULL, 0, rows, 0, NULL);
    return (void *)(intptr_t)(status == APSP_OK && memcmp(rows, sample.right, sizeof rows) == 0);
}

static void any_thread_may_ask(void **state)
{
    (void)state;
    struct apsp_solution *solution = solve(NULL, 2);
    for (int turn = 0; turn < 3; turn++) {
        pthread_t thread;
        void *right;
        assert_int_equal(pthread_create(&thread, NULL, ask_elsewhere, solution), 0);
        pthread_join(thread, &right);
        assert_non_null(right);
    }
    apsp_solution_free(solution);
}

/* It has none of the threads. */
static void a_child_process_is_told(void **state)
{
    (void)state;
    struct apsp_solution *solution = solve("dense", 2);
    int64_t row[N];
    int status;
    const pid_t child = fork();
    if (child == 0) {
        const int code = apsp_rows(solution, list, 1, row, 0, fresh());
        apsp_solution_free(solution);
        _exit(code == APSP_PEER && strstr(error.text, "threads of process") ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    apsp_solution_free(solution);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_are_those_of_one_rank),
        cmocka_unit_test(blocks_of_all_ranks),
        cmocka_unit_test(wrong_questions),
        cmocka_unit_test(estimates_are_of_all_ranks),
        cmocka_unit_test(refused_options),
        cmocka_unit_test(threads_begin_and_end_with_the_solution),
        cmocka_unit_test(cycles_and_updates),
        cmocka_unit_test(a_cancel_ends_all_ranks),
        cmocka_unit_test(any_thread_may_ask),
        cmocka_unit_test(a_child_process_is_told),
    };
    sample_make(&sample, 1, 0);
    const struct apsp_edges edges = sample_edges(&sample);
    if (apsp_graph_edges(&graph, &edges, NULL))
        return 1;
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    apsp_graph_free(graph);
    free(sample.right);
    return failed;
}
