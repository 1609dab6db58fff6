/* For network_make: what lets label-correcting searches leave out arcs that shorten nothing. */
#ifndef NETWORK_NEAR_H
#define NETWORK_NEAR_H

#include "sssp/network_order.h"

/* The arcs to each vertex by rising weight, and the offsets of vertices. Weights differ. */
void network_near(struct network *network, const struct engine_task *task,
                  const struct network_work *work);

#endif
