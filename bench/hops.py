#!/usr/bin/env python3
"""Statistics of the hop counts of all pairs beside NetworKit and igraph: make bench-hops.

hops.py [PATTERN]: graphs whose names have it. APSP_GRAPHS: the folder of the real graphs. Edges
lead both ways. All start from a graph in memory and end with the eccentricity, the sum and the
number of finite distances of each source, which are compared. The peers search from SOURCES
vertices (1,000), scaled to all; NetworKit has THREADS (2) as apsp has, igraph has one.
"""

import gzip
import os
import re
import sys
import time

import igraph
import networkit
import numpy as np

import apsp
from python_few import GRAPHS, generate, of_edges

SOURCES = int(os.environ.get("SOURCES", "1000"))
THREADS = int(os.environ.get("THREADS", "2"))
BLOCK = 64  # sources of a call of the peers
UNREACHABLE = 1e300


def read(name):
    """A list of edges."""
    with gzip.open(os.path.join(GRAPHS, name), "rt") as file:
        edges = np.loadtxt(file, dtype=np.int64, usecols=(0, 1), comments="#").T
    numbers = np.unique(edges, return_inverse=True)[1].reshape(edges.shape)
    return of_edges(numbers.max() + 1, *numbers, np.ones(numbers.shape[1]))


KINDS = [("Brightkite", lambda: read("brightkite.txt.gz")),
         ("Slashdot", lambda: read("soc-Slashdot0902.txt.gz")),
         ("R-MAT 2^16", lambda: generate(True, "rmat", "-n", "65536", "-d", "8", "-w", "1:1")),
         ("R-MAT 2^18", lambda: generate(True, "rmat", "-n", "262144", "-d", "16", "-w", "1:1"))]


def count(rows):
    """Eccentricity, sum and number of finite distances of each row."""
    finite = rows < UNREACHABLE
    rows = np.where(finite, rows, 0)
    return np.stack([rows.max(axis=1), rows.sum(axis=1), finite.sum(axis=1)], axis=1)


def by_networkit(graph, sources):
    search = networkit.distance.SPSP(graph, sources.tolist())
    search.run()
    return search.getDistances(asarray=True)


def by_igraph(graph, sources):
    return np.array(graph.distances(source=sources.tolist()), dtype=float)


def timed(distances, graph, sources):
    begun = time.perf_counter()
    found = [count(distances(graph, sources[at:at + BLOCK]))
             for at in range(0, len(sources), BLOCK)]
    return time.perf_counter() - begun, np.concatenate(found)


def compare(name, matrix):
    matrix = matrix.maximum(matrix.T).tocoo()
    n = matrix.shape[0]
    once = matrix.row < matrix.col
    tail, head = matrix.row[once], matrix.col[once]
    sources = np.arange(SOURCES) * n // SOURCES
    seconds = np.inf
    for _ in range(3):
        begun = time.perf_counter()
        stats = apsp.stats(matrix.tocsr(), device="cpu", threads=THREADS)
        seconds = min(seconds, time.perf_counter() - begun)
    right = np.stack([stats.eccentricity, stats.total, stats.reachable], axis=1)[sources]
    networkit.setNumberOfThreads(THREADS)
    peers = [(by_networkit, networkit.GraphFromCoo((np.ones(len(tail)), (tail, head)), n=n)),
             (by_igraph, igraph.Graph(n, np.stack([tail, head], axis=1)))]
    scaled = []
    for distances, graph in peers:
        taken, found = timed(distances, graph, sources)
        scaled.append(taken * n / SOURCES)
        if not np.array_equal(found, right):
            raise SystemExit("%s: %s differs" % (name, distances.__name__))
    print("| %-10s | %7d | %8d | %7.2f | %7.1f | %7.1f |" % (name, n, matrix.nnz, seconds, *scaled),
          flush=True)


def main():
    pattern = sys.argv[1] if len(sys.argv) > 1 else "."
    print("| graph | n | arcs | apsp, s | NetworKit, s | igraph, s |")
    print("|---|---|---|---|---|---|")
    for name, make in KINDS:
        if re.search(pattern, name):
            compare(name, make())


if __name__ == "__main__":
    main()
