/* Bytes into a staged file, at their offsets: who writes waits for space, if told to (space.h). */
#ifndef WRITE_H
#define WRITE_H

#include "files/staged.h"

struct output_rows {
    const void *at;
    size_t rows, bytes, stride; /* bytes of each, and from one to the next */
};

/* The rows lie close together in the file. Both return 0 or errno. Any thread. */
int write_rows_at(struct staged *staged, const struct output_rows *from, size_t offset);
int write_bytes_at(struct staged *staged, const void *data, size_t bytes, size_t offset);

#endif
