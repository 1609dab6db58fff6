"""The algebras of --paths on random graphs, beside Floyd and Warshall's algorithm on values.

algebras.py APSP VERIFY FOLDER COUNT: COUNT graphs for each algebra, by every engine that serves,
on 1 to 3 ranks. Distances, predecessors, and that wrong rows fail verification.
"""

import os
import subprocess
import sys

import numpy

APSP, VERIFY = (os.path.abspath(path) for path in sys.argv[1:3])
FOLDER, COUNT = sys.argv[3], int(sys.argv[4])
UNREACHABLE = {"i4": 2**30 - 1, "i8": 2**62 - 1}
UNIT = 2.0**-53

rng = numpy.random.default_rng(int(os.environ.get("SEED", "1")))


class Algebra:
    def __init__(self, name, combine, better, neutral):
        self.name, self.combine, self.better, self.neutral = name, combine, better, neutral
        self.worst = numpy.inf if better is numpy.minimum else -numpy.inf

    def solve(self, n, edges):
        """The matrix of values; infinity where no path leads."""
        values = numpy.full((n, n), self.worst)
        for u, v, weight in edges:
            if u != v:
                values[u, v] = self.better(values[u, v], weight)
        direct = values.copy()
        numpy.fill_diagonal(values, self.neutral([w for u, v, w in edges if u != v]))
        for k in range(n):
            through = numpy.where(
                numpy.isinf(values[:, k, None]) | numpy.isinf(values[None, k, :]),
                self.worst,
                self.combine(values[:, k, None], values[None, k, :]),
            )
            values = self.better(values, through)
        return numpy.where(numpy.isinf(values), numpy.inf, values), direct


ALGEBRAS = [
    Algebra("bottleneck", numpy.maximum, numpy.minimum, lambda w: min([0] + w)),
    Algebra("widest", numpy.minimum, numpy.maximum, lambda w: max([0] + w)),
    Algebra("reliable", numpy.multiply, numpy.maximum, lambda w: 1.0),
]

WEIGHTS = {
    "few": lambda: int(rng.integers(0, 4)),
    "whole": lambda: int(rng.integers(-(10**5), 10**5)),
    "wide": lambda: int(rng.integers(0, 2**61)),
    "decimal": lambda: float("%.3f" % rng.normal(0, 3)),
    "real": lambda: float(rng.normal(0, 1e3)),
    "natural": lambda: float(rng.gamma(1)),
    "equal": lambda: 7,
}
PROBABILITIES = {
    "real": lambda: 1 - float(rng.random()),
    "decimal": lambda: float("%.2f" % (0.01 + 0.99 * rng.random())),
    "high": lambda: 1 - 1e-9 * float(rng.random()),
    "sure": lambda: 1,
}


def draw(algebra, undirected):
    n = int(rng.integers(1, 24))
    kinds = PROBABILITIES if algebra.name == "reliable" else WEIGHTS
    weight = kinds[rng.choice(list(kinds))]
    edges = [
        (int(rng.integers(n)), int(rng.integers(n)), weight())
        for _ in range(int(rng.integers(1, 4 * n + 1)))
    ]
    edges.append((n - 1, n - 1, weight()))
    edges += [(v, v, weight()) for v in range(n)]
    if undirected:
        edges += [(v, u, w) for u, v, w in edges]
    return n, edges


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, cwd=FOLDER)


def fail(what, result=None):
    sys.exit("algebras: %s%s" % (what, ": " + result.stderr if result else ""))


def load(name):
    values = numpy.load(os.path.join(FOLDER, name))
    code = UNREACHABLE.get(values.dtype.str[1:])
    return values, values == code if code else numpy.isinf(values)


def same(algebra, values, absent, right):
    """Whether values are right; reliabilities but for the stated rounding."""
    if not numpy.array_equal(absent, numpy.isinf(right)):
        return False
    given, wanted = values[~absent], right[~absent]
    if algebra.name != "reliable":
        return numpy.array_equal(given.astype(float), wanted)
    slack = ((len(values) + 1) * -numpy.log(wanted) + 2 + len(values)) * UNIT
    return numpy.all(abs(given - wanted) <= slack * wanted)


def check_trees(algebra, trees, right, direct):
    """Walks from every vertex back to the source: a path, and one of the right value."""
    n = len(trees)
    for source in range(n):
        for end in range(n):
            value, at, steps = None, end, 0
            while at != source and trees[source, at] >= 0 and steps < n:
                before = trees[source, at]
                edge = direct[before, at]
                value = edge if value is None else algebra.combine(edge, value)
                at, steps = before, steps + 1
            if numpy.isinf(right[source, end]) or source == end:
                if trees[source, end] != -1:
                    return False
            elif at != source or abs(value - right[source, end]) > 1e-12 * abs(value):
                return False
    return True


def check_wrong(algebra, graph):
    """One value that is not the right one, or one that is there for none."""
    values, absent = load("values.npy")
    i, j = (int(rng.integers(len(values))) for _ in range(2))
    if absent[i, j]:
        values[i, j] = values[i, i]
    elif values.dtype.kind == "f":
        values[i, j] = values[i, j] * (1 + 1e-9) if values[i, j] else 1e-9
    else:
        values[i, j] += int(rng.choice([-1, 1]))
    numpy.save(os.path.join(FOLDER, "wrong.npy"), values)
    result = run(VERIFY, "--paths", algebra.name, *graph, "wrong.npy")
    if result.returncode != 8:
        fail("%s: a wrong row is accepted" % algebra.name, result)


def try_graph(algebra, number):
    undirected = number % 4 == 3
    n, edges = draw(algebra, undirected)
    right, direct = algebra.solve(n, edges)
    with open(os.path.join(FOLDER, "graph.csv"), "w") as out:
        out.writelines("%d,%d,%r\n" % edge for edge in edges)
    graph = ["--columns", "1,2,3", "graph.csv"]
    engines = ["dense", "sparse", "sssp"]
    if undirected and algebra.name != "reliable":
        engines.append("spanning")
    for k, engine in enumerate(engines):
        ranks = (number + k) % 3 + 1
        result = run(
            APSP, "--quiet", "--device", "cpu", "--force", "--verify=all", "--ranks", str(ranks),
            "--method", engine, "--paths", algebra.name, "--predecessors", "trees.npy",
            *graph, "values.npy",
        )
        if result.returncode:
            fail("%s on %d ranks, %s" % (engine, ranks, algebra.name), result)
        if not same(algebra, *load("values.npy"), right):
            fail("%s on %d ranks, %s: wrong values" % (engine, ranks, algebra.name))
        if not check_trees(algebra, load("trees.npy")[0], right, direct):
            fail("%s on %d ranks, %s: wrong predecessors" % (engine, ranks, algebra.name))
    check_wrong(algebra, graph)
    result = run(VERIFY, "--paths", algebra.name, *graph, "values.npy")
    if result.returncode:
        fail("%s: right rows fail verification" % algebra.name, result)


for algebra in ALGEBRAS:
    for number in range(COUNT):
        try_graph(algebra, number)
    print("pass %s: %d graphs" % (algebra.name, COUNT))
