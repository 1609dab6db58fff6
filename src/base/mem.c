#include "base/mem.h"

#include "base/cgroup.h"
#include "base/minmax.h"

#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* With the address sanitizer each block, and each part of a layout, ends with bytes that it does
 * not let anyone touch: parts of one allocation are guarded as separate ones are. */
#if defined __has_feature
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__ 1
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#define ASAN_IS_POISONED(at) __asan_address_is_poisoned(at)
enum { RED_ZONE = 1 << 10 };
#else
#define ASAN_IS_POISONED(at)                       ((void)(at), false)
#define ASAN_POISON_MEMORY_REGION(memory, bytes)   ((void)(memory), (void)(bytes))
#define ASAN_UNPOISON_MEMORY_REGION(memory, bytes) ((void)(memory), (void)(bytes))
enum { RED_ZONE = 0 };
#endif

enum { HUGE_PAGE = 2 << 20, LINE = 64 };

bool mem_mul(size_t *out, size_t a, size_t b)
{
    if (!__builtin_mul_overflow(a, b, out))
        return true;
    *out = SIZE_MAX;
    return false;
}

bool mem_add(size_t *out, size_t a, size_t b)
{
    if (!__builtin_add_overflow(a, b, out))
        return true;
    *out = SIZE_MAX;
    return false;
}

size_t mem_bytes(size_t count, size_t each)
{
    size_t bytes;
    mem_mul(&bytes, count, each);
    return bytes;
}

/* In front of each block, so that the block keeps its boundary. */
struct head {
    _Alignas(LINE) size_t bytes; /* of all, with the head */
};

/* Large blocks are mapped on their own, so that freeing gives them back and huge pages apply. */
static bool is_mapped(size_t bytes)
{
    return bytes >= HUGE_PAGE;
}

static void *take(size_t bytes)
{
    if (!is_mapped(bytes)) {
        void *memory = aligned_alloc(LINE, bytes);
        return memory ? memset(memory, 0, bytes) : NULL;
    }
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return NULL;
    madvise(memory, bytes, MADV_HUGEPAGE); /* advice only */
    return memory;
}

void *mem_alloc(size_t bytes)
{
    if (bytes > PTRDIFF_MAX - HUGE_PAGE)
        return NULL;
    const size_t usable = (bytes + LINE - 1) / LINE * LINE;
    const size_t whole = sizeof(struct head) + usable + RED_ZONE;
    struct head *head = take(whole);
    if (!head)
        return NULL;
    head->bytes = whole;
    char *memory = (char *)(head + 1);
    ASAN_POISON_MEMORY_REGION(head, sizeof *head);
    ASAN_POISON_MEMORY_REGION(memory + usable, RED_ZONE);
    return memory;
}

void mem_free(void *memory)
{
    struct head *head = memory;
    if (!head)
        return;
    head--;
    ASAN_UNPOISON_MEMORY_REGION(head, sizeof *head);
    ASAN_UNPOISON_MEMORY_REGION(head, head->bytes);
    if (is_mapped(head->bytes))
        munmap(head, head->bytes);
    else
        free(head);
}

size_t mem_grain(size_t bytes)
{
    return is_mapped(bytes) ? HUGE_PAGE : bytes;
}

void mem_trim(void)
{
#ifndef __SANITIZE_ADDRESS__ /* Its blocks are not in the heap of malloc_trim, which crashes. */
    malloc_trim(0);
#endif
}

void *mem_place(struct mem_layout *layout, size_t count, size_t each)
{
    size_t start = layout->bytes, size;
    if (!mem_mul(&size, count, each) || !mem_add(&size, size, LINE - 1 + RED_ZONE))
        layout->bytes = SIZE_MAX;
    else
        mem_add(&layout->bytes, start, size / LINE * LINE);
    if (!layout->base)
        return NULL;
    char *part = layout->base + start;
    size = layout->bytes - start - RED_ZONE;
    ASAN_UNPOISON_MEMORY_REGION(part, size);
    ASAN_POISON_MEMORY_REGION(part + size, RED_ZONE);
    return part;
}

bool mem_is_guard(const void *at)
{
    return ASAN_IS_POISONED(at);
}

void mem_unguard(void *memory, size_t bytes)
{
    ASAN_UNPOISON_MEMORY_REGION(memory, bytes);
}

size_t mem_node_limit(void)
{
    static _Atomic size_t known;
    if (known == 0) {
        size_t total = (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
        size_t limit = cgroup_limit("");
        known = size_min(limit, total);
    }
    return known;
}

size_t mem_resident(void)
{
    unsigned long size, resident = 0;
    FILE *file = fopen("/proc/self/statm", "re");
    if (!file)
        return 0;
    if (fscanf(file, "%lu %lu", &size, &resident) != 2)
        resident = 0;
    fclose(file);
    return resident * (size_t)sysconf(_SC_PAGESIZE);
}
