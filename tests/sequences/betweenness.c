/* Betweenness by the numbers of shortest paths between any two vertices. */
#include "sequences.h"

#include <math.h>

/* Shortest paths of a sample, counted one vertex after the other. */
struct counting {
    const struct slot *slot;
    double paths[N_MAX * N_MAX]; /* from row to column */
};

static bool is_between(const struct counting *counting, size_t s, size_t v, size_t t)
{
    const struct sample *sample = counting->slot->sample;
    const size_t n = sample->n;
    const double *distance = sample->distance;
    if (isinf(distance[s * n + v]) || isinf(distance[v * n + t]))
        return false;
    if (sample->whole)
        return sample->whole[s * n + v] + sample->whole[v * n + t] == sample->whole[s * n + t];
    return fabs(distance[s * n + v] + distance[v * n + t] - distance[s * n + t]) < 1e-9;
}

/* Whether the path from s to v may end by the edge from u. */
static bool is_last(const struct counting *counting, size_t s, size_t u, size_t v)
{
    const struct sample *sample = counting->slot->sample;
    const size_t n = sample->n;
    return u != v && sample->lightest[u * n + v] == sample->distance[u * n + v] &&
           is_between(counting, s, u, v);
}

static void paths_count(struct counting *counting, size_t s)
{
    const size_t n = counting->slot->sample->n;
    const double *row = counting->slot->sample->distance + s * n;
    double *paths = counting->paths + s * n;
    bool done[N_MAX] = {false};
    for (size_t round = 0; round < n; round++) {
        size_t v = n;
        for (size_t k = 0; k < n; k++)
            if (!done[k] && (v == n || row[k] < row[v]))
                v = k;
        done[v] = true;
        paths[v] = v == s;
        for (size_t u = 0; u < n && !isinf(row[v]) && v != s; u++)
            paths[v] += is_last(counting, s, u, v) ? paths[u] : 0;
    }
}

static bool leads_back(const struct sample *sample)
{
    const size_t n = sample->n;
    for (size_t k = 0; k < n * n; k++)
        if (k / n != k % n && sample->lightest[k] != sample->lightest[k % n * n + k / n])
            return false;
    return true;
}

static void betweenness_check(const struct question *question, const struct apsp_list *list,
                              unsigned flags, const double *values)
{
    static struct counting counting;
    const struct sample *sample = question->slot->sample;
    const size_t n = sample->n;
    const double *paths = counting.paths;
    bool chosen[N_MAX] = {false};
    counting.slot = question->slot;
    for (size_t k = 0; k < list_count(list, n); k++)
        chosen[list_at(list, k)] = true;
    for (size_t s = 0; s < n; s++)
        paths_count(&counting, s);
    const double parts = flags & APSP_NORMALIZED ? (double)(n - 1) * (double)(n - 2)
                         : leads_back(sample)    ? 2
                                                 : 1;
    for (size_t v = 0; v < n; v++) {
        double sum = 0;
        for (size_t s = 0; s < n; s++)
            for (size_t t = 0; t < n && chosen[s] && s != v; t++)
                if (t != s && t != v && is_between(&counting, s, v, t))
                    sum += paths[s * n + v] * paths[v * n + t] / paths[s * n + t];
        sum = n > 2 ? sum / parts : 0;
        if (fabs(values[v] - sum) > 1e-9 * (1 + sum))
            wrong(question, "betweenness of %zu: %.12g, not %.12g", v, values[v], sum);
    }
}

/* Whether the weights, or rows that are too coarse, explain the status. */
static bool is_refusable(const struct slot *slot, int status)
{
    const struct sample *sample = slot->sample;
    bool positive = true;
    for (uint32_t e = 0; e < sample->m; e++)
        positive &= sample->real[e] > 0 || sample->from[e] == sample->to[e];
    return status == APSP_INPUT ? !positive
                                : status == APSP_USAGE && (slot->facts->computed == APSP_F32 ||
                                                           slot->facts->type == APSP_F32);
}

int betweenness_ask(struct question *question)
{
    const struct slot *slot = question->slot;
    const unsigned flags = draw_one_in(&question->random, 2) ? APSP_NORMALIZED : 0;
    double values[N_MAX];
    struct drawn_list from;
    draw_list(&from, &question->random, slot->sample->n, LIST_ANY);
    const int status =
        ASK(question, apsp_betweenness(slot->solution, from.list.vertex, from.list.count, flags,
                                       values, &question->error));
    if (status == APSP_OK && is_refusable(slot, APSP_INPUT))
        wrong(question, "betweenness of weights that are not above 0");
    if (status == APSP_OK)
        betweenness_check(question, &from.list, flags, values);
    return is_refusable(slot, status) ? APSP_OK : status;
}
