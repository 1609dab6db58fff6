"""centrality.py APSP FOLDER WHAT GRAPH...

WHAT is `betweenness` or `diameter`. Seconds of the whole process of apsp, from the file to the
result, beside NetworKit and igraph, whose graphs are read before. A GRAPH is a file. `+` before
it takes edges both ways, and `:largest` behind it the largest component. SOURCES (default: all) are
so many sources of betweenness, the same for all; NetworKit has no such choice, so it takes
SAMPLE sources (default 300), scaled to as many. igraph has the exact sources, and values must agree
to 1e-9. A peer is stopped after CAP seconds (default 600): `stopped`. `-`: the peer cannot, or the
graph has more than IGRAPH vertices (default 100,000). Diameters must agree. For them the process of
`--diameter-alone` has a second column, its own phase: the searches, as peers have the graph in
memory too. The last two columns are those of all four values, diameter, radius, centre and
periphery, which peers do not give. PEERS=0 leaves out the peers. Run by centrality.sh.
"""

import json
import multiprocessing
import os
import subprocess
import sys
import time

import igraph
import networkit
import numpy

apsp, folder, what = sys.argv[1:4]
DEFAULTS = {"SAMPLE": 300, "CAP": 600, "THREADS": 2, "SOURCES": 0, "IGRAPH": 100000,
            "PEERS": 1}
sample, cap, threads, sources, small, peers = (
    int(os.environ.get(name, default)) for name, default in DEFAULTS.items()
)
STOPPED = "stopped"


def by_apsp(options, *output):
    """Seconds of the best of three, or of one run that takes more than 5 s."""
    command = [apsp, "--device", "cpu", "--threads", str(threads), "--quiet", "--force"]
    best = []
    while len(best) < 3 and (not best or best[0] < 5):
        begin = time.perf_counter()
        subprocess.run([*command, *options, *output], check=True)
        best = sorted([*best, time.perf_counter() - begin])
    return best[0]


def by_peer(run):
    """Seconds and the result of a peer in a process of its own, STOPPED, or None: it cannot."""
    if not peers:
        return None

    def work(pipe):
        begin = time.perf_counter()
        try:
            found = run()
        except RuntimeError:  # Directed graphs have no diameter in NetworKit.
            return
        pipe.send((time.perf_counter() - begin, found))

    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.get_context("fork").Process(target=work, args=(theirs,))
    process.start()
    theirs.close()
    try:
        found = ours.recv() if ours.poll(cap) else STOPPED
    except EOFError:
        found = None
    process.kill()
    process.join()
    return found


def rows_of(path):
    """Tails, heads and weights of a file: edges32, gr, or lines of two vertices."""
    if path.endswith(".bin"):
        return numpy.fromfile(path, dtype=numpy.int32)[2:].reshape(-1, 3).T.astype(numpy.int64)
    opened = subprocess.run(["zcat", "-f", path], check=True, capture_output=True, text=True)
    lines = [line.removeprefix("a ") for line in opened.stdout.splitlines()]
    rows = numpy.loadtxt([line for line in lines if line[:1] not in "#pc%"], dtype=numpy.int64).T
    return rows if len(rows) > 2 else numpy.vstack([rows, numpy.ones_like(rows[0])])


def least(n, u, v, weight):
    """The edges that are no loops, each once, with the least weight."""
    order = numpy.lexsort((weight, u * n + v))
    u, v, weight = u[order], v[order], weight[order]
    kept = u != v
    kept[1:] &= (u[1:] != u[:-1]) | (v[1:] != v[:-1])
    return u[kept], v[kept], weight[kept]


def read(options):
    """The names, the edges from 0 on, each once if all lead back, and whether they do not."""
    rows = rows_of(options[-1])
    names, ends = numpy.unique(rows[:2], return_inverse=True)
    (u, v), n = ends.reshape(2, -1), len(names)
    if "--undirected" in options:
        return names, least(n, numpy.minimum(u, v), numpy.maximum(u, v), rows[2]), False
    edges, back = least(n, u, v, rows[2]), least(n, v, u, rows[2])
    if all(numpy.array_equal(a, b) for a, b in zip(edges, back, strict=True)):
        return names, tuple(column[edges[0] < edges[1]] for column in edges), False
    return names, edges, True


def graphs(options, n, edges, directed):
    u, v, weight = edges
    weighted = weight.min() < weight.max()
    ends = (u.astype(numpy.uint64), v.astype(numpy.uint64))
    data = (weight.astype(float), ends) if weighted else ends
    kit = networkit.GraphFromCoo(data, n=n, weighted=weighted, directed=directed)
    graph = igraph.Graph(n, numpy.stack([u, v]).T, directed=directed) if n < small else None
    if "--largest-component" in options:
        kit = largest(kit)
        graph = graph.connected_components().giant() if graph else None
    return kit, graph, weight.tolist() if weighted else None


