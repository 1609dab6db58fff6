#!/usr/bin/env python3
"""Graphs that networkx and igraph write as GML and GraphML, read by apsp: networks.py LIBRARY APSP
FOLDER.

Exit 0: the distances are those of the library that wrote the file, between vertices of the same
names; 77: it is not installed."""
import json
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
    subprocess.run([
        apsp, "--quiet", "--force", "--verify=all", "--names", f"{folder}/names", *options, path,
        f"{folder}/d.npy"
    ],
                   check=True)
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
        for kind, weight in ("whole",
                             lambda: random.randint(1, 99)), ("real",
                                                              lambda: random.random() + 0.01):
            graph = module.DiGraph() if directed else module.Graph()
            graph.add_nodes_from(name(v) for v in range(60))
            graph.add_weighted_edges_from([(name(u), name(v), w)
                                           for u, v, w in edges(60, 150, weight)])
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
                for key, options in ("weight", []), ("other",
                                                     ["--weight-key", "other", "--sort-names"]):
                    compare(path, dict(module.all_pairs_dijkstra_path_length(graph, weight=key)),
                            *options)


def of_others():
    """Formats that networkx writes in its own ways: ids in JSON, words in lists, weights of all
    edges in Pajek."""
    for directed in False, True:
        for weight in (lambda: random.randint(1, 99)), (lambda: random.random() + 0.01):
            graph = module.DiGraph() if directed else module.Graph()
            graph.add_nodes_from(f"v{v * v}" for v in range(60))
            graph.add_weighted_edges_from([(f"v{u * u}", f"v{v * v}", w)
                                           for u, v, w in edges(60, 150, weight)])
            right = dict(module.all_pairs_dijkstra_path_length(graph))
            module.write_pajek(graph, f"{folder}/graph.net")
            compare(f"{folder}/graph.net", right)
            for _, _, data in graph.edges(data=True):
                data["other"] = random.randint(1, 9)
                data["kind"] = random.choice(["a 'b' {", 'c "d" }', "e\\"])
            other = dict(module.all_pairs_dijkstra_path_length(graph, weight="other"))
            module.write_gexf(graph, f"{folder}/graph.gexf")
            for name_of_edges in "links", "edges":
                with open(f"{folder}/graph.json", "w") as file:
                    json.dump(module.node_link_data(graph, edges=name_of_edges), file)
                compare(f"{folder}/graph.json", right)
            for suffix in "gexf", "json":
                compare(f"{folder}/graph.{suffix}", right)
                compare(f"{folder}/graph.{suffix}", other, "--weight-key", "other", "--sort-names")
            bare = [v for v in graph if graph.degree(v) == 0]  # a list of edges has them not
            graph.remove_nodes_from(bare)
            module.write_edgelist(graph, f"{folder}/graph.edgelist")
            both = [] if directed else ["--undirected"]
            compare(f"{folder}/graph.edgelist", dict(module.all_pairs_dijkstra_path_length(graph)),
                    *both)
            compare(f"{folder}/graph.edgelist",
                    dict(module.all_pairs_dijkstra_path_length(graph, weight="other")),
                    "--weight-key", "other", *both)


def of_igraph():
    for directed in False, True:
        for kind, weight in ("whole",
                             lambda: random.randint(1, 99)), ("real",
                                                              lambda: random.random() + 0.01):
            lines = edges(60, 150, weight)
            graph = module.Graph(60, [(u, v) for u, v, _ in lines], directed=directed)
            graph.es["weight"] = [w for _, _, w in lines]
            graph.vs["label"] = [name(v) for v in range(60)]
            rows = graph.distances(weights="weight")
            for suffix in "gml", "graphml":
                path = f"{folder}/{kind}.{suffix}"
                getattr(graph, f"write_{suffix}")(path)
                called = (lambda v: name(v)) if suffix == "gml" else (lambda v: f"n{v}")
                compare(
                    path, {
                        called(u): {called(v): d for v, d in enumerate(row) if d < float("inf")}
                        for u, row in enumerate(rows)
                    })
            graph.write_pajek(f"{folder}/{kind}.net")
            compare(
                f"{folder}/{kind}.net", {
                    str(u + 1): {str(v + 1): d for v, d in enumerate(row) if d < float("inf")}
                    for u, row in enumerate(rows)
                })
            if kind == "whole" and directed:
                graph.write_dimacs(f"{folder}/graph.dimacs",
                                   source=0,
                                   target=1,
                                   capacity=graph.es["weight"])
                compare(
                    f"{folder}/graph.dimacs", {
                        str(u + 1): {str(v + 1): d for v, d in enumerate(row) if d < float("inf")}
                        for u, row in enumerate(rows)
                    })
            graph.vs["name"] = names = [f"v{v * v}" for v in range(60)]
            for weights in None, "weight":
                path = f"{folder}/{kind}.lgl"
                graph.write_lgl(path, names="name", weights=weights)
                compare(path, {u: {v: d for v, d in zip(names, row) if d < float("inf")}
                               for u, row in zip(names, graph.distances(weights=weights))},
                        *(["--directed"] if directed else []))


random.seed(7)
if library == "networkx":
    of_others()
{"networkx": of_networkx, "igraph": of_igraph}[library]()
