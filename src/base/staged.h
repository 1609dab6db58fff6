/*
 * A file that appears whole or not at all: it grows as `.NAME.apsp-tmp` beside its target and takes
 * the target's name when it is done. Until it is complete a signal or an exit() that ends the
 * process removes it (ending.h), and from then on that names it NAME.kept. A file of the temporary
 * name that another run has made is neither removed nor renamed: locks tell, and where there are
 * none this run takes another name. Names are those of the folder that was there in the beginning,
 * whatever it is called later.
 *
 * A symbolic link stays, and the file that it leads to is replaced; what replaces a file has its
 * mode. What is no regular file, a pipe, a device or "-", standard output, gets the bytes when they
 * are complete: until then they are in a file in $TMPDIR or /tmp.
 */
#ifndef STAGED_H
#define STAGED_H

#include "base/file.h"
#include "base/space.h"
#include "base/target.h"

/* Paths that a run reads, and that none of its files may replace: NULL behind the last. */
struct staged_inputs {
    const char *path[5];
};

/* Stays where it is in memory until it is freed: a signal handler looks for it there. */
struct staged {
    char *path, *temporary;
    char *place;           /* where the complete file is, once that is settled; NULL before */
    int folder;            /* of the temporary file; -1 when closed */
    enum target_kind kind; /* of the path */
    int fd;                /* of the temporary file, open for reading and writing; -1 when closed */
    bool made;             /* the temporary file exists and is ours to remove or to name */
    bool force;
    _Atomic bool complete; /* set by its owner, on all ranks: from now on it is not removed */
    _Atomic bool kept;     /* nor is this one: a checkpoint names it */
    bool twice; /* it has its target's name, or one beside that, and that of the checkpoint */
    uint64_t folder_hash; /* of the folder of checkpoints that may name it; 0: none may */
    struct space space;   /* of its writers */
    struct staged *next;  /* of those that signals remove */
};

/*
 * Whether `path` may be written: neither it nor its temporary file is one of the files `inputs`, up
 * to a NULL (or NULL; "-" is standard input), nor a name of temporary files, nor, without `force`,
 * a file or a symbolic link to one that exists (APSP_USAGE); never a directory (APSP_IO).
 */
int staged_check(const char *path, const char *const *inputs, bool force, struct apsp_error *error);
bool staged_is_stdout(const char *path);

/* Creates the temporary file, in place of one that a killed run has left. APSP_IO, APSP_MEMORY. A
 * zeroed struct; free in any case. */
int staged_create(struct staged *staged, const char *path, bool force, struct apsp_error *error);
/* The same for a file that a checkpoint in that folder may come to name: its temporary name is that
 * of no other run's. */
int staged_create_for(struct staged *staged, const char *path, const char *folder, bool force,
                      struct apsp_error *error);
/* Opens the temporary file of that name beside the target, which a checkpoint names, as if it had
 * been created, and locks it. APSP_IO. */
int staged_resume(struct staged *staged, const char *path, const char *name, bool force,
                  struct apsp_error *error);
/* What staged_resume is to be told. */
const char *staged_name(const struct staged *staged);
/* Whether a checkpoint names it: nothing takes that name away then, and where there are hard links
 * staged_publish adds another one. For whoever has it open. */
void staged_keep(const struct staged *staged, bool kept);
/* Opens the temporary file that another process has created, or resumed, and then it is kept. Its
 * removal stays with that process, but for signals. */
int staged_join(struct staged *staged, const char *path, const char *temporary, bool kept,
                struct apsp_error *error);
/* Opens the temporary file by its name once more, as every rank sees it. APSP_IO, also when it is
 * another one by now. Close in any case. */
int staged_reopen(const struct staged *staged, struct file *file, struct apsp_error *error);
/* The names of the temporary files of this process that are not kept, each with its NUL, as far as
 * there is room; their bytes.
 */
size_t staged_names(char *names, size_t room);
/* Nothing is missing in the file: no process that knows so removes it any more. For whoever has it
 * open. */
void staged_complete(const struct staged *staged);
/* A complete file gets its target's name, or one beside that, which nothing has yet: NAME.kept, or
 * NAME.refuted, and then NAME.kept.2 and so on. What was for a stream is apsp-NAME.kept, or
 * apsp-stdout.kept. STAGED_ALONE: its target's or none, and then it is removed when it is freed. */
enum staged_name { STAGED_TARGET, STAGED_KEPT, STAGED_REFUTED, STAGED_ALONE };
/*
 * Names the file, for whoever created it; or writes a stream, which has no other name. Without
 * force a target that has appeared meanwhile is left alone (APSP_USAGE); APSP_IO. A file that
 * cannot have the target's name is NAME.kept, or stays where it is: the message says where.
 */
int staged_publish(struct staged *staged, enum staged_name as, struct apsp_error *error);
/* Removes a temporary file that was not published; one that is complete is named NAME.kept. A
 * zeroed struct is allowed. */
void staged_free(struct staged *staged);
/* The same for all files of this process, without any clean-up: for one that is about to abort. */
void staged_abandon(void);

#endif
