#include "rows/waves.h"

#include "base/mem.h"
#include "rows/count.h"

#include <string.h>

enum { CHUNK = 512 }; /* open vertices whose rows are counted while they are in the caches */

static size_t row_words(const struct waves_plan *plan)
{
    return plan->width / 64;
}

size_t waves_plane(size_t n, const struct waves_plan *plan)
{
    return mem_bytes(n, plan->width / 8);
}

static size_t waves_place(struct waves *waves, size_t n, const struct waves_plan *plan, void *base)
{
    struct mem_layout layout = {.base = base};
    struct bits_level *level = &waves->level;
    const size_t row = plan->width / 8, word = sizeof(uint64_t), columns = plan->columns ? n : 0,
                 counted = plan->levels ? 0 : plan->width;
    mem_place(&layout, 1, sizeof *waves);
    level->missing = mem_place(&layout, n, row);
    uint64_t *front = mem_place(&layout, n, row);
    level->front = front;
    level->next = mem_place(&layout, n, row);
    uint64_t *active = mem_place(&layout, bits_words(n), word);
    level->active = active;
    level->now = mem_place(&layout, bits_words(n), word);
    level->open = mem_place(&layout, n, sizeof *level->open);
    level->found = mem_place(&layout, n, sizeof *level->found);
    waves->before = mem_place(&layout, n, sizeof *waves->before);
    waves->live = mem_place(&layout, 1, row);
    level->live = waves->live;
    waves->came = mem_place(&layout, 1, row);
    waves->counter.plane = mem_place(&layout, counted > 0 ? BITS_PLANES : 0, row);
    waves->got = mem_place(&layout, counted, sizeof *waves->got);
    waves->counts = mem_place(&layout, counted, sizeof *waves->counts);
    waves->reached = mem_place(&layout, columns, sizeof *waves->reached);
    waves->most = mem_place(&layout, columns, sizeof *waves->most);
    return layout.bytes;
}

size_t waves_need(size_t n, const struct waves_plan *plan)
{
    struct waves waves;
    return waves_place(&waves, n, plan, NULL);
}

int waves_open(struct waves **out, const struct waves_arcs *arcs, const struct waves_plan *plan,
               struct apsp_error *error)
{
    struct waves *waves = *out = mem_alloc(waves_need(arcs->n, plan));
    if (!waves)
        return error_set(error, APSP_MEMORY, "no memory for %zu searches", plan->width);
    waves_place(waves, arcs->n, plan, waves);
    waves->arcs = *arcs;
    waves->plan = *plan;
    waves->kernels = bits_choose(plan->width);
    waves->level.start = arcs->start;
    waves->level.from = arcs->from;
    waves->columns = (struct column_counts){arcs->vertex, DTYPE_I64, waves->most, waves->reached};
    return APSP_OK;
}

void waves_free(struct waves *waves)
{
    if (!waves)
        return;
    for (int p = 0; p < waves->planes; p++)
        mem_free(waves->plane[p]);
    mem_free(waves);
}

static void set_bit(uint64_t *words, size_t bit)
{
    words[bit / 64] |= (uint64_t)1 << bit % 64;
}

/* The front becomes that of the sources, each of which has its own bit. */
static void start_sources(struct waves *waves, const struct waves_batch *batch)
{
    struct bits_level *level = &waves->level;
    const size_t words = row_words(&waves->plan);
    uint64_t *front = (uint64_t *)level->front, *active = (uint64_t *)level->active;
    for (size_t i = 0; i < batch->count; i++) {
        size_t v = batch->source[i];
        uint64_t *row = front + v * words, *missing = level->missing + v * words;
        memset(row, 0, words * sizeof *row);
        set_bit(row, i);
        set_bit(active, v);
        missing[i / 64] &= ~((uint64_t)1 << i % 64);
        waves->before[i] = (uint32_t)v;
    }
    waves->front_count = batch->count;
}

