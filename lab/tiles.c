/*
 * Three phases a round (G. Venkataraman, S. Sahni and S. Mukhopadhyaya, 2003): the pivot tile, the
 * tiles in its row and column, all others. A tile of 16 KiB stays in the first cache for 64 values
 * of k, where plain loops stream the whole matrix for each.
 */
#include "tiles.h"

#include "paths.h"

#include <stdlib.h>
#include <string.h>

enum { B = 64 };

/* Tile c of the padded matrix by column tile a and row tile b, any of which may be the same one. */
static void relax_tile(int *c, const int *a, const int *b, size_t ld)
{
    for (size_t k = 0; k < B; k++)
        for (size_t i = 0; i < B; i++) {
            const int first = a[i * ld + k];
            int *to = c + i * ld;
            const int *by = b + k * ld;
#pragma omp simd
            for (size_t j = 0; j < B; j++) {
                int sum = first + by[j];
                to[j] = sum < to[j] ? sum : to[j];
            }
        }
}

static void rounds(int *d, size_t tiles, size_t ld, double seconds[3])
{
    const size_t down = B * ld;
    for (size_t r = 0; r < tiles; r++) {
        int *row = d + r * down, *column = d + r * B, *pivot = row + r * B;
        double start = lab_now();
        relax_tile(pivot, pivot, pivot, ld);
        double first = lab_now();
#pragma omp parallel for
        for (size_t t = 0; t < tiles; t++)
            if (t != r) {
                relax_tile(row + t * B, pivot, row + t * B, ld);
                relax_tile(column + t * down, column + t * down, pivot, ld);
            }
        double second = lab_now();
#pragma omp parallel for
        for (size_t i = 0; i < tiles; i++)
            for (size_t j = 0; j < tiles; j++)
                if (i != r && j != r)
                    relax_tile(d + i * down + j * B, column + i * down, row + j * B, ld);
        seconds[0] += first - start;
        seconds[1] += second - first;
        seconds[2] += lab_now() - second;
    }
}

void tiles_solve(int *d, size_t n, double seconds[3])
{
    const size_t tiles = (n + B - 1) / B, ld = tiles * B;
    int *padded = lab_alloc(ld * ld, sizeof *padded);
    memset(seconds, 0, 3 * sizeof *seconds);
    for (size_t i = 0; i < ld; i++)
        for (size_t j = 0; j < ld; j++)
            padded[i * ld + j] = i < n && j < n ? d[i * n + j] : LAB_FAR;
    rounds(padded, tiles, ld, seconds);
    for (size_t i = 0; i < n; i++)
        memcpy(d + i * n, padded + i * ld, n * sizeof *d);
    free(padded);
}
