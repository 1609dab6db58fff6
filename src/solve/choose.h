/*
 * The choice of the engine: pure functions of what the engines' plans say. They see no graph, file,
 * rank or option, and treat all plans of the list alike.
 *
 * A plan may be a lower bound until the engine has looked at the graph, which costs time. A bound
 * is made exact only where that can pay.
 */
#ifndef SOLVE_CHOOSE_H
#define SOLVE_CHOOSE_H

#include <stdbool.h>

struct choice_plan {
    bool able;      /* The engine can do the task. */
    bool fits;      /* Every node has the memory. */
    bool bound;     /* Seconds and memory are lower bounds. */
    double look;    /* Seconds that making the plan exact takes; 0: it is exact, or that is free. */
    double risk;    /* The look at a bound may take up to so many times as long. */
    double odds;    /* The chance that the seconds are not many more than a bound. */
    bool aside;     /* The look takes place while a device starts. */
    double seconds; /* Seconds of all work, with the look; infinity: unknown. */
};

/*
 * The index of the plan to take: one that fits, else one that is able. Among several, the one with
 * the fewest seconds, and the first of equals. -1: no engine is able.
 */
int choice_best(const struct choice_plan *plan, int count);

/*
 * Whether plan i is to be made exact. Against the best exact plan of another engine that fits, the
 * look must be worth its seconds. It saves the difference by its odds, and else the look is lost,
 * at its risk. So the expected gain must not be below the expected loss, and the gain is more than
 * the look's error. Seconds contain the look, so a loss is less than the other's seconds. A look of
 * 50 ms is always short enough.
 */
bool choice_is_worth(const struct choice_plan *plan, int count, int i);

/* The plan that is to be made exact first: the one with the fewest seconds, if they are likely;
 * else the one whose look is shortest, and the first of equals. If there are looks aside, one of
 * these or a likely plan comes first. */
int choice_next(const struct choice_plan *plan, int count);

/* Whether better odds and half the look could make plan i, which is a bound, worth the look. */
bool choice_is_open(const struct choice_plan *plan, int count, int i);

/* Whether rates are to be measured, where those in the plans are a model's: several plans are exact
 * or worth it, and the work takes much longer than measuring does. */
bool choice_needs_rates(const struct choice_plan *plan, int count);

/* Seconds that the work will probably take: those of the best exact plan. A bound that is far below
 * counts instead, and one that fits where no exact plan does. 0: no engine is able. */
double choice_seconds(const struct choice_plan *plan, int count);

#endif
