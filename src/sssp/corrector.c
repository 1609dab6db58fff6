#include "sssp/corrector.h"

#include "base/clock.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

enum { CHUNK = 64 }; /* vertices of one word of a set */

size_t corrector_width(enum dtype dtype, size_t pairs)
{
    return relax_choose(dtype, NULL)->nr * pairs;
}

static size_t set_words(size_t n)
{
    return (n + CHUNK - 1) / CHUNK;
}

static size_t corrector_place(struct corrector *corrector, size_t n, size_t row, void *base)
{
    struct mem_layout layout = {.base = base};
    corrector->rows = mem_place(&layout, n, row);
    corrector->active = mem_place(&layout, set_words(n), sizeof *corrector->active);
    corrector->now = mem_place(&layout, set_words(n), sizeof *corrector->now);
    return layout.bytes;
}

size_t corrector_need(size_t n, enum dtype dtype, size_t width)
{
    struct corrector corrector;
    return corrector_place(&corrector, n, mem_bytes(width, dtype_info[dtype].bytes), NULL);
}

static size_t value_bytes(const struct corrector *corrector)
{
    return dtype_info[corrector->dtype].bytes;
}

int corrector_open(struct corrector **out, const struct network *network, enum dtype dtype,
                   size_t width, struct apsp_error *error)
{
    struct corrector *corrector = *out = calloc(1, sizeof *corrector);
    void *memory = corrector ? mem_alloc(corrector_need(network->n, dtype, width)) : NULL;
    if (!memory) {
        free(corrector);
        *out = NULL;
        return error_set(error, APSP_MEMORY, "no memory for %zu searches", width);
    }
    corrector_place(corrector, network->n, mem_bytes(width, dtype_info[dtype].bytes), memory);
    corrector->network = network;
    corrector->kernels = relax_combining(dtype, network->combine, NULL);
    corrector->dtype = dtype;
    corrector->width = width;
    return APSP_OK;
}

void corrector_free(struct corrector *corrector)
{
    if (!corrector)
        return;
    mem_free(corrector->rows); /* the first of what is placed */
    free(corrector);
}

static bool run_pass(const struct corrector *corrector, const struct relax_pull *pull)
{
    const size_t n = corrector->network->n;
    bool any = false;
    for (size_t v = 0; v < n; v += CHUNK)
        any |=
            corrector->kernels->rows_pull(pull, (struct range){v, n - v < CHUNK ? n : v + CHUNK});
    return any;
}

static void start_rows(struct corrector *corrector, const uint32_t *source, size_t count)
{
    const size_t bytes = value_bytes(corrector);
    corrector->kernels->fill(corrector->rows, corrector->network->n * corrector->width);
    for (size_t i = 0; i < count; i++) { /* the bits of 0 are zero in every type */
        memset((char *)corrector->rows + (source[i] * corrector->width + i) * bytes, 0, bytes);
        corrector->active[source[i] / 64] |= (uint64_t)1 << source[i] % 64;
    }
    corrector->passes = 0;
}

static bool limit_is_reached(const struct corrector_limit *limit, size_t passes, double begun)
{
    return limit && (passes >= limit->passes || clock_seconds() - begun > limit->seconds);
}

bool corrector_run(struct corrector *corrector, const uint32_t *source, size_t count,
                   const struct corrector_limit *limit)
{
    const struct network *network = corrector->network;
    const size_t words = set_words(network->n);
    const double begun = clock_seconds();
    struct relax_pull pull = {.start = network->start,
                              .from = network->from,
                              .weight = network->weight,
                              .rows = corrector->rows,
                              .pairs = corrector->width / corrector->kernels->nr};
    bool any = true;
    start_rows(corrector, source, count);
    for (; any && !limit_is_reached(limit, corrector->passes, begun); corrector->passes++) {
        pull.active = corrector->active;
        pull.now = corrector->now;
        any = run_pass(corrector, &pull);
        uint64_t *done = corrector->active;
        corrector->active = corrector->now;
        corrector->now = done;
        memset(done, 0, words * sizeof *done);
    }
    memset(corrector->active, 0, words * sizeof *corrector->active);
    return !any;
}

void corrector_gather(const struct corrector *corrector, size_t group, const uint32_t *column,
                      size_t columns, void *rows)
{
    const size_t nr = corrector->kernels->nr, bytes = value_bytes(corrector), row = nr * bytes;
    const char *from = (const char *)corrector->rows + group * row;
    for (size_t c = 0; c < columns; c++)
        memcpy((char *)rows + c * row, from + column[c] * corrector->width * bytes, row);
}

void corrector_copy(const struct corrector *corrector, size_t group, size_t first, size_t count,
                    void *rows)
{
    const size_t nr = corrector->kernels->nr, bytes = value_bytes(corrector), row = nr * bytes;
    const char *from =
        (const char *)corrector->rows + first * corrector->width * bytes + group * row;
    for (size_t i = 0; i < count; i++)
        memcpy((char *)rows + i * row, from + i * corrector->width * bytes, row);
}
