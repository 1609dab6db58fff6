/*
 * The hash of a file by which results are tied to it: XXH3-128 (https://xxhash.com) of the list of
 * those of its blocks of 4 MiB, each as 16 bytes, the highest first, so that threads and ranks can
 * share the file.
 */
#ifndef HASH_H
#define HASH_H

#include "base/file.h"
#include "base/range.h"

enum { HASH_BLOCK = 4 << 20, HASH_TEXT = 33 };

struct hash {
    unsigned char byte[16];
};

size_t hash_blocks(size_t bytes); /* of a file of so many bytes */

/* The hashes of some blocks, with so many threads. APSP_IO. */
int hash_range(struct hash *list, const struct file *file, struct range blocks, int threads,
               struct apsp_error *error);
/* The file's, of all of its blocks'. */
struct hash hash_list(const struct hash *list, size_t count);

/* All of that. APSP_IO, APSP_MEMORY. */
int hash_file(struct hash *hash, const struct file *file, int threads, struct apsp_error *error);

/*
 * The same by a thread beside other work, which has the file for itself: it may be closed
 * meanwhile. NULL, which the others allow, if there can be no such thread. hash_end waits: false if
 * there is no hash, since the file cannot be read, or has been written to since it was opened. Both
 * free.
 */
struct hasher;
struct hasher *hash_start(const struct file *file);
bool hash_end(struct hasher *hasher, struct hash *hash);
void hash_cancel(struct hasher *hasher);

/* XXH3-64 of a row of a matrix, with its number as the seed. */
uint64_t hash_row(const void *row, size_t bytes, size_t number);

/* 32 hexadecimal digits. */
const char *hash_text(const struct hash *hash, char text[HASH_TEXT]);
const char *hash_version(void); /* of the library */

#endif
