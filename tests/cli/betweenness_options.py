"""betweenness_options.py APSP SCRATCH GRAPHS [FIRST]: random graphs, each with other options of
--betweenness, beside networkx, igraph, NetworKit and what sums have to be, to 1e-9. Lines `ok` and
`FAIL` for run.sh. Exit 77 where a package is missing. Run by betweenness.sh and make
check-betweenness."""
import json
import random
import subprocess
import sys

try:
    import igraph
    import networkx
except ImportError as missing:
    print(missing)
    sys.exit(77)
try:
    import networkit
except ImportError:
    networkit = None

apsp, scratch, graphs = sys.argv[1], sys.argv[2], int(sys.argv[3])
first = int(sys.argv[4]) if len(sys.argv) > 4 else 0


def same(a, b):
    return abs(a - b) <= 1e-9 * max(1, abs(a), abs(b))


def make_strip(number):
    """A long lattice with gaps: searches have many levels."""
    graph = networkx.grid_2d_graph(random.randint(2, 4), random.randint(30, 60))
    graph.remove_edges_from([edge for edge in graph.edges if random.random() < 0.02])
    graph = networkx.convert_node_labels_to_integers(graph)
    if number % 2:
        graph = graph.to_directed()
        graph.remove_edges_from([edge for edge in graph.edges if random.random() < 0.02])
    networkx.set_edge_attributes(graph, random.choice([1, 7]), "weight")
    return graph


