/* Entry k of a column of statistics, as a double; NaN: there is no such column. */
#ifndef COLUMN_AT_H
#define COLUMN_AT_H

#include "apsp.h"

#include <math.h>

static inline double column_at(const struct apsp_stats *stats, const char *name, size_t k)
{
    struct apsp_array column;
    if (apsp_stats_column(stats, name, &column, NULL) || k >= stats->sources)
        return NAN;
    return column.type == APSP_F64 ? ((const double *)column.data)[k]
                                   : (double)((const int64_t *)column.data)[k];
}

#endif
