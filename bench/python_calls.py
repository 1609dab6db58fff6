#!/usr/bin/env python3
"""Microseconds that a call takes on small graphs, beside SciPy: make bench-python-calls.

10,000 graphs like molecules, of 10 to 60 vertices: a random tree, and an edge more for every six
vertices, all of weight 1, undirected. Every call gets a NumPy array or a SciPy matrix, and all
distances as float64. Rounds alternate between the functions, and of each function the least
processor time and the least wall time of a round count. Distances are compared before.
"""

import argparse
import random
import time

import numpy as np
import scipy
from scipy import sparse
from scipy.sparse import csgraph

import apsp


def molecule(chance, least, most):
    """The matrix of one graph."""
    n = chance.randint(least, most)
    matrix = np.zeros((n, n))
    pairs = [(v, chance.randrange(max(0, v - 4), v)) for v in range(1, n)]
    pairs += [chance.sample(range(n), 2) for _ in range(n // 6)]
    for u, v in pairs:
        matrix[u, v] = matrix[v, u] = 1
    return matrix


def measure(function, graphs):
    """Microseconds of processor time and of wall time a call."""
    worked, begun = time.process_time(), time.perf_counter()
    for graph in graphs:
        function(graph)
    worked, spent = time.process_time() - worked, time.perf_counter() - begun
    return 1e6 * worked / len(graphs), 1e6 * spent / len(graphs)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--graphs", type=int, default=10000)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--vertices",
                        type=int,
                        nargs=2,
                        default=(10, 60),
                        metavar=("LEAST", "MOST"))
    arguments = parser.parse_args()
    chance = random.Random(1)
    dense = [molecule(chance, *arguments.vertices) for _ in range(arguments.graphs)]
    edges = [sparse.csr_array(matrix) for matrix in dense]
    rows = {
        "apsp.shortest_path, dense": (apsp.shortest_path, dense),
        "apsp.shortest_path, csr": (apsp.shortest_path, edges),
        "scipy shortest_path, csr": (csgraph.shortest_path, edges),
        "scipy floyd_warshall, dense": (csgraph.floyd_warshall, dense),
    }
    for name, (function, graphs) in rows.items():
        for k in range(0, len(dense), 97):
            assert np.array_equal(function(graphs[k]), csgraph.dijkstra(edges[k])), name
    times = {name: [] for name in rows}
    for _ in range(arguments.rounds):
        for name, (function, graphs) in rows.items():
            times[name].append(measure(function, graphs))
    print("apsp %s, NumPy %s, SciPy %s: %d graphs, the least of %d rounds" % (
        apsp.__version__, np.__version__, scipy.__version__, len(dense), arguments.rounds))
    print("%-28s %12s %12s" % ("microseconds a call", "processor", "wall"))
    for name in rows:
        print("%-28s %12.1f %12.1f" % (name, *(min(column) for column in zip(*times[name]))))


if __name__ == "__main__":
    main()
