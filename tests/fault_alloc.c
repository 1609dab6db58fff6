/*
 * Linked into a variant of the program with `-Wl,--wrap=...`: of the allocations that our own code makes on
 * the rank APSP_FAULT_RANK, number APSP_FAULT_AT (from 1) finds no memory, and a line on stderr says so.
 */
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *memory, size_t bytes);
void *__real_mem_alloc(size_t bytes);

void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *memory, size_t bytes);
void *__wrap_mem_alloc(size_t bytes);

static long variable(const char *name)
{
    const char *text = getenv(name);
    return text ? strtol(text, NULL, 10) : 0;
}

/* Those of children count, and fail, like their parents'. */
static atomic_long *calls;

__attribute__((constructor)) static void share_count(void)
{
    calls = mmap(NULL, sizeof *calls, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (calls == MAP_FAILED)
        abort();
}

/* True for the one allocation that is to fail. */
static bool strikes(const char *call)
{
    long number = atomic_fetch_add(calls, 1) + 1;
    if (number != variable("APSP_FAULT_AT") ||
        variable("OMPI_COMM_WORLD_RANK") != variable("APSP_FAULT_RANK"))
        return false;
    fprintf(stderr, "fault: %s, allocation %ld\n", call, number);
    return true;
}

void *__wrap_malloc(size_t bytes)
{
    return strikes("malloc") ? NULL : __real_malloc(bytes);
}

void *__wrap_calloc(size_t count, size_t bytes)
{
    return strikes("calloc") ? NULL : __real_calloc(count, bytes);
}

void *__wrap_realloc(void *memory, size_t bytes)
{
    return strikes("realloc") ? NULL : __real_realloc(memory, bytes);
}

void *__wrap_mem_alloc(size_t bytes)
{
    return strikes("mem_alloc") ? NULL : __real_mem_alloc(bytes);
}
