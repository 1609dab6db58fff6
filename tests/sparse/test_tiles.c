/* The core's matrix in tiles, word by word. Tiles of other nodes are read on GPUs alone. */
#include "unit.h"

#include "sparse/eliminate.h"
#include "sparse/tiles.h"

#include <string.h>

/* Vertices outside of the core and in it, and words that stay as they are behind each panel. */
enum { OUTSIDE = 5, CORE = 21, GUARD = TASK_UNIT, WORDS = 3 * (CORE * TASK_WIDEST + GUARD) };

static uint32_t words[WORDS];

static int32_t entry(size_t i, size_t j)
{
    return (int32_t)(100 * i + j);
}

/* Two values of 16 bits in a word, or one of 32. */
static uint32_t word_of(enum dtype dtype, int32_t value)
{
    return (uint32_t)value * (dtype == DTYPE_U16 ? 0x10001u : 1u);
}

/* A target beyond the last is like the last. */
static void check_tile(const struct task *task, enum dtype dtype)
{
    const uint32_t *at = words + (size_t)task->panel * TASK_UNIT;
    for (size_t k = 0; k < CORE; k++)
        for (size_t i = 0; i < task->width; i++) {
            const size_t target = i < task->targets ? i : task->targets - 1u;
            assert_int_equal(at[k * task->width + i],
                             word_of(dtype, entry(k, task->first - OUTSIDE + target)));
        }
    for (size_t i = 0; i < GUARD; i++)
        assert_int_equal(at[(size_t)CORE * task->width + i], 7);
}

static void check_type(enum dtype dtype, uint8_t width)
{
    static int32_t wide[CORE][CORE];
    static uint16_t narrow[CORE][CORE];
    const struct tree tree = {.n = OUTSIDE + CORE, .core = {.size = CORE}};
    const struct panels panels = {
        .tree = &tree,
        .dtype = dtype,
        .core = {.values = dtype == DTYPE_U16 ? (void *)narrow : wide, .ld = CORE}};
    struct task task[CORE] = {{0}};
    struct tasks tasks = {.task = task};
    uint32_t panel = 0;
    for (size_t i = 0; i < CORE; i++)
        for (size_t j = 0; j < CORE; j++)
            narrow[i][j] = (uint16_t)(wide[i][j] = entry(i, j));
    for (uint32_t made = 0; made < CORE; made += task[tasks.count++].targets) {
        const uint32_t left = CORE - made;
        task[tasks.count] = (struct task){.panel = panel,
                                          .first = OUTSIDE + made,
                                          .targets = (uint8_t)(left < width ? left : width),
                                          .width = width,
                                          .core = 1};
        panel += (uint32_t)(CORE * width + GUARD) / TASK_UNIT;
    }
    for (size_t i = 0; i < WORDS; i++)
        words[i] = 7;
    tiles_down(words, &tasks, &panels, 2);
    for (size_t i = 0; i < tasks.count; i++)
        check_tile(&task[i], dtype);
}

static void tiles_of_a_core(void **state)
{
    (void)state;
    check_type(DTYPE_I32, TASK_WIDEST);
    check_type(DTYPE_I32, TASK_UNIT);
    check_type(DTYPE_U16, TASK_WIDEST);
    check_type(DTYPE_U16, TASK_UNIT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(tiles_of_a_core)};
    return cmocka_run_group_tests_name("tiles", tests, NULL, NULL) != 0;
}
