/* The tables of the program with one row more each: linked before the archive, they take the place
 * of its own. */
#include "comm/ways.h"
#include "graph/source.h"
#include "rows/sink.h"
#include "rows/stats_columns.h"
#include "solve/engines.h"

extern const struct engine_ops engine_bellman, engine_dense;
extern const struct sink_ops sink_farthest, sink_distances, sink_certificate, sink_predecessors,
    sink_stats, sink_betweenness;
extern const struct reduction reduction_squares;
extern const struct comm_way comm_way_counted;
extern const struct graph_source graph_sequence, graph_edges32, graph_gr, graph_mtx;

const struct engine_ops *const engines[] = {&engine_dense, &engine_bellman, NULL};

const struct sink_ops *const sink_table[] = {&sink_distances,
                                             &sink_certificate,
                                             &sink_predecessors,
                                             &sink_stats,
                                             &sink_betweenness,
                                             &sink_farthest,
                                             NULL};

const struct comm_way *const comm_ways[] = {&comm_way_counted, &comm_way_threads, &comm_way_mpi,
                                            &comm_way_solo, NULL};

const struct reduction *const reductions[] = {&reduction_most,
                                              &reduction_sum,
                                              &reduction_reachable,
                                              &reduction_closeness,
                                              &reduction_in_most,
                                              &reduction_in_reachable,
                                              &reduction_harmonic,
                                              &reduction_squares,
                                              &reduction_histogram,
                                              &reduction_exact,
                                              NULL};

const struct graph_source *const graph_sources[] = {&graph_edges32, &graph_gr, &graph_mtx,
                                                    &graph_sequence, NULL};
