/* Solutions in all ways that there are. */
#include "sequences.h"
#include "solve/engines.h"

#include <float.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How a solve goes, and at which step its listener ends it. */
struct ways {
    struct apsp_options options;
    long steps_left;
};

static int solve_hear(void *user, const char *step, size_t done, size_t steps)
{
    struct ways *ways = user;
    (void)step;
    (void)done;
    (void)steps;
    return --ways->steps_left == 0;
}

static int engine_count(void)
{
    int count = 0;
    while (engines[count])
        count++;
    return count;
}

/* By cost, small graphs have no dense core: two of three get one of some size. */
static void core_draw(uint64_t *random)
{
    char kappa[16];
    snprintf(kappa, sizeof kappa, "%u", draw(random, 0, 12));
    if (draw_one_in(random, 3))
        unsetenv("APSP_KAPPA");
    else
        setenv("APSP_KAPPA", kappa, 1);
}

static int threads_draw(uint64_t *random)
{
    const int drawn = (int)draw(random, 0, ranks > 1 ? 2 : 4), most = omp_get_num_procs();
    omp_set_num_threads((int)draw(random, 1, 4));
    return drawn < most ? drawn : most;
}

static enum apsp_device device_of_tests(void)
{
    const char *device = getenv("SEQUENCES_DEVICE");
    return device && strcmp(device, "gpu") == 0 ? APSP_DEVICE_GPU : APSP_DEVICE_CPU;
}

/* One solution in four has ranks that are threads. */
static void ranks_draw(struct apsp_options *options, uint64_t *random)
{
    const int drawn = (int)draw(random, 1, 4);
    if (ranks > 1 || !draw_one_in(random, 4))
        return;
    *(options->device == APSP_DEVICE_GPU ? &options->gpus : &options->ranks) = drawn;
    options->threads = options->threads > 1 ? 2 : 1;
}

static void ways_draw(struct ways *ways, const struct sample *sample, uint64_t *random)
{
    static const size_t rows_to_verify[] = {0, 0, 2, APSP_VERIFY_ALL};
    static const char *const transports[] = {NULL, "mpi", "host"}, *const sums[] = {NULL, "path",
                                                                                    "solver"};
    struct apsp_options *options = &ways->options;
    const int engine = (int)draw(random, 0, 2 * (uint32_t)engine_count()) / 2; /* the last: none */
    apsp_options_init(options);
    ways->steps_left = 0;
    options->device = device_of_tests();
    options->share_gpus = 1;
    options->method = engines[engine] ? engines[engine]->name : NULL;
    options->threads = threads_draw(random);
    options->transport = ranks > 1 ? transports[draw(random, 0, 2)] : NULL;
    options->sums = sample->irregular ? sums[draw(random, 0, 2)] : NULL;
    options->tile = draw(random, 0, 3) ? 0 : draw(random, 1, 40);
    options->verify = rows_to_verify[draw(random, 0, 3)];
    options->paranoid = options->verify != 2 && draw_one_in(random, 8);
    if (draw_one_in(random, 2))
        options->type = (enum apsp_type)draw(random, APSP_U16, APSP_F64);
    if (draw_one_in(random, 2))
        options->output = (enum apsp_type)draw(random, APSP_U16, APSP_F64);
    else if (draw_one_in(random, 3))
        options->output = APSP_NARROW;
    ranks_draw(options, random);
    core_draw(random);
}

/* Sums of so many terms are rounded one after the other, in any order. */
static double tolerance_of(const struct slot *slot)
{
    const struct apsp_facts *facts = slot->facts;
    const double digits =
        facts->type == APSP_F32 || facts->computed == APSP_F32 ? FLT_EPSILON : DBL_EPSILON;
    if (!slot->sample->irregular && strcmp(facts->sums, "exact") == 0)
        return 0;
    return 4 * digits * (double)slot->sample->n * (double)slot->sample->n * slot->sample->heaviest;
}

