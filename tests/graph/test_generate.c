/* generate.c and generate_file.c: the families are what they say, the same everywhere, and files
 * hold them.
 */
#include "unit.h"

#include "folder.h"
#include "graph/generate.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { EDGES_MAX = 1000000 };

static struct edge edges[EDGES_MAX], again[EDGES_MAX];

static struct generate_plan plan_of(const char *family, size_t n)
{
    return (struct generate_plan){
        .family = family, .n = n, .m = GENERATE_BY_DEGREE, .seed = 7, .low = 3, .high = 40};
}

static size_t make(struct generate_plan plan, struct edge *into, size_t room)
{
    struct generator *generator;
    struct apsp_error error = {0};
    size_t total = 0, count;
    assert_int_equal(generate_open(&generator, &plan, &error), APSP_OK);
    size_t promised = generate_total(generator);
    while ((count = generate_next(generator, into + total,
                                  total + room < EDGES_MAX ? room : EDGES_MAX - total)) > 0)
        total += count;
    generate_free(generator);
    assert_int_equal(total, promised);
    return total;
}

static bool same(const struct edge *a, const struct edge *b)
{
    return a->from == b->from && a->to == b->to && a->weight.whole == b->weight.whole;
}

/* For every family and many sizes: vertices and weights in range, the same again in other pieces.
 */
static void edges_are_in_range_and_repeat(void **state)
{
    (void)state;
    for (int f = 0; generate_family_name(f); f++) {
        const char *family = generate_family_name(f);
        assert_true(strlen(generate_family_about(f)) > 0);
        for (size_t n = 1; n < 70; n++) {
            int64_t low = strcmp(family, "zero") == 0 ? 0 : 3;
            size_t m = make(plan_of(family, n), edges, 1000);
            assert_int_equal(make(plan_of(family, n), again, 3), m);
            for (size_t i = 0; i < m; i++) {
                const struct edge *e = &edges[i];
                assert_true(same(e, &again[i]));
                assert_true(e->from < n && e->to < n);
                assert_true(e->weight.whole >= low && e->weight.whole <= 40);
                assert_true(e->from != e->to || strcmp(family, "rmat") == 0);
            }
        }
    }
    assert_null(generate_family_about(100));
}

/* Weights 0 .. 2^31 - 1 are the upper 31 bits of splitmix64; these are its published first numbers
 * for this seed. */
static void numbers_are_splitmix64(void **state)
{
    static const uint64_t published[] = {6457827717110365317U, 3203168211198807973U,
                                         9817491932198370423U, 4593380528125082431U,
                                         16408922859458223821U};
    struct generate_plan plan = plan_of("path", 6);
    (void)state;
    plan.seed = 1234567;
    plan.low = 0;
    plan.high = INT32_MAX;
    assert_int_equal(make(plan, edges, 100), 5);
    for (size_t i = 0; i < 5; i++)
        assert_int_equal(edges[i].weight.whole, published[i] >> 33);
}

static uint64_t hash_of(const char *family)
{
    size_t m = make(plan_of(family, 1000), edges, 1000);
    uint64_t hash = 14695981039346656037U; /* FNV-1a, by numbers */
    for (size_t i = 0; i < m; i++) {
        uint64_t numbers[] = {edges[i].from, edges[i].to, (uint64_t)edges[i].weight.whole};
        for (size_t k = 0; k < 3; k++)
            hash = (hash ^ numbers[k]) * 1099511628211U;
    }
    return hash;
}

/* The checksums of testcases/ stand on these: a change here is a change of every named case. */
static void graphs_never_change(void **state)
{
    static const struct {
        const char *family;
        uint64_t hash;
    } known[] = {
        {"random", 0x5d0a1e5a4b47047cU},       {"dense", 0x04a7ff38bc706685U},
        {"grid", 0x456c637e931a85c3U},         {"rmat", 0x673203646ba1bc94U},
        {"path", 0xb93269e87fd41509U},         {"star", 0x2967865259731b87U},
        {"disconnected", 0x2540bfbb4ef5e00aU}, {"zero", 0xd1c6eac95dc0740fU},
        {"lattice", 0xcee328b7d918a725U},
    };
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (hash_of(known[i].family) != known[i].hash)
            fail_msg("%s: 0x%016llx", known[i].family,
                     (unsigned long long)hash_of(known[i].family));
}

