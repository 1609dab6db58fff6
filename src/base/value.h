/*
 * A weight, a potential or a distance: a whole number or a real one. Which of the two is said once, by
 * whoever holds them: `bool real` of a graph, of its edges, of potentials.
 */
#ifndef VALUE_H
#define VALUE_H

#include <stdint.h>

union value {
    int64_t whole;
    double real;
};

#endif
