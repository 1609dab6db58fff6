/*
 * The bytes made from rows that come in any order, any number for each. Workers spill them to an
 * unnamed file, and later find them there by the row's position.
 */
#ifndef KEPT_H
#define KEPT_H

#include "rows/sink.h"

struct kept;

/* For so many rows of all ranks. The file is beside that one, which stays; NULL: in memory.
 * APSP_IO, APSP_MEMORY; *kept is then NULL. Local. */
int kept_open(struct kept **kept, size_t rows, struct comm *comm, struct staged *beside,
              struct apsp_error *error);
void kept_free(struct kept *kept); /* NULL is allowed */

/* Bytes in host memory, of all workers, for so many rows of at most `most` bytes. */
size_t kept_need(size_t rows, size_t most, int lanes);

/* Where the worker's next row goes, of at most `most` bytes, which is the same for all; NULL
 * without memory. */
char *kept_room(struct kept *kept, int lane, size_t most, struct apsp_error *error);
/* The row at that place is there now, and has so many bytes. APSP_IO. */
int kept_add(struct kept *kept, int lane, size_t place, size_t bytes, struct apsp_error *error);

/* After the last row. Collective; ends without agreement: all ranks then know the bytes of each
 * row. APSP_IO.
 */
int kept_merge(struct kept *kept, struct apsp_error *error);
/* The result of the row at that position, and its bytes; NULL, and they are there too, if another
 * rank has it or it has none. */
const char *kept_row(const struct kept *kept, size_t place, size_t *bytes);

#endif
