/*
 * Regions of the engine's order (beside.h). Where rows differ alike at the border of a region, they
 * do within it. So a group has some classes of such rows. If the distances at the border are those
 * of an earlier class, but for one number for all of them, so are those within. A worker remembers
 * some of each region, and the sums that a series needs. What it remembers is what it would find
 * again, so sums do not depend on earlier groups.
 */
#include "rows/access_row.h"

#include <float.h>
#include <math.h>
#include <string.h>

static size_t blocks_of(size_t n)
{
    return (beside_places(n) + DECAY_SIDE - 1) / DECAY_SIDE;
}

void access_place_regions(struct access_beside *beside, const struct access_plan *plan,
                          struct mem_layout *layout, size_t n)
{
    const size_t ways = beside_regions(n) * ACCESS_CLASSES,
                 moments = mem_bytes(plan->columns, DECAY_DEGREE + 1),
                 blocks = blocks_of(n) * ACCESS_CLASSES;
    beside->memory = mem_place(layout, ways, sizeof *beside->memory);
    beside->moments = mem_place(layout, mem_bytes(ways, moments), sizeof *beside->moments);
    beside->inside = mem_place(layout, blocks, DECAY_SIDE * sizeof *beside->inside);
    beside->bounds = mem_place(layout, blocks, 2 * sizeof *beside->bounds);
}

void access_add_region(struct access *access, const struct beside_region *region)
{
    const size_t kinds = access->plan.columns;
    double *sum = access->within + access->regions * kinds;
    access->region[access->regions++] = *region;
    memset(sum, 0, kinds * sizeof *sum);
    for (size_t i = 0; i < region->count; i++)
        for (size_t c = 0; c < kinds; c++)
            sum[c] += access->amount[(region->place + i) * kinds + c];
}

/* The memory of a class, and its distances and bounds from that block on. */
static struct access_memory *memory_of(const struct access_beside *beside, size_t number,
                                       const struct access_class *class)
{
    return beside->memory + number * ACCESS_CLASSES + class->way;
}

static double *inside_of(const struct access *access, const struct access_beside *beside,
                         const struct access_class *class, size_t block)
{
    return beside->inside + (class->way * blocks_of(access->task->n) + block) * DECAY_SIDE;
}

static double *bounds_of(const struct access *access, const struct access_beside *beside,
                         const struct access_class *class, size_t block)
{
    return beside->bounds + (class->way * blocks_of(access->task->n) + block) * 2;
}

static double *moments_of(const struct access *access, const struct access_beside *beside,
                          size_t number, const struct access_class *class)
{
    return beside->moments +
           (number * ACCESS_CLASSES + class->way) * access->plan.columns * (DECAY_DEGREE + 1);
}

static size_t first_block(const struct beside_region *region)
{
    return region->place / DECAY_SIDE;
}

static size_t end_block(const struct beside_region *region)
{
    return (region->place + region->count + DECAY_SIDE - 1) / DECAY_SIDE;
}

static struct access_span span_between(const struct access_class *class, double low, double high)
{
    return (struct access_span){.low = class->anchor + low + class->extremes[0],
                                .high = class->anchor + high + class->extremes[1],
                                .half = (high - low) / 2,
                                .middle = class->anchor + (low + high) / 2};
}

static void begin_class(const struct access *access, struct access_beside *beside,
                        const struct access_class *class)
{
    beside->alike = true;
    beside->anchor = class->anchor;
    memcpy(beside->offset, class->offset, beside->width * sizeof *beside->offset);
    memcpy(beside->extremes, class->extremes, sizeof beside->extremes);
    access->kernels->between(beside->own, beside->offset, beside->width, (double)-INFINITY,
                             DBL_MAX);
}

/* A block of a region becomes the one at hand. */
static void load_block(const struct access *access, struct access_beside *beside,
                       const struct access_class *class, size_t block)
{
    const double *inside = inside_of(access, beside, class, block);
    bool reached = true;
    access_begin_block(beside);
    beside->block = block;
    beside->alike = true;
    beside->targets = DECAY_SIDE;
    for (size_t v = 0; v < DECAY_SIDE; v++) {
        beside->base[v] = beside->anchor + inside[v];
        reached &= beside->base[v] < (double)INFINITY;
    }
    if (!reached)
        access_end_alike(access, beside);
}

