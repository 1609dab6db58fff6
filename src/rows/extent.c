#include "rows/extent.h"

#include "base/mem.h"
#include "base/minmax.h"
#include "base/random.h"
#include "base/stop.h"
#include "rows/bounds.h"
#include "rows/brandes.h"
#include "rows/sweep.h"
#include "rows/waves.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Sources of a pass; of a batch of waves, and batches of a pass. */
enum { BATCH_LEAST = 4, BATCH_MOST = 64, WIDE = BITS_LEAST, WIDES = 16, WIDE_MOST = WIDES * WIDE };

static const struct waves_plan wide_plan = {.width = WIDE};

struct lane {
    struct sweep *forward, *backward; /* The same one if no edge lacks its way back. */
    struct waves *waves;
    size_t searches;
};

struct extent {
    bool each, alone; /* As in the plan. */
    bool batched;     /* Batches of waves may serve, */
    bool wide;        /* and do in the next pass. */
    struct sweep_graph forward, backward;
    struct bounds bounds;
    unsigned char *searched;
    size_t wanted[WIDE_MOST], count; /* Sources of the next pass, ascending; so many. */
    size_t farthest[BATCH_MOST];     /* 1 + the vertex that is the farthest from each. */
    size_t passes, searches;
    bool started, done;
    struct lane lane[SINK_LANES];
    /* The maker of blocks of sources. */
    uint32_t source[WIDE_MOST];
    size_t first, step;
    atomic_size_t next;
};

/* Batches of waves take 200 bytes a vertex and worker. */
static bool takes_batches(const struct csr *edges)
{
    enum { VERTICES = 1 << 22 };
    union value unit;
    return edges && edges->n <= VERTICES && sweep_is_equal(edges, &unit) &&
           brandes_is_shallow(edges);
}

size_t extent_need(size_t n, size_t m, const struct csr *edges, int lanes)
{
    const size_t wides = !takes_batches(edges) ? 0 : lanes < WIDES ? (size_t)lanes : WIDES;
    size_t bytes = mem_bytes(2 * (size_t)lanes, sweep_need(n, true));
    mem_add(&bytes, bytes, bounds_need(n, m));
    mem_add(&bytes, bytes, mem_bytes(wides, waves_need(n, &wide_plan)));
    mem_add(&bytes, bytes, n + sizeof(struct extent));
    return bytes;
}

/* Whether a vertex is known, or is neither in the centre nor in the periphery. */
static bool is_settled(const struct extent *extent, size_t v)
{
    const struct bounds *bounds = &extent->bounds;
    if (bounds_meet(bounds, v))
        return true;
    return !extent->each && bounds->high[v] < bounds->diameter && bounds->low[v] > bounds->radius;
}

/* Whether no search from a vertex is needed. The diameter alone is found by the same searches as
 * all values, which end earlier. */
static bool is_over(const struct extent *extent, size_t v)
{
    const struct bounds *bounds = &extent->bounds;
    return extent->alone ? bounds->high[v] <= bounds->diameter : is_settled(extent, v);
}

/* Where searches from the middle lower upper bounds: in the component of the highest of these.
 * Vertices whose lower bound exceeds its radius are not in its middle. */
struct middle {
    uint32_t component;
    int64_t radius; /* An upper bound. */
};

static struct middle find_middle(const struct extent *extent)
{
    const struct bounds *bounds = &extent->bounds;
    const uint32_t *of = bounds->components.of;
    struct middle middle = {.radius = INT64_MAX};
    int64_t most = -1;
    for (size_t v = 0; v < bounds->n; v++)
        if (bounds->high[v] > most && !is_settled(extent, v)) {
            most = bounds->high[v];
            middle.component = of[v];
        }
    for (size_t v = 0; v < bounds->n; v++)
        if (of[v] == middle.component && bounds->high[v] < middle.radius)
            middle.radius = bounds->high[v];
    return middle;
}

static bool is_in_middle(const struct extent *extent, const struct middle *middle, size_t v)
{
    return extent->bounds.components.of[v] == middle->component && !extent->searched[v] &&
           (extent->bounds.low[v] <= middle->radius || !is_settled(extent, v));
}

static size_t degree(const struct extent *extent, size_t v)
{
    const size_t *start = extent->forward.edges->start;
    return start[v + 1] - start[v];
}

/* The order in which vertices are searched from, by their bounds; chance, the same on all ranks,
 * parts equal ones, or in the first pass their degrees. */
static bool comes_first(const struct extent *extent, bool highest, size_t a, size_t b)
{
    const struct bounds *bounds = &extent->bounds;
    if (highest && bounds->high[a] != bounds->high[b])
        return bounds->high[a] > bounds->high[b];
    if (!highest && bounds->low[a] != bounds->low[b])
        return bounds->low[a] < bounds->low[b];
    if (extent->passes == 0 && degree(extent, a) != degree(extent, b))
        return highest == (degree(extent, a) < degree(extent, b));
    return random_mix(a) > random_mix(b);
}

