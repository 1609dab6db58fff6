#include "sparse/tiles.h"

#include "base/mem.h"
#include "sparse/eliminate.h"

#include <math.h>
#include <string.h>

enum { CHUNK = 16 }; /* nodes that a thread takes at a time */

struct words {
    char *at;
    size_t bytes; /* of a word */
    enum dtype dtype;
};

static struct words words_at(void *words, enum dtype dtype)
{
    return (struct words){words, tiles_word(dtype), dtype};
}

static void put(const struct words *words, size_t where, const void *value)
{
    uint16_t narrow;
    char *to = words->at + where * words->bytes;
    if (words->dtype != DTYPE_U16) {
        memcpy(to, value, words->bytes);
        return;
    }
    memcpy(&narrow, value, sizeof narrow);
    memcpy(to, &(uint32_t){narrow * UINT32_C(0x10001)}, sizeof(uint32_t));
}

static void put_infinity(const struct words *words, size_t where)
{
    static const uint16_t u16 = INF_U16;
    static const int32_t i32 = INF_I32;
    static const int64_t i64 = INF_I64;
    static const float f32 = INFINITY;
    static const double f64 = INFINITY;
    static const void *const infinity[DTYPE_COUNT] = {[DTYPE_U16] = &u16,
                                                      [DTYPE_I32] = &i32,
                                                      [DTYPE_I64] = &i64,
                                                      [DTYPE_F32] = &f32,
                                                      [DTYPE_F64] = &f64};
    put(words, where, infinity[words->dtype]);
}

/* Where the tile of a target is: entry (i, k) of a panel becomes the word column[i] + k * pitch[i].
 */
struct column {
    size_t at, pitch;
};

static struct column column_of(size_t base, size_t target, size_t width, size_t depth)
{
    return (struct column){base + target / width * width * depth + target % width, width};
}

/* An operand of relax_rows, `rows` x depth. Its columns are given, with the place of each k; or its
 * rows are targets `done` and further ones of tiles from word `base` on. */
struct operand {
    const char *a;
    size_t rows, depth;
    const struct column *column;
    const uint32_t *place;
    size_t base, done;
};

static void unpack(const struct words *words, const struct operand *operand,
                   const struct relax_kernels *kernels)
{
    const char *a = operand->a;
    for (size_t start = 0, height; start < operand->rows; start += height) {
        height = relax_rows_height(operand->rows - start, kernels->mr);
        for (size_t k = 0; k < operand->depth; k++)
            for (size_t i = start; i < start + height; i++, a += kernels->a_bytes) {
                struct column column = operand->column ? operand->column[i]
                                                       : column_of(operand->base, operand->done + i,
                                                                   TASK_WIDEST, operand->depth);
                put(words, column.at + (operand->place ? operand->place[k] : k) * column.pitch, a);
            }
    }
}

/* What a tile has beyond its targets is like the last of them. */
static void repeat_last(const struct words *words, const struct task *task, size_t depth)
{
    char *row = words->at + (size_t)task->panel * TASK_UNIT * words->bytes;
    for (size_t k = 0; k < depth; k++, row += task->width * words->bytes)
        for (size_t i = task->targets; i < task->width; i++)
            memcpy(row + i * words->bytes, row + (task->targets - 1) * words->bytes, words->bytes);
}

/* The tiles of one node, whose first task this is. */
static void fill_down(const struct words *words, const struct tasks *tasks, const struct task *task,
                      const struct panels *panels)
{
    const struct tree_node *node = &panels->down.node[task->node];
    const struct task *end = task;
    struct column column[NODE_MAX];
    for (size_t made = 0; made < node->size; made += end++->targets)
        for (size_t i = 0; i < end->targets; i++)
            column[made + i] = (struct column){(size_t)end->panel * TASK_UNIT + i, end->width};
    const struct operand operand = {.a = panels_down(panels, task->node),
                                    .rows = node->size,
                                    .depth = node->count,
                                    .column = column,
                                    .place = tasks->place + node->boundary};
    unpack(words, &operand, panels->kernels);
    for (; task < end; task++)
        repeat_last(words, task, node->count);
}

static void fill_core(const struct words *words, const struct task *task,
                      const struct panels *panels)
{
    size_t size = panels->tree->core.size, first = task->first - (panels->tree->n - size);
    size_t bytes = dtype_info[panels->dtype].bytes;
    for (size_t k = 0; k < size; k++)
        for (size_t i = 0; i < task->targets; i++)
            put(words, (size_t)task->panel * TASK_UNIT + k * task->width + i,
                (const char *)panels_core(panels, k) + (first + i) * bytes);
    repeat_last(words, task, size);
}

void tiles_down(void *words, const struct tasks *tasks, const struct panels *panels, int threads)
{
    const struct words to = words_at(words, panels->dtype);
#pragma omp parallel for schedule(dynamic, CHUNK) num_threads(threads)
    for (size_t i = 0; i < tasks->count; i++)
        if (tasks->task[i].core)
            fill_core(&to, &tasks->task[i], panels);
        else if (tasks->task[i].skipped == 0)
            fill_down(&to, tasks, &tasks->task[i], panels);
}

static size_t round_up(size_t targets)
{
    return (targets + TASK_WIDEST - 1) / TASK_WIDEST * TASK_WIDEST;
}

size_t tiles_up_words(uint64_t *start, const struct tree_node *node, size_t nodes)
{
    size_t words = 0;
    for (size_t t = 0; t < nodes; t++) {
        if (start)
            start[t] = words;
        mem_add(&words, words,
                mem_bytes(round_up((size_t)node[t].size + node[t].count), node[t].size));
    }
    return words;
}

static void fill_up(const struct words *words, size_t start, const struct panels *panels, size_t t)
{
    const struct tree_node *node = &panels->up.node[t];
    size_t size = node->size, targets = size + node->count;
    struct operand inside = {.a = panels_up(panels, t), .rows = size, .depth = size, .base = start},
                   beyond = inside;
    beyond.a = inside.a + size * size * panels->kernels->a_bytes;
    beyond.rows = node->count;
    beyond.done = size;
    unpack(words, &inside, panels->kernels);
    unpack(words, &beyond, panels->kernels);
    for (size_t target = targets; target < round_up(targets); target++)
        for (size_t k = 0; k < size; k++)
            put_infinity(words, column_of(start, target, TASK_WIDEST, size).at + k * TASK_WIDEST);
}

void tiles_up(void *words, const uint64_t *start, const struct panels *panels, int threads)
{
    const struct words to = words_at(words, panels->dtype);
#pragma omp parallel for schedule(dynamic, CHUNK) num_threads(threads)
    for (size_t t = 0; t < tree_walked(panels->tree); t++)
        fill_up(&to, start[t], panels, t);
}
