/*
 * One instance of the kernels of paths.h. The including file defines
 *   RELAX_TARGET, RELAX_ISA   as for relax_body.h
 *   PATHS(name)               the instance's name for a function
 *   PATHS_LANES               reals of a vector
 *   PATHS_ADD(a, bits, b)     a + b where the bit of a lane is set, else a
 *   PATHS_PICK(bits, a, b)    a where it is set, else b
 */
#include "kernels/cpu/paths.h"

#include <string.h>

enum {
    PATHS(vectors) = PATHS_WIDTH / PATHS_LANES, /* In a row. */
    PATHS(lanes) = (1 << PATHS_LANES) - 1,      /* Bits of a vector. */
    PATHS(block) = 8,                           /* Vertices whose rows are asked for together. */
    PATHS(scanned) = 16                         /* Neighbours that are looked at together. */
};
typedef double PATHS(vector) __attribute__((vector_size(8 * PATHS_LANES)));

/* A neighbour whose row is wanted. */
struct PATHS(neighbour) {
    uint64_t bits;
    uint32_t vertex, at; /* `at`: its place behind the first of the list. */
};

/* A vertex in hand. */
struct PATHS(hand) {
    uint64_t want, got;
    PATHS(vector) sum[PATHS(vectors)];
};

RELAX_TARGET static inline PATHS(vector) PATHS(load)(const double *from, size_t k)
{
    PATHS(vector) v;
    memcpy(&v, from + k * PATHS_LANES, sizeof v);
    return v;
}

RELAX_TARGET static inline void PATHS(store)(double *to, size_t k, PATHS(vector) v)
{
    memcpy(to + k * PATHS_LANES, &v, sizeof v);
}

RELAX_TARGET static inline unsigned PATHS(part)(uint64_t bits, size_t k)
{
    return (unsigned)(bits >> (k * PATHS_LANES)) & PATHS(lanes);
}

/* Parts of 64 terms, added up lane by lane. */
struct PATHS(parts) {
    PATHS(vector) coarse, fine;
};

RELAX_TARGET static inline void PATHS(add_term)(const struct fixed *fixed,
                                                struct PATHS(parts) * parts, PATHS(vector) term)
{
    const PATHS(vector) coarse = (term + fixed->coarse_round) - fixed->coarse_round,
                        rest = term - coarse;
    parts->coarse += coarse;
    parts->fine += (rest + fixed->fine_round) - fixed->fine_round;
}

RELAX_TARGET static inline void PATHS(add_parts)(const struct fixed *fixed, struct fixed_sum *sum,
                                                 const struct PATHS(parts) * parts)
{
    double coarse = 0, fine = 0;
    for (size_t i = 0; i < PATHS_LANES; i++) {
        coarse += parts->coarse[i];
        fine += parts->fine[i];
    }
    fixed_add_parts(fixed, sum, coarse, fine);
}

/* Finds the neighbours at lo .. hi - 1 that share wanted sources, and asks for their rows. */
RELAX_TARGET static inline size_t PATHS(scan)(const struct paths_state *state, const uint32_t *list,
                                              size_t lo, size_t hi, uint64_t want,
                                              struct PATHS(neighbour) * pool)
{
    size_t count = 0;
    for (size_t e = lo; e < hi; e++) {
        const uint32_t u = list[e];
        const uint64_t bits = state->near[u] & want;
        pool[count] = (struct PATHS(neighbour)){bits, u, (uint32_t)e};
        count += bits != 0;
    }
    for (size_t i = 0; i < count; i++)
        for (size_t line = 0; line < PATHS_WIDTH; line += 8)
            __builtin_prefetch(state->row + (size_t)pool[i].vertex * PATHS_WIDTH + line);
    return count;
}

/* Adds the rows of neighbours to that in hand; `arc` has the sums of its arcs, or is NULL. */
RELAX_TARGET static inline __attribute__((always_inline)) void
PATHS(add_rows)(const struct paths_state *state, struct PATHS(hand) * hand,
                const struct PATHS(neighbour) * pool, size_t count, const double *own,
                struct fixed_sum *arc)
{
    for (size_t i = 0; i < count; i++) {
        const double *row = state->row + (size_t)pool[i].vertex * PATHS_WIDTH;
        const uint64_t bits = pool[i].bits;
        struct PATHS(parts) parts = {{0}, {0}};
        hand->got |= bits;
#pragma GCC unroll 64
        for (size_t k = 0; k < PATHS(vectors); k++) {
            const PATHS(vector) v = PATHS(load)(row, k);
            hand->sum[k] = PATHS_ADD(hand->sum[k], PATHS(part)(bits, k), v);
            if (arc)
                PATHS(add_term)
            (&state->fixed, &parts,
             PATHS_PICK(PATHS(part)(bits, k), v * PATHS(load)(own, k), (PATHS(vector)){0}));
        }
        if (arc)
            PATHS(add_parts)(&state->fixed, &arc[pool[i].at], &parts);
    }
}

/* The sums of a segment go to those of the segments before, and come back from there at the end. */
RELAX_TARGET static inline void PATHS(end_segment)(struct PATHS(hand) * hand, PATHS(vector) * ended,
                                                   bool last)
{
    for (size_t k = 0; k < PATHS(vectors); k++) {
        ended[k] += hand->sum[k];
        hand->sum[k] = last ? ended[k] : (PATHS(vector)){0};
    }
}

