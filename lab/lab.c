/* The harness: each step at the largest size that fits its share, checked, then timed. */
#include "lab.h"

#include "base/clock.h"
#include "base/mem.h"
#include "table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAKING_MOST = 10 /* shares of a step that making a problem may take */ };

/* All sizes' problems are kept: making one takes a solve, or a BLAS. */
struct session {
    const struct choice *choice;
    struct lab_problem problem[CHOICE_SIZES];
    double making[CHOICE_SIZES]; /* seconds */
    bool told;                   /* progress goes to a terminal */
    int at, count;
};

void lab_stop(const char *what)
{
    fflush(stdout);
    fprintf(stderr, "lab: %s\n", what);
    exit(1);
}

void *lab_alloc(size_t count, size_t bytes)
{
    size_t all;
    void *memory = mem_mul(&all, count, bytes) ? malloc(all ? all : 1) : NULL;
    if (!memory)
        lab_stop("not enough memory");
    return memory;
}

size_t lab_differ(const struct lab_problem *problem, size_t each)
{
    const char *out = problem->out, *right = problem->right;
    size_t count = 0;
    for (size_t at = 0; at < problem->bytes; at += each)
        count += memcmp(out + at, right + at, each) != 0;
    return count;
}

double lab_now(void)
{
    return clock_seconds();
}

#ifndef APSP_GPU
int lab_gpus(void)
{
    return 0;
}

bool lab_gpu(char *name, size_t room)
{
    snprintf(name, room, "none in this build, which leaves its rows out");
    return false;
}
#endif

static void problem_free(struct lab_problem *problem)
{
    for (int i = 0; i < LAB_INPUTS; i++)
        free(problem->in[i]);
    free(problem->out);
    free(problem->right);
}

static struct lab_problem *problem_of(struct session *session, int size)
{
    struct lab_problem *problem = &session->problem[size];
    if (problem->n > 0)
        return problem;
    problem->n = session->choice->sizes[size];
    double start = lab_now();
    if (!session->choice->experiment->kind->make(problem))
        lab_stop("not enough memory");
    session->making[size] = lab_now() - start;
    return problem;
}

static void tell(const struct session *session, const char *step, size_t n)
{
    if (session->told && step)
        fprintf(stderr, "\r\033[K%s %d of %d: %s, n = %zu", session->choice->experiment->name,
                session->at, session->count, step, n);
    else if (session->told)
        fprintf(stderr, "\r\033[K");
}

static enum lab_outcome run_once(const struct lab_step *step, struct lab_problem *problem,
                                 struct lab_run *run)
{
    *run = (struct lab_run){.n = problem->n};
    enum lab_outcome outcome = step->run(problem, run);
    if (run->whole < run->seconds)
        run->whole = run->seconds;
    return outcome;
}

static int by_seconds(const void *a, const void *b)
{
    double x = ((const struct lab_run *)a)->seconds, y = ((const struct lab_run *)b)->seconds;
    return (x > y) - (x < y);
}

/* The largest size that is expected to fit the step's share, and to be made soon, given what both
 * took for this one. What is beside the computation, copies, files and starting a program, grows as
 * n^2 at most. */
static int next_size(const struct session *session, int size, const struct lab_run *run)
{
    const struct choice *choice = session->choice;
    const struct lab_kind *kind = choice->experiment->kind;
    int best = size;
    for (int s = size + 1; s < CHOICE_SIZES && choice->sizes[s]; s++) {
        const double wider = (double)choice->sizes[s] / (double)choice->sizes[size];
        const double more = kind->work(choice->sizes[s]) / kind->work(choice->sizes[size]);
        if (more * run->seconds + wider * wider * (run->whole - run->seconds) <= choice->share &&
            (session->problem[s].n > 0 ||
             more * session->making[size] <= MAKING_MOST * choice->share))
            best = s;
    }
    return best;
}

enum verdict { RIGHT, WRONG, ABSENT };

/* Checked before any time is taken, at every size that is tried. */
static enum verdict measure(struct session *session, const struct lab_step *step,
                            struct lab_run *run)
{
    const struct choice *choice = session->choice;
    struct lab_run runs[CHOICE_REPEATS];
    struct lab_problem *problem;
    int tried, size = 0;
    do {
        problem = problem_of(session, size);
        tell(session, step->name, problem->n);
        memset(problem->out, 0xff, problem->bytes);
        enum lab_outcome outcome = run_once(step, problem, &runs[0]);
        *run = runs[0];
        if (outcome == LAB_ABSENT)
            return ABSENT;
        if (choice->experiment->kind->wrong(problem) > 0)
            return WRONG;
        tried = size;
        size = next_size(session, size, run);
    } while (size != tried);
    int repeats = run->whole * choice->repeats > choice->share ? 1 : choice->repeats;
    for (int i = 0; repeats > 1 && i < repeats; i++)
        run_once(step, problem, &runs[i]);
    qsort(runs, (size_t)repeats, sizeof *runs, by_seconds);
    *run = runs[repeats / 2];
    if (choice->experiment->derive)
        choice->experiment->derive(choice->experiment, step, run);
    return RIGHT;
}

void lab_rate_with_copies(const struct lab_experiment *experiment, const struct lab_step *step,
                          struct lab_run *run)
{
    if (step->gpu)
        run->column[0] = experiment->kind->work(run->n) / run->whole / experiment->per_unit;
}

/* A step's row; false: its result is wrong. */
static bool run_step(struct session *session, const struct lab_step *step,
                     const struct table *table)
{
    struct lab_run run;
    enum verdict verdict = measure(session, step, &run);
    tell(session, NULL, 0);
    if (verdict == RIGHT)
        table_row(table, step, &run);
    else if (verdict == ABSENT)
        table_absent(table, step->name, *run.note ? run.note : "not on this machine");
    else
        fprintf(stderr, "lab: %s: %s: the result is wrong (n = %zu)\n",
                session->choice->experiment->name, step->name, run.n);
    return verdict != WRONG;
}

/* Returns how many steps were wrong. */
static int run_all(const struct choice *choice, bool gpu, const struct table *table)
{
    struct session session = {.choice = choice, .told = isatty(STDERR_FILENO)};
    const struct lab_step *const *steps = choice->experiment->steps;
    int wrong = 0;
    bool without = false;
    while (steps[session.count])
        session.count++;
    for (session.at = 1; session.at <= session.count; session.at++) {
        const struct lab_step *step = steps[session.at - 1];
        if (choice->only && !strstr(step->name, choice->only))
            continue;
        if (step->gpu ? choice->gpu && gpu : choice->cpu)
            wrong += !run_step(&session, step, table);
        else
            without |= choice->gpu && step->gpu;
    }
    if (without)
        table_absent(table, "the rows of the GPU", "there is none");
    for (int s = 0; s < CHOICE_SIZES; s++)
        problem_free(&session.problem[s]);
    return wrong;
}

int lab_main(const struct lab_experiment *experiment, int argc, char **argv)
{
    struct choice choice;
    struct table table;
    char name[200];
    int status = choice_read(&choice, experiment, argc, argv);
    if (status >= 0)
        return status;
    bool gpu = lab_gpu(name, sizeof name);
    table_open(&table, &choice, name);
    int wrong = run_all(&choice, gpu, &table);
    table_close(&table);
    return wrong > 0;
}
