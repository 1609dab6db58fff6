#!/usr/bin/env python3
"""All rows of a road network in a GPU's memory, from SciPy's matrix:
make bench-python-rows-gpu.

python_rows_gpu.py [PATTERN]: cases whose names have it. APSP_GRAPHS: the folder of the real graphs.
The GPU is started before. Seconds, the least and the median of RUNS (5):

cold     a solution is made, and its rows
rows     the rows of a solution, in memory that is new
into     the same in the memory of rows before
update   other weights on the order of the first ones, without rows
memory   as many bytes of the GPU are allocated and freed, by CuPy if there is one
fill     and filled
"""

import os
import re
import sys
import time

import numpy as np
import scipy.sparse as sparse

import apsp

GRAPHS = os.environ.get("APSP_GRAPHS", "../shared/graphs")
RUNS = int(os.environ.get("RUNS", "5"))
TYPES = ("int32", "uint16", "float64")


def roads(weights):
    """The roads of the USA, both ways, with weights 1 to that number."""
    path = os.path.join(GRAPHS, "usroads48.txt.gz")
    ends = np.loadtxt(path, dtype=np.int64, comments=("#", "%"))[:, :2].T - 1
    ends = np.unique(np.sort(ends[:, ends[0] != ends[1]], axis=0), axis=1)
    values = np.random.default_rng(1).integers(1, weights + 1, ends.shape[1]).astype(np.int32)
    n = int(ends.max()) + 1
    matrix = sparse.coo_array((values, (ends[0], ends[1])), shape=(n, n))
    return sparse.csr_array(matrix + matrix.T)


def measure(*steps):
    """The least and the median seconds of each step, which takes what the one before returned."""
    seconds = []
    for _ in range(RUNS):
        value, spent = None, []
        for step in steps:
            begun = time.perf_counter()
            value = step(value)
            spent.append(time.perf_counter() - begun)
        seconds.append(spent)
        del value
    return [(min(of), sorted(of)[RUNS // 2]) for of in zip(*seconds)]


def fill_seconds(bytes_):
    try:
        import cupy
    except ImportError:
        return None

    def fill(_):
        memory.memset(1, bytes_)
        cupy.cuda.Stream.null.synchronize()

    def take(_):
        runtime.free(runtime.malloc(bytes_))

    runtime = cupy.cuda.runtime
    show("memory", measure(take)[0])
    memory = cupy.cuda.MemoryPointer(cupy.cuda.Memory(bytes_), 0)
    fill(None)
    return measure(fill)[0]


def rows_of(solution):
    solution.distances(out="device")


def show(name, seconds):
    text = "%.3f, %.3f" % seconds if seconds else "no CuPy"
    print("  %-7s %s" % (name, text), flush=True)


def main():
    pattern = re.compile(sys.argv[1] if len(sys.argv) > 1 else "")
    print("seconds of %d runs: least, median" % RUNS)
    for weights in (1, 10):
        matrix = roads(weights)
        other = matrix.copy()
        other.data = other.data.max() + 1 - other.data
        for dtype in TYPES:
            name = "usroads48 weights 1:%d %s" % (weights, dtype)
            if not pattern.search(name):
                continue
            bytes_ = matrix.shape[0] ** 2 * np.dtype(dtype).itemsize
            print("%s, %.1f GB" % (name, bytes_ * 1e-9))
            for method in ("auto", "sparse"):
                kept = apsp.solve(matrix, dtype=dtype, method=method, device="gpu")
                rows_of(kept)

                def solve():
                    return apsp.solve(matrix, dtype=dtype, method=method, device="gpu")

                show(method, measure(lambda _: rows_of(solve()))[0])
                if method == "sparse":
                    show("rows", measure(lambda _: rows_of(kept))[0])
                    room = kept.distances(out="device")
                    show("into", measure(lambda _: kept.distances(out=room))[0])
                    del room
                    show("update", measure(lambda _: kept.update(other))[0])
                del kept
            show("fill", fill_seconds(bytes_))


if __name__ == "__main__":
    main()
