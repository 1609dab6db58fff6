"""stats.py APSP GENERATOR SCRATCH METHOD...: --stats --count all equals what networkx (n <= 500)
and igraph (n <= 5,000) say, for every family, directed and not, whole and real, negative, some
sources. Lines `ok` and `FAIL` for run.sh. Exit 77 where a package is missing. Run by stats.sh.
Both measure closeness and the harmonic sum towards a vertex: networkx gets the reversed graph."""
import json
import subprocess
import sys

try:
    import igraph
    import networkx
    import numpy
except ImportError as missing:
    print(missing)
    sys.exit(77)

apsp, generator, scratch, *methods = sys.argv[1:]
failed = False
GRAPH, STATS = scratch + "/graph.mtx", scratch + "/stats.json"


class Other(Exception):
    """A value that is not what it is to be."""


def same(name, ours, theirs):
    a, b = numpy.array(ours, float), numpy.array(theirs, float)
    if a.shape != b.shape or not numpy.allclose(a, b, rtol=1e-9, atol=1e-9):
        raise Other(
            f"{name}: {ours if a.size < 9 else a[:9]} is not {theirs if b.size < 9 else b[:9]}")


def read_graph(directed):
    """n, and the least weight of each edge that is no loop."""
    n, weights = None, {}
    for line in open(GRAPH, encoding="ascii"):
        if line.startswith("%"):
            continue
        words = line.split()
        if n is None:
            n = int(words[0])
            continue
        u, v, w = int(words[0]) - 1, int(words[1]) - 1, float(words[2])
        for a, b in ((u, v),) if directed else ((u, v), (v, u)):
            if a != b:
                weights[a, b] = min(w, weights.get((a, b), w))
    return n, weights


def check_distances(stats, d, source, whole):
    """All that rows and columns of these distances show."""
    n, everything = d.shape[1], stats["all"]
    finite = numpy.isfinite(d)
    pair = finite & (numpy.arange(n) != source[:, None])
    known, others = numpy.where(finite, d, 0), finite.sum(axis=1) - 1
    total, most = known.sum(axis=1), known.max(axis=1)
    with numpy.errstate(divide="ignore", invalid="ignore"):
        closeness = numpy.where(total > 0, others * others / (n - 1) / total, 0) if n > 1 else [0]
        harmonic = numpy.where(pair & (d != 0), 1 / d, 0).sum(axis=1)
    same("sum", stats["sum"], total)
    same("eccentricity", stats["eccentricity"], most)
    same("in-eccentricity", stats["in_eccentricity"], numpy.maximum(known.max(axis=0), 0)[source])
    same("reachable", stats["reachable"], finite.sum(axis=1))
    same("in_reachable", stats["in_reachable"], finite.sum(axis=0)[source])
    same("closeness", stats["closeness"], closeness)
    same("harmonic", stats["harmonic"], harmonic)
    same("diameter and radius", [everything["diameter"], everything["radius"]],
         [most.max(), most.min()])
    if whole:
        same("centre", everything["centre"], source[most == most.min()] + 1)
        same("periphery", everything["periphery"], source[most == most.max()] + 1)
    same("pairs", [everything["pairs"], everything["unreachable"]], [finite.sum(), (~finite).sum()])
    same("sums", [everything["sum"], everything["wiener"]], [total.sum(), total.sum() / 2])
    if n > 1:
        same("efficiency", everything["efficiency"], harmonic.sum() / len(source) / (n - 1))
    if pair.any():
        same("mean", everything["mean"], d[pair].mean())
    elif everything["mean"] is not None:
        raise Other("there is a mean of no pairs")
    check_histogram(stats, numpy.sort(d[pair]), whole)


def check_histogram(stats, values, whole):
    histogram, shares = stats["histogram"], [float(share) for share in stats["quantiles"]]
    if whole and stats["exact"]:
        right, pairs = numpy.unique(values, return_counts=True)
        same("histogram's values", histogram["from"], right)
        same("histogram's pairs", histogram["pairs"], pairs)
    elif len(values):
        start, below = numpy.array(histogram["from"]), numpy.cumsum([0] + histogram["pairs"])
        least, rounding = histogram["width"], 1e-9 * abs(values).max()
        for edge, side in ((start + rounding, "least"), (start - rounding, "most")):
            count = numpy.searchsorted(values, edge)
            if (below[:-1] > count if side == "least" else below[:-1] < count).any():
                raise Other("histogram")
        if below[-1] != len(values) or start[-1] + least + rounding < values[-1]:
            raise Other("histogram's end")
    if len(values):
        right = numpy.quantile(values, shares, method="inverted_cdf")
        found = numpy.array(list(stats["quantiles"].values()), float)
        slack = 1e-9 * abs(values).max() + (0 if stats["exact"] else histogram["width"])
        if (found > right + slack).any() or (found < right - slack).any():
            raise Other(f"quantiles: {found} are not {right}")


