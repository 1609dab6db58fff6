/*
 * How often a run reads its graph: the edges are kept, and one CSR serves all who want edges. Bytes
 * are counted where they are read: mpirun --oversubscribe -n RANKS build/tests/run/test_reads
 */
#include "unit.h"

#include "base/random.h"
#include "run/run.h"
#include "solve/estimate.h"

#include "shared_folder.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { N = 600, ENTRIES = 250000, BUFFER = 1 << 20 };

static struct comm *comm;
static struct stat graph_file;
static size_t bytes_read;

ssize_t pread(int fd, void *data, size_t bytes, off_t offset)
{
    struct stat file;
    ssize_t got = (ssize_t)syscall(SYS_pread64, fd, data, bytes, offset);
    if (got > 0 && fstat(fd, &file) == 0 && file.st_ino == graph_file.st_ino &&
        file.st_dev == graph_file.st_dev)
        __atomic_fetch_add(&bytes_read, (size_t)got, __ATOMIC_RELAXED);
    return got;
}

/* Entries point upwards in the order of the vertices, so that negative ones close no cycle unless
 * they are reversed. */
static void write_graph(const char *path, const char *symmetry, int least)
{
    uint64_t state = 7;
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "%%%%MatrixMarket matrix coordinate integer %s\n%d %d %d\n", symmetry, N, N,
            ENTRIES);
    for (int e = 0; e < ENTRIES; e++) {
        uint32_t u = random_below(&state, N - 1) + 2, v = random_below(&state, u - 1) + 1;
        fprintf(file, "%u %u %d\n", u, v, least + (int)random_below(&state, 100));
    }
    assert_int_equal(fclose(file), 0);
}

/* Runs it; returns how often the file was read, in all, beside what each rank reads to find
 * the head and, at most, beyond the end of its part. A second pass would come to more than 1.5. */
static double passes(const char *symmetry, int least, int wanted)
{
    static int (*const steps[])(struct run *) = {run_load, run_solve, run_rows, run_commit};
    char graph[200], distances[200], trees[200];
    struct apsp_error error = {0};
    struct run *run = NULL;
    snprintf(graph, sizeof graph, "%s/graph.mtx", folder);
    snprintf(distances, sizeof distances, "%s/out.npy", folder);
    snprintf(trees, sizeof trees, "%s/trees.npy", folder);
    if (comm->rank == 0)
        write_graph(graph, symmetry, least);
    comm_barrier(comm);
    assert_int_equal(stat(graph, &graph_file), 0);
    bytes_read = 0;
    const struct run_options options = {.graph = graph,
                                        .results.distances = distances,
                                        .results.predecessors = trees,
                                        .results.verify = APSP_VERIFY_ALL,
                                        .request.device = APSP_DEVICE_CPU,
                                        .results.force = true,
                                        .quiet = true};
    int status = run_make(&run, &options, &error);
    for (size_t k = 0; !status && k < sizeof steps / sizeof *steps; k++)
        status = steps[k](run);
    run_free(run);
    assert_int_equal(status, wanted);
    size_t all = comm_sum(comm, bytes_read), ends = 2 * (size_t)comm->ranks * BUFFER;
    comm_barrier(comm);
    if (comm->rank == 0) {
        unlink(graph);
        unlink(distances);
        unlink(trees);
    }
    return ((double)all - (double)ends) / (double)graph_file.st_size;
}

static void graphs_are_parsed_once(void **state)
{
    (void)state;
    assert_true(passes("symmetric", 1, APSP_OK) <= 1.1);
    assert_true(passes("general", -50, APSP_OK) <= 1.1);
    assert_true(passes("symmetric", -50, APSP_CYCLE) <= 1.1); /* there and back is a cycle */
}

static bool keeps = true;

size_t __real_estimate_room(const struct solver *solver);
size_t __wrap_estimate_room(const struct solver *solver);

size_t __wrap_estimate_room(const struct solver *solver)
{
    return keeps ? __real_estimate_room(solver) : 0;
}

/* The edges are not kept, and the file, of the same size and time, has changed when they are
 * loaded. */
static void changes_before_the_load_are_noticed(void **state)
{
    char graph[200];
    struct apsp_error error = {0};
    struct run *run = NULL;
    (void)state;
    snprintf(graph, sizeof graph, "%s/graph.mtx", folder);
    if (comm->rank == 0)
        write_graph(graph, "symmetric", 1);
    comm_barrier(comm);
    const struct run_options options = {.graph = graph,
                                        .request.device = APSP_DEVICE_CPU,
                                        .request.method = "dense",
                                        .quiet = true};
    keeps = false;
    assert_int_equal(run_make(&run, &options, &error), APSP_OK);
    keeps = true;
    comm_barrier(comm);
    if (comm->rank == 0) {
        struct stat status;
        assert_int_equal(stat(graph, &status), 0);
        FILE *file = fopen(graph, "r+");
        assert_int_equal(fseek(file, status.st_size - 2, SEEK_SET), 0);
        int digit = fgetc(file);
        assert_int_equal(fseek(file, status.st_size - 2, SEEK_SET), 0);
        fputc(digit == '1' ? '2' : '1', file);
        assert_int_equal(fclose(file), 0);
        assert_int_equal(
            utimensat(AT_FDCWD, graph, (struct timespec[]){status.st_atim, status.st_mtim}, 0), 0);
    }
    comm_barrier(comm);
    assert_int_equal(run_load(run), APSP_IO);
    assert_non_null(strstr(run->solver->error.text, "changed while it was read"));
    run_free(run);
    comm_barrier(comm);
    if (comm->rank == 0)
        unlink(graph);
}

int main(void)
{
    struct apsp_error error = {0};
    if (comm_init(&comm, 0, &error)) {
        fprintf(stderr, "%s\n", error.text);
        return error.code;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(graphs_are_parsed_once),
                                       cmocka_unit_test(changes_before_the_load_are_noticed)};
    make_shared_folder(comm, "reads");
    int failed = cmocka_run_group_tests_name("reads", tests, NULL, NULL);
    remove_shared_folder(comm);
    comm_free(comm);
    comm_finish();
    return failed != 0;
}
