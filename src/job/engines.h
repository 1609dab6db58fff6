/* The engines, and which of them a run takes. */
#ifndef ENGINES_H
#define ENGINES_H

#include "engine/engine.h"

/* All there are, up to NULL (engines.c). */
extern const struct engine_ops *const engines[];

/* Their names, comma-separated, for messages and --help. */
const char *engine_names(void);

/* The first that can do without all edges. */
const struct engine_ops *engine_without_edges(void);

/* Collective. Seconds that a timed plan comes to, of the slowest rank and without communication;
 * infinity if unknown. */
double engine_seconds(const struct engine_plan *plan, const struct engine_task *task);

/* Those that come into question. */
enum { METHODS_MAX = 8 };
struct methods {
    int count;
    struct method {
        const struct engine_ops *ops;
        struct engine *engine; /* of the first plan on */
        struct engine_plan plan;
        double seconds; /* 0: nobody asks */
        size_t node;    /* bytes of the fullest node */
        bool fits;      /* in the memory of all nodes */
    } of[METHODS_MAX];
    int notes;
    struct method_note { /* of all that have been looked at, for people */
        const char *name;
        double seconds;
        size_t node;
        bool fits, taken;
        bool least;          /* nobody has looked closely: it takes so much at least */
        char why[TEXT_LINE]; /* it cannot; else "" */
    } note[METHODS_MAX];
    char reasons[TEXT_SHORT]; /* for people: what each would have taken, where there was a choice */
};

void methods_free(struct methods *methods);

#endif