/* All vertices miss all sources, of which there may be fewer than a row has bits. */
static size_t start_batch(struct waves *waves, const struct waves_batch *batch)
{
    struct bits_level *level = &waves->level;
    const struct waves_arcs *arcs = &waves->arcs;
    const size_t words = row_words(&waves->plan), whole = batch->count / 64;
    size_t open = 0;
    for (size_t v = 0; v < arcs->n; v++) {
        uint64_t *missing = level->missing + v * words;
        memset(missing, 0xff, whole * sizeof *missing);
        memset(missing + whole, 0, (words - whole) * sizeof *missing);
        if (batch->count % 64 > 0)
            missing[whole] = ((uint64_t)1 << batch->count % 64) - 1;
        level->open[open] = (uint32_t)v;
        open += arcs->start[v] < arcs->start[v + 1];
    }
    for (int p = 0; p < waves->planes; p++)
        memset(waves->plane[p], 0, waves_plane(arcs->n, &waves->plan));
    memset(waves->live, 0xff, waves->plan.width / 8);
    start_sources(waves, batch);
    return open;
}

/* Every source has come to itself. */
static void start_counts(struct waves *waves, const struct waves_batch *batch)
{
    const size_t columns = waves->plan.columns ? waves->arcs.n : 0;
    memset(waves->reached, 0, columns * sizeof *waves->reached);
    memset(waves->most, 0, columns * sizeof *waves->most);
    for (size_t i = 0; !waves->plan.levels && i < batch->count; i++) {
        waves->counts[i] = (struct row_counts){.reached = 1};
        if (columns > 0)
            waves->reached[batch->source[i]] = 1;
    }
}

/* Digits of this level's number where vertices are found, by sources that are live then. */
static void keep_levels(struct waves *waves, size_t first)
{
    const size_t words = row_words(&waves->plan);
    for (size_t k = first; k < waves->level.count; k++) {
        const uint64_t *row = waves->level.next + waves->level.found[k] * words;
        for (size_t i = 0; i < words; i++)
            waves->came[i] |= row[i];
    }
    for (int p = 0; p < waves->planes; p++) {
        if (!(waves->levels >> p & 1))
            continue;
        for (size_t k = first; k < waves->level.count; k++) {
            size_t at = waves->level.found[k] * words;
            for (size_t i = 0; i < words; i++)
                waves->plane[p][at + i] |= waves->level.next[at + i];
        }
    }
}

static void accumulator_columns(struct waves *waves, size_t first)
{
    const size_t words = row_words(&waves->plan);
    for (size_t k = first; k < waves->level.count; k++) {
        size_t v = waves->level.found[k];
        waves->reached[v] = REDUCE_COUNT(
            waves->reached[v], (uint32_t)waves->kernels->ones(waves->level.next + v * words));
        waves->most[v] = REDUCE_MOST(waves->most[v], (int64_t)waves->levels);
    }
}

/* One level: the open vertices pull, and what they find is counted or kept. */
static size_t run_level(struct waves *waves, size_t open)
{
    struct bits_level *level = &waves->level;
    level->kept = level->count = 0;
    for (size_t first = 0; first < open; first += CHUNK) {
        size_t found = level->count, last = open - first < CHUNK ? open : first + CHUNK;
        waves->kernels->pull(level, first, last);
        if (waves->plan.levels)
            keep_levels(waves, found);
        else
            waves->kernels->count(&waves->counter, level->next, level->found + found,
                                  level->count - found);
        if (waves->plan.columns)
            accumulator_columns(waves, found);
    }
    if (waves->plan.levels) {
        memcpy(waves->live, waves->came, waves->plan.width / 8);
        memset(waves->came, 0, waves->plan.width / 8);
    }
    return level->kept;
}

/* Adds the counters of a level to what is known of each source, and clears them. Returns the pairs.
 */