static void number_of_edges_is_as_asked(void **state)
{
    struct generate_plan plan = plan_of("random", 1000);
    (void)state;
    assert_int_equal(make(plan, edges, 999), 8000);
    plan.degree = 3;
    assert_int_equal(make(plan, edges, 999), 3000);
    plan.degree = 0;
    plan.m = 12345;
    assert_int_equal(make(plan, edges, 999), 12345);
    plan.m = 0;
    assert_int_equal(make(plan, edges, 999), 0);
}

static void check_refused(const struct generate_plan *plan, const char *word)
{
    struct generator *generator;
    struct apsp_error error = {0};
    assert_int_equal(generate_open(&generator, plan, &error), APSP_USAGE);
    assert_null(generator);
    assert_non_null(strstr(error.text, word));
    assert_null(strchr(error.text, '\n'));
}

static void impossible_plans(void **state)
{
    struct generate_plan plan = plan_of("tree", 10);
    (void)state;
    check_refused(&plan, "'tree'");
    plan.family = "dense";
    plan.m = 5;
    check_refused(&plan, "neither -d nor -m");
    plan.family = "random";
    plan.n = 1;
    check_refused(&plan, "1 vertices");
    plan.family = "disconnected";
    plan.n = 3;
    check_refused(&plan, "3 vertices");
}

static void dense_has_every_pair_once(void **state)
{
    enum { N = 37 };
    bool seen[N][N] = {{false}};
    (void)state;
    size_t m = make(plan_of("dense", N), edges, 100);
    assert_int_equal(m, N * (N - 1));
    for (size_t i = 0; i < m; i++) {
        assert_false(seen[edges[i].from][edges[i].to]);
        seen[edges[i].from][edges[i].to] = true;
    }
}

static uint32_t root_of(uint32_t *parent, uint32_t v)
{
    while (parent[v] != v)
        v = parent[v] = parent[parent[v]];
    return v;
}

/* The number of parts that the edges, taken both ways, leave n vertices in. */
static size_t count_parts(size_t n, size_t m)
{
    static uint32_t parent[1000];
    size_t parts = n;
    for (uint32_t v = 0; v < n; v++)
        parent[v] = v;
    for (size_t i = 0; i < m; i++) {
        uint32_t a = root_of(parent, edges[i].from), b = root_of(parent, edges[i].to);
        parts -= a != b;
        parent[a] = b;
    }
    return parts;
}

/* Vertices are neighbours where one of three coordinates differs by 1. */
static void cube_has_all_streets(void **state)
{
    enum { WIDTH = 5, N = WIDTH * WIDTH * WIDTH };
    static bool there[N][N];
    const size_t m = make(plan_of("cube", N), edges, 100);
    (void)state;
    assert_int_equal(m, 6 * WIDTH * WIDTH * (WIDTH - 1));
    for (size_t i = 0; i < m; i++) {
        const int a = (int)edges[i].from, b = (int)edges[i].to;
        const int far = abs(a % WIDTH - b % WIDTH) + abs(a / WIDTH % WIDTH - b / WIDTH % WIDTH) +
                        abs(a / WIDTH / WIDTH - b / WIDTH / WIDTH);
        assert_int_equal(far, 1);
        assert_false(there[a][b]);
        there[a][b] = true;
    }
    for (size_t i = 0; i < m; i++)
        assert_true(there[edges[i].to][edges[i].from]);
}

static void lattice_has_all_streets(void **state)
{
    (void)state;
    for (size_t width = 1; width < 20; width++) {
        size_t m = make(plan_of("lattice", width * width), edges, 100);
        assert_int_equal(m, 4 * width * (width - 1));
        for (size_t i = 0; i < m; i++) {
            size_t a = edges[i].from, b = edges[i].to, low = a < b ? a : b, high = a + b - low;
            assert_true(high == low + width || (high == low + 1 && high % width > 0));
        }
    }
}

