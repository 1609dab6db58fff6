/* Probes of graphs on which most sources come to nothing: they tell of the others. */
#include "unit.h"

#include "base/random.h"
#include "make_csr.h"
#include "sssp/depth.h"
#include "sssp/probe.h"
#include "sssp/reach.h"

static const struct device cores = {.ops = &device_cpu};

/* Vertices of a ring, each with arcs to leaves, from which no arc leads or one to the ring. In the
 * ring's order a pass of labels would go all around, so arcs lead back. */
enum { RING = 6000, N = 16000, EACH = 16, RATE = 1000000000 };

struct sample {
    struct comm *comm;
    struct csr csr;
    struct engine_task task;
    struct searcher_case its;
    struct network_weights weights;
    struct network network, forward;
};

static void make_sample(struct sample *sample, bool ring, bool returns, uint32_t heaviest)
{
    struct apsp_error error = {0};
    struct edge *edge = calloc(RING * (EACH + 1) + N, sizeof *edge);
    uint64_t state = 1;
    size_t m = 0;
    assert_non_null(edge);
    for (uint32_t u = 0; u < (ring ? RING : 1); u++) {
        edge[m++] = (struct edge){u, (u + RING - 1) % RING, {0}};
        for (uint32_t k = 0; k < EACH; k++)
            edge[m++] = (struct edge){u, RING + (EACH * u + k) % (N - RING), {0}};
    }
    for (uint32_t v = RING; returns && v < N; v++)
        edge[m++] = (struct edge){v, v % RING, {0}};
    for (size_t e = 0; e < m; e++)
        edge[e].weight.whole = 1 + random_below(&state, heaviest);
    *sample = (struct sample){.csr = make_csr(N, false, edge, m)};
    assert_int_equal(comm_solo(&sample->comm, &error), APSP_OK);
    sample->task = (struct engine_task){.device = &cores,
                                        .comm = sample->comm,
                                        .n = N,
                                        .m = m,
                                        .threads = 1,
                                        .dtype = DTYPE_I32,
                                        .output = DTYPE_I32,
                                        .csr = &sample->csr};
    sample->weights = network_weights(&sample->task);
    sample->its =
        (struct searcher_case){.task = &sample->task, .weights = &sample->weights, .sources = N};
    assert_int_equal(network_make(&sample->network, &sample->task, &sample->weights, &error),
                     APSP_OK);
    assert_int_equal(network_forward(&sample->forward, &sample->task, &sample->weights, &error),
                     APSP_OK);
    free(edge);
}

static void free_sample(struct sample *sample)
{
    network_free(&sample->forward);
    network_free(&sample->network);
    csr_free(&sample->csr);
    comm_free(sample->comm);
}

static uint32_t vertex_at(const struct sample *sample, size_t place)
{
    return sample->network.vertex[sample->network.order[place]];
}

static void look(struct reach *reach, const struct sample *sample)
{
    struct apsp_error error = {0};
    assert_int_equal(reach_look(reach, &sample->network, &sample->csr, &error), APSP_OK);
}

static void reach_is_right(void **state)
{
    struct sample sample;
    struct reach reach;
    (void)state;
    make_sample(&sample, true, false, 1);
    look(&reach, &sample);
    assert_true(vertex_at(&sample, N / 2) >= RING);
    for (size_t k = 0; k < reach.count; k++)
        assert_true(vertex_at(&sample, reach.place[k]) < RING);
    assert_true(fabs(reach.part - (double)RING / N) < 0.02);
    free_sample(&sample);

    /* Where all come to many, or none does, they are alike. */
    for (int ring = 0; ring < 2; ring++) {
        make_sample(&sample, ring, ring, 1);
        look(&reach, &sample);
        assert_int_equal(reach.count, REACH_PLACES);
        assert_int_equal(reach.place[0], N / 2);
        assert_true(reach.part == 1);
        free_sample(&sample);
    }
}

