#include "rows/counted.h"

void counted_place(struct counted *counted, struct mem_layout *layout, enum dtype dtype, size_t n,
                   unsigned wanted, bool halves)
{
    const size_t spans = wanted & APSP_STATS_IN ? n : 0, any = wanted != 0;
    struct relax_accumulator *accumulator = &counted->accumulator;
    *counted = (struct counted){.n = n, .wanted = wanted};
    accumulator->counts = mem_place(layout, any, sizeof *accumulator->counts);
    counted->counts = mem_place(layout, any * RELAX_ROW, sizeof *counted->counts);
    accumulator->harmonic =
        mem_place(layout, (wanted & APSP_STATS_HARMONIC) != 0, sizeof *accumulator->harmonic);
    accumulator->spans = mem_place(layout, spans > 0 || halves, sizeof *accumulator->spans);
    void *most = mem_place(layout, spans, dtype_info[dtype].bytes);
    uint32_t *reached = mem_place(layout, spans, sizeof *reached);
    counted->columns = (struct column_counts){NULL, dtype, most, reached};
    if (layout->base && spans > 0)
        *accumulator->spans = (struct relax_spans){.most = most, .reached = reached};
    if (!(wanted & APSP_STATS_HARMONIC))
        accumulator->harmonic = NULL;
    if (spans == 0 && !halves)
        accumulator->spans = NULL;
}

void counted_halve(struct counted *counted, const struct half_counts *half)
{
    *counted->accumulator.spans =
        (struct relax_spans){.most = half->most, .reached = half->reached, .sum = half->sum};
}

int counted_start(struct counted *counted, const struct count_target *target, int lane,
                  size_t count, struct apsp_error *error)
{
    struct relax_accumulator *accumulator = &counted->accumulator;
    accumulator->bins = NULL;
    if (counted->wanted & APSP_STATS_HISTOGRAM) {
        counted->bins = (struct relax_bins){count_more(target, lane, counted->n * RELAX_ROW, error),
                                            target->bins.shift, target->bins.count};
        accumulator->bins = &counted->bins;
        if (!counted->bins.pairs)
            return error->code;
    }
    relax_accumulator_start(accumulator, counted->n, count);
    return APSP_OK;
}

void counted_end(struct counted *counted, size_t count, struct block *block)
{
    const struct relax_accumulator *accumulator = &counted->accumulator;
    for (size_t r = 0; r < count; r++)
        counted->counts[r] = (struct row_counts){
            .reached = accumulator->counts->count[r],
            .most = accumulator->counts->most[r],
            .sum = accumulator->counts->sum[r],
            .harmonic = accumulator->harmonic ? accumulator->harmonic->sum[r] : 0};
    block->counts = counted->counts;
    block->columns = counted->wanted & APSP_STATS_IN ? &counted->columns : NULL;
}
