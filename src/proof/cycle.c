#include "proof/cycle.h"

#include "base/plain.h"

#include <stdio.h>
#include <stdlib.h>

static char *cycle_text(const struct cycle *cycle, struct labels labels)
{
    enum { STEP = LABEL_SHOWN + 4 }; /* " -> 2147483647" */
    char *text = malloc((cycle->length + 1) * STEP), *at = text;
    for (size_t i = 0; text && i <= cycle->length; i++)
        at += sprintf(at, "%s%s", i > 0 ? " -> " : "",
                      LABEL(labels, cycle->vertex[i % cycle->length]));
    return text;
}

int cycle_refuse(struct proof *proof, const struct graph *graph, struct cycle *found,
                 struct apsp_error *error)
{
    const struct cycle *cycle = &proof->ring;
    proof->ring = *found;
    *found = (struct cycle){0};
    proof->cycle = cycle_text(cycle, graph_labels(graph));
    if (!proof->cycle)
        return error_set(error, APSP_MEMORY, "no memory to print a negative cycle of %zu vertices",
                         cycle->length);
    char sum[SCALE_TEXT];
    scale_text(graph->scale, cycle->sum.whole, sum);
    if (graph->real)
        plain_print(sum, sizeof sum, "%.17g", cycle->sum.real);
    const bool there_and_back = graph->undirected && cycle->length == 2;
    return error_set(error, APSP_CYCLE, "%s: negative cycle of total weight %s%s: vertices ",
                     graph->path, sum,
                     there_and_back ? " (an undirected edge below 0 leads there and back)" : "");
}
