/*
 * The names of a staged file (staged.h): the temporary one beside its target, and the fallback name
 * of a complete file that cannot have its target's name.
 */
#ifndef STAGED_NAME_H
#define STAGED_NAME_H

#include "files/staged.h"

#include <limits.h>
#include <sys/stat.h>

/* Whether the path leads to that file. */
bool staged_path_leads_to(const char *path, const struct stat *file);

/* The last part of a path. */
const char *staged_name_base(const char *path);

/* Whether the name, without a folder, is one of temporary files. */
bool staged_name_is_temporary(const char *name);

/* A number for names that no other text is likely to have. */
uint64_t staged_name_hash(const char *text);

/* The temporary name beside that path, with a mark before its ending. A hash takes the place of the
 * end of a name that is too long. To be freed; NULL: no memory. */
char *staged_name_beside(const char *path, const char *mark);

/* The temporary path of the file: beside its target, or, for a stream, a random name in $TMPDIR or
 * /tmp. `again`: the first name is taken. To be freed; NULL: no memory, or no random number. */
char *staged_name_temporary(const struct staged *staged, bool again);

/* Safe in a signal handler, like the rest below. Whether the temporary name still belongs to the
 * open file: another run may have taken the file for stale. */
bool staged_name_is_held(const struct staged *staged);

/* Renames within the folder unless `to` exists (EEXIST). False with errno. */
bool staged_name_move(int folder, const char *from, const char *to);

/* Moves the file from its temporary name to its fallback name, which is left in `name`:
 * A fallback name, then with .2 to .9, then with random suffixes.
 * False with errno. */
bool staged_name_fall_back(const struct staged *staged, enum staged_name as,
                           char name[NAME_MAX + 1]);

#endif