static size_t count_sources(struct waves *waves, size_t count)
{
    const size_t words = row_words(&waves->plan), level = waves->levels;
    const double reciprocal = waves->plan.harmonic ? REDUCE_RECIPROCAL(level) : 0;
    uint32_t *got = waves->got;
    size_t pairs = 0;
    memset(got, 0, waves->plan.width * sizeof *got);
    memset(waves->live, 0, waves->plan.width / 8);
    for (int p = 0; p < waves->counter.used; p++) {
        uint64_t *plane = waves->counter.plane + (size_t)p * words;
        for (size_t w = 0; w < words; w++) {
            waves->live[w] |= plane[w];
            for (size_t i = 0; i < 64; i++)
                got[w * 64 + i] += (uint32_t)(plane[w] >> i & 1) << p;
            plane[w] = 0;
        }
    }
    waves->counter.used = 0;
    for (size_t i = 0; i < count; i++) {
        if (got[i] == 0)
            continue;
        pairs += got[i];
        count_equal(&waves->counts[i], (int64_t)level, got[i], reciprocal);
    }
    return pairs;
}

/* The vertices that were found become the front. */
static void turn_level(struct waves *waves)
{
    struct bits_level *level = &waves->level;
    uint64_t *front = (uint64_t *)level->front, *active = (uint64_t *)level->active;
    uint32_t *before = waves->before;
    for (size_t k = 0; k < waves->front_count; k++)
        active[before[k] / 64] = 0;
    waves->before = level->found;
    waves->front_count = level->count;
    level->found = before;
    level->front = level->next;
    level->next = front;
    level->active = level->now;
    level->now = active;
}

/* Another plane when the level's number has one more digit. */
static int grow_planes(struct waves *waves, struct apsp_error *error)
{
    if (!waves->plan.levels || waves->levels >> waves->planes == 0)
        return APSP_OK;
    uint64_t *plane = mem_alloc(waves_plane(waves->arcs.n, &waves->plan));
    if (!plane)
        return error_set(error, APSP_MEMORY, "no memory for the levels of %zu searches",
                         waves->plan.width);
    waves->plane[waves->planes++] = plane;
    return APSP_OK;
}

/* The targets before targets[left] that some source has not come to; only the last is looked at. */
static size_t targets_left(const struct waves *waves, const uint32_t *targets, size_t left)
{
    const size_t words = row_words(&waves->plan);
    for (; left > 0; left--) {
        const uint64_t *missing = waves->level.missing + targets[left - 1] * words;
        for (size_t i = 0; i < words; i++)
            if (missing[i] != 0)
                return left;
    }
    return 0;
}

static bool tell_pairs(const struct waves_batch *batch, size_t level, size_t pairs)
{
    const struct waves_listener *listener = batch->listener;
    return !listener || listener->pairs(listener->self, level, pairs);
}

int waves_run(struct waves *waves, const struct waves_batch *batch, struct apsp_error *error)
{
    size_t open = start_batch(waves, batch), left = batch->target_count;
    bool told = tell_pairs(batch, 0, batch->count);
    start_counts(waves, batch);
    for (waves->levels = 1; told && open > 0 && waves->front_count > 0; waves->levels++) {
        if (grow_planes(waves, error))
            break;
        open = run_level(waves, open);
        told = tell_pairs(batch, waves->levels,
                          waves->plan.levels ? 0 : count_sources(waves, batch->count));
        turn_level(waves);
        left = batch->targets ? targets_left(waves, batch->targets, left) : left;
        if (batch->targets && left == 0)
            break;
    }
    waves->level.count = 0;
    turn_level(waves);
    return error->code;
}

void waves_scale(struct waves *waves, size_t count, int64_t unit)
{
    for (size_t i = 0; i < count; i++) {
        waves->counts[i].most.whole *= unit;
        waves->counts[i].sum.whole *= unit;
        waves->counts[i].harmonic /= (double)unit;
    }
    for (size_t v = 0; waves->plan.columns && v < waves->arcs.n; v++)
        waves->most[v] *= unit;
}
