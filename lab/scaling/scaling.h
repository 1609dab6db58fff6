/* Two ranks beside one. */
#ifndef SCALING_H
#define SCALING_H

#include "paths.h"

enum {
    SCALING_ONE,
    SCALING_SPEEDUP,
    SCALING_EFFICIENCY,
    SCALING_MODEL,
    SCALING_EXPOSED
}; /* columns */

struct scaling_way {
    const char *one, *two; /* options of the command, for one rank and for two */
    bool weak;             /* two have twice the work */
};

/* Solves by one rank and by two, and fills the columns. */
enum lab_outcome scaling_run(const struct scaling_way *way, struct lab_problem *problem,
                             struct lab_run *run);

/* Which link is between which GPUs: all, as lines with #; and that between the first two. */
void links_print(void);
void links_name(char *note, size_t room);

#endif
