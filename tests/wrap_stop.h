/* A cancel at a look whether there is one, in a program that is linked with -Wl,--wrap=stop_wanted.
 */
#ifndef WRAP_STOP_H
#define WRAP_STOP_H

#include "apsp.h"

#include <stdatomic.h>
#include <stdbool.h>

static atomic_long looks; /* that are left until the one at which the call is cancelled */
bool __real_stop_wanted(void);
bool __wrap_stop_wanted(void);
bool __wrap_stop_wanted(void)
{
    if (looks > 0 && atomic_fetch_sub(&looks, 1) == 1)
        apsp_cancel();
    return __real_stop_wanted();
}

#endif
