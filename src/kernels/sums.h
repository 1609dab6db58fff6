/*
 * Checksums against silent corruption: a step that writes memory for a later step adds up the words
 * that it writes, and the later step those that it reads. Sums are modulo 2^32, of words of 32 bits
 * from the first value of a row on; the last is filled up with zeros. So a word that is not what it
 * was changes a sum, and it does not matter in which order and in which pieces the words are added.
 */
#ifndef KERNELS_SUMS_H
#define KERNELS_SUMS_H

#include <stdint.h>

enum sum_area {
    SUM_STRIP, /* D, as a round finds it */
    SUM_RAW,   /* pivot rows as their owner sends them */
    SUM_ROW,   /* closed panels */
    SUM_COL,
    SUM_AREAS
};

/* The checksums of a round; the strip's `wrote` is the checksum that the round before left. */
struct sums {
    struct {
        uint32_t wrote, read;
    } of[SUM_AREAS];
};

#endif
