/* Lists of vertices: their order, and memory for those alone that are in them. */
#include "unit.h"

#include "base/mem.h"
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
    assert_non_null(strstr(error.text, "list[2]: vertex 0 stands there twice"));
    sources_free(&sources);
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
        cmocka_unit_test(takes_memory_for_its_vertices_alone),
    };
    return cmocka_run_group_tests_name("sources", tests, NULL, NULL) != 0;
}
