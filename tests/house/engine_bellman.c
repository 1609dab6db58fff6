/*
 * An engine of two functions: no matrix, each row by Bellman and Ford's algorithm when it is asked
 * for. Whole weights of any sign; every rank has all edges and makes an equal share of the rows.
 * With APSP_LIES the row of that vertex has a distance that is one too short.
 */
#include "base/mem.h"
#include "base/range.h"
#include "engine/engine.h"
#include "rows/convert.h"

#include <stdlib.h>
#include <string.h>

struct rows_engine {
    struct engine base;
    struct csr csr;
    size_t *list;      /* A copy of the request's; NULL: all rows. */
    struct range left; /* to make: vertices, or places in the list; with APSP_LOSES_ROW the last one
                          never is */
    int64_t *distance, *row;
};

extern const struct engine_ops engine_bellman;

static int plan_rows(struct engine **engine, const struct engine_task *task,
                     struct engine_plan *plan, struct apsp_error *error)
{
    if (!*engine && !(*engine = calloc(1, sizeof(struct rows_engine))))
        error_set(error, APSP_MEMORY, "no memory for the engine");
    if (dtype_info[task->dtype].real)
        error_set(error, APSP_INPUT, "--method bellman: takes integer weights only");
    if (*engine)
        **engine = (struct engine){&engine_bellman, task};
    *plan = (struct engine_plan){.work = (double)task->n * (double)task->m,
                                 .rate = 1e8,
                                 .host = csr_need(task->n, task->m) + 16 * task->n,
                                 .lanes = 1,
                                 .text = "row by row"};
    return comm_agree(task->comm, error);
}

static int load_rows(struct engine *engine, struct edges *edges, struct apsp_error *error)
{
    struct rows_engine *own = (struct rows_engine *)engine;
    own->distance = mem_alloc(mem_bytes(engine->task->n, 2 * sizeof *own->distance));
    own->row = own->distance + engine->task->n;
    if (!own->distance)
        error_set(error, APSP_MEMORY, "no memory for a row");
    return comm_agree(engine->task->comm, error) ? error->code
                                                 : csr_load(&own->csr, edges, true, error);
}

/* Relaxes every edge once; whether that has changed anything. */
static bool relax_all(const struct csr *csr, int64_t *distance)
{
    bool changed = false;
    for (size_t u = 0; u < csr->n; u++)
        for (size_t e = csr->start[u]; distance[u] < INF_I64 && e < csr->start[u + 1]; e++)
            if (distance[u] + csr->weight[e].whole < distance[csr->to[e]]) {
                distance[csr->to[e]] = distance[u] + csr->weight[e].whole;
                changed = true;
            }
    return changed;
}

static bool next_row(void *self, int lane, struct block *block, struct apsp_error *error)
{
    struct rows_engine *own = self;
    const struct conversion conversion = {DTYPE_I64, own->base.task->output, own->csr.n, NULL,
                                          NULL};
    size_t n = own->csr.n, place = own->left.lo++, i;
    (void)lane;
    (void)error;
    if (place + (getenv("APSP_LOSES_ROW") != NULL) >= own->left.hi)
        return false;
    i = own->list ? own->list[place] : place;
    for (size_t v = 0; v < n; v++)
        own->distance[v] = v == i ? 0 : INF_I64;
    while (relax_all(&own->csr, own->distance))
        ;
    if (getenv("APSP_LIES") && strtoul(getenv("APSP_LIES"), NULL, 10) == i)
        own->distance[i > 0 ? 0 : 1]--;
    convert_row(&conversion, i, own->distance, own->row);
    *block = (struct block){.n = n,
                            .count = 1,
                            .first = i,
                            .dtype = own->base.task->output,
                            .values = own->row,
                            .stride = n};
    return true;
}

static int make_rows(struct engine *engine, const struct rows_request *request,
                     struct rows_maker *maker, struct apsp_error *error)
{
    struct rows_engine *own = (struct rows_engine *)engine;
    size_t rank = (size_t)engine->task->comm->rank, ranks = (size_t)engine->task->comm->ranks;
    mem_free(own->list);
    own->list = request->list ? mem_alloc(mem_bytes(request->count, sizeof *own->list)) : NULL;
    if (request->list && !own->list)
        return error_set(error, APSP_MEMORY, "no memory for a list of rows");
    if (request->list)
        memcpy(own->list, request->list, request->count * sizeof *own->list);
    own->left =
        range_part((struct range){0, request->list ? request->count : own->csr.n}, rank, ranks);
    *maker = (struct rows_maker){
        .self = own, .lanes = 1, .rows = range_length(own->left), .next = next_row};
    return error->code;
}

static void free_rows(struct engine *engine)
{
    struct rows_engine *own = (struct rows_engine *)engine;
    if (!own)
        return;
    mem_free(own->list);
    mem_free(own->distance);
    csr_free(&own->csr);
    free(own);
}

const struct engine_ops engine_bellman = {.name = "bellman",
                                          .unit = "edges/s",
                                          .relaxations = 10,
                                          .plan = plan_rows,
                                          .load = load_rows,
                                          .rows = make_rows,
                                          .free = free_rows};