def largest(kit):
    components = networkit.components.ConnectedComponents
    if not kit.isDirected():
        return components.extractLargestConnectedComponent(kit, True)
    strong = networkit.components.StronglyConnectedComponents(kit).run().getComponents()
    return networkit.graphtools.subgraphFromNodes(kit, max(strong, key=len), compact=True)


def seconds(found, factor=1.0):
    return found or "-" if found in (None, STOPPED) else "%.2f" % (found[0] * factor)


def ratio(found, factor, ours):
    return "-" if found in (None, STOPPED) else "%.1f" % (found[0] * factor / ours)


def differ(names, values):
    """The largest difference of the file from the values of vertices, relative to the largest."""
    number = {str(name): k for k, name in enumerate(names)}
    with open(folder + "/values.csv", encoding="utf-8") as file:
        lines = [line.split(",") for line in file.read().splitlines()[1:]]
    return max(abs(float(line[1]) - values[number[line[0]]]) for line in lines) / max(values)


def betweenness(name, options):
    names, edges, directed = read(options)
    n = len(names)
    kit, graph, weights = graphs(options, n, edges, directed)
    chosen = range(0, n, n // sources)[:sources] if sources else range(n)
    with open(folder + "/sources", "w", encoding="utf-8") as file:
        file.writelines("%d\n" % names[k] for k in chosen)
    which = ["--sources", folder + "/sources"] if sources else []
    ours = by_apsp([*which, "--betweenness", folder + "/values.csv"], *options)
    estimate = networkit.centrality.EstimateBetweenness
    theirs = by_peer(lambda: estimate(kit, sample, False, True).run() and None)
    if sources and graph:
        others = by_peer(lambda: graph.betweenness(weights=weights, sources=list(chosen)))
    else:
        others = None
    off = differ(names, others[1]) if others not in (None, STOPPED) else 0
    if off > 1e-9:
        print("FAIL", name, "differs from igraph by", off)
    scale = len(chosen) / sample
    print("%-26s %8d %9d %7d %9.2f %11s %7s %11s %7s" %
          (name, n, len(edges[0]), len(chosen), ours, seconds(
              theirs, scale), ratio(theirs, scale, ours), seconds(others), ratio(others, 1, ours)),
          flush=True)  # fmt: skip


def found_by_apsp(options, *more):
    """Seconds, those of the searches in the last run, and the values."""
    files = ["--diameter", folder + "/diameter.json", "--json", folder + "/report.json"]
    whole = by_apsp([*more, *files], *options)
    with open(folder + "/diameter.json", encoding="utf-8") as values, open(
            folder + "/report.json", encoding="utf-8") as report:
        return whole, json.load(report)["seconds"]["diameter"], json.load(values)


def diameter(name, options):
    names, edges, directed = read(options)
    kit, graph, weights = graphs(options, len(names), edges, directed)
    ours, own, found = found_by_apsp(options, "--diameter-alone")
    four, _, values = found_by_apsp(options)
    exact = networkit.distance.DiameterAlgo.EXACT
    theirs = by_peer(lambda: networkit.distance.Diameter(kit, exact).run().getDiameter()[0])
    others = by_peer(lambda: graph.diameter(weights=weights, unconn=True)) if graph else None
    for result in (theirs, others, (0, values["diameter"])):
        if result not in (None, STOPPED) and result[1] != found["diameter"]:
            print("FAIL", name, found["diameter"], result[1])
    print("%-32s %8d %9d %9d %9d %8.2f %9.2f %11s %11s %9d %8.2f" % (
        name, found["vertices"], len(edges[0]), found["diameter"], found["searches"], ours, own,
        seconds(theirs), seconds(others), values["searches"], four), flush=True)  # fmt: skip


HEADS = {
    "betweenness": ("%-26s %8s %9s %7s %9s %11s %7s %11s %7s",
                    "# seconds", "n", "edges", "sources", "apsp", "NetworKit", "ratio", "igraph",
                    "ratio"),
    "diameter": ("%-32s %8s %9s %9s %9s %8s %9s %11s %11s %9s %8s",
                 "# seconds", "n", "edges", "diameter", "searches", "apsp", "its own", "NetworKit",
                 "igraph", "of four", "apsp"),
}  # fmt: skip
networkit.setNumberOfThreads(threads)
print(HEADS[what][0] % HEADS[what][1:], flush=True)
for argument in sys.argv[4:]:
    path, _, how = argument.lstrip("+").partition(":")
    picked = ["--undirected"] if argument[0] == "+" else []
    picked += ["--largest-component"] if how == "largest" else []
    run = {"betweenness": betweenness, "diameter": diameter}[what]
    run("+" * bool(picked[:1] == ["--undirected"]) + os.path.basename(argument), [*picked, path])
