"""diameter.py APSP SCRATCH GRAPHS: --diameter of random graphs beside the eccentricities of SciPy.
Lines `ok` and `FAIL` for run.sh. Exit 77 where a package is missing. Run by diameter.sh."""
import json
import random
import subprocess
import sys

try:
    import numpy
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import dijkstra
except ImportError as missing:
    print(missing)
    sys.exit(77)

apsp, scratch, graphs = sys.argv[1], sys.argv[2], int(sys.argv[3])
failed = 0
fewest = [0, 0]  # of undirected and of directed graphs
searches = [0, 0]  # for all four values, and for the diameter alone
for number in range(graphs):
    random.seed(number)
    n, directed, scale = random.choice([5, 40, 300]), number % 3 == 0, random.choice([1, 1, 10])
    most, shape, edges = random.choice([1, 4, 100]), random.choice([1, 3]), {}
    for u in range(1, n):  # some trees, with leaves and paths, and other edges
        v = random.randrange(max(0, u - 3), u)
        if random.random() < 0.97:
            edges[u, v] = random.randint(1, most)
    for _ in range(n * (shape - 1) // 2):
        u, v = random.sample(range(n), 2)
        edges.setdefault((max(u, v), min(u, v)), random.randint(1, most))
    arcs = list(edges.items()) + [((v, u), w) for (u, v), w in edges.items() if not directed]
    for name, listed in (("diameter", arcs), ("once", list(edges.items()))):
        with open(scratch + "/" + name + ".mtx", "w") as out:
            print("%%%%MatrixMarket matrix coordinate real general\n%d %d %d" % (n, n, len(listed)),
                  file=out)
            for (u, v), w in listed:
                print(u + 1, v + 1, w / scale, file=out)
    method = random.choice(["auto", "dense", "sssp"])
    subprocess.run([
        apsp, "--device", "cpu", "--quiet", "--force", "--method", method, "--ranks",
        str(1 + number % 2), "--diameter", scratch + "/diameter.json", scratch + "/diameter.mtx"
    ],
                   check=True)
    with open(scratch + "/diameter.json") as text:
        values = json.load(text)
    rows = [w for _, w in arcs], ([u for (u, _), _ in arcs], [v for (_, v), _ in arcs])
    distances = dijkstra(csr_matrix(rows, shape=(n, n)))
    far = numpy.where(numpy.isinf(distances), 0, distances).max(axis=1)
    right = (values["diameter"] == far.max() / scale and values["radius"] == far.min() / scale
             and values["connected"] == bool(numpy.isfinite(distances).all())
             and values["centre"] == [int(v) + 1 for v in numpy.flatnonzero(far == far.min())]
             and values["periphery"] == [int(v) + 1 for v in numpy.flatnonzero(far == far.max())])
    subprocess.run([
        apsp, "--device", "cpu", "--quiet", "--force", "--method", method, "--ranks",
        str(1 + number % 2), "--diameter", scratch + "/alone.json", "--diameter-alone",
        *([] if directed else ["--undirected"]), scratch + "/once.mtx"
    ],
                   check=True)
    with open(scratch + "/alone.json") as text:
        alone = json.load(text)
    right = right and alone["diameter"] == far.max(
    ) / scale and alone["connected"] == values["connected"]
    right = right and alone["searches"] <= values["searches"]
    searches[0] += values["searches"]
    searches[1] += alone["searches"]
    subprocess.run([
        apsp, "--device", "cpu", "--quiet", "--force", "--method", method, "--ranks",
        str(1 + number % 2), "--diameter", scratch + "/each.csv", scratch + "/diameter.mtx"
    ],
                   check=True)
    with open(scratch + "/each.csv") as text:
        lines = [line.split(",") for line in text.read().splitlines()]
    right = right and lines[0] == ["vertex", "eccentricity"]
    right = right and [(int(v), float(d)) for v, d in lines[1:]] == [(v + 1, far[v] / scale)
                                                                     for v in range(n)]
    fewest[directed] += n == 300 and 3 * values["searches"] < n
    if not right:
        failed += 1
        print("FAIL diameter: graph %d, n = %d, %s" % (number, n, values))


def has_batches(number):
    """Most vertices of a random graph are in its centre or near it, so many searches settle one
    vertex each. In a digraph a batch counts each of them once, and single searches count twice."""
    random.seed(-number)
    n, directed, unit = 3000, number % 2 == 0, random.choice(["1", "3", "0.1", repr(1 / 3)])
    arcs = {tuple(random.sample(range(n), 2)) for _ in range(8 * n)}
    arcs |= set() if directed else {(v, u) for u, v in arcs}
    with open(scratch + "/wide.csv", "w") as out:
        print("from,to,weight", *("%d,%d,%s" % (u, v, unit) for u, v in arcs), sep="\n", file=out)
    for name in ("json", "csv"):
        subprocess.run([
            apsp, "--device", "cpu", "--quiet", "--force", "--ranks",
            str(1 + number // 2 % 2), "--diameter", scratch + "/wide." + name + "." + name,
            scratch + "/wide.csv"
        ],
                       check=True)
    rows = [float(unit)] * len(arcs), tuple(zip(*arcs))
    distances = dijkstra(csr_matrix(rows, shape=(n, n)))
    far = numpy.where(numpy.isinf(distances), 0, distances).max(axis=1).round(9)
    with open(scratch + "/wide.json.json") as text:
        values = json.load(text)
    with open(scratch + "/wide.csv.csv") as text:
        each = [line.split(",") for line in text.read().splitlines()[1:]]
    return (round(values["diameter"], 9) == far.max() and round(values["radius"], 9) == far.min()
            and sorted(values["centre"]) == numpy.flatnonzero(far == far.min()).tolist()
            and sorted(values["periphery"]) == numpy.flatnonzero(far == far.max()).tolist()
            and all(round(float(d), 9) == far[int(v)] for v, d in each) and len(each) == n
            and (not directed or values["searches"] < n + 200))


for number in range(8):
    if not has_batches(number):
        failed += 1
        print("FAIL diameter: batches of graph %d" % number)
if not all(fewest) or searches[1] >= searches[0]:
    print("FAIL diameter: few searches are never enough: %s, %s" % (fewest, searches))
elif not failed:
    print("ok diameter: %d graphs, %d undirected and %d directed ones by few searches" %
          (graphs, *fewest))
sys.exit(failed > 0 or not all(fewest) or searches[1] >= searches[0])
