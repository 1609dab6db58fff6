#include "sparse/core.h"

#include <math.h>

#define WORTH_PART 0.8 /* a core is worth it if it leaves at most this part of the cost */

enum { WORSE_MAX = 3 }; /* cores tried after the best one */

const struct core_cost core_cost_on_host = {.eliminate = 1, .row = 1.5};

struct choosing {
    bool *inside;
    const uint32_t *parent, *count;
    size_t n;
    const struct core_request *request;
    double *scratch; /* n */
};

static bool is_top(const struct choosing *choosing, size_t v)
{
    uint32_t parent = choosing->parent[v];
    return parent == NO_PARENT || choosing->inside[parent];
}

static size_t mark(const struct choosing *choosing, size_t kappa)
{
    size_t size = 0;
    for (size_t v = 0; v < choosing->n; v++)
        choosing->inside[v] = choosing->count[v] > kappa;
    for (size_t v = 0; v < choosing->n; v++) {
        size += choosing->inside[v];
        if (choosing->inside[v] && choosing->parent[v] != NO_PARENT)
            choosing->inside[choosing->parent[v]] = true;
    }
    return size;
}

/*
 * A source comes to the dense core over the boundary of the largest subtree around it that has
 * nothing of the core. A group of sources comes over the boundaries of several subtrees where they
 * are small. A source in the core comes over itself.
 */
static double entries(const struct choosing *choosing, double core, double region, double boundary)
{
    return fmin(core, boundary * fmax(1, (double)choosing->request->width / region));
}

static struct core core_of(const struct choosing *choosing, size_t kappa)
{
    struct core core = {.size = mark(choosing, kappa), .kappa = kappa};
    double size = (double)core.size, sum = 0, *region = choosing->scratch;
    for (size_t v = 0; v < choosing->n; v++)
        region[v] = 1;
    for (size_t v = 0; v < choosing->n; v++) {
        if (choosing->inside[v])
            continue;
        if (is_top(choosing, v))
            sum += region[v] * entries(choosing, size, region[v], choosing->count[v]);
        else
            region[choosing->parent[v]] += region[v];
    }
    core.enter = sum * size / (double)choosing->n;
    core.own = size * entries(choosing, size, 1, 1) * size / (double)choosing->n;
    return core;
}

static double cost_of_a_rank(const struct choosing *choosing, const struct core *core)
{
    const struct core_request *request = choosing->request;
    double eliminate = 0, expand = 0, label = 0, *upward = choosing->scratch;
    double size = (double)core->size, ranks = (double)request->ranks;
    for (size_t v = choosing->n; v-- > 0;) {
        double count = choosing->count[v];
        if (choosing->inside[v])
            continue;
        eliminate += (count + 1) * (count + 1);
        expand += count;
        upward[v] = count + 1 + (is_top(choosing, v) ? 0 : upward[choosing->parent[v]]);
        label += upward[v];
    }
    return request->cost.eliminate * eliminate + size * size * (size / ranks + request->cost.pair) +
           request->cost.row * (double)request->sources / ranks *
               (expand + label / (double)choosing->n + core->enter + core->own);
}

/* From the smallest core up. */
static size_t best_kappa(const struct choosing *choosing)
{
    size_t kappa = 0, best = SIZE_MAX;
    for (size_t v = 0; v < choosing->n; v++)
        kappa = choosing->count[v] > kappa ? choosing->count[v] : kappa;
    struct core core = core_of(choosing, kappa); /* none */
    double least = WORTH_PART * cost_of_a_rank(choosing, &core);
    for (int worse = 0; worse < WORSE_MAX && kappa > 1; worse++) {
        core = core_of(choosing, kappa /= 2);
        double cost = cost_of_a_rank(choosing, &core);
        if (cost < least) {
            least = cost;
            best = kappa;
            worse = -1;
        }
    }
    return best;
}

struct core core_choose(bool *inside, const uint32_t *parent, const uint32_t *count, size_t n,
                        const struct core_request *request, double *scratch)
{
    const struct choosing choosing = {inside, parent, count, n, request, scratch};
    return core_of(&choosing, request->kappa < SIZE_MAX ? request->kappa : best_kappa(&choosing));
}
