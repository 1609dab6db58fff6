#include "rows/brandes_device.h"

#include "base/mem.h"
#include "base/stop.h"
#include "kernels/cpu/bits.h"

#include <stdlib.h>
#include <string.h>

#ifndef APSP_GPU
const struct brandes_device_ops *brandes_device(void)
{
    return NULL;
}
#endif

static size_t brandes_place(struct brandes *brandes, size_t n, size_t m, bool edges, void *base)
{
    struct mem_layout layout = {.base = base};
    struct paths_state *state = &brandes->state;
    mem_place(&layout, 1, sizeof *brandes);
    state->row = mem_place(&layout, mem_bytes(n, PATHS_WIDTH), sizeof *state->row);
    brandes->near = mem_place(&layout, n, sizeof *brandes->near);
    brandes->missing = mem_place(&layout, n, sizeof *brandes->missing);
    brandes->marked = mem_place(&layout, bits_words(n), sizeof *brandes->marked);
    brandes->open = mem_place(&layout, n, sizeof *brandes->open);
    state->sum = mem_place(&layout, n, sizeof *state->sum);
    state->arc = mem_place(&layout, edges ? m : 0, sizeof *state->arc);
    if (!edges)
        state->arc = NULL;
    return layout.bytes;
}

/* Most vertices are reached in three levels of a batch. */
size_t brandes_need(size_t n, size_t m, bool edges)
{
    size_t bytes = brandes_place(&(struct brandes){0}, n, m, edges, NULL);
    mem_add(&bytes, bytes, mem_bytes(n, 4 * sizeof(struct paths_event)));
    return bytes;
}

int brandes_open(struct brandes **out, const struct brandes_graph *graph, struct apsp_error *error)
{
    const size_t n = graph->n, m = graph->out.start[n];
    const size_t bytes = brandes_place(&(struct brandes){0}, n, m, graph->arc, NULL);
    struct brandes *brandes = *out = mem_alloc(bytes);
    if (!brandes)
        return error_set(error, APSP_MEMORY, "no memory for the betweenness of %zu vertices", n);
    brandes_place(brandes, n, m, graph->arc, brandes);
    brandes->graph = graph;
    brandes->kernels = paths_choose();
    brandes->state.in = graph->in;
    brandes->state.out = graph->out;
    brandes->state.near = brandes->near;
    brandes->state.missing = brandes->missing;
    brandes->state.wanted = graph->wanted;
    brandes->state.ends = graph->paths.ends;
    brandes->state.fixed = graph->fixed;
    return APSP_OK;
}

void brandes_free(struct brandes *brandes)
{
    if (!brandes)
        return;
    free(brandes->state.event);
    free(brandes->level);
    mem_free(brandes);
}

static int no_memory(struct apsp_error *error)
{
    return error_set(error, APSP_MEMORY, "no memory for the searches of the betweenness");
}

/* Room for so many more events, and for one more level: its end, level[levels + 2]. */
static int grow(struct brandes *brandes, size_t events, struct apsp_error *error)
{
    struct paths_state *state = &brandes->state;
    if (brandes->levels + 3 > brandes->heights) {
        const size_t heights = 2 * brandes->heights + 64;
        size_t *level = realloc(brandes->level, mem_bytes(heights, sizeof *level));
        if (!level)
            return no_memory(error);
        brandes->level = level;
        brandes->heights = heights;
    }
    if (state->events + events > brandes->room) {
        const size_t room = state->events + events + brandes->room / 2;
        struct paths_event *event = realloc(state->event, mem_bytes(room, sizeof *event));
        if (!event)
            return no_memory(error);
        state->event = event;
        brandes->room = room;
    }
    return APSP_OK;
}

/* Level 0: the sources, in ascending order as all events of a level. */
static int start(struct brandes *brandes, const uint32_t *source, size_t count,
                 struct apsp_error *error)
{
    struct paths_state *state = &brandes->state;
    const struct brandes_graph *graph = brandes->graph;
    const uint64_t all = count < PATHS_WIDTH ? ((uint64_t)1 << count) - 1 : UINT64_MAX;
    brandes->levels = state->events = 0;
    state->most = 1;
    if (grow(brandes, count, error))
        return error->code;
    for (size_t v = 0; v < graph->n; v++) {
        brandes->missing[v] = all;
        brandes->open[v] = (uint32_t)v;
    }
    memset(brandes->near, 0, graph->n * sizeof *brandes->near);
    brandes->level[0] = 0;
    for (size_t i = 0; i < count; i++) {
        const uint32_t v = graph->number[source[i]];
        state->row[(size_t)v * PATHS_WIDTH + i] = 1;
        brandes->missing[v] &= ~((uint64_t)1 << i);
        state->event[state->events++] = (struct paths_event){(uint64_t)1 << i, v};
    }
    brandes->level[1] = state->events;
    return APSP_OK;
}

