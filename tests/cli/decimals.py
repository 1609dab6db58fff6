"""Graphs of decimal weights against exact rationals: decimals.py APSP FOLDER COUNT [OPTION ...].
Floyd and Warshall's algorithm on Python's fractions; float() of one rounds correctly, and what
apsp writes has to be that, which apsp-verify beside it has to see, as it sees a neighbouring
double, and one unit more."""

import array
import math
import random
import subprocess
import sys
from fractions import Fraction

apsp, folder, count, options = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4:]
scaled = refuted = 0


def decimal(rng, places, exponent):
    """The text of a positive number with so many digits after the point, and its value."""
    digits = str(rng.randint(1, 10 ** rng.randint(1, 5)))
    if places:
        digits += "." + "".join(rng.choice("0123456789") for _ in range(places))
    if exponent:
        digits += "e%d" % exponent
    return digits, Fraction(digits)


def negative(rng, value, places, height, u, v):
    """The same edge between vertices of other heights: no cycle becomes negative."""
    value += height[u] - height[v]
    sign, size = "-" if value < 0 else "", abs(value) * 10**places
    digits = str(size.numerator // size.denominator).rjust(places + 1, "0")
    return sign + digits[:len(digits) -
                         places] + ("." + digits[len(digits) - places:] if places else ""), value


def graph(rng):
    n = rng.randint(1, 14)
    places = rng.randint(0, 9)
    kind = rng.choice(["plain", "exponents", "negative", "mixed", "quarters"])
    height = [Fraction(rng.randint(0, 10**6), 10**places) for _ in range(n)]
    edges = []
    for _ in range(rng.randint(0, 3 * n)):
        u, v = rng.randrange(n), rng.randrange(n)
        if kind == "exponents":
            text, value = decimal(rng, rng.randint(0, 3), rng.randint(-6, 6))
        elif kind == "mixed":
            text, value = decimal(rng, rng.randint(0, 9), rng.choice([0, 0, -4, 8]))
        elif kind == "quarters":
            value = Fraction(rng.randint(0, 4000), 4)
            text = "%d.%02d" % (value // 1, value % 1 * 100)
        else:
            text, value = decimal(rng, places, 0)
        if kind == "negative" and u != v:
            text, value = negative(rng, value, places, height, u, v)
        edges.append((u, v, text, value))
    return n, edges


def distances(n, edges):
    row = [[Fraction(0) if i == j else None for j in range(n)] for i in range(n)]
    for u, v, _, value in edges:
        if u != v and (row[u][v] is None or value < row[u][v]):
            row[u][v] = value
    for k in range(n):
        for i in range(n):
            if row[i][k] is None:
                continue
            for j in range(n):
                if row[k][j] is not None and (row[i][j] is None
                                              or row[i][k] + row[k][j] < row[i][j]):
                    row[i][j] = row[i][k] + row[k][j]
    return row


def judge(name, out):
    """What apsp-verify says, without its line's end; or "" where it refutes."""
    run = subprocess.run([apsp + "-verify", name, out], capture_output=True, text=True)
    if run.returncode not in (0, 8):
        sys.exit("seed %d: %s: exit %d: %s" % (seed, out, run.returncode, run.stderr))
    return run.stdout.strip()


def change(out, kind, where, change_of):
    """The file with an entry changed."""
    values = array.array(kind)
    with open(out, "rb") as file:
        values.frombytes(file.read())
    values[where] = change_of(values[where])
    with open(out, "wb") as file:
        values.tofile(file)


def verify(rng, n, name, out, finite):
    """Files of three types of a graph of n vertices: right ones, and with one of the finite
    entries changed."""
    passed = "PASSED, all %d rows" % n
    whole = out.replace(".f64", ".i64")
    for path in (out, out.replace(".f64", ".f32"), whole):
        run = subprocess.run([apsp, *options, "--quiet", "--force", name, path],
                             capture_output=True,
                             text=True)
        if run.returncode:
            sys.exit("seed %d: %s" % (seed, run.stderr))
        if judge(name, path) != passed:
            sys.exit("seed %d: %s is right, and apsp-verify does not say so" % (seed, path))
    where = rng.choice(finite)
    change(out, "d", where, lambda value: math.nextafter(value, rng.choice((-math.inf, math.inf))))
    if judge(name, out) not in ("", passed + "; 1 of them within rounding, not correctly rounded"):
        sys.exit("seed %d: a neighbouring double is called exact" % seed)
    change(whole, "q", where, lambda value: value + rng.choice((-1, 1)))
    if judge(name, whole) != "":
        sys.exit("seed %d: a unit more is not refuted" % seed)


for seed in range(count):
    rng = random.Random(seed)
    n, edges = graph(rng)
    name, out = folder + "/decimals.mtx", folder + "/decimals.f64"
    with open(name, "w") as file:
        file.write("%%%%MatrixMarket matrix coordinate real general\n%d %d %d\n" %
                   (n, n, len(edges)))
        for u, v, text, _ in edges:
            file.write("%d %d %s\n" % (u + 1, v + 1, text))
    run = subprocess.run([apsp, *options, "--force", "--no-progress", name, out],
                         capture_output=True,
                         text=True)
    if run.returncode:
        sys.exit("seed %d: %s" % (seed, run.stderr))
    exact = "integers divided by" in run.stdout
    scaled += exact
    found = array.array("d")
    with open(out, "rb") as file:
        found.frombytes(file.read())
    for i, row in enumerate(distances(n, edges)):
        for j, right in enumerate(row):
            value = found[i * n + j]
            wanted = float("inf") if right is None else float(right)
            if value != wanted and (exact or right is None or abs(Fraction(value) - right)
                                    > abs(right) / 10**12 + Fraction(1, 10**9)):
                sys.exit("seed %d: %d to %d is %r, not %r" % (seed, i, j, value, wanted))
    finite = [k for k, value in enumerate(found) if value != float("inf") and k % (n + 1)]
    if exact and finite and seed % 3 == 0:
        verify(rng, n, name, out, finite)
        refuted += 1
print("%d graphs, %d of them exact, of which %d changed" % (count, scaled, refuted))
