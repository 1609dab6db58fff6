/*
 * A row is passed over in blocks without branches, which compilers make vectors of; most have
 * nothing near enough. The nearest so far are a heap with the furthest on top, beyond which nothing
 * is wanted any more.
 */
#include "rows/choose.h"

#include "base/typed.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

enum { STEP = 32 };

/* The first column from `at` on that is not further than `most`, or n. */
#define SKIP(name, T, WIDE, FIELD)                                                                 \
    static size_t name(const void *values, size_t at, size_t n, union value most)                  \
    {                                                                                              \
        const T *row = values;                                                                     \
        const WIDE limit = (WIDE)most.FIELD;                                                       \
        for (int any = 0; n - at >= STEP; at += STEP) {                                            \
            for (int i = 0; i < STEP; i++)                                                         \
                any |= row[at + (size_t)i] <= limit;                                               \
            if (any)                                                                               \
                break;                                                                             \
        }                                                                                          \
        while (at < n && !(row[at] <= limit))                                                      \
            at++;                                                                                  \
        return at;                                                                                 \
    }

SKIP(skip_u16, uint16_t, int32_t, whole)
SKIP(skip_i32, int32_t, int32_t, whole)
SKIP(skip_i64, int64_t, int64_t, whole)
SKIP(skip_f32, float, double, real)
SKIP(skip_f64, double, double, real)

static size_t (*const skips[DTYPE_COUNT])(const void *, size_t, size_t, union value) = {
    [DTYPE_U16] = skip_u16, [DTYPE_I32] = skip_i32, [DTYPE_I64] = skip_i64,
    [DTYPE_F32] = skip_f32, [DTYPE_F64] = skip_f64,
};

/* Distances of whole types are above -unreachable. */
union value choose_most(enum dtype dtype, struct scale scale, double within)
{
    int64_t limit = dtype_info[dtype].unreachable;
    if (dtype_info[dtype].real)
        return (union value){.real = fmin(within, DBL_MAX)};
    if (within >= scale_value(scale, limit))
        return (union value){.whole = limit - 1};
    if (within <= scale_value(scale, -limit))
        return (union value){.whole = -limit};
    int64_t whole = scale_whole(scale, within);
    whole -= scale_value(scale, whole) > within;
    return (union value){.whole = whole < limit ? whole : limit - 1};
}

size_t choose_room(const struct choice *choice)
{
    return choice->nearest > 0 && choice->nearest < choice->columns ? choice->nearest
                                                                    : choice->columns;
}

static int compare_whole(const void *a, const void *b)
{
    const struct pair *x = a, *y = b;
    int order = (x->distance.whole > y->distance.whole) - (x->distance.whole < y->distance.whole);
    return order ? order : (x->vertex > y->vertex) - (x->vertex < y->vertex);
}

static int compare_real(const void *a, const void *b)
{
    const struct pair *x = a, *y = b;
    int order = (x->distance.real > y->distance.real) - (x->distance.real < y->distance.real);
    return order ? order : (x->vertex > y->vertex) - (x->vertex < y->vertex);
}

typedef int order(const void *, const void *);

static void heap_push(struct pair *heap, size_t count, struct pair pair, order *compare)
{
    size_t i = count;
    for (size_t up; i > 0 && compare(&heap[up = (i - 1) / 2], &pair) < 0; i = up)
        heap[i] = heap[up];
    heap[i] = pair;
}

static void heap_replace_top(struct pair *heap, size_t count, struct pair pair, order *compare)
{
    size_t i = 0;
    for (size_t down; (down = 2 * i + 1) < count; i = down) {
        down += down + 1 < count && compare(&heap[down], &heap[down + 1]) < 0;
        if (compare(&heap[down], &pair) <= 0)
            break;
        heap[i] = heap[down];
    }
    heap[i] = pair;
}

size_t choose_pairs(const struct choice *choice, const void *row, size_t source, struct pair *pairs)
{
    size_t (*const skip)(const void *, size_t, size_t, union value) = skips[choice->dtype];
    order *const compare = dtype_info[choice->dtype].real ? compare_real : compare_whole;
    size_t count = 0, room = choose_room(choice);
    union value most = choice->most;
    for (size_t at = 0; (at = skip(row, at, choice->columns, most)) < choice->columns; at++) {
        const struct pair pair = {choice->column ? choice->column[at] : (uint32_t)at,
                                  typed_get(choice->dtype, row, at)};
        if (choice->others && pair.vertex == source)
            continue;
        if (!choice->nearest)
            pairs[count++] = pair;
        else if (count < room)
            heap_push(pairs, count++, pair, compare);
        else if (compare(&pair, &pairs[0]) < 0)
            heap_replace_top(pairs, count, pair, compare);
        if (choice->nearest && count == room)
            most = pairs[0].distance;
    }
    if (choice->nearest)
        qsort(pairs, count, sizeof *pairs, compare);
    return count;
}
