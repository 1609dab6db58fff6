/*
 * Files of orders, for graphs that differ in weights alone. 24 bytes: "apsporde", then 1 for the
 * version and n in 32 bits each and the pattern's hash in 64; then the n vertices in 32 bits each,
 * the first to be eliminated first. Vertices are counted from 0, and all numbers are little-endian.
 */
#ifndef ORDER_FILE_H
#define ORDER_FILE_H

#include "base/file.h"
#include "sparse/pattern.h"

/* Fills vertex[] with the order in that file. APSP_INPUT: it holds none, or that of another
 * pattern; APSP_IO, APSP_MEMORY. Local. */
int order_file_read(uint32_t *vertex, const char *path, const struct pattern *pattern,
                    struct apsp_error *error);

/* The same from one that is open, or in memory. */
int order_file_take(uint32_t *vertex, const struct file *file, const struct pattern *pattern,
                    struct apsp_error *error);

/* The bytes of a file of n vertices, and its content. */
size_t order_file_bytes(size_t n);
void order_file_fill(void *content, const uint32_t *vertex, const struct pattern *pattern);

#endif
