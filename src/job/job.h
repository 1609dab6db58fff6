/* Inside of a job: shared by job.c (the steps) and estimate.c (what the steps will need). */
#ifndef JOB_H
#define JOB_H

#include "base/staged.h"
#include "comm/comm.h"
#include "comm/topology.h"
#include "dense/backend.h"
#include "dense/device.h"
#include "dense/rounds.h"
#include "dense/schedule.h"
#include "job/report.h"
#include "proof/proof.h"
#include "rows/output.h"

struct apsp_job {
    struct apsp_options options;
    struct apsp_error error;
    struct comm *comm;
    struct device device;
    struct topology topology;
    struct graph graph;
    struct edges edges;
    struct proof proof;
    struct backend_plan plan;
    const struct backend_ops *ops;
    struct schedule schedule;
    struct backend *backend;
    struct transport transport;
    struct output *output, *predecessors;
    struct staged json; /* of rank 0 */
    struct report report;
    double started;
};

/* Bytes that the run will take at its peak. */
struct estimate {
    size_t rank_host, rank_device; /* this rank */
    size_t node_host;              /* all ranks of this node */
    size_t node_limit;             /* what they may use */
    size_t disk;
};

/* Collective. */
struct estimate estimate_make(const struct apsp_job *job);

/* Bytes that apsp_job_predecessors takes on this rank. */
size_t predecessors_need(const struct apsp_job *job);

/* Threads of a rank that apsp_job_predecessors works with. */
int predecessors_threads(const struct apsp_job *job);

/* APSP_MEMORY, on all ranks, if some node's memory is too small. Collective. */
int estimate_check(struct apsp_job *job);

#endif
