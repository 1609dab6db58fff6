#include "rows/sink.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/setting.h"
#include "files/staged.h"
#include "rows/convert.h"
#include "rows/output.h"

#include <stdlib.h>
#include <string.h>

static bool is_asked(const struct sink_ops *ops, const struct results *results)
{
    return ops->asked ? ops->asked(results) : ops->path(results) != NULL;
}

void sinks_choose(struct sinks *sinks, const struct sink_task *task)
{
    *sinks = (struct sinks){0};
    for (int i = 0; sink_table[i] && sinks->count < SINKS_MAX; i++)
        if (is_asked(sink_table[i], task->results))
            sinks->at[sinks->count++] = (struct sink){.ops = sink_table[i], .task = task};
}

const struct sink *sinks_find(const struct sinks *sinks, const char *name)
{
    for (int i = 0; i < sinks->count; i++)
        if (strcmp(sinks->at[i].ops->name, name) == 0)
            return &sinks->at[i];
    return NULL;
}

const void *sink_row(const struct sink_task *task, const struct block *block, size_t k, void *room)
{
    const void *row = block_row(block, k);
    if (!task->targets || block->column)
        return row;
    for (size_t j = 0; j < task->targets->count; j++) {
        size_t from = task->targets->vertex[j];
        switch (dtype_info[block->dtype].bytes) {
        case sizeof(uint16_t):
            ((uint16_t *)room)[j] = ((const uint16_t *)row)[from];
            break;
        case sizeof(uint32_t):
            ((uint32_t *)room)[j] = ((const uint32_t *)row)[from];
            break;
        default:
            ((uint64_t *)room)[j] = ((const uint64_t *)row)[from];
        }
    }
    return room;
}

/* In the room the row of the file comes first, and then, at a multiple of so many bytes, that of
 * the block.
 */
enum { ALIGN = 8 };

size_t sink_file_room(const struct sink_task *task)
{
    size_t columns = sink_columns(task), bytes;
    mem_add(&bytes, mem_bytes(columns, dtype_info[task->file].bytes),
            mem_bytes(columns, dtype_info[task->dtype].bytes));
    mem_add(&bytes, bytes, ALIGN);
    return bytes;
}

const void *sink_file_row(const struct sink_task *task, const struct block *block, size_t k,
                          void *room)
{
    const struct packing packing = {task->dtype, task->file, task->scale};
    if (task->file == task->dtype)
        return sink_row(task, block, k, room);
    uintptr_t end = (uintptr_t)room + sink_columns(task) * dtype_info[task->file].bytes;
    void *picked = (void *)((end + ALIGN - 1) / ALIGN * ALIGN);
    convert_pack(&packing, sink_row(task, block, k, picked), room, sink_columns(task));
    return room;
}

int sink_save_rows(struct sink *sink, struct sink_part part[SINK_PARTS], struct apsp_error *error)
{
    (void)error;
    part[0] = (struct sink_part){output_hashes(sink->output), sink_rows(sink->task), false};
    return 1;
}

size_t sink_save_need(const struct sink_task *task)
{
    return task->results->saved ? mem_bytes(sink_rows(task), sizeof(size_t)) : 0;
}

bool sinks_want_edges(const struct sinks *sinks)
{
    for (int i = 0; i < sinks->count; i++)
        if (sinks->at[i].ops->wants_edges || sinks->at[i].task->results->skims)
            return true;
    return false;
}

struct sink_need sinks_need(const struct sinks *sinks, int lanes)
{
    struct sink_need all = {0};
    bool part = true;
    for (int i = 0; i < sinks->count; i++) {
        const struct sink *sink = &sinks->at[i];
        struct sink_need need = {0};
        if (sink->ops->need)
            need = sink->ops->need(sink->task, lanes);
        mem_add(&all.host, all.host, need.host);
        mem_add(&all.device, all.device, need.device);
        mem_add(&all.disk, all.disk, need.disk);
        mem_add(&all.rows, all.rows, need.rows);
        part &= need.rows > 0;
        all.disk_most |= need.disk_most;
        all.no_rows = need.no_rows && sinks->count == 1;
    }
    if (!part)
        all.rows = 0;
    if (sinks->count > 0 && sinks->at[0].task->results->saved) /* done, and taken */
        mem_add(&all.host, all.host, mem_bytes(2, sink_rows(sinks->at[0].task)));
    return all;
}

static int agree(const struct sink *sink, struct apsp_error *error)
{
    return comm_agree(sink->task->comm, error);
}

static int open_file(struct sink *sink, struct apsp_error *error)
{
    const struct results *results = sink->task->results;
    const char *path = sink->ops->stages ? sink->ops->path(results) : NULL;
    if (!path || error->code)
        return error->code;
    sink->staged = calloc(1, sizeof *sink->staged);
    if (!sink->staged)
        return error_set(error, APSP_MEMORY, "%s: no memory to open it", path);
    sink->staged->fd = -1;
    return sink->task->comm->rank == 0 ? staged_create(sink->staged, path, results->force, error)
                                       : APSP_OK;
}

