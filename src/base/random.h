/*
 * Random numbers, the same on every machine: splitmix64 (G. Steele, D. Lea, C. Flood: Fast
 * splittable pseudorandom number generators, OOPSLA 2014; constants of S. Vigna's version), brought
 * to a range without bias by multiplication (D. Lemire: Fast random integer generation in an
 * interval, ACM TOMACS 2019).
 */
#ifndef RANDOM_H
#define RANDOM_H

#include <stdint.h>

#define RANDOM_STEP UINT64_C(0x9e3779b97f4a7c15)

/* A number that looks random and depends on z alone. */
static inline uint64_t random_mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* The next of the sequence; any state may begin one. */
static inline uint64_t random_next(uint64_t *state)
{
    return random_mix(*state += RANDOM_STEP);
}

/* 0 .. bound - 1, for 1 <= bound. */
static inline uint32_t random_below(uint64_t *state, uint32_t bound)
{
    uint64_t product = (random_next(state) >> 32) * bound;
    if ((uint32_t)product < bound) {
        uint32_t uneven = -bound % bound;
        while ((uint32_t)product < uneven)
            product = (random_next(state) >> 32) * bound;
    }
    return (uint32_t)(product >> 32);
}

#endif
