/*
 * bench-write N DIRECTORY PAIRS: writes an N x N matrix that lies in memory, as the CPU backend's strip does,
 * through output.c, and has dd copy the same bytes with conv=fsync into the same directory, alternating;
 * prints the seconds and ratios of all pairs and their median. One process does all, since fresh memory costs
 * more than writing where a virtual machine gives free pages back to its host. Ours is timed from output_open
 * to output_commit, dd from its start to its end.
 */
#include "base/clock.h"
#include "base/mem.h"
#include "rows/output.h"

#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

enum { PAIRS_MAX = 101 };

/* A backend with nothing but a strip, its rows padded. */
static int32_t *strip;
static size_t strip_stride;

static const void *strip_fetch(struct backend *backend, int lane, struct range rows, void *buffer,
                               size_t *stride)
{
    (void)lane;
    (void)buffer;
    *stride = strip_stride;
    return strip + (rows.lo - backend->plan.rows.lo) * strip_stride;
}

static bool copies_nothing(const struct backend_plan *plan)
{
    (void)plan;
    return false;
}

static const struct backend_ops strip_ops = {
    .name = "strip", .fetch = strip_fetch, .fetch_copies = copies_nothing};

/* Not all alike, so that no file system can fold it. */
static int fill_strip(struct range rows, size_t n, size_t *bytes, struct apsp_error *error)
{
    strip_stride = (n + 15) / 16 * 16 + 16;
    mem_mul(bytes, range_length(rows) * strip_stride, sizeof *strip);
    strip = mem_alloc(*bytes);
    if (!strip)
        return error_set(error, APSP_MEMORY, "no memory for a strip of %zu bytes", *bytes);
    for (size_t i = 0; i < range_length(rows) * strip_stride; i++)
        strip[i] = (int32_t)(i * 2654435761U >> 2);
    return APSP_OK;
}

static double write_ours(struct comm *comm, size_t n, const char *path, struct apsp_error *error)
{
    struct backend backend = {.ops = &strip_ops,
                              .plan = {.n = n, .rows = strip_rows(n, comm->ranks, comm->rank)}};
    struct output *output = NULL;
    if (comm->rank == 0)
        unlink(path);
    comm_barrier(comm);
    double start = clock_seconds();
    if (output_open(&output, comm, path, NULL, n, DTYPE_I32, true, error) == APSP_OK) {
        output_write(output, &backend, error);
        output_commit(output, error);
    }
    double seconds = clock_seconds() - start;
    output_free(output);
    return seconds;
}

static double write_dd(const char *from, const char *to, struct apsp_error *error)
{
    char command[2 * PATH_MAX + 100];
    unlink(to);
    snprintf(command, sizeof command, "exec dd if='%s' of='%s' bs=16M conv=fsync status=none", from, to);
    double start = clock_seconds();
    if (system(command) != 0)
        error_set(error, APSP_IO, "dd to %s failed", to);
    return clock_seconds() - start;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int run_pairs(struct comm *comm, size_t n, const char *directory, int pairs, struct apsp_error *error)
{
    char from[PATH_MAX], to[PATH_MAX];
    double ratios[PAIRS_MAX];
    snprintf(from, sizeof from, "%s/from", directory);
    snprintf(to, sizeof to, "%s/to", directory);
    write_ours(comm, n, from, error); /* what dd will copy */
    if (comm->rank == 0)
        printf("# %zu bytes, %d rank(s), seconds until they are on disk\n#  apsp        dd     ratio\n",
               4 * n * n, comm->ranks);
    for (int i = -1; i < pairs && !error->code; i++) {
        double ours = write_ours(comm, n, to, error), dd = 0;
        if (comm->rank == 0 && !error->code)
            dd = write_dd(from, to, error);
        if (comm_agree(comm, error) || comm->rank != 0 || i < 0) /* the first pair warms up */
            continue;
        ratios[i] = ours / dd;
        printf("%7.3f  %8.3f  %8.2f\n", ours, dd, ratios[i]);
        fflush(stdout);
    }
    if (comm->rank == 0 && !error->code) {
        qsort(ratios, (size_t)pairs, sizeof *ratios, ascending);
        printf("# median ratio %.2f\n", ratios[pairs / 2]);
    }
    return error->code;
}

int main(int argc, char **argv)
{
    struct apsp_error error = {0};
    struct comm *comm = NULL;
    size_t n = argc == 4 ? strtoul(argv[1], NULL, 10) : 0, bytes = 0;
    int pairs = argc == 4 ? atoi(argv[3]) : 0;
    if (n == 0 || pairs < 1 || pairs > PAIRS_MAX)
        return fprintf(stderr, "usage: bench-write N DIRECTORY PAIRS\n"), APSP_USAGE;
    if (comm_init(&comm, 0, &error) == APSP_OK) {
        fill_strip(strip_rows(n, comm->ranks, comm->rank), n, &bytes, &error);
        if (comm_agree(comm, &error) == APSP_OK)
            run_pairs(comm, n, argv[2], pairs, &error);
        mem_free(strip);
    }
    if (error.code)
        fprintf(stderr, "bench-write: %s\n", error.text);
    comm_free(comm);
    comm_finish();
    return error.code;
}
