/*
 * A solver takes one problem through the steps: plan, load (edges -> engine), solve, and passes
 * over the rows for any sinks. The library and the command use it alike. Each step is collective:
 * every rank calls it and gets the same status, so that all ranks take the same path. A failed step
 * leaves the message in the solver's error; the caller frees the solver.
 */
#ifndef SOLVER_H
#define SOLVER_H

#include "base/clock.h"
#include "comm/topology.h"
#include "engine/checkpoint_rows.h"
#include "problem/problem.h"
#include "solve/method.h"

struct solver;

/* The task of a solver. Everything that it points to stays as long as the solver. */
struct solver_task {
    const struct graph *graph;                  /* An open graph. */
    struct request request;                     /* How to compute. */
    const struct results *results;              /* The results of rows, each a sink. */
    const struct checkpoint_policy *checkpoint; /* NULL: there are none. */
    const struct sources *sources;              /* Rows that are wanted; NULL: all. */
    const struct sources *targets;              /* Columns that are wanted; NULL: all. */
    bool guest;                                 /* The process is the caller's. */
    bool plan_only;                             /* The plan is wanted, and no more. */
    /* Host bytes that the caller takes after the last row, beside the plan and the edges. */
    size_t (*checking)(const void *caller);
    const void *caller;
};

/* Seconds of the steps, barrier to barrier, and the work of those that make rows. */
struct solver_times {
    double read, build, solve;
    double rows, rows_work; /* Rows by the engine; units of its work. */
    double sums, sums_work; /* Sums along paths; visits. */
    enum block_form form;   /* In which the engine's rows came, the one of the most work. */
};

struct solver {
    struct solver_task given;
    struct request request; /* The one given, in the type of a checkpoint. */
    struct apsp_error error;
    struct comm *comm;
    struct device device;
    struct topology topology;
    struct problem problem;
    const struct sources *sources, *targets; /* Without any vertex: all. */
    struct methods methods;
    struct engine *engine; /* One of the methods. */
    struct engine_task task;
    struct engine_plan plan;
    struct engine_report report;
    struct checkpoint *checkpoint; /* NULL: there is none. */
    struct checkpoint_rows saved;  /* Checkpoint of rows, of an engine that has no state. */
    struct sink_task sink_task;
    struct sinks sinks;
    struct solver_times times;
    size_t resident; /* Bytes in memory once MPI has started. */
    size_t proving;  /* Bytes beside them while types are proved. */
    double started;
    bool summed; /* Rows are sums along paths. */
    bool far;    /* So much is near enough that whole rows take less. */
    bool told;   /* Some rank listens to the progress, or there is one. */
};

/*
 * Collective: over this communicator, which the solver takes unless *solver is NULL on all ranks:
 * there is no memory for it.
 * An error that is there already is the solver's, for all ranks to agree on.
 */
int solver_make(struct solver **solver, struct comm *comm, struct apsp_error *error);
/* Whether the graph is the same on every rank; with the error that there is already. */
int solver_check_graph(struct solver *solver, const struct graph *graph, bool guest);
/* Settles device, types, engine and memory; opens a checkpoint. */
int solver_plan(struct solver *solver, const struct solver_task *task);
int solver_load(struct solver *solver);
int solver_solve(struct solver *solver);

/* A pass over the rows for any sinks, after solving, any number of times. It runs on so many
 * threads, 1 to those of the solver. More than those of the plan are allowed only if the request
 * said that rows are wanted later. The error is not the solver's. */
int solver_pass(struct solver *solver, struct sinks *sinks, int threads, struct apsp_error *error);

/* Frees all, with the communicator. A checkpoint goes if the work is done. NULL is allowed. */
void solver_free(struct solver *solver, bool done);

/* Wall time since `start`, barrier to barrier. */
static inline double solver_since(const struct solver *solver, double start)
{
    comm_barrier(solver->comm);
    return comm_max(solver->comm, clock_seconds() - start);
}

/* Whether a checkpoint holds the rows, of an engine that makes them when they are asked for. */
static inline bool solver_saves_rows(const struct solver *solver)
{
    return solver->sink_task.folder != NULL;
}

#endif
