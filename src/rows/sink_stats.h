/* The sink of statistics, for callers that want them and not their file. */
#ifndef SINK_STATS_H
#define SINK_STATS_H

#include "rows/sink.h"

extern const struct sink_ops sink_stats;

/* After the last merge, on every rank; the sink's. */
struct apsp_stats *sink_stats_result(const struct sink *sink);

#endif
