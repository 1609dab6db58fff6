/*
 * Nested dissection (A. George, Nested dissection of a regular finite element mesh, SIAM J. Numer.
 * Anal. 1973) with METIS (G. Karypis, V. Kumar, SIAM J. Sci. Comput. 1998). Large regions are cut
 * by vertex separators here, so that their sides can be ordered at the same time; smaller ones are
 * METIS's as a whole.
 *
 * For the first cuts of a large graph threads make a coarse one. METIS halves that again and again,
 * and smallest cuts near the borders of the halves are the separators.
 *
 * METIS changes the random numbers and the signal handlers of its process, and may end it. So it
 * runs in children of the caller, which write their part of the order to shared memory and end.
 * Which process orders a region changes nothing: METIS starts anew from the seed for each.
 *
 * What the first child says in shared memory counts, not its exit status: a caller that ignores
 * SIGCHLD, or waits for any child, leaves none. The children end with their parent, whatever ends
 * it, and leave its streams, exit handlers and signals alone.
 */
#ifdef APSP_METIS
#include "sparse/dissect.h"

#include "base/mem.h"
#include "base/stop.h"
#include "sparse/coarse.h"
#include "sparse/region.h"

#include <errno.h>
#include <fcntl.h>
#include <metis.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { WHOLE = 8000 }; /* vertices of a region that METIS orders as a whole */
enum {
    PART = 100000,  /* Parts of a coarse graph stand for so many vertices, */
    PARTS = 64,     /* and are so many at most. */
    COARSER = 64,   /* A graph is made coarse so many times, */
    COARSE = 16384, /* down to so many vertices. */
    UNEVEN = 50     /* Halves of it are so many thousandths larger than half. */
};

/* In memory of all processes. */
struct shared {
    sem_t over; /* the first child has done what it can */
    atomic_bool good;
    atomic_size_t placed; /* vertices that have their place */
    uint32_t place[];
};

struct dissect {
    int seed;
    struct shared *shared;
    struct coarse coarse; /* or none */
    int parts;            /* that it is to be cut into; 1: it is not */
};

static bool order_region(const struct dissect *dissect, struct region *region, int workers);

static void set_options(const struct dissect *dissect, idx_t *options)
{
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_SEED] = dissect->seed;
    options[METIS_OPTION_NUMBERING] = 0;
}

static void place_vertices(const struct dissect *dissect, const struct region *region,
                           const idx_t *order, idx_t first)
{
    for (idx_t i = first; i < region->n; i++)
        region->place[i] = region->name[order[i]];
    atomic_fetch_add(&dissect->shared->placed, (size_t)(region->n - first));
}

static bool order_whole(const struct dissect *dissect, struct region *region, struct split *split)
{
    idx_t *order = split->member, *inverse = split->number;
    idx_t options[METIS_NOPTIONS];
    set_options(dissect, options);
    for (idx_t i = 0; i < region->n; i++)
        order[i] = i;
    if (region->n > 2 && METIS_NodeND(&region->n, region->start, region->to, NULL, options, order,
                                      inverse) != METIS_OK)
        return false;
    place_vertices(dissect, region, order, 0);
    return true;
}

/* METIS may call exit(): handlers run from the last to the first, and this is the last. */
static void leave(void)
{
    _exit(EXIT_FAILURE);
}

/* For a new child: signals that all processes of a terminal get are for the parent, which takes its
 * children along; and METIS prints messages. */
static bool detach(pid_t parent)
{
    static const int ignored[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};
    struct sigaction now;
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    for (int i = 1; i < NSIG; i++)
        if (sigaction(i, NULL, &now) == 0 && (now.sa_handler != SIG_IGN || i == SIGCHLD))
            signal(i, SIG_DFL);
    for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++)
        signal(ignored[i], SIG_IGN);
    return nowhere >= 0 && dup2(nowhere, STDOUT_FILENO) >= 0 && dup2(nowhere, STDERR_FILENO) >= 0 &&
           atexit(leave) == 0 && prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() == parent;
}

/* Starts a process that orders the left side; -1 when there can be none. Each keeps its own side
 * alone. */
static pid_t start_worker(const struct dissect *dissect, struct region side[2], int workers)
{
    mem_trim(); /* what METIS has freed would be the child's too */
    pid_t parent = getpid(), child = fork();
    if (child >= 0)
        region_free(&side[child == 0 ? RIGHT : LEFT]);
    if (child == 0)
        _exit(detach(parent) && order_region(dissect, &side[LEFT], workers) ? EXIT_SUCCESS
                                                                            : EXIT_FAILURE);
    return child;
}

