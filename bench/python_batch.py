#!/usr/bin/env python3
"""Seconds for 10,000 small graphs in one call, beside a loop over SciPy's floyd_warshall, and how
many times faster: make bench-python-batch.

The graphs are those of bench/python_calls.py. Results are compared before. Rounds alternate between
the functions; of each the least wall time counts: of calls right after SciPy's loop, and of calls
one after another. They differ by the memory of new results: where a virtual machine gives freed
memory back to its host, the first ones wait for the host. A new array alone, which two threads
fill, has its times too: no call with such a result can take less.
"""

import argparse
import random
import threading
import time

import numpy as np
import scipy
from python_calls import molecule
from scipy.sparse import csgraph

import apsp

LOOPS = "scipy, a loop", "scipy, a loop, predecessors"


def filled(array):
    """By two threads, a half each."""
    threads = [threading.Thread(target=half.fill, args=(np.inf,))
               for half in np.array_split(array.reshape(-1), 2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def measure(function, column):
    begun = time.perf_counter()
    function()
    column.append(time.perf_counter() - begun)


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
        LOOPS[0]: lambda: [csgraph.floyd_warshall(graph) for graph in graphs],
        LOOPS[1]: lambda: [
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
    right = rows[LOOPS[0]]()
    for name in ("padded", "padded, float32", "list"):
        for found, d in zip(rows[name](), right):
            assert np.array_equal(found[:len(d), :len(d)], d), name
    rows["a new array, filled"] = lambda: filled(np.empty(stack.shape))
    times = {name: ([], []) for name in rows}
    for _ in range(arguments.rounds):
        for name, function in rows.items():
            if name not in LOOPS:
                rows[LOOPS[0]]()
                measure(function, times[name][0])
        for name, function in rows.items():
            measure(function, times[name][1])
            if name not in LOOPS:
                measure(function, times[name][1])
    print("apsp %s, NumPy %s, SciPy %s: %d graphs, the least of %d rounds" % (
        apsp.__version__, np.__version__, scipy.__version__, len(graphs), arguments.rounds))
    print("%-28s %24s %24s" % ("seconds, and times SciPy", "after SciPy's loop",
                               "one after another"))
    for name, columns in times.items():
        loop = min(times[LOOPS["pred" in name]][1])
        print("%-28s" % name, *("%10.4f %13.1f" % (min(column), loop / min(column)) if column
                                else " " * 24 for column in columns))


if __name__ == "__main__":
    main()
