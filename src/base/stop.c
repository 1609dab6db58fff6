#include "base/stop.h"

#include <stdatomic.h>

static atomic_bool wanted; /* lock-free, as handlers need it */

void stop_ask(void)
{
    atomic_store_explicit(&wanted, true, memory_order_relaxed);
}

void stop_forget(void)
{
    atomic_store_explicit(&wanted, false, memory_order_relaxed);
}

bool stop_wanted(void)
{
    return atomic_load_explicit(&wanted, memory_order_relaxed);
}

int stop_now(struct apsp_error *error)
{
    return error_set(error, APSP_CANCELLED, "cancelled");
}

int stop_check(struct apsp_error *error)
{
    return stop_wanted() ? stop_now(error) : APSP_OK;
}
