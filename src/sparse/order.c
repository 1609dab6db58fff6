#include "sparse/order.h"

#include "base/mem.h"
#include "sparse/dissect.h"
#include "sparse/peel.h"

/* Of METIS, for a vertex or an entry of the lists, and of a process: measured, docs/results.md. */
enum { METIS_BYTES = 50, WORKER_BYTES = 1 << 20 };

/* What is left of the pattern, its names and places, and what METIS makes of it. Peeling, before,
 * takes less.
 */
size_t order_need(size_t n, size_t neighbours, int workers)
{
    size_t all;
    mem_add(&all, n, neighbours);
    all = mem_bytes(all, METIS_BYTES + sizeof(uint32_t));
    mem_add(&all, all, mem_bytes(n, sizeof(size_t) + 2 * sizeof(uint32_t)));
    mem_add(&all, all, mem_bytes((size_t)workers, WORKER_BYTES));
    return all;
}

#ifdef APSP_METIS
bool order_possible(void)
{
    return true;
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
