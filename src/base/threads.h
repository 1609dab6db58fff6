/* Threads where nobody has said how many: those of OMP_NUM_THREADS, but no more than there are processors. */
#ifndef THREADS_H
#define THREADS_H

#include <omp.h>

static inline int threads_default(void)
{
    const int most = omp_get_max_threads(), processors = omp_get_num_procs();
    return most < processors ? most : processors;
}

#endif