/* The events of a level are those that neighbours look at, or no longer. */
static void show_level(struct brandes *brandes, size_t level, bool shown)
{
    const struct paths_event *event = brandes->state.event;
    for (size_t i = brandes->level[level]; i < brandes->level[level + 1]; i++)
        brandes->near[event[i].vertex] = shown ? event[i].bits : 0;
}

/* The vertices that the last level may reach, in ascending order, if they are few. */
static size_t mark(struct brandes *brandes, uint32_t *list, size_t most)
{
    const struct paths_lists *out = &brandes->graph->out;
    const struct paths_event *event = brandes->state.event;
    const size_t first = brandes->level[brandes->levels],
                 last = brandes->level[brandes->levels + 1];
    size_t arcs = 0, count = 0;
    for (size_t i = first; i < last && arcs <= most; i++)
        arcs += out->start[event[i].vertex + 1] - out->start[event[i].vertex];
    if (arcs > most)
        return SIZE_MAX;
    for (size_t i = first; i < last; i++) {
        const uint32_t u = event[i].vertex;
        for (size_t e = out->start[u]; e < out->start[u + 1]; e++) {
            const uint32_t v = out->vertex[e];
            const bool wants = brandes->missing[v] & event[i].bits;
            brandes->marked[v / 64] |= (uint64_t)wants << v % 64;
        }
    }
    for (size_t w = 0; w < bits_words(brandes->graph->n); w++)
        for (; brandes->marked[w]; brandes->marked[w] &= brandes->marked[w] - 1)
            list[count++] = (uint32_t)(w * 64 + (size_t)__builtin_ctzll(brandes->marked[w]));
    return count;
}

/* The vertices that still miss sources stay open. */
static size_t close_full(struct brandes *brandes, size_t open)
{
    size_t kept = 0;
    for (size_t i = 0; i < open; i++) {
        const uint32_t v = brandes->open[i];
        brandes->open[kept] = v;
        kept += brandes->missing[v] != 0;
    }
    return kept;
}

/* A sparse level asks for vertices by its arcs, at about a tenth of the cost of a look at all. */
static int forward(struct brandes *brandes, struct apsp_error *error)
{
    enum { SPARSE = 16 };
    struct paths_state *state = &brandes->state;
    size_t open = brandes->graph->n;
    uint32_t few[4096];
    while (brandes->levels < brandes->graph->paths.levels) {
        const size_t first = state->events, most = open / SPARSE < 4096 ? open / SPARSE : 4096,
                     count = mark(brandes, few, most);
        if (grow(brandes, count == SIZE_MAX ? open : count, error) || stop_check(error))
            return error->code;
        show_level(brandes, brandes->levels, true);
        if (count == SIZE_MAX)
            brandes->kernels->forward(state, brandes->open, open);
        else
            brandes->kernels->forward(state, few, count);
        show_level(brandes, brandes->levels, false);
        for (size_t i = first; i < state->events; i++)
            brandes->missing[state->event[i].vertex] &= ~state->event[i].bits;
        if (state->events == first)
            break;
        brandes->level[++brandes->levels + 1] = state->events;
        if (count == SIZE_MAX)
            open = close_full(brandes, open);
    }
    return APSP_OK;
}

/* The sources are ends of as many paths as they depend on themselves. */
static void add_ends(struct brandes *brandes)
{
    struct paths_state *state = &brandes->state;
    for (size_t i = 0; i < brandes->level[1]; i++) {
        const uint32_t v = state->event[i].vertex;
        const double all = state->row[(size_t)v * PATHS_WIDTH + i];
        fixed_add(&state->fixed, &state->sum[v], round(all - state->wanted[v]));
    }
}

static void backward(struct brandes *brandes)
{
    struct paths_state *state = &brandes->state;
    const bool last = state->ends || state->arc; /* of use: the level of the sources */
    for (size_t level = brandes->levels + 1; level-- > (last ? 0 : 1);) {
        brandes->kernels->backward(state, brandes->level[level], brandes->level[level + 1],
                                   level > 0);
        if (level < brandes->levels)
            show_level(brandes, level + 1, false);
        show_level(brandes, level, true);
    }
    if (state->ends)
        add_ends(brandes);
}

bool brandes_take(struct brandes *brandes, const uint32_t *source, size_t count,
                  struct apsp_error *error)
{
    if (start(brandes, source, count, error) || forward(brandes, error))
        return true;
    if (!(brandes->state.most <= PATHS_MOST))
        return false;
    backward(brandes);
    return true;
}

void brandes_row(const struct brandes *brandes, size_t i, int64_t *row)
{
    const struct paths_event *event = brandes->state.event;
    for (size_t v = 0; v < brandes->graph->n; v++)
        row[v] = -1;
    for (size_t level = 0; level <= brandes->levels; level++)
        for (size_t k = brandes->level[level]; k < brandes->level[level + 1]; k++)
            if (event[k].bits >> i & 1)
                row[brandes->graph->vertex[event[k].vertex]] = (int64_t)level;
}
