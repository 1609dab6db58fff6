/* Checked sizes, large allocations, and what this node may use. */
#ifndef MEM_H
#define MEM_H

#include <stdbool.h>
#include <stddef.h>

/* *out = a * b and a + b; false when the result does not fit (*out is then SIZE_MAX, so that sums of sizes
 * stay too large). */
bool mem_mul(size_t *out, size_t a, size_t b);
bool mem_add(size_t *out, size_t a, size_t b);

/* count * each; SIZE_MAX when that does not fit. */
size_t mem_bytes(size_t count, size_t each);

/*
 * Zeroed memory on a 64-byte boundary, in huge pages where the system has them. NULL when there is none.
 * Release with mem_free and the same size.
 */
void *mem_alloc(size_t bytes);
void mem_free(void *memory, size_t bytes);

/* Bytes this node may use: the cgroup's limit, else MemTotal. */
size_t mem_node_limit(void);

/* Bytes that this process holds resident now, and at its highest. */
size_t mem_resident(void);
size_t mem_peak(void);

#endif
