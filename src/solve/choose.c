#include "solve/choose.h"

#include <math.h>
#include <stddef.h>

/* A look may take these seconds at any odds. */
#define LOOK_SECONDS 0.05
/* Rates are measured where the modelled work takes longer than these seconds: several times what
 * measuring takes. */
#define RATES_SECONDS 0.02
/* Work is seldom more than so many times a bound. */
#define BOUND_TRUST 30

/* Whether a is better than b, both of which are able. */
static bool plan_is_better(const struct choice_plan *a, const struct choice_plan *b)
{
    return a->fits != b->fits ? a->fits : a->seconds < b->seconds;
}

/* The best plan but for number `except`, among the exact ones if told so; NULL: there is none. */
static const struct choice_plan *plan_best(const struct choice_plan *plan, int count, int except,
                                           bool exact)
{
    const struct choice_plan *best = NULL;
    for (int i = 0; i < count; i++)
        if (i != except && plan[i].able && !(exact && plan[i].bound) &&
            (!best || plan_is_better(&plan[i], best)))
            best = &plan[i];
    return best;
}

int choice_best(const struct choice_plan *plan, int count)
{
    const struct choice_plan *best = plan_best(plan, count, -1, false);
    return best ? (int)(best - plan) : -1;
}

bool choice_is_worth(const struct choice_plan *plan, int count, int i)
{
    const struct choice_plan *own = &plan[i], *other = plan_best(plan, count, i, true);
    if (!own->able)
        return false;
    if (!other || !other->fits)
        return true;
    const double gain = other->seconds - own->seconds, loss = own->risk * own->look;
    const bool is_short = own->look <= LOOK_SECONDS,
               pays = own->odds * gain >= (1 - own->odds) * loss;
    return own->fits && gain > loss - own->look && (is_short || pays);
}

static bool plan_is_likely(const struct choice_plan *plan)
{
    return plan->odds > 0.5;
}

/* The plan with the fewest seconds of those that are likely or have a look aside; -1: no plan has
 * one. */
static int next_aside(const struct choice_plan *plan, int count)
{
    int best = -1;
    bool aside = false;
    for (int i = 0; i < count; i++) {
        aside |= plan[i].aside;
        if ((plan[i].aside || plan_is_likely(&plan[i])) &&
            (best < 0 || plan[i].seconds < plan[best].seconds))
            best = i;
    }
    return aside ? best : -1;
}

int choice_next(const struct choice_plan *plan, int count)
{
    int fewest = 0, shortest = 0;
    const int aside = next_aside(plan, count);
    if (aside >= 0)
        return aside;
    for (int i = 1; i < count; i++) {
        fewest = plan[i].seconds < plan[fewest].seconds ? i : fewest;
        shortest = plan[i].look < plan[shortest].look ? i : shortest;
    }
    return plan_is_likely(&plan[fewest]) ? fewest : shortest;
}

bool choice_is_open(const struct choice_plan *plan, int count, int i)
{
    struct choice_plan own = plan[i];
    const struct choice_plan *other = plan_best(plan, count, i, true);
    return own.able && own.bound && own.fits && other &&
           own.seconds - own.look / 2 < other->seconds && !choice_is_worth(plan, count, i);
}

bool choice_needs_rates(const struct choice_plan *plan, int count)
{
    int open = 0;
    for (int i = 0; i < count; i++)
        open += plan[i].able && (!plan[i].bound || choice_is_worth(plan, count, i));
    const struct choice_plan *exact = plan_best(plan, count, -1, true);
    return open > 1 && (exact ? exact->seconds : choice_seconds(plan, count)) > RATES_SECONDS;
}

double choice_seconds(const struct choice_plan *plan, int count)
{
    const struct choice_plan *exact = plan_best(plan, count, -1, true),
                             *least = plan_best(plan, count, -1, false);
    if (!least)
        return 0;
    const bool far =
        exact && (exact->fits < least->fits || exact->seconds > BOUND_TRUST * least->seconds);
    return exact && !far ? exact->seconds : least->seconds;
}
