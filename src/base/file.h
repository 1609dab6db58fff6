/* Files that are read at any offset: graphs, and matrices of results. */
#ifndef FILE_H
#define FILE_H

#include "base/error.h"

#include <time.h>

struct file {
    const char *path;        /* not owned */
    int fd;                  /* -1 when closed */
    size_t bytes;            /* when it was opened */
    const char *memory;      /* its content, if it is no file; not owned */
    bool unnamed;            /* no other process can open it by its path */
    bool foreign;            /* others may write to it; they have last done so */
    struct timespec written; /* then */
};

/* Opens a regular file, `what` by its name in messages ("the graph"). APSP_IO. Close in any case.
 */
int file_open(struct file *file, const char *path, const char *what, struct apsp_error *error);
/* The same of one that has just been opened for reading as `fd`, which it owns; -1: errno tells why
 * not. */
int file_take(struct file *file, int fd, const char *path, const char *what,
              struct apsp_error *error);
/* As the first, but a pipe is copied to an unnamed file in $TMPDIR or /tmp, which is then read in
 * its place. So is "-", standard input, unless it is a regular file. Waits for what its writers
 * write, and for none to come: without one it fails. */
int file_spool(struct file *file, const char *path, const char *what, struct apsp_error *error);
/* A new file without a name in that folder, for reading and writing; where file systems know of
 * such files it never has one that a signal could leave behind. -1: errno tells why not. */
int file_unnamed(const char *folder);
/* Makes an empty file without a name, in $TMPDIR or /tmp, which is to be read as `path`; and lets
 * it grow. APSP_IO. */
int file_nameless(struct file *file, const char *path, struct apsp_error *error);
int file_append(struct file *file, const void *data, size_t bytes, struct apsp_error *error);
/* As if it were opened: a file with that content. */
struct file file_in_memory(const char *name, const void *data, size_t bytes);
void file_close(struct file *file);

/* Whether the file is unchanged since it was opened, by its size and its time of change. */
bool file_is_same(const struct file *file);

/* APSP_INPUT if the first bytes of a text are the mark of another encoding than UTF-8. */
int file_check_text(const char *path, const void *text, size_t bytes, struct apsp_error *error);

/* Reads exactly `bytes` bytes at `offset`. APSP_IO, also when the file has become shorter. */
int file_read(const struct file *file, size_t offset, void *data, size_t bytes,
              struct apsp_error *error);

#endif
