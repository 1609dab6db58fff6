#include "graph/same.h"

#include "base/hash.h"
#include "base/mem.h"
#include "base/threads.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct view { /* of the file, by one rank */
    size_t node, device, number, bytes, seconds, nanoseconds;
};

/* On several nodes one device has several numbers. */
static bool is_one_file(const struct view *a, const struct view *b)
{
    return a->number == b->number && a->bytes == b->bytes && a->seconds == b->seconds &&
           a->nanoseconds == b->nanoseconds && (a->node != b->node || a->device == b->device);
}

/* A rank with this one's node and file before it; itself if there is none. */
static int reader_of(const struct view *views, int rank)
{
    int reader = 0;
    while (views[reader].node != views[rank].node || !is_one_file(&views[reader], &views[rank]))
        reader++;
    return reader;
}

static int compare(const struct graph *graph, struct comm *comm, const struct view *views,
                   struct apsp_error *error)
{
    struct hash mine = {{0}}, first;
    char own[HASH_TEXT], other[HASH_TEXT], host[sizeof comm->host];
    bool reads = reader_of(views, comm->rank) == comm->rank;
    if (reads)
        hash_file(&mine, &graph->file, threads_default(), error);
    first = mine;
    memcpy(host, comm->host, sizeof host);
    comm_broadcast(comm, &first, sizeof first, 0);
    comm_broadcast(comm, host, sizeof host, 0);
    if (reads && memcmp(&first, &mine, sizeof mine) != 0)
        error_set(error, APSP_IO,
                  "%s on host %s is not the file of rank 0 on host %s: hashes %s and %s",
                  graph->path, comm->host, host, hash_text(&mine, own), hash_text(&first, other));
    return comm_agree(comm, error);
}

int graph_check_same(const struct graph *graph, struct comm *comm, struct apsp_error *error)
{
    struct stat status = {0};
    if (comm->ranks == 1 || comm_sum(comm, graph->file.fd < 0) > 0)
        return APSP_OK;
    struct view *views = malloc(mem_bytes((size_t)comm->ranks, sizeof *views));
    if (!views)
        error_set(error, APSP_MEMORY, "%s: no memory to compare the views of hosts", graph->path);
    else if (fstat(graph->file.fd, &status) != 0)
        error_set(error, APSP_IO, "%s: cannot be examined on host %s: %s", graph->path, comm->host,
                  strerror(errno));
    if (comm_agree(comm, error) == APSP_OK) {
        const struct view mine = {(size_t)comm->node,
                                  status.st_dev,
                                  status.st_ino,
                                  (size_t)status.st_size,
                                  (size_t)status.st_mtim.tv_sec,
                                  (size_t)status.st_mtim.tv_nsec};
        bool one = true;
        comm_allgather(comm, &mine, sizeof mine, views);
        for (int r = 1; r < comm->ranks; r++)
            one &= is_one_file(&views[0], &views[r]);
        if (!one)
            compare(graph, comm, views, error);
    }
    free(views);
    return error->code;
}
