/* solve/choose.c: the choice of the engine, by tables of plans. */
#include "unit.h"

#include "solve/choose.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PLANS = 4 };

/* An exact plan of so many seconds, a lower bound with its look, one that is likely to be right,
 * and what stands against a plan. */
#define EXACT(s)                                                                                   \
    {                                                                                              \
        .able = true, .fits = true, .seconds = (s)                                                 \
    }
#define BOUND(s, l)                                                                                \
    {                                                                                              \
        .able = true, .fits = true, .bound = true, .seconds = (s), .look = (l), .risk = 8,         \
        .odds = 0.31                                                                               \
    }
#define LIKELY(s, l)                                                                               \
    {                                                                                              \
        .able = true, .fits = true, .bound = true, .seconds = (s), .look = (l), .risk = 2,         \
        .odds = 0.9                                                                                \
    }
#define ASIDE(s, l)                                                                                \
    {                                                                                              \
        .able = true, .fits = true, .bound = true, .seconds = (s), .look = (l), .risk = 8,         \
        .odds = 0.31, .aside = true                                                                \
    }
#define EXACT_LARGE(s)                                                                             \
    {                                                                                              \
        .able = true, .seconds = (s)                                                               \
    }
#define BOUND_LARGE(s, l)                                                                          \
    {                                                                                              \
        .able = true, .bound = true, .seconds = (s), .look = (l), .risk = 8, .odds = 0.31          \
    }
#define UNABLE                                                                                     \
    {                                                                                              \
        .fits = true, .seconds = 0                                                                 \
    }

struct trial {
    const char *name;
    int count;
    struct choice_plan plan[PLANS];
    int best; /* The result of choice_best. */
    const char
        *worth;     /* For each plan the result of choice_is_worth, y or n; of choice_is_open, o. */
    bool rates;     /* The result of choice_needs_rates. */
    double seconds; /* The result of choice_seconds. */
};

