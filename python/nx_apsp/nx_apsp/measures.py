"""NetworkX's functions that give a number for the graph or for each node."""

from __future__ import annotations

import copy
import inspect
import math
from typing import Any, Dict, Set

import apsp
import networkx as nx
import numpy as np
import networkx.algorithms.centrality.betweenness as betweenness
import networkx.algorithms.centrality.betweenness_subset as betweenness_subset

from .graph import Graph, distances, served
from .paths import dijkstra_lengths

_CHUNK = 64  # rows
_INFINITE = "Found infinite path length because the %s is not %sconnected"


def _stats(graph: Graph, weight: Any, reverse: bool = False) -> Any:
    return graph.stats(weight, reverse, dijkstra_lengths(graph, weight))


def _is_connected(graph: Graph, stats: Any) -> bool:
    return bool((stats.reachable == len(graph)).all())


def eccentricity(G: Graph, v: Any = None, sp: Any = None, weight: Any = None) -> Any:
    if sp is not None or len(G) == 0:
        raise NotImplementedError("sp, or a graph without nodes")
    lengths = dijkstra_lengths(G, weight)
    if v in G:
        row = G.rows(lengths, G.number[v])
        most = row.max()
        if most < np.inf:
            return int(most) if lengths is None or lengths.dtype.kind == "i" else float(most)
    else:
        stats = G.stats(weight, False, lengths)
        nodes = list(G.nbunch_iter(v))
        numbers = [G.number[node] for node in nodes]
        if (stats.reachable[numbers] == len(G)).all():
            return dict(zip(nodes, stats.eccentricity[numbers].tolist()))
    raise _infinite(G)


def _infinite(graph: Graph) -> nx.NetworkXError:
    return nx.NetworkXError(_INFINITE % (("digraph", "strongly ") if graph.is_directed()
                                         else ("graph", "")))


def _extent(graph: Graph, weight: Any) -> Any:
    if len(graph) == 0:
        raise NotImplementedError("a graph without nodes")
    extent = graph.extent(weight, dijkstra_lengths(graph, weight))
    if not extent.connected:
        raise _infinite(graph)
    return extent


def diameter(G: Graph, e: Any = None, usebounds: bool = False, weight: Any = None) -> Any:
    return _extent(G, weight).diameter if e is None else max(e.values())


def radius(G: Graph, e: Any = None, usebounds: bool = False, weight: Any = None) -> Any:
    return _extent(G, weight).radius if e is None else min(e.values())


def _nodes_of(graph: Graph, numbers: Any) -> Any:
    return [graph.nodes[number] for number in numbers]


def periphery(G: Graph, e: Any = None, usebounds: bool = False, weight: Any = None) -> Any:
    if e is None:
        return _nodes_of(G, _extent(G, weight).periphery)
    most = max(e.values())
    return [node for node, value in e.items() if value == most]


def center(G: Graph, e: Any = None, usebounds: bool = False, weight: Any = None) -> Any:
    if e is None:
        return _nodes_of(G, _extent(G, weight).center)
    least = min(e.values())
    return [node for node, value in e.items() if value == least]


def harmonic_diameter(G: Graph, sp: Any = None, *, weight: Any = None) -> Any:
    if sp is not None:
        raise NotImplementedError("sp")
    n = len(G)
    total = math.fsum(_stats(G, weight).harmonic) if n else 0
    return n * (n - 1) / total if total else math.inf if n > 1 else math.nan


_METHODS = ("unweighted", "dijkstra", "bellman-ford", "floyd-warshall", "floyd-warshall-numpy")


def average_shortest_path_length(G: Graph, weight: Any = None, method: Any = None) -> Any:
    method = method or ("unweighted" if weight is None else "dijkstra")
    if method not in _METHODS:
        raise ValueError("method not supported: %s" % method)
    n = len(G)
    if n == 0:
        raise nx.NetworkXPointlessConcept("the null graph has no paths, thus there is no average "
                                          "shortest path length")
    if n == 1:
        return 0
    stats = _stats(G, None if method == "unweighted" else weight)
    if not _is_connected(G, stats):
        raise nx.NetworkXError("Graph is not strongly connected." if G.is_directed()
                               else "Graph is not connected.")
    return stats.sum / (n * (n - 1))


