#include "sparse/halving.h"

#include "base/minmax.h"
#include "base/typed.h"

void halving_fetch(const struct halving *halving, size_t count, size_t first)
{
    enum { LINE = 64 };
    const struct relax_spans *spans = halving->accumulator->spans;
    const size_t bytes = dtype_info[halving->dtype].bytes;
    for (size_t at = 0; at < count; at += LINE / sizeof *spans->sum)
        __builtin_prefetch(spans->sum + first + at, 1);
    for (size_t at = 0; at < count; at += LINE / bytes)
        __builtin_prefetch((const char *)spans->most + (first + at) * bytes, 1);
}

/* From the first source on: one value at a time. */
static void count_between(const struct halving *halving, const char *rows, size_t count,
                          size_t first)
{
    const size_t width = halving->kernels->nr, sources = range_length(halving->sources);
    struct relax_counts *counts = halving->accumulator->counts;
    struct relax_spans *spans = halving->accumulator->spans;
    for (size_t i = 0; i < count; i++) {
        const size_t at = first + i;
        for (size_t r = at + 1 - halving->sources.lo; r < sources; r++) {
            const union value value = typed_get(halving->dtype, rows, i * width + r);
            union value most = typed_get(halving->dtype, spans->most, at);
            if (value.whole >= dtype_info[halving->dtype].infinity)
                continue;
            counts->sum[r].whole += value.whole;
            counts->most[r].whole = int64_max(counts->most[r].whole, value.whole);
            counts->count[r]++;
            spans->sum[at] += value.whole;
            spans->reached[at]++;
            most.whole = int64_max(most.whole, value.whole);
            typed_put(halving->dtype, spans->most, at, most);
        }
    }
}

void halving_count(const struct halving *halving, const void *rows, size_t count, size_t first)
{
    const size_t low = halving->sources.lo, before = first < low ? size_min(count, low - first) : 0,
                 bytes = halving->kernels->nr * dtype_info[halving->dtype].bytes;
    if (before > 0)
        relax_accumulator_rows(halving->accumulator, halving->kernels, rows, before, first);
    if (before < count && first + before < halving->sources.hi)
        count_between(halving, (const char *)rows + before * bytes, count - before, first + before);
}
