/* Tables in the memory of a GPU. */
#include "base/mem.h"
#include "library/library.h"

struct device_question {
    const struct apsp_list *from, *to;
    struct apsp_device_table *table;
    const struct apsp_device_memory *memory; /* NULL: the table gets memory of its own. */
    struct device device;                    /* It has the memory. */
};

/* The caller's, or memory of rank 0's GPU. */
static int take_memory(struct device_question *question, size_t each, struct apsp_error *error)
{
    struct device *device = &question->device;
    struct apsp_device_table *table = question->table;
    const size_t bytes = mem_bytes(mem_bytes(table->rows, table->columns), each);
    const struct apsp_device_memory *memory = question->memory;
    if (memory && (uintptr_t)memory->values % each != 0)
        return error_set(error, APSP_USAGE, "memory of distances of %zu bytes is not aligned",
                         each);
    if (memory && memory->bytes < bytes)
        return error_set(error, APSP_USAGE, "%zu rows of %zu distances need %zu bytes, not %zu",
                         table->rows, table->columns, bytes, memory->bytes);
    if (memory) {
        table->values = bytes > 0 ? memory->values : NULL;
        return device->ops->wait(&device->number, memory->values, memory->stream, error);
    }
    if (bytes > 0 && !(table->values = device->ops->alloc(device->number, bytes)))
        error_set(error, APSP_MEMORY, "GPU %d: no memory for %zu rows of %zu distances",
                  device->number, table->rows, table->columns);
    return error->code;
}

/* By rank 0. */
static int open_table(const struct apsp_solution *solution, struct device_question *question,
                      struct apsp_error *error)
{
    const size_t n = solution->facts.vertices;
    const struct apsp_list *from = question->from, *to = question->to;
    const struct device *device = &solution->solver->device;
    struct apsp_device_table *table = question->table;
    question->device = *device;
    *table = (struct apsp_device_table){.type = solution->facts.type,
                                        .rows = from->vertex ? from->count : n,
                                        .columns = to->vertex ? to->count : n,
                                        .device = device->number};
#ifdef APSP_HIP
    table->hip = 1;
#endif
    if (!library_is_alone(solution))
        return error_set(error, APSP_USAGE,
                         "a table on a GPU is for solutions of apsp_solve, and these are ranks of "
                         "MPI");
    if (!device->ops->alloc)
        return error_set(error, APSP_DEVICE, "the solution is not on a GPU");
    return take_memory(question, dtype_info[solution->solver->sink_task.file].bytes, error);
}

static int device_rank(struct apsp_solution *solution, void *opaque, struct apsp_error *error)
{
    struct device_question *question = opaque;
    const struct apsp_list *from = question->from, *to = question->to;
    const size_t n = solution->facts.vertices;
    const bool first = solution->solver->comm->rank == 0;
    struct sources targets = {.count = to->count, .vertex = (uint32_t *)(uintptr_t)to->vertex};
    struct library_rows rows = {
        .list = from->vertex, .targets = to->vertex ? &targets : NULL, .shared = true};
    library_check_list("from", from->vertex, from->count, n, error);
    library_check_list("to", to->vertex, to->count, n, error);
    if (first && !error->code)
        open_table(solution, question, error);
    if (comm_agree(solution->solver->comm, error) || !question->table->values)
        return error->code;
    rows.count = question->table->rows;
    rows.device = &question->device;
    rows.lent = question->memory != NULL;
    if (library_certifier_open(&rows.certifier, solution, error) == APSP_OK)
        library_copy(solution, &rows, question->table->values, question->table->columns, error);
    library_certifier_close(rows.certifier, solution);
    return error->code;
}

int apsp_table_on_device(struct apsp_solution *solution, const struct apsp_list *from,
                         const struct apsp_list *to, struct apsp_device_table *table,
                         struct apsp_error *error)
{
    const struct apsp_list all = {0};
    struct apsp_error unused;
    struct device_question question = {
        .from = from ? from : &all, .to = to ? to : &all, .table = table};
    if (!table)
        return error_set(library_error(error, &unused), APSP_USAGE, "NULL: expected a table");
    *table = (struct apsp_device_table){0};
    const int status = library_ask(solution, device_rank, &question, error);
    if (status)
        apsp_device_table_free(table);
    return status;
}

int apsp_table_into_device(struct apsp_solution *solution, const struct apsp_list *from,
                           const struct apsp_list *to, const struct apsp_device_memory *memory,
                           struct apsp_error *error)
{
    const struct apsp_list all = {0};
    struct apsp_error unused;
    struct apsp_device_table table = {0};
    struct device_question question = {
        .from = from ? from : &all, .to = to ? to : &all, .table = &table, .memory = memory};
    if (!memory || !memory->values)
        return error_set(library_error(error, &unused), APSP_USAGE, "NULL: expected memory");
    return library_ask(solution, device_rank, &question, error);
}

/* The device with memory of its own; NULL: this build knows none. */
static const struct device_ops *find_device(void)
{
    const struct device_ops *const *row = devices;
    while (*row && !(*row)->alloc)
        row++;
    return *row;
}

void apsp_device_table_free(struct apsp_device_table *table)
{
    if (table->values)
        find_device()->free(table->device, table->values);
    *table = (struct apsp_device_table){0};
}

int apsp_device_read(void *to, const void *from, size_t bytes, void *stream,
                     struct apsp_error *error)
{
    struct apsp_error unused;
    const struct device_ops *device = find_device();
    error = error ? error : &unused;
    *error = (struct apsp_error){0};
    if (bytes > 0 && (!to || !from))
        return error_set(error, APSP_USAGE, "NULL: expected %zu bytes", bytes);
    if (!device || device->count() == 0)
        return error_set(error, APSP_DEVICE, "this process has no GPU");
    return device->read(to, from, bytes, stream, error);
}
