#include "sparse/order.h"

#include "base/mem.h"
#include "sparse/dissect.h"
#include "sparse/peel.h"

#include <string.h>

/* Measured, docs/results.md. */
enum {
    METIS_BYTES = 50,      /* METIS takes so many for each vertex and each entry of the lists. */
    WORKER_BYTES = 1 << 20 /* Each worker process takes so many more. */
};

/* Counts the pattern after peeling, its names, places, labels and numbers in a coarse graph, and
 * the memory of METIS. Peeling and the coarse graph come before METIS and take less. */
size_t order_need(size_t n, size_t neighbours, int workers)
{
    size_t all;
    mem_add(&all, n, neighbours);
    all = mem_bytes(all, METIS_BYTES + sizeof(uint32_t));
    mem_add(&all, all, mem_bytes(n, sizeof(size_t) + 3 * sizeof(uint32_t) + sizeof(uint8_t)));
    mem_add(&all, all, mem_bytes((size_t)workers, WORKER_BYTES));
    return all;
}

#ifdef APSP_METIS
bool order_possible(void)
{
    return true;
}

/* While vertices that were peeled are brought to those that are eliminated after them. */
struct joining {
    const struct peel *peel;
    const uint32_t *vertex; /* peeled ones, then the others, in the order of the rest */
    size_t n;
    uint32_t *rank;  /* of each vertex there */
    uint32_t *until; /* The first of the rest that is above each peeled one. */
    size_t *begin;   /* Where each of the rest and those below it come. */
};

static void find_ends(const struct joining *joining)
{
    const struct peel *peel = joining->peel;
    for (size_t k = peel->count; k-- > 0;) {
        const uint32_t *next = peel->next[k];
        const uint32_t a = next[0] == PEEL_NONE ? UINT32_MAX : joining->rank[next[0]];
        const uint32_t b = next[1] == PEEL_NONE ? UINT32_MAX : joining->rank[next[1]];
        const uint32_t up = a < b ? a : b;
        joining->until[k] = up == UINT32_MAX   ? 0
                            : up < peel->count ? joining->until[up]
                                               : up - (uint32_t)peel->count;
    }
}

/* Fills order[], with the vertices of each subtree side by side. */
static void join_orders(uint32_t *order, const struct joining *joining)
{
    const size_t count = joining->peel->count, rest = joining->n - count;
    size_t *begin = joining->begin;
    for (size_t i = 0; i < joining->n; i++)
        joining->rank[joining->vertex[i]] = (uint32_t)i;
    find_ends(joining);
    for (size_t k = 0; k < count; k++)
        begin[joining->until[k] + 1]++;
    for (size_t i = 0; i < rest; i++)
        begin[i + 1] += begin[i] + 1;
    for (size_t k = 0; k < count; k++)
        order[begin[joining->until[k]]++] = joining->vertex[k];
    for (size_t i = 0; i < rest; i++)
        order[begin[i]] = joining->vertex[count + i];
}

static int join(uint32_t *vertex, const struct peel *peel, struct apsp_error *error)
{
    struct joining joining = {.peel = peel, .n = peel->count + peel->rest.n};
    const size_t n = joining.n;
    uint32_t *memory = mem_alloc(mem_bytes(n, 3 * sizeof *memory));
    joining.begin = mem_alloc(mem_bytes(peel->rest.n + 2, sizeof *joining.begin));
    if (memory && joining.begin) {
        joining.rank = memory + n;
        joining.until = joining.rank + n;
        memcpy(memory, vertex, n * sizeof *vertex);
        joining.vertex = memory;
        join_orders(vertex, &joining);
    } else {
        error_set(error, APSP_MEMORY, "no memory to order %zu vertices", n);
    }
    mem_free(joining.begin);
    mem_free(memory);
    return error->code;
}

int order_make(uint32_t *vertex, const struct pattern *pattern, const struct order_way *way,
               struct apsp_error *error)
{
    struct peel peel;
    if (peel_make(&peel, vertex, pattern, error) == APSP_OK) {
        uint32_t *rest = vertex + peel.count;
        dissect_order(rest, &peel.rest, way, error);
        for (size_t i = 0; error->code == APSP_OK && i < peel.rest.n; i++)
            rest[i] = peel.name[rest[i]];
        if (error->code == APSP_OK)
            join(vertex, &peel, error);
    }
    peel_free(&peel);
    return error->code;
}
#else
bool order_possible(void)
{
    return false;
}

int order_make(uint32_t *vertex, const struct pattern *pattern, const struct order_way *way,
               struct apsp_error *error)
{
    (void)vertex;
    (void)pattern;
    (void)way;
    return error_set(error, APSP_USAGE,
                     "this program was built without METIS, which orders sparse graphs");
}
#endif
