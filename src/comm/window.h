/* Memory shared by the ranks of a node. */
#ifndef COMM_WINDOW_H
#define COMM_WINDOW_H

#include "comm/comm.h"

struct comm_window;

/* Collective over the node. Zeroed, on a cache line's boundary; the same bytes for every rank of the node, at
 * addresses of their own. Aborts when there is no memory. */
struct comm_window *comm_window_open(struct comm *comm, size_t bytes);
void *comm_window_memory(struct comm_window *window);
void comm_window_free(struct comm_window *window); /* collective over the node */

#endif
