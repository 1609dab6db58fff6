/* New weights on the same pattern, and orders that are kept, against a reference. */
#include "unit.h"

#include "apsp.h"
#include "graph_of.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct apsp_error error;

#define OK(call)                                                                                   \
    do {                                                                                           \
        if ((call) != APSP_OK)                                                                     \
            fail_msg("%s: %s", #call, error.text);                                                 \
    } while (0)

static const char *const methods[] = {"dense", "sparse", "sssp", NULL};

static struct apsp_graph *graph_of(const struct sample *sample)
{
    struct apsp_graph *graph;
    const struct apsp_edges edges = sample_edges(sample);
    OK(apsp_graph_edges(&graph, &edges, &error));
    return graph;
}

static struct apsp_solution *solution_of(struct apsp_graph *graph, const char *method,
                                         const struct apsp_order *order, size_t verify)
{
    struct apsp_solution *solution;
    struct apsp_options options;
    apsp_options_init(&options);
    options.method = method;
    options.order = order;
    options.verify = verify;
    options.threads = 2;
    OK(apsp_solve(graph, &options, &solution, &error));
    return solution;
}

static void check_rows(struct apsp_solution *solution, const struct sample *sample)
{
    static double values[N * N];
    const struct apsp_facts *facts = apsp_solution_facts(solution);
    OK(apsp_rows(solution, NULL, 0, values, 0, &error));
    for (size_t i = 0; i < N * N; i++)
        assert_true(entry_of(values, facts->type, i) == sample->right[i]);
}

/* A path of the new weights is as long as their distance. */
static void check_path(struct apsp_solution *solution, const struct sample *sample)
{
    for (size_t v = 0; v < N; v++) {
        struct apsp_path path;
        struct apsp_distance distance;
        OK(apsp_find_path(solution, 0, v, &path, &error));
        OK(apsp_find_distance(solution, 0, v, &distance, &error));
        assert_true(distance.reachable == (sample->right[v] < INF_I64));
        assert_true(!distance.reachable || distance.whole == sample->right[v]);
        assert_true(distance.reachable == (path.length > 0));
        apsp_path_free(&path);
    }
}

/* Weights that are small, large, and negative, one after the other. */
static void weights_in_turn(void **unused)
{
    static struct sample sample[4];
    static const int depth[4] = {0, 0, 900, 0}, factor[4] = {1, 40000, 1, 3};
    (void)unused;
    for (int k = 0; k < 4; k++) {
        sample_make(&sample[k], 0, depth[k]);
        for (size_t e = 0; e < M; e++)
            sample[k].weight32[e] *= factor[k];
        for (size_t i = 0; i < N * N; i++)
            sample[k].right[i] *= sample[k].right[i] < INF_I64 ? factor[k] : 1;
    }
    for (int m = 0; m < 4; m++) {
        struct apsp_graph *graph = graph_of(&sample[0]);
        struct apsp_solution *solution =
            solution_of(graph, methods[m], NULL, m % 2 ? APSP_VERIFY_ALL : 0);
        char method[16];
        snprintf(method, sizeof method, "%s", apsp_solution_facts(solution)->method);
        for (int k = 0; k < 4; k++) {
            struct apsp_graph *next = graph_of(&sample[k]);
            OK(apsp_update(solution, next, &error));
            apsp_graph_free(graph);
            graph = next;
            assert_string_equal(apsp_solution_facts(solution)->method, method);
            if (strcmp(method, "sparse") == 0)
                assert_non_null(strstr(apsp_solution_facts(solution)->plan, "order read"));
            assert_int_equal(apsp_solution_facts(solution)->verified, m % 2 ? N : 0);
            check_rows(solution, &sample[k]);
            check_path(solution, &sample[k]);
        }
        apsp_solution_free(solution);
        apsp_graph_free(graph);
    }
    for (int k = 0; k < 4; k++)
        free(sample[k].right);
}

/* The solution is as it was after an update that fails. */
static void failures(void **unused)
{
    static struct sample sample, wrong;
    (void)unused;
    sample_make(&sample, 0, 0);
    for (int m = 0; methods[m]; m++) {
        struct apsp_graph *graph = graph_of(&sample), *other;
        struct apsp_solution *solution = solution_of(graph, methods[m], NULL, 0);
        const struct apsp_edges few = {
            2, 1, {sample.from32, APSP_I32}, {sample.to32, APSP_I32}, {NULL, APSP_I32}};
        sample_make(&wrong, -80, 0); /* with negative cycles */
        other = graph_of(&wrong);
        assert_int_equal(apsp_update(solution, other, &error), APSP_CYCLE);
        check_path(solution, &sample);
        check_rows(solution, &sample);
        apsp_graph_free(other);
        OK(apsp_graph_edges(&other, &few, &error));
        assert_int_equal(apsp_update(solution, other, &error), APSP_INPUT);
        apsp_graph_free(other);
        assert_int_equal(apsp_update(solution, NULL, &error), APSP_USAGE);
        free(wrong.right);
        sample_make(&wrong, 0, 0);
        wrong.to32[7] = wrong.from32[7] == 40 ? 41 : 40; /* another pattern */
        other = graph_of(&wrong);
        assert_int_equal(apsp_update(solution, other, &error),
                         strcmp(methods[m], "sparse") == 0 ? APSP_INPUT : APSP_OK);
        if (strcmp(methods[m], "sparse") == 0)
            check_rows(solution, &sample);
        free(wrong.right);
        apsp_solution_free(solution);
        apsp_graph_free(other);
        apsp_graph_free(graph);
    }
    assert_int_equal(apsp_update(NULL, NULL, &error), APSP_USAGE);
    free(sample.right);
}

/* An order comes before the weights are known to have no cycle, and is the same from a file. */
static void orders(void **unused)
{
    static struct sample sample, cyclic;
    struct apsp_order *order, *loaded;
    char path[] = "/tmp/apsp-order-XXXXXX";
    (void)unused;
    close(mkstemp(path));
    sample_make(&sample, 0, 0);
    sample_make(&cyclic, -80, 0);
    struct apsp_graph *graph = graph_of(&sample), *other = graph_of(&cyclic);
    OK(apsp_order_make(&order, other, &error));
    OK(apsp_order_save(order, path, &error));
    OK(apsp_order_load(&loaded, path, &error));
    apsp_order_free(order);
    struct apsp_solution *solution = solution_of(graph, NULL, loaded, 0);
    apsp_order_free(loaded);
    assert_string_equal(apsp_solution_facts(solution)->method, "sparse");
    assert_non_null(strstr(apsp_solution_facts(solution)->plan, "order read"));
    check_rows(solution, &sample);
    OK(apsp_update(solution, graph, &error));
    check_rows(solution, &sample);
    apsp_solution_free(solution);
    apsp_graph_free(other);
    apsp_graph_free(graph);
    free(cyclic.right);
    free(sample.right);
    unlink(path);
}

/* A link stays, and no temporary file does. */
static void orders_are_staged(void **unused)
{
    static struct sample sample;
    struct apsp_order *order, *loaded;
    struct stat status;
    char folder[] = "/tmp/apsp-order-XXXXXX", path[64], link[64];
    (void)unused;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/order", folder);
    snprintf(link, sizeof link, "%s/link", folder);
    assert_int_equal(symlink("order", link), 0);
    sample_make(&sample, 0, 0);
    struct apsp_graph *graph = graph_of(&sample);
    OK(apsp_order_make(&order, graph, &error));
    OK(apsp_order_save(order, link, &error));
    OK(apsp_order_load(&loaded, path, &error));
    assert_true(lstat(link, &status) == 0 && S_ISLNK(status.st_mode));
    apsp_order_free(loaded);
    apsp_order_free(order);
    apsp_graph_free(graph);
    free(sample.right);
    unlink(link);
    unlink(path);
    assert_int_equal(rmdir(folder), 0);
}

static void wrong_orders(void **unused)
{
    static struct sample sample, other;
    struct apsp_order *order = NULL;
    struct apsp_solution *solution;
    struct apsp_options options;
    (void)unused;
    sample_make(&sample, 0, 0);
    sample_make(&other, 0, 0);
    other.to32[7] = other.from32[7] == 40 ? 41 : 40;
    struct apsp_graph *graph = graph_of(&sample), *third = graph_of(&other);
    OK(apsp_order_make(&order, third, &error));
    apsp_options_init(&options);
    options.order = order;
    assert_int_equal(apsp_solve(graph, &options, &solution, &error), APSP_INPUT);
    assert_non_null(strstr(error.text, "other edges"));
    options.method = "dense";
    assert_int_equal(apsp_solve(graph, &options, &solution, &error), APSP_USAGE);
    assert_int_equal(apsp_order_save(order, "/nowhere/order", &error), APSP_IO);
    apsp_order_free(order);
    assert_int_equal(apsp_order_load(&order, "/etc/passwd", &error), APSP_INPUT);
    assert_null(order);
    assert_int_equal(apsp_order_load(&order, "/nowhere/order", &error), APSP_IO);
    assert_int_equal(apsp_order_make(&order, NULL, &error), APSP_USAGE);
    assert_int_equal(apsp_order_save(NULL, NULL, &error), APSP_USAGE);
    apsp_order_free(NULL);
    apsp_graph_free(third);
    apsp_graph_free(graph);
    free(other.right);
    free(sample.right);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weights_in_turn), cmocka_unit_test(failures), cmocka_unit_test(orders),
        cmocka_unit_test(orders_are_staged), cmocka_unit_test(wrong_orders)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
