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

void methods_free(struct methods *methods);

#endif
