"""Distances of reals that are rounded: sums.py APSP FOLDER SEEDS [OPTION ...]. Without negative
weights each has to be, bit for bit, the least sum in double precision of any path from its first
edge on, by Bellman and Ford's algorithm; with negative ones within the bound of the exact
rational: that of the path's edges, and what the choice of the path may be off by."""

import array
import random
import struct
import subprocess
import sys
from fractions import Fraction

apsp, folder, seeds, options = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4:]
INFINITY = float("inf")
narrow = "f32" in options


def weight(rng, kind):
    if kind == "zeros" and rng.random() < 0.4:
        return 0.0
    if kind == "mixed":
        return rng.random() * 2.0 ** rng.randint(-40, 12)
    if kind == "tiny":
        return rng.random() * 2.0 ** -1060
    return rng.random()


def graph(rng, kind):
    n = rng.randint(1, 24)
    height = [10 * rng.random() for _ in range(n)]
    edges = []
    for _ in range(rng.randint(0, 5 * n)):
        u, v = rng.randrange(n), rng.randrange(n)
        w = weight(rng, kind)
        if kind == "negative" and u != v:
            w = w + 0.01 + height[u] - height[v]
        edges.append((u, v, w))
    return n, edges


def row_of(n, edges, source, number):
    row = [None] * n
    row[source] = number(0)
    changed = True
    while changed:
        changed = False
        for u, v, w in edges:
            if row[u] is not None and (row[v] is None or row[u] + number(w) < row[v]):
                row[v], changed = row[u] + number(w), True
    return row


def rounded(value):
    return struct.unpack("f", struct.pack("f", value))[0] if narrow else value


for seed in range(seeds):
    rng = random.Random(seed)
    kind = ["plain", "zeros", "mixed", "negative", "tiny"][seed % (4 if narrow else 5)]
    n, edges = graph(rng, kind)
    name, out = folder + "/sums.mtx", folder + "/sums." + ("f32" if narrow else "f64")
    with open(name, "w") as file:
        file.write("%%%%MatrixMarket matrix coordinate real general\n%d %d %d\n" %
                   (n, n, len(edges)))
        for u, v, w in edges:
            file.write("%d %d %.17g\n" % (u + 1, v + 1, w))
    run = subprocess.run(
        [apsp, "--quiet", "--verify=all", "--force", "--no-progress", *options, name, out],
        capture_output=True,
        text=True)
    if run.returncode:
        sys.exit("seed %d, %s: %s" % (seed, kind, run.stderr))
    found = array.array("f" if narrow else "d")
    with open(out, "rb") as file:
        found.frombytes(file.read())
    sizes = sum(abs(Fraction(w)) for _, _, w in edges)
    for i in range(n):
        exact = row_of(n, edges, i, Fraction if kind == "negative" else float)
        for j, right in enumerate(exact):
            value = found[i * n + j]
            if kind == "negative" and right is not None and value < INFINITY:
                fits = abs(Fraction(value) - right) <= n * sizes / 2 ** (24 if narrow else 53)
            else:
                fits = value == (INFINITY if right is None else rounded(right))
            if not fits:
                sys.exit("seed %d, %s: %d to %d is %r, not %r" % (seed, kind, i, j, value, right))
print("%d graphs" % seeds)