static const struct trial trials[] = {
    {"none at all", 0, {{0}}, -1, "", false, 0},
    {"one", 1, {EXACT(1)}, 0, "y", false, 1},
    {"one that cannot", 1, {UNABLE}, -1, "n", false, 0},
    {"one that does not fit", 1, {EXACT_LARGE(1)}, 0, "y", false, 1},
    {"one bound", 1, {BOUND(1, 0.5)}, 0, "y", false, 1},
    {"one bound that does not fit", 1, {BOUND_LARGE(1, 0.5)}, 0, "y", false, 1},
    {"one of unknown time", 1, {EXACT(INFINITY)}, 0, "y", false, INFINITY},
    {"all unable", 3, {UNABLE, UNABLE, UNABLE}, -1, "nnn", false, 0},

    {"the first is faster", 2, {EXACT(1), EXACT(2)}, 0, "yn", true, 1},
    {"the last is faster", 2, {EXACT(2), EXACT(1)}, 1, "ny", true, 1},
    {"equals: the first", 2, {EXACT(1), EXACT(1)}, 0, "nn", true, 1},
    {"of three the first", 3, {EXACT(1), EXACT(2), EXACT(3)}, 0, "ynn", true, 1},
    {"of three the middle one", 3, {EXACT(2), EXACT(1), EXACT(3)}, 1, "nyn", true, 1},
    {"of three the last", 3, {EXACT(3), EXACT(2), EXACT(1)}, 2, "nny", true, 1},
    {"of four the third", 4, {EXACT(4), EXACT(3), EXACT(1), EXACT(2)}, 2, "nnyn", true, 1},
    {"the unable one is no choice", 2, {UNABLE, EXACT(9)}, 1, "ny", false, 9},
    {"nor is it as the last", 2, {EXACT(9), UNABLE}, 0, "yn", false, 9},
    {"the able ones among unable", 4, {UNABLE, EXACT(5), UNABLE, EXACT(4)}, 3, "nnny", true, 4},
    {"unknown loses", 2, {EXACT(INFINITY), EXACT(1e9)}, 1, "ny", true, 1e9},
    {"unknown loses as the last", 2, {EXACT(1e9), EXACT(INFINITY)}, 0, "yn", true, 1e9},
    {"two unknown", 2, {EXACT(INFINITY), EXACT(INFINITY)}, 0, "nn", true, INFINITY},

    {"memory comes before time", 2, {EXACT_LARGE(1), EXACT(100)}, 1, "ny", true, 100},
    {"and in the other order", 2, {EXACT(100), EXACT_LARGE(1)}, 0, "yn", true, 100},
    {"none fits: the fastest", 2, {EXACT_LARGE(2), EXACT_LARGE(1)}, 1, "yy", true, 1},
    {"of those that fit the fastest", 3, {EXACT(3), EXACT_LARGE(1), EXACT(2)}, 2, "nny", true, 2},
    {"unable is worse than too large", 2, {UNABLE, EXACT_LARGE(1)}, 1, "ny", false, 1},

    {"a bound far below", 2, {EXACT(10), BOUND(1, 0.1)}, 1, "yy", true, 10},
    {"the same as the first", 2, {BOUND(1, 0.1), EXACT(10)}, 0, "yy", true, 10},
    {"a bound above", 2, {EXACT(10), BOUND(11, 0.1)}, 0, "yn", false, 10},
    {"the same bound as the first", 2, {BOUND(11, 0.1), EXACT(10)}, 1, "ny", false, 10},
    {"a bound of the same time", 2, {EXACT(10), BOUND(10, 0)}, 0, "yn", false, 10},
    {"a look of a twentieth", 2, {EXACT(10), BOUND(1, 0.5)}, 1, "yy", true, 10},
    {"a look of more", 2, {EXACT(10), BOUND(1, 0.51)}, 1, "yo", false, 10},
    {"a look that costs all", 2, {EXACT(10), BOUND(9.9, 9.9)}, 1, "yo", false, 10},
    {"a look of 50 ms at half a second", 2, {EXACT(0.5), BOUND(0.06, 0.05)}, 1, "yy", true, 0.5},
    {"a look of 51 ms there", 2, {EXACT(0.5), BOUND(0.06, 0.051)}, 1, "yo", false, 0.5},
    {"a look of an eighth", 2, {EXACT(0.08), BOUND(0.01, 0.009)}, 1, "yy", true, 0.08},
    {"a look of more than that", 2, {EXACT(0.08), BOUND(0.011, 0.01)}, 1, "yo", false, 0.08},
    {"a free look", 2, {EXACT(10), BOUND(9.99, 0)}, 1, "yy", true, 10},
    {"a gain that the look's error eats", 2, {EXACT(10), BOUND(9.8, 0.1)}, 1, "yo", false, 10},
    {"a gain beyond it, less than odds", 2, {EXACT(10), BOUND(8.3, 0.1)}, 1, "yo", false, 10},
    {"a gain by odds", 2, {EXACT(10), BOUND(8.1, 0.1)}, 1, "yy", true, 10},
    {"a look of 50 ms at any odds", 2, {EXACT(10), BOUND(9.6, 0.05)}, 1, "yy", true, 10},

    {"a likely bound", 2, {EXACT(1.4), LIKELY(0.35, 0.12)}, 1, "yy", true, 1.4},
    {"the same, as likely as any", 2, {EXACT(1.4), BOUND(0.35, 0.12)}, 1, "yo", false, 1.4},
    {"a likely bound whose look's error eats the gain",
     2,
     {EXACT(1.4), LIKELY(1.2, 0.21)},
     1,
     "yo",
     false,
     1.4},
    {"a likely bound with little more", 2, {EXACT(1.4), LIKELY(1.1, 0.21)}, 1, "yy", true, 1.4},
    {"a likely look of nearly half", 2, {EXACT(4), LIKELY(2.05, 1.9)}, 1, "yy", true, 4},
    {"a likely look of nearly half, and more", 2, {EXACT(4), LIKELY(2.15, 1.9)}, 1, "yo", false, 4},
    {"a likely bound above", 2, {EXACT(4), LIKELY(4.2, 0.2)}, 0, "yn", false, 4},
    {"an open bound just above", 2, {EXACT(4), LIKELY(4.2, 0.5)}, 0, "yo", false, 4},

    {"a small graph", 2, {EXACT(0.0002), BOUND(0.0003, 0.0002)}, 0, "yo", false, 0.0002},
    {"a small graph, a low bound",
     2,
     {EXACT(0.0002), BOUND(0.0001, 0.0001)},
     1,
     "yo",
     false,
     0.0002},
    {"a small graph, worth it", 2, {EXACT(0.01), BOUND(0.001, 0.001)}, 1, "yy", false, 0.01},
    {"two exact ones of a small graph", 2, {EXACT(0.02), EXACT(0.01)}, 1, "ny", false, 0.01},
    {"as long as measuring pays", 2, {EXACT(0.021), EXACT(0.022)}, 0, "yn", true, 0.021},
    {"nothing to do at all", 2, {EXACT(0), EXACT(0)}, 0, "nn", false, 0},
    {"nothing to do and a look", 2, {EXACT(0), BOUND(1e-6, 1e-6)}, 0, "yn", false, 0},

    {"the exact one does not fit", 2, {EXACT_LARGE(1), BOUND(50, 40)}, 1, "yy", true, 50},
    {"the bound does not fit", 2, {EXACT(100), BOUND_LARGE(1, 0.1)}, 0, "yn", false, 100},
    {"neither fits", 2, {EXACT_LARGE(9), BOUND_LARGE(1, 0.1)}, 1, "yy", true, 9},
    {"the exact one is unable", 2, {UNABLE, BOUND(50, 40)}, 1, "ny", false, 50},
    {"the bound is unable", 2, {EXACT(50), UNABLE}, 0, "yn", false, 50},
    {"bounds alone", 2, {BOUND(3, 2), BOUND(2, 1)}, 1, "yy", true, 2},
    {"bounds alone, one too large", 2, {BOUND(3, 2), BOUND_LARGE(2, 1)}, 0, "yy", true, 3},
    {"a bound against the unknown", 2, {EXACT(INFINITY), BOUND(7, 5)}, 1, "yy", true, 7},
    {"a 30th is a bound that counts", 2, {EXACT(31), BOUND(1, 0.1)}, 1, "yy", true, 1},
    {"more than a 30th is not", 2, {EXACT(30), BOUND(1, 0.1)}, 1, "yy", true, 30},
    {"an unknown bound", 2, {EXACT(1), BOUND(INFINITY, 0.01)}, 0, "yn", false, 1},

    {"the best exact one speaks", 3, {EXACT(10), EXACT(2), BOUND(3, 0.01)}, 1, "nyn", true, 2},
    {"one that fits speaks", 3, {EXACT(10), EXACT_LARGE(2), BOUND(3, 0.01)}, 2, "yny", true, 10},
    {"a bound does not speak", 3, {BOUND(1, 0.1), EXACT(10), BOUND(2, 0.1)}, 0, "yyy", true, 10},
    {"one of two bounds", 3, {BOUND(1, 0.1), EXACT(10), BOUND(12, 0.1)}, 0, "yyn", true, 10},
    {"both bounds are hopeless", 3, {BOUND(11, 0.1), EXACT(10), BOUND(12, 0)}, 1, "nyn", false, 10},
    {"an exact third beats the look",
     3,
     {EXACT(9), BOUND(0.2, 0.1), EXACT(0.3)},
     1,
     "noy",
     true,
     0.3},
    {"and does not", 3, {EXACT(9), BOUND(0.2, 0.01), EXACT(0.3)}, 1, "nyy", true, 0.3},
    {"four, all kinds", 4, {UNABLE, EXACT_LARGE(1), BOUND(2, 0.1), EXACT(8)}, 2, "nnyy", true, 8},
    {"four, too large and unable",
     4,
     {UNABLE, EXACT_LARGE(1), UNABLE, EXACT_LARGE(2)},
     1,
     "nyny",
     true,
     1},
};

