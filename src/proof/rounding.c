#include "proof/rounding.h"

#include "proof/potential.h"

#include <float.h>
#include <math.h>

enum { SLACK_HOPS = 64 };

double rounding_slack(enum dtype type, size_t hops, double size, double reach)
{
    const bool narrow = type == DTYPE_F32;
    double unit = narrow ? FLT_EPSILON : DBL_EPSILON; /* twice 2^-p */
    double tiny = narrow ? (double)FLT_TRUE_MIN : DBL_TRUE_MIN;
    double share = unit * (double)(hops + SLACK_HOPS); /* small enough for the sum to stay finite */
    return share * fmin(size, DBL_MAX) + 4 * share * fmin(reach, DBL_MAX) + (double)hops * tiny;
}

int rounding_reach(double *reach, struct csr *edges, int threads, struct apsp_error *error)
{
    struct potential potential = {0};
    struct cycle cycle = {0};
    csr_convert(edges);
    if (potential_find(&potential, &cycle, edges, threads, error) == APSP_OK)
        *reach = potential_reach(&potential);
    potential_free(&potential);
    cycle_free(&cycle);
    return error->code;
}
