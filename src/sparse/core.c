#include "sparse/core.h"

#include <math.h>

#define WORTH_PART 0.8 /* a core is worth it if it leaves at most this part of the cost */

enum { WORSE_MAX = 3 }; /* cores tried after the best one */

const struct core_cost core_cost_on_host = {.eliminate = 1, .row = 1.5};

/* Sums of a part of the tree, or of all of it. */
struct sums {
    double size, enter, eliminate, expand, label;
};

struct choosing {
    bool *inside;
    const struct etree *etree;
    const struct core_request *request;
    double *scratch; /* n */
    size_t kappa;
    double size; /* of the core */
    struct sums sums[ETREE_PARTS];
};

static void clear(struct choosing *choosing)
{
    for (size_t k = 0; k < ETREE_PARTS; k++)
        choosing->sums[k] = (struct sums){0};
}

/* In the order of the parts. */
static struct sums add_up(const struct choosing *choosing)
{
    struct sums all = {0};
    for (size_t k = 0; k < ETREE_PARTS; k++) {
        const struct sums *part = &choosing->sums[k];
        all.size += part->size;
        all.enter += part->enter;
        all.eliminate += part->eliminate;
        all.expand += part->expand;
        all.label += part->label;
    }
    return all;
}

static bool is_top(const struct choosing *choosing, size_t v)
{
    uint32_t parent = choosing->etree->parent[v];
    return parent == NO_PARENT || choosing->inside[parent];
}

/* Inside are those with more than kappa later neighbours, or above such. */
static void mark(void *self, const struct etree_part *part)
{
    struct choosing *choosing = self;
    double size = 0;
    for (uint32_t v = part->lo; !part->list && v < part->hi; v++) {
        choosing->inside[v] = choosing->etree->count[v] > choosing->kappa;
        choosing->scratch[v] = 1;
    }
    for (uint32_t x = part->lo; x < part->hi; x++) {
        const uint32_t v = etree_at(part, x);
        if (v == NO_PARENT)
            continue;
        size += choosing->inside[v];
        if (choosing->inside[v] && choosing->etree->parent[v] != NO_PARENT)
            choosing->inside[choosing->etree->parent[v]] = true;
    }
    choosing->sums[part->number].size = size;
}

/*
 * A source comes to the dense core over the boundary of the largest subtree around it that has
 * nothing of the core. A group of sources comes over the boundaries of several subtrees where they
 * are small. A source in the core comes over itself.
 */
static double entries(const struct choosing *choosing, double region, double boundary)
{
    return fmin(choosing->size, boundary * fmax(1, (double)choosing->request->width / region));
}

static void enter(void *self, const struct etree_part *part)
{
    struct choosing *choosing = self;
    const struct etree *etree = choosing->etree;
    double sum = 0, *region = choosing->scratch;
    for (uint32_t x = part->lo; x < part->hi; x++) {
        const uint32_t v = etree_at(part, x);
        if (v == NO_PARENT || choosing->inside[v])
            continue;
        if (is_top(choosing, v))
            sum += region[v] * entries(choosing, region[v], etree->count[v]);
        else
            region[etree->parent[v]] += region[v];
    }
    choosing->sums[part->number].enter = sum;
}

static struct core core_of(struct choosing *choosing, size_t kappa)
{
    const struct etree *etree = choosing->etree;
    const double n = (double)etree->n;
    choosing->kappa = kappa;
    clear(choosing);
    etree_up(etree, mark, choosing);
    choosing->size = add_up(choosing).size;
    etree_up(etree, enter, choosing);
    return (struct core){.size = (size_t)choosing->size,
                         .kappa = kappa,
                         .enter = add_up(choosing).enter * choosing->size / n,
                         .own = choosing->size * entries(choosing, 1, 1) * choosing->size / n};
}

static void add_costs(void *self, const struct etree_part *part)
{
    struct choosing *choosing = self;
    const struct etree *etree = choosing->etree;
    struct sums sums = {0};
    double *upward = choosing->scratch;
    for (uint32_t x = part->hi; x-- > part->lo;) {
        const uint32_t v = etree_at(part, x);
        if (v == NO_PARENT || choosing->inside[v])
            continue;
        const double count = etree->count[v];
        sums.eliminate += (count + 1) * (count + 1);
        sums.expand += count;
        upward[v] = count + 1 + (is_top(choosing, v) ? 0 : upward[etree->parent[v]]);
        sums.label += upward[v];
    }
    choosing->sums[part->number] = sums;
}

static double cost_of_a_rank(struct choosing *choosing, const struct core *core)
{
    const struct core_request *request = choosing->request;
    const double size = (double)core->size, ranks = (double)request->ranks;
    clear(choosing);
    etree_down(choosing->etree, add_costs, choosing);
    const struct sums sums = add_up(choosing);
    return request->cost.eliminate * sums.eliminate +
           size * size * (size / ranks + request->cost.pair) +
           request->cost.row * (double)request->sources / ranks *
               (sums.expand + sums.label / (double)choosing->etree->n + core->enter + core->own);
}

/* From the smallest core up. */
static size_t best_kappa(struct choosing *choosing)
{
    const struct etree *etree = choosing->etree;
    size_t kappa = 0, best = SIZE_MAX;
#pragma omp parallel for num_threads(etree->threads) reduction(max : kappa) if (etree->chunks > 1)
    for (size_t v = 0; v < etree->n; v++)
        kappa = etree->count[v] > kappa ? etree->count[v] : kappa;
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

struct core core_choose(bool *inside, const struct etree *etree, const struct core_request *request,
                        double *scratch)
{
    struct choosing choosing = {
        .inside = inside, .etree = etree, .request = request, .scratch = scratch};
    return core_of(&choosing, request->kappa < SIZE_MAX ? request->kappa : best_kappa(&choosing));
}
