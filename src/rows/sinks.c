#include "rows/sink.h"

extern const struct sink_ops sink_distances, sink_pairs, sink_certificate, sink_predecessors,
    sink_path_counts, sink_stats, sink_betweenness, sink_diameter, sink_hdf5, sink_access,
    sink_closure, sink_isochrones, sink_page;

const struct sink_ops *const sink_table[] = {&sink_distances,    &sink_hdf5,
                                             &sink_pairs,        &sink_certificate,
                                             &sink_predecessors, &sink_path_counts,
                                             &sink_stats,        &sink_betweenness,
                                             &sink_diameter,     &sink_access,
                                             &sink_closure,      &sink_isochrones,
                                             &sink_page,         NULL};
