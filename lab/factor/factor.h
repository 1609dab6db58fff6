/* Rows of the experiment of the blocking factor: one for every factor and shape of block. */
#ifndef FACTOR_H
#define FACTOR_H

#include "paths.h"

#ifdef __cplusplus
extern "C" {
#endif
extern struct lab_step factor_steps[];
extern const int factor_count;
#ifdef __cplusplus
}
#endif
#endif
