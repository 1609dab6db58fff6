/* Inside of a job: shared by job.c (the steps), plan.c (what is settled before them) and estimate.c. */
#ifndef JOB_H
#define JOB_H

#include "base/staged.h"
#include "comm/topology.h"
#include "job/engines.h"
#include "job/report.h"
#include "proof/proof.h"

struct apsp_job {
    struct apsp_options options;
    struct apsp_error error;
    struct comm *comm;
    struct device device;
    struct topology topology;
    struct graph graph;
    struct census census;
    struct edges edges; /* until they are loaded */
    struct csr csr;     /* until the rows are done with it, if they want it; else until the proof is made */
    struct proof proof;
    struct engine_task task;
    struct engine_plan plan;
    struct engine *engine;
    struct sink_task sink_task;
    struct sinks sinks;
    struct staged json; /* of rank 0 */
    struct report report;
    size_t resident; /* bytes in memory once MPI has started, */
    size_t proving;  /* and beside them while types are proved */
    double started;
};

/* Wall time since `start`, barrier to barrier. */
double job_since(struct apsp_job *job, double start);

/*
 * Collective; ends in agreement. Settles the types, by proof, and the engine, and refuses what memory cannot
 * hold, as early as it is known. The edges have then been read once, and the sinks know what they will get.
 */
int plan_make(struct apsp_job *job);

/* Bytes that the run will take at its peak. */
struct estimate {
    size_t rank_host, rank_device; /* this rank */
    size_t node_host;              /* all ranks of this node */
    size_t node_limit;             /* what they may use */
    size_t disk;
};

/* Collective. */
struct estimate estimate_make(const struct apsp_job *job);

/* APSP_MEMORY, on all ranks, if some node's memory is too small. Collective. */
int estimate_check(struct apsp_job *job);
/* The same for what proving types takes alone. */
int estimate_check_proof(struct apsp_job *job);

/* Bytes that this rank can spare to keep its edges in. Collective. */
size_t estimate_room(const struct apsp_job *job);

#endif