static bool wait_for_worker(pid_t child)
{
    int status;
    pid_t done;
    do
        done = waitpid(child, &status, 0);
    while (done < 0 && errno == EINTR);
    return done == child && WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS;
}

/* Both sides, at the same time with two workers or more if there can be another process. */
static bool order_sides(const struct dissect *dissect, struct region side[2], int workers)
{
    pid_t child = workers > 1 ? start_worker(dissect, side, workers / 2) : -1;
    if (child < 0)
        return order_region(dissect, &side[LEFT], 1) && order_region(dissect, &side[RIGHT], 1);
    bool good = order_region(dissect, &side[RIGHT], workers - workers / 2);
    if (!good)
        kill(child, SIGKILL);
    return wait_for_worker(child) && good;
}

static bool separate(const struct dissect *dissect, struct region *region, struct split *split)
{
    idx_t options[METIS_NOPTIONS], cut;
    set_options(dissect, options);
    return region_cut(region, split) ||
           METIS_ComputeVertexSeparator(&region->n, region->start, region->to, NULL, options, &cut,
                                        split->mark) == METIS_OK;
}

/* Takes the memory of the region and its split once the sides are made. */
static bool cut_region(const struct dissect *dissect, struct region *region, struct split *split,
                       int workers)
{
    idx_t size[3];
    struct region side[2] = {{0}, {0}};
    if (!separate(dissect, region, split))
        return false;
    region_trim(region, split, size);
    if (size[LEFT] == 0 || size[RIGHT] == 0)
        return order_whole(dissect, region, split);
    place_vertices(dissect, region, split->member, size[LEFT] + size[RIGHT]);
    bool good =
        region_part(&side[LEFT], region, split, split->member, (size_t)size[LEFT]) &&
        region_part(&side[RIGHT], region, split, split->member + size[LEFT], (size_t)size[RIGHT]);
    side[LEFT].place = region->place;
    side[RIGHT].place = region->place + size[LEFT];
    if (region->parts > 1) {
        side[LEFT].parts = side[RIGHT].parts = region->parts / 2;
        side[RIGHT].first = region->first + region->parts / 2;
    }
    region_free(region);
    split_free(split);
    good = good && order_sides(dissect, side, workers);
    region_free(&side[RIGHT]);
    region_free(&side[LEFT]);
    return good;
}

static bool order_components(const struct dissect *dissect, struct region *region,
                             struct split *split, int workers)
{
    bool good = true;
    for (idx_t lo = 0, hi; good && lo < region->n; lo = hi) {
        struct region part;
        for (hi = lo + 1;
             hi < region->n && split->mark[split->member[hi]] == split->mark[split->member[lo]];)
            hi++;
        good = region_part(&part, region, split, split->member + lo, (size_t)(hi - lo));
        part.place = region->place + lo;
        good = good && order_region(dissect, &part, workers);
        region_free(&part);
    }
    return good;
}

/* Takes the region's memory if it likes. */
static bool order_region(const struct dissect *dissect, struct region *region, int workers)
{
    size_t n = (size_t)region->n;
    struct split split;
    bool good;
    if (!split_open(&split, n))
        return false;
    if (region_components(region, &split) > 1)
        good = order_components(dissect, region, &split, workers);
    else if (region->n <= WHOLE)
        good = order_whole(dissect, region, &split);
    else
        good = cut_region(dissect, region, &split, workers);
    split_free(&split);
    return good;
}

/* By METIS's parts of the coarse graph, which it halves again and again. */
static bool label_parts(const struct dissect *dissect, struct region *region)
{
    const struct coarse *coarse = &dissect->coarse;
    idx_t options[METIS_NOPTIONS], n = (idx_t)coarse->n, one = 1, parts = dissect->parts, cut;
    idx_t *part = mem_alloc(mem_bytes(coarse->n, sizeof *part));
    set_options(dissect, options);
    options[METIS_OPTION_UFACTOR] = UNEVEN;
    const bool good = part && METIS_PartGraphRecursive(&n, &one, coarse->start, coarse->to,
                                                       coarse->weight, NULL, coarse->edges, &parts,
                                                       NULL, NULL, options, &cut, part) == METIS_OK;
    for (idx_t v = 0; good && v < region->n; v++)
        region->label[v] = (uint8_t)part[coarse->number[v]];
    region->parts = good ? parts : 1;
    mem_free(part);
    return good;
}

