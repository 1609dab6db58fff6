#include "sssp/searcher.h"

static const struct searcher_ops *const searchers[] = {
#ifdef APSP_GPU
    &searcher_gpu,
#endif
    NULL,
};

int searcher_planes(const struct searcher_case *its)
{
    int planes = its->levels > 0 ? 1 : SEARCHER_PLANES;
    while (its->levels >> planes > 0)
        planes++;
    return planes;
}

const struct searcher_ops *searcher_of(const struct searcher_case *its)
{
    for (const struct searcher_ops *const *row = searchers; *row; row++)
        if ((*row)->device == its->task->device->ops && (*row)->serves(its))
            return *row;
    return &searcher_cpu;
}
