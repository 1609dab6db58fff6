/* Orders of elimination as objects: the content of their files, in memory. */
#include "solve/order.h"
#include "base/mem.h"
#include "base/threads.h"
#include "files/staged.h"
#include "library/library.h"
#include "rows/output.h"

#include <stdlib.h>
#include <string.h>

int apsp_order_make(struct apsp_order **out, struct apsp_graph *graph, struct apsp_error *error)
{
    LIBRARY_CALL;
    struct apsp_order *order = calloc(1, sizeof *order);
    if (out)
        *out = NULL;
    if (!graph || !out)
        error_set(error, APSP_USAGE, "NULL: expected a graph, and room for an order");
    else if (!order)
        error_set(error, APSP_MEMORY, "no memory for an order");
    else
        solve_order(&order->content, &order->bytes, &graph->graph, threads_default(), error);
    if (error->code == APSP_OK)
        *out = order;
    else
        apsp_order_free(order);
    return error->code;
}

/* The whole content of an open file; its vertices are looked at when it is used. */
static int read_content(struct apsp_order *order, const struct file *file, struct apsp_error *error)
{
    order->content = mem_alloc(mem_bytes(file->bytes + 1, 1));
    if (!order->content)
        return error_set(error, APSP_MEMORY, "%s: no memory for an order of %zu bytes", file->path,
                         file->bytes);
    order->bytes = file->bytes;
    return file_read(file, 0, order->content, order->bytes, error);
}

int apsp_order_load(struct apsp_order **out, const char *path, struct apsp_error *error)
{
    LIBRARY_CALL;
    struct apsp_order *order = calloc(1, sizeof *order);
    if (out)
        *out = NULL;
    if (!path || !out)
        error_set(error, APSP_USAGE, "NULL: expected a path, and room for an order");
    else if (!order)
        error_set(error, APSP_MEMORY, "no memory for an order");
    if (error->code == APSP_OK) {
        struct file file;
        if (file_open(&file, path, "the order", error) == APSP_OK &&
            read_content(order, &file, error) == APSP_OK &&
            memcmp(order->content, "apsporde", 8) != 0)
            error_set(error, APSP_INPUT, "%s: is not an order that apsp has written", path);
        file_close(&file);
    }
    if (error->code == APSP_OK)
        *out = order;
    else
        apsp_order_free(order);
    return error->code;
}

int apsp_order_save(const struct apsp_order *order, const char *path, struct apsp_error *error)
{
    LIBRARY_CALL;
    struct staged staged = {.guest = true};
    if (!order || !path)
        return error_set(error, APSP_USAGE, "NULL: expected an order and a path");
    if (staged_check(path, NULL, true, error) == APSP_OK &&
        staged_create(&staged, path, true, error) == APSP_OK &&
        output_all(&staged, order->content, order->bytes, error) == APSP_OK)
        staged_publish(&staged, STAGED_TARGET, error);
    staged_free(&staged);
    return error->code;
}

void apsp_order_free(struct apsp_order *order)
{
    if (!order)
        return;
    mem_free(order->content);
    free(order);
}