def wiener_index(G: Graph, weight: Any = None) -> Any:
    if len(G) == 0:
        raise nx.NetworkXPointlessConcept("Connectivity is undefined for the null graph.")
    return _wiener(G, _stats(G, weight))


def _wiener(graph: Graph, stats: Any) -> Any:
    if not _is_connected(graph, stats):
        return math.inf
    return stats.sum if graph.is_directed() else stats.sum / 2


def _degrees(graph: Graph) -> Any:
    if "weight" in graph:
        raise NotImplementedError("a node that is called weight")
    return np.array([degree for _, degree in graph.graph.degree], dtype=np.int64)


def _sum_rows(graph: Graph, weight: Any, bound: Any, of: Any) -> Any:
    """Half of the sum of `of` a block of distances and its rows, below bound(longest path)."""
    if len(graph) == 0:
        raise nx.NetworkXPointlessConcept("Connectivity is undefined for the null graph.")
    lengths = dijkstra_lengths(graph, weight)
    total = 0
    with graph.solve(lengths) as solution:
        lost = apsp.unreachable(solution.dtype)
        for rows, block in solution.blocks():
            if (block == lost).any():
                return math.inf
            if block.dtype.kind != "f":
                if bound(int(block.max())) * block.size >= 2**62:
                    raise NotImplementedError("sums are too large")
                block = block.astype(np.int64)
            total += of(block, rows).item()
    return total / 2


def schultz_index(G: Graph, weight: Any = None) -> Any:
    degree = _degrees(G)
    most = int(degree.max(initial=0))
    return _sum_rows(G, weight, lambda far: 2 * far * most, lambda block, rows: (
        (block.sum(axis=1) * degree[rows.start:rows.stop]).sum() + (block @ degree).sum()))


def gutman_index(G: Graph, weight: Any = None) -> Any:
    degree = _degrees(G)
    most = int(degree.max(initial=0))
    return _sum_rows(G, weight, lambda far: far * most * most,
                     lambda block, rows: degree[rows.start:rows.stop] @ (block @ degree))


def hyper_wiener_index(G: Graph, weight: Any = None) -> Any:
    return _sum_rows(G, weight, lambda far: far + far * far,
                     lambda block, rows: (block + block * block).sum())


def global_efficiency(G: Graph) -> Any:
    return _stats(G, None).efficiency if len(G) > 1 else 0


def closeness_vitality(G: Graph, node: Any = None, weight: Any = None,
                       wiener_index: Any = None) -> Any:
    lengths = dijkstra_lengths(G, weight)
    if len(G) < 2 or node is not None and node not in G:
        raise NotImplementedError("too few nodes")
    whole = _wiener(G, G.stats(weight, False, lengths)) if wiener_index is None else wiener_index
    return (whole - _without(G, lengths, G.number[node]) if node is not None
            else {v: whole - _without(G, lengths, k) for k, v in enumerate(G.nodes)})


def _without(graph: Graph, lengths: Any, number: int) -> Any:
    """The Wiener index without one node, which is left in the graph with no edges."""
    kept = (graph.source != number) & (graph.target != number)
    with graph.solve(lengths, chosen=kept, narrow=False) as solution, served():
        stats = solution.stats()
    if np.delete(stats.reachable, number).min() < len(graph) - 1:
        return math.inf
    return stats.sum if graph.is_directed() else stats.sum / 2


