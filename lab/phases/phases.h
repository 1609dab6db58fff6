/* Where the time of a whole program goes, from file to file. */
#ifndef PHASES_H
#define PHASES_H

#include "paths.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    PHASES_READ,
    PHASES_TO_DEVICE,
    PHASES_1,
    PHASES_2,
    PHASES_3,
    PHASES_EXPOSED,
    PHASES_FROM_DEVICE,
    PHASES_WRITE
};

extern struct lab_step phases_course, phases_product, phases_course_gpu, phases_product_gpu,
    phases_product_gpus;

/* As the course's program writes; seconds that it took. */
double phases_write(const struct lab_problem *problem, const int *d);
#ifdef __cplusplus
}
#endif
#endif
