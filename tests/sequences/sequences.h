/*
 * Random sequences of questions to solutions of the library. Every answer is compared with a
 * reference that shares no code with the engines: distances of tests/reference.c, and all that
 * follows from them, recomputed one by one.
 */
#ifndef SEQUENCES_H
#define SEQUENCES_H

#include "apsp.h"
#include "base/random.h"

#include <stdbool.h>
#include <stddef.h>

enum { N_MAX = 160, M_MAX = 2048, TEXT = 256 };

/* A graph, and what is right. Matrices are n x n. */
struct sample {
    uint32_t n, m;
    uint32_t from[M_MAX], to[M_MAX];
    int64_t scaled[M_MAX]; /* weights times the factor; of an irregular sample 0 */
    double real[M_MAX];    /* weights */
    double factor;
    bool unweighted, floating; /* given without weights; given as floating-point numbers */
    bool as_text;              /* given as the content of a file */
    bool irregular;            /* no power of ten or two makes the weights integral */
    int64_t *whole;            /* distances times the factor, INF_I64; NULL: irregular */
    double *distance;          /* INFINITY: there is none */
    double *lightest;          /* of the edges from row to column; INFINITY: there is none */
    double heaviest;           /* the largest absolute weight */
    char text[TEXT];           /* for messages */
};

void sample_draw(struct sample *sample, uint64_t *random);
void sample_free(struct sample *sample);

/* The sample as edges, as compressed rows, as a matrix or as a text. `borrowed` holds its arrays
 * and is the caller's, to be freed after the graph. */
struct apsp_graph *sample_graph(const struct sample *sample, uint64_t *random, void **borrowed);

/* A graph and a solution of it. */
struct slot {
    const struct sample *sample;
    struct apsp_graph *graph;
    struct apsp_solution *solution;
    const struct apsp_facts *facts;
    double tolerance; /* of a distance; 0: all are exact */
    char text[TEXT];  /* for messages: how it was solved */
};

/* Mishaps that a call meets. */
enum twist { TWIST_NONE, TWIST_MEMORY, TWIST_CANCEL, TWIST_THREAD };

/* A question in hand. Asking it again with the same state of `random` draws the same. */
struct question {
    unsigned number;
    struct slot *slot;
    uint64_t random;
    enum twist twist;
    uint32_t strike; /* the allocation or the look that the twist meets, from 1 */
    uint32_t struck; /* the rank that does */
    struct apsp_error error;
};

/* Uniform, from `least` to `most`. */
static inline uint32_t draw(uint64_t *random, uint32_t least, uint32_t most)
{
    return least + random_below(random, most - least + 1);
}

/* One in so many. */
static inline bool draw_one_in(uint64_t *random, uint32_t many)
{
    return random_below(random, many) == 0;
}

/* strikes.c: the call in hand meets the question's twist. */
void strikes_begin(struct question *question);
/* The status; what does not fit it ends the program. */
int strikes_end(struct question *question, int status);

/* A call of the library, and its status. */
#define ASK(question, call) (strikes_begin(question), strikes_end((question), (call)))

/* ranks.c: MPI runs if a launcher has started the program. */
extern int rank, ranks;
void ranks_begin(int *argc, char ***argv);
void ranks_end(void);
size_t ranks_sum(size_t value);
int ranks_solve(struct apsp_graph *graph, const struct apsp_options *options,
                struct apsp_solution **solution, struct apsp_error *error);
/* Ends all ranks with status 1. */
void ranks_abort(void) __attribute__((noreturn));

/* main.c: says which question of which sequence has a wrong answer, and ends the program. */
void wrong(const struct question *question, const char *format, ...)
    __attribute__((noreturn, format(printf, 2, 3)));
void count_solve(const struct slot *slot);
void count_refusal(const char *method);

/* solve.c: solves the slot's graph in some way, in place of its solution. APSP_MEMORY and
 * APSP_CANCELLED leave none. */
int solve_ask(struct question *question);

/* answers.c: whether entry k of values of the slot's type is the distance from i to j. */
bool answer_is_right(const struct slot *slot, const void *values, size_t k, size_t i, size_t j);
/* Whether a number in the unit of the weights is that distance. */
bool answer_is_near(const struct slot *slot, double found, size_t i, size_t j);
/* Whether both forms of a single distance are right. */
bool answer_has(const struct slot *slot, int64_t whole, double real, size_t i, size_t j);
/* The distance in the unit of rows of integers; INF_I64: there is none. */
int64_t answer_whole(const struct slot *slot, size_t i, size_t j);

/* Vertices in a list of the sizes 0 .. n and more. */
struct drawn_list {
    struct apsp_list list;
    uint32_t vertex[2 * N_MAX];
};
enum list_kind { LIST_ANY, LIST_DISTINCT };
void draw_list(struct drawn_list *drawn, uint64_t *random, uint32_t n, enum list_kind kind);
static inline size_t list_count(const struct apsp_list *list, size_t n)
{
    return list->vertex ? list->count : n;
}
static inline size_t list_at(const struct apsp_list *list, size_t k)
{
    return list->vertex ? list->vertex[k] : k;
}

/* Each asks one question and compares the answer; returns the status. */
int rows_ask(struct question *question);
int table_ask(struct question *question);
int device_ask(struct question *question);
int blocks_ask(struct question *question);
int distance_ask(struct question *question);
int path_ask(struct question *question);
int predecessors_ask(struct question *question);
int pairs_ask(struct question *question);
int nearest_ask(struct question *question);
int within_ask(struct question *question);
int stats_ask(struct question *question);
int betweenness_ask(struct question *question);

#endif
