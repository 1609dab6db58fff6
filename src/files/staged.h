/*
 * A file that appears whole or not at all. It grows as `.NAME.apsp-tmp` beside its target, and
 * takes the target's name when it is done. Until it is complete, a signal or an exit() that ends
 * the process removes it (base/ending.h). From then on these give it its fallback name, NAME.kept.
 * A temporary file of another run is neither removed nor renamed. Locks distinguish them. On a file
 * system without locks this run takes another name. Names belong to the folder that was there in
 * the beginning, even if the folder is renamed.
 *
 * A symbolic link stays, and the file that it leads to is replaced. The new file has the mode of
 * the old one. A pipe, a device, or "-", standard output, gets the bytes when they are complete.
 * Until then they are in a file in $TMPDIR or /tmp.
 */
#ifndef STAGED_H
#define STAGED_H

#include "base/file.h"
#include "files/space.h"
#include "files/target.h"

/* Paths that a run reads. None of its files may replace them. NULL follows the last. */
struct staged_inputs {
    const char *path[7];
};

enum staged_state {
    STAGED_CLOSED,   /* There is no file. */
    STAGED_GROWING,  /* Something is missing: the end of the process removes the file. */
    STAGED_COMPLETE, /* Nothing is missing: the end of the process gives its fallback name. */
    STAGED_NAMED,    /* The file has its last name, or its last error says where it is. */
    STAGED_LINKED    /* The same, and it has its temporary name too, for a checkpoint. */
};

/* Stays where it is in memory until it is freed, because a signal handler looks for it there. */
struct staged {
    char *path, *temporary;
    char *place;           /* Path of the published file; NULL before. */
    int folder;            /* Descriptor of the temporary file's folder; -1 when closed. */
    enum target_kind kind; /* The target of the path. */
    int fd;                /* The temporary file, for reading and writing; -1 when closed. */
    volatile enum staged_state state; /* A process that has joined may not know the later ones. */
    bool owned;                       /* This struct has made or resumed the file, and names it. */
    bool force;                       /* An existing target is replaced. */
    bool guest; /* The process is a caller's: no signal is handled, and none removes the file. */
    volatile bool retained; /* A checkpoint names it: its temporary name stays. */
    uint64_t folder_hash;   /* Hash of the checkpoints' folder; 0: no checkpoint names it. */
    struct space space;     /* The wait of its writers for space. */
    struct staged *next;    /* The next file of the process (staged_list.h). */
};

/*
 * Whether `path` may be written. APSP_USAGE if the path or its temporary file is one of the files
 * `inputs`, which end with NULL ("-" is standard input; `inputs` may be NULL itself). APSP_USAGE
 * for a name of temporary files, and without `force` for a file or a link that exists. APSP_IO for
 * a directory.
 */
int staged_check(const char *path, const char *const *inputs, bool force, struct apsp_error *error);
bool staged_is_stdout(const char *path);

/* Creates the temporary file, in place of one that a killed run has left. APSP_IO, APSP_MEMORY.
 * Takes a struct that is zeroed, but perhaps for `guest`, to be freed in any case. */
int staged_create(struct staged *staged, const char *path, bool force, struct apsp_error *error);
/* The same for a file that a checkpoint in that folder may name. No other run has its temporary
 * name. */
int staged_create_for(struct staged *staged, const char *path, const char *folder, bool force,
                      struct apsp_error *error);
/* Opens and locks the temporary file `name` beside the target, which a checkpoint names. APSP_IO.
 */
int staged_resume(struct staged *staged, const char *path, const char *name, bool force,
                  struct apsp_error *error);
/* The name for staged_resume. Owned by the struct. */
const char *staged_name(const struct staged *staged);
/* Says whether a checkpoint names the file, to all structs of this process that have it open. The
 * temporary name stays then, and staged_publish adds a hard link where the file system has them. */
void staged_retain(const struct staged *staged, bool retained);
/* Opens the temporary file that another rank has created or resumed. That rank names or removes it;
 * here only the end of the process by a signal removes it. APSP_IO, APSP_MEMORY. */
int staged_join(struct staged *staged, const char *path, const char *temporary, bool retained,
                struct apsp_error *error);
/* Opens the temporary file once more by its name, for reading. APSP_IO if another file has the
 * name. Close `file` in any case. */
int staged_reopen(const struct staged *staged, struct file *file, struct apsp_error *error);
/* Fills `names` with the temporary paths of this process that no checkpoint names, each with its
 * NUL, as far as there is room. Returns the bytes. */
size_t staged_names(char *names, size_t room);
/* Whether this struct owns a file that has no last name yet. */
static inline bool staged_is_pending(const struct staged *staged)
{
    return staged->owned && staged->state < STAGED_NAMED;
}
/* Nothing is missing in the file. All structs of this process that have it open know so. */
void staged_complete(const struct staged *staged);

/*
 * The name of a complete file: the target's, or a fallback name. If that exists, .2
 * to .9 are appended, and then random suffixes. The fallback name of a stream is apsp-NAME.kept or
 * apsp-stdout.kept. STAGED_ALONE: the target's name, or none, and then staged_free removes the
 * file.
 */
enum staged_name { STAGED_TARGET, STAGED_KEPT, STAGED_REFUTED, STAGED_ALONE };
/*
 * Names a file that this struct owns, or writes a stream. Without force a target that has appeared
 * meanwhile stays (APSP_USAGE). APSP_IO. A file that cannot have the target's name gets a fallback
 * name, or keeps its temporary one: the message says where it is.
 */
int staged_publish(struct staged *staged, enum staged_name as, struct apsp_error *error);
/* Removes a temporary file that is incomplete, and gives a complete one its fallback name. A zeroed
 * struct is allowed. */
void staged_free(struct staged *staged);
/* The same for all files of this process, for a process that is about to abort. Frees nothing. */
void staged_abandon(void);

#endif
