#include "solve/engines.h"

extern const struct engine_ops engine_dense, engine_sparse, engine_spanning, engine_sssp;

const struct engine_ops *const engines[] = {&engine_dense, &engine_sparse, &engine_spanning,
                                            &engine_sssp, NULL};
