/* The request of the user of an experiment's program. */
#ifndef LAB_CHOICE_H
#define LAB_CHOICE_H

#include "lab.h"

enum { CHOICE_SIZES = 4, CHOICE_REPEATS = 5 /* at most */ };

struct choice {
    const struct lab_experiment *experiment;
    size_t sizes[CHOICE_SIZES]; /* ascending; 0: no more */
    double share;               /* seconds that a step may take for one run */
    int repeats;
    bool cpu, gpu;
    const char *only; /* steps with this in their names */
    const char *csv;  /* a file, or NULL */
    bool json;
};

/* The program's exit status, or -1: there is work to do. */
int choice_read(struct choice *choice, const struct lab_experiment *experiment, int argc,
                char **argv);

#endif
