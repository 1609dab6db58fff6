/* The list of tasks of a walk: whatever the order in which workers do what they may, every row is
 * there when it is read, and until then. */
#include "unit.h"

#include "base/random.h"
#include "make_csr.h"
#include "sparse/eliminate.h"
#include "sparse/order.h"
#include "sparse/tasks.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 3000, CLIQUE = 110, GRID = 35 };

static uint64_t state_of_random = 5;

static uint32_t draw(uint32_t low, uint32_t high)
{
    return low + random_below(&state_of_random, high - low + 1);
}

/* What a row holds, and which tasks have to do with it. */
struct row {
    uint32_t position, written, read; /* the last task that reads it, plus one */
};

/* A task must have all that it reads from tasks before its need, and must not write over what a
 * task that may still be under way reads. */
static void check_reads(const struct tree *tree, const struct tasks *tasks, uint32_t number,
                        struct row *near, struct row *far, size_t row_bytes)
{
    const struct task *task = &tasks->task[number];
    const struct tree_node *node = &tree->node[task->node];
    bool seen[MOST] = {false};
    assert_int_equal(task->near + task->far, node->count);
    assert_true(task->list % 2 == 0 && task->far_list % 2 == 0);
    for (uint32_t i = 0; i < node->count; i++) {
        uint32_t k = tasks->place[node->boundary + i];
        assert_true(k < node->count && !seen[k]);
        seen[k] = true;
        uint32_t at = k < task->near ? task->list + k : task->far_list + k - task->near;
        struct row *row = (k < task->near ? near : far) + tasks->list[at] / row_bytes;
        assert_int_equal(row->position, tree_boundary(tree, task->node)[i]);
        assert_true(row->written < task->need);
        row->read = number + 1;
    }
}

/* Of `count` entries, and those that may be read beyond the last. */
static void check_pad(const struct tasks *tasks, uint32_t list, uint32_t count)
{
    for (uint32_t i = count; count > 0 && i < count + TASK_LIST_PAD; i++)
        assert_int_equal(tasks->list[list + i], tasks->list[list + count - 1]);
}

static void check_writes(const struct tasks *tasks, uint32_t i, struct row *near, struct row *far)
{
    const struct task *task = &tasks->task[i];
    uint32_t written = task->store == TASK_NEAR ? task->width : task->targets;
    for (uint32_t j = 0; j < written && task->store != TASK_NONE; j++) {
        uint32_t block = task->block[j / TASK_UNIT];
        struct row *row = task->store == TASK_NEAR ? near + block * TASK_UNIT + j % TASK_UNIT
                                                   : far + task->store + j;
        assert_true(row->read <= task->need &&
                    (row->position == TASK_NONE || row->written < task->need));
        *row = (struct row){task->first + j, i, 0};
    }
}

static void check_tasks(const struct tree *tree, const struct tasks *tasks,
                        const struct tasks_shape *shape)
{
    struct row *near = malloc((shape->rows + tasks->far) * sizeof *near), *far = near + shape->rows;
    size_t made = 0, words = 0;
    memset(near, 0xff, (shape->rows + tasks->far) * sizeof *near);
    for (size_t r = 0; r < shape->rows + tasks->far; r++)
        near[r].read = 0;
    for (uint32_t i = 0; i < tasks->count; i++) {
        const struct task *task = &tasks->task[i];
        const struct tree_node *node = &tree->node[task->node];
        assert_true(task->need <= i && task->targets <= task->width && task->width <= TASK_WIDEST);
        assert_int_equal(task->core, task->node == tree_walked(tree));
        assert_true((task->core || task->first == node->first + task->skipped) &&
                    task->first >= node->first &&
                    task->first + task->targets <= node->first + node->size);
        assert_int_equal(task->end, node->first + node->size);
        assert_int_equal(task->low, tree->node[task->node + 1 - node->below].first);
        assert_int_equal(task->panel * (size_t)TASK_UNIT, words);
        assert_true(node->below == 1 || task->store != TASK_NONE);
        check_pad(tasks, task->list, task->near);
        check_pad(tasks, task->far_list, task->far);
        check_reads(tree, tasks, i, near, far, shape->row_bytes);
        check_writes(tasks, i, near, far);
        made += task->targets;
        words += (size_t)task->width * (task->core ? node->size : node->count);
    }
    assert_true(made == tree->n && words == tasks->words);
    struct tasks_bounds bounds = tasks_bounds(tree, shape);
    assert_true(bounds.words == words && bounds.tasks == tasks->count &&
                bounds.listed >= tasks->listed);
    free(near);
}

