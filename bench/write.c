/*
 * bench-write N DIRECTORY PAIRS: writes an N x N matrix that lies in memory, as the CPU backend's
 * strip does, through the sink of distances, and has dd copy the same bytes with conv=fsync into
 * the same directory, alternating; prints the seconds and ratios of all pairs and their median. One
 * process does all, since fresh memory costs more than writing where a virtual machine gives free
 * pages back to its host. Ours is timed from opening to naming the file, dd from its start to its
 * end.
 */
#include "base/clock.h"
#include "base/mem.h"
#include "base/range.h"
#include "files/staged.h"
#include "rows/rows.h"

#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

enum { PAIRS_MAX = 101, CHUNK = 16 << 20 };

/* Rows in memory, padded. */
static int32_t *strip;
static size_t strip_stride;

struct making {
    size_t n, next;
    struct range rows;
};

static bool next_rows(void *self, int lane, struct block *block, struct apsp_error *error)
{
    struct making *making = self;
    size_t lo = making->next, step = CHUNK / sizeof *strip / making->n + 1;
    (void)lane;
    (void)error;
    if (lo >= making->rows.hi)
        return false;
    making->next = making->rows.hi - lo < step ? making->rows.hi : lo + step;
    *block = (struct block){.n = making->n,
                            .count = making->next - lo,
                            .first = lo,
                            .dtype = DTYPE_I32,
                            .values = strip + (lo - making->rows.lo) * strip_stride,
                            .stride = strip_stride};
    return true;
}

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
    const struct results results = {.distances = path, .force = true};
    const struct sink_task task = {.results = &results, .comm = comm, .n = n, .dtype = DTYPE_I32};
    struct making making = {
        .n = n, .rows = range_part((struct range){0, n}, (size_t)comm->rank, (size_t)comm->ranks)};
    struct rows_maker maker = {
        .self = &making, .lanes = 1, .rows = range_length(making.rows), .next = next_rows};
    struct progress progress = {0};
    struct sinks sinks;
    making.next = making.rows.lo;
    if (comm->rank == 0)
        unlink(path);
    comm_barrier(comm);
    double start = clock_seconds();
    sinks_choose(&sinks, &task);
    if (sinks_open(&sinks, error) == APSP_OK &&
        rows_pass(&maker, &sinks, &progress, error) == APSP_OK && comm->rank == 0)
        staged_publish(sinks_file(&sinks, 0), STAGED_TARGET, error);
    comm_agree(comm, error);
    double seconds = clock_seconds() - start;
    sinks_close(&sinks);
    return seconds;
}

static double write_dd(const char *from, const char *to, struct apsp_error *error)
{
    char command[2 * PATH_MAX + 100];
    unlink(to);
    snprintf(command, sizeof command, "exec dd if='%s' of='%s' bs=16M conv=fsync status=none", from,
             to);
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

static int run_pairs(struct comm *comm, size_t n, const char *directory, int pairs,
                     struct apsp_error *error)
{
    char from[PATH_MAX], to[PATH_MAX];
    double ratios[PAIRS_MAX];
    snprintf(from, sizeof from, "%s/from", directory);
    snprintf(to, sizeof to, "%s/to", directory);
    write_ours(comm, n, from, error); /* what dd will copy */
    if (comm->rank == 0)
        printf("# %zu bytes, %d rank(s), seconds until they are on disk\n#  apsp        dd     "
               "ratio\n",
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
        fill_strip(range_part((struct range){0, n}, (size_t)comm->rank, (size_t)comm->ranks), n,
                   &bytes, &error);
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
