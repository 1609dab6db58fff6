/* A reduction: the sum of the squares of the distances from a vertex. */
#include "rows/reduction.h"
#include "rows/reduction_row.h"

enum { COUNTED_SQUARES = 1 << 10 };

#define SQUARE(value) ((double)(value) * (double)(value))

static REDUCTION_ROW(squares, SQUARE)

    extern const struct reduction reduction_squares;
const struct reduction reduction_squares = {.word = "squares",
                                            .counted = COUNTED_SQUARES,
                                            .name = "squares",
                                            .type = REDUCTION_REAL,
                                            .row = squares,
                                            .power = 2};
