"""path_counts.py APSP SCRATCH GRAPHS: --path-counts of random graphs, in every format and on 1 to 4
ranks, beside integers of Python, which dynamic programming over the shortest paths adds up. Lines
`ok` and `FAIL` for run.sh. Exit 77 where NumPy is missing. Run by path_counts.sh."""
import csv
import heapq
import random
import subprocess
import sys

try:
    import numpy
except ImportError as missing:
    print(missing)
    sys.exit(77)

apsp, scratch, graphs = sys.argv[1], sys.argv[2], int(sys.argv[3])
FORMATS = "npy", "f64", "csv", "tsv", "mtx", "npz", "wide.csv"


def random_edges(n, unit):
    return [(random.randrange(n), random.randrange(n), random.randint(1, unit))
            for _ in range(random.randint(0, 4 * n))]


def layers(n, unit):
    """Numbers of paths beyond 2^53, and up to 4^75."""
    width = random.randint(2, 4)
    return [(u, v, unit) for u in range(n) for v in range(n)
            if u // width + 1 == v // width and random.random() < 0.97]


def count(n, arcs, s):
    """The numbers of shortest paths from s, which are exact."""
    length, paths, heap = {s: 0}, [0] * n, [(0, s)]
    while heap:
        far, u = heapq.heappop(heap)
        for v, weight in arcs[u].items() if far == length[u] else ():
            if far + weight < length.get(v, float("inf")):
                length[v] = far + weight
                heapq.heappush(heap, (far + weight, v))
    paths[s] = 1
    for u in sorted(length, key=length.get):
        for v, weight in arcs[u].items():
            if v != s and length[u] + weight == length[v]:
                paths[v] += paths[u]
    return paths


def read(path, form, sources, targets):
    """The table, and the pairs that are listed: None for a matrix."""
    place = {v: k for k, v in enumerate(sources)}, {v: k for k, v in enumerate(targets)}
    found = numpy.zeros((len(sources), len(targets)))
    if form == "npy":
        return numpy.load(path), None
    if form == "f64":
        return numpy.fromfile(path).reshape(found.shape), None
    if form == "npz":
        content = numpy.load(path)
        pairs = list(zip(content["row"].tolist(), content["col"].tolist(), content["data"]))
    elif form == "mtx":
        lines = [line.split() for line in open(path) if not line.startswith("%")][1:]
        pairs = [(int(u) - 1, int(v) - 1, float(value)) for u, v, value in lines]
    elif form == "wide.csv":
        head, *lines = csv.reader(open(path))
        assert [int(v) for v in head[1:]] == list(targets)
        assert [int(line[0]) for line in lines] == list(sources)
        return numpy.array([[float(x) for x in line[1:]] for line in lines]), None
    else:
        head, *lines = csv.reader(open(path), delimiter="\t" if form == "tsv" else ",")
        assert head == ["from", "to", "paths"], head
        pairs = [(int(u), int(v), float(value)) for u, v, value in lines]
    for u, v, value in pairs:
        found[place[0][u], place[1][v]] = value
    return found, {(u, v) for u, v, _ in pairs}


def check(number):
    random.seed(number)
    large = number % 10 == 9
    n = random.randint(100, 300) if large else random.randint(1, 40)
    directed, divisor = random.random() < 0.5, random.choice([1, 1, 10])
    edges = (layers if large else random_edges)(n, random.choice([1, 1, 3, 9]))
    with open(scratch + "/graph.csv", "w") as out:
        print("from,to,weight", file=out)
        for v in range(n):  # a loop, which is on no path
            print("%d,%d,1" % (v, v), file=out)
        for u, v, weight in edges:
            print("%d,%d,%s" % (u, v, weight / divisor if divisor > 1 else weight), file=out)
            if number % 3 == 0:
                print("%d,%d,%s" % (u, v, (weight + random.randint(0, 1)) / divisor), file=out)
    arcs = [{} for _ in range(n)]
    for u, v, weight in edges + ([] if directed else [(v, u, w) for u, v, w in edges]):
        if u != v:
            arcs[u][v] = min(weight, arcs[u].get(v, weight))
    form, ranks = random.choice(FORMATS), random.randint(1, 4)
    sources = targets = range(n)
    options = ["--directed" if directed else "--undirected", "--ranks", str(ranks), "--method",
               random.choice(["auto", "dense", "sssp"]), "--device", "cpu", "--multi-edges", "min"]
    if random.random() < 0.5:
        sources, targets = (random.sample(range(n), random.randint(1, n)) for _ in range(2))
        options += ["--sources", ",".join(map(str, sources)), "--targets",
                    ",".join(map(str, targets))]
    path = scratch + "/counts." + form
    subprocess.run([apsp, "--quiet", "--force", *options, "--path-counts", path,
                    scratch + "/graph.csv"], check=True, stderr=subprocess.DEVNULL)
    right = [[row[t] for t in targets] for row in (count(n, arcs, s) for s in sources)]
    found, listed = read(path, form, sources, targets)
    for k, s in enumerate(sources):
        for j, t in enumerate(targets):
            if listed is not None and len(targets) == n and targets == sources and s == t:
                continue
            exact = found[k, j] == right[k][j]
            if not exact and (right[k][j] < 2**53 or abs(found[k, j] / right[k][j] - 1) > 1e-12):
                return "from %d to %d: %r, and %d is right" % (s, t, found[k, j], right[k][j])
            if listed is not None and ((s, t) in listed) != (right[k][j] > 0):
                return "from %d to %d is listed, or not" % (s, t)
    return ""


failed = 0
for number in range(graphs):
    wrong = check(number)
    if wrong:
        failed += 1
        print("FAIL path counts: graph %d: %s" % (number, wrong))
if not failed:
    print("ok path counts: %d graphs" % graphs)
sys.exit(failed > 0)
