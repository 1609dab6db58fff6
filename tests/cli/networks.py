#!/usr/bin/env python3
"""Graphs that networkx and igraph write as GML and GraphML, read by apsp: networks.py LIBRARY APSP FOLDER.

Exit 0: the distances are those of the library that wrote the file, between vertices of the same names; 77: it is not
installed."""
import random
import subprocess
import sys

library, apsp, folder = sys.argv[1:]
try:
    import numpy
    module = __import__(library)
except ImportError:
    sys.exit(77)


def run(path, *options):
    """The distances, and what the vertices are called."""
    subprocess.run([apsp, "--quiet", "--force", "--verify=all", "--names", f"{folder}/names", *options, path,
                    f"{folder}/d.npy"], check=True)
    with open(f"{folder}/names", encoding="utf-8") as names:
        return numpy.load(f"{folder}/d.npy"), names.read().splitlines()


def compare(path, expected, *options):
    """expected: {name: {name: distance}}, of those that are reachable."""
    found, names = run(path, *options)
    assert sorted(names) == sorted(expected), path
    assert names == sorted(names, key=lambda s: s.encode()) or "--sort-names" not in options, path
    missing = numpy.inf if found.dtype.kind == "f" else numpy.iinfo(found.dtype).max // 2
    for i, u in enumerate(names):
        right = numpy.array([expected[u].get(v, missing) for v in names])
        assert numpy.allclose(right, found[i], rtol=1e-12), (path, u)


def edges(n, m, weight):
    return [(random.randrange(n), random.randrange(n), weight()) for _ in range(m)]


def name(v):
    return f'ünit "{v * v}" & <{v}>'


def of_networkx():
    for directed in False, True:
        for kind, weight in ("whole", lambda: random.randint(1, 99)), ("real", lambda: random.random() + 0.01):
            graph = module.DiGraph() if directed else module.Graph()
            graph.add_nodes_from(name(v) for v in range(60))
            graph.add_weighted_edges_from([(name(u), name(v), w) for u, v, w in edges(60, 150, weight)])
            bare = 0
            for _, _, data in graph.edges(data=True):
                data["other"] = random.randint(1, 9)
                if random.random() < 0.1:
                    del data["weight"]
                    bare += 1
            assert bare
            for suffix in "gml", "graphml":
                path = f"{folder}/{kind}.{suffix}"
                getattr(module, f"write_{suffix}")(graph, path)
                for key, options in ("weight", []), ("other", ["--weight-key", "other", "--sort-names"]):
                    compare(path, dict(module.all_pairs_dijkstra_path_length(graph, weight=key)), *options)


def of_igraph():
    for directed in False, True:
        for kind, weight in ("whole", lambda: random.randint(1, 99)), ("real", lambda: random.random() + 0.01):
            lines = edges(60, 150, weight)
            graph = module.Graph(60, [(u, v) for u, v, _ in lines], directed=directed)
            graph.es["weight"] = [w for _, _, w in lines]
            graph.vs["label"] = [name(v) for v in range(60)]
            rows = graph.distances(weights="weight")
            for suffix in "gml", "graphml":
                path = f"{folder}/{kind}.{suffix}"
                getattr(graph, f"write_{suffix}")(path)
                called = (lambda v: name(v)) if suffix == "gml" else (lambda v: f"n{v}")
                compare(path, {called(u): {called(v): d for v, d in enumerate(row) if d < float("inf")}
                               for u, row in enumerate(rows)})
            graph.vs["name"] = names = [f"v{v * v}" for v in range(60)]
            for weights in None, "weight":
                path = f"{folder}/{kind}.lgl"
                graph.write_lgl(path, names="name", weights=weights)
                compare(path, {u: {v: d for v, d in zip(names, row) if d < float("inf")}
                               for u, row in zip(names, graph.distances(weights=weights))},
                        *(["--directed"] if directed else []))


random.seed(7)
{"networkx": of_networkx, "igraph": of_igraph}[library]()
