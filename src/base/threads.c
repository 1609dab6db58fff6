#include "base/threads.h"

#include "base/cgroup.h"

#include <limits.h>
#include <omp.h>
#include <stdlib.h>

static int least(int a, int b)
{
    return a < b ? a : b;
}

int threads_quota(void)
{
    const size_t processors = cgroup_processors("");
    return processors < INT_MAX ? (int)processors : INT_MAX;
}

int threads_most(void)
{
    return getenv("OMP_NUM_THREADS") ? omp_get_max_threads() : INT_MAX;
}

int threads_default(void)
{
    return least(omp_get_max_threads(), least(omp_get_num_procs(), threads_quota()));
}