def closeness_centrality(G: Graph, u: Any = None, distance: Any = None, wf_improved: bool = True, *,
                         sp: Any = None) -> Any:
    n = len(G)
    if sp is not None or u is not None and u not in G:
        raise NotImplementedError("sp, or a node that is not in the graph")
    lengths = dijkstra_lengths(G, distance)
    if n == 0:
        return {}
    if u is not None:
        row = G.rows(lengths, G.number[u], G.is_directed())
        row = row[row < np.inf]
        return _closeness(len(row), math.fsum(row), n, wf_improved)
    stats = G.stats(distance, G.is_directed(), lengths)
    columns = stats.reachable.tolist(), stats.total.tolist()
    return {v: _closeness(reached, total, n, wf_improved)
            for v, reached, total in zip(G.nodes, *columns)}


def _closeness(reached: Any, total: Any, n: int, improved: bool) -> Any:
    if not total > 0 or n < 2:
        return 0.0
    value = (reached - 1.0) / total
    return value * ((reached - 1.0) / (n - 1)) if improved else value


def harmonic_centrality(G: Graph, nbunch: Any = None, distance: Any = None,
                        sources: Any = None) -> Any:
    lengths = dijkstra_lengths(G, distance)
    if len(G) == 0:
        return {}
    nodes = G.nodes if nbunch is None else list(dict.fromkeys(G.nbunch_iter(nbunch)))
    numbers = [G.number[node] for node in nodes]
    if sources is None:
        sums = G.stats(distance, G.is_directed(), lengths).harmonic
    else:
        chosen = [G.number[node] for node in dict.fromkeys(G.nbunch_iter(sources))]
        rows = G.rows(lengths, chosen)
        sums = np.divide(1, rows, out=np.zeros_like(rows), where=rows != 0).sum(axis=0)
    return {node: value or 0 for node, value in zip(nodes, sums[numbers].tolist())}


def bipartite_closeness_centrality(G: Graph, nodes: Any, normalized: bool = True) -> Any:
    top = set(nodes)
    if not top <= set(G.nodes) or len(G) == 0:
        raise NotImplementedError("nodes that are not in the graph")
    stats, n, m = G.stats(None), len(top), len(G) - len(top)
    found = {}
    for node, reached, total in zip(G.nodes, stats.reachable.tolist(), stats.total.tolist()):
        mine, others = (n, m) if node in top else (m, n)
        found[node] = (others + 2 * (mine - 1)) / total if total > 0 else 0.0
        if normalized and total > 0:
            found[node] *= (reached - 1) / (len(G) - 1)
    return found


def bipartite_betweenness_centrality(G: Graph, nodes: Any) -> Any:
    top = set(nodes)
    if not top or not top < set(G.nodes):
        raise NotImplementedError("one of the two sets is empty")
    found, n, m = betweenness_centrality(G, normalized=False), len(top), len(G) - len(top)
    most = {True: _bipartite_most(n, m), False: _bipartite_most(m, n)}
    return {node: value / most[node in top] for node, value in found.items()}


def _bipartite_most(mine: Any, others: Any) -> Any:
    """The largest betweenness that a node of a side may have (S. Borgatti, D. Halgin, 2011)."""
    s, t = divmod(mine - 1, others)
    return (others**2 * (s + 1)**2 + others * (s + 1) * (2 * t - s - 1)
            - t * (2 * s - t + 3)) / 2.0


def _positive_lengths(graph: Graph, weight: Any) -> Any:
    lengths = graph.lengths(weight)
    if graph.least(lengths) <= 0:
        raise NotImplementedError("weights that are not above 0")
    return lengths


def _scaled(name: str, module: Any, found: Any, n: int, **told: Any) -> Any:
    """By NetworkX's own function, whose parameters differ between versions."""
    rescale = getattr(module, name, module._rescale)
    known = inspect.signature(rescale).parameters
    return rescale(found, n, **{key: told[key] for key in told if key in known})


def _sample(seed: Any, graph: Graph, k: Any) -> Any:
    """So many nodes. The seed moves on afterwards, as nothing can decline any more: else NetworkX
    would take others."""
    source = getattr(seed, "_rng", None)  # of NumPy, which the copy of what wraps it would share
    twin = copy.deepcopy(seed) if source is None else type(seed)(copy.deepcopy(source))
    return twin.sample(graph.nodes, k)


