/* What another process prints, on its way to this one's standard output, whose failures that
 * process may not tell: Open MPI's mpirun does not. */
#ifndef OUTLET_H
#define OUTLET_H

#include <poll.h>
#include <stddef.h>

struct outlet {
    int from;  /* a descriptor; -1: all has passed */
    int cause; /* errno of what failed first, and nothing passes since; 0: nothing has */
    size_t room, at, held;
    char data[1 << 16];
};

void outlet_open(struct outlet *outlet, int from);
/* What the next step waits for, and the step; one that waited does not block. */
struct pollfd outlet_next(const struct outlet *outlet);
void outlet_step(struct outlet *outlet);
/* No more steps: a file system may tell only now that it has no space. */
void outlet_end(struct outlet *outlet);

#endif
