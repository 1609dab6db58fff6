/* The target of an output's path: a file, or a stream that only takes bytes in order. */
#ifndef TARGET_H
#define TARGET_H

#include "base/error.h"

/* FILE: a regular file, or none yet, which a file beside it may replace; STREAM: a pipe, a
 * character device, or a file by a descriptor, /dev/fd/N, to which bytes are appended; STDOUT:
 * standard output, whatever it is, as "-" or by a name that leads there. */
enum target_kind { TARGET_FILE, TARGET_STREAM, TARGET_STDOUT };

/* The name of the path in messages: "-" is standard output. */
const char *target_name(const char *path);

/* APSP_IO for what nothing is written to: folders, block devices, sockets. */
int target_find(enum target_kind *kind, const char *path, struct apsp_error *error);

/* The path of the file that a chain of symbolic links ends in, there or not; free() it. NULL: no
 * memory, or no end of the links. */
char *target_follow(const char *path);

struct space;

/* Copies all of the file into a stream or stdout. Waits for a pipe to have a reader, and a file for
 * space. APSP_IO or APSP_MEMORY, with errno. */
int target_write(const char *path, enum target_kind kind, int file, struct space *space,
                 struct apsp_error *error);

#endif
