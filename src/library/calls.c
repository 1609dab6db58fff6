/* Calls of several threads at once, which builds for debugging find. */
#include "library/library.h"

#ifdef APSP_CHECK_CALLS

#include "base/fault.h"

#include <stdatomic.h>

static _Atomic uintptr_t inside; /* Stands for the thread whose call is under way; 0: none is. */

bool library_enter(void)
{
    static _Thread_local char thread;
    uintptr_t other = 0, self = (uintptr_t)&thread;
    if (atomic_load(&inside) == self)
        return false;
    if (!atomic_compare_exchange_strong(&inside, &other, self))
        fault(APSP_USAGE,
              "a thread calls the library while another one is in a call: calls take turns");
    return true;
}

void library_leave(const bool *entered)
{
    if (*entered)
        atomic_store(&inside, 0);
}

#endif