/* The sums of a vertex whose first neighbours are in the pool. */
RELAX_TARGET static inline __attribute__((always_inline)) void
PATHS(pull)(const struct paths_state *state, const struct paths_lists *lists, uint32_t v,
            struct PATHS(hand) * hand, const struct PATHS(neighbour) * pool, size_t count,
            struct fixed_sum *arc)
{
    struct PATHS(neighbour) more[PATHS(scanned)];
    const size_t start = lists->start[v], length = lists->start[v + 1] - start;
    const double *own = state->row + (size_t)v * PATHS_WIDTH;
    PATHS(vector) ended[PATHS(vectors)] = {{0}}; /* The sum of the segments before. */
    hand->got = 0;
    memset(hand->sum, 0, sizeof hand->sum);
    for (size_t e = PATHS(scanned);; e += PATHS(scanned)) {
        PATHS(add_rows)(state, hand, pool, count, own, arc ? arc + start : NULL);
        if (paths_has_segments(length) && (e >= length || e % PATHS_SEGMENT == 0))
            PATHS(end_segment)(hand, ended, e >= length);
        if (e >= length)
            return;
        count = PATHS(scan)(state, lists->vertex + start, e,
                            length - e < PATHS(scanned) ? length : e + PATHS(scanned), hand->want,
                            more);
        pool = more;
    }
}

RELAX_TARGET static inline size_t PATHS(begin)(const struct paths_state *state,
                                               const struct paths_lists *lists, uint32_t v,
                                               uint64_t want, struct PATHS(neighbour) * pool)
{
    const size_t start = lists->start[v], length = lists->start[v + 1] - start;
    return PATHS(scan)(state, lists->vertex + start, 0,
                       length < PATHS(scanned) ? length : PATHS(scanned), want, pool);
}

/* Vertex v has the paths that were found, and an event. */
RELAX_TARGET static inline void PATHS(reach)(struct paths_state *state, uint32_t v,
                                             const struct PATHS(hand) * hand)
{
    double *row = state->row + (size_t)v * PATHS_WIDTH;
    PATHS(vector) most = {0};
    if (!hand->got)
        return;
#pragma GCC unroll 64
    for (size_t k = 0; k < PATHS(vectors); k++) {
        PATHS(store)
        (row, k, PATHS_PICK(PATHS(part)(hand->got, k), hand->sum[k], PATHS(load)(row, k)));
        most += hand->sum[k];
    }
    for (size_t i = 0; i < PATHS_LANES; i++)
        state->most = most[i] > state->most ? most[i] : state->most;
    state->event[state->events++] = (struct paths_event){hand->got, v};
}

RELAX_TARGET static void PATHS(forward)(struct paths_state *state, const uint32_t *vertex,
                                        size_t count)
{
    struct PATHS(neighbour) pool[PATHS(block)][PATHS(scanned)];
    size_t found[PATHS(block)];
    struct PATHS(hand) hand;
    for (size_t first = 0, part; first < count; first += part) {
        part = count - first < PATHS(block) ? count - first : PATHS(block);
        for (size_t i = 0; i < part; i++) {
            const uint32_t v = vertex[first + i];
            found[i] = PATHS(begin)(state, &state->in, v, state->missing[v], pool[i]);
        }
        for (size_t i = 0; i < part; i++) {
            const uint32_t v = vertex[first + i];
            hand.want = state->missing[v];
            PATHS(pull)(state, &state->in, v, &hand, pool[i], found[i], NULL);
            PATHS(reach)(state, v, &hand);
        }
    }
}

/* A vertex whose successors have been added up. */
RELAX_TARGET static inline void PATHS(settle)(struct paths_state *state, uint32_t v,
                                              const struct PATHS(hand) * hand, bool sums)
{
    double *row = state->row + (size_t)v * PATHS_WIDTH;
    const double wanted = state->wanted[v];
    struct PATHS(parts) parts = {{0}, {0}};
    for (size_t k = 0; k < PATHS(vectors); k++) {
        const unsigned bits = PATHS(part)(hand->want, k);
        if (!bits)
            continue;
        const PATHS(vector) paths = PATHS(load)(row, k), own = paths * hand->sum[k],
                            all = own + wanted;
        PATHS(store)(row, k, PATHS_PICK(bits, all / paths, paths));
        PATHS(add_term)
        (&state->fixed, &parts, PATHS_PICK(bits, state->ends ? all : own, (PATHS(vector)){0}));
    }
    if (sums)
        PATHS(add_parts)(&state->fixed, &state->sum[v], &parts);
}

RELAX_TARGET static inline
    __attribute__((always_inline)) void PATHS(return )(struct paths_state *state, size_t at,
                                                       size_t last, bool sums,
                                                       struct fixed_sum *arc)
{
    struct PATHS(neighbour) pool[PATHS(block)][PATHS(scanned)];
    size_t found[PATHS(block)];
    struct PATHS(hand) hand;
    for (size_t part; at < last; at += part) {
        part = last - at < PATHS(block) ? last - at : PATHS(block);
        for (size_t i = 0; i < part; i++) {
            const struct paths_event *event = &state->event[at + i];
            found[i] = PATHS(begin)(state, &state->out, event->vertex, event->bits, pool[i]);
        }
        for (size_t i = 0; i < part; i++) {
            const struct paths_event *event = &state->event[at + i];
            hand.want = event->bits;
            PATHS(pull)(state, &state->out, event->vertex, &hand, pool[i], found[i], arc);
            PATHS(settle)(state, event->vertex, &hand, sums);
        }
    }
}

RELAX_TARGET static void PATHS(backward)(struct paths_state *state, size_t first, size_t last,
                                         bool sums)
{
    if (state->arc)
        PATHS(return )(state, first, last, sums, state->arc);
    else
        PATHS(return )(state, first, last, sums, NULL);
}

static const struct paths_kernels PATHS(kernels) = {
    .name = RELAX_ISA,
    .forward = PATHS(forward),
    .backward = PATHS(backward),
};
