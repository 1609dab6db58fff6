/* Paths and trees of predecessors. */
#include "sequences.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Whether an edge from u to v is the last of a shortest path from the source. */
static bool is_tight(const struct slot *slot, size_t source, size_t u, size_t v)
{
    const struct sample *sample = slot->sample;
    const size_t n = sample->n;
    const double edge = sample->lightest[u * n + v], before = sample->distance[source * n + u],
                 after = sample->distance[source * n + v];
    if (isinf(edge) || isinf(before))
        return false;
    if (sample->irregular)
        return fabs(before + edge - after) <= slot->tolerance;
    return sample->whole[source * n + u] + llround(edge * sample->factor) ==
           sample->whole[source * n + v];
}

int path_ask(struct question *question)
{
    const struct slot *slot = question->slot;
    const uint32_t n = slot->sample->n, from = draw(&question->random, 0, n - 1),
                   to = draw(&question->random, 0, n - 1);
    const bool reachable = !isinf(slot->sample->distance[from * n + to]);
    struct apsp_path path;
    memset(&path, 0xff, sizeof path);
    if (ASK(question, apsp_find_path(slot->solution, from, to, &path, &question->error)) ==
        APSP_OK) {
        if (path.length > n || (path.length > 0) != reachable || (path.vertex != NULL) != reachable)
            wrong(question, "a path of %zu vertices from %u to %u", path.length, from, to);
        for (size_t k = 1; k < path.length; k++)
            if (!is_tight(slot, from, path.vertex[k - 1], path.vertex[k]))
                wrong(question, "from %u to %u: %u, %u is on no shortest path", from, to,
                      path.vertex[k - 1], path.vertex[k]);
        if (reachable && (path.vertex[0] != from || path.vertex[path.length - 1] != to))
            wrong(question, "from %u to %u: another path", from, to);
    } else if (path.length > 0 || path.vertex) {
        wrong(question, "a path beside status %d", question->error.code);
    }
    apsp_path_free(&path);
    return question->error.code;
}

/* Every step back is an edge of a shortest path, and leads to the source. */
static void tree_check(const struct question *question, size_t source, const int32_t *tree,
                       int32_t none)
{
    const struct slot *slot = question->slot;
    const size_t n = slot->sample->n;
    for (size_t v = 0; v < n; v++) {
        const bool has = v != source && !isinf(slot->sample->distance[source * n + v]);
        if (!has && tree[v] != none)
            wrong(question, "row %zu: %d comes before %zu", source, tree[v], v);
        size_t at = v, steps = 0;
        for (; has && at != source && steps <= n; steps++) {
            if (tree[at] < 0 || (size_t)tree[at] >= n ||
                !is_tight(slot, source, (size_t)tree[at], at))
                wrong(question, "row %zu: %d does not come before %zu", source, tree[at], at);
            at = (size_t)tree[at];
        }
        if (steps > n)
            wrong(question, "row %zu: from %zu there is a cycle", source, v);
    }
}

int predecessors_ask(struct question *question)
{
    const struct slot *slot = question->slot;
    const uint32_t n = slot->sample->n;
    const int32_t none = draw_one_in(&question->random, 2) ? -9999 : -1;
    struct drawn_list from;
    draw_list(&from, &question->random, n, LIST_ANY);
    const size_t rows = list_count(&from.list, n), stride = n + draw(&question->random, 0, 2);
    int32_t *values = malloc((rows * stride + 1) * sizeof *values);
    if (!values)
        abort();
    if (ASK(question, apsp_predecessors(slot->solution, &from.list, none, values, stride,
                                        &question->error)) == APSP_OK)
        for (size_t k = 0; k < rows; k++)
            tree_check(question, list_at(&from.list, k), values + k * stride, none);
    free(values);
    return question->error.code;
}