static void grid_is_a_connected_road_map(void **state)
{
    (void)state;
    for (size_t n = 1; n < 300; n++) {
        size_t m = make(plan_of("grid", n), edges, 100);
        assert_int_equal(count_parts(n, m), 1);
        assert_int_equal(m % 2, 0);
        for (size_t i = 0; i < m; i += 2) {
            assert_int_equal(edges[i].from, edges[i + 1].to);
            assert_int_equal(edges[i].to, edges[i + 1].from);
            assert_int_equal(edges[i].weight.whole, edges[i + 1].weight.whole);
        }
    }
    size_t m = make(plan_of("grid", 1000), edges, 100);
    assert_in_range(m, 2200, 3400); /* of 3,870 in the full grid */
}

static void components(void **state)
{
    (void)state;
    for (size_t n = 1; n < 300; n++) {
        assert_int_equal(count_parts(n, make(plan_of("path", n), edges, 100)), 1);
        assert_int_equal(count_parts(n, make(plan_of("star", n), edges, 100)), 1);
        if (n > 1)
            assert_true(count_parts(n, make(plan_of("disconnected", n), edges, 100)) >= 2);
    }
    assert_int_equal(count_parts(999, make(plan_of("disconnected", 999), edges, 100)), 4);
}

static void zero_has_many_zero_weights(void **state)
{
    size_t zeros = 0, m = make(plan_of("zero", 1000), edges, 100);
    (void)state;
    for (size_t i = 0; i < m; i++)
        zeros += edges[i].weight.whole == 0;
    assert_in_range(zeros, m * 2 / 5, m * 3 / 5);
}

static void rmat_is_skewed(void **state)
{
    size_t first = 0, m = make(plan_of("rmat", 900), edges, 100);
    (void)state;
    for (size_t i = 0; i < m; i++)
        first += edges[i].from < 512;
    assert_true(first > m * 3 / 4);
}

static void check_file(struct generate_plan plan, const char *name)
{
    char path[100];
    double unit = 1;
    struct graph graph;
    struct apsp_error error = {0};
    size_t m = make(plan, edges, 1000), count;
    for (int i = 0; i < plan.decimals; i++)
        unit *= 10;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_int_equal(generate_file(&plan, path, true, &error), APSP_OK);
    assert_int_equal(graph_open(&graph, path, NULL, false, &error), APSP_OK);
    assert_int_equal(graph.n, 61);
    assert_int_equal(graph.m, m);
    assert_int_equal(graph.real, plan.decimals > 0);
    struct graph_part *part;
    assert_int_equal(graph_part_open(&part, &graph, 0, 1, &error), APSP_OK);
    assert_int_equal(graph_part_next(part, again, EDGES_MAX, &count, &error), APSP_OK);
    assert_int_equal(count, m);
    for (size_t i = 0; i < m; i++) {
        if (graph.real) {
            assert_true(again[i].weight.real == (double)edges[i].weight.whole / unit);
            again[i].weight.whole = edges[i].weight.whole;
        }
        assert_true(same(&edges[i], &again[i]));
    }
    graph_part_free(part);
    graph_close(&graph);
}

static void files_hold_the_graph(void **state)
{
    (void)state;
    for (int f = 0; generate_family_name(f); f++) {
        struct generate_plan plan = plan_of(generate_family_name(f), 61);
        check_file(plan, "graph.gr");
        check_file(plan, "graph.mtx");
        check_file(plan, "graph.bin");
        for (plan.decimals = 0; plan.decimals <= 9; plan.decimals += 3) {
            plan.low = -120;
            plan.potential = 0;
            check_file(plan, "graph.mtx");
            plan.low = -INT32_MAX;
            plan.high = INT32_MAX;
            check_file(plan, "graph.mtx");
            plan.low = 0;
            plan.high = 40;
            plan.potential = INT32_MAX - 40;
            check_file(plan, "graph.mtx");
        }
    }
}

