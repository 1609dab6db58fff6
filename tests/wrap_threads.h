/* Threads that cannot be had, in a program that is linked with -Wl,--wrap=pthread_create: of the
 * next calls so many succeed, or all if it is below 0. */
#ifndef WRAP_THREADS_H
#define WRAP_THREADS_H

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int threads_left = -1;
int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                          void *self);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                          void *self);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                          void *self)
{
    if (threads_left == 0)
        return EAGAIN;
    threads_left -= threads_left > 0;
    return __real_pthread_create(thread, attributes, run, self);
}

#endif
