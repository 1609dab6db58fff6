/*
 * A file that appears whole or not at all: it grows as `.NAME.apsp-tmp` beside its target and takes the
 * target's name when it is done. Until then a signal or an exit() that ends the process removes it
 * (ending.h). A file of that name that another run has made meanwhile is neither removed nor renamed.
 *
 * A symbolic link stays, and the file that it leads to is replaced. What is no regular file, a pipe, a device
 * or "-", standard output, gets the bytes when they are complete: until then they are in a file in $TMPDIR or
 * /tmp.
 */
#ifndef STAGED_H
#define STAGED_H

#include "base/target.h"

/* Stays where it is in memory until it is freed: a signal handler looks for it there. */
struct staged {
    char *path, *temporary;
    enum target_kind kind; /* of the path */
    int fd;                /* of the temporary file, open for reading and writing; -1 when closed */
    bool made;             /* the temporary file exists and is ours to remove */
    bool force;
    struct staged *volatile next; /* of those that signals remove */
};

/*
 * Whether `path` may be written: not the file `input` (may be NULL) nor, without `force`, a file or a
 * symbolic link to one that exists (APSP_USAGE); never a directory (APSP_IO).
 */
int staged_check(const char *path, const char *input, bool force, struct apsp_error *error);
bool staged_is_stdout(const char *path);

/* Creates the temporary file, in place of one that a killed run has left. APSP_IO, APSP_MEMORY. Free in any
 * case. */
int staged_create(struct staged *staged, const char *path, bool force, struct apsp_error *error);
/* Opens the temporary file that another process has created. Its removal stays with that process, but for
 * signals. */
int staged_join(struct staged *staged, const char *path, const char *temporary, struct apsp_error *error);
/* The names of the temporary files of this process, each with its NUL, as far as there is room; their bytes.
 */
size_t staged_names(char *names, size_t room);
/* Renames (APSP_IO). Without force a target that has appeared meanwhile is left alone (APSP_USAGE). For
 * whoever created it. */
int staged_publish(struct staged *staged, struct apsp_error *error);
/* Removes the temporary file unless it was published. A zeroed struct is allowed. */
void staged_free(struct staged *staged);
/* Removes the temporary files of this process without any clean-up: for one that is about to abort. */
void staged_abandon(void);

#endif
