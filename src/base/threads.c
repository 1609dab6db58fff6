#include "base/threads.h"

#include "base/cgroup.h"
#include "base/minmax.h"

#include <limits.h>
#include <omp.h>
#include <stdlib.h>
#include <unistd.h>

int threads_quota(void)
{
    static _Atomic int known; /* 0: not read yet */
    if (known == 0) {
        const size_t processors = cgroup_processors("");
        known = processors < INT_MAX ? (int)processors : INT_MAX;
    }
    return known;
}

int threads_machine(void)
{
    static _Atomic int known;
    if (known == 0) {
        const long processors = sysconf(_SC_NPROCESSORS_ONLN);
        known = processors < 1 ? 1 : processors < INT_MAX ? (int)processors : INT_MAX;
    }
    return known;
}

int threads_most(void)
{
    return getenv("OMP_NUM_THREADS") ? omp_get_max_threads() : INT_MAX;
}

int threads_default(void)
{
    return int_min(omp_get_max_threads(), int_min(omp_get_num_procs(), threads_quota()));
}

int threads_ranks(void)
{
    enum { ALWAYS = 64, PER_PROCESSOR = 4 };
    const int most = PER_PROCESSOR * omp_get_num_procs();
    return most < ALWAYS ? ALWAYS : most;
}
