/*
 * sequences FIRST COUNT [QUESTION,...]: random sequences of questions by these seeds, of each
 * perhaps some questions alone. mpirun -n RANKS spreads the solutions over ranks. The device is
 * SEQUENCES_DEVICE, cpu unless told. The file SEQUENCES_AT gets the seed and the question in hand.
 * At the end stands what was solved and asked.
 */
#include "sequences.h"
#include "solve/engines.h"

#include <fcntl.h>
#include <omp.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SLOTS = 2, QUESTIONS_MAX = 14, TYPES = APSP_F64 + 1, METHODS = 16 };

static const struct kind {
    const char *name;
    int (*ask)(struct question *question);
    uint32_t share; /* of the questions */
} kinds[] = {
    {"rows", rows_ask, 3},
    {"table", table_ask, 6},
    {"device", device_ask, 2},
    {"pairs", pairs_ask, 2},
    {"nearest", nearest_ask, 2},
    {"within", within_ask, 2},
    {"distance", distance_ask, 2},
    {"path", path_ask, 2},
    {"predecessors", predecessors_ask, 2},
    {"blocks", blocks_ask, 2},
    {"statistics", stats_ask, 4},
    {"betweenness", betweenness_ask, 2},
    {"solve", solve_ask, 2},
};
enum { KINDS = sizeof kinds / sizeof *kinds, SOLVE = KINDS - 1 };

/* The counts of a run. */
static struct {
    struct {
        const char *name;
        size_t solved[TYPES], refused;
    } method[METHODS];
    size_t asked[KINDS], cancelled[KINDS], short_of_memory[KINDS];
} done;

/* The sequence in hand. */
static struct sequence {
    uint64_t seed;
    const char *only; /* numbers of questions, with commas around each; NULL: all */
    const char *kind; /* of the question in hand */
    int at;           /* a file, or -1 */
} now = {.at = -1};

void wrong(const struct question *question, const char *format, ...)
{
    static const char *const twists[] = {"", ", an allocation failed", ", cancelled",
                                         ", on a thread"};
    va_list list;
    char text[2 * TEXT];
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    printf("wrong: sequence %llu, question %u, rank %d of %d: %s%s (%u): %s\n  %s\n  %s\n",
           (unsigned long long)now.seed, question->number, rank, ranks, now.kind,
           twists[question->twist], question->strike, text, question->slot->sample->text,
           question->slot->text);
    fflush(stdout);
    ranks_abort();
}

static void fault_hear(int code, const char *text)
{
    printf("wrong: sequence %llu: fault %d: %s\n", (unsigned long long)now.seed, code, text);
    fflush(stdout);
    ranks_abort();
}

/* The row of that name in the counts. */
static int method_row(const char *name)
{
    int row = 0;
    while (row < METHODS - 1 && done.method[row].name && strcmp(done.method[row].name, name) != 0)
        row++;
    done.method[row].name = name;
    return row;
}

void count_solve(const struct slot *slot)
{
    done.method[method_row(slot->facts->method)].solved[slot->facts->computed]++;
}

void count_refusal(const char *method)
{
    done.method[method_row(method ? method : "auto")].refused++;
}

static void counts_print(void)
{
    static const char *const types[] = {"auto", "u16", "i32", "i64", "f32", "f64"};
    for (int m = 0; m < METHODS && done.method[m].name && rank == 0; m++) {
        for (int type = APSP_U16; type < TYPES; type++)
            printf("solved %s %s %d %zu\n", done.method[m].name, types[type], ranks,
                   done.method[m].solved[type]);
        if (done.method[m].refused)
            printf("refused %s %d %zu\n", done.method[m].name, ranks, done.method[m].refused);
    }
    for (int kind = 0; kind < KINDS && rank == 0; kind++)
        printf("asked %s %d %zu %zu %zu\n", kinds[kind].name, ranks, done.asked[kind],
               done.cancelled[kind], done.short_of_memory[kind]);
}

static bool is_asked(unsigned number)
{
    char text[16];
    snprintf(text, sizeof text, ",%u,", number);
    return !now.only || strstr(now.only, text);
}

/* The kind of a question by the shares. */
static int kind_draw(uint64_t *random)
{
    uint32_t all = 0, place;
    int kind = 0;
    for (int k = 0; k < KINDS; k++)
        all += kinds[k].share;
    place = draw(random, 0, all - 1);
    for (; place >= kinds[kind].share; kind++)
        place -= kinds[kind].share;
    return kind;
}

static void twist_draw(struct question *question, uint64_t *random, int kind)
{
    const uint32_t chance = draw(random, 0, 9), few = draw(random, 1, 3),
                   many = draw(random, 1, 40);
    question->strike = draw_one_in(random, 2) ? few : many;
    question->struck = draw(random, 0, (uint32_t)ranks - 1);
    if (chance == 0)
        question->twist = TWIST_CANCEL;
    else if (chance == 1 && ranks == 1)
        question->twist = TWIST_THREAD;
    else if (chance <= 2 && !getenv("SEQUENCES_DEVICE") && (kind != SOLVE || ranks == 1))
        question->twist = TWIST_MEMORY;
}

