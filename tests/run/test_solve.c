/*
 * Whole jobs through apsp.h, from a graph file to a file of distances, many in one process group:
 * every family of graphs, several tiles, sizes around multiples of the tiles. Rank 0 compares each
 * file with Dijkstra's distances; all rows are certified too. Start it with any number of ranks,
 * also more than there are rows: mpirun --oversubscribe -n RANKS build/tests/run/test_solve [FAMILY
 * N TILE SUFFIX]
 */
#include "ranks.h"
#include "unit.h"

#include "base/dtype.h"
#include "comm/comm.h"
#include "graph/generate.h"
#include "reference.h"
#include "run/run.h"
#include "shared_folder.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

struct list {
    size_t count, room;
    struct edge *edges;
};

static _Thread_local struct comm *comm;
static _Thread_local size_t jobs, failures; /* on rank 0 */

static void list_add(struct list *list, size_t from, size_t to, int64_t weight)
{
    if (list->count == list->room) {
        list->room = list->room ? 2 * list->room : 64;
        list->edges = realloc(list->edges, list->room * sizeof *list->edges);
        assert_non_null(list->edges);
    }
    list->edges[list->count++] = (struct edge){(uint32_t)from, (uint32_t)to, {weight}};
}

/* Families of this test's own, for what the generator never makes. */

static void no_edges(struct list *list, size_t n)
{
    (void)list;
    (void)n;
}

/* Three edges for every pair of neighbours, the lightest in the middle, and loops. */
static void parallel_edges(struct list *list, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        size_t to = (i * 7 + 3) % n;
        list_add(list, i, to, 9 + (int64_t)(i % 5));
        list_add(list, i, i, (int64_t)(i % 3));
        list_add(list, i, to, 1 + (int64_t)(i % 4));
        list_add(list, i, to, 20);
    }
    for (size_t i = n; i-- > 0;)
        list_add(list, i, (i + 1) % n, 5);
}

/* A path from the last vertex to the first of the heaviest weights allowed: distances come as near
 * to infinity as they can. */
static void heaviest_path(struct list *list, size_t n)
{
    for (size_t i = 1; i < n; i++)
        list_add(list, i, i - 1, (INF_I32 - 1) / (int64_t)(n - 1));
}

/* Weights 0 and 1 only, with many cycles of weight 0. */
static void zero_cycles(struct list *list, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        list_add(list, i, (i + 1) % n, i % 8 == 7);
        list_add(list, (i + 1) % n, i, 0);
        list_add(list, i, (i * i + 1) % n, 1);
    }
}

static const struct {
    const char *name;
    void (*make)(struct list *list, size_t n);
} special[] = {{"none", no_edges},
               {"parallel", parallel_edges},
               {"heaviest", heaviest_path},
               {"zero-cycles", zero_cycles}};

/* A run, and what it must give. */
struct trial {
    const char *family, *suffix;
    size_t n, tile;
    int32_t *right; /* on rank 0 */
    char graph[96], distances[96];
};

static bool speaks(void)
{
    return comm->rank == 0;
}

static void write_text(FILE *file, const struct list *list, size_t n)
{
    fprintf(file, "c made by test_solve\np sp %zu %zu\n", n, list->count);
    for (size_t e = 0; e < list->count; e++) {
        const struct edge *edge = &list->edges[e];
        fprintf(file, "a %lu %lu %lld\n", edge->from + 1UL, edge->to + 1UL,
                (long long)edge->weight.whole);
    }
}

static void write_binary(FILE *file, const struct list *list, size_t n)
{
    int32_t header[] = {(int32_t)n, (int32_t)list->count};
    fwrite(header, sizeof header, 1, file);
    for (size_t e = 0; e < list->count; e++) {
        const struct edge *edge = &list->edges[e];
        int32_t triple[] = {(int32_t)edge->from, (int32_t)edge->to, (int32_t)edge->weight.whole};
        fwrite(triple, sizeof triple, 1, file);
    }
}

static void write_graph(const char *path, const char *suffix, const struct list *list, size_t n)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    (strcmp(suffix, ".gr") == 0 ? write_text : write_binary)(file, list, n);
    assert_int_equal(fclose(file), 0);
}

/* Steps as in the command; frees the run. */
static int run_job(const struct run_options *options, struct apsp_error *error)
{
    static int (*const steps[])(struct run *) = {run_load, run_solve, run_rows, run_commit};
    struct run *run = NULL;
    int status = run_make(&run, options, error);
    for (size_t step = 0; !status && step < COUNT(steps); step++)
        status = steps[step](run);
    if (run)
        *error = run->solver->error;
    run_free(run);
    return status;
}

