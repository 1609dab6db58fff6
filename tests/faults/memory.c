/*
 * Linked with --wrap into programs that nothing can be preloaded to: the sanitizers have allocators
 * of their own. Any allocation of the project's own code can be made to fail (strike.h).
 */
#include "strike.h"

#include <stdlib.h>

#define FAILS_HERE(name) (strike(name, true, HERE) != PASSES)

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *memory, size_t bytes);
void *__real_aligned_alloc(size_t boundary, size_t bytes);

void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *memory, size_t bytes);
void *__wrap_aligned_alloc(size_t boundary, size_t bytes);

void *__wrap_malloc(size_t bytes)
{
    return FAILS_HERE("malloc") ? NULL : __real_malloc(bytes);
}

void *__wrap_calloc(size_t count, size_t bytes)
{
    return FAILS_HERE("calloc") ? NULL : __real_calloc(count, bytes);
}

void *__wrap_realloc(void *memory, size_t bytes)
{
    return FAILS_HERE("realloc") ? NULL : __real_realloc(memory, bytes);
}

void *__wrap_aligned_alloc(size_t boundary, size_t bytes)
{
    return FAILS_HERE("aligned_alloc") ? NULL : __real_aligned_alloc(boundary, bytes);
}
