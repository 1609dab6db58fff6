#include "kernels/cpu/relax_accumulator.h"

void relax_accumulator_start(const struct relax_accumulator *accumulator, size_t n, size_t count)
{
    if (accumulator->counts)
        *accumulator->counts = (struct relax_counts){0};
    for (size_t i = 0; accumulator->spans && !accumulator->spans->sum && i < n; i++)
        accumulator->spans->reached[i] = (uint32_t)count;
    if (accumulator->harmonic)
        *accumulator->harmonic = (struct relax_harmonic){0};
    for (size_t r = 0; accumulator->harmonic && r < RELAX_ROW; r++)
        accumulator->harmonic->q[r] = 1;
}

void relax_accumulator_rows(const struct relax_accumulator *accumulator,
                            const struct relax_kernels *kernels, const void *rows, size_t count,
                            size_t place)
{
    if (accumulator->counts)
        kernels->rows_count(accumulator->counts, rows, count, accumulator->spans, place);
    if (accumulator->harmonic)
        kernels->rows_harmonic(accumulator->harmonic, rows, count);
    if (accumulator->bins)
        kernels->rows_bins(accumulator->bins, rows, count);
}

void relax_accumulator_end(const struct relax_accumulator *accumulator,
                           const struct relax_kernels *kernels)
{
    if (accumulator->counts)
        kernels->rows_fold(accumulator->counts);
    if (accumulator->spans)
        kernels->rows_span_end(accumulator->spans);
    if (accumulator->harmonic)
        kernels->rows_harmonic_end(accumulator->harmonic);
}
