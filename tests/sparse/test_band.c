/* Smallest separators near a border, where they are known; and coarse graphs, against a count of
 * edges. */
#include "unit.h"

#include "base/random.h"
#include "make_grid.h"
#include "sparse/band.h"
#include "sparse/coarse.h"

#include <stdlib.h>
#include <string.h>

enum { WIDTH = 400, HEIGHT = 30, ALL = WIDTH * HEIGHT, MIDDLE = WIDTH / 2 };

static uint64_t state_of_random = 9;

static uint32_t draw(uint32_t low, uint32_t high)
{
    return low + random_below(&state_of_random, high - low + 1);
}

/* A grid with a wall across it, at that column, with gaps, and sides with a ragged border. */
struct room {
    bool wall[ALL];
    idx_t start[ALL + 1], to[4 * ALL], side[ALL];
    size_t gaps;
};

static bool joined(const struct room *room, uint32_t v, uint32_t u)
{
    return !room->wall[v] && !room->wall[u];
}

static void make_room(struct room *room, uint32_t column)
{
    idx_t m = 0;
    memset(room, 0, sizeof *room);
    for (uint32_t y = 0; y < HEIGHT; y++)
        room->wall[y * WIDTH + column] = y > 0 && draw(0, 3) > 0;
    for (uint32_t y = 0; y < HEIGHT; y++)
        room->gaps += !room->wall[y * WIDTH + column];
    for (uint32_t v = 0; v < ALL; v++) {
        const uint32_t x = v % WIDTH, y = v / WIDTH;
        const bool there[] = {y > 0, x > 0, x + 1 < WIDTH, y + 1 < HEIGHT};
        const uint32_t other[] = {v - WIDTH, v - 1, v + 1, v + WIDTH};
        for (int i = 0; i < 4; i++)
            if (there[i] && joined(room, v, other[i]))
                room->to[m++] = (idx_t)other[i];
        room->start[v + 1] = m;
        room->side[v] = x < column + draw(0, 4) - 2 ? BAND_LEFT : BAND_RIGHT;
    }
}

/* No edge leads across, and there are so many vertices on each side. */
static void count_sides(const struct room *room, size_t count[3])
{
    memset(count, 0, 3 * sizeof *count);
    for (uint32_t v = 0; v < ALL; v++) {
        count[room->side[v]]++;
        for (idx_t e = room->start[v]; e < room->start[v + 1]; e++)
            assert_true(room->side[v] == BAND_SEPARATOR ||
                        room->side[room->to[e]] == BAND_SEPARATOR ||
                        room->side[room->to[e]] == room->side[v]);
    }
}

static void separators_are_smallest(void **state)
{
    struct room *room = malloc(sizeof *room);
    (void)state;
    assert_non_null(room);
    for (int trial = 0; trial < 100; trial++) {
        size_t count[3];
        make_room(room, draw(MIDDLE - 2, MIDDLE + 2));
        assert_true(band_cut(room->side, ALL, room->start, room->to));
        count_sides(room, count);
        assert_int_equal(count[BAND_SEPARATOR], room->gaps);
        assert_true(count[BAND_LEFT] > ALL / 3 && count[BAND_RIGHT] > ALL / 3);
    }
    free(room);
}

/* A border that is everywhere. */
static void wide_borders_are_refused(void **state)
{
    struct room *room = malloc(sizeof *room);
    (void)state;
    assert_non_null(room);
    make_room(room, MIDDLE);
    for (uint32_t v = 0; v < ALL; v++)
        room->side[v] = v % 2 ? BAND_LEFT : BAND_RIGHT;
    assert_false(band_cut(room->side, ALL, room->start, room->to));
    free(room);
}

/* Every edge between two of its vertices is counted, and every vertex. */
static void check_coarse(const struct coarse *coarse, const struct pattern *pattern)
{
    uint32_t *weight = calloc(coarse->n, sizeof *weight), *edges = calloc(coarse->n, sizeof *edges);
    for (size_t v = 0; v < pattern->n; v++)
        weight[coarse->number[v]]++;
    for (size_t x = 0; x < coarse->n; x++) {
        assert_int_equal(coarse->weight[x], weight[x]);
        memset(edges, 0, coarse->n * sizeof *edges);
        for (size_t v = 0; v < pattern->n; v++)
            for (size_t e = pattern->start[v]; coarse->number[v] == x && e < pattern->start[v + 1];
                 e++)
                edges[coarse->number[pattern->to[e]]]++;
        edges[x] = 0;
        for (idx_t e = coarse->start[x]; e < coarse->start[x + 1]; e++) {
            assert_int_equal(coarse->edges[e], edges[coarse->to[e]]);
            edges[coarse->to[e]] = 0;
        }
        for (size_t y = 0; y < coarse->n; y++)
            assert_int_equal(edges[y], 0);
    }
    free(edges);
    free(weight);
}

static void coarse_graphs_of_a_grid(void **state)
{
    enum { SIDE = 120, MOST = 600 };
    struct pattern grid = make_grid(SIDE);
    (void)state;
    for (int threads = 1; threads <= 5; threads += 2) {
        struct coarse coarse;
        struct apsp_error error = {0};
        static uint32_t first[SIDE * SIDE];
        assert_int_equal(coarse_make(&coarse, &grid, MOST, threads, &error), APSP_OK);
        assert_true(coarse.n > MOST / 4 && coarse.n <= MOST);
        if (threads == 1)
            memcpy(first, coarse.number, sizeof first);
        assert_memory_equal(first, coarse.number, sizeof first);
        check_coarse(&coarse, &grid);
        coarse_free(&coarse);
    }
    free_grid(&grid);
}

/* All but one are next to that one alone. */
static void a_star_stays(void **state)
{
    enum { LEAVES = 5000 };
    struct pattern star = {.n = LEAVES + 1};
    struct coarse coarse;
    struct apsp_error error = {0};
    (void)state;
    star.start = malloc((LEAVES + 2) * sizeof *star.start);
    star.to = calloc(2 * LEAVES, sizeof *star.to);
    star.start[0] = 0;
    for (uint32_t v = 0; v <= LEAVES; v++) {
        star.start[v + 1] = LEAVES + v;
        if (v < LEAVES)
            star.to[v] = v + 1;
    }
    assert_int_equal(coarse_make(&coarse, &star, 100, 2, &error), APSP_OK);
    assert_int_equal(coarse.n, 0);
    coarse_free(&coarse);
    free_grid(&star);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(separators_are_smallest),
        cmocka_unit_test(wide_borders_are_refused),
        cmocka_unit_test(coarse_graphs_of_a_grid),
        cmocka_unit_test(a_star_stays),
    };
    return cmocka_run_group_tests_name("band", tests, NULL, NULL) != 0;
}