def betweenness_centrality(G: Graph, k: Any = None, normalized: bool = True, weight: Any = None,
                           endpoints: bool = False, seed: Any = None) -> Any:
    lengths, n = _positive_lengths(G, weight), len(G)
    sampled = None if k is None or k == n else _sample(seed, G, k)
    chosen = None if sampled is None else [G.number[node] for node in sampled]
    sums = np.zeros(n)
    if n > 1:
        with G.solve(lengths, narrow=False) as solution, served():
            sums = solution.betweenness(chosen, ordered=True)
            if endpoints:
                sums += _ends(G, solution, chosen)
    if sampled is not None:
        seed.sample(G.nodes, k)
    found = dict(zip(G.nodes, sums.tolist()))
    known = inspect.signature(betweenness._rescale).parameters
    return _scaled("_rescale", betweenness, found, n, normalized=normalized,
                   directed=G.is_directed(), endpoints=endpoints,
                   k=None if sampled is None else k,
                   sampled_nodes=G.nodes if sampled is None and "k" in known else sampled)


def newman_betweenness_centrality(G: Graph, v: Any = None, cutoff: Any = None,
                                  normalized: bool = True, weight: Any = None) -> Any:
    """Which NetworkX calls load_centrality, too."""
    lengths, n = _positive_lengths(G, weight), len(G)
    limit = _limit_of(cutoff, weight)
    if n == 0 or v is not None and v not in G:
        raise NotImplementedError("no nodes, or a node that is not in the graph")
    with G.solve(lengths, narrow=False) as solution, served():
        if lengths is not None and _have_rivals(G, lengths, solution):
            raise NotImplementedError("a path as short as an edge from its first node")
        sums = solution.betweenness(ordered=True, limit=limit, load=True)
    if normalized and n > 2:
        sums *= 1.0 / ((n - 1) * (n - 2))
    return dict(zip(G.nodes, sums.tolist())) if v is None else sums[G.number[v]].item()


def _limit_of(cutoff: Any, weight: Any) -> Any:
    """The length of the longest path; None: any. Levels are whole, and 0 of them means all."""
    if cutoff is None or not cutoff and weight is None:
        return None
    if not isinstance(cutoff, (int, float)) or not cutoff >= 0:
        raise NotImplementedError("a cutoff that is no length")
    return math.ceil(cutoff) if weight is None and cutoff < math.inf else cutoff


def _have_rivals(graph: Graph, lengths: Any, solution: Any) -> bool:
    """Whether a path is as short as an edge between its ends: NetworkX's load leaves it out."""
    for k in range(0, len(graph), _CHUNK):
        rows = range(k, min(k + _CHUNK, len(graph)))
        far, paths = distances(solution, solution.distances(rows)), solution.path_counts(rows)
        first, last = np.searchsorted(graph.source, (rows.start, rows.stop))
        ends = graph.source[first:last] - k, graph.target[first:last]
        short = np.isclose(far[ends], lengths[first:last], rtol=1e-9, atol=0)
        if (paths[ends][short] > 1).any():
            return True
    return False


def betweenness_centrality_subset(G: Graph, sources: Any, targets: Any, normalized: bool = False,
                                  weight: Any = None) -> Any:
    lengths, chosen = _positive_lengths(G, weight), _subsets(G, sources, targets)
    with G.solve(lengths, narrow=False) as solution, served():
        sums = solution.betweenness(chosen[0], targets=chosen[1], ordered=True)
    return _scaled("_rescale", betweenness_subset, dict(zip(G.nodes, sums.tolist())), len(G),
                   normalized=normalized, directed=G.is_directed(), endpoints=False)


