/* The main of a unit test on several ranks: those of a launcher, or threads, as many as the
 * variable APSP_TEST_THREADS says. The state that a rank changes is thread-local then. */
#ifndef RANKS_H
#define RANKS_H

#include "comm/comm.h"

#include <stdatomic.h>
#include <stdlib.h>

struct ranks_test {
    int (*test)(void);
    atomic_int failed;
};

static void ranks_member(void *self)
{
    struct ranks_test *ranks = self;
    ranks->failed |= ranks->test();
}

/* Returns the exit code. */
static inline int ranks_main(int (*test)(void))
{
    const char *threads = getenv("APSP_TEST_THREADS");
    struct ranks_test ranks = {.test = test};
    struct apsp_error error = {0};
    if (!threads)
        ranks_member(&ranks);
    else if (comm_run(atoi(threads), ranks_member, &ranks, &error))
        return error.code;
    comm_finish();
    return ranks.failed;
}

#endif