def make_graph(number):
    """Every kind of graph in turn; the largest are few."""
    random.seed(number)
    if number % 5 == 4:
        return make_strip(number)
    n = random.randint(3, 12) if number % 3 else random.randint(20, 500 if number %
                                                                300 == 0 else 60)
    graph = networkx.DiGraph() if number % 2 else networkx.Graph()
    graph.add_nodes_from(range(n))
    most = random.choice([1, 1, 3, 10])
    for _ in range(random.randint(n // 2, 3 * n)):
        u, v = random.sample(range(n), 2)
        graph.add_edge(u, v, weight=random.randint(1, most))
    if most == 1:
        unit = random.choice([1, 1, 7])
        networkx.set_edge_attributes(graph, unit, "weight")
    return graph


def write(graph, path):
    directed = graph.is_directed()
    with open(path, "w") as out:
        edges = [(u, v, w) for u, v, w in graph.edges(data="weight")]
        edges += [] if directed else [(v, u, w) for u, v, w in edges]
        n = graph.number_of_nodes()
        print("%%%%MatrixMarket matrix coordinate integer general\n%d %d %d" % (n, n, len(edges)),
              file=out)
        for u, v, w in edges:
            print(u + 1, v + 1, w, file=out)


def ours(*options):
    subprocess.run([
        apsp, "--device", "cpu", "--quiet", "--force", "--betweenness", scratch + "/through.json",
        "--betweenness-edges", *options, scratch + "/through.mtx"
    ],
                   check=True)
    with open(scratch + "/through.json") as text:
        values = json.load(text)
    edges = {(u - 1, v - 1): (value, share) for u, v, value, share in values["edges"]}
    return values, edges


def vertices_are(values, right, normalized, factor=1.0):
    mine = values["normalized" if normalized else "betweenness"]
    return all(same(mine[v], factor * right[v]) for v in range(len(mine)))


def edges_are(edges, right, directed, normalized, factor=1.0):
    def key(edge):
        return edge if directed else (min(edge), max(edge))
    theirs = {key(edge): factor * value for edge, value in right.items()}
    return edges.keys() == theirs.keys() and all(
        same(edges[e][normalized], theirs[e]) for e in edges)


def numbers_of_paths(graph):
    """Distances and numbers of shortest paths of all pairs."""
    distance, paths = {}, {}
    for s in graph:
        before, distance[s] = networkx.dijkstra_predecessor_and_distance(graph, s)
        paths[s] = {s: 1}
        for v in sorted(before, key=distance[s].get):
            if v != s:
                paths[s][v] = sum(paths[s][u] for u in before[v])
    return distance, paths


def edges_of_subset(graph, s, t):
    """By the definition. networkx 3.6 shares out evenly, not by paths, at vertices that are no
    targets."""
    distance, paths = numbers_of_paths(graph)
    right = {}
    arcs = list(graph.edges(data="weight"))
    arcs += [] if graph.is_directed() else [(v, u, w) for u, v, w in arcs]
    for u, v, w in arcs:
        key = (u, v) if graph.is_directed() else (min(u, v), max(u, v))
        through = sum(paths[a][u] * paths[v][b] / paths[a][b] for a in s if u in distance[a]
                      for b in t
                      if b in distance[v] and distance[a][u] + w + distance[v][b] == distance[a][b])
        right[key] = right.get(key, 0) + through * (1 if graph.is_directed() else 0.5)
    return right


def stress_of(graph, s, t, within=float("inf"), ends=False):
    """Stress of vertices and of edges, by walking every shortest path."""
    vertices, edges = [0.0] * len(graph), {(u, v): 0.0 for u, v in graph.edges()}
    one = 1 if graph.is_directed() else 0.5
    for a in set(s):
        length = networkx.single_source_dijkstra_path_length(graph, a)
        found = networkx.single_source_all_shortest_paths(graph, a, weight="weight")
        for b, paths in ((b, paths) for b, paths in found
                         if b in t and b != a and length[b] <= within):
            for path in paths:
                for v in path if ends else path[1:-1]:
                    vertices[v] += one
                for edge in zip(path, path[1:]):
                    edges[edge if edge in edges else edge[::-1]] += one
    return vertices, edges


def load_of(graph, s, t, within=float("inf"), ends=False):
    """Load of vertices and of edges: a unit goes from each target to each source, by predecessors
    that have equal parts."""
    vertices, edges = [0.0] * len(graph), {(u, v): 0.0 for u, v in graph.edges()}
    one = 1 if graph.is_directed() else 0.5
    for a in set(s):
        before, length = networkx.dijkstra_predecessor_and_distance(graph, a)
        for b in (b for b in length if b in t and b != a and length[b] <= within):
            parts = {b: one}
            while parts:
                v = max(parts, key=length.get)
                part = parts.pop(v)
                vertices[v] += part if ends or v not in (a, b) else 0
                for u in before[v] if v != a else ():
                    parts[u] = parts.get(u, 0) + part / len(before[v])
                    edges[(u, v) if (u, v) in edges else (v, u)] += part / len(before[v])
    return vertices, edges


def wrong_others(name, values_of, graph, options, s, t, within):
    """Stress or load: alone, and with all other options."""
    n, directed, wrong = len(graph), graph.is_directed(), []
    some = ["--betweenness-ends", "--betweenness-within", str(within)]
    some += ["--sources", ",".join(str(v + 1) for v in s)]
    some += ["--targets", ",".join(str(v + 1) for v in t)]
    for more, right in (([], values_of(graph, range(n), range(n))),
                        (some, values_of(graph, s, t, within, True))):
        values, edges = ours(*options, "--betweenness-" + name, *more)
        pairs = (1 if directed else 0.5) * (n * (n - 1) if more else (n - 1) * (n - 2))
        wrong += [] if (values[name] == right[0] if name == "stress" else all(
            map(same, values[name], right[0]))) else [name]
        wrong += [] if all(
            same(mine * pairs, value)
            for mine, value in zip(values["normalized"], values[name])) else ["share of " + name]
        wrong += [] if edges_are(edges, right[1], directed, False) else [name + " of edges"]
    return wrong


def check(number):
    graph = make_graph(number)
    n, directed = graph.number_of_nodes(), graph.is_directed()
    # One without any edge that does not lead back is undirected, whatever its class.
    factor = 1.0
    if directed and all(
            graph.has_edge(v, u) and graph[v][u]["weight"] == w
            for u, v, w in graph.edges(data="weight")):
        graph = networkx.Graph(graph)
        directed = False
    write(graph, scratch + "/through.mtx")
    method = random.choice(["auto", "dense", "sssp"])
    options, wrong = ["--method", method, "--threads", str(1 + number % 2)], []
    values, edges = ours(*options)
    for normalized in (False, True):
        right = networkx.betweenness_centrality(graph, weight="weight", normalized=normalized)
        wrong += [] if vertices_are(values, right, normalized, factor) else ["vertices"]
        right = networkx.edge_betweenness_centrality(graph, weight="weight", normalized=normalized)
        wrong += [] if edges_are(edges, right, directed, normalized, factor) else ["edges"]
    lengths = {w for _, _, w in graph.edges(data="weight")}
    if len(lengths) == 1:
        hops = [
            d for _, row in networkx.all_pairs_shortest_path_length(graph) for d in row.values()
            if d > 0
        ]
        share = 1 if directed else 2
        wrong += [] if same(share * sum(values["betweenness"]), sum(hops) - len(hops)) else ["sum"]
        wrong += [] if same(share * sum(e[0]
                                        for e in edges.values()), sum(hops)) else ["sum of edges"]
    values, _ = ours(*options, "--betweenness-ends")
    right = networkx.betweenness_centrality(graph, weight="weight", normalized=True, endpoints=True)
    wrong += [] if vertices_are(values, right, True) else ["ends"]
    s, t = (random.sample(range(n), random.randint(1, n)) for _ in range(2))
    values, edges = ours(*options, "--sources", ",".join(str(v + 1) for v in s),
                         "--targets", ",".join(str(v + 1) for v in t))
    right = networkx.betweenness_centrality_subset(graph, s, t, weight="weight")
    wrong += [] if vertices_are(values, right, False) else ["subset"]
    wrong += [] if n > 60 or edges_are(edges, edges_of_subset(graph, s, t), directed, False) else [
        "subset of edges"
    ]
    most = random.choice([1, 2, 3, 5, 8.5])
    values, edges = ours(*options, "--betweenness-within", str(most))
    other = igraph.Graph(n, list(graph.edges()), directed=directed)
    weights = [w for _, _, w in graph.edges(data="weight")]
    right = other.betweenness(directed=directed, cutoff=most,
                              weights=weights) if weights else [0] * n
    wrong += [] if vertices_are(values, right, False) else ["within"]
    right = other.edge_betweenness(directed=directed, cutoff=most,
                                   weights=weights) if weights else []
    wrong += [] if edges_are(edges, dict(zip(graph.edges(), right)), directed,
                             False) else ["edges within"]
    for name, values_of in (("stress", stress_of), ("load", load_of)):
        wrong += wrong_others(name, values_of, graph, options, s, t, most) if n <= 60 else []
    wrong += [] if of_sample(graph) else ["sample"]
    wrong += [] if of_decimals(graph) else ["decimals"]
    return wrong


def of_sample(graph):
    """A sample is that of --stats with the same seed; its sum is scaled to all vertices."""
    n = graph.number_of_nodes()
    some = ["--sources", "random:%d" % random.randint(1, n), "--seed", str(random.randint(1, 99))]
    values, _ = ours(*some)
    subprocess.run([apsp, "--device", "cpu", "--quiet", "--force", "--stats",
                    scratch + "/sample.csv", *some, scratch + "/through.mtx"], check=True)
    with open(scratch + "/sample.csv") as lines:
        sources = [int(line.split(",")[0]) - 1 for line in lines.read().splitlines()[1:]]
    right = networkx.betweenness_centrality_subset(graph, sources, list(graph), weight="weight")
    return vertices_are(values, right, False, n / len(sources))


def of_decimals(graph):
    """Parallel edges, the lightest of which counts once, and weights of some decimals."""
    scale = 10 ** random.randint(1, 6)
    with open(scratch + "/through.csv", "w") as out:
        print("from,to,weight", file=out)
        print(*("%d,%d,1" % (v, v) for v in graph), sep="\n", file=out)
        for u, v, w in graph.edges(data="weight"):
            for more in range(random.choice([1, 1, 2, 3])):
                print("%d,%d,%s" % (u, v, repr((w + more * random.randint(0, 1)) / scale)),
                      file=out)
    both = [] if graph.is_directed() else ["--undirected"]
    some = range(len(graph)) if len(graph) <= 60 else []
    for name, option, right in (
        ("betweenness", [],
         networkx.betweenness_centrality(graph, weight="weight", normalized=False)),
        ("stress", ["--betweenness-stress"], stress_of(graph, some, some)[0]),
        ("load", ["--betweenness-load"], load_of(graph, some, some)[0])):
        subprocess.run([apsp, "--device", "cpu", "--quiet", "--force", *both, *option,
                        "--betweenness", scratch + "/decimals.json", scratch + "/through.csv"],
                       check=True)
        with open(scratch + "/decimals.json") as text:
            values = json.load(text)
        mine = dict(zip(values["vertex"], values[name]))
        if not all(same(mine[v], right[v]) for v in (graph if name == "betweenness" else some)):
            return False
    return True


def check_large(number):
    """Up to 5,000 vertices beside igraph and NetworKit."""
    random.seed(-number)
    n, directed = random.randint(1000, 5000), bool(number % 2)
    most = random.choice([1, 4])
    edges = {tuple(random.sample(range(n), 2)): random.randint(1, most) for _ in range(3 * n)}
    if not directed:
        edges = {(min(e), max(e)): w for e, w in edges.items()}
    graph = networkx.DiGraph() if directed else networkx.Graph()
    graph.add_nodes_from(range(n))
    graph.add_weighted_edges_from((u, v, w) for (u, v), w in edges.items())
    write(graph, scratch + "/through.mtx")
    values, _ = ours()
    other = igraph.Graph(n, list(edges), directed=directed)
    wrong = []
    if not vertices_are(values, other.betweenness(weights=list(edges.values())), False):
        wrong.append("igraph, n = %d" % n)
    if networkit:
        kit = networkit.Graph(n, weighted=most > 1, directed=directed)
        for (u, v), w in edges.items():
            kit.addEdge(u, v, w)
        right = networkit.centrality.Betweenness(kit).run().scores()
        wrong += [] if vertices_are(values, right, False, 1 if directed else 0.5) else ["NetworKit"]
    return wrong


failed = 0
for number in range(first, first + graphs):
    wrong = check(number) + (check_large(number) if number % 100 == 50 else [])
    if wrong:
        failed += 1
        print("FAIL betweenness: graph %d: %s" % (number, ", ".join(wrong)))
if not failed:
    print("ok betweenness: %d graphs with all options" % graphs)
sys.exit(failed > 0)
