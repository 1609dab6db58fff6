/* The cores that a rank uses. */
#ifndef TOPOLOGY_H
#define TOPOLOGY_H

#include "comm/comm.h"

struct topology {
    int threads;    /* for this rank */
    char cores[64]; /* the cores, as a list such as "0-3" */
};

/*
 * Collective. Shares the machine's cores among its ranks, or retains the launcher's binding. Binds
 * this process, or this rank's threads of it, near the device at the PCI address `pci`, unless that
 * is "". There is a thread for each core, but no more than OMP_NUM_THREADS or quotas of processor
 * time allow; `threads` > 0 overrides their number. Never fails: what cannot be found out is left
 * as it is.
 */
void topology_bind(struct topology *topology, struct comm *comm, const char *pci, int threads);

#endif
