#include "sssp/wanted.h"

#include "base/mem.h"

int wanted_sources(struct wanted *wanted, const struct network *network,
                   const struct rows_request *request, struct apsp_error *error)
{
    const size_t n = network->n, count = request->list ? request->count : n;
    unsigned char *listed = mem_alloc(n);
    wanted->sources = 0;
    if (!wanted->source)
        wanted->source = mem_alloc(mem_bytes(n, sizeof *wanted->source));
    if (!wanted->source || !listed)
        error_set(error, APSP_MEMORY, "no memory for a list of %zu rows", count);
    for (size_t k = 0; !error->code && request->list && k < count; k++)
        listed[network->number[request->list[k]]] = 1;
    for (size_t k = 0; !error->code && k < n; k++)
        if (!request->list || listed[network->order[k]])
            wanted->source[wanted->sources++] = network->order[k];
    mem_free(listed);
    return error->code;
}

int wanted_columns(struct wanted *wanted, const struct network *network,
                   const struct rows_request *request, struct apsp_error *error)
{
    const size_t count = request->columns;
    mem_free(wanted->column);
    wanted->column = wanted->vertex = NULL;
    if (!request->column)
        return APSP_OK;
    wanted->column = mem_alloc(mem_bytes(count + 1, 2 * sizeof *wanted->column));
    if (!wanted->column)
        return error_set(error, APSP_MEMORY, "no memory for a list of %zu columns", count);
    wanted->vertex = wanted->column + count;
    for (size_t k = 0; k < count; k++) {
        wanted->vertex[k] = request->column[k];
        wanted->column[k] = network->number[request->column[k]];
    }
    return APSP_OK;
}

void wanted_free(struct wanted *wanted)
{
    mem_free(wanted->source);
    mem_free(wanted->column);
    *wanted = (struct wanted){0};
}
