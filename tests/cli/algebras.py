"""The algebras of --paths on random graphs, beside Floyd and Warshall's algorithm on values.

algebras.py APSP VERIFY FOLDER COUNT: COUNT graphs for each algebra, by every engine that serves,
on 1 to 3 ranks. Distances, predecessors, and that wrong rows fail verification. On cores, or
on the device ALGEBRAS_DEVICE. With APSP_LIBRARY, where Python's package finds libapsp, it solves
the graphs, and commands one of 20, by mpirun if it is there. PART=K/M takes part K of the graphs.
"""

import os
import shutil
import subprocess
import sys

import numpy

if "APSP_LIBRARY" in os.environ:
    sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "python"))
    import apsp
else:
    apsp = None

APSP, VERIFY = (os.path.abspath(path) for path in sys.argv[1:3])
FOLDER, COUNT = sys.argv[3], int(sys.argv[4])
UNREACHABLE = {"i4": 2**30 - 1, "i8": 2**62 - 1}
UNIT = 2.0**-53
DEVICE = os.environ.get("ALGEBRAS_DEVICE", "cpu")
COMMANDS = 20  # one of so many graphs, where others are solved by the package
MPIRUN = shutil.which("mpirun")
PART, PARTS = map(int, os.environ.get("PART", "0/1").split("/"))


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


def spoil(values, absent):
    """One value that is not the right one, or one that is there for none."""
    i, j = (int(rng.integers(len(values))) for _ in range(2))
    if absent[i, j]:
        values[i, j] = values[i, i]
    elif values.dtype.kind == "f":
        values[i, j] = values[i, j] * (1 + 1e-9) if values[i, j] else 1e-9
    else:
        values[i, j] += int(rng.choice([-1, 1]))
    return values


class Commands:
    """Solves by the commands of a shell."""

    def __init__(self, algebra, edges, by_mpi):
        self.algebra, self.by_mpi = algebra, by_mpi
        with open(os.path.join(FOLDER, "graph.csv"), "w") as out:
            out.writelines("%d,%d,%r\n" % edge for edge in edges)
        self.graph = ["--columns", "1,2,3", "graph.csv"]

    def solve(self, engine, ranks):
        start = [APSP, "--ranks", str(ranks)] if DEVICE == "cpu" else [APSP]
        if self.by_mpi:
            start = [MPIRUN, "--allow-run-as-root", "--oversubscribe", "-n", str(ranks), APSP]
        result = run(
            *start, "--quiet", "--device", DEVICE, "--share-gpus", "--force", "--verify=all",
            "--method", engine, "--paths", self.algebra.name, "--predecessors", "trees.npy",
            *self.graph, "values.npy",
        )
        if result.returncode:
            fail("%s on %d ranks, %s" % (engine, ranks, self.algebra.name), result)
        return load("values.npy"), load("trees.npy")[0]

    def accepts(self, values):
        numpy.save(os.path.join(FOLDER, "wrong.npy"), values)
        result = run(VERIFY, "--paths", self.algebra.name, *self.graph, "wrong.npy")
        if result.returncode not in (0, 8):
            fail("verification", result)
        return result.returncode == 0


class Package:
    """Solves by Python's package in this process. Ranks are threads."""

    def __init__(self, algebra, n, edges):
        self.settings = {"paths": algebra.name, "device": DEVICE, "threads": 1}
        self.edges = apsp.Edges(n, *(list(column) for column in zip(*edges)))

    def solve(self, engine, ranks):
        whole = not isinstance(self.edges.weight[0], float)
        with apsp.solve(self.edges, method=engine, ranks=ranks, verify="all",
                        dtype="int64" if whole else "float64", **self.settings) as solution:
            values, trees = solution.distances(), solution.predecessors()
        trees[trees < 0] = -1
        return (values, values == UNREACHABLE["i8"] if whole else numpy.isinf(values)), trees

    def accepts(self, values):
        try:
            apsp.verify(self.edges, values, **self.settings)
        except apsp.CertificateError:
            return False
        return True


def try_graph(algebra, number):
    undirected = number % 4 == 3
    n, edges = draw(algebra, undirected)
    right, direct = algebra.solve(n, edges)
    engines = ["dense", "sparse", "sssp"]
    if undirected and algebra.name != "reliable":
        engines.append("spanning")
    if apsp and number % COMMANDS:
        solver = Package(algebra, n, edges)
    else:
        by_mpi = number // COMMANDS % 2 if apsp else DEVICE == "gpu"  # ranks that share a GPU
        solver = Commands(algebra, edges, MPIRUN and by_mpi)
    for k, engine in enumerate(engines):
        ranks = (number + k) % 3 + 1
        (values, absent), trees = solver.solve(engine, ranks)
        if not same(algebra, values, absent, right):
            fail("%s on %d ranks, %s: wrong values" % (engine, ranks, algebra.name))
        if not check_trees(algebra, trees, right, direct):
            fail("%s on %d ranks, %s: wrong predecessors" % (engine, ranks, algebra.name))
    if not solver.accepts(values):
        fail("%s: right rows fail verification" % algebra.name)
    if solver.accepts(spoil(values.copy(), absent)):
        fail("%s: a wrong row is accepted" % algebra.name)


for which, algebra in enumerate(ALGEBRAS):
    mine = range(PART, COUNT, PARTS)
    for number in mine:
        rng = numpy.random.default_rng([int(os.environ.get("SEED", "1")), which, number])
        try_graph(algebra, number)
    print("pass %s: %d graphs" % (algebra.name, len(mine)))