int sinks_open(struct sinks *sinks, struct apsp_error *error)
{
    for (int i = 0; i < sinks->count && !error->code; i++) {
        struct sink *sink = &sinks->at[i];
        sink->opened = true;
        if (sink->ops->open)
            sink->ops->open(sink, error);
        open_file(sink, error);
        agree(sink, error);
    }
    return error->code;
}

void sinks_fail(struct apsp_error *error, const struct apsp_error *own)
{
    if (!error->code || (own->code == APSP_REFUTED && error->code != APSP_REFUTED))
        *error = *own;
}

bool sinks_last(const struct sinks *sinks)
{
    for (int i = 0; i < sinks->count; i++)
        if ((sinks->at[i].output || sinks->at[i].ops->stages) && !sinks->at[i].lost)
            return true;
    return false;
}

int sinks_check(struct sinks *sinks, bool wait, struct apsp_error *error)
{
    for (int i = 0; i < sinks->count; i++) {
        struct sink *sink = &sinks->at[i];
        struct apsp_error own = {0};
        if (sink->output && !sink->lost)
            output_check(sink->output, wait, &own);
        sink->lost |= agree(sink, &own) != APSP_OK && wait;
        sinks_fail(error, &own);
    }
    return error->code;
}

/* Narrowing needs passes of its own. */
const char *sinks_unsaved(const struct sinks *sinks)
{
    for (int i = 0; i < sinks->count; i++) {
        const struct sink_ops *ops = sinks->at[i].ops;
        const struct results *results = sinks->at[i].task->results;
        const char *path = ops->path ? ops->path(results) : NULL;
        struct apsp_error ignored = {0};
        enum target_kind kind = TARGET_FILE;
        if (path && target_find(&kind, path, &ignored) == APSP_OK && kind != TARGET_FILE)
            return path;
        if (!ops->save)
            return path ? path : ops->name;
        if (ops->again && results->counted & APSP_STATS_EXACT)
            return SETTING(COUNT_EXACT);
    }
    return NULL;
}

static bool is_again(const struct sink *sink)
{
    return !sink->lost && sink->ops->again && sink->ops->again(sink);
}

int sinks_merge(struct sinks *sinks, struct apsp_error *error)
{
    for (int i = 0; i < sinks->count; i++) {
        struct sink *sink = &sinks->at[i];
        struct apsp_error own = {0};
        double begun = clock_seconds();
        if (sink->lost)
            continue;
        if (sink->ops->merge)
            sink->ops->merge(sink, &own);
        sink->lost = agree(sink, &own) != APSP_OK;
        sink->merged = !sink->lost;
        sinks_fail(error, &own);
        if (sinks_file(sinks, i))
            staged_complete(sinks_file(sinks, i));
        sink->seconds += comm_max(sink->task->comm, clock_seconds() - begun);
    }
    return error->code;
}

struct sinks sinks_again(const struct sinks *sinks)
{
    struct sinks some = {0};
    for (int i = 0; i < sinks->count; i++)
        if (is_again(&sinks->at[i]))
            some.at[some.count++] = sinks->at[i];
    return some;
}

void sinks_return(struct sinks *sinks, const struct sinks *some)
{
    for (int i = 0; i < some->count; i++)
        for (int k = 0; k < sinks->count; k++)
            if (sinks->at[k].state == some->at[i].state)
                sinks->at[k] = some->at[i];
}

int sinks_confirm(struct sinks *sinks, struct apsp_error *error)
{
    for (int i = 0; i < sinks->count; i++) {
        const struct sink *sink = &sinks->at[i];
        const struct results *results = sink->task->results;
        if (sink->ops->path && sink->ops->path(results) && sink->task->comm->rank == 0 &&
            !error->code)
            staged_check(sink->ops->path(results), results->inputs.path, results->force, error);
    }
    return sinks->count > 0 ? agree(&sinks->at[0], error) : error->code;
}

struct staged *sinks_file(const struct sinks *sinks, int i)
{
    const struct sink *sink = &sinks->at[i];
    bool whole = sink->merged && !sink->lost && !is_again(sink);
    if (whole && sink->output)
        return output_file(sink->output);
    return whole ? sink->staged : NULL;
}

void sinks_close(struct sinks *sinks)
{
    for (int i = sinks->count; i-- > 0;) {
        struct sink *sink = &sinks->at[i];
        if (sink->ops->close && sink->opened)
            sink->ops->close(sink);
        output_free(sink->output);
        if (sink->staged)
            staged_free(sink->staged);
        free(sink->staged);
    }
    sinks->count = 0;
}

int sink_merge_rows(struct sink *sink, struct apsp_error *error)
{
    sink->rows = sink_rows(sink->task);
    sink->amount = (double)sink->rows;
    sink->unit = "rows/s";
    return output_finish(sink->output, error);
}
