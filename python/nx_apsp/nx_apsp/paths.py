"""NetworkX's functions of all pairs, Floyd and Warshall's, and of negative cycles."""

import math

import apsp
import networkx as nx
import numpy as np

from .graph import Unbounded, distances, served
from .mappings import Before, Full, Paths, Row


def _cutoff(cutoff):
    if cutoff is None:
        return None
    if isinstance(cutoff, bool) or not isinstance(cutoff, (int, float)) or not cutoff >= 0:
        raise NotImplementedError("cutoff is no number from 0 on")
    return cutoff


def _levels(cutoff):
    """NetworkX goes on to the next level while the cutoff is above the last one."""
    cutoff = _cutoff(cutoff)
    return math.ceil(cutoff) if cutoff is not None and cutoff < math.inf else cutoff


def dijkstra_lengths(graph, weight):
    """Lengths of edges, for functions that say nothing of negative ones."""
    lengths = graph.lengths(weight)
    if graph.least(lengths) < 0:
        raise NotImplementedError("negative weights")
    return lengths


def _bounded(solve, *arguments):
    """NetworkX has results of its own where there is a negative cycle."""
    try:
        return solve(*arguments)
    except Unbounded:
        raise NotImplementedError("a negative cycle") from None


def _blocks(graph, lengths):
    """All rows of a solution that is solved already, some at a time."""
    if len(graph) == 0:
        return iter(())
    return _blocks_of(_bounded(graph.solve, lengths))


def _blocks_of(solution):
    with solution:
        for rows, block in solution.blocks():
            yield rows, block, solution


def _lengths(graph, blocks, cutoff):
    for rows, block, solution in blocks:
        lost = apsp.unreachable(solution.dtype)
        for own, row in zip(rows, block):
            yield graph.nodes[own], Row(graph, own, row.copy(), lost, cutoff)


def _paths(graph, blocks, cutoff, both=False):
    for rows, block, solution in blocks:
        lost = apsp.unreachable(solution.dtype)
        for own, row, tree in zip(rows, block, solution.predecessors(rows)):
            near = Row(graph, own, row.copy(), lost, cutoff)
            paths = Paths(graph, own, tree.copy(), near)
            yield graph.nodes[own], (near, paths) if both else paths


def all_pairs_shortest_path_length(G, cutoff=None):
    return _lengths(G, _blocks(G, None), _levels(cutoff))


def all_pairs_shortest_path(G, cutoff=None):
    return _paths(G, _blocks(G, None), _levels(cutoff))


def all_pairs_dijkstra_path_length(G, cutoff=None, weight="weight"):
    return _lengths(G, _blocks(G, dijkstra_lengths(G, weight)), _cutoff(cutoff))


def all_pairs_dijkstra_path(G, cutoff=None, weight="weight"):
    return _paths(G, _blocks(G, dijkstra_lengths(G, weight)), _cutoff(cutoff))


def all_pairs_dijkstra(G, cutoff=None, weight="weight"):
    return _paths(G, _blocks(G, dijkstra_lengths(G, weight)), _cutoff(cutoff), both=True)


def all_pairs_bellman_ford_path_length(G, weight="weight"):
    return _lengths(G, _blocks(G, G.lengths(weight)), None)


def all_pairs_bellman_ford_path(G, weight="weight"):
    return _paths(G, _blocks(G, G.lengths(weight)), None)


def johnson(G, weight="weight"):
    lengths = G.lengths(weight)
    if len(G) == 0:
        return {}
    try:
        solution = G.solve(lengths)
    except Unbounded as error:
        raise nx.NetworkXUnbounded(str(error)) from None
    return dict(_paths(G, _blocks_of(solution), None))


def floyd_warshall(G, weight="weight"):
    return {G.nodes[own]: Full(G, own, row, apsp.unreachable(solution.dtype))
            for rows, block, solution in _blocks(G, G.lengths(weight))
            for own, row in zip(rows, block)}


def floyd_warshall_numpy(G, nodelist=None, weight="weight"):
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


def floyd_warshall_predecessor_and_distance(G, weight="weight"):
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


def floyd_warshall_tree(G, weight="weight"):
    return floyd_warshall_predecessor_and_distance(G, weight)


def negative_edge_cycle(G, weight="weight", heuristic=True):
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


def find_negative_cycle(G, source, weight="weight"):
    if source not in G or negative_edge_cycle(G, weight):
        raise NotImplementedError("which cycle NetworkX finds depends on its steps")
    raise nx.NetworkXError("No negative cycles detected.")
