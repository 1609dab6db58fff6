#include "base/options.h"

struct options_inputs options_inputs(const struct job_options *options)
{
    const char *const lists[] = {options->sources, options->targets};
    struct options_inputs inputs = {0};
    int count = 0;
    if (options->graph)
        inputs.path[count++] = options->graph;
    if (options->order)
        inputs.path[count++] = options->order;
    for (int i = 0; i < 2; i++)
        if (lists[i] && options->lists[i])
            inputs.path[count++] = lists[i];
    return inputs;
}
