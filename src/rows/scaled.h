/*
 * Numbers of paths beyond every type: part * 2^(512 scale), with 1 <= part < 2^512. So sums of
 * parts are finite, and what is two scales smaller adds nothing.
 */
#ifndef SCALED_H
#define SCALED_H

#include <stdint.h>

#define GREAT 0x1p512

/* The part of a term that is so many scales below a sum, in the scale of that. */
static inline double scaled_part(double part, int32_t below)
{
    return below == 0 ? part : below == 1 ? part / GREAT : 0;
}

/* Adds another number of paths. */
static inline void scaled_add(double *part, int32_t *scale, double more, int32_t more_scale)
{
    if (*scale < more_scale) {
        *part = more + scaled_part(*part, more_scale - *scale);
        *scale = more_scale;
    } else {
        *part += scaled_part(more, *scale - more_scale);
    }
}

/* No number gets too large for its part. */
static inline void scaled_raise(double *part, int32_t *scale)
{
    if (*part >= GREAT) {
        *part /= GREAT;
        ++*scale;
    }
}

#endif