static void complain(const struct trial *trial, const char *what)
{
    failures++;
    fprintf(stderr, "mpirun --oversubscribe -n %d build/tests/run/test_solve %s %zu %zu %s: %s\n",
            comm->ranks, trial->family, trial->n, trial->tile, trial->suffix, what);
}

/* Compares the file of distances and removes it. */
static void compare(const struct trial *trial)
{
    size_t entries = trial->n * trial->n, got = 0;
    int32_t *found = malloc((entries + 1) * sizeof *found);
    FILE *file = fopen(trial->distances, "rb");
    char what[120];
    assert_non_null(found);
    if (file) {
        got = fread(found, sizeof *found, entries + 1, file);
        fclose(file);
    }
    if (got != entries) {
        snprintf(what, sizeof what, "%zu distances instead of %zu", got, entries);
        complain(trial, what);
    } else if (memcmp(found, trial->right, entries * sizeof *found) != 0) {
        size_t at = 0;
        while (found[at] == trial->right[at])
            at++;
        snprintf(what, sizeof what, "D[%zu][%zu] is %d, by Dijkstra %d", at / trial->n,
                 at % trial->n, found[at], trial->right[at]);
        complain(trial, what);
    }
    free(found);
    unlink(trial->distances);
}

static void run_trial(const struct trial *trial)
{
    struct run_options options = {.graph = trial->graph,
                                  .results.distances = trial->distances,
                                  .request.tile = trial->tile,
                                  .request.threads = comm->ranks == 1 ? 2 : 1,
                                  .results.verify = APSP_VERIFY_ALL,
                                  .quiet = true};
    struct apsp_error error = {0};
    int status = run_job(&options, &error);
    size_t sum = comm_sum(comm, (size_t)status);
    if (!speaks())
        return;
    jobs++;
    if (status)
        complain(trial, error.text);
    else if (sum)
        complain(trial, "another rank failed");
    else
        compare(trial);
}

/* A graph of the generator: sparse enough for unreachable vertices, with weights that make ties. */
static void generated(struct list *list, const char *family, size_t n)
{
    struct generate_plan plan = {
        .family = family, .n = n, .m = GENERATE_BY_DEGREE, .seed = n, .high = 30};
    struct generator *generator;
    struct apsp_error error = {0};
    struct edge edge;
    if (generate_open(&generator, &plan, &error))
        fail_msg("%s", error.text);
    while (generate_next(generator, &edge, 1))
        list_add(list, edge.from, edge.to, edge.weight.whole);
    generate_free(generator);
}

/* The edges of a family, on rank 0. */
static void make_graph(struct list *list, const char *family, size_t n)
{
    list->count = 0;
    for (size_t s = 0; s < COUNT(special); s++) {
        if (strcmp(special[s].name, family) == 0) {
            special[s].make(list, n);
            return;
        }
    }
    generated(list, family, n);
}

/* One graph, with several tiles: 0 is the default. */
static void run_graph(const char *family, size_t n, const size_t *tiles, size_t count,
                      const char *const *suffixes)
{
    struct trial trial = {.family = family, .n = n};
    struct list list = {0};
    if (speaks()) {
        make_graph(&list, family, n);
        trial.right = reference_dijkstra(n, list.edges, list.count);
        assert_non_null(trial.right);
    }
    snprintf(trial.distances, sizeof trial.distances, "%s/distances", folder);
    for (size_t t = 0; t < count; t++) {
        trial.tile = tiles[t];
        trial.suffix = suffixes[t % 2];
        snprintf(trial.graph, sizeof trial.graph, "%s/graph%s", folder, trial.suffix);
        if (speaks() && t < 2)
            write_graph(trial.graph, trial.suffix, &list, n);
        comm_barrier(comm);
        run_trial(&trial);
        if (speaks() && t + 2 >= count)
            unlink(trial.graph);
    }
    free(trial.right);
    free(list.edges);
}

/* After the last collective call of a test; rank 0 knows of all failures. */
static void end_test(void)
{
    size_t count = failures;
    failures = 0;
    assert_int_equal(count, 0);
}

static const char *const suffixes[] = {".bin", ".gr"};

static void family_is_exact(void **state)
{
    static const size_t sizes[] = {1, 2, 3, 7, 15, 16, 17, 31, 33, 48, 64, 97, 101, 130};
    for (size_t s = 0; s < COUNT(sizes); s++) {
        size_t tiles[] = {0, 1, 3, 16, sizes[s] + 5};
        run_graph(*state, sizes[s], tiles, COUNT(tiles), suffixes);
    }
    end_test();
}

