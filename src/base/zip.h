/*
 * ZIP archives (PKWARE, "APPNOTE.TXT - .ZIP File Format Specification", 6.3), for readers of a few
 * members of known names. Members are stored or deflated, with 64-bit sizes or not, in one file,
 * not encrypted.
 */
#ifndef ZIP_H
#define ZIP_H

#include "base/file.h"
#include "base/range.h"

#include <stdint.h>

enum { ZIP_NAME = 32, ZIP_MEMBERS = 64, ZIP_DIRECTORY = 1 << 16 };

struct zip_member {
    char name[ZIP_NAME];
    unsigned method, flags;
    size_t packed, bytes; /* in the archive, and unpacked */
    size_t at;            /* offset of what comes before it */
    uint32_t check;       /* sum of what it holds: crc32.h */
};

struct zip {
    const struct file *file;
    size_t count, left; /* members; bytes that may be unpacked, of all members */
    struct zip_member member[ZIP_MEMBERS];
};

/* Reads the directory. APSP_INPUT, also when it has more members or bytes than the limits above;
 * APSP_IO, APSP_MEMORY. */
int zip_open(struct zip *zip, const struct file *file, struct apsp_error *error);

/* NULL when there is none of that name. */
const struct zip_member *zip_find(const struct zip *zip, const char *name);

/*
 * The content of a member: `where` of *content, which is the archive itself or a file without a
 * name, to be closed if it is `unnamed`; its check sum is right. Members may unpack to the limits
 * of base/unpack.h together. APSP_INPUT, APSP_IO (also for want of zlib), APSP_MEMORY.
 */
int zip_extract(struct zip *zip, const struct zip_member *member, struct file *content,
                struct range *where, struct apsp_error *error);

#endif
