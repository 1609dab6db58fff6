#include "sssp/searcher.h"

static const struct searcher_ops *const searchers[] = {&searcher_cpu, NULL};

const struct searcher_ops *searcher_of(const struct device_ops *device)
{
    for (const struct searcher_ops *const *row = searchers; *row; row++)
        if ((*row)->device == device)
            return *row;
    return &searcher_cpu;
}
