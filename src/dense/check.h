/* Finds bit flips in memory during a solve. */
#ifndef CHECK_H
#define CHECK_H

#include "comm/comm.h"
#include "dense/backend.h"
#include "dense/schedule.h"

/* Local. APSP_REFUTED, naming the first round and what had changed, unless the sums of all rounds
 * agree. */
int check_sums(struct backend *backend, const struct schedule *schedule, const struct comm *comm,
               struct apsp_error *error);

#endif