/* Adds the amounts of a block within some steps, for the class at hand. */
static void add_block_steps(const struct access *access, struct access_beside *beside,
                            const struct access_class *class, size_t block, size_t first,
                            size_t last)
{
    const size_t kinds = access->plan.columns;
    const double *bounds = bounds_of(access, beside, class, block);
    const struct access_span span = span_between(class, bounds[0], bounds[1]);
    const struct decay_weights all = {beside->own, beside->width, 1};
    bool loaded = false;
    for (size_t k = first; k < last; k++) {
        if (access->limit[k] >= span.high) {
            access->kernels->side_weigh(&all, beside->width, access->block + block * kinds, kinds,
                                        access_sums_of(access, beside, k));
        } else if (access->limit[k] >= span.low) {
            if (!loaded)
                load_block(access, beside, class, block);
            loaded = true;
            access_add_steps(access, beside, k, k + 1);
        }
    }
}

static void add_decays(const struct access *access, struct access_beside *beside, size_t number,
                       const struct access_class *class)
{
    const struct beside_region *region = &access->region[number];
    const struct access_memory *memory = memory_of(beside, number, class);
    const struct access_span span = span_between(class, memory->low, memory->high);
    const double *moments = moments_of(access, beside, number, class);
    bool all = true;
    beside->alike = true;
    for (size_t k = access->steps; k < access->plan.decays; k++)
        if (!(span.low > beside->far[k]))
            all &= access_add_series(access, beside, k, &span, moments);
    for (size_t block = first_block(region); !all && block < end_block(region); block++) {
        load_block(access, beside, class, block);
        const struct access_span part = access_span_of(beside);
        if (part.low < (double)INFINITY)
            access_add_decays(access, beside, &part, span.half);
    }
}

static void add_region(const struct access *access, struct access_beside *beside, size_t number)
{
    const struct beside_region *region = &access->region[number];
    const size_t kinds = access->plan.columns;
    double low = (double)INFINITY, high = 0;
    for (size_t i = 0; i < beside->classes; i++) {
        const struct access_class *class = &beside->of_class[i];
        const struct access_memory *memory = memory_of(beside, number, class);
        const struct access_span span = span_between(class, memory->low, memory->high);
        low = span.low < low ? span.low : low;
        high = span.high > high ? span.high : high;
    }
    if (!(low < (double)INFINITY))
        return;
    const size_t first = access_step(access, low, beside->step),
                 last = access_step(access, high, first);
    beside->step = first;
    for (size_t c = 0; c < kinds && last < access->steps; c++)
        beside->all[last * kinds + c] += access->within[number * kinds + c];
    for (size_t i = 0; i < beside->classes; i++) {
        const struct access_class *class = &beside->of_class[i];
        begin_class(access, beside, class);
        for (size_t block = first_block(region); first < last && block < end_block(region); block++)
            add_block_steps(access, beside, class, block, first, last);
        add_decays(access, beside, number, class);
    }
    access_begin_block(beside);
    access_renew_far(access, beside, first_block(region), end_block(region) - 1);
}

static bool is_empty(const struct access *access, size_t number)
{
    bool any = false;
    for (size_t c = 0; c < access->plan.columns; c++)
        any |= access->within[number * access->plan.columns + c] > 0;
    return !any;
}

/* False if there are too many, or a distance is infinite. */
static bool find_classes(const struct access *access, struct access_beside *beside,
                         const struct beside_rows *border)
{
    bool done[DECAY_WIDTH] = {false};
    beside->classes = 0;
    for (size_t row = 0; row < border->sources; row++) {
        struct access_class *class = &beside->of_class[beside->classes];
        if (done[row])
            continue;
        if (beside->classes == ACCESS_CLASSES ||
            !access->kernels->side_class(border->dtype, border->values, border->width,
                                         border->count, border->sources, row, class->border,
                                         class->offset, class->extremes))
            return false;
        for (size_t r = row; r < border->sources; r++)
            done[r] |= class->offset[r] < (double)INFINITY;
        class->row = row;
        class->anchor = class->border[0];
        for (size_t v = 0; v < border->count; v++)
            class->border[v] -= class->anchor;
        beside->classes++;
    }
    return true;
}

