#include "rows/half.h"

#include "base/mem.h"
#include "base/minmax.h"
#include "base/typed.h"

#include <stdlib.h>

static size_t place_half(struct half_counts *half, size_t n, enum dtype dtype, void *base)
{
    struct mem_layout layout = {.base = base};
    half->sum = mem_place(&layout, n, sizeof *half->sum);
    half->reached = mem_place(&layout, n, sizeof *half->reached);
    half->before = mem_place(&layout, n + 1, sizeof *half->before);
    half->most = mem_place(&layout, n, dtype_info[dtype].bytes);
    return layout.bytes;
}

size_t half_counts_need(size_t n, enum dtype dtype)
{
    struct half_counts half;
    return place_half(&half, n, dtype, NULL);
}

struct half_counts *half_counts_new(size_t n, enum dtype dtype, const uint32_t *vertex)
{
    struct half_counts *half = calloc(1, sizeof *half);
    void *memory = mem_alloc(half_counts_need(n, dtype));
    if (!half || !memory) {
        free(half);
        mem_free(memory);
        return NULL;
    }
    half->dtype = dtype;
    half->vertex = vertex;
    place_half(half, n, dtype, memory);
    return half;
}

void half_counts_free(struct half_counts *half)
{
    if (!half)
        return;
    mem_free(half->sum); /* the first of what is placed */
    free(half);
}

void half_counts_add(const struct half_counts *half, size_t n, struct row_counts *row, size_t *most)
{
    uint32_t all = 0;
    for (size_t j = n; j-- > 0;) {
        const uint32_t v = half->vertex[j];
        row[v].sum.whole += half->sum[j];
        all += half->before[j + 1];
        row[v].reached += (uint32_t)(all + half->reached[j]);
        most[v] = size_max(most[v], (size_t)typed_get(half->dtype, half->most, j).whole);
    }
}