/* On a thread of its own, where the question wants that. */
struct call {
    struct question *question;
    int kind, status;
};

static void *call_run(void *self)
{
    struct call *call = self;
    call->status = kinds[call->kind].ask(call->question);
    return NULL;
}

static int question_call(struct question *question, int kind)
{
    struct call call = {question, kind, 0};
    pthread_t thread;
    done.asked[kind]++;
    if (question->twist != TWIST_THREAD || pthread_create(&thread, NULL, call_run, &call) != 0)
        call_run(&call);
    else
        pthread_join(thread, NULL);
    return call.status;
}

/* After a mishap the same question has its answer. */
static void question_ask(struct question *question, int kind)
{
    const uint64_t random = question->random;
    now.kind = kinds[kind].name;
    int status = question_call(question, kind);
    if (status == APSP_OK)
        return;
    if (status != (question->twist == TWIST_MEMORY   ? APSP_MEMORY
                   : question->twist == TWIST_CANCEL ? APSP_CANCELLED
                                                     : APSP_OK))
        wrong(question, "status %d: %s", status, question->error.text);
    done.cancelled[kind] += status == APSP_CANCELLED;
    done.short_of_memory[kind] += status == APSP_MEMORY;
    question->random = random;
    question->twist = TWIST_NONE;
    if ((status = question_call(question, kind)) != APSP_OK)
        wrong(question, "status %d when it is asked again: %s", status, question->error.text);
}

static void question_note(unsigned number)
{
    char text[48];
    const int length =
        snprintf(text, sizeof text, "%-20llu %-3u\n", (unsigned long long)now.seed, number);
    if (now.at >= 0 && pwrite(now.at, text, (size_t)length, 0) != length)
        abort();
}

static void questions_run(struct slot *slots)
{
    uint64_t random = random_mix(now.seed);
    const unsigned count = draw(&random, 4, QUESTIONS_MAX);
    for (unsigned number = 0; number < count + SLOTS; number++) {
        const bool first = number < SLOTS;
        struct question question = {.number = number};
        uint64_t own = random_mix(now.seed ^ random_mix(number + 1));
        const int kind = first ? SOLVE : kind_draw(&own);
        question.slot = &slots[first ? number : draw(&own, 0, SLOTS - 1)];
        twist_draw(&question, &own, kind);
        question.random = own;
        if (draw_one_in(&own, 8))
            omp_set_num_threads((int)draw(&own, 1, 4));
        if (!first && !is_asked(number))
            continue;
        question_note(number);
        question_ask(&question, kind);
    }
}

/* Two solutions, of one graph or of two. */
static void sequence_run(void)
{
    static struct sample samples[SLOTS];
    struct slot slots[SLOTS] = {{0}};
    void *borrowed[SLOTS] = {0};
    uint64_t random = random_mix(~now.seed);
    const bool one = draw_one_in(&random, 2);
    for (int k = 0; k < (one ? 1 : SLOTS); k++)
        sample_draw(&samples[k], &random);
    for (int k = 0; k < SLOTS; k++) {
        slots[k].sample = &samples[one ? 0 : k];
        slots[k].graph =
            one && k > 0 ? slots[0].graph : sample_graph(slots[k].sample, &random, &borrowed[k]);
    }
    questions_run(slots);
    for (int k = 0; k < SLOTS; k++)
        apsp_solution_free(slots[k].solution);
    for (int k = 0; k < (one ? 1 : SLOTS); k++) {
        apsp_graph_free(slots[k].graph);
        free(borrowed[k]);
        sample_free(&samples[k]);
    }
}

int main(int argc, char **argv)
{
    const char *at = getenv("SEQUENCES_AT");
    char only[TEXT];
    if (argc < 3)
        return fprintf(stderr, "usage: sequences FIRST COUNT [QUESTION,...]\n"), 2;
    ranks_begin(&argc, &argv);
    apsp_on_fault(fault_hear);
    if (argc > 3) {
        snprintf(only, sizeof only, ",%s,", argv[3]);
        now.only = only;
    }
    if (at && rank == 0)
        now.at = open(at, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    const uint64_t first = strtoull(argv[1], NULL, 10), count = strtoull(argv[2], NULL, 10);
    for (int engine = 0; engines[engine]; engine++)
        method_row(engines[engine]->name);
    for (now.seed = first; now.seed < first + count; now.seed++)
        sequence_run();
    counts_print();
    if (now.at >= 0)
        close(now.at);
    ranks_end();
    return 0;
}