def _subsets(graph: Graph, sources: Any, targets: Any) -> Any:
    """The numbers of both lists. NetworkX counts a source as often as it stands there."""
    lists = [list(sources), list(dict.fromkeys(targets))]
    if len(set(lists[0])) < len(lists[0]) or not all(lists) or not set().union(
            *lists) <= graph.number.keys():
        raise NotImplementedError("sources twice, none, or none of the graph")
    return [[graph.number[node] for node in nodes] for nodes in lists]


def edge_betweenness_centrality(G: Graph, k: Any = None, normalized: bool = True,
                                weight: Any = None, seed: Any = None) -> Any:
    sampled = None if k is None else _sample(seed, G, k)
    chosen = None if sampled is None else [G.number[node] for node in sampled]
    found = _edge_sums(G, weight, chosen, None)
    if sampled is not None:
        seed.sample(G.nodes, k)
    return _edges_scaled(G, weight, betweenness, found, normalized,
                         None if sampled is None else sampled)


def edge_betweenness_centrality_subset(G: Graph, sources: Any, targets: Any,
                                       normalized: bool = False, weight: Any = None) -> Any:
    chosen = _subsets(G, sources, targets)
    if _are_split(G, _positive_lengths(G, weight), *chosen):
        raise NotImplementedError("several shortest paths to a node that is no target")
    found = _edge_sums(G, weight, *chosen)
    return _edges_scaled(G, weight, betweenness_subset, found, normalized, None)


def _are_split(graph: Graph, lengths: Any, sources: Any, targets: Any) -> bool:
    """Whether two edges may lead to a node that is no target, on shortest paths from a source:
    NetworkX shares out what goes on from there evenly, whatever the numbers of paths are."""
    lengths = 1 if lengths is None else lengths
    others = np.delete(np.arange(len(graph)), targets)
    with graph.solve(None if np.isscalar(lengths) else lengths) as solution, served():
        for k in range(0, len(sources) if len(others) else 0, _CHUNK):
            for row in distances(solution, solution.distances(sources[k:k + _CHUNK])):
                ends = row[graph.target]
                last = np.isclose(row[graph.source] + lengths, ends, rtol=1e-9, atol=0)
                counts = np.bincount(graph.target[last & (ends < np.inf)], minlength=len(graph))
                if (counts[others] > 1).any():
                    return True
    return False


def _edges_scaled(graph: Graph, weight: Any, module: Any, found: Any, normalized: bool,
                  sampled: Any) -> Any:
    found = _scaled("_rescale_e", module, found, len(graph), normalized=normalized,
                    directed=graph.is_directed(), sampled_nodes=sampled)
    return betweenness._add_edge_keys(graph.graph, found, weight) if graph.multi else found


def _edge_sums(graph: Graph, weight: Any, sources: Any, targets: Any) -> Any:
    """Of each edge the sum over ordered pairs."""
    lengths, n, edges = _positive_lengths(graph, weight), len(graph), list(graph.graph.edges())
    if not edges:
        return {}
    with graph.solve(lengths, narrow=False) as solution, served():
        values = solution.edge_betweenness(sources, targets=targets, ordered=True)
    known = values.source.astype(np.int64) * n + values.target
    u, v = (np.fromiter((graph.number[edge[end]] for edge in edges), np.int64, len(edges))
            for end in (0, 1))
    sums = values.value
    arcs = np.unique((u * n + v)[u != v])
    if not graph.is_directed():
        u, v = np.minimum(u, v), np.maximum(u, v)
    elif len(known) < len(arcs):  # every edge leads back: one value for both ways
        if sources is not None or targets is not None:
            raise NotImplementedError("some nodes of a digraph in which every edge leads back")
        u, v, sums = np.minimum(u, v), np.maximum(u, v), sums / 2
    keys = u * n + v
    places = np.minimum(np.searchsorted(known, keys), max(len(known) - 1, 0))
    found = np.where(known[places] == keys, sums[places], 0.0) if len(known) else np.zeros(len(u))
    return dict(zip(edges, found.tolist()))  # a loop is on no path


