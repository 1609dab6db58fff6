/* Counts every allocation of a program that is linked with --wrap for the functions below
 * (MEMORY_WRAPS in tests.mk). */
#ifndef WRAP_MEMORY_H
#define WRAP_MEMORY_H

#include <malloc.h>
#include <stdatomic.h>
#include <sys/mman.h>

/* Bytes that our own code holds now, less what it frees for libraries, and the most that it has
 * held. */
static atomic_long memory_held, memory_most;

static void *memory_count(void *memory, size_t bytes)
{
    long now = memory ? atomic_fetch_add(&memory_held, (long)bytes) + (long)bytes : 0,
         before = memory_most;
    while (now > before && !atomic_compare_exchange_weak(&memory_most, &before, now))
        ;
    return memory;
}

static void *memory_count_block(void *memory)
{
    return memory_count(memory, malloc_usable_size(memory));
}

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t number, size_t bytes);
void *__real_realloc(void *memory, size_t bytes);
void *__real_aligned_alloc(size_t boundary, size_t bytes);
void __real_free(void *memory);
void *__real_mmap(void *at, size_t bytes, int protection, int flags, int fd, off_t offset);
int __real_munmap(void *memory, size_t bytes);

void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t number, size_t bytes);
void *__wrap_realloc(void *memory, size_t bytes);
void *__wrap_aligned_alloc(size_t boundary, size_t bytes);
void __wrap_free(void *memory);
void *__wrap_mmap(void *at, size_t bytes, int protection, int flags, int fd, off_t offset);
int __wrap_munmap(void *memory, size_t bytes);

void *__wrap_malloc(size_t bytes)
{
    return memory_count_block(__real_malloc(bytes));
}

void *__wrap_calloc(size_t number, size_t bytes)
{
    return memory_count_block(__real_calloc(number, bytes));
}

void *__wrap_realloc(void *memory, size_t bytes)
{
    atomic_fetch_sub(&memory_held, (long)malloc_usable_size(memory));
    return memory_count_block(__real_realloc(memory, bytes));
}

void *__wrap_aligned_alloc(size_t boundary, size_t bytes)
{
    return memory_count_block(__real_aligned_alloc(boundary, bytes));
}

void __wrap_free(void *memory)
{
    atomic_fetch_sub(&memory_held, (long)malloc_usable_size(memory));
    __real_free(memory);
}

void *__wrap_mmap(void *at, size_t bytes, int protection, int flags, int fd, off_t offset)
{
    void *memory = __real_mmap(at, bytes, protection, flags, fd, offset);
    return memory == MAP_FAILED ? memory : memory_count(memory, bytes);
}

int __wrap_munmap(void *memory, size_t bytes)
{
    atomic_fetch_sub(&memory_held, (long)bytes);
    return __real_munmap(memory, bytes);
}

#endif
