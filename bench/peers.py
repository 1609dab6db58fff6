"""peers.py GRAPH.gr STATS.csv SOURCES [THREADS]

Dijkstra's algorithm from SOURCES vertices (0: from all) by SciPy, in so many processes, and by
networkit, in so many threads (default 2): of each the seconds for the distances and their
statistics, scaled to all vertices. The graph is read before, and is not counted. The statistics
must be those of STATS.csv, which apsp --stats has written. Run by peers.sh.
"""

import multiprocessing
import sys
import time

import networkit
import numpy
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

BLOCK = 64  # sources of a call: what it returns is BLOCK rows of doubles
UNREACHABLE = 1e300  # or more: infinity in SciPy, the largest double in networkit


def read_graph(path):
    """Number of vertices, and tails, heads and weights: parallel edges became the lightest, loops
    are left out."""
    with open(path, encoding="ascii") as file:
        fields = [line.split() for line in file if line[0] in "pa"]
    n = int(fields[0][2])
    tail, head, weight = numpy.array([edge[1:] for edge in fields[1:]], dtype=numpy.int64).T
    order = numpy.lexsort((weight, head, tail))
    tail, head, weight = tail[order] - 1, head[order] - 1, weight[order].astype(float)
    keep = tail != head
    keep[1:] &= (tail[1:] != tail[:-1]) | (head[1:] != head[:-1])
    return n, tail[keep], head[keep], weight[keep]


def count(rows):
    """Eccentricity, sum and number of finite distances of each row."""
    finite = rows < UNREACHABLE
    rows = numpy.where(finite, rows, 0)
    return numpy.stack(
        [rows.max(axis=1), rows.sum(axis=1), finite.sum(axis=1)], axis=1).astype(numpy.int64)


def by_scipy(sources):
    return count(dijkstra(matrix, indices=sources))


def run_scipy(blocks, processes):
    with multiprocessing.get_context("fork").Pool(processes) as pool:
        return numpy.concatenate(pool.map(by_scipy, blocks, chunksize=1))


def run_networkit(graph, blocks, threads):
    networkit.setNumberOfThreads(threads)
    found = []
    for sources in blocks:
        search = networkit.distance.SPSP(graph, sources.tolist())
        search.run()
        found.append(count(search.getDistances(asarray=True)))
    return numpy.concatenate(found)


path, stats, samples, lanes = sys.argv[1], sys.argv[2], int(sys.argv[3]), int((sys.argv + ["2"])[4])
n, tail, head, weight = read_graph(path)
samples = min(samples or n, n)
sources = numpy.arange(samples) * n // samples
blocks = [sources[at : at + BLOCK] for at in range(0, samples, BLOCK)]
right = numpy.loadtxt(stats, delimiter=",", skiprows=1, usecols=(1, 2, 3),
                      dtype=numpy.int64)[sources]
matrix = csr_array((weight, (tail, head)), shape=(n, n))
graph = networkit.GraphFromCoo((weight, (tail, head)), n=n, weighted=True, directed=True)
for run in (lambda: run_scipy(blocks, lanes)), (lambda: run_networkit(graph, blocks, lanes)):
    begin = time.perf_counter()
    found = run()
    print(f"{(time.perf_counter() - begin) * n / samples:.3f}", end=" ")
    if not numpy.array_equal(found, right):
        sys.exit("the statistics differ")
print(samples)
