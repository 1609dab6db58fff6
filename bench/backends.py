#!/usr/bin/env python3
"""Seconds of NetworkX's calls by its backends and by other packages: make bench-backends.

Each cell is a process of its own. It has the graph as NetworkX does, and converts it within the
measured time. Every value of the result is read once, and its sum is compared with the row's
others. A peer is stopped after LIMIT seconds. With FACTOR it is stopped as well, but not within the
first second, when it has taken so many times the time of apsp. A cell that is done in less than a
second is measured up to five times, and the least counts. Results go to FILE, which keeps those of
earlier runs; the table is of all that it has. With --missing --seconds N a run goes on where the
last one ended, begins no cell after N seconds, and ends with 75 while cells are missing.
"""

import argparse
import ctypes
import gzip
import importlib.util
import json
import math
import os
import random
import resource
import select
import signal
import sys
import time

import networkx as nx

GRAPHS = os.environ.get("APSP_GRAPHS", "../shared/graphs")
BACKENDS = {"apsp": "apsp", "networkx": "networkx", "nx-parallel": "parallel",
            "nx-rustworkx": "rustworkx", "franken-networkx": "franken_networkx",
            "rustnx": "rustnx"}
PACKAGES = "igraph", "networkit", "rustworkx"
FUNCTIONS = {"closeness_centrality": "distance", "harmonic_centrality": "distance",
             "diameter": "weight", "eccentricity": "weight",
             "average_shortest_path_length": "weight", "betweenness_centrality": "weight",
             "all_pairs_shortest_path_length": None, "all_pairs_dijkstra_path_length": "weight"}
ONLY = {"all_pairs_shortest_path_length": (False,), "all_pairs_dijkstra_path_length": (True,)}
ROWS = [(name, weighted) for name in FUNCTIONS for weighted in ONLY.get(name, (False, True))]


def weigh(graph):
    chance = random.Random(1)
    for _, _, data in graph.edges(data=True):
        data["weight"] = chance.randint(1, 100)
    return graph


def largest_part(graph):
    return graph.subgraph(max(nx.connected_components(graph), key=len)).copy()


def brightkite():
    with gzip.open(GRAPHS + "/brightkite.txt.gz", "rt") as file:
        graph = nx.Graph(tuple(map(int, line.split())) for line in file if line[0] != "#")
    return weigh(largest_part(graph))


def new_york():
    graph = nx.Graph()
    with gzip.open(GRAPHS + "/USA-road-d.NY.gr.gz", "rt") as file:
        for line in file:
            if line[0] == "a":
                u, v, w = map(int, line.split()[1:])
                if max(u, v) <= 20000:
                    graph.add_edge(u, v, weight=w)
    return largest_part(graph)


MAKERS = {"ba": lambda: weigh(nx.barabasi_albert_graph(3000, 3, seed=1)),
          "brightkite": brightkite, "ny": new_york,
          "grid": lambda: weigh(nx.grid_2d_graph(100, 100))}


class Absent(Exception):
    """The package has no such function."""


def total(found):
    """The sum of what a call has given, of which every value is read once."""
    if isinstance(found, (int, float)):
        return found
    if hasattr(found, "values"):
        return sum(found.values())
    return sum(sum(row.values()) for _, row in found)


def by_networkx(backend, graph, name, weighted):
    graph.__networkx_cache__.clear()
    keyword = FUNCTIONS[name]
    told = {keyword: "weight" if weighted else None} if keyword else {}
    try:
        return total(getattr(nx, name)(graph, backend=backend, **told))
    except NotImplementedError as error:
        raise Absent(str(error)) from error


def edges_of(graph, weighted):
    number = {node: k for k, node in enumerate(graph)}
    ends = [(number[u], number[v]) for u, v in graph.edges()]
    return ends, [data["weight"] for _, _, data in graph.edges(data=True)] if weighted else None


def by_igraph(graph, name, weighted):
    import igraph
    n = len(graph)
    ends, weights = edges_of(graph, weighted)
    own = igraph.Graph(n=n, edges=ends)
    if name.startswith("all_pairs"):
        return sum(sum(sum(row) for row in own.distances(range(k, min(k + 64, n)), weights=weights))
                   for k in range(0, n, 64))
    if name == "eccentricity" and weighted:
        raise Absent("no weights")
    call = {"closeness_centrality": lambda: sum(own.closeness(weights=weights)),
            "harmonic_centrality": lambda: sum(own.harmonic_centrality(weights=weights)) * (n - 1),
            "diameter": lambda: own.diameter(directed=False, weights=weights),
            "eccentricity": lambda: sum(own.eccentricity()),
            "average_shortest_path_length": lambda: own.average_path_length(weights=weights),
            "betweenness_centrality": lambda: sum(own.betweenness(weights=weights))
            / ((n - 1) * (n - 2) / 2)}
    return call[name]()


