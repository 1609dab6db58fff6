"""NetworkX's functions of all pairs, Floyd and Warshall's, and of negative cycles."""

from __future__ import annotations

import math
from typing import Any, Iterator

import apsp
import networkx as nx
import numpy as np

from .graph import Graph, Unbounded, distances, served
from .mappings import Before, Full, Paths, Row


def _cutoff(cutoff: Any) -> Any:
    if cutoff is None:
        return None
    if isinstance(cutoff, bool) or not isinstance(cutoff, (int, float)) or not cutoff >= 0:
        raise NotImplementedError("cutoff is not a number from 0 on")
    return cutoff


def _levels(cutoff: Any) -> Any:
    """NetworkX goes on to the next level while the cutoff is above the last one."""
    cutoff = _cutoff(cutoff)
    return math.ceil(cutoff) if cutoff is not None and cutoff < math.inf else cutoff


def dijkstra_lengths(graph: Graph, weight: Any) -> Any:
    """Lengths of edges, for functions that say nothing of negative ones."""
    lengths = graph.lengths(weight)
    if graph.least(lengths) < 0:
        raise NotImplementedError("negative weights")
    return lengths


def _bounded(solve: Any, *arguments: Any) -> Any:
    """NetworkX has results of its own where there is a negative cycle."""
    try:
        return solve(*arguments)
    except Unbounded:
        raise NotImplementedError("a negative cycle") from None


def _blocks(graph: Graph, lengths: Any) -> Any:
    """All rows of a solution that is solved already, some at a time."""
    if len(graph) == 0:
        return iter(())
    return _blocks_of(_bounded(lambda: graph.solve(lengths, method="auto")))


def _blocks_of(solution: Any) -> Iterator[Any]:
    """The solution is freed as it is collected, which never waits: that may be within a call."""
    for rows, block in solution.blocks():
        yield rows, block, solution


def _lengths(graph: Graph, blocks: Any, cutoff: Any) -> Iterator[Any]:
    for rows, block, solution in blocks:
        lost = apsp.unreachable(solution.dtype)
        for own, row in zip(rows, block):
            yield graph.nodes[own], Row(graph, own, row.copy(), lost, cutoff)


def _paths(graph: Graph, blocks: Any, cutoff: Any, both: bool = False) -> Iterator[Any]:
    for rows, block, solution in blocks:
        lost = apsp.unreachable(solution.dtype)
        for own, row, tree in zip(rows, block, solution.predecessors(rows)):
            near = Row(graph, own, row.copy(), lost, cutoff)
            paths = Paths(graph, own, tree.copy(), near)
            yield graph.nodes[own], (near, paths) if both else paths


def all_pairs_shortest_path_length(G: Graph, cutoff: Any = None) -> Any:
    return _lengths(G, _blocks(G, None), _levels(cutoff))


def all_pairs_shortest_path(G: Graph, cutoff: Any = None) -> Any:
    return _paths(G, _blocks(G, None), _levels(cutoff))


def all_pairs_dijkstra_path_length(G: Graph, cutoff: Any = None, weight: Any = "weight") -> Any:
    return _lengths(G, _blocks(G, dijkstra_lengths(G, weight)), _cutoff(cutoff))


def all_pairs_dijkstra_path(G: Graph, cutoff: Any = None, weight: Any = "weight") -> Any:
    return _paths(G, _blocks(G, dijkstra_lengths(G, weight)), _cutoff(cutoff))


def all_pairs_dijkstra(G: Graph, cutoff: Any = None, weight: Any = "weight") -> Any:
    return _paths(G, _blocks(G, dijkstra_lengths(G, weight)), _cutoff(cutoff), both=True)


def all_pairs_bellman_ford_path_length(G: Graph, weight: Any = "weight") -> Any:
    return _lengths(G, _blocks(G, G.lengths(weight)), None)


def all_pairs_bellman_ford_path(G: Graph, weight: Any = "weight") -> Any:
    return _paths(G, _blocks(G, G.lengths(weight)), None)


def johnson(G: Graph, weight: Any = "weight") -> Any:
    lengths = G.lengths(weight)
    if len(G) == 0:
        return {}
    try:
        solution = G.solve(lengths)
    except Unbounded as error:
        raise nx.NetworkXUnbounded(str(error)) from None
    return dict(_paths(G, _blocks_of(solution), None))


def floyd_warshall(G: Graph, weight: Any = "weight") -> Any:
    return {G.nodes[own]: Full(G, own, row, apsp.unreachable(solution.dtype))
            for rows, block, solution in _blocks(G, G.lengths(weight))
            for own, row in zip(rows, block)}


def floyd_warshall_numpy(G: Graph, nodelist: Any = None, weight: Any = "weight") -> Any:
    if nodelist is not None and not len(nodelist) == len(G) == len(set(nodelist)):
        raise nx.NetworkXError(
            "nodelist must contain every node in G with no repeats."
            "If you wanted a subgraph of G use G.subgraph(nodelist)")
    if nodelist is not None and not set(nodelist) <= set(G.nodes):
        raise nx.NetworkXError("Nodes %s in nodelist is not in G" % (set(nodelist) - set(G.nodes)))
    if len(G) == 0:
        raise NotImplementedError("a graph without nodes")
    with _bounded(G.solve, G.lengths(weight)) as solution, served():
        table = distances(solution, solution.distances())
    if nodelist is not None:
        order = [G.number[node] for node in nodelist]
        table = table[np.ix_(order, order)]
    return table


def floyd_warshall_predecessor_and_distance(G: Graph, weight: Any = "weight") -> Any:
    if (G.source == G.target).any():
        raise NotImplementedError("loops")
    before, far = {}, {}
    for rows, block, solution in _blocks(G, G.lengths(weight)):
        lost = apsp.unreachable(solution.dtype)
        for own, row, tree in zip(rows, block, solution.predecessors(rows)):
            far[G.nodes[own]] = Full(G, own, row, lost)
            if (tree >= 0).any():
                before[G.nodes[own]] = Before(G, tree)
    return before, far


def floyd_warshall_tree(G: Graph, weight: Any = "weight") -> Any:
    return floyd_warshall_predecessor_and_distance(G, weight)


def negative_edge_cycle(G: Graph, weight: Any = "weight", heuristic: bool = True) -> Any:
    lengths = G.lengths(weight)
    if G.least(lengths) >= 0:
        return False
    edges = apsp.Edges(len(G), G.source, G.target, lengths)
    try:
        with served():
            apsp.shortest_path(edges, indices=0)  # the proof looks for cycles first
    except Unbounded:
        return True
    return False


def find_negative_cycle(G: Graph, source: Any, weight: Any = "weight") -> None:
    if source not in G or negative_edge_cycle(G, weight):
        raise NotImplementedError("which cycle NetworkX finds depends on its steps")
    raise nx.NetworkXError("No negative cycles detected.")