/* The tasks of neighbouring trees are those of their nodes, and no others. */
static void check_trees(const struct tree *tree, const struct tasks *tasks)
{
    for (size_t first = 0, last; first < tree->nodes; first = last + 1) {
        for (last = first; tree->node[last].parent != NO_NODE; last++)
            ;
        const size_t hi = draw(0, 1) ? last + 1 : tree->nodes;
        const struct range found = tasks_of_trees(tasks, (struct range){first, hi});
        assert_true(found.lo < found.hi && found.hi <= tasks->count);
        for (size_t i = 0; i < tasks->count; i++)
            assert_true((i >= found.lo && i < found.hi) ==
                        (tasks->task[i].node >= first && tasks->task[i].node < hi));
    }
}

/* What a task brings near is of the task so many further on. */
static void check_ahead(const struct tasks *tasks, size_t ahead)
{
    for (size_t i = 0; i < tasks->count; i++) {
        const struct task *task = &tasks->task[i], *later = task + ahead;
        if (i + ahead >= tasks->count) {
            assert_int_equal(task->ahead.words, 0);
            continue;
        }
        assert_true(task->ahead.panel == later->panel && task->ahead.list == later->list);
        assert_int_equal(task->ahead.words, (later->near + later->far) * later->width);
    }
}

static size_t draw_edges(struct edge *edges, size_t n, uint32_t trial)
{
    uint32_t reach = trial % 3 == 0 ? (uint32_t)n : draw(2, 9);
    size_t m = 0;
    for (; m < n * (1 + trial % 2 * 2); m++) {
        uint32_t v = draw(0, (uint32_t)n - 1);
        edges[m] = (struct edge){v, (v + (m % 3 ? draw(0, reach) : 17)) % (uint32_t)n, {1}};
    }
    return m;
}

/* A clique, which becomes a core with nothing below it, beside a grid, which has less than that of
 * boundary.
 */
static size_t draw_beside(struct edge *edges)
{
    size_t m = 0;
    for (uint32_t u = 0; u < CLIQUE; u++)
        for (uint32_t v = u + 1; v < CLIQUE; v++)
            edges[m++] = (struct edge){u, v, {1}};
    for (uint32_t v = 0; v < GRID * GRID; v++) {
        if (v % GRID + 1 < GRID)
            edges[m++] = (struct edge){CLIQUE + v, CLIQUE + v + 1, {1}};
        if (v + GRID < GRID * GRID)
            edges[m++] = (struct edge){CLIQUE + v, CLIQUE + v + GRID, {1}};
    }
    return m;
}

static void random_trees(void **unused)
{
    static struct edge edges[4 * MOST];
    (void)unused;
    for (uint32_t trial = 0; trial < 60; trial++) {
        struct apsp_error error = {0};
        struct csr csr, transposed;
        struct pattern pattern;
        struct tree tree;
        bool beside = trial % 10 == 9;
        size_t n = beside ? CLIQUE + GRID * GRID : draw(1, trial % 4 ? 300 : MOST), far;
        size_t m = beside ? draw_beside(edges) : draw_edges(edges, n, trial);
        uint32_t *order = malloc((n + 1) * sizeof *order);
        csr = make_csr(n, false, edges, m);
        assert_int_equal(csr_transpose(&transposed, &csr, &error), APSP_OK);
        assert_int_equal(pattern_make(&pattern, &csr, 2, &error), APSP_OK);
        struct progress progress = {.steps = n};
        const struct order_way way = {1, 2, &progress};
        assert_int_equal(order_make(order, &pattern, &way, &error), APSP_OK);
        size_t kappa = beside ? 80 : trial % 3 ? SIZE_MAX - 1 : trial % 2 ? 0 : 3;
        const struct core_request request = {n, 64, 1, kappa, core_cost_on_host};
        assert_int_equal(tree_make(&tree, &pattern, order, &request, 2, &error), APSP_OK);
        const struct panels_way all = {NULL, tree.node, tree.boundary, NULL};
        for (uint32_t rows = 130; rows < 1000; rows += 290) {
            const struct tasks_shape shape = {
                rows,           256,       trial % 2 ? rows / 4 + 64 : rows / 2,
                1 << trial % 6, trial % 5, {8 << trial % 2, 8 << trial / 2 % 2}};
            struct tasks tasks;
            assert_int_equal(tasks_make(&tasks, &tree, &all, &shape, &error), APSP_OK);
            check_tasks(&tree, &tasks, &shape);
            check_trees(&tree, &tasks);
            check_ahead(&tasks, shape.ahead);
            assert_int_equal(tasks_far(&far, &tree, &shape, &error), APSP_OK);
            assert_int_equal(far, tasks.far);
            tasks_free(&tasks);
        }
        tree_free(&tree);
        free(order);
        pattern_free(&pattern);
        csr_free(&transposed);
        csr_free(&csr);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_trees)};
    if (!order_possible())
        return 77;
    return cmocka_run_group_tests_name("tasks", tests, NULL, NULL) != 0;
}