/* The first open vertices of an order, and of all that are in no list. */
struct list {
    size_t vertex[BATCH_MOST], count, room;
    bool highest;
};

static void offer(const struct extent *extent, struct list *list, size_t v)
{
    size_t at = list->count;
    while (at > 0 && comes_first(extent, list->highest, v, list->vertex[at - 1]))
        at--;
    if (at == list->room)
        return;
    list->count += list->count < list->room;
    memmove(list->vertex + at + 1, list->vertex + at,
            (list->count - at - 1) * sizeof *list->vertex);
    list->vertex[at] = v;
}

static void want(struct extent *extent, size_t v)
{
    for (size_t k = 0; k < extent->count; k++)
        if (extent->wanted[k] == v)
            return;
    extent->wanted[extent->count++] = v;
}

/* Only a search from each vertex of a large centre settles it. Batches are worth it where many are
 * open, and their time, about that of so many searches, has been spent before. */
static bool is_wide(const struct extent *extent, size_t open)
{
    enum { LEAST = 32, SEARCHES = 8 };
    return extent->batched && open >= LEAST &&
           extent->searches >= SEARCHES * ((open + WIDE - 1) / WIDE);
}

static void choose_open(struct extent *extent)
{
    for (size_t v = 0; v < extent->bounds.n && extent->count < WIDE_MOST; v++)
        if (!is_over(extent, v))
            extent->wanted[extent->count++] = v;
}

/* A batch of sources: what is far from those before it, and open vertices. Later ones are larger:
 * many are open then that no bound can settle. */
static void choose_sources(struct extent *extent)
{
    enum { SMALL = 16 };
    const size_t before = extent->count, doublings = extent->passes / SMALL,
                 most = doublings < 4 ? (size_t)BATCH_LEAST << doublings : BATCH_MOST;
    const struct middle middle = find_middle(extent);
    size_t opened = 0;
    struct list high = {.room = most / 2, .highest = true}, low = {.room = most / 2};
    for (size_t v = 0; v < extent->bounds.n; v++) {
        opened += !is_over(extent, v);
        if (!is_settled(extent, v))
            offer(extent, &high, v);
        if (is_in_middle(extent, &middle, v))
            offer(extent, &low, v);
    }
    extent->count = 0;
    extent->done = opened == 0;
    extent->wide = is_wide(extent, opened);
    if (extent->wide || opened <= most) {
        choose_open(extent);
        return;
    }
    for (size_t k = 0; extent->bounds.directed && k < before; k++)
        if (extent->farthest[k] > 0 && !extent->searched[extent->farthest[k] - 1] &&
            extent->count < most / 2)
            want(extent, extent->farthest[k] - 1);
    for (size_t k = 0; k < most / 2; k++) {
        if (k < low.count && extent->count < most)
            want(extent, low.vertex[k]);
        if (k < high.count && extent->count < most)
            want(extent, high.vertex[k]);
    }
    qsort(extent->wanted, extent->count, sizeof *extent->wanted, size_compare);
}

int extent_new(struct extent **out, const struct extent_plan *plan, struct apsp_error *error)
{
    const struct csr *edges = plan->certificate.edges;
    struct extent *extent = *out = calloc(1, sizeof *extent);
    if (!extent)
        return error_set(error, APSP_MEMORY, "no memory for the diameter");
    extent->each = plan->each;
    extent->alone = plan->alone && !plan->each;
    extent->searched = calloc(edges->n, 1);
    if (!extent->searched)
        error_set(error, APSP_MEMORY, "no memory for the diameter");
    if (error->code || bounds_make(&extent->bounds, &plan->certificate, error)) {
        extent_free(extent);
        *out = NULL;
        return error->code;
    }
    extent->forward =
        (struct sweep_graph){.edges = edges, .potential = plan->certificate.potential};
    extent->forward.equal = sweep_is_equal(edges, &extent->forward.unit);
    extent->batched = takes_batches(edges);
    extent->backward = extent->forward;
    extent->backward.edges = &extent->bounds.reversed;
    extent->backward.backward = true;
    choose_sources(extent);
    return APSP_OK;
}

void extent_free(struct extent *extent)
{
    if (!extent)
        return;
    for (int i = 0; i < SINK_LANES; i++) {
        if (extent->lane[i].backward != extent->lane[i].forward)
            sweep_free(extent->lane[i].backward);
        sweep_free(extent->lane[i].forward);
        waves_free(extent->lane[i].waves);
    }
    bounds_free(&extent->bounds);
    free(extent->searched);
    free(extent);
}

const size_t *extent_wants(const struct extent *extent, size_t *count)
{
    *count = extent->count;
    return extent->wanted;
}

/* Sources of a block. */
static size_t block_most(const struct extent *extent)
{
    return extent->wide ? WIDE : 1;
}

