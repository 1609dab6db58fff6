/* Checked sizes, large allocations, and what this node may use. */
#ifndef MEM_H
#define MEM_H

#include <stdbool.h>
#include <stddef.h>

/* *out = a * b and a + b; false when the result does not fit (*out is then SIZE_MAX, so that sums
 * of sizes stay too large). */
bool mem_mul(size_t *out, size_t a, size_t b);
bool mem_add(size_t *out, size_t a, size_t b);

/* count * each; SIZE_MAX when that does not fit. */
size_t mem_bytes(size_t count, size_t each);

/* Zeroed memory on a 64-byte boundary, in huge pages where the system has them. NULL when there is
 * none. */
void *mem_alloc(size_t bytes);
void mem_free(void *memory); /* NULL is allowed */

/* The bytes of a block of this size that become resident at a time as it is written to. */
size_t mem_grain(size_t bytes);

/* Gives back what the C library keeps of small blocks that are free, of all threads. */
void mem_trim(void);

/*
 * The parts of one allocation, said once. A function that places them all serves to count (base
 * NULL, and the addresses are then of no use) and, once there is memory of so many bytes, to find
 * each part.
 */
struct mem_layout {
    char *base;
    size_t bytes; /* of the parts placed so far; SIZE_MAX when they are too many */
};

/* The next part, count * each bytes, on a 64-byte boundary. */
void *mem_place(struct mem_layout *layout, size_t count, size_t each);

/* Whether this byte is of none of the parts, but guards one against the others: with the address
 * sanitizer alone. */
bool mem_is_guard(const void *at);

/* Takes the guards of a layout away, before memory that mem_alloc has not made is given back. */
void mem_unguard(void *memory, size_t bytes);

/* Bytes this node may use: the cgroup's limit, as the process first found it, else MemTotal. */
size_t mem_node_limit(void);

/* Bytes that this process holds resident. */
size_t mem_resident(void);

#endif
