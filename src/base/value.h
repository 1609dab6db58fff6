/*
 * A weight, a potential or a distance: an integer or a real one. The owner of values knows which of
 * the two they are: `bool real` of a graph, of its edges, of potentials.
 */
#ifndef VALUE_H
#define VALUE_H

#include <stdint.h>

union value {
    int64_t whole;
    double real;
};

/* A whole weight is less than what stands for unreachable in the widest type, on either side of 0.
 */
#define WEIGHT_MAX ((INT64_C(1) << 62) - 2)

#endif