/* Searches side by side take too many passes. A source that comes to all vertices takes a
 * nanosecond for each at the very least. */
static void probes_are_of_many(void **state)
{
    (void)state;
    for (uint32_t heaviest = 1; heaviest <= 10; heaviest += 9) {
        struct sample sample;
        struct probe probe;
        struct apsp_error error = {0};
        make_sample(&sample, true, false, heaviest);
        const struct network none = {0}, *forward = heaviest > 1 ? &sample.forward : &none;
        assert_int_equal(probe_run(&probe, &sample.its, RATE, &sample.network, forward, &error),
                         APSP_OK);
        assert_int_equal(probe.alone, heaviest > 1);
        assert_true(probe.seconds > 1e-9 * N);
        free_sample(&sample);
    }
}

static size_t look_deep(struct csr *csr)
{
    const struct engine_task task = {.n = csr->n, .m = csr->m, .csr = csr};
    const struct network_weights weights = network_weights(&task);
    struct apsp_error error = {0};
    struct network network;
    assert_int_equal(network_make(&network, &task, &weights, &error), APSP_OK);
    const size_t levels = depth_look(&network, csr);
    network_free(&network);
    csr_free(csr);
    return levels;
}

/* Searches see the longest path of a random tree, and that of vertices in a line, from which no arc
 * leads back. */
static void levels_are_found(void **state)
{
    enum { TREE = 500, STAR = TREE / 20 };
    struct edge edge[2 * TREE];
    size_t depth[TREE][TREE], longest = 0;
    uint64_t random = 7;
    (void)state;
    depth[0][0] = 0;
    for (uint32_t v = 1; v < TREE; v++) {
        const uint32_t u = v > 20 ? v - 1 - (uint32_t)random_below(&random, 20) : 0;
        edge[2 * v - 2] = (struct edge){u, v, {1}};
        edge[2 * v - 1] = (struct edge){v, u, {1}};
        depth[v][v] = 0;
        for (uint32_t w = 0; w < v; w++) {
            depth[v][w] = depth[w][v] = depth[u][w] + 1;
            longest = depth[v][w] > longest ? depth[v][w] : longest;
        }
    }
    struct csr csr = make_csr(TREE, false, edge, 2 * TREE - 2);
    assert_true(longest > 20);
    assert_int_equal(look_deep(&csr), longest);
    for (uint32_t v = 1; v < TREE; v++)
        edge[v - 1] = (struct edge){v - 1, v, {1}};
    csr = make_csr(TREE, false, edge, TREE - 1);
    assert_int_equal(look_deep(&csr), TREE - 1);
    /* The vertex of highest degree is that of a star, beside a longer line: nothing is known. */
    size_t m = 0;
    for (uint32_t v = 1; v < TREE; v++)
        if (v != STAR)
            edge[m++] = (struct edge){v < STAR ? 0 : v - 1, v, {1}};
    csr = make_csr(TREE, false, edge, m);
    assert_int_equal(look_deep(&csr), 0);
}

static double least_alone(const struct sample *sample)
{
    struct apsp_error error = {0};
    double least = INFINITY;
    for (int k = 0; k < 5; k++) {
        double seconds;
        assert_int_equal(probe_alone(&seconds, &sample->its, &sample->forward, &error), APSP_OK);
        least = fmin(least, seconds);
    }
    return least;
}

/* Searches from the ring take about as long on both graphs. */
static void others_take_no_time(void **state)
{
    struct sample few, all;
    (void)state;
    make_sample(&few, true, false, 10);
    make_sample(&all, true, true, 10);
    assert_true(least_alone(&few) < 0.7 * least_alone(&all));
    free_sample(&few);
    free_sample(&all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reach_is_right), cmocka_unit_test(probes_are_of_many),
        cmocka_unit_test(levels_are_found), cmocka_unit_test(others_take_no_time)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