/* The heights are hidden, but they cancel on every cycle: here of two edges of a street, and on a
 * loop. */
static void potentials_make_no_negative_cycle(void **state)
{
    (void)state;
    struct generate_plan plan = plan_of("grid", 400);
    size_t negative = 0, m = make(plan, again, 1000);
    plan.potential = 1000;
    assert_int_equal(make(plan, edges, 1000), m);
    for (size_t i = 0; i < m; i += 2) {
        assert_int_equal(edges[i].weight.whole + edges[i + 1].weight.whole,
                         2 * again[i].weight.whole);
        assert_in_range(edges[i].weight.whole + 1000, 3, 2040);
        negative += (edges[i].weight.whole < 0) + (edges[i + 1].weight.whole < 0);
    }
    assert_in_range(negative, m / 3, m / 2);
    plan = plan_of("rmat", 40);
    plan.potential = 1000;
    m = make(plan, edges, 1000);
    for (size_t i = 0; i < m; i++)
        if (edges[i].from == edges[i].to)
            assert_in_range(edges[i].weight.whole, 3, 40);
}

static void files_are_refused(void **state)
{
    char path[100];
    struct stat status;
    struct generate_plan plan = plan_of("dense", 60000);
    struct apsp_error error = {0};
    (void)state;
    snprintf(path, sizeof path, "%s/refused.bin", folder);
    assert_int_equal(generate_file(&plan, path, false, &error), APSP_USAGE);
    assert_non_null(strstr(error.text, "3599940000 edges"));
    assert_non_null(strstr(error.text, "2147483647"));

    plan.n = 10;
    memset(&error, 0, sizeof error);
    assert_int_equal(generate_file(&plan, path, false, &error), APSP_OK);
    assert_int_equal(generate_file(&plan, path, false, &error), APSP_USAGE);
    assert_non_null(strstr(error.text, "force replaces"));

    static const struct generate_plan special[] = {{.low = -1}, {.decimals = 1}, {.potential = 1}};
    for (size_t i = 0; i < sizeof special / sizeof *special; i++)
        for (int gr = 0; gr < 2; gr++) {
            struct generate_plan wanted = plan_of("path", 10);
            wanted.low = special[i].low;
            wanted.decimals = special[i].decimals;
            wanted.potential = special[i].potential;
            snprintf(path, sizeof path, "%s/special%s", folder, gr ? ".gr" : "");
            memset(&error, 0, sizeof error);
            assert_int_equal(generate_file(&wanted, path, false, &error), APSP_USAGE);
            assert_non_null(strstr(error.text, gr ? "format gr " : "format edges32 "));
            assert_non_null(strstr(error.text, ".mtx"));
            assert_int_not_equal(stat(path, &status), 0);
        }

    snprintf(path, sizeof path, "%s/none/refused.bin", folder);
    memset(&error, 0, sizeof error);
    assert_int_equal(generate_file(&plan, path, false, &error), APSP_IO);
    snprintf(path, sizeof path, "%s/.refused.bin.apsp-tmp", folder);
    assert_int_not_equal(stat(path, &status), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edges_are_in_range_and_repeat),
        cmocka_unit_test(numbers_are_splitmix64),
        cmocka_unit_test(graphs_never_change),
        cmocka_unit_test(number_of_edges_is_as_asked),
        cmocka_unit_test(impossible_plans),
        cmocka_unit_test(dense_has_every_pair_once),
        cmocka_unit_test(grid_is_a_connected_road_map),
        cmocka_unit_test(lattice_has_all_streets),
        cmocka_unit_test(cube_has_all_streets),
        cmocka_unit_test(components),
        cmocka_unit_test(zero_has_many_zero_weights),
        cmocka_unit_test(rmat_is_skewed),
        cmocka_unit_test(files_hold_the_graph),
        cmocka_unit_test(potentials_make_no_negative_cycle),
        cmocka_unit_test(files_are_refused),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
