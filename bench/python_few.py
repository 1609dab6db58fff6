#!/usr/bin/env python3
"""One, 10 and 100 sources beside SciPy, both from a matrix in memory: make bench-python-few.

python_few.py [PATTERN]: graphs whose names have it. APSP_GRAPHS: the folder of the real graphs.
Both calls give float64. Runs alternate, and of each the best counts; SciPy has one thread, apsp
two. Distances are compared. R-MAT graphs have weights, and both directions.
"""

import gzip
import os
import re
import subprocess
import sys
import tempfile
import time

os.environ.setdefault("OMP_NUM_THREADS", "2")

import numpy as np
import scipy.sparse as sparse
from scipy.sparse import csgraph

import apsp

BUILD = os.environ.get("BUILD", "build")
GRAPHS = os.environ.get("APSP_GRAPHS", "../shared/graphs")
SPENT = float(os.environ.get("SPENT", "6"))  # seconds of a comparison, at least ROUNDS
ROUNDS = 3


def of_edges(n, tail, head, weight):
    """Of parallel edges the lightest; no loops."""
    order = np.lexsort((weight, head, tail))
    tail, head, weight = tail[order], head[order], weight[order]
    first = np.r_[True, (np.diff(tail) != 0) | (np.diff(head) != 0)] & (tail != head)
    edges = (weight[first].astype(float), (tail[first], head[first]))
    return sparse.csr_array(edges, shape=(n, n))


def read(name):
    """A file of DIMACS."""
    path = os.path.join(GRAPHS, name)
    with (gzip.open if path.endswith("gz") else open)(path, "rb") as file:
        lines = [line for line in file if line[:1] in b"pa"]
    edges = np.array([line.split()[1:] for line in lines[1:]], dtype=np.int64).T
    return of_edges(int(lines[0].split()[2]), edges[0] - 1, edges[1] - 1, edges[2])


def generate(both, *options):
    with tempfile.NamedTemporaryFile(suffix=".bin") as file:
        subprocess.run([BUILD + "/apsp-gen", *options, "-s", "1", "-o", file.name, "--force"],
                       check=True, stdout=subprocess.DEVNULL)
        numbers = np.fromfile(file.name, dtype="<i4")
    tail, head, weight = numbers[2:].reshape(-1, 3).T
    if both:
        tail, head, weight = np.r_[tail, head], np.r_[head, tail], np.r_[weight, weight]
    return of_edges(numbers[0], tail, head, weight)


KINDS = [("New York", lambda: read("USA-road-d.NY.gr.gz")),
         ("Luxembourg", lambda: read("luxembourg.gr")),
         ("grid of 10^6", lambda: generate(False, "grid", "-n", "1000000", "-w", "1:1000")),
         ("R-MAT 2^18", lambda: generate(True, "rmat", "-n", "262144", "-d", "16", "-w", "1:100"))]


def timed(function):
    begun = time.perf_counter()
    result = function()
    return time.perf_counter() - begun, result


def compare(name, matrix, count):
    indices = np.arange(count) * matrix.shape[0] // count
    calls = (lambda: apsp.shortest_path(matrix, indices=indices, device="cpu"),
             lambda: csgraph.dijkstra(matrix, indices=indices))
    seconds = [np.inf, np.inf]
    begun, rounds = time.perf_counter(), 0
    while rounds < ROUNDS or time.perf_counter() - begun < SPENT:
        rows, rounds = [], rounds + 1
        for k, call in enumerate(calls):
            taken, distances = timed(call)
            rows.append(distances)
            seconds[k] = min(seconds[k], taken)
        if not np.array_equal(*rows):
            raise SystemExit("%s, %d sources: the distances differ" % (name, count))
    print("| %-12s | %7d | %8d | %3d | %7.3f | %7.3f | %5.2f |" % (
        name, matrix.shape[0], matrix.nnz, count, *seconds, seconds[0] / seconds[1]), flush=True)


def main():
    pattern = sys.argv[1] if len(sys.argv) > 1 else "."
    print("| graph | n | arcs | sources | apsp, s | SciPy, s | apsp / SciPy |")
    print("|---|---|---|---|---|---|---|")
    for name, make in KINDS:
        if re.search(pattern, name):
            matrix = make()
            for count in (1, 10, 100):
                compare(name, matrix, count)


if __name__ == "__main__":
    main()
