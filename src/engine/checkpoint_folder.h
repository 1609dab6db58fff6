/*
 * For the files of checkpoint*.c alone: the head of a checkpoint, and what a run knows of its
 * folder.
 */
#ifndef CHECKPOINT_FOLDER_H
#define CHECKPOINT_FOLDER_H

#include "engine/checkpoint.h"

#include <stddef.h>

/* The first bytes of each file. */
#define CHECKPOINT_MAGIC "apspckpt"

enum { VERSION = 1, FILES = 2, CORE = FILES, NAMES, NONE = -1 };

/* The head of a file, in a page of its own; all numbers are little-endian. In every version
 * `version` is in the same place, and `hash`, of all bytes before it, ends the same number of
 * bytes. */
struct checkpoint_head {
    char magic[8];
    uint32_t version;
    char dtype[4];                     /* Name of the type of the distances. */
    uint64_t number;                   /* Number of the checkpoint, from 1 on. */
    uint64_t n, m, edges, potentials;  /* As in checkpoint_subject. */
    int32_t scale_binary, scale_power; /* The scale of the distances. */
    uint64_t done;                     /* Eliminated vertices, or finished rows. */
    uint64_t kind;                     /* enum checkpoint_kind. */
    uint64_t bytes, content;           /* Length and hash of the content; 0 for a matrix. */
    uint64_t rows;                     /* checkpoint_subject.rows; 0 for a matrix. */
    bool summed;                       /* checkpoint_subject.summed; false for a matrix. */
    char spare[7];
    uint64_t bound; /* checkpoint_subject.bound; 0 for a matrix. */
    uint64_t hash;
};

_Static_assert(sizeof(struct checkpoint_head) == 128 &&
                   offsetof(struct checkpoint_head, hash) == 120,
               "a head without gaps");
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "numbers go out as they lie in memory");

struct checkpoint {
    struct comm *comm;
    const struct checkpoint_policy *policy;
    char *path[NAMES];
    int folder; /* Locked descriptor on rank 0; -1 on the others. */
    bool made;  /* This run has made the folder. */
    bool held;  /* An earlier run has left a checkpoint in it. */
    struct checkpoint_head head[NAMES];
    bool whole[NAMES]; /* The file is whole, as far as its head tells. */
    int found;         /* Index of the file to resume; NONE: start anew. */
    struct checkpoint_subject subject;
    size_t saved;     /* Vertices eliminated in the file `last`. */
    int last;         /* Index of the youngest file that is whole; NONE. */
    uint64_t number;  /* Number of the last checkpoint, written or tried. */
    bool asked;       /* A signal has asked for one, on any rank. */
    bool refused;     /* This rank was told that nothing is left to save. */
    double written;   /* Time of the last one, or of the start. */
    double exchanged; /* Time at which ranks last asked one another. */
    size_t at;        /* Step before which they did. */
    size_t step;      /* Step before which they ask again. */
    struct checkpoint_figures figures;
};

uint64_t checkpoint_head_hash(const struct checkpoint_head *head);
/* Bytes of the whole file. */
size_t checkpoint_file_bytes(const struct checkpoint_head *head);
/* The youngest file that is whole; NONE. */
int checkpoint_youngest(const struct checkpoint *checkpoint);
/* The figures tell what the run resumes. */
void checkpoint_note_resumed(struct checkpoint *checkpoint);

#endif
