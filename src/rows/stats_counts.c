#include "rows/stats.h"

bool stats_are_real(const struct stats_counts *counts)
{
    return dtype_info[counts->plan->dtype].real;
}

struct scale stats_scale(const struct stats_counts *counts)
{
    return counts->scaled ? counts->scale : (struct scale){0};
}

struct apsp_value stats_value(const struct stats_counts *counts, union value value)
{
    if (stats_are_real(counts))
        return (struct apsp_value){0, value.real};
    if (counts->scaled)
        return (struct apsp_value){0, scale_value(counts->scale, value.whole)};
    return (struct apsp_value){value.whole, (double)value.whole};
}

scale_wide stats_sum(const struct stats_counts *counts, size_t k)
{
    return counts->plan->wide ? count_wide(&counts->row[k]) : counts->row[k].sum.whole;
}

double stats_harmonic(const struct stats_counts *counts, size_t k)
{
    return counts->row[k].harmonic * (counts->scaled ? scale_factor(counts->scale) : 1);
}
