/*
 * A landmark is a vertex h of a strongly connected component. Every distance D(i, j) there is at
 * most D(i, h) + D(h, j), so at most the sum of the two eccentricities of h. Two runs of Dijkstra's
 * algorithm give these. A path between components leads over the condensation. The longest one
 * there bounds all other distances, with every component at its own bound and the lightest edge
 * between two components.
 *
 * A sweep gives lengths of paths from the landmark and to it, which bound the same, in linear time.
 *
 * The next landmark of a component is the vertex whose eccentricities may be the least for all that
 * the landmarks before have shown: D(v, x) >= D(h, x) - D(h, v). F. Takes, W. Kosters, Determining
 * the diameter of small world networks, CIKM 2011, choose vertices that way.
 */
#include "proof/bound.h"

#include "base/mem.h"
#include "base/stop.h"
#include "graph/component.h"
#include "proof/heap.h"

#include <stdlib.h>

enum { LARGE = 1000 }; /* vertices that are worth two threads */
#define FAR       INT64_MAX
#define NO_VERTEX UINT32_MAX

/* Dijkstra's algorithm within a component. */
struct search {
    const struct csr *edges;
    const uint32_t *component;
    int64_t *distance;
    struct heap heap;
    uint32_t *queue; /* of a sweep */
};

struct work {
    const struct csr *csr;
    struct csr transposed;
    struct components components;
    struct search out, in;         /* from a landmark, and to it */
    int64_t *out_floor, *in_floor; /* of each vertex: its eccentricities are known to be no less */
    int64_t *best;                 /* of each component: the bound so far */
    uint32_t *landmark;            /* of each component: the next, or NO_VERTEX */
    uint32_t *seen;                /* components to which edges lead from the one in hand */
    int64_t floor;                 /* some distance is this long */
};

