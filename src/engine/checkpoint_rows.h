/*
 * Checkpoints of engines that make rows on request. They have the engine's own data, the rows that
 * all sinks have taken, and the results of these (sink_ops.save). Rows in a file stay there: the
 * checkpoint has its temporary name, and their hashes.
 */
#ifndef CHECKPOINT_ROWS_H
#define CHECKPOINT_ROWS_H

#include "engine/checkpoint.h"
#include "rows/sink.h"

struct rows_head;

/* Zeroed, but for the first line. */
struct checkpoint_rows {
    struct comm *comm;
    int threads;
    struct checkpoint *checkpoint;
    struct sinks *sinks;
    void *kept; /* the engine's, of the run that this one goes on from, on rank 0 */
    size_t kept_bytes;
    struct rows_head *head; /* of its state, there too */
};

/* Collective; ends in agreement. The data of the run that this one resumes, if its checkpoints are
 * of this kind. APSP_IO, APSP_MEMORY. Free in any case. */
int checkpoint_rows_find(struct checkpoint_rows *rows, struct checkpoint *checkpoint,
                         struct apsp_error *error);
/* Local, before the sinks are opened: tells each which file that run has begun. */
void checkpoint_rows_name(const struct checkpoint_rows *rows, struct sinks *sinks);
/*
 * Collective; ends in agreement. Once they are open: from now on they know what is done, and have
 * what has come of that. Rows in files are held against their hashes. As checkpoint_read;
 * APSP_MEMORY.
 */
int checkpoint_rows_load(struct checkpoint_rows *rows, struct sinks *sinks,
                         struct apsp_error *error);
/* Collective; ends in agreement, as checkpoint_write. Between two passes. The stored data are rank
 * 0's. Written rows that cannot be synced to the disk are an error in any case, APSP_IO.
 */
int checkpoint_rows_save(struct checkpoint_rows *rows, const void *kept, size_t kept_bytes,
                         struct apsp_error *error);
/* No checkpoint will be gone on from: what is in files is no longer kept for one. */
void checkpoint_rows_end(const struct checkpoint_rows *rows);
void checkpoint_rows_free(struct checkpoint_rows *rows);

#endif
