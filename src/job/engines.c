#include "job/engines.h"

extern const struct engine_ops engine_dense;

const struct engine_ops *const engines[] = {&engine_dense, NULL};
