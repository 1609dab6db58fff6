/*
 * Fixed point: decimals, and binary fractions, as integers. A value is an integer divided
 * by the scale, a power of ten or of two. Up to scale_limit, integers and the doubles nearest
 * to these values tell each other: scale_value rounds correctly, and scale_whole undoes it.
 */
#ifndef SCALE_H
#define SCALE_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct scale { /* zeroed: the scale is 1 */
    bool binary;
    int power; /* of 10 from 0 to SCALE_POWER, of 2 up to SCALE_BITS, on either side of 0 */
};

enum { SCALE_POWER = 22, SCALE_BITS = 1000, SCALE_TEXT = 48 };

/* These powers of ten are doubles. */
extern const double scale_ten[SCALE_POWER + 1];

/* 2^53, or 10^15: decimals of 15 digits are no nearer to one another than doubles. */
static inline int64_t scale_limit(struct scale scale)
{
    return scale.binary || scale.power == 0 ? INT64_C(1) << 53 : INT64_C(1000000000000000);
}

static inline double scale_factor(struct scale scale)
{
    return scale.binary ? ldexp(1, scale.power) : scale_ten[scale.power];
}

static inline double scale_value(struct scale scale, int64_t whole)
{
    return (double)whole / scale_factor(scale);
}

/* A sum of many. */
__extension__ typedef __int128 scale_wide;

/* whole / parts by the scale, rounded once, whatever their sizes. 0 < parts < 2^62. */
double scale_share(struct scale scale, scale_wide whole, size_t parts);

/* The nearest to it. The value times the scale is at most 2^62. */
static inline int64_t scale_whole(struct scale scale, double value)
{
    return llrint(value * scale_factor(scale));
}

/* The scale of that factor; false unless that is a power of ten or of two as above. */
bool scale_of_factor(struct scale *scale, double factor);
/* Whether every number that is whole by the second is whole by the first. */
bool scale_refines(struct scale fine, struct scale coarse);

/* Digits that read back as the value, of a power of ten just its own: SCALE_TEXT bytes at most.
 * `put` writes no terminator, and returns where it ends; `text` returns text. */
char *scale_put(char *out, struct scale scale, int64_t whole);
char *scale_text(struct scale scale, int64_t whole, char text[SCALE_TEXT]);
/* The divisor of integers: 1000, 2^3. */
char *scale_print(struct scale scale, char text[SCALE_TEXT]);

/* The exponent of the lowest bit that is 1 of a finite number other than 0. */
int scale_lowest_bit(double value);

/*
 * Finds the least scale that makes all of some numbers whole. Text: the numbers are the doubles
 * nearest to decimals of at most 15 digits, which are meant; else they are meant as they are.
 * Zeroed to begin with, but for `text`.
 */
struct scale_finder {
    bool text, none; /* none: there is no such scale */
    bool any;        /* there was a number other than 0 */
    int decimals;    /* most decimals of all numbers so far */
    int lowest;      /* exponent of the lowest bit of all numbers so far */
    double most;     /* the largest size of all numbers so far */
};

/* For scale_find alone: of any number. */
void scale_find_any(struct scale_finder *finder, double value);

/* Takes a number into account. Integers below 2^53 need no call: of a text their size alone counts,
 * in scale_found. */
static inline void scale_find(struct scale_finder *finder, double value)
{
    const double size = fabs(value);
    const int64_t whole = size < 0x1p53 ? (int64_t)size : 0;
    if ((double)whole != size) {
        scale_find_any(finder, value);
    } else if (whole != 0) {
        const int lowest = __builtin_ctzll((uint64_t)whole);
        finder->lowest = finder->any && finder->lowest < lowest ? finder->lowest : lowest;
        finder->any = true;
        finder->most = size > finder->most ? size : finder->most;
    }
}

void scale_find_too(struct scale_finder *finder,
                    const struct scale_finder *other); /* what that one saw */
bool scale_found(const struct scale_finder *finder, struct scale *scale);

#endif
