/*
 * Checkpoints: a folder of two files, checkpoint.1 and checkpoint.2, each a complete state of the
 * work. Before a new one is written, under a temporary name, the older one is removed. So one
 * complete file is there at any time. A file does not depend on ranks, device or transport. The
 * content after its header is one of two kinds: checkpoint_matrix.h, checkpoint_rows.h. Beside them
 * there may be checkpoint.core: the solved matrix of the dense core, which a run that resumes reads
 * again and which does not change.
 *
 * One run at a time uses the folder: it locks it if the file system has locks.
 */
#ifndef CHECKPOINT_H
#define CHECKPOINT_H

#include "base/dtype.h"
#include "base/file.h"
#include "base/scale.h"
#include "comm/comm.h"
#include "files/staged.h"
#include "proof/potential.h"
#include "rows/output.h"

enum checkpoint_kind { CHECKPOINT_NONE = -1, CHECKPOINT_MATRIX, CHECKPOINT_ROWS, CHECKPOINT_CORE };

/* The computation of a state. */
struct checkpoint_subject {
    size_t n, m;
    uint64_t edges;      /* a checksum of them, and of what the options make of them */
    enum dtype dtype;    /* type of the values */
    struct scale scale;  /* divisor of the values */
    uint64_t potentials; /* hash of the potentials in the values */
    uint64_t rows;       /* hash of the results of rows, if rows are a part of the state */
    bool summed;         /* rows are sums along paths */
    int64_t bound;       /* No whole distance is further from 0; 0: it is not told. */
};

/* The content of a file after its header. Local calls, of all ranks. */
enum { CHECKPOINT_HEAD = 4096 }; /* bytes before it */
struct checkpoint_content {
    enum checkpoint_kind kind;
    size_t done, all; /* vertices that have been eliminated, or rows; of a core its kappa */
    size_t bytes;     /* length of the content; 0 for a matrix, whose length is known */
    double begun;     /* the clock when saving began */
    void *self;
    /* *hash: of it, where rows of it do not have one each. */
    int (*write)(void *self, struct output *output, uint64_t *hash, struct apsp_error *error);
};

/* For the report. */
struct checkpoint_figures {
    const char *folder;
    size_t taken;   /* checkpoints that this run wrote */
    double bytes;   /* bytes of these checkpoints */
    double seconds; /* seconds in which nothing was solved */
    size_t resumed; /* vertices eliminated, or rows made, before this run */
    bool rows;      /* `resumed` counts rows */
};

/* When and where checkpoints are made. Strings belong to the caller. */
struct checkpoint_policy {
    const char *folder; /* NULL: there are none. */
    bool resume;        /* The run goes on from the one that is there. */
    bool keep;          /* Checkpoints stay when the work is done. */
    double every;       /* Seconds between two; 0: when a signal asks for one. */
    bool force;         /* Existing checkpoints are replaced. */
    int write_retry;    /* Seconds to wait for space on disk. */
    const char *dtype;  /* Type that the run asks for: "auto" or its name. */
    struct staged_inputs inputs;
};

struct checkpoint;

/*
 * Collective; ends in agreement. *checkpoint is NULL where the policy asks for none. Makes the
 * folder, if it is not there, and locks it; to resume it finds the state to go on from.
 * APSP_USAGE: there is one, and the policy does not say what to do with it, or its type is another;
 * APSP_INPUT: it is of another version or number of vertices; APSP_IO: the folder, or no file in it
 * is whole.
 */
int checkpoint_open(struct checkpoint **checkpoint, struct comm *comm,
                    const struct checkpoint_policy *policy, size_t n, struct apsp_error *error);
/* Removes what is in the folder, and the folder if that was all, if the work is done. NULL is
 * allowed. */
void checkpoint_free(struct checkpoint *checkpoint, bool done);

/* For the state to resume from; NULL is allowed. The content. */
enum checkpoint_kind checkpoint_kind(const struct checkpoint *checkpoint);
/* The name of its type; NULL without one. */
const char *checkpoint_type(const struct checkpoint *checkpoint);
/* Whether rows in it are sums along paths; NULL without one that has any. */
const bool *checkpoint_summed(const struct checkpoint *checkpoint);
/* The bound that its run had; 0: there is none, or it is not told. */
int64_t checkpoint_bound(const struct checkpoint *checkpoint);
/* Vertices that have been eliminated in it; 0 without one. */
size_t checkpoint_eliminated(const struct checkpoint *checkpoint);
/* Bytes of a file of the whole matrix of so many vertices. */
size_t checkpoint_bytes(size_t n, enum dtype dtype);

uint64_t checkpoint_hash(const struct potential *potential);
/* The hash of the data of that hash, followed by so many bytes. */
uint64_t checkpoint_mix(uint64_t hash, const void *data, size_t bytes);
/* Collective; ends in agreement. Whether the state to go on from is of this: APSP_INPUT;
 * APSP_USAGE: rows become something else. */
int checkpoint_match(struct checkpoint *checkpoint, const struct checkpoint_subject *subject,
                     struct apsp_error *error);
const struct checkpoint_subject *checkpoint_subject(const struct checkpoint *checkpoint);

/*
 * Collective; ends in agreement. Reads the state to go on from: `read` gets the file on every rank,
 * and what follows its head has so many bytes and that hash. A file that is damaged, APSP_IO, is
 * told of on stderr where the older one is not. APSP_IO.
 */
struct checkpoint_reader {
    void *self;
    int (*read)(void *self, const struct file *file, size_t bytes, uint64_t hash,
                struct apsp_error *error);
};
int checkpoint_read(struct checkpoint *checkpoint, const struct checkpoint_reader *reader,
                    struct apsp_error *error);

/* Collective. For what is found damaged later: whether there is the older one, which is to be read
 * next. The error is gone then, and told of. */
bool checkpoint_fall_back(struct checkpoint *checkpoint, struct apsp_error *error);

/* Collective, before step number `step` of equal ones, in ascending order: whether now is the time.
 * Cheap: ranks ask one another about ten times a second. */
bool checkpoint_due(struct checkpoint *checkpoint, size_t step);
/* The same as this rank alone sees it. */
bool checkpoint_wanted(const struct checkpoint *checkpoint);
/* Local: a signal has asked for one, and there is something to save beyond what has been. */
bool checkpoint_asked(struct checkpoint *checkpoint);

/*
 * Collective; ends in agreement. Writes the state. If it cannot, the one before stays. If a signal
 * has asked for it: APSP_STOPPED, or else what is in the way, APSP_IO; without one a line on stderr
 * tells that, and the run goes on.
 */
int checkpoint_write(struct checkpoint *checkpoint, const struct checkpoint_content *content,
                     struct apsp_error *error);
/* Whether there is one that is whole, of this run or the one that it goes on from. */
bool checkpoint_is_there(const struct checkpoint *checkpoint);

/*
 * The core. Its kappa, SIZE_MAX without a file that is whole. Collective; ending in agreement:
 * reading it, as `read` does in checkpoint_read, and writing it, of which nothing depends but time:
 * a line on stderr tells why it cannot be.
 */
size_t checkpoint_core_kappa(const struct checkpoint *checkpoint); /* NULL is allowed */
bool checkpoint_read_core(struct checkpoint *checkpoint, const struct checkpoint_reader *reader);
void checkpoint_write_core(struct checkpoint *checkpoint, const struct checkpoint_content *content);

struct checkpoint_figures checkpoint_figures(const struct checkpoint *checkpoint);

#endif
