/*
 * The algebras of paths: what a path's value is, and which of two values is the better one.
 *
 *                value of a path                better    of the path without an edge
 *   shortest     the sum of its weights         smaller   0
 *   bottleneck   its largest weight             smaller   the least weight, at most 0
 *   widest       its smallest weight            larger    the largest weight, at least 0
 *   reliable     the product of its weights     larger    1
 *
 * Inside, values are keys: the key of the path without an edge is 0, no key is below it, a smaller
 * key is better, and infinity stands for no path. Two parts of a path combine by the sum or the
 * maximum of their keys. So kernels, engines and the certificate see one kind of numbers, and
 * `combine` is all that differs between algebras. Weights become keys where they are read, keys
 * become values where rows leave the engine.
 *
 * Whole keys are differences from the value without an edge. So are those of floating-point
 * weights, but of their places in the order of all doubles: nothing is rounded. A reliability p has
 * the key -log(p).
 */
#ifndef ALGEBRA_H
#define ALGEBRA_H

#include "base/dtype.h"

enum algebra_kind {
    ALGEBRA_SHORTEST,
    ALGEBRA_BOTTLENECK,
    ALGEBRA_WIDEST,
    ALGEBRA_RELIABLE,
};

/* How the keys of two parts of a path become that of the path. */
enum combine { COMBINE_SUM, COMBINE_MAX, COMBINES };

enum algebra_map {
    ALGEBRA_SAME, /* Keys are values. */
    ALGEBRA_DIFFERENCE,
    ALGEBRA_PLACES, /* Differences of places in the order of doubles. */
    ALGEBRA_LOGARITHM
};

struct algebra { /* zeroed: shortest paths */
    enum algebra_kind kind;
    enum algebra_map map;
    bool negative;  /* Some weight is below 0, and values may be. */
    bool down;      /* Smaller values have larger keys. */
    int64_t whole;  /* The value, or the place, of a path without an edge. */
    double real;    /* The same value as a floating-point number. */
    int64_t origin; /* The place of a double is counted from this one, which belongs to none. */
};

/* The part of the weights that an algebra depends on. */
struct algebra_weights {
    bool real;
    int64_t least, most; /* The extremes of whole weights and 0. */
    double real_least, real_most;
    double finest; /* The least size other than 0 of a floating-point weight. */
};

/* The names of the algebras, comma-separated, in the order of the enumeration. */
const char *algebra_names(void);
const char *algebra_name(enum algebra_kind kind);
/* The one of that name, which is one of these; NULL: shortest. */
enum algebra_kind algebra_find(const char *name);

static inline enum combine algebra_combine(const struct algebra *algebra)
{
    return algebra->kind == ALGEBRA_BOTTLENECK || algebra->kind == ALGEBRA_WIDEST ? COMBINE_MAX
                                                                                  : COMBINE_SUM;
}

/* Chooses the map for these weights. False if keys of one type do not hold their differences. */
bool algebra_fit(struct algebra *algebra, const struct algebra_weights *weights);

/* Keys of weights and of values, of which none is worse than a weight; and values of keys. */
static inline int64_t algebra_key(const struct algebra *algebra, int64_t value)
{
    if (algebra->map == ALGEBRA_SAME)
        return value;
    return algebra->down ? algebra->whole - value : value - algebra->whole;
}

static inline int64_t algebra_value(const struct algebra *algebra, int64_t key)
{
    if (algebra->map == ALGEBRA_SAME)
        return key;
    return algebra->down ? algebra->whole - key : algebra->whole + key;
}

double algebra_key_real(const struct algebra *algebra, double value);
double algebra_value_real(const struct algebra *algebra, double key);

/* Rows of keys to values, and back; what stands for unreachable stays. `to` may be `from`. */
void algebra_values(const struct algebra *algebra, enum dtype dtype, const void *from, void *to,
                    size_t count);

#endif
