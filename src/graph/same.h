/* Whether hosts that see files of one name see one graph. */
#ifndef SAME_H
#define SAME_H

#include "comm/comm.h"
#include "graph/graph.h"

/*
 * The same bytes on every rank, if each has opened the file itself. That the file is one shows in
 * its number, size and time of change; where these differ, each host reads all of its own (hash.h).
 * Collective; ends in agreement: APSP_IO, which names the first host that differs from rank 0's,
 * APSP_MEMORY.
 */
int graph_check_same(const struct graph *graph, struct comm *comm, struct apsp_error *error);

#endif