def _ends(graph: Graph, solution: Any, chosen: Any) -> Any:
    """How many of the paths between two nodes begin or end at each."""
    if chosen is None:
        stats = solution.stats()
        return stats.reachable + stats.in_reachable - 2.0
    reached = distances(solution, solution.distances(chosen)) < np.inf
    reached[np.arange(len(chosen)), chosen] = False
    counts = reached.sum(axis=0, dtype=float)
    np.add.at(counts, chosen, reached.sum(axis=1))
    return counts


def _without_weight(graph: Graph, weight: Any) -> None:
    if weight is not None or len(graph) < 2:
        raise NotImplementedError("weights, or too few nodes")
    if not len(graph.source):
        raise nx.NetworkXError("Size of G must be positive")


def global_reaching_centrality(G: Graph, weight: Any = None, normalized: bool = True) -> Any:
    _without_weight(G, weight)
    stats = G.stats(None)
    local = stats.reachable - 1.0 if G.is_directed() else stats.harmonic
    local = (local / (len(G) - 1)).tolist()
    most = max(local)
    return sum(most - value for value in local) / (len(G) - 1)


def local_reaching_centrality(G: Graph, v: Any, paths: Any = None, weight: Any = None,
                              normalized: bool = True) -> Any:
    _without_weight(G, weight)
    if paths is not None or v not in G:
        raise NotImplementedError("paths, or a node that is not in the graph")
    row = G.rows(None, G.number[v])
    row = np.delete(row, G.number[v])
    row = row[row < np.inf]
    return (len(row) if G.is_directed() else math.fsum(1 / row)) / (len(G) - 1)


def _numbers_of(graph: Graph, nodes: Any) -> Any:
    nodes = list(dict.fromkeys(nodes))
    if not nodes or any(node not in graph for node in nodes):
        raise NotImplementedError("nodes that are not in the graph, or none")
    return nodes, [graph.number[node] for node in nodes]


def group_betweenness_centrality(G: Graph, C: Any, normalized: bool = True, weight: Any = None,
                                 endpoints: bool = False) -> Any:
    lengths, n = _positive_lengths(G, weight), len(G)
    one = any(node in G for node in C)
    groups = [_numbers_of(G, group)[1] for group in ([C] if one else C)]
    if not groups or max(map(len, groups)) > min(2, n - 2):
        raise NotImplementedError("no groups, or more than two nodes in one, or two outside")
    if G.is_directed() and not _is_connected(G, G.stats(None)):
        raise NotImplementedError("a digraph that is not strongly connected")
    factor = 1 if normalized or G.is_directed() else 0.5
    with G.solve(lengths, narrow=False) as solution, served():
        found = [factor * solution.group_betweenness(group, normalized, endpoints)
                 for group in groups]
    return found[0] if one else found


def group_closeness_centrality(G: Graph, S: Any, weight: Any = None) -> Any:
    _, numbers = _numbers_of(G, S)
    lengths = dijkstra_lengths(G, weight)
    nearest = G.rows(lengths, numbers, G.is_directed()).min(axis=0)
    others = np.delete(nearest, numbers)
    total = math.fsum(others[others < np.inf])
    return len(others) / total if total else 0


def voronoi_cells(G: Graph, center_nodes: Any, weight: Any = "weight") -> Any:
    centers, numbers = _numbers_of(G, center_nodes)
    rows = G.rows(dijkstra_lengths(G, weight), numbers)
    nearest = rows.min(axis=0)
    if ((rows == nearest).sum(axis=0) > 1)[nearest < np.inf].any():
        raise NotImplementedError("a node that is as near to two centers")
    cells: Dict[Any, Set[Any]] = {}
    for node, far, cell in zip(G.nodes, nearest.tolist(), rows.argmin(axis=0).tolist()):
        name = centers[cell] if far < math.inf else "unreachable"
        cells.setdefault(name, set()).add(node)
    return cells