def by_networkit(graph, name, weighted):
    import networkit
    import numpy
    networkit.setNumberOfThreads(2)
    n = len(graph)
    ends, weights = edges_of(graph, weighted)
    u, v = numpy.array(ends).T
    weights = numpy.array(weights, float) if weighted else numpy.ones(len(u))
    own = networkit.GraphFromCoo((weights, (u, v)), n=n, weighted=weighted, directed=False)
    if name.startswith("all_pairs"):
        whole = 0
        for k in range(0, n, 64):
            search = networkit.distance.SPSP(own, list(range(k, min(k + 64, n))))
            search.run()
            whole += sum(sum(row) for row in search.getDistances(asarray=True).tolist())
        return whole
    centrality = networkit.centrality
    if name == "diameter":
        if weighted:
            raise Absent("no weights")
        search = networkit.distance.Diameter(own, networkit.distance.DiameterAlgo.EXACT)
        search.run()
        return search.getDiameter()[0]
    if name == "eccentricity":
        if weighted:
            raise Absent("no weights")
        find = networkit.distance.Eccentricity.getValue
        return sum(find(own, k)[1] for k in range(n))
    if name == "harmonic_centrality":
        search = centrality.HarmonicCloseness(own, False)
    elif name == "betweenness_centrality":
        search = centrality.Betweenness(own, normalized=True)
    else:
        search = centrality.Closeness(own, True, centrality.ClosenessVariant.STANDARD)
    search.run()
    scores = search.scores()
    if name == "average_shortest_path_length":
        return sum(1 / score for score in scores) / n
    return sum(scores)


def by_rustworkx(graph, name, weighted):
    import rustworkx
    n = len(graph)
    ends, weights = edges_of(graph, weighted)
    own = rustworkx.PyGraph(multigraph=False)
    own.add_nodes_from(range(n))
    own.add_edges_from([(*pair, float(weight)) for pair, weight in
                        zip(ends, weights or [1] * len(ends))])
    if name == "betweenness_centrality":
        if weighted:
            raise Absent("no weights")
        return sum(rustworkx.betweenness_centrality(own).values())
    if weighted:
        rows = rustworkx.all_pairs_dijkstra_path_lengths(own, float)
        rows = (list(row.values()) for row in rows.values())
    elif name == "closeness_centrality":
        return sum(rustworkx.closeness_centrality(own).values())
    elif name == "average_shortest_path_length":
        return rustworkx.unweighted_average_shortest_path_length(own)
    else:
        rows = (row.tolist() for row in rustworkx.distance_matrix(own))
    per_row = {"closeness_centrality": lambda row: (n - 1) / sum(row),
               "harmonic_centrality": lambda row: sum(1 / x for x in row if x),
               "diameter": max, "eccentricity": max}.get(name, sum)
    values = map(per_row, rows)
    if name == "diameter":
        return max(values)
    return sum(values) / (n * (n - 1) if name.startswith("average") else 1)


def call_of(contender):
    if contender in BACKENDS:
        return lambda *cell: by_networkx(BACKENDS[contender], *cell)
    return {"igraph": by_igraph, "networkit": by_networkit, "rustworkx": by_rustworkx}[contender]


def measure(contender, graph, name, weighted, pipe):
    """In the cell's process: writes when it begins, and what it has found."""
    resource.setrlimit(resource.RLIMIT_AS, (16 << 30, 16 << 30))
    call, found = call_of(contender), {}
    try:
        call(nx.path_graph(120) if not weighted else weigh(nx.path_graph(120)), name, weighted)
        os.write(pipe, b"begin\n")
        times = []
        while not times or len(times) < 5 and sum(times) < 1:
            begun = time.perf_counter()
            value = call(graph, name, weighted)
            times.append(time.perf_counter() - begun)
        found = {"seconds": min(times), "value": float(value)}
    except Absent:
        found = {"why": "none"}
    except MemoryError:
        found = {"why": "memory"}
    except Exception as error:
        found = {"why": "error", "text": repr(error)[:300]}
    os.write(pipe, json.dumps(found).encode())


