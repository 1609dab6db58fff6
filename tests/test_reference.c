/* reference.c: Dijkstra's algorithm against Bellman and Ford's, on random multigraphs with loops
 * and zero weights. */
#include "unit.h"

#include "base/dtype.h"
#include "reference.h"

#include <stdlib.h>
#include <string.h>

static void dijkstra_agrees_with_bellman_ford(void **state)
{
    (void)state;
    srandom(1);
    for (size_t n = 1; n <= 40; n++) {
        for (size_t m = 0; m <= 4 * n; m += n) {
            struct edge edges[160];
            for (size_t e = 0; e < m; e++)
                edges[e] = (struct edge){(uint32_t)random() % (uint32_t)n,
                                         (uint32_t)random() % (uint32_t)n,
                                         {random() % 9}};
            int32_t *one = reference_dijkstra(n, edges, m),
                    *two = reference_bellman_ford(n, edges, m);
            assert_non_null(one);
            assert_non_null(two);
            assert_memory_equal(one, two, n * n * sizeof *one);
            free(one);
            free(two);
        }
    }
}

static void known_distances(void **state)
{
    static const struct edge edges[] = {{0, 1, {5}}, {0, 1, {3}}, {1, 2, {0}},
                                        {2, 2, {1}}, {2, 0, {4}}, {3, 0, {INF_I32 - 4}}};
    static const int32_t right[] = {0,           3,           3,           INF_I32, 4, 0,
                                    0,           INF_I32,     4,           7,       0, INF_I32,
                                    INF_I32 - 4, INF_I32 - 1, INF_I32 - 1, 0};
    (void)state;
    int32_t *distances = reference_dijkstra(4, edges, sizeof edges / sizeof edges[0]);
    assert_non_null(distances);
    assert_memory_equal(distances, right, sizeof right);
    free(distances);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dijkstra_agrees_with_bellman_ford),
        cmocka_unit_test(known_distances),
    };
    return cmocka_run_group_tests_name("reference", tests, NULL, NULL) != 0;
}
