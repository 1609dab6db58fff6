/* The harness: sizes, checks, times, and tables of an experiment. */
#include "lab.h"

#include "base/clock.h"
#include "base/mem.h"

#include <cjson/cJSON.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SIZES = 4, REPEATS_MOST = 5 };

static const size_t usual_sizes[SIZES] = {500, 1000, 2000, 5000}, full_sizes[SIZES] = {5000, 10000, 20000};

struct choice {
    const struct lab_experiment *experiment;
    const size_t *sizes;
    size_t n;     /* the only size; 0: the largest that fits */
    double share; /* seconds that a step may take for one run */
    int repeats;
    const char *csv;
    bool cpu, gpu, json, counted; /* `counted`: progress goes to a terminal */
    const char *only;             /* steps with this in their names */
    char device[200];
};

struct result {
    size_t n;
    struct lab_run run;
    bool wrong;
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
bool lab_gpu(char *name, size_t room)
{
    snprintf(name, room, "none in this build");
    return false;
}
#endif

static void problem_free(struct lab_problem *problem)
{
    for (int i = 0; i < LAB_INPUTS; i++)
        free(problem->in[i]);
    free(problem->out);
    free(problem->right);
    *problem = (struct lab_problem){0};
}

/* That of size n: the one of before, or a new one. */
static void problem_give(const struct lab_kind *kind, struct lab_problem *problem, size_t n)
{
    if (problem->n == n)
        return;
    problem_free(problem);
    problem->n = n;
    if (!kind->make(problem))
        lab_stop("not enough memory");
}

static enum lab_outcome run_once(const struct lab_step *step, struct lab_problem *problem,
                                 struct lab_run *run)
{
    *run = (struct lab_run){0};
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

/* The largest size that is expected to fit the step's share, given what it took for n. */
static size_t next_size(const struct choice *choice, size_t n, double seconds)
{
    size_t best = n;
    const struct lab_kind *kind = choice->experiment->kind;
    for (int k = 0; k < SIZES && choice->sizes[k]; k++)
        if (choice->sizes[k] > best &&
            seconds * kind->work(choice->sizes[k]) / kind->work(n) <= choice->share)
            best = choice->sizes[k];
    return choice->n ? n : best;
}

/* Checked before any time is taken, at every size that is tried. */
static enum lab_outcome measure(const struct choice *choice, const struct lab_step *step,
                                struct lab_problem *problem, struct result *result)
{
    struct lab_run runs[REPEATS_MOST];
    size_t n = choice->n ? choice->n : choice->sizes[0], tried = 0;
    while (tried != n) {
        problem_give(choice->experiment->kind, problem, n);
        memset(problem->out, 0xff, problem->bytes);
        if (run_once(step, problem, &runs[0]) != LAB_DONE)
            return LAB_ABSENT;
        result->n = tried = n;
        result->wrong = choice->experiment->kind->wrong(problem) > 0;
        if (result->wrong)
            return LAB_DONE;
        n = next_size(choice, n, runs[0].whole);
    }
    int repeats = runs[0].whole * choice->repeats > choice->share ? 1 : choice->repeats;
    for (int i = 0; repeats > 1 && i < repeats; i++)
        run_once(step, problem, &runs[i]);
    qsort(runs, (size_t)repeats, sizeof *runs, by_seconds);
    result->run = runs[repeats / 2];
    if (result->run.n > 0)
        result->n = result->run.n;
    return LAB_DONE;
}

static double rate(const struct choice *choice, const struct result *result)
{
    const struct lab_experiment *experiment = choice->experiment;
    return experiment->kind->work(result->n) / result->run.seconds / experiment->per_unit;
}

static int width_of(const char *column)
{
    const int least = 9, width = (int)strlen(column);
    return width > least ? width : least;
}

static void head_table(const struct choice *choice)
{
    const struct lab_experiment *experiment = choice->experiment;
    printf("# %s\n# GPU: %s\n", experiment->title, choice->device);
    if (experiment->preface)
        experiment->preface();
    printf("%-44s %6s %12s %12s %16s", "step", "n", "seconds", "with copies", experiment->unit);
    for (int k = 0; k < LAB_COLUMNS && experiment->column[k]; k++)
        printf(" %*s", width_of(experiment->column[k]), experiment->column[k]);
    printf("  report\n");
}

static void row_table(const struct choice *choice, const struct lab_step *step, const struct result *result)
{
    const struct lab_experiment *experiment = choice->experiment;
    const struct lab_run *run = &result->run;
    printf("%-44s %6zu %12.6f %12.6f %16.4g", step->name, result->n, run->seconds, run->whole,
           rate(choice, result));
    for (int k = 0; k < LAB_COLUMNS && experiment->column[k]; k++)
        if (run->column[k] > 0)
            printf(" %*.4g", width_of(experiment->column[k]), run->column[k]);
        else
            printf(" %*s", width_of(experiment->column[k]), "-");
    printf("  %s\n", step->report ? step->report : "");
    fflush(stdout);
}

static void head_csv(const struct lab_experiment *experiment, FILE *csv)
{
    fprintf(csv, "step,on,n,seconds,with copies,%s", experiment->unit);
    for (int k = 0; k < LAB_COLUMNS && experiment->column[k]; k++)
        fprintf(csv, ",%s", experiment->column[k]);
    fprintf(csv, ",report\n");
}

static void row_csv(const struct choice *choice, const struct lab_step *step, const struct result *result,
                    FILE *csv)
{
    const struct lab_experiment *experiment = choice->experiment;
    const struct lab_run *run = &result->run;
    fprintf(csv, "\"%s\",%s,%zu,%.9g,%.9g,%.6g", step->name, step->gpu ? "GPU" : "CPU", result->n,
            run->seconds, run->whole, rate(choice, result));
    for (int k = 0; k < LAB_COLUMNS && experiment->column[k]; k++)
        if (run->column[k] > 0)
            fprintf(csv, ",%.6g", run->column[k]);
        else
            fputc(',', csv);
    fprintf(csv, ",\"%s\"\n", step->report ? step->report : "");
}

static void row_json(const struct choice *choice, const struct lab_step *step, const struct result *result,
                     cJSON *rows)
{
    const struct lab_experiment *experiment = choice->experiment;
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "step", step->name);
    cJSON_AddStringToObject(object, "on", step->gpu ? "GPU" : "CPU");
    cJSON_AddNumberToObject(object, "n", (double)result->n);
    cJSON_AddNumberToObject(object, "seconds", result->run.seconds);
    cJSON_AddNumberToObject(object, "with copies", result->run.whole);
    cJSON_AddNumberToObject(object, experiment->unit, rate(choice, result));
    for (int k = 0; k < LAB_COLUMNS && experiment->column[k]; k++)
        if (result->run.column[k] > 0)
            cJSON_AddNumberToObject(object, experiment->column[k], result->run.column[k]);
    if (step->report)
        cJSON_AddStringToObject(object, "report", step->report);
    cJSON_AddItemToArray(rows, object);
}

/* Returns how many steps were wrong. */
static int run_all(const struct choice *choice, FILE *csv, cJSON *rows)
{
    const struct lab_experiment *experiment = choice->experiment;
    struct lab_problem problem = {0};
    int wrong = 0, absent = 0, count = 0, at = 0;
    while (experiment->steps[count])
        count++;
    for (const struct lab_step *const *each = experiment->steps; *each; each++) {
        const struct lab_step *step = *each;
        struct result result = {0};
        at++;
        if (choice->only && !strstr(step->name, choice->only))
            continue;
        if (!(step->gpu ? choice->gpu : choice->cpu)) {
            absent += step->gpu;
            continue;
        }
        if (choice->counted)
            fprintf(stderr, "\r\033[K%s %d of %d: %s", experiment->name, at, count, step->name);
        enum lab_outcome outcome = measure(choice, step, &problem, &result);
        if (choice->counted)
            fprintf(stderr, "\r\033[K");
        if (outcome == LAB_ABSENT)
            continue;
        if (result.wrong) {
            fprintf(stderr, "lab: %s: %s: the result is wrong (n = %zu)\n", experiment->name, step->name,
                    result.n);
            wrong++;
            continue;
        }
        if (rows)
            row_json(choice, step, &result, rows);
        else
            row_table(choice, step, &result);
        if (csv)
            row_csv(choice, step, &result, csv);
    }
    if (absent && !choice->json)
        printf("# no GPU: %d steps left out\n", absent);
    problem_free(&problem);
    return wrong;
}

static const char usage[] =
    "Runs the steps of one experiment, each checked and then timed.\n\n"
    "  --n N          this size; by default the largest of 500, 1000, 2000 and 5000 that fits 2 s\n"
    "  --full         n from 5000 on, and the median of 5 runs\n"
    "  --device WHAT  cpu, gpu or all (default)\n"
    "  --only TEXT    the steps with TEXT in their names\n"
    "  --csv FILE     the table as CSV too\n"
    "  --json         the table as JSON\n"
    "  --list         the names of the steps\n"
    "  -h, --help     this text\n";

static int list_steps(const struct lab_experiment *experiment)
{
    for (const struct lab_step *const *each = experiment->steps; *each; each++)
        printf("%s\n", (*each)->name);
    return 0;
}

static bool number(const char *text, size_t *n)
{
    char *end;
    unsigned long long value = strtoull(text, &end, 10);
    *n = (size_t)value;
    return *text >= '0' && *text <= '9' && !*end && value > 0 && value <= 100000;
}

/* The program's exit status, or -1: there is work to do. */
static int choose(struct choice *choice, int argc, char **argv)
{
    static const struct option options[] = {{"n", required_argument, NULL, 'n'},
                                            {"full", no_argument, NULL, 'f'},
                                            {"json", no_argument, NULL, 'j'},
                                            {"csv", required_argument, NULL, 'c'},
                                            {"list", no_argument, NULL, 'l'},
                                            {"device", required_argument, NULL, 'd'},
                                            {"only", required_argument, NULL, 'o'},
                                            {"help", no_argument, NULL, 'h'},
                                            {NULL, 0, NULL, 0}};
    int letter;
    while ((letter = getopt_long(argc, argv, "h", options, NULL)) != -1)
        switch (letter) {
        case 'n':
            if (!number(optarg, &choice->n))
                return fprintf(stderr, "lab: --n %s: a number from 1 to 100000\n", optarg), 2;
            break;
        case 'f':
            choice->sizes = full_sizes, choice->share = 20, choice->repeats = REPEATS_MOST;
            break;
        case 'd':
            choice->cpu = strcmp(optarg, "gpu") != 0;
            choice->gpu = strcmp(optarg, "cpu") != 0;
            if (choice->cpu && choice->gpu && strcmp(optarg, "all") != 0)
                return fprintf(stderr, "lab: --device %s: cpu, gpu or all\n", optarg), 2;
            break;
        case 'o':
            choice->only = optarg;
            break;
        case 'c':
            choice->csv = optarg;
            break;
        case 'j':
            choice->json = true;
            break;
        case 'l':
            return list_steps(choice->experiment);
        case 'h':
            return printf("%s\n\n%s", choice->experiment->title, usage), 0;
        default:
            return 2;
        }
    return optind == argc ? -1 : (fprintf(stderr, "lab: what is `%s`? See --help\n", argv[optind]), 2);
}

int lab_main(const struct lab_experiment *experiment, int argc, char **argv)
{
    struct choice choice = {.experiment = experiment,
                            .sizes = usual_sizes,
                            .share = 2,
                            .repeats = 3,
                            .cpu = true,
                            .gpu = true,
                            .counted = isatty(STDERR_FILENO)};
    int status = choose(&choice, argc, argv);
    if (status >= 0)
        return status;
    choice.gpu = lab_gpu(choice.device, sizeof choice.device) && choice.gpu;
    FILE *csv = choice.csv ? fopen(choice.csv, "w") : NULL;
    if (choice.csv && !csv)
        lab_stop("cannot write the CSV file");
    cJSON *rows = choice.json ? cJSON_CreateArray() : NULL;
    if (!rows)
        head_table(&choice);
    if (csv)
        head_csv(experiment, csv);
    int wrong = run_all(&choice, csv, rows);
    if (rows) {
        char *text = cJSON_Print(rows);
        printf("%s\n", text);
        free(text);
        cJSON_Delete(rows);
    }
    if (csv && fclose(csv))
        lab_stop("cannot write the CSV file");
    return wrong > 0;
}
