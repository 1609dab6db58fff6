/* Patterns for the tests of orders. */
#ifndef MAKE_GRID_H
#define MAKE_GRID_H

#include "sparse/pattern.h"

#include <stdlib.h>

/* A grid of two-way streets. */
static inline struct pattern make_grid(uint32_t side)
{
    struct pattern grid = {.n = (size_t)side * side};
    size_t m = 0;
    grid.start = calloc(grid.n + 1, sizeof *grid.start);
    grid.to = malloc(4 * grid.n * sizeof *grid.to);
    assert_true(grid.start && grid.to);
    for (uint32_t v = 0; v < grid.n; v++) {
        const bool there[] = {v >= side, v % side > 0, v % side + 1 < side, v + side < grid.n};
        const uint32_t other[] = {v - side, v - 1, v + 1, v + side};
        for (int i = 0; i < 4; i++)
            if (there[i])
                grid.to[m++] = other[i];
        grid.start[v + 1] = m;
    }
    return grid;
}

/* A cube of two-way streets. */
static inline struct pattern make_cube(uint32_t side)
{
    const uint32_t step[] = {1, side, side * side};
    struct pattern cube = {.n = (size_t)side * side * side};
    size_t m = 0;
    cube.start = calloc(cube.n + 1, sizeof *cube.start);
    cube.to = malloc(6 * cube.n * sizeof *cube.to);
    assert_true(cube.start && cube.to);
    for (uint32_t v = 0; v < cube.n; v++) {
        for (int i = 0; i < 3; i++) {
            const uint32_t at = v / step[i] % side;
            if (at > 0)
                cube.to[m++] = v - step[i];
            if (at + 1 < side)
                cube.to[m++] = v + step[i];
        }
        cube.start[v + 1] = m;
    }
    return cube;
}

static inline void free_grid(struct pattern *grid)
{
    free(grid->to);
    free(grid->start);
}

#endif
