/* Graphs for the tests of the library, and their distances by other algorithms. */
#ifndef GRAPH_OF_H
#define GRAPH_OF_H

#include "base/dtype.h"
#include "base/random.h"
#include "reference.h"

#include <stdlib.h>

enum { N = 50, M = 220 };

struct sample {
    struct edge edge[M];
    int64_t from64[M], to64[M], weight64[M];
    int32_t from32[M], to32[M], weight32[M];
    uint64_t fromu64[M];
    uint32_t tou32[M];
    float weightf[M];
    double weightd[M];
    int64_t *right; /* N x N, INF_I64: unreachable */
};

/* Edges sorted by their tails, with parallel ones and loops, and vertices that nothing reaches.
 * Weights from `least` to least + 99, shifted by potentials that close no negative cycle if least
 * is 0. */
static inline void sample_make(struct sample *sample, int least, int depth)
{
    uint64_t state = 5;
    bool cycle;
    for (size_t e = 0; e < M; e++) {
        uint32_t from = (uint32_t)(e * (N - 1) / M), to = random_below(&state, N - 3);
        int64_t weight = least + (int64_t)random_below(&state, 100);
        weight += depth * ((int64_t)(from % 7) - (int64_t)(to % 7));
        sample->edge[e] = (struct edge){from, to, {weight}};
        sample->from64[e] = sample->from32[e] = (int32_t)from;
        sample->to64[e] = sample->to32[e] = (int32_t)to;
        sample->fromu64[e] = from;
        sample->tou32[e] = to;
        sample->weight64[e] = sample->weight32[e] = (int32_t)weight;
        sample->weightd[e] = (double)weight;
        sample->weightf[e] = (float)weight;
    }
    sample->right = reference_whole(N, sample->edge, M, &cycle);
}

static inline struct apsp_edges sample_edges(const struct sample *sample)
{
    return (struct apsp_edges){
        N, M, {sample->from32, APSP_I32}, {sample->to32, APSP_I32}, {sample->weight32, APSP_I32}};
}

/* Entry i of distances of that type, as those of `right`. */
static inline int64_t entry_of(const void *values, enum apsp_type type, size_t i)
{
    double real;
    switch (type) {
    case APSP_U16:
        return ((const uint16_t *)values)[i] == APSP_UNREACHABLE_U16
                   ? INF_I64
                   : ((const uint16_t *)values)[i];
    case APSP_I32:
        return ((const int32_t *)values)[i] == APSP_UNREACHABLE_I32 ? INF_I64
                                                                    : ((const int32_t *)values)[i];
    case APSP_I64:
        return ((const int64_t *)values)[i] == APSP_UNREACHABLE_I64 ? INF_I64
                                                                    : ((const int64_t *)values)[i];
    case APSP_F32:
        real = (double)((const float *)values)[i];
        break;
    default:
        real = ((const double *)values)[i];
    }
    return real > 1e300 ? INF_I64 : (int64_t)real;
}

#endif
