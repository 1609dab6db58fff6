/*
 * The host transport as a part: transport_peer uses it between the leaders of several nodes. The
 * calls are those of transport.h.
 */
#ifndef TRANSPORT_HOST_H
#define TRANSPORT_HOST_H

#include "dense/transport.h"

struct transport_host;

/* Collective. leaders_only: of the ranks that do not own the rows, only leaders of other nodes
 * receive them. Aborts when memory is short. */
struct transport_host *transport_host_open(struct comm *comm, struct backend *backend,
                                           bool leaders_only);
size_t transport_host_need(const struct comm *comm, const struct backend_plan *plan);
void transport_host_begin(struct transport_host *host, int owner, int slot, size_t bytes);
bool transport_host_poll(struct transport_host *host);
void transport_host_finish(struct transport_host *host);
void transport_host_free(struct transport_host *host); /* collective */

#endif
