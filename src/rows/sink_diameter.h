/* The sink of diameter and radius, for callers that want them and not their file. */
#ifndef SINK_DIAMETER_H
#define SINK_DIAMETER_H

#include "rows/sink.h"

extern const struct sink_ops sink_diameter;

/* After the last merge, on every rank. The lists are the caller's, in any case. APSP_MEMORY. */
int sink_diameter_result(const struct sink *sink, struct apsp_extent *extent,
                         struct apsp_error *error);

/* The same of results that want each eccentricity: that of vertex v becomes values[v], a double or
 * an int64_t. */
void sink_diameter_each(const struct sink *sink, bool real, void *values);

#endif
