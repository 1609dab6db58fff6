/* Loaded before the program in a job of several nodes: rank 0 hears two seconds late that the first
 * fence of MPI_Init is over. A rank of another node that does not wait for it at the second one
 * sends too early, and Open MPI 4.1 falls over its message. */
#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef void done_fn(int status, void *data);
typedef int fence_fn(const void *ranks, size_t count, const void *infos, size_t info_count,
                     done_fn *done, void *data);

static done_fn *told;
static int told_status;

static void *tell(void *data)
{
    sleep(2);
    told(told_status, data);
    return NULL;
}

/* In a thread: the library's own has others to serve. */
static void tell_late(int status, void *data)
{
    pthread_t thread;
    told_status = status;
    if (pthread_create(&thread, NULL, tell, data) == 0)
        pthread_detach(thread);
}

/* Of libpmix. */
int PMIx_Fence_nb(const void *ranks, size_t count, const void *infos, size_t info_count,
                  done_fn *done, void *data)
{
    const char *rank = getenv("PMIX_RANK");
    fence_fn *real = (fence_fn *)dlsym(RTLD_NEXT, "PMIx_Fence_nb");
    if (!told && rank && strcmp(rank, "0") == 0) {
        told = done;
        done = tell_late;
    }
    return real(ranks, count, infos, info_count, done, data);
}
