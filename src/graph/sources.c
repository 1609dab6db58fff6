/* The table of the sources of edges: a new one is a file that defines it, and two lines here. */
#include "graph/source.h"

extern const struct graph_source graph_edges32, graph_gr, graph_mtx, graph_gml, graph_graphml,
    graph_gexf, graph_lgl, graph_pajek, graph_dicts, graph_json, graph_list, graph_table,
    graph_metis, graph_npz, graph_npy;

const struct graph_source *const graph_sources[] = {
    &graph_edges32, &graph_gr,    &graph_mtx,   &graph_gml,  &graph_graphml, &graph_gexf,
    &graph_lgl,     &graph_pajek, &graph_dicts, &graph_json, &graph_list,    &graph_table,
    &graph_metis,   &graph_npz,   &graph_npy,   NULL};
