/* Lists of neighbours, against all pairs of ends, sorted. */
#include "unit.h"

#include "base/random.h"
#include "make_csr.h"
#include "sparse/pattern.h"

#include <stdlib.h>
#include <string.h>

enum { VERTICES = 20000, EDGES = 8 * VERTICES };

static uint64_t state_of_random = 7;

static uint32_t draw(uint32_t below)
{
    return random_below(&state_of_random, below);
}

static int order_pairs(const void *a, const void *b)
{
    uint64_t x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return (x > y) - (x < y);
}

/* Both ends of every edge but loops, as one number each, once and ascending. Returns how many. */
static size_t list_pairs(uint64_t *pair, const struct edge *edges, size_t m)
{
    size_t count = 0, kept = 0;
    for (size_t e = 0; e < m; e++) {
        if (edges[e].from == edges[e].to)
            continue;
        pair[count++] = (uint64_t)edges[e].from << 32 | edges[e].to;
        pair[count++] = (uint64_t)edges[e].to << 32 | edges[e].from;
    }
    qsort(pair, count, sizeof *pair, order_pairs);
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || pair[kept - 1] != pair[i])
            pair[kept++] = pair[i];
    return kept;
}

static void check_pattern(const struct edge *edges, size_t n, size_t m)
{
    struct csr csr = make_csr(n, false, edges, m);
    uint64_t *pair = malloc((2 * m + 1) * sizeof *pair);
    const size_t count = list_pairs(pair, edges, m);
    for (int threads = 1; threads <= 5; threads += 2) {
        struct apsp_error error = {0};
        struct pattern pattern;
        assert_int_equal(pattern_make(&pattern, &csr, threads, &error), APSP_OK);
        assert_int_equal(pattern.start[0], 0);
        assert_int_equal(pattern.start[n], count);
        for (size_t v = 0; v < n; v++)
            for (size_t e = pattern.start[v]; e < pattern.start[v + 1]; e++)
                assert_true(pair[e] == ((uint64_t)v << 32 | pattern.to[e]));
        pattern_free(&pattern);
    }
    free(pair);
    csr_free(&csr);
}

/* Near vertices, most of them two ways; some edges twice, loops, and hubs with long lists, out,
 * in, or both. */
static size_t draw_edges(struct edge *edges, uint32_t n, uint32_t trial)
{
    const uint32_t most = draw(n < VERTICES ? 4 * n : EDGES / 3) + 1, hubs = trial % 4;
    size_t m = 0;
    for (uint32_t i = 0; i < most; i++) {
        const uint32_t from = draw(n), to = (from + draw(n < 9 ? n : 9)) % n, hub = draw(hubs + 1);
        edges[m++] = (struct edge){.from = from, .to = to, .weight.whole = 1};
        if (draw(8) > 0)
            edges[m++] = (struct edge){.from = to, .to = from, .weight.whole = 1};
        if (hub > 0)
            edges[m++] = hub % 2 ? (struct edge){.from = hub % n, .to = from, .weight.whole = 1}
                                 : (struct edge){.from = from, .to = hub % n, .weight.whole = 1};
    }
    return m;
}

static void random_graphs(void **unused)
{
    struct edge *edges = malloc(EDGES * sizeof *edges);
    (void)unused;
    for (uint32_t trial = 0; trial < 200; trial++) {
        const uint32_t n = trial % 20 == 19 ? VERTICES : 1 + draw(trial % 2 ? 300 : 12);
        check_pattern(edges, n, draw_edges(edges, n, trial));
    }
    free(edges);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_graphs)};
    return cmocka_run_group_tests_name("pattern", tests, NULL, NULL) != 0;
}