/* In the first child. */
static bool order_pattern(const struct dissect *dissect, const struct pattern *pattern, int workers)
{
    struct region region;
    bool good = region_open(&region, pattern->n, pattern->start[pattern->n]);
    region.place = dissect->shared->place;
    for (size_t v = 0; good && v < pattern->n; v++) {
        region.name[v] = (uint32_t)v;
        region.start[v + 1] = (idx_t)pattern->start[v + 1];
    }
    for (size_t e = 0; good && e < pattern->start[pattern->n]; e++)
        region.to[e] = (idx_t)pattern->to[e];
    good = good && (dissect->parts == 1 || label_parts(dissect, &region));
    good = good && order_region(dissect, &region, workers);
    region_free(&region);
    return good;
}

static pid_t start_first(const struct dissect *dissect, const struct pattern *pattern, int workers)
{
    pid_t parent = getpid(), child = fork();
    if (child == 0) {
        atomic_store(&dissect->shared->good,
                     detach(parent) && order_pattern(dissect, pattern, workers));
        sem_post(&dissect->shared->over);
        _exit(EXIT_SUCCESS);
    }
    return child;
}

/* After a while false, also if a signal comes. */
static bool is_over(struct shared *shared)
{
    enum { WHILE = 100000000, SECOND = 1000000000 }; /* nanoseconds */
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += (until.tv_nsec + WHILE) / SECOND;
    until.tv_nsec = (until.tv_nsec + WHILE) % SECOND;
    return sem_timedwait(&shared->over, &until) == 0;
}

/* A child that another thread has reaped is an error of waitpid() once it has ended. */
static bool wait_for_first(struct shared *shared, pid_t child, size_t before,
                           struct progress *progress)
{
    pid_t ended = 0;
    while (ended == 0 && !is_over(shared)) {
        progress_step(progress, before + atomic_load(&shared->placed));
        if (stop_wanted())
            kill(child, SIGKILL);
        ended = waitpid(child, NULL, WNOHANG);
    }
    while (ended == 0 || (ended < 0 && errno == EINTR))
        ended = waitpid(child, NULL, 0);
    return atomic_load(&shared->good);
}

static struct shared *map_shared(size_t bytes)
{
    struct shared *shared =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        return NULL;
    sem_init(&shared->over, 1, 0);
    return shared;
}

/* Before there are children, since they have no threads. */
static int make_coarse(struct dissect *dissect, const struct pattern *pattern, int threads,
                       struct apsp_error *error)
{
    const size_t n = pattern->n, most = n / COARSER > COARSE ? n / COARSER : COARSE;
    dissect->parts = 1;
    while (dissect->parts < PARTS && n / (size_t)dissect->parts >= (size_t)2 * PART)
        dissect->parts *= 2;
    if (dissect->parts > 1 &&
        coarse_make(&dissect->coarse, pattern, most, threads, error) == APSP_OK &&
        dissect->coarse.n == 0)
        dissect->parts = 1;
    return error->code;
}

static void run_children(struct dissect *dissect, const struct pattern *pattern,
                         const struct order_way *way, struct apsp_error *error)
{
    const size_t n = pattern->n;
    pid_t child = n > 0 ? start_first(dissect, pattern, way->workers) : 0;
    if (child < 0)
        error_set(error, APSP_MEMORY, "no process to order %zu vertices: %s", n, strerror(errno));
    else if (child > 0 &&
             !wait_for_first(dissect->shared, child, way->progress->steps - n, way->progress) &&
             stop_check(error) == APSP_OK)
        error_set(error, APSP_MEMORY,
                  "METIS failed to order %zu vertices: too little memory, most likely", n);
}

int dissect_order(uint32_t *vertex, const struct pattern *pattern, const struct order_way *way,
                  struct apsp_error *error)
{
    size_t n = pattern->n, bytes = mem_bytes(n, sizeof *vertex), all;
    struct dissect dissect = {.seed = way->seed};
    if (pattern->start[n] > IDX_MAX)
        return error_set(error, APSP_MEMORY,
                         "no order of %zu neighbours: METIS has numbers for %zu", pattern->start[n],
                         (size_t)IDX_MAX);
    mem_add(&all, bytes, sizeof(struct shared));
    if (make_coarse(&dissect, pattern, way->workers, error) == APSP_OK) {
        dissect.shared = map_shared(all);
        if (dissect.shared)
            run_children(&dissect, pattern, way, error);
        else
            error_set(error, APSP_MEMORY, "no memory to order %zu vertices", n);
    }
    if (!error->code)
        memcpy(vertex, dissect.shared->place, bytes);
    if (dissect.shared)
        munmap(dissect.shared, all);
    coarse_free(&dissect.coarse);
    return error->code;
}
#else
typedef int dissect_without_metis; /* a file is not empty */
#endif