static void a_table_of_plans(void **state)
{
    (void)state;
    int wrong = 0;
    assert_true(sizeof trials / sizeof *trials >= 60);
    for (size_t t = 0; t < sizeof trials / sizeof *trials; t++) {
        const struct trial *trial = &trials[t];
        char worth[PLANS + 1] = "";
        for (int i = 0; i < trial->count; i++)
            worth[i] = choice_is_worth(trial->plan, trial->count, i)  ? 'y'
                       : choice_is_open(trial->plan, trial->count, i) ? 'o'
                                                                      : 'n';
        const int best = choice_best(trial->plan, trial->count);
        const bool rates = choice_needs_rates(trial->plan, trial->count);
        const double seconds = choice_seconds(trial->plan, trial->count);
        if (best == trial->best && strcmp(worth, trial->worth) == 0 && rates == trial->rates &&
            seconds == trial->seconds)
            continue;
        print_message("%s: best %d, worth %s, rates %d, seconds %g\n", trial->name, best, worth,
                      rates, seconds);
        wrong++;
    }
    assert_int_equal(wrong, 0);
}

static void the_first_look(void **state)
{
    static const struct {
        const char *name;
        int count;
        struct choice_plan plan[PLANS];
        int next;
    } orders[] = {
        {"one", 1, {BOUND(1, 1)}, 0},
        {"the shorter look", 2, {BOUND(1, 0.2), BOUND(2, 0.1)}, 1},
        {"equal looks", 2, {BOUND(2, 0.1), BOUND(1, 0.1)}, 0},
        {"a likely one with fewer seconds", 2, {BOUND(2, 0.1), LIKELY(1, 0.2)}, 1},
        {"a likely one with more seconds", 2, {BOUND(1, 0.1), LIKELY(2, 0.2)}, 0},
        {"and a shorter look", 2, {BOUND(1, 0.2), LIKELY(2, 0.1)}, 1},
        {"two likely ones", 2, {LIKELY(2, 0.1), LIKELY(1, 0.2)}, 1},
        {"of three", 3, {BOUND(3, 0.1), LIKELY(2, 0.3), BOUND(4, 0)}, 1},
        {"a look aside", 3, {BOUND(1, 0.1), ASIDE(3, 0.3), EXACT(2)}, 1},
        {"a likely one with fewer seconds than it", 2, {ASIDE(3, 0.3), LIKELY(2, 0.3)}, 1},
        {"a likely one with more", 2, {ASIDE(3, 0.3), LIKELY(4, 0.1)}, 0},
    };
    (void)state;
    for (size_t t = 0; t < sizeof orders / sizeof *orders; t++)
        if (choice_next(orders[t].plan, orders[t].count) != orders[t].next)
            fail_msg("%s", orders[t].name);
}

