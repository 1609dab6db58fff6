#include "rows/batches.h"

#include "base/mem.h"
#include "base/minmax.h"
#include "comm/comm.h"

#include <string.h>

static size_t length_at(const struct batches *batches, size_t first)
{
    return size_min(batches->sources - first, batches->width);
}

/* `room` has a place for each vertex. */
static size_t order_sources(const struct batches_list *list, uint32_t *room)
{
    size_t kept = 0;
    memset(room, 0, list->n * sizeof *room);
    for (size_t k = 0; k < (list->vertex ? list->count : list->n); k++) {
        const size_t v = list->vertex ? list->vertex[k] : k;
        room[list->rank[v]] = (uint32_t)v + 1;
    }
    for (size_t k = 0; k < list->n; k++)
        if (room[k])
            room[kept++] = room[k] - 1;
    return kept;
}

/* Sources that come one by one do so in small blocks, for all workers. */
static size_t width_of(const struct batches_list *list, size_t sources, int ranks)
{
    if (list->lanes == 0)
        return PATHS_WIDTH;
    const size_t part = sources / ((size_t)4 * (size_t)ranks * (size_t)list->lanes);
    return part < 1 ? 1 : size_min(part, PATHS_WIDTH);
}

int batches_make(struct batches *batches, const struct comm *comm, const struct batches_list *list,
                 struct apsp_error *error)
{
    if (!batches->source)
        batches->source = mem_alloc(mem_bytes(list->n, sizeof(uint32_t)));
    if (!batches->source)
        return error_set(error, APSP_MEMORY, "no memory for a list of sources");
    batches->sources = order_sources(list, batches->source);
    batches->width = width_of(list, batches->sources, comm->ranks);
    batches->first = (size_t)comm->rank;
    batches->step = (size_t)comm->ranks;
    atomic_store(&batches->next, 0);
    return APSP_OK;
}

void batches_free(struct batches *batches)
{
    mem_free(batches->source);
}

size_t batches_rows(const struct batches *batches)
{
    size_t rows = 0;
    for (size_t first = batches->first * batches->width; first < batches->sources;
         first += batches->step * batches->width)
        rows += length_at(batches, first);
    return rows;
}

bool batches_next(void *self, int lane, struct block *block, struct apsp_error *error)
{
    struct batches *batches = self;
    (void)lane;
    (void)error;
    const size_t turn = atomic_fetch_add(&batches->next, 1),
                 first = (batches->first + turn * batches->step) * batches->width;
    if (first >= batches->sources)
        return false;
    *block = (struct block){.count = length_at(batches, first), .source = batches->source + first};
    return true;
}