def check_igraph(stats, graph):
    """All vertices, weights above 0."""
    n = graph.vcount()
    near = graph.closeness(mode="out", weights="weight", normalized=True)
    same("igraph's closeness", stats["closeness"],
         [0 if c != c else c * (r - 1) / (n - 1) for c, r in zip(near, stats["reachable"])])
    same(
        "igraph's harmonic", stats["harmonic"],
        numpy.multiply(n - 1,
                       graph.harmonic_centrality(mode="out", weights="weight", normalized=True)))
    same("igraph's eccentricity", stats["eccentricity"],
         graph.eccentricity(mode="out", weights="weight"))
    same("igraph's in-eccentricity", stats["in_eccentricity"],
         graph.eccentricity(mode="in", weights="weight"))
    same("igraph's diameter", stats["all"]["diameter"],
         graph.diameter(directed=True, unconn=True, weights="weight"))
    same("igraph's radius", stats["all"]["radius"], graph.radius(mode="out", weights="weight"))


def check_networkx(stats, n, weights, directed):
    """All vertices, no weight below 0."""
    graph = networkx.DiGraph() if directed else networkx.Graph()
    graph.add_nodes_from(range(n))
    graph.add_weighted_edges_from((v, u, w) for (u, v), w in weights.items())
    close, harmonic = (f(graph, distance="weight")
                       for f in (networkx.closeness_centrality, networkx.harmonic_centrality))
    same("networkx's closeness", stats["closeness"], [close[v] for v in range(n)])
    same("networkx's harmonic", stats["harmonic"], [harmonic[v] for v in range(n)])
    if n > 1 and (networkx.is_strongly_connected if directed else networkx.is_connected)(graph):
        same("networkx's mean", stats["all"]["mean"],
             networkx.average_shortest_path_length(graph, weight="weight"))
        same("networkx's Wiener index", stats["all"]["sum" if directed else "wiener"],
             networkx.wiener_index(graph, weight="weight"))
        away = graph.reverse() if directed else graph
        far, towards = (networkx.eccentricity(g, weight="weight") for g in (away, graph))
        same("networkx's eccentricity", stats["eccentricity"], [far[v] for v in range(n)])
        same("networkx's in-eccentricity", stats["in_eccentricity"], [towards[v] for v in range(n)])
        same("networkx's diameter", stats["all"]["diameter"], networkx.diameter(away, e=far))
        same("networkx's centre", len(stats["all"]["centre"]), len(networkx.center(away, e=far)))


def check(name, directed, *options, sources=None, others=True):
    global failed
    n, weights = read_graph(directed)
    negative = min(weights.values(), default=0) < 0
    whole = all(w == int(w) for w in weights.values())
    graph = igraph.Graph(n, list(weights), directed=True)
    graph.es["weight"] = list(weights.values())
    source = numpy.arange(n) if sources is None else numpy.array(sources) - 1
    d = numpy.array(
        graph.distances(weights="weight",
                        mode="out",
                        algorithm="bellman_ford" if negative else "dijkstra"))[source]
    for method in methods:
        command = [
            apsp, "--quiet", "--device", "cpu", "--force", "--method", method, "--count", "all",
            "--stats", STATS, *options
        ]
        if not directed:
            command.append("--undirected")
        if sources is not None:
            command += ["--sources", ",".join(map(str, sources))]
        text = (f"stats: {name}, n = {n}, {'directed' if directed else 'undirected'}, "
                f"{method}{' '.join(('', *options))}")
        try:
            subprocess.run([*command, GRAPH], check=True)
            with open(STATS, encoding="ascii") as file:
                stats = json.load(file)
            same("vertex", stats["vertex"], source + 1)
            check_distances(stats, d, source, whole)
            if others and sources is None and not negative:
                if n > 1 and min(weights.values(), default=1) > 0:
                    check_igraph(stats, graph)
                if n <= 500:
                    check_networkx(stats, n, weights, directed)
            print("ok", text)
        except (Other, subprocess.CalledProcessError) as wrong:
            failed = True
            print("FAIL", text, wrong)


def generate(family, n, *options):
    subprocess.run([generator, family, "-n",
                    str(n), "-s", "4", "--force", "-o", GRAPH, *options],
                   check=True)


for family in "random", "dense", "grid", "lattice", "rmat", "path", "star", "disconnected", "zero":
    degree = ("-d", "3") if family in ("random", "rmat", "disconnected", "zero") else ()
    for n in 1, 2, 90:
        generate(family, n, *degree)
        for directed in True, False:
            check(family, directed)
generate("random", 400, "-d", "3", "-w", "1:30000000")
check("random, long", True)
for family in "random", "grid", "dense":
    generate(family, 60, "-w", "1:9000", "--potential", "5000")
    check(family + ", negative", True)
    generate(family, 60, "-w", "0.25:9.75")
    for directed in True, False:
        check(family + ", real", directed)
generate("random", 80, "-d", "2")
check("some sources", True, sources=[7, 3, 4, 5, 80])
for kind in "u16", "i64", "f32", "f64":
    check("as " + kind, True, "--dtype", kind)
generate("random", 1500, "-d", "4")
check("random", True)
generate("grid", 5000)
check("grid", True, others=False)
sys.exit(failed)
