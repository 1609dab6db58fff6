/* Lists of vertices: their order, and memory for those alone that are in them. */
#include "unit.h"

#include "base/mem.h"
#include "folder.h"
#include "graph/names.h"
#include "rows/sources.h"

#include <string.h>

static void keeps_the_order(void **state)
{
    (void)state;
    static const uint32_t list[] = {5, 0, 3};
    struct sources sources;
    struct apsp_error error = {0};
    assert_int_equal(sources_take(&sources, list, 3, 6, "list", &error), APSP_OK);
    assert_int_equal(sources.count, 3);
    assert_memory_equal(sources.vertex, list, sizeof list);
    for (uint32_t k = 0; k < 3; k++)
        assert_int_equal(sources.place[list[k]], k + 1);
    static const size_t sorted[] = {0, 3, 5};
    assert_memory_equal(sources.sorted, sorted, sizeof sorted);
    sources_free(&sources);
}

static void refuses_a_vertex_twice(void **state)
{
    (void)state;
    static const uint32_t list[] = {0, 3, 0};
    struct sources sources;
    struct apsp_error error = {0};
    assert_int_equal(sources_take(&sources, list, 3, 6, "list", &error), APSP_USAGE);
    assert_non_null(strstr(error.text, "list[2]: vertex 0 is listed twice"));
    sources_free(&sources);
}

/* Reads the ranges, of a graph whose vertices have such numbers, and looks at every one of them. */
static void check_range(const struct graph *graph, const char *text, uint64_t from, uint64_t to)
{
    struct sources sources;
    struct apsp_error error = {0};
    struct comm *comm;
    char name[LABEL_SHOWN];
    size_t count = 0;
    assert_int_equal(comm_solo(&comm, &error), APSP_OK);
    assert_int_equal(sources_read(&sources, "--sources", text, graph, comm, &error), APSP_OK);
    for (size_t v = 0; v < graph->n; v++) {
        const uint64_t number = strtoull(label_text(graph_labels(graph), v, name), NULL, 10);
        assert_int_equal(sources.place[v] > 0, from <= number && number <= to);
        count += from <= number && number <= to;
    }
    assert_int_equal(sources.count, count);
    sources_free(&sources);
    comm_free(comm);
}

static void ranges_are_of_numbers_that_there_are(void **state)
{
    static const char list[] = "from,to\n900,3\n70,15\n15,900\n1000000,71\n3,8\n";
    struct graph graph;
    struct apsp_error error = {0};
    char path[sizeof folder + 20];
    (void)state;
    snprintf(path, sizeof path, "%s/list.csv", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(list, file) >= 0);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(graph_open(&graph, path, NULL, false, &error), APSP_OK);
    check_range(&graph, "3-1000000", 3, 1000000);
    check_range(&graph, "0-3", 0, 3);
    check_range(&graph, "9-70", 9, 70);
    check_range(&graph, "71-999", 71, 999);
    check_range(&graph, "901-2000000", 901, 2000000);
    graph_close(&graph);
}

/* The number of vertices is a header's, which may promise anything. */
static void takes_memory_for_its_vertices_alone(void **state)
{
    (void)state;
    static const uint32_t list[] = {200000000, 7};
    struct sources sources;
    struct apsp_error error = {0};
    size_t before = mem_resident();
    assert_int_equal(sources_take(&sources, list, 2, 200000001, "list", &error), APSP_OK);
    assert_in_range(mem_resident() - before, 0, 64 << 20);
    assert_int_equal(sources.sorted[1], 200000000);
    sources_free(&sources);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_the_order),
        cmocka_unit_test(refuses_a_vertex_twice),
        cmocka_unit_test(ranges_are_of_numbers_that_there_are),
        cmocka_unit_test(takes_memory_for_its_vertices_alone),
    };
    return cmocka_run_group_tests_name("sources", tests, make_folder, remove_folder) != 0;
}
