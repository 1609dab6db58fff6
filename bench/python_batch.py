#!/usr/bin/env python3
"""Seconds for 10,000 small graphs in one call, beside a loop over SciPy's floyd_warshall, and how
many times faster: make bench-python-batch.

The graphs are those of bench/python_calls.py. Rounds alternate between the functions; of each the
least wall time counts. Results are compared before.
"""

import argparse
import random
import time

import numpy as np
import scipy
from python_calls import molecule
from scipy.sparse import csgraph

import apsp


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--graphs", type=int, default=10000)
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    chance = random.Random(1)
    graphs = [molecule(chance, 10, 60) for _ in range(arguments.graphs)]
    sizes = np.array([len(graph) for graph in graphs])
    stack = np.zeros((len(graphs), 60, 60))
    for k, graph in enumerate(graphs):
        stack[k, :len(graph), :len(graph)] = graph
    room = np.empty(stack.shape), np.empty(stack.shape, np.int32)
    batch = apsp.shortest_path_batch
    rows = {
        "scipy, a loop": lambda: [csgraph.floyd_warshall(graph) for graph in graphs],
        "scipy, a loop, predecessors": lambda: [
            csgraph.floyd_warshall(graph, return_predecessors=True) for graph in graphs],
        "padded": lambda: batch(stack, sizes),
        "padded, out=": lambda: batch(stack, sizes, out=room[0]),
        "padded, float32": lambda: batch(stack, sizes, dtype="float32"),
        "list": lambda: batch(graphs),
        "padded, predecessors": lambda: batch(stack, sizes, return_predecessors=True),
        "padded, out=, predecessors": lambda: batch(stack, sizes, return_predecessors=True,
                                                    out=room),
        "list, predecessors": lambda: batch(graphs, return_predecessors=True),
    }
    right = rows["scipy, a loop"]()
    for name in ("padded", "padded, float32", "list"):
        for found, d in zip(rows[name](), right):
            assert np.array_equal(found[:len(d), :len(d)], d), name
    times = {name: [] for name in rows}
    for _ in range(arguments.rounds):
        for name, function in rows.items():
            begun = time.perf_counter()
            function()
            times[name].append(time.perf_counter() - begun)
    print("apsp %s, NumPy %s, SciPy %s: %d graphs, the least of %d rounds" % (
        apsp.__version__, np.__version__, scipy.__version__, len(graphs), arguments.rounds))
    for name, column in times.items():
        loop = "scipy, a loop, predecessors" if "pred" in name else "scipy, a loop"
        print("%-28s %8.4f s %8.1f times" % (name, min(column), min(times[loop]) / min(column)))


if __name__ == "__main__":
    main()