static void larger_graphs_are_exact(void **state)
{
    static const size_t tiles[] = {0, 64};
    (void)state;
    run_graph("random", 521, tiles, COUNT(tiles), suffixes);
    run_graph("grid", 701, tiles, COUNT(tiles), suffixes);
    run_graph("dense", 384, tiles, COUNT(tiles), suffixes);
    end_test();
}

static void only_the_graph_is_left(const struct trial *trial)
{
    if (access(trial->distances, F_OK) == 0)
        complain(trial, "the refused run left a file of distances");
    unlink(trial->distances);
    unlink(trial->graph);
    if (rmdir(folder))
        complain(trial, "the refused run left a temporary file");
    mkdir(folder, 0700);
}

/* Edges that a run must refuse, and the status on all ranks; nothing may be left. */
static void refused_jobs_leave_nothing(void **state)
{
    static const struct {
        const char *what;
        struct edge last;
        int status;
    } refused[] = {{"vertex", {2, 40, {1}}, APSP_INPUT},
                   {"cycle", {2, 2, {-1}}, APSP_CYCLE},
                   {"long cycle", {3, 2, {-1000}}, APSP_CYCLE},
                   {"negative", {2, 3, {-1}}, APSP_OK},
                   {"heavy", {2, 3, {INT32_MAX}}, APSP_OK}};
    (void)state;
    for (size_t r = 0; r < 2 * COUNT(refused); r++) {
        struct trial trial = {.family = refused[r / 2].what, .n = 40, .suffix = suffixes[r % 2]};
        struct apsp_error error = {0};
        snprintf(trial.graph, sizeof trial.graph, "%s/graph%s", folder, trial.suffix);
        snprintf(trial.distances, sizeof trial.distances, "%s/distances.npy",
                 folder); /* of any type */
        if (speaks()) {
            struct list list = {0};
            parallel_edges(&list, trial.n);
            list_add(&list, refused[r / 2].last.from, refused[r / 2].last.to,
                     refused[r / 2].last.weight.whole);
            write_graph(trial.graph, trial.suffix, &list, trial.n);
            free(list.edges);
        }
        comm_barrier(comm);
        struct run_options options = {.graph = trial.graph,
                                      .results.distances = trial.distances,
                                      .request.threads = 1,
                                      .quiet = true};
        int status = run_job(&options, &error), right = refused[r / 2].status;
        size_t wrong = comm_sum(comm, status != right);
        if (speaks() && wrong)
            complain(&trial, error.code ? error.text : "was not refused");
        if (speaks() && right == APSP_OK)
            unlink(trial.distances);
        if (speaks())
            only_the_graph_is_left(&trial);
    }
    end_test();
}

static char **words; /* of the command line; NULL: there are none */

/* Runs `FAMILY N TILE SUFFIX` alone. */
static int run_one(void)
{
    const char *const suffix[] = {words[3], words[3]};
    size_t tile = strtoul(words[2], NULL, 10);
    run_graph(words[0], strtoul(words[1], NULL, 10), &tile, 1, suffix);
    if (speaks())
        fprintf(stderr, "%zu of %zu jobs failed\n", failures, jobs);
    return failures != 0;
}

static struct CMUnitTest test_of_family(const char *name)
{
    return (struct CMUnitTest){name, family_is_exact, NULL, NULL, (void *)(uintptr_t)name};
}

static int run_all(void)
{
    enum { FAMILIES_MAX = 32 };
    struct CMUnitTest tests[FAMILIES_MAX] = {
        cmocka_unit_test(larger_graphs_are_exact),
        cmocka_unit_test(refused_jobs_leave_nothing),
    };
    size_t count = 2;
    for (size_t s = 0; s < COUNT(special); s++)
        tests[count++] = test_of_family(special[s].name);
    for (int f = 0; generate_family_name(f) && count < FAMILIES_MAX; f++)
        tests[count++] = test_of_family(generate_family_name(f));
    int failed = _cmocka_run_group_tests("solve", tests, count, NULL, NULL);
    if (speaks())
        printf("%zu jobs on %d ranks\n", jobs, comm->ranks);
    return failed != 0;
}

static int test(void)
{
    struct apsp_error error = {0};
    if (comm_init(&comm, 0, &error)) {
        fprintf(stderr, "%s\n", error.text);
        return error.code;
    }
    make_shared_folder(comm, "solve");
    int status = words ? run_one() : run_all();
    remove_shared_folder(comm);
    comm_free(comm);
    return status;
}

int main(int argc, char **argv)
{
    if (argc != 1 && argc != 5) {
        fprintf(stderr, "usage: %s [FAMILY N TILE SUFFIX]\n", argv[0]);
        return 2;
    }
    words = argc == 5 ? argv + 1 : NULL;
    return ranks_main(test);
}
