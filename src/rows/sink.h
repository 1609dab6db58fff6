/*
 * Sinks: what becomes of the finished rows. A sink is one file and one row of the table in sinks.c;
 * the results that are wanted say which of them a run has. Every block of rows (block.h) goes to
 * all of them, in one pass (rows.h).
 */
#ifndef SINK_H
#define SINK_H

#include "base/algebra.h"
#include "base/scale.h"
#include "base/setting.h"
#include "comm/comm.h"
#include "proof/certify.h"
#include "rows/beside.h"
#include "rows/block.h"
#include "rows/half.h"
#include "rows/results.h"
#include "rows/sources.h"

struct output;
struct staged;
struct rows_maker;

/* Distances are wanted only where they are small. */
struct rows_near {
    bool asked;
    size_t nearest;   /* Only the so many nearest of a row, and all that are as near as the last of
                         these; 0: any number. */
    union value most; /* No distance is wanted that is larger. */
    bool unordered;   /* The columns of a block may come in any order. */
};

/* Words in which a checkpoint finds what has come of rows: of all ranks together the sum of each,
 * or the most. */
struct sink_part {
    size_t *word, words;
    bool most;
};
enum { SINK_PARTS = 4 };

/* The inputs of the sinks of a run. */
struct sink_task {
    const struct results *results;
    struct comm *comm;
    size_t n, m;                   /* vertices, and edges at most */
    enum dtype dtype;              /* type of the blocks to come */
    enum dtype file;               /* type of the distances in files */
    struct scale scale;            /* divisor of integer rows */
    union value bound;             /* no distance in rows is further from 0; of type `dtype` */
    bool negative;                 /* some distance may be below 0 */
    const struct sources *sources; /* whose rows there are; NULL: all */
    const struct sources *targets; /* the vertices to which distances are wanted, by those sinks
                                      that heed them; NULL: all. Only its list of vertices counts */
    const char *folder;     /* of checkpoints that hold what has come of rows; NULL: none do */
    int threads;            /* of this rank; 0: one */
    int gpu;                /* that the rank computes on: its number + 1; 0: on cores */
    bool summed;            /* sinks take rows of sums along paths (rows/sums.h) */
    struct algebra algebra; /* sinks take the values of rows of its keys */
    struct certificate certificate; /* what rows are held against; its edges are there from the
                                       first block on, where a sink wants them */
};

/* The divisor of the numbers in files. */
static inline double sink_divisor(const struct sink_task *task)
{
    return dtype_info[task->file].real ? 1 : scale_factor(task->scale);
}

/* Rows of all ranks, and where that of a vertex comes among them. */
static inline size_t sink_rows(const struct sink_task *task)
{
    return task->sources && task->sources->count ? task->sources->count : task->n;
}

static inline size_t sink_place(const struct sink_task *task, size_t vertex)
{
    return task->sources && task->sources->count ? task->sources->place[vertex] - (size_t)1
                                                 : vertex;
}

/* A sum over the rows stands for one over all vertices, if these are a sample: times this. */
static inline double sink_sample_factor(const struct sink_task *task)
{
    return task->sources && task->sources->random ? (double)task->n / (double)sink_rows(task) : 1;
}

/* Columns of the rows, for sinks that use the targets. */
static inline size_t sink_columns(const struct sink_task *task)
{
    return task->targets ? task->targets->count : task->n;
}

/* and row k of a block, with these columns alone: where it lies or, of a block with all columns, in
 * `room`.
 */
const void *sink_row(const struct sink_task *task, const struct block *block, size_t k, void *room);
/* The same, with values as files have them. The room has sink_file_room bytes. */
size_t sink_file_room(const struct sink_task *task);
const void *sink_file_row(const struct sink_task *task, const struct block *block, size_t k,
                          void *room);

/* Bytes: in host memory on this rank while blocks come, by `lanes` workers; in the memory of the
 * device that has them; and on disk, of all ranks. The maximum number of rows that it uses beside
 * other sinks, over all ranks; 0: all. And the visits of vertices and edges that its work comes to,
 * of all ranks; 0: no more than passing rows on.
 */
struct sink_need {
    size_t host, device, disk, rows;
    double visits;
    bool disk_most; /* the bytes on disk show when rows do: so many at most */
    bool no_rows;   /* The sink uses no rows if there is no other sink. */
};

struct sink {
    const struct sink_ops *ops;
    const struct sink_task *task;
    void *state;
    struct output *output; /* of the file that it makes, where all ranks write that; NULL: none */
    struct staged *staged; /* the same where rank 0 writes it, and has it open; NULL: none */
    const char *begun; /* the temporary name of that of a run that this one goes on from, or NULL */
    bool opened;
    bool lost;        /* it has failed, on some rank, and gets no more; the others go on */
    bool merged;      /* without an error */
    size_t rows;      /* rows of all ranks that the sink took */
    double amount;    /* amount of its work in `unit`, after merge */
    const char *unit; /* the unit, after merge */
    double seconds;   /* that it took, of wall time */
};

/*
 * Any but name and take may be NULL. Collective functions end without agreement, which the caller
 * makes. They are called in this order; close, after whatever happened, for each that open was
 * called for.
 */
struct sink_ops {
    const char *name; /* of the phase in the report */
    bool wants_edges; /* the certificate's */
    bool works;       /* a row is work, and worth all threads: not just passed on */
    bool targets;     /* heeds the task's targets: takes blocks of their columns alone */

