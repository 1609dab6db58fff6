/* A negative cycle in words. */
#ifndef CYCLE_H
#define CYCLE_H

#include "proof/proof.h"

/* Keeps the cycle in the proof, which *found is then without, with its text. APSP_CYCLE, or
 * APSP_MEMORY. */
int cycle_refuse(struct proof *proof, const struct graph *graph, struct cycle *found,
                 struct apsp_error *error);

#endif
