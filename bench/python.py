#!/usr/bin/env python3
"""Whole process and Python call beside SciPy, igraph and networkit: make bench-python.

All on the same graphs in one run, with 2 threads each where they can (SciPy and igraph have one).
A call takes the graph as its package has it, and gives float64 distances; apsp's takes SciPy's
matrix, conversion included. The whole process goes from a file to a file, in memory where /dev/shm
is. Each time is the best of up to three; distances are compared before. Rows that apsp loses are
marked.
"""

import os
import subprocess
import sys
import tempfile
import time

os.environ["OMP_NUM_THREADS"] = "2"

import numpy as np
import scipy
import scipy.sparse as sparse
from scipy.sparse import csgraph

import apsp

try:
    import igraph
except ImportError:
    igraph = None
try:
    import networkit
    networkit.setNumberOfThreads(2)
except ImportError:
    networkit = None

BUILD = os.environ.get("BUILD", "build")
FEW = 6  # seconds for repetitions of one measurement


def best(function):
    """Seconds, and what it gave."""
    times, result = [], None
    while len(times) < 3 and sum(times) < FEW:
        result = None  # its memory is free again
        begun = time.perf_counter()
        result = function()
        times.append(time.perf_counter() - begun)
    return min(times), result


def generated(family, n, *options):
    with tempfile.NamedTemporaryFile(suffix=".bin") as file:
        subprocess.run([
            BUILD + "/apsp-gen", family, "-n",
            str(n), "-s", "1", "-w", "1:1000", "-o", file.name, "--force", *options
        ],
                       check=True,
                       stdout=subprocess.DEVNULL)
        numbers = np.fromfile(file.name, dtype="<i4")
    return edges_to_matrix(numbers[0], numbers[2:].reshape(-1, 3).T)


def edges_to_matrix(n, edges):
    """Of parallel edges the lightest; no loops."""
    source, target, weight = edges
    order = np.lexsort((weight, target, source))
    source, target, weight = source[order], target[order], weight[order]
    first = np.r_[True, (np.diff(source) != 0) | (np.diff(target) != 0)] & (source != target)
    return sparse.csr_array((weight[first].astype(float), (source[first], target[first])),
                            shape=(n, n))


def whole_process(matrix, folder):
    rows = matrix.tocoo()
    graph, out = os.path.join(folder, "graph.bin"), os.path.join(folder, "distances.npy")
    with open(graph, "wb") as file:
        np.array([matrix.shape[0], rows.nnz], dtype="<i4").tofile(file)
        np.column_stack([rows.row, rows.col, rows.data]).astype("<i4").tofile(file)
    line = [
        BUILD + "/apsp", "--device", "cpu", "--quiet", "--force", "--output-type", "f64", graph, out
    ]
    seconds, _ = best(lambda: subprocess.run(line, check=True))
    return seconds, np.load(out)


def igraph_call(matrix):
    rows = matrix.tocoo()
    graph = igraph.Graph(n=matrix.shape[0],
                         edges=np.column_stack([rows.row, rows.col]),
                         directed=True)
    weights = rows.data.tolist()
    return best(lambda: graph.distances(weights=weights, mode="out", algorithm="dijkstra"))


def networkit_call(matrix):
    graph, rows = networkit.Graph(matrix.shape[0], weighted=True, directed=True), matrix.tocoo()
    for u, v, w in zip(rows.row.tolist(), rows.col.tolist(), rows.data.tolist()):
        graph.addEdge(u, v, w)
    found = networkit.distance.APSP(graph)
    seconds, _ = best(found.run)
    return seconds, found.getDistances()


def measure(matrix, folder):
    """Tool, threads, seconds, distances."""
    yield "apsp, process", 2, *whole_process(matrix, folder)
    yield "apsp, call", 2, *best(lambda: apsp.shortest_path(matrix, device="cpu"))
    dense = matrix.nnz > matrix.shape[0] ** 2 / 4
    name = "FW" if dense else "D"
    yield "SciPy, " + name, 1, *best(lambda: csgraph.shortest_path(matrix, method=name))
    if igraph:
        yield "igraph", 1, *igraph_call(matrix)
    if networkit:
        yield "networkit", 2, *networkit_call(matrix)


def one_source(matrix):
    yield "apsp, call", 2, *best(lambda: apsp.shortest_path(matrix, indices=0, device="cpu"))
    yield "SciPy, D", 1, *best(lambda: csgraph.dijkstra(matrix, indices=0))


def show(title, matrix, rows):
    right = ours = None
    for tool, threads, seconds, distances in rows:
        distances = np.asarray(distances, dtype=float)
        distances[distances > 1e300] = np.inf
        right = distances if right is None else right
        if not np.array_equal(distances, right):
            raise SystemExit("%s: %s has other distances" % (title, tool))
        ours = seconds if tool == "apsp, call" else ours
        beside = "" if ours is None else "%8.2f" % (seconds / ours)
        lost = "  lost by apsp" if ours is not None and seconds < ours else ""
        print("| %-28s | %6d | %8d | %-13s | %d | %9.4f | %8s |%s" % (
            title, matrix.shape[0], matrix.nnz, tool, threads, seconds, beside, lost), flush=True)


def main():
    names = [("numpy", np), ("scipy", scipy), ("igraph", igraph), ("networkit", networkit)]
    print(
        "apsp %s; %s; Python %s, %d cores" %
        (apsp.__version__, ", ".join("%s %s" % (name, m.__version__) if m else "no " + name
                                     for name, m in names), sys.version.split()[0], os.cpu_count()))
    print("| graph | n | m | who | threads | seconds | / call |\n|---|---|---|---|---|---|---|")
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    graphs = [("complete", generated("dense", 64)), ("grid", generated("grid", 1024)),
              ("complete", generated("dense", 1000)),
              ("random, degree 8", generated("random", 3000, "-d", "8")),
              ("grid with gaps", generated("grid", 8100))]
    with tempfile.TemporaryDirectory(dir=memory) as folder:
        for title, matrix in graphs:
            show(title, matrix, measure(matrix, folder))
    show("grid with gaps, one source", matrix, one_source(matrix))


if __name__ == "__main__":
    main()