/* Whether all classes are remembered. Those that are not get ways. */
static bool find_ways(struct access_beside *beside, size_t number, size_t border)
{
    struct access_memory *memory = beside->memory + number * ACCESS_CLASSES;
    const size_t bytes = border * sizeof *memory->border;
    bool used[ACCESS_CLASSES] = {false}, all = true;
    for (size_t i = 0; i < beside->classes; i++) {
        struct access_class *class = &beside->of_class[i];
        class->known = false;
        for (size_t w = 0; w < ACCESS_CLASSES && !class->known; w++)
            if (memory[w].known && memcmp(memory[w].border, class->border, bytes) == 0) {
                class->way = w;
                class->known = used[w] = true;
            }
        all &= class->known;
    }
    for (size_t i = 0; i < beside->classes; i++) {
        struct access_class *class = &beside->of_class[i];
        if (class->known)
            continue;
        size_t w = memory->turn++ % ACCESS_CLASSES;
        while (used[w])
            w = (w + 1) % ACCESS_CLASSES;
        used[w] = true;
        class->way = w;
        memory[w].known = false;
        memcpy(memory[w].border, class->border, bytes);
    }
    return all;
}

bool access_enter_region(const struct access *access, struct access_lane *lane, size_t number,
                         const struct beside_rows *border)
{
    struct access_beside *beside = &lane->beside;
    access_end_block(access, beside);
    if (is_empty(access, number))
        return true;
    if (!find_classes(access, beside, border))
        return false;
    if (!find_ways(beside, number, border->count)) {
        beside->region = number + 1;
        return false;
    }
    add_region(access, beside, number);
    return true;
}

static void find_bounds(const double *distance, double bounds[2])
{
    bounds[0] = bounds[1] = distance[0];
    for (size_t v = 1; v < DECAY_SIDE; v++) {
        bounds[0] = distance[v] < bounds[0] ? distance[v] : bounds[0];
        bounds[1] = distance[v] > bounds[1] ? distance[v] : bounds[1];
    }
}

static void find_moments(const struct access *access, struct access_beside *beside, size_t number,
                         const struct access_class *class)
{
    const struct beside_region *region = &access->region[number];
    const struct access_memory *memory = memory_of(beside, number, class);
    const size_t kinds = access->plan.columns;
    const struct access_span span = {.half = (memory->high - memory->low) / 2,
                                     .middle = (memory->low + memory->high) / 2};
    const size_t degree = access_most_degree(access, span.half), count = (degree + 1) * kinds;
    double *moments = moments_of(access, beside, number, class);
    if (degree == 0)
        return;
    memset(moments, 0, count * sizeof *moments);
    for (size_t block = first_block(region); block < end_block(region); block++) {
        access_find_moments(access, beside, degree, inside_of(access, beside, class, block), &span,
                            access->amount + block * DECAY_SIDE * kinds);
        for (size_t i = 0; i < count; i++)
            moments[i] += beside->moment[i];
    }
}

/* All distances of a class are there. */
static void complete(const struct access *access, struct access_beside *beside, size_t number,
                     const struct access_class *class)
{
    const struct beside_region *region = &access->region[number];
    struct access_memory *memory = memory_of(beside, number, class);
    double *inside = inside_of(access, beside, class, first_block(region));
    for (size_t i = region->count; i % DECAY_SIDE > 0; i++)
        inside[i] = inside[0]; /* Without amounts. */
    memory->known = true;
    memory->low = (double)INFINITY;
    memory->high = (double)-INFINITY;
    for (size_t block = first_block(region); block < end_block(region); block++) {
        double *bounds = bounds_of(access, beside, class, block);
        find_bounds(inside_of(access, beside, class, block), bounds);
        memory->low = fmin(memory->low, bounds[0]);
        memory->high = fmax(memory->high, bounds[1]);
    }
    find_moments(access, beside, number, class);
}

void access_remember(const struct access *access, struct access_lane *lane,
                     const struct beside_rows *rows)
{
    struct access_beside *beside = &lane->beside;
    const size_t number = beside->region - 1;
    const struct beside_region *region = &access->region[number];
    const bool last = rows->place + rows->count == region->place + region->count;
    for (size_t i = 0; i < beside->classes; i++) {
        const struct access_class *class = &beside->of_class[i];
        if (!class->known)
            access->kernels->side_row(rows->dtype, rows->values, rows->width, rows->count,
                                      class->row, class->anchor,
                                      inside_of(access, beside, class, 0) + rows->place);
        if (last && !class->known)
            complete(access, beside, number, class);
    }
    if (last) {
        beside->region = 0;
        add_region(access, beside, number);
    }
}
