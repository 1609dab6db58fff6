/*
 * Checkpoints: a folder of two files, checkpoint.1 and checkpoint.2, each a whole state of the work. The next
 * one is written in place of the older, staged, while the younger stays, so that there is always one that is
 * whole. A file does not depend on ranks, device or transport: the matrix row by row, each row with its hash.
 *
 * The state is that of the elimination of vertices in the order of their numbers: D[i][j] is the length of
 * the shortest path from i to j whose inner vertices have been eliminated, reweighted by the potentials.
 *
 * One run has the folder, which it holds locked where the file system has locks.
 */
#ifndef CHECKPOINT_H
#define CHECKPOINT_H

#include "base/dtype.h"
#include "base/options.h"
#include "base/range.h"
#include "base/scale.h"
#include "comm/comm.h"
#include "proof/potential.h"

/* What a state is of. */
struct checkpoint_subject {
    size_t n, m;
    uint64_t edges;      /* a checksum of them, and of what the options make of them */
    enum dtype dtype;    /* that of the values, */
    struct scale scale;  /* what they are divided by, */
    uint64_t potentials; /* and a hash of the potentials in them */
};

/* This rank's rows, in host memory or elsewhere. */
struct checkpoint_strip {
    struct range rows;
    size_t width; /* bytes of a row */
    char *at;     /* the first row; NULL: it is not in host memory */
    size_t pitch; /* from row to row */
    char *buffer; /* room for `room` rows, where `at` is NULL; and what copies rows there, or back */
    size_t room;
    void (*copy)(void *self, struct range rows, char *buffer, bool back);
    void *self;
    int threads;
};

/* For the report. */
struct checkpoint_figures {
    const char *folder;
    size_t taken;   /* by this run, */
    double bytes;   /* of all of them, */
    double seconds; /* in which nothing was solved */
    size_t resumed; /* vertices that had been eliminated before this run */
};

struct checkpoint;

/*
 * Collective; ends in agreement. *checkpoint is NULL where the options ask for none. Makes the folder, if it
 * is not there, and locks it; with --resume finds the state to go on from. APSP_USAGE: there is one, and
 * nobody has said what is to become of it, or --dtype contradicts it; APSP_INPUT: it is of another version or
 * number of vertices; APSP_IO: the folder, or no file in it is whole.
 */
int checkpoint_open(struct checkpoint **checkpoint, struct comm *comm, const struct job_options *options,
                    size_t n, struct apsp_error *error);
/* Removes what is in the folder, and the folder if that was all, if the work is done. NULL is allowed. */
void checkpoint_free(struct checkpoint *checkpoint, bool done);

/* The name of the type of the state to go on from; NULL without one. */
const char *checkpoint_type(const struct checkpoint *checkpoint);
/* Vertices that have been eliminated in it; 0 without one. NULL is allowed. */
size_t checkpoint_eliminated(const struct checkpoint *checkpoint);
/* Bytes of memory while rows are read or written. */
size_t checkpoint_need(struct range rows);
/* Bytes of a file of so many vertices. */
size_t checkpoint_bytes(size_t n, enum dtype dtype);

uint64_t checkpoint_hash(const struct potential *potential);
/* Collective; ends in agreement. Whether the state to go on from is of this: APSP_INPUT. */
int checkpoint_match(struct checkpoint *checkpoint, const struct checkpoint_subject *subject,
                     struct apsp_error *error);

/*
 * Collective; ends in agreement. Fills the strip with the state to go on from. A file that is damaged is told
 * of on stderr where the older one is not. APSP_IO.
 */
int checkpoint_load(struct checkpoint *checkpoint, const struct checkpoint_strip *strip,
                    struct apsp_error *error);

/* Collective, before step number `step` of equal ones, in ascending order: whether now is the time. Cheap:
 * ranks ask one another about ten times a second. */
bool checkpoint_due(struct checkpoint *checkpoint, size_t step);
/* Local: a signal has asked for one, and there is something to save beyond what has been. */
bool checkpoint_asked(struct checkpoint *checkpoint);

/*
 * Collective; ends in agreement. Writes the state after that many vertices. If it cannot, the one before
 * stays. If a signal has asked for it: APSP_STOPPED, or else what is in the way, APSP_IO; without one a line
 * on stderr tells that, and the run goes on.
 */
int checkpoint_save(struct checkpoint *checkpoint, const struct checkpoint_strip *strip, size_t eliminated,
                    struct apsp_error *error);

struct checkpoint_figures checkpoint_figures(const struct checkpoint *checkpoint);

#endif