/* No row of the list is special: in every order of the plans the same ones are taken and looked at.
 */
static void order_does_not_matter(void **state)
{
    (void)state;
    for (size_t t = 0; t < sizeof trials / sizeof *trials; t++) {
        const struct trial *trial = &trials[t];
        for (int shift = 1; shift < trial->count; shift++) {
            struct choice_plan rotated[PLANS];
            for (int i = 0; i < trial->count; i++)
                rotated[(i + shift) % trial->count] = trial->plan[i];
            for (int i = 0; i < trial->count; i++)
                assert_int_equal(choice_is_worth(rotated, trial->count, (i + shift) % trial->count),
                                 trial->worth[i] == 'y');
            const int best = choice_best(rotated, trial->count);
            assert_int_equal(best >= 0, trial->best >= 0);
            if (best >= 0) {
                assert_true(rotated[best].seconds == trial->plan[trial->best].seconds);
                assert_int_equal(rotated[best].fits, trial->plan[trial->best].fits);
            }
            assert_int_equal(choice_needs_rates(rotated, trial->count), trial->rates);
            assert_true(choice_seconds(rotated, trial->count) == trial->seconds);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_table_of_plans),
                                       cmocka_unit_test(the_first_look),
                                       cmocka_unit_test(order_does_not_matter)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
