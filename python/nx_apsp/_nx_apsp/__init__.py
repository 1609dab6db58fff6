"""What NetworkX learns about the backend at every ``import networkx``: imports nothing."""

_TIES = ("Weights with decimals are added exactly: 0.1 + 0.2 is as long as 0.3, which NetworkX "
         "counts as longer.")
_LAZY = "Rows are mappings over arrays, in the order of the distances; dict(row) copies."
_ROWS = ("all_pairs_shortest_path_length", "all_pairs_shortest_path",
         "all_pairs_dijkstra_path_length", "all_pairs_dijkstra_path", "all_pairs_dijkstra",
         "all_pairs_bellman_ford_path_length", "all_pairs_bellman_ford_path", "johnson")
_OTHERS = {
    "average_shortest_path_length": "", "betweenness_centrality": _TIES,
    "betweenness_centrality_subset": _TIES, "edge_betweenness_centrality": _TIES,
    "edge_betweenness_centrality_subset": "Where one shortest path leads to each node that is no "
                                          "target.",
    "bipartite_betweenness_centrality": "", "bipartite_closeness_centrality": "", "center": "",
    "closeness_centrality": "`u=` takes one row.",
    "closeness_vitality": "", "diameter": "`usebounds` changes nothing.", "eccentricity": "",
    "find_negative_cycle": "Where there is none; NetworkX looks for those that there are.",
    "floyd_warshall": "", "floyd_warshall_numpy": "",
    "floyd_warshall_predecessor_and_distance": "", "floyd_warshall_tree": "",
    "global_efficiency": "",
    "global_reaching_centrality": "Without weights alone.",
    "group_betweenness_centrality": "Groups of one and two nodes; digraphs that are strongly "
                                    "connected.",
    "group_closeness_centrality": "", "gutman_index": "", "harmonic_centrality": "",
    "harmonic_diameter": "", "hyper_wiener_index": "",
    "local_reaching_centrality": "Without weights and paths alone.", "negative_edge_cycle": "",
    "newman_betweenness_centrality": "Where no path is as short as an edge from its first node.",
    "periphery": "`usebounds` changes nothing.", "radius": "`usebounds` changes nothing.",
    "schultz_index": "", "voronoi_cells": "Where no node is as near to two centers.",
    "wiener_index": "",
}
FUNCTIONS = dict(_OTHERS, **{name: _LAZY for name in _ROWS})


def get_info() -> dict[str, object]:
    """The dictionary that NetworkX asks for."""
    return {
        "backend_name": "apsp", "project": "nx-apsp", "package": "nx_apsp",
        "short_summary": "Exact all-pairs shortest paths, on the cores or the GPU of a machine.",
        "functions": {name: {"additional_docs": text} if text else {}
                      for name, text in FUNCTIONS.items()},
        "default_config": {"threads": 0, "device": "auto", "least_nodes": 100},
    }