/* Each rank takes every so many-th block. */
static bool next_block(void *self, int lane, struct block *block, struct apsp_error *error)
{
    struct extent *extent = self;
    (void)lane;
    (void)error;
    const size_t most = block_most(extent),
                 at = most * (extent->first + atomic_fetch_add(&extent->next, 1) * extent->step);
    if (at >= extent->count)
        return false;
    *block =
        (struct block){.count = size_min(most, extent->count - at), .source = extent->source + at};
    return true;
}

void extent_maker(struct extent *extent, struct comm *comm, struct rows_maker *maker)
{
    const size_t most = block_most(extent);
    size_t rows = 0, blocks = 0;
    extent->started = true;
    extent->first = (size_t)comm->rank;
    extent->step = (size_t)comm->ranks;
    atomic_store(&extent->next, 0);
    memset(extent->farthest, 0, sizeof extent->farthest);
    for (size_t k = 0; k < extent->count; k++)
        extent->source[k] = (uint32_t)extent->wanted[k];
    for (size_t k = most * extent->first; k < extent->count; k += most * extent->step, blocks++)
        rows += size_min(most, extent->count - k);
    const size_t lanes = size_min(blocks, (size_t)maker->lanes);
    *maker = (struct rows_maker){
        .self = extent, .lanes = lanes > 0 ? (int)lanes : 1, .rows = rows, .next = next_block};
}

static int open_lane(struct extent *extent, struct lane *lane, struct apsp_error *error)
{
    const struct potential *potential = extent->forward.potential;
    const bool shifted = potential && potential->h;
    if (lane->backward)
        return APSP_OK;
    if (!lane->forward && sweep_open(&lane->forward, extent->bounds.n, shifted, error))
        return error->code;
    if (extent->bounds.directed)
        return sweep_open(&lane->backward, extent->bounds.n, shifted, error);
    lane->backward = lane->forward;
    return APSP_OK;
}

/* Sums of so many arcs, as searches make them. */
static union value length_of(const struct extent *extent, int64_t levels)
{
    const union value unit = extent->forward.unit;
    union value length = {0};
    if (!extent->bounds.real)
        return (union value){.whole = levels * unit.whole};
    while (levels-- > 0)
        length.real += unit.real;
    return length;
}

static int take_wide(struct extent *extent, struct lane *lane, const struct block *block,
                     struct apsp_error *error)
{
    const struct csr *into =
        extent->bounds.directed ? extent->backward.edges : extent->forward.edges;
    const struct waves_arcs arcs = {.n = into->n, .start = into->start, .from = into->to};
    const struct waves_batch batch = {.source = block->source, .count = block->count};
    if ((!lane->waves && waves_open(&lane->waves, &arcs, &wide_plan, error)) ||
        waves_run(lane->waves, &batch, error))
        return error->code;
    lane->searches += block->count;
#pragma omp critical(extent)
    for (size_t k = 0; k < block->count; k++)
        bounds_settle(&extent->bounds, block->source[k],
                      length_of(extent, lane->waves->counts[k].most.whole));
    return stop_check(error);
}

/* Blocks that others make are of no use. */
int extent_take(struct extent *extent, int number, const struct block *block,
                struct apsp_error *error)
{
    struct lane *lane = &extent->lane[number];
    if (!extent->started)
        return APSP_OK;
    if (extent->wide)
        return take_wide(extent, lane, block, error);
    if (open_lane(extent, lane, error))
        return error->code;
    const size_t s = block_source(block, 0);
    const bool directed = extent->bounds.directed;
    if (sweep_run(lane->forward, &extent->forward, s, error) ||
        (directed && sweep_run(lane->backward, &extent->backward, s, error)))
        return error->code;
    lane->searches += directed ? 2 : 1;
    size_t place = 0;
    while (extent->wanted[place] != s)
        place++;
    extent->farthest[place] = lane->forward->farthest + (size_t)1;
#pragma omp critical(extent)
    bounds_take(&extent->bounds, s, lane->forward, lane->backward);
    return APSP_OK;
}

void extent_merge(struct extent *extent, struct comm *comm)
{
    size_t searches = 0;
    if (!extent->started)
        return;
    for (int i = 0; i < SINK_LANES; i++)
        searches += extent->lane[i].searches;
    extent->searches = comm_sum(comm, searches);
    comm_most_all(comm, extent->farthest, BATCH_MOST);
    for (size_t k = 0; k < extent->count; k++)
        extent->searched[extent->wanted[k]] = 1;
    bounds_merge(&extent->bounds, comm);
    extent->passes++;
    choose_sources(extent);
}

bool extent_again(const struct extent *extent)
{
    return !extent->done;
}

size_t extent_searches(const struct extent *extent)
{
    return extent->searches;
}

union value extent_diameter(const struct extent *extent)
{
    return (union value){.whole = extent->bounds.diameter};
}

union value extent_radius(const struct extent *extent)
{
    return (union value){.whole = extent->bounds.radius};
}

bool extent_is_connected(const struct extent *extent)
{
    return extent->bounds.components.count <= 1;
}

bool extent_is_known(const struct extent *extent, size_t v, union value *value)
{
    value->whole = extent->bounds.low[v];
    return bounds_meet(&extent->bounds, v);
}