    /* Whether a run has it; NULL: if it has a path. And the path of the file that it makes, NULL
     * without it. */
    bool (*asked)(const struct results *results);
    const char *(*path)(const struct results *results);
    enum setting setting; /* The one that names the file; where there is a path. */
    const char *suffixes; /* Suffixes of the file, where each means a format; NULL: any. */
    bool suffixed;        /* The file has one of them. */
    bool distances;       /* distances/ reads the file of the output */
    bool stages;          /* The file is made once it is open, and merge on rank 0 writes it. */

    /* Before anything is read: whether this machine can make that file. APSP_USAGE. Local. */
    int (*ready)(const struct results *results, struct apsp_error *error);
    /* Whether it takes blocks from the device's memory, where there is one, rather than the host's;
     * NULL: not. */
    bool (*on_device)(const struct sink_task *task);
    bool places; /* It takes blocks there by convert_device() alone. */
    /* The counts of blocks that suffice in place of their values (APSP_STATS_..). */
    unsigned (*counts)(const struct sink_task *task);
    /* Whether it takes rows side by side if it is alone, and then what takes them, until close. */
    bool (*sides)(const struct sink_task *task);
    struct beside_target (*beside)(const struct sink *sink);
    /* The distances that suffice, in the type of the blocks (rows.h). NULL: all. */
    struct rows_near (*near)(const struct sink_task *task);
    /* Where those of APSP_STATS_HISTOGRAM are counted, until close. */
    struct count_target (*histogram)(const struct sink *sink);
    /* Whether it counts all rows from halves of them; NULL: it does not. */
    bool (*halves)(const struct sink_task *task);
    struct half_target (*half)(const struct sink *sink); /* It takes them, until close. */

    struct sink_need (*need)(const struct sink_task *task, int lanes);
    /* Collective, before anything is solved: what can fail early fails here. */
    int (*open)(struct sink *sink, struct apsp_error *error);
    /* The rows that it uses of those that there are, ascending; NULL for all. They stay where they
     * are until close. */
    const size_t *(*wants)(const struct sink *sink, size_t *count);
    /* If it is alone, and needs no values: blocks of sources without any come from *maker, whose
     * `lanes` are given, for the vertices of the list (NULL: all). It stays NULL where values are
     * needed. Local. */
    int (*maker)(struct sink *sink, const size_t *list, size_t count, struct rows_maker *maker,
                 struct apsp_error *error);
    /* Several workers at once, each with a number of its own; no MPI. Rows that it does not want
     * may be among the block's. */
    int (*take)(struct sink *sink, int lane, const struct block *block, struct apsp_error *error);
    /* Collective, after the last block: brings together what workers and ranks have. */
    int (*merge)(struct sink *sink, struct apsp_error *error);
    /* Whether it is to see the rows once more, on all ranks alike: take and merge follow again. */
    bool (*again)(const struct sink *sink);
    /* From open on, when no worker takes: brings workers together, and says where what has come of
     * rows is; how many parts. Where another run has come to more these are filled before the first
     * block. NULL: a checkpoint cannot hold it. Local. */
    int (*save)(struct sink *sink, struct sink_part part[SINK_PARTS], struct apsp_error *error);
    void (*close)(struct sink *sink);
};

enum { SINK_LANES = 4096 }; /* at most */

/* All there are, up to NULL. */
extern const struct sink_ops *const sink_table[];

/* The sinks of one run: those that make the results it wants, in the order of the table. */
enum { SINKS_MAX = 16 };
struct sinks {
    int count;
    struct sink at[SINKS_MAX];
    /* By the places of rows, where checkpoints hold what has come of them: those that all sinks
     * have taken before, of all ranks, which are not to come again; and of this rank since. Or
     * NULL. */
    unsigned char *done, *taken;
};

/* Chooses them; nothing is opened. The task stays with the caller. */
void sinks_choose(struct sinks *sinks, const struct sink_task *task);
/* The one of that name, or NULL. */
const struct sink *sinks_find(const struct sinks *sinks, const char *name);
bool sinks_want_edges(const struct sinks *sinks);
/* `save` of one whose rows stay in its output: their hashes; and the bytes that these may take. */
int sink_save_rows(struct sink *sink, struct sink_part part[SINK_PARTS], struct apsp_error *error);
size_t sink_save_need(const struct sink_task *task);
/* `merge` of one whose rows stay in its output: it is finished, and they are counted. */
int sink_merge_rows(struct sink *sink, struct apsp_error *error);
struct sink_need sinks_need(const struct sinks *sinks, int lanes);

/* The error of one of them is that of all, where there is none yet; but a refutation goes before
 * others. */
void sinks_fail(struct apsp_error *error, const struct apsp_error *own);
/* Whether some of them make a file and have not failed: what is worth going on for after an error.
 */
bool sinks_last(const struct sinks *sinks);

/* For all of them, each ending in agreement. The check is that of their outputs. From the one that
 * waits on, one that fails is lost, and the others go on. */
int sinks_open(struct sinks *sinks, struct apsp_error *error);
int sinks_check(struct sinks *sinks, bool wait, struct apsp_error *error);
int sinks_merge(struct sinks *sinks, struct apsp_error *error);
/* The path, the name or the setting of the first sink that a checkpoint cannot hold; NULL: it can
 * hold all. */
const char *sinks_unsaved(const struct sinks *sinks);
/* The sinks that need the rows once more, to be followed by sinks_return. */
struct sinks sinks_again(const struct sinks *sinks);
void sinks_return(struct sinks *sinks, const struct sinks *some);
/* Whether the names of their files are free (staged.h). */
int sinks_confirm(struct sinks *sinks, struct apsp_error *error);
/* The file of that one, if it is complete; NULL: there is none. */
struct staged *sinks_file(const struct sinks *sinks, int i);
void sinks_close(struct sinks *sinks);

#endif
