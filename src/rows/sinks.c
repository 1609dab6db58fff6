#include "rows/sink.h"

extern const struct sink_ops sink_distances, sink_certificate, sink_predecessors;

const struct sink_ops *const sink_table[] = {&sink_distances, &sink_certificate, &sink_predecessors, NULL};
