/* Which decays and shares are valid. */
#include "rows/access.h"

#include "base/error.h"

#include <math.h>

int access_check_share(double share, const char *name, struct apsp_error *error)
{
    if (share > 0 && isfinite(share))
        return APSP_OK;
    return error_set(error, APSP_USAGE, "%s: expected an amount above 0, found %g", name, share);
}

static int check_points(const struct apsp_decay *decay, const char *name, struct apsp_error *error)
{
    if (decay->points == 0 || !decay->distance || !decay->weight)
        return error_set(error, APSP_USAGE, "%s: expected at least one point", name);
    for (size_t k = 0; k < decay->points; k++) {
        if (!isfinite(decay->distance[k]) || !isfinite(decay->weight[k]) || decay->weight[k] < 0)
            return error_set(error, APSP_USAGE,
                             "%s: point %zu: expected a distance and a weight from 0 on, found %g "
                             "and %g",
                             name, k + 1, decay->distance[k], decay->weight[k]);
        if (k > 0 && decay->distance[k] <= decay->distance[k - 1])
            return error_set(error, APSP_USAGE,
                             "%s: point %zu: expected a distance above %g, found %g", name, k + 1,
                             decay->distance[k - 1], decay->distance[k]);
    }
    return APSP_OK;
}

int access_check_decay(const struct apsp_decay *decay, const char *name, struct apsp_error *error)
{
    switch (decay->kind) {
    case APSP_DECAY_STEP:
        return isfinite(decay->at)
                   ? APSP_OK
                   : error_set(error, APSP_USAGE, "%s: expected a distance, found %g", name,
                               decay->at);
    case APSP_DECAY_LINEAR:
    case APSP_DECAY_EXPONENTIAL:
        return isfinite(decay->at) && decay->at > 0
                   ? APSP_OK
                   : error_set(error, APSP_USAGE, "%s: expected a distance above 0, found %g", name,
                               decay->at);
    case APSP_DECAY_LOGISTIC:
        return isfinite(decay->at) && isfinite(decay->spread) && decay->spread > 0
                   ? APSP_OK
                   : error_set(error, APSP_USAGE,
                               "%s: expected a distance and a spread above 0, found %g and %g",
                               name, decay->at, decay->spread);
    case APSP_DECAY_POINTS:
        return check_points(decay, name, error);
    }
    return error_set(error, APSP_USAGE, "%s: there is no such decay", name);
}
