"""betweenness.py APSP SCRATCH METHOD...: --betweenness equals networkx (n <= 500) and igraph (n <=
3,000) to 1e-9, on 1, 2 and 3 ranks, by both engines. Lines `ok` and `FAIL` for run.sh. Exit 77
where a package is missing. Run by betweenness.sh."""
import csv
import random
import subprocess
import sys

try:
    import igraph
    import networkx
except ImportError as missing:
    print(missing)
    sys.exit(77)

apsp, scratch, *methods = sys.argv[1:]
TOLERANCE = 1e-9
failed = False


def weight_of(kind):
    return {
        "unit": lambda: 1, "whole": lambda: random.randint(1, 5),
        "real": lambda: random.random() + 0.01, "decimal": lambda: random.randint(1, 50) / 10
    }[kind]


def make_graph(n, m, directed, kind):
    weight, edges = weight_of(kind), {}
    for _ in range(m):
        u, v = random.sample(range(n), 2)
        edges[u, v] = weight()
        if not directed:
            edges[v, u] = edges[u, v]
    with open(scratch + "/graph.mtx", "w") as out:
        field = "real" if kind in ("real", "decimal") else "integer"
        print("%%%%MatrixMarket matrix coordinate %s general\n%d %d %d" % (field, n, n, len(edges)),
              file=out)
        for (u, v), w in edges.items():
            print(u + 1, v + 1, repr(w), file=out)
    return edges


def ours(ranks, *options):
    """Betweenness, and normalized."""
    start = ["mpirun", "--oversubscribe", "-n", str(ranks)] if ranks > 1 else []
    subprocess.run([*start, apsp, "--device", "cpu", "--quiet", "--force", "--betweenness",
                    scratch + "/values.csv", *options, scratch + "/graph.mtx"], check=True)
    with open(scratch + "/values.csv") as lines:
        rows = list(csv.DictReader(lines))
    assert [int(row["vertex"]) for row in rows] == list(range(1, len(rows) + 1))
    return [float(row["betweenness"]) for row in rows], [float(row["normalized"]) for row in rows]


def same(values, right):
    return len(values) == len(right) and all(
        abs(a - b) <= TOLERANCE * max(abs(a), abs(b)) for a, b in zip(values, right))


def by_networkx(n, edges, directed, kind, normalized, sources=None):
    graph = networkx.DiGraph() if directed else networkx.Graph()
    graph.add_nodes_from(range(n))
    for (u, v), w in edges.items():  # integers, since its sums are not exact
        graph.add_edge(u, v, weight=round(10 * w) if kind == "decimal" else w)
    if sources is None:
        values = networkx.betweenness_centrality(graph, weight="weight", normalized=normalized)
    else:
        values = networkx.betweenness_centrality_subset(graph,
                                                        sources,
                                                        range(n),
                                                        weight="weight",
                                                        normalized=normalized)
    return [values[v] for v in range(n)]


def by_igraph(n, edges, directed):
    kept = [e for e in edges if directed or e[0] < e[1]]
    graph = igraph.Graph(n, kept, directed=directed)
    return graph.betweenness(directed=directed, weights=[edges[e] for e in kept])


def report(name, right):
    global failed
    failed |= not right
    print("ok" if right else "FAIL", "betweenness:", name)


def compare(n, m, directed, kind):
    edges = make_graph(n, m, directed, kind)
    name = "n = %d, %s, %s" % (n, "directed" if directed else "undirected", kind)
    theirs = by_igraph(n, edges, directed)
    small = n <= 500
    right, shares = (by_networkx(n, edges, directed, kind, normalized)
                     for normalized in (False, True)) if small else (theirs, None)
    for ranks, method in ((1, methods[0]), (1, methods[-1]), (2, methods[-1]), (3, methods[0])):
        values, normalized = ours(ranks, "--method", method)
        report("%s, igraph, %d ranks, %s" % (name, ranks, method), same(values, theirs))
        if small:
            report("%s, networkx, %d ranks, %s" % (name, ranks, method),
                   same(values, right) and same(normalized, shares))
    if small:
        values, normalized = ours(2, "--sources", "2,1,%d-%d" % (n - 5, n))
        some = [1, 0] + list(range(n - 6, n))
        report(
            "%s, networkx, some sources" % name,
            same(values, by_networkx(n, edges, directed, kind, False, some))
            and same(normalized, by_networkx(n, edges, directed, kind, True, some)))


random.seed(20)
for directed in (False, True):
    for kind in ("unit", "whole", "real", "decimal"):
        compare(120, 300, directed, kind)
    compare(500, 3000, directed, "whole")
    compare(3000, 9000, directed, "unit")
    compare(3000, 9000, directed, "real")
sys.exit(failed)
