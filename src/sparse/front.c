/*
 * Small fronts take the steps one by one. Large ones are blocked, with P for the node's own
 * vertices: P closed, then rows P (x) row, then columns col (x) P, then the rest by their product,
 * nearly all of the work. Here the rows that go into that product are those from before they were
 * closed: the columns bring P along.
 */
#include "sparse/front.h"

#include "base/mem.h"
#include "base/minmax.h"
#include "base/stop.h"

enum { SMALL = 128, ROW_BLOCKS = 16, COLUMN_BLOCKS = 12 }; /* of a tile of the product */

struct work {
    const struct front *front;
    const struct relax_kernels *kernels;
    size_t bytes;               /* of a value */
    size_t rest;                /* rows, and columns, of the boundary */
    size_t row_blocks, columns; /* blocks of operands over it */
    char *own_a, *own_b;        /* P as either operand */
    char *column_a, *row_b;     /* the panels */
};

static size_t blocks_over(size_t count, size_t each)
{
    return (count + each - 1) / each;
}

static size_t front_layout(struct work *work, void *base)
{
    struct mem_layout layout = {.base = base};
    const struct relax_kernels *kernels = work->kernels;
    size_t own = work->front->own;
    work->own_a =
        mem_place(&layout, blocks_over(own, kernels->mr) * kernels->mr * own, kernels->a_bytes);
    work->own_b =
        mem_place(&layout, blocks_over(own, kernels->nr) * kernels->nr * own, work->bytes);
    work->column_a = mem_place(&layout, work->row_blocks * kernels->mr * own, kernels->a_bytes);
    work->row_b = mem_place(&layout, work->columns * kernels->nr * own, work->bytes);
    return layout.bytes;
}

static char *front_entry(const struct work *work, size_t row, size_t column)
{
    return (char *)work->front->values + (row * work->front->ld + column) * work->bytes;
}

static void close_own(const struct work *work)
{
    const struct relax_kernels *kernels = work->kernels;
    size_t own = work->front->own, ld = work->front->ld;
    kernels->through(work->front->values, own, own, ld);
    for (size_t i = 0; i < own; i += kernels->mr)
        kernels->pack_a(work->own_a + i * own * kernels->a_bytes, front_entry(work, i, 0), ld,
                        size_min(kernels->mr, own - i), own);
    for (size_t j = 0; j < own; j += kernels->nr)
        kernels->pack_b(work->own_b + j * own * work->bytes, front_entry(work, 0, j), ld, own,
                        size_min(kernels->nr, own - j));
}

static struct relax_product product_of(const struct work *work, void *c, const void *a,
                                       const void *b)
{
    size_t own = work->front->own;
    struct relax_product product = {
        c, a, b, work->front->ld, work->kernels->mr * own, work->kernels->nr * own, own};
    return product;
}

static void close_row_block(const struct work *work, size_t block)
{
    const struct relax_kernels *kernels = work->kernels;
    size_t own = work->front->own, at = block * kernels->nr,
           columns = size_min(kernels->nr, work->rest - at);
    char *row = front_entry(work, 0, own + at), *packed = work->row_b + at * own * work->bytes;
    struct relax_product product = product_of(work, row, work->own_a, packed);
    kernels->pack_b(packed, row, work->front->ld, own, columns);
    kernels->relax(&product, (struct range){0, own}, (struct range){0, columns});
}

static void close_column_block(const struct work *work, size_t block)
{
    const struct relax_kernels *kernels = work->kernels;
    size_t own = work->front->own, at = block * kernels->mr,
           rows = size_min(kernels->mr, work->rest - at);
    char *column = front_entry(work, own + at, 0),
         *packed = work->column_a + at * own * kernels->a_bytes;
    struct relax_product product = product_of(work, column, packed, work->own_b);
    kernels->pack_a(packed, column, work->front->ld, rows, own);
    kernels->relax(&product, (struct range){0, rows}, (struct range){0, own});
    kernels->pack_a(packed, column, work->front->ld, rows, own);
}

static void relax_tile(const struct work *work, size_t tile_row, size_t tile_column)
{
    size_t own = work->front->own, height = ROW_BLOCKS * work->kernels->mr,
           width = COLUMN_BLOCKS * work->kernels->nr;
    struct range rows = {tile_row * height, size_min((tile_row + 1) * height, work->rest)},
                 columns = {tile_column * width, size_min((tile_column + 1) * width, work->rest)};
    if (stop_wanted())
        return;
    struct relax_product product =
        product_of(work, front_entry(work, own, own), work->column_a, work->row_b);
    work->kernels->relax(&product, rows, columns);
}

/* Each has so much to do that its start and the barriers take little of its time. */
static int worthwhile(const struct front *front, int threads)
{
    const double each = 1e6; /* relaxations */
    double most = (double)front->size * (double)front->size * (double)front->own / each;
    return most >= threads ? threads : most >= 1 ? (int)most : 1;
}

static void eliminate_blocked(const struct work *work, int threads)
{
    size_t rows = blocks_over(work->row_blocks, ROW_BLOCKS),
           columns = blocks_over(work->columns, COLUMN_BLOCKS);
    close_own(work);
#pragma omp parallel num_threads(threads) if (threads > 1)
    {
#pragma omp for schedule(dynamic, 4) nowait
        for (size_t block = 0; block < work->columns; block++)
            close_row_block(work, block);
#pragma omp for schedule(dynamic, 4)
        for (size_t block = 0; block < work->row_blocks; block++)
            close_column_block(work, block);
#pragma omp for collapse(2) schedule(dynamic, 1)
        for (size_t i = 0; i < rows; i++)
            for (size_t j = 0; j < columns; j++)
                relax_tile(work, i, j);
    }
}

size_t front_ld(size_t size, const struct relax_kernels *kernels)
{
    return blocks_over(size, kernels->nr) * kernels->nr;
}

size_t front_bytes(size_t size, const struct relax_kernels *kernels, enum dtype dtype)
{
    size_t count;
    mem_mul(&count, size, front_ld(size, kernels));
    mem_add(&count, count, kernels->nr);
    return mem_bytes(count, dtype_info[dtype].bytes);
}

static struct work work_of(const struct front *front, const struct relax_kernels *kernels,
                           enum dtype dtype)
{
    size_t rest = front->size - front->own;
    struct work work = {.front = front,
                        .kernels = kernels,
                        .bytes = dtype_info[dtype].bytes,
                        .rest = rest,
                        .row_blocks = blocks_over(rest, kernels->mr),
                        .columns = blocks_over(rest, kernels->nr)};
    return work;
}

size_t front_need(size_t own, size_t size, const struct relax_kernels *kernels, enum dtype dtype)
{
    struct front front = {.own = own, .size = size};
    struct work work = work_of(&front, kernels, dtype);
    return size <= SMALL ? 0 : front_layout(&work, NULL);
}

bool front_eliminate(const struct front *front, const struct relax_kernels *kernels,
                     enum dtype dtype, int threads)
{
    struct work work = work_of(front, kernels, dtype);
    if (front->size <= SMALL) {
        kernels->through(front->values, front->own, front->size, front->ld);
        return true;
    }
    void *memory = mem_alloc(front_layout(&work, NULL));
    if (!memory)
        return false;
    front_layout(&work, memory);
    eliminate_blocked(&work, worthwhile(front, threads));
    mem_free(memory);
    return true;
}
