#include "proof/rounding.h"

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
