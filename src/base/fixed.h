/*
 * Sums of floating-point numbers that do not depend on the order of the terms or on their division
 * among threads. A term is rounded to two integers, a coarse one and a fine one of the rest, whose
 * sums are exact (after J. Demmel and H. D. Nguyen, Fast reproducible floating-point summation,
 * ARITH 2013).
 *
 * Terms are from 0 to n, and at most n of them meet in one sum. A term is off by at most
 * 2^-(62 - log2 n), or 2^-91 for small n.
 */
#ifndef FIXED_H
#define FIXED_H

#include "base/minmax.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>

/* Parts of 64 terms have exact sums in doubles, too. */
struct fixed {
    int coarse, fine;                  /* Binary digits behind the point, of either part. */
    double coarse_round, fine_round;   /* A double plus this less this has those digits. */
    double coarse_factor, fine_factor; /* 2^coarse, 2^fine. */
};

struct fixed_sum {
    int64_t coarse, fine;
};

static inline struct fixed fixed_for(size_t n)
{
    int bits = 1;
    while (n >> bits)
        bits++;
    const int coarse = int_min(62 - 2 * bits, 46 - bits), fine = coarse + int_min(46, 63 - bits);
    return (struct fixed){
        coarse,           fine,          ldexp(1.5, 52 - coarse), ldexp(1.5, 52 - fine),
        ldexp(1, coarse), ldexp(1, fine)};
}

/* Adds sums of parts that are rounded to their digits. */
static inline void fixed_add_parts(const struct fixed *fixed, struct fixed_sum *sum, double coarse,
                                   double fine)
{
    sum->coarse += (int64_t)(coarse * fixed->coarse_factor);
    sum->fine += (int64_t)(fine * fixed->fine_factor);
}

static inline void fixed_add(const struct fixed *fixed, struct fixed_sum *sum, double term)
{
    const double coarse = (term + fixed->coarse_round) - fixed->coarse_round, rest = term - coarse,
                 fine = (rest + fixed->fine_round) - fixed->fine_round;
    fixed_add_parts(fixed, sum, coarse, fine);
}

static inline double fixed_value(const struct fixed *fixed, struct fixed_sum sum)
{
    return (double)sum.coarse / fixed->coarse_factor + (double)sum.fine / fixed->fine_factor;
}

#endif