static int64_t sum_of(int64_t a, int64_t b)
{
    int64_t sum;
    return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

int64_t bound_by_weight(size_t n, int64_t most)
{
    int64_t bound;
    if (most <= 0)
        return 0;
    return __builtin_mul_overflow((int64_t)(n - 1), most, &bound) ? INT64_MAX : bound;
}

static void place_search(struct search *search, struct mem_layout *layout, size_t n)
{
    search->distance = mem_place(layout, n, sizeof *search->distance);
    heap_place(&search->heap, layout, n);
    search->queue = mem_place(layout, n, sizeof *search->queue);
}

static size_t bound_layout(struct work *work, size_t n, void *base)
{
    struct mem_layout layout = {.base = base};
    work->best = mem_place(&layout, n, sizeof *work->best);
    work->landmark = mem_place(&layout, n, sizeof *work->landmark);
    work->out_floor = mem_place(&layout, n, sizeof *work->out_floor);
    work->in_floor = mem_place(&layout, n, sizeof *work->in_floor);
    work->seen = mem_place(&layout, n, sizeof *work->seen);
    place_search(&work->out, &layout, n);
    place_search(&work->in, &layout, n);
    return layout.bytes;
}

size_t bound_need(size_t n, size_t m)
{
    size_t all;
    mem_add(&all, csr_need(n, m), bound_layout(&(struct work){0}, n, NULL));
    mem_add(&all, all, components_need(n));
    return all;
}

/* Distances from `landmark` in its component of `size` vertices, which are FAR before. Returns the
 * largest; FAR if one does not fit. */
static int64_t run_search(struct search *search, uint32_t landmark, size_t size)
{
    const struct csr *edges = search->edges;
    const uint32_t own = search->component[landmark];
    int64_t most = 0;
    search->distance[landmark] = 0;
    heap_lower(&search->heap, landmark, 0);
    while (search->heap.count > 0 && !stop_wanted()) {
        struct heap_entry here = heap_take(&search->heap);
        most = here.key; /* they come in ascending order */
        size--;
        for (size_t e = edges->start[here.vertex]; e < edges->start[here.vertex + 1]; e++) {
            uint32_t v = edges->to[e];
            int64_t through = sum_of(most, edges->weight[e].whole);
            if (through >= search->distance[v] || search->component[v] != own)
                continue;
            search->distance[v] = through;
            heap_lower(&search->heap, v, through);
        }
    }
    return size == 0 ? most : FAR;
}

/* The same with lengths of some paths: each vertex is looked at once, in the order of a search in
 * breadth, at the least that is known by then. Takes no heap. */
static int64_t run_sweep(struct search *search, uint32_t landmark, size_t size)
{
    const struct csr *edges = search->edges;
    const uint32_t own = search->component[landmark];
    uint32_t *queue = search->queue;
    size_t count = 0;
    int64_t most = 0;
    search->distance[landmark] = 0;
    queue[count++] = landmark;
    for (size_t k = 0; k < count && !stop_wanted(); k++) {
        const uint32_t u = queue[k];
        most = larger(most, search->distance[u]);
        for (size_t e = edges->start[u]; e < edges->start[u + 1]; e++) {
            const uint32_t v = edges->to[e];
            if (search->component[v] != own)
                continue;
            if (search->distance[v] == FAR)
                queue[count++] = v;
            search->distance[v] =
                smaller(search->distance[v], sum_of(search->distance[u], edges->weight[e].whole));
        }
    }
    return count == size ? most : FAR;
}

static size_t size_of(const struct components *components, size_t c)
{
    return components->first[c + 1] - components->first[c];
}

/* The first landmark is the vertex with the most edges of the direction that it has less of; the
 * first bound that of the heaviest weight. */
static void start_component(struct work *work, size_t c)
{
    const struct components *components = &work->components;
    int64_t most = 0;
    size_t degree = 0;
    work->landmark[c] = NO_VERTEX;
    for (size_t i = components->first[c]; i < components->first[c + 1]; i++) {
        uint32_t v = components->member[i];
        size_t out = work->csr->start[v + 1] - work->csr->start[v],
               in = work->transposed.start[v + 1] - work->transposed.start[v];
        size_t less = out < in ? out : in;
        for (size_t e = work->csr->start[v]; e < work->csr->start[v + 1]; e++)
            if (components->of[work->csr->to[e]] == c)
                most = larger(most, work->csr->weight[e].whole);
        if (size_of(components, c) > 1 && (work->landmark[c] == NO_VERTEX || less > degree)) {
            work->landmark[c] = v;
            degree = less;
        }
    }
    work->best[c] = bound_by_weight(size_of(components, c), most);
}

typedef int64_t search_run(struct search *search, uint32_t landmark, size_t size);

/* The eccentricities of the component's next landmark, or bounds on them. */
static void run_both(struct work *work, size_t c, int threads, search_run *run, int64_t *from,
                     int64_t *to)
{
    const struct components *components = &work->components;
    const uint32_t landmark = work->landmark[c];
    const size_t size = size_of(components, c);
    int64_t *out = work->out.distance, *in = work->in.distance;
    for (size_t i = components->first[c]; i < components->first[c + 1]; i++)
        out[components->member[i]] = in[components->member[i]] = FAR;
#pragma omp parallel sections num_threads(2) if (threads > 1 && size > LARGE)
    {
#pragma omp section
        *from = run(&work->out, landmark, size);
#pragma omp section
        *to = run(&work->in, landmark, size);
    }
    work->best[c] = smaller(work->best[c], sum_of(*from, *to));
}

static void sweep_landmark(struct work *work, size_t c, int threads)
{
    int64_t from, to;
    run_both(work, c, threads, run_sweep, &from, &to);
}

/* Tries the component's next landmark, and chooses the one after it. */
static void try_landmark(struct work *work, size_t c, int threads)
{
    const struct components *components = &work->components;
    const int64_t *out = work->out.distance, *in = work->in.distance;
    int64_t from, to, least = INT64_MAX;
    run_both(work, c, threads, run_search, &from, &to);
    work->floor = larger(work->floor, larger(from, to));
    for (size_t i = components->first[c]; i < components->first[c + 1]; i++) {
        uint32_t v = components->member[i];
        work->out_floor[v] = larger(work->out_floor[v], larger(from - out[v], in[v]));
        work->in_floor[v] = larger(work->in_floor[v], larger(to - in[v], out[v]));
        int64_t floor = sum_of(work->out_floor[v], work->in_floor[v]);
        if (floor < least) {
            least = floor;
            work->landmark[c] = v;
        }
    }
    if (least >= work->best[c])
        work->landmark[c] = NO_VERTEX;
}

/* The longest path over the condensation. Edges lead to lower components, whose longest paths are
 * known. */
static int64_t longest_path(struct work *work, int64_t *longest, int64_t *light)
{
    const struct components *components = &work->components;
    uint32_t *seen = work->seen;
    int64_t all = 0;
    for (size_t c = 0; c < components->count; c++) {
        size_t count = 0; /* of components that edges lead to */
        int64_t beyond = 0;
        for (size_t i = components->first[c]; i < components->first[c + 1]; i++) {
            uint32_t u = components->member[i];
            for (size_t e = work->csr->start[u]; e < work->csr->start[u + 1]; e++) {
                uint32_t to = components->of[work->csr->to[e]];
                if (to == c)
                    continue;
                if (light[to] == FAR)
                    seen[count++] = to;
                light[to] = smaller(light[to], work->csr->weight[e].whole);
            }
        }
        for (size_t k = 0; k < count; k++) {
            beyond = larger(beyond, sum_of(light[seen[k]], longest[seen[k]]));
            light[seen[k]] = FAR;
        }
        longest[c] = sum_of(work->best[c], beyond);
        all = larger(all, longest[c]);
    }
    return all;
}

static int open_work(struct work *work, struct apsp_error *error)
{
    const struct csr *csr = work->csr;
    if (csr_transpose(&work->transposed, csr, error) ||
        components_find(&work->components, csr, error))
        return error->code;
    void *memory = mem_alloc(bound_layout(work, csr->n, NULL));
    if (!memory)
        return error_set(error, APSP_MEMORY, "no memory for the bound of %zu vertices", csr->n);
    bound_layout(work, csr->n, memory);
    work->out.edges = csr;
    work->in.edges = &work->transposed;
    work->out.component = work->in.component = work->components.of;
    return APSP_OK;
}

static void close_work(struct work *work)
{
    mem_free(work->best);
    components_free(&work->components);
    csr_free(&work->transposed);
}

/* The searches' distances serve the condensation between two runs. */
static int64_t bound_now(struct work *work)
{
    for (size_t c = 0; c < work->components.count; c++)
        work->in.distance[c] = FAR;
    return longest_path(work, work->out.distance, work->in.distance);
}

typedef void landmark_step(struct work *work, size_t c, int threads);

static int64_t take_step(struct work *work, landmark_step *step, int threads)
{
    for (size_t c = 0; c < work->components.count; c++)
        if (work->landmark[c] != NO_VERTEX)
            step(work, c, threads);
    return bound_now(work);
}

int bound_by_landmarks(int64_t *bound, const struct csr *csr, const struct bound_request *request,
                       struct apsp_error *error)
{
    struct work work = {.csr = csr};
    if (open_work(&work, error) == APSP_OK) {
        for (size_t c = 0; c < work.components.count; c++)
            start_component(&work, c);
        *bound = bound_now(&work);
        if (request->sweep && *bound >= request->enough)
            *bound = take_step(&work, sweep_landmark, request->threads);
        for (int round = 0; round < request->landmarks && *bound >= request->enough &&
                            work.floor < request->enough;
             round++)
            *bound = take_step(&work, try_landmark, request->threads);
        stop_check(error);
    }
    close_work(&work);
    return error->code;
}
