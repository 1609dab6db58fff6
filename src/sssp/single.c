#include "sssp/single.h"

#include "base/mem.h"
#include "base/typed.h"
#include "sssp/folding.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

struct single_request single_request_of(const struct engine_task *task, const uint32_t *vertex,
                                        size_t count, struct rows_near near)
{
    const bool whole = !dtype_info[task->dtype].real;
    near.asked = near.asked && !task->shifted;
    if (task->dtype == DTYPE_F64 && task->output == DTYPE_F32) /* The next one may round to it. */
        near.most.real = fmax(near.most.real,
                              fmin((double)nextafterf((float)near.most.real, INFINITY), DBL_MAX));
    if (near.asked && whole && dtype_info[task->output].real)
        near.most.whole = (int64_t)floor(fmax(fmin(near.most.real, (double)INF_I64 / 2), -1));
    return (struct single_request){vertex, count, near};
}

/* The vertex at a place of the request, and the vertices after which a search may end. */
static inline uint32_t single_vertex(const struct single *single, uint32_t place)
{
    return single->request.vertex ? single->request.vertex[place] : place;
}

static size_t single_wanted(const struct single *single)
{
    const struct single_request *request = &single->request;
    const size_t count = request->vertex ? request->count : single->network->n,
                 nearest = request->near.asked ? request->near.nearest : 0;
    return nearest > 0 && nearest < count ? nearest : count;
}

/* Notes that a search has come to vertex u. Whether it is wanted, and new. */
static inline bool single_find(struct single *single, uint32_t u)
{
    if (!single->place || single->place[u] == 0)
        return false;
    single->found[single->found_count++] = single->place[u] - 1;
    single->place[u] = 0;
    return true;
}

