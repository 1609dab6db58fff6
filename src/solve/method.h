/* The engines in question for a run, with their plans. */
#ifndef METHOD_H
#define METHOD_H

#include "solve/choose.h"
#include "solve/engines.h"

enum { METHODS_MAX = 8 };
struct methods {
    int count;
    struct method {
        const struct engine_ops *ops;
        struct engine *engine; /* Made by the first plan. */
        struct engine_plan plan;
        size_t node;  /* Bytes of the fullest node. */
        bool settled; /* The plan is that of the complete task. */
    } of[METHODS_MAX];
    struct choice_plan choice[METHODS_MAX]; /* Their plans as the choice sees them. */
    bool rated;                             /* Rates are measured, not a model's. */
    bool seen;                              /* methods_see was called. */
    int notes;
    struct method_note { /* For people: one of the engines that have been looked at. */
        const char *name;
        double seconds;
        size_t node;
        bool fits, taken;
        bool least;          /* Seconds and memory are lower bounds. */
        char why[TEXT_LINE]; /* The reason why it cannot; else "". */
    } note[METHODS_MAX];
    char reasons[TEXT_SHORT]; /* For people: the seconds of each, where there was a choice. */
};

struct solver;

/*
 * Collective; end in agreement. The engine that the request names; with "auto" the one that
 * choose.h takes. Before the edges are read, methods_open plans and drops the engines that are not
 * worth a look. After the proof, methods_settle plans for the task. Both set the solver's engine
 * and plan. An error is the reason why the first of them cannot.
 */
int methods_open(struct solver *solver);
int methods_settle(struct solver *solver);
/* Collective, between them, when all edges are on every rank. Finds out what seconds depend on. */
void methods_see(struct solver *solver);
/* Collective, between them. Seconds of all work in that type, as choice_seconds has it. */
double methods_seconds(struct solver *solver, enum dtype dtype);
/* A sink, or an engine of those left, wants all edges on every rank; or the certificate of the
 * file, or sums along paths do. */
bool edges_are_wanted(const struct solver *solver);

void methods_free(struct methods *methods);

#endif
