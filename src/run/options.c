#include "run/options.h"

struct staged_inputs options_inputs(const struct run_options *options)
{
    const char *const may[] = {options->graph,
                               options->request.order,
                               options->results.access.opportunities,
                               options->results.isochrones.coordinates,
                               options->lists[0] ? options->sources : NULL,
                               options->lists[1] ? options->targets : NULL};
    struct staged_inputs inputs = {{NULL}};
    int count = 0;
    for (size_t i = 0; i < sizeof may / sizeof *may; i++)
        if (may[i])
            inputs.path[count++] = may[i];
    return inputs;
}
