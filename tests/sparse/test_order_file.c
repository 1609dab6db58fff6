/* Files of orders: as they were, and what is refused. */
#include "unit.h"

#include "folder.h"
#include "make_grid.h"
#include "sparse/order_file.h"

#include <string.h>

enum { SMALL = 3, VERTICES = SMALL * SMALL, HEAD = 24, BYTES = HEAD + 4 * VERTICES };

static char *path_of_file(void)
{
    static char path[sizeof folder + 10];
    snprintf(path, sizeof path, "%s/order", folder);
    return path;
}

static int read_bytes(uint32_t *vertex, const void *content, size_t bytes,
                      const struct pattern *pattern, struct apsp_error *error)
{
    FILE *file = fopen(path_of_file(), "w");
    assert_non_null(file);
    assert_int_equal(fwrite(content, 1, bytes, file), bytes);
    assert_int_equal(fclose(file), 0);
    *error = (struct apsp_error){0};
    return order_file_read(vertex, path_of_file(), pattern, error);
}

static void is_no_order(const void *content, size_t bytes, const struct pattern *pattern,
                        const char *text)
{
    uint32_t vertex[VERTICES];
    struct apsp_error error;
    assert_int_equal(read_bytes(vertex, content, bytes, pattern, &error), APSP_INPUT);
    assert_true(strncmp(error.text, path_of_file(), strlen(path_of_file())) == 0);
    assert_null(strchr(error.text, '\n'));
    if (!strstr(error.text, text))
        fail_msg("'%s' is not in: %s", text, error.text);
}

/* The file of 3 x 3 vertices in the order 8, 7 .. 0; as it was when the format was made. */
static const unsigned char known[BYTES] = {
    'a',  'p',  's',  'p',  'o', 'r', 'd', 'e', 1, 0, 0, 0, 9, 0, 0, 0, 0x70, 0x8d, 0x7c, 0xc0,
    0xaa, 0xde, 0x90, 0x7d, 8,   0,   0,   0,   7, 0, 0, 0, 6, 0, 0, 0, 5,    0,    0,    0,
    4,    0,    0,    0,    3,   0,   0,   0,   2, 0, 0, 0, 1, 0, 0, 0, 0,    0,    0,    0};

static void files_are_what_they_were(void **state)
{
    struct pattern grid = make_grid(SMALL);
    struct apsp_error error;
    unsigned char content[BYTES];
    const uint32_t order[VERTICES] = {8, 7, 6, 5, 4, 3, 2, 1, 0};
    uint32_t vertex[VERTICES];
    (void)state;
    assert_int_equal(order_file_bytes(VERTICES), BYTES);
    order_file_fill(content, order, &grid);
    assert_memory_equal(content, known, BYTES);
    assert_int_equal(read_bytes(vertex, known, BYTES, &grid, &error), APSP_OK);
    assert_memory_equal(vertex, order, sizeof order);
    free_grid(&grid);
}

static void broken_files(void **state)
{
    struct pattern grid = make_grid(SMALL), larger = make_grid(SMALL + 1);
    unsigned char content[BYTES + 1] = {0};
    (void)state;
    for (size_t bytes = 0; bytes < BYTES; bytes++)
        is_no_order(known, bytes, &grid, "bytes");
    memcpy(content, known, BYTES);
    is_no_order(content, BYTES + 1, &grid, "bytes");
    is_no_order(known, BYTES, &larger, "9 vertices");
    for (size_t at = 0; at < BYTES; at++) {
        content[at] ^= 16;
        is_no_order(content, BYTES, &grid,
                    at < 8      ? "not an order that apsp has written"
                    : at < 12   ? "version"
                    : at < 16   ? "vertices"
                    : at < HEAD ? "other edges"
                                : "at position");
        content[at] ^= 16;
    }
    content[HEAD] = 7;
    is_no_order(content, BYTES, &grid, "vertex 7 at position 1 is listed twice");
    content[HEAD] = known[HEAD];
    content[BYTES - 4] = 8;
    is_no_order(content, BYTES, &grid, "vertex 8 at position 8 is listed twice");
    content[BYTES - 4] = known[BYTES - 4];
    content[HEAD] = 9;
    is_no_order(content, BYTES, &grid, "vertex 9 at position 0, and the last one is 8");
    free_grid(&larger);
    free_grid(&grid);
}

/* As many edges, in other places. */
static void other_patterns(void **state)
{
    struct pattern grid = make_grid(SMALL);
    (void)state;
    for (size_t e = 0; e < grid.start[grid.n]; e++) {
        grid.to[e] ^= 1;
        is_no_order(known, BYTES, &grid, "other edges");
        grid.to[e] ^= 1;
    }
    for (size_t v = 1; v < grid.n; v++) {
        grid.start[v]--;
        is_no_order(known, BYTES, &grid, "other edges");
        grid.start[v]++;
    }
    free_grid(&grid);
}

static void no_file(void **state)
{
    struct pattern grid = make_grid(SMALL);
    struct apsp_error error = {0};
    uint32_t vertex[VERTICES];
    (void)state;
    remove(path_of_file());
    assert_int_equal(order_file_read(vertex, path_of_file(), &grid, &error), APSP_IO);
    free_grid(&grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_are_what_they_were),
        cmocka_unit_test(broken_files),
        cmocka_unit_test(other_patterns),
        cmocka_unit_test(no_file),
    };
    return cmocka_run_group_tests_name("order_file", tests, make_folder, remove_folder) != 0;
}
