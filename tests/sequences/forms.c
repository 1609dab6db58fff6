/* A sample as the caller of the library may have it. */
#include "sequences.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { LINE = 64 };

/* The memory that a graph borrows. */
struct arrays {
    int32_t from32[M_MAX], to32[M_MAX], weight32[M_MAX];
    int64_t from64[M_MAX], weight64[M_MAX];
    uint64_t start[N_MAX + 1];
    float weightf[M_MAX];
    double weightd[M_MAX], matrix[N_MAX * N_MAX];
    char text[(M_MAX + 2) * LINE];
};

/* A type that holds all weights. */
static struct apsp_array weights_as(const struct sample *sample, const struct arrays *arrays,
                                    uint64_t *random)
{
    const bool narrow = draw_one_in(random, 2);
    bool fits = true;
    for (uint32_t e = 0; e < sample->m; e++)
        fits &= sample->floating ? (double)(float)sample->real[e] == sample->real[e]
                                 : sample->scaled[e] == (int32_t)sample->scaled[e];
    if (sample->unweighted)
        return (struct apsp_array){NULL, APSP_AUTO};
    if (sample->floating)
        return narrow && fits ? (struct apsp_array){arrays->weightf, APSP_F32}
                              : (struct apsp_array){arrays->weightd, APSP_F64};
    return narrow && fits ? (struct apsp_array){arrays->weight32, APSP_I32}
                          : (struct apsp_array){arrays->weight64, APSP_I64};
}

/* The edges in the order of their tails if `sorted`, else as they are. */
static void arrays_fill(const struct sample *sample, struct arrays *arrays, bool sorted)
{
    uint32_t at = 0;
    for (uint32_t v = 0; v < (sorted ? sample->n : 1); v++) {
        for (uint32_t e = 0; e < sample->m; e++) {
            if (sorted && sample->from[e] != v)
                continue;
            arrays->from32[at] = (int32_t)sample->from[e];
            arrays->from64[at] = sample->from[e];
            arrays->to32[at] = (int32_t)sample->to[e];
            arrays->weight32[at] = (int32_t)sample->scaled[e];
            arrays->weight64[at] = sample->scaled[e];
            arrays->weightf[at] = (float)sample->real[e];
            arrays->weightd[at++] = sample->real[e];
        }
        arrays->start[v + 1] = at;
    }
}

/* Matrix Market's coordinates. Floating-point numbers have as many digits as they need. */
static int text_make(const struct sample *sample, struct arrays *arrays, struct apsp_graph **graph)
{
    const int digits = sample->factor == 1 ? 17 : 3;
    struct apsp_error error;
    char *at = arrays->text;
    at += snprintf(at, LINE, "%%%%MatrixMarket matrix coordinate %s general\n",
                   sample->unweighted ? "pattern"
                   : sample->floating ? "real"
                                      : "integer");
    at += snprintf(at, LINE, "%u %u %u\n", sample->n, sample->n, sample->m);
    for (uint32_t e = 0; e < sample->m; e++) {
        at += snprintf(at, LINE, "%u %u", sample->from[e] + 1, sample->to[e] + 1);
        if (sample->floating)
            at += snprintf(at, LINE, " %.*f", digits, sample->real[e]);
        else if (!sample->unweighted)
            at += snprintf(at, LINE, " %" PRId64, sample->scaled[e]);
        *at++ = '\n';
    }
    return apsp_graph_bytes(graph, arrays->text, (size_t)(at - arrays->text), "mtx", &error);
}

static int graph_make(const struct sample *sample, struct arrays *arrays, uint64_t *random,
                      struct apsp_graph **graph)
{
    const size_t n = sample->n;
    const uint32_t form = draw(random, 0, 3);
    struct apsp_error error;
    arrays_fill(sample, arrays, form == 1);
    const struct apsp_array from = form == 0 ? (struct apsp_array){arrays->from32, APSP_U32}
                                             : (struct apsp_array){arrays->from64, APSP_I64},
                            to = {arrays->to32, APSP_I32},
                            weight = weights_as(sample, arrays, random);
    if (sample->as_text)
        return text_make(sample, arrays, graph);
    if (form == 1) {
        const struct apsp_csr csr = {n, {arrays->start, APSP_U64}, to, weight};
        return apsp_graph_csr(graph, &csr, &error);
    }
    if (form == 2 && sample->floating) { /* which tells zeros from edges that are not there */
        for (size_t u = 0; u < n; u++)
            for (size_t v = 0; v < n; v++)
                arrays->matrix[v * n + u] = sample->lightest[u * n + v];
        const struct apsp_matrix matrix = {n, {arrays->matrix, APSP_F64}, 1, n, "inf,nan"};
        return apsp_graph_matrix(graph, &matrix, &error);
    }
    const struct apsp_edges edges = {n, sample->m, from, to, weight};
    return apsp_graph_edges(graph, &edges, &error);
}

struct apsp_graph *sample_graph(const struct sample *sample, uint64_t *random, void **borrowed)
{
    struct apsp_graph *graph;
    *borrowed = calloc(1, sizeof(struct arrays));
    if (!*borrowed || graph_make(sample, *borrowed, random, &graph))
        abort();
    return graph;
}
