/* The product's own dense engine on one device: what its steps are compared with. */
#ifndef LAB_STRIP_H
#define LAB_STRIP_H

#include "lab.h"

#include "dense/backend.h"

#ifdef __cplusplus
extern "C" {
#endif

struct lab_way {
    const struct backend_ops *on;
    enum dtype dtype;
    bool apart; /* every round's phases one after the other, and no round before the last one's end
                 */
};

/* Solves problem->in[0] (paths.h) in that way. */
enum lab_outcome lab_strip(struct lab_problem *problem, const struct lab_way *way,
                           struct lab_run *run);

#ifdef __cplusplus
}
#endif
#endif
