#include "graph/numbering.h"

#include "base/mem.h"
#include "base/text.h"

#include <string.h>

bool numbering_open(struct numbering *numbering)
{
    *numbering =
        (struct numbering){.bit = mem_alloc(NAMES_MAX / 8 + sizeof(uint64_t)), .least = INT64_MAX};
    return numbering->bit != NULL;
}

void numbering_close(struct numbering *numbering)
{
    mem_free(numbering->bit);
    numbering->bit = NULL;
}

void numbering_see(struct numbering *numbering, const struct field *field)
{
    int64_t value;
    if ((field->length > 1 && *field->text == '0') ||
        line_scan_whole(field->text, 0, NAMES_MAX - 1, &value) != field->text + field->length) {
        numbering->fail = true;
        return;
    }
    uint64_t *word = &numbering->bit[value / 64], mask = UINT64_C(1) << value % 64;
    numbering->count += !(*word & mask);
    *word |= mask;
    numbering->least = value < numbering->least ? value : numbering->least;
    numbering->most = value > numbering->most ? value : numbering->most;
}

void numbering_take(const struct numbering *numbering, struct graph *graph, size_t last)
{
    char unused[TEXT_NUMBER], all[TEXT_NUMBER];
    graph->first = numbering->least > 0;
    graph->n = last + 1 - graph->first;
    if (graph->n > numbering->count)
        graph_warn(graph,
                   "%s vertices, %s of them without an edge: all numbers up to the largest count",
                   text_count(all, graph->n), text_count(unused, graph->n - numbering->count));
}

bool numbering_use(const struct numbering *numbering, struct graph *graph)
{
    size_t first = numbering->least > 0, n = (size_t)numbering->most + 1 - first;
    if (numbering->fail || graph->records == 0 || n > 2 * numbering->count)
        return false;
    numbering_take(numbering, graph, (size_t)numbering->most);
    return true;
}

/* Sorts names, and gives the new number of each. */
static int sort(const struct graph *graph, uint32_t **number, struct apsp_error *error)
{
    struct names *names = graph->names;
    const size_t n = names->count, bytes = mem_bytes(n, sizeof *names->start);
    size_t *start = mem_alloc(bytes);
    *number = mem_alloc(mem_bytes(n, sizeof **number));
    if (!start || !*number)
        error_set(error, APSP_MEMORY, "%s: no memory to sort its names", graph->path);
    if (error->code == APSP_OK) {
        memcpy(start, names->start, bytes);
        names_sort(names, error);
    }
    for (size_t v = 0; v < n && !error->code; v++)
        names_find(names, names->text + start[v], strlen(names->text + start[v]), &(*number)[v]);
    mem_free(start);
    return error->code;
}

int numbering_settle(struct graph *graph, uint32_t **number, struct apsp_error *error)
{
    struct names *names = graph->names;
    if (number)
        *number = NULL;
    if (!names)
        return APSP_OK;
    graph->n = names->count;
    graph->numbering =
        graph->options.sorted ? "vertices by name, numbered in the order of their names"
        : graph->numbering    ? graph->numbering
        : names->numbers      ? "vertices leave more than half of the numbers unused, and are "
                                "numbered as they appear"
                              : "vertices by name, numbered as they appear";
    if (!graph->options.sorted)
        return APSP_OK;
    return number ? sort(graph, number, error) : names_sort(names, error);
}

void numbering_drop(struct graph *graph)
{
    struct names *names = graph->names;
    char text[LABEL_SHOWN];
    const struct labels numbers = {strcmp(names_at(names, 0), "0") != 0, NULL};
    for (size_t v = 0; v < names->count; v++)
        if (strcmp(names_at(names, v), label_text(numbers, v, text)) != 0)
            return;
    graph->first = numbers.first;
    graph->numbering = NULL;
    graph->names = NULL;
    names_free(names);
}

bool numbering_find(const struct graph *graph, const struct field *field, uint32_t *vertex)
{
    int64_t number;
    if (graph->names)
        return names_find(graph->names, (const char *)field->text, field->length, vertex);
    if (line_scan_whole(field->text, (int64_t)graph->first, (int64_t)(graph->first + graph->n - 1),
                        &number) != field->text + field->length)
        return false;
    *vertex = (uint32_t)((size_t)number - graph->first);
    return true;
}