def cell(contender, graph, name, weighted, limit):
    """Seconds and value, or why not."""
    pipe = os.pipe()
    child = os.fork()
    if child == 0:
        os.setsid()
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG: ends with its parent
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 1)
        os.dup2(quiet, 2)
        measure(contender, graph, name, weighted, pipe[1])
        os._exit(0)
    os.close(pipe[1])
    text, until = b"", time.monotonic() + 60  # for imports
    while True:
        ready, _, _ = select.select([pipe[0]], [], [], max(until - time.monotonic(), 0))
        more = os.read(pipe[0], 4096) if ready else b""
        if not more:
            break
        if not text and more.startswith(b"begin"):
            until = time.monotonic() + limit
        text += more
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    os.close(pipe[0])
    answer = text.replace(b"begin\n", b"")
    if answer:
        return json.loads(answer)
    return {"why": "stopped", "after": limit} if not ready else {"why": "died"}


def show(results, contenders):
    rows, first, within = 0, 0, 0
    print("| graph, call | " + " | ".join(contenders) + " |")
    print("|---" * (1 + len(contenders)) + "|")
    for key, row in results.items():
        seconds = {who: row[who]["seconds"] for who in row if "seconds" in row[who]}
        best = min(seconds.values(), default=math.inf)
        words = []
        for who in contenders:
            result = row.get(who, {"why": "-"})
            text = {"stopped": "> %.3g" % result.get("after", 0)}.get(
                result.get("why"), result.get("why"))
            if who in seconds:
                text = "%.3g" % seconds[who]
                text = "**%s**" % text if seconds[who] == best else text
            words.append(text)
        print("| " + " | ".join([key] + words) + " |")
        rows += 1
        first += seconds.get("apsp") == best
        within += seconds.get("apsp", math.inf) <= 1.5 * best
    print("\napsp is first in %d of %d rows, and within 1.5 times the best in %d" % (
        first, rows, within))


def fill(results, arguments, contenders):
    """Whether all cells are there."""
    until = time.monotonic() + arguments.seconds
    for graph_name in arguments.graphs:
        graph = None
        for name, weighted in ROWS:
            if arguments.functions and name not in arguments.functions:
                continue
            if weighted not in arguments.weighted:
                continue
            key = "%s, %s%s" % (graph_name, name, ", weighted" if weighted else "")
            row = results.setdefault(key, {})
            for who in contenders:
                if arguments.missing and who in row:
                    continue
                if time.monotonic() > until:
                    return False
                graph = graph or MAKERS[graph_name]()
                limit = arguments.limit
                if arguments.factor and who != "apsp":
                    limit = min(limit, max(1, arguments.factor * row["apsp"].get("seconds", limit)))
                row[who] = cell(who, graph, name, weighted, limit)
                print(key, who, row[who], file=sys.stderr, flush=True)
                with open(arguments.file, "w", encoding="utf-8") as file:
                    json.dump(results, file, indent=1)
            told = [row[who]["value"] for who in row if "value" in row[who]]
            if told and not all(math.isclose(value, told[0], rel_tol=1e-9) for value in told):
                print("%s: the sums differ" % key, file=sys.stderr)
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--graphs", nargs="*", choices=list(MAKERS), default=list(MAKERS))
    parser.add_argument("--functions", nargs="*", choices=list(FUNCTIONS), default=[])
    parser.add_argument("--contenders", nargs="*", choices=[*BACKENDS, *PACKAGES])
    parser.add_argument("--weighted", nargs="*", type=int, choices=(0, 1), default=[0, 1])
    parser.add_argument("--limit", type=float, default=600, help="seconds of a peer")
    parser.add_argument("--factor", type=float, help="times the seconds of apsp")
    parser.add_argument("--missing", action="store_true", help="only cells that FILE lacks")
    parser.add_argument("--seconds", type=float, default=math.inf)
    parser.add_argument("--file", default=os.environ.get("BUILD", "build") + "/backends.json")
    arguments = parser.parse_args()
    known = [name for name in BACKENDS if name == "networkx" or
             BACKENDS[name] in nx.utils.backends.backends] + [
             name for name in PACKAGES if importlib.util.find_spec(name)]
    contenders = [name for name in known if not arguments.contenders or
                  name in arguments.contenders]
    print("absent: %s" % ", ".join(set([*BACKENDS, *PACKAGES]) - set(known)), file=sys.stderr)
    results = {}
    if os.path.exists(arguments.file):
        with open(arguments.file, encoding="utf-8") as file:
            results = json.load(file)
    whole = fill(results, arguments, contenders)
    show(results, known)
    sys.exit(0 if whole else 75)


if __name__ == "__main__":
    main()