static void facts_check(struct question *question, const struct apsp_options *options)
{
    const struct slot *slot = question->slot;
    const struct sample *sample = slot->sample;
    const struct apsp_facts *facts = slot->facts;
    const size_t n = sample->n;
    const int own = options->gpus ? options->gpus : options->ranks;
    if (facts->vertices != n || facts->ranks != (own ? own : ranks) || ranks_sum(facts->rows) != n)
        wrong(question, "facts: %zu vertices, %d ranks, %zu rows", facts->vertices, facts->ranks,
              facts->rows);
    if (options->method && strcmp(options->method, facts->method) != 0)
        wrong(question, "facts: method %s, not %s", facts->method, options->method);
    if (options->output != APSP_AUTO && options->output != APSP_NARROW &&
        options->output != facts->type)
        wrong(question, "facts: type %d, not %d", (int)facts->type, (int)options->output);
    if (options->type != APSP_AUTO && options->type != facts->computed)
        wrong(question, "facts: computed %d, not %d", (int)facts->computed, (int)options->type);
    for (size_t k = 0; facts->bounded && k < n * n; k++)
        if (isfinite(sample->distance[k]) &&
            fabs(sample->distance[k]) > facts->bound * (1 + 1e-6) + slot->tolerance)
            wrong(question, "facts: bound %g, and a distance is %g", facts->bound,
                  sample->distance[k]);
}

/* The status; a solution is the slot's. */
static int solve_by(struct question *question, struct ways *ways)
{
    static const char *const types[] = {"auto", "u16", "i32", "i64", "f32", "f64"};
    struct slot *slot = question->slot;
    const struct apsp_options *options = &ways->options;
    apsp_solution_free(slot->solution);
    slot->solution = (struct apsp_solution *)1;
    if (ASK(question, ranks_solve(slot->graph, options, &slot->solution, &question->error))) {
        if (slot->solution)
            wrong(question, "a solution beside status %d", question->error.code);
        return question->error.code;
    }
    slot->facts = apsp_solution_facts(slot->solution);
    slot->tolerance = tolerance_of(slot);
    snprintf(slot->text, sizeof slot->text,
             "%s, %s as %s, %d ranks, %d threads, tile %zu, verify %zd%s", slot->facts->method,
             types[slot->facts->computed], types[slot->facts->type], slot->facts->ranks,
             slot->facts->threads, options->tile, (ssize_t)options->verify,
             options->paranoid ? ", paranoid" : "");
    facts_check(question, options);
    count_solve(slot);
    return APSP_OK;
}

/* A transport that MPI cannot serve is an error of the peers. */
static bool is_refused(const struct ways *ways, int status)
{
    return status == APSP_USAGE || status == APSP_INPUT ||
           (status == APSP_PEER && ways->options.transport);
}

/* Takes back what an engine may not have: first its settings, then the types, then the engine. */
static void ways_relax(struct ways *ways, int refusals)
{
    struct apsp_options *options = &ways->options;
    if (refusals == 1) {
        options->tile = 0;
        options->paranoid = 0;
        options->transport = NULL;
    } else if (refusals == 2) {
        options->type = options->output = APSP_AUTO;
    } else {
        count_refusal(options->method);
        options->method = NULL;
    }
}

/* An engine or a type may refuse a graph; the library's own choice may not. */
int solve_ask(struct question *question)
{
    struct ways ways;
    ways_draw(&ways, question->slot->sample, &question->random);
    if (question->twist == TWIST_CANCEL && draw_one_in(&question->random, 2)) {
        ways.steps_left = question->strike;
        ways.options.progress = question->struck == (uint32_t)rank ? solve_hear : NULL;
        ways.options.progress_user = &ways;
    }
    int status = solve_by(question, &ways);
    for (int refusals = 1; refusals <= 3 && is_refused(&ways, status); refusals++) {
        ways_relax(&ways, refusals);
        status = solve_by(question, &ways);
    }
    if (is_refused(&ways, status))
        wrong(question, "refused: %s", question->error.text);
    return status;
}
