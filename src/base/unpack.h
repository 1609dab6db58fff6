/*
 * Compressed files, told by their first bytes: gzip, zstd, xz, bzip2.
 */
#ifndef UNPACK_H
#define UNPACK_H

#include "base/file.h"
#include "base/late.h"
#include "base/range.h"

/* Unpacked data may have so many bytes, or so many times those of the file if that is more.
 */
enum { UNPACK_ALWAYS = 1 << 30, UNPACK_TIMES = 200 };

/*
 * Puts what an open file holds compressed into a file without a name, in $TMPDIR or /tmp, that
 * takes its place; a file of another kind stays as it is, and *unpacked false. APSP_IO: the library
 * is missing, whose package the message names, or the copy cannot be written; APSP_INPUT: the file
 * is damaged, or holds more than the limits above; APSP_MEMORY.
 */
int file_unpack(struct file *file, bool *unpacked, struct apsp_error *error);

size_t unpack_limit(const struct file *file); /* the more of these */

/* Puts bytes of a file, which are deflated without a head, into one without a name. They must come
 * to exactly so many. As file_unpack otherwise; `to` is to be closed if it is `unnamed`. */
int file_inflate(struct file *to, const struct file *from, struct range where, size_t bytes,
                 struct apsp_error *error);

/* The part of the file that is read and not yet unpacked, and the target of unpacked bytes; both
 * advance. */
struct unpack_stream {
    unsigned char *in, *out;
    size_t left, room;
    bool last; /* nothing follows what is in `in` */
};

/* ENDED: the stream is complete, and another one may follow. MEMORY: it would take more than 256
 * MiB. */
enum unpack_state { UNPACK_MORE, UNPACK_ENDED, UNPACK_DAMAGED, UNPACK_MEMORY };

/* A kind of compression: a row of the table in codecs.c. */
struct codec {
    const char *name, *magic;
    struct late late;
    size_t bytes;               /* of the state, zeroed before begin */
    bool (*begin)(void *state); /* false without memory; end only if it was true */
    enum unpack_state (*step)(void *state, struct unpack_stream *stream);
    void (*end)(void *state);
    bool padded; /* zeros may follow the last stream */
};
extern const struct codec codecs[]; /* up to one without a name */
extern const struct codec codec_deflate;

/* Compressing, as zlib does: loads it, `what` is to be written to `path`. APSP_IO. */
int deflate_load(const char *path, const char *what, struct apsp_error *error);
/* Puts what the bytes become into `out`; returns how many those are, 0 if not fewer than `room`.
 * After deflate_load; threads may do so at once. */
size_t deflate_bytes(void *out, size_t room, const void *data, size_t bytes, int level);

#endif
