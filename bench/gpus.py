"""Several GPUs of one process in Python, beside one: python3 bench/gpus.py [GPUS [VERTICES]].

Prints the seconds of a solve with new weights on a solution that is there (`update`: the devices
have started) on one GPU and on several, their ratio, and whether 200 rows are equal.
"""

import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "python"))

import numpy
import apsp

gpus = int(sys.argv[1]) if len(sys.argv) > 1 else 2
vertices = int(sys.argv[2]) if len(sys.argv) > 2 else 40000
chance = numpy.random.default_rng(7)
source, target = chance.integers(0, vertices, (2, 8 * vertices))
weights = chance.integers(1, 1000, (2, 8 * vertices))
rows, seconds = [], []
for count in (1, gpus):
    edges = [apsp.Edges(vertices, source, target, weight) for weight in weights]
    with apsp.solve(edges[0], gpus=count, method="dense", dtype="int32") as solution:
        best = None
        for weight in (1, 0, 1):
            start = time.perf_counter()
            solution.update(edges[weight])
            took = time.perf_counter() - start
            best = took if best is None else min(best, took)
        seconds.append(best)
        rows.append(solution.distances(range(0, vertices, vertices // 200)))
        print(f"# gpus={count}: {solution.facts['ranks']} ranks on {solution.facts['device']}")
print(
    f"n = {vertices}: {seconds[0]:.4f} s on one GPU, {seconds[1]:.4f} s on {gpus}, "
    f"ratio {seconds[0] / seconds[1]:.3f}, rows "
    f"{'equal' if (rows[0] == rows[1]).all() else 'DIFFER'}"
)