static int compare_places(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Puts the places that were found in ascending order. Many of them are read off the others. */
static void single_sort(struct single *single)
{
    enum { MANY = 64 };
    const size_t columns = single->request.vertex ? single->request.count : single->network->n;
    if (single->found_count < columns / MANY) {
        qsort(single->found, single->found_count, sizeof *single->found, compare_places);
        return;
    }
    single->found_count = 0;
    for (size_t k = 0; k < columns; k++)
        if (single->place[single_vertex(single, (uint32_t)k)] == 0)
            single->found[single->found_count++] = (uint32_t)k;
}

#define SINGLE(name)   single_u16_##name
#define T              uint16_t
#define T_WIDE         int64_t
#define T_INF          INF_U16
#define T_VALUE        whole
#define T_KEY(heap, d) RADIX_KEY_WHOLE(heap, d)
#include "sssp/single_body.h"

#define SINGLE(name)   single_i32_##name
#define T              int32_t
#define T_WIDE         int64_t
#define T_INF          INF_I32
#define T_VALUE        whole
#define T_KEY(heap, d) RADIX_KEY_WHOLE(heap, d)
#include "sssp/single_body.h"

#define SINGLE(name)   single_i64_##name
#define T              int64_t
#define T_WIDE         int64_t
#define T_INF          INF_I64
#define T_VALUE        whole
#define T_KEY(heap, d) RADIX_KEY_WHOLE(heap, d)
#include "sssp/single_body.h"

#define SINGLE(name)   single_f32_##name
#define T              float
#define T_WIDE         double
#define T_INF          INFINITY
#define T_VALUE        real
#define T_KEY(heap, d) RADIX_KEY_REAL(heap, d)
#include "sssp/single_body.h"

#define SINGLE(name)   single_f64_##name
#define T              double
#define T_WIDE         double
#define T_INF          INFINITY
#define T_VALUE        real
#define T_KEY(heap, d) RADIX_KEY_REAL(heap, d)
#include "sssp/single_body.h"

/* The lists that the request needs; single->row comes first. */
static size_t single_place(struct single *single, size_t n, enum dtype dtype,
                           const struct single_request *request, bool folded, void *base)
{
    struct mem_layout layout = {.base = base};
    const bool lists = request->vertex || request->near.asked;
    single->row = mem_place(&layout, n, dtype_info[dtype].bytes);
    single->place = mem_place(&layout, lists ? n : 0, sizeof *single->place);
    single->found = mem_place(&layout, lists ? n : 0, sizeof *single->found);
    single->touched = mem_place(&layout, request->near.asked ? n : 0, sizeof *single->touched);
    single->folded = mem_place(&layout, folded ? n : 0, sizeof *single->folded);
    single->folded = folded ? single->folded : NULL;
    single->place = lists ? single->place : NULL;
    single->touched = request->near.asked ? single->touched : NULL;
    return layout.bytes;
}

size_t single_need(size_t n, enum dtype dtype, const struct single_request *request, bool folded)
{
    struct single single;
    size_t bytes;
    mem_add(&bytes, sizeof single, single_place(&single, n, dtype, request, folded, NULL));
    mem_add(&bytes, bytes, mem_bytes(n, dtype_info[dtype].bytes > 4 ? 16 : 8));
    return bytes;
}

/*
 * Longer intervals move fewer entries, and take more vertices twice. About twice the mean weight is
 * best on roads, and far less on graphs of high degree (bench/sssp -a). Some thousands of arcs tell
 * the mean.
 */
static double find_interval(const struct network *network, enum dtype dtype, union value unit)
{
    enum { SAMPLES = 4096, FALL = 16, MOST = 2 };
    const bool real = dtype_info[dtype].real;
    const size_t step = network->arcs / SAMPLES + 1;
    const double degree = (double)network->arcs / (double)network->n;
    double sum = 0, count = 0;
    for (size_t e = 0; e < network->arcs; e += step, count++) {
        union value weight = !network->weight ? unit
                             : network->wide  ? ((const union value *)network->weight)[e]
                                              : typed_get(dtype, network->weight, e);
        sum += real ? weight.real : (double)weight.whole;
    }
    return count > 0 ? sum / count * fmin(FALL / (degree * degree), MOST) : 0;
}

int single_open(struct single **out, const struct network *network, enum dtype dtype,
                union value unit, const struct single_request *request, struct apsp_error *error)
{
    struct single *single = *out = calloc(1, sizeof *single);
    const bool folded = network->folding && !request->vertex && !request->near.asked;
    void *memory =
        single ? mem_alloc(single_place(single, network->n, dtype, request, folded, NULL)) : NULL;
    if (!memory) {
        free(single);
        *out = NULL;
        return error_set(error, APSP_MEMORY, "no memory for a search");
    }
    const double interval =
        folded ? folding_interval(network->folding) : find_interval(network, dtype, unit);
    single_place(single, network->n, dtype, request, folded, memory);
    single->network = network;
    single->request = *request;
    single->dtype = dtype;
    single->unit = unit;
    single->heap.start = folded ? network->folding->start : network->start;
    single->heap.shift = interval >= 2 ? ilogb(interval) : 0;
    single->heap.scale = interval > 0 ? 1 / interval : 0;
    for (size_t k = 0; single->place && k < (request->vertex ? request->count : network->n); k++)
        single->place[single_vertex(single, (uint32_t)k)] = (uint32_t)k + 1;
    return APSP_OK;
}

void single_close(struct single *single)
{
    if (!single)
        return;
    radix_free(&single->heap);
    mem_free(single->row);
    free(single);
}

static void single_unfolded(struct single *single, size_t source)
{
#define RUN(name, T, FIELD, UNREACHABLE) single_##name##_run(single, source)
    TYPED_CASE(single->dtype, RUN)
#undef RUN
}

static void single_by_folding(struct single *single, size_t source)
{
    const struct folding *folding = single->network->folding;
    const uint32_t *number = folding->number;
    const int32_t *from = single->folded;
    uint16_t *narrow = single->row;
    int32_t *wide = single->row;
    folding_search(folding, &single->heap, source, single->folded);
    for (size_t v = 0; single->dtype == DTYPE_I32 && v < folding->n; v++)
        wide[v] = from[number[v]];
    for (size_t v = 0; single->dtype == DTYPE_U16 && v < folding->n; v++)
        narrow[v] = (uint16_t)(from[number[v]] < INF_U16 ? from[number[v]] : INF_U16);
}

int single_from(struct single *single, size_t source, struct apsp_error *error)
{
    radix_clear(&single->heap);
    single->found_count = 0;
    if (single->folded)
        single_by_folding(single, source);
    else
        single_unfolded(single, source);
    return single->heap.failed ? error_set(error, APSP_MEMORY, "no memory for a search") : APSP_OK;
}
