/* The table of reductions. Their order is that of columns and of words. */
#include "rows/stats_columns.h"

const struct reduction *const reductions[] = {&reduction_most,      &reduction_sum,
                                              &reduction_reachable, &reduction_closeness,
                                              &reduction_in_most,   &reduction_in_reachable,
                                              &reduction_harmonic,  &reduction_histogram,
                                              &reduction_exact,     NULL};
