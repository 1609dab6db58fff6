"""Closeness and harmonic centrality by all definitions, beside networkx, igraph and NetworKit: the
table of docs/guide/networks.md."""

import random

import pytest

import apsp

networkx = pytest.importorskip("networkx")


def graph_of(kind, weighted, connected=False, n=60):
    chance = random.Random(n + weighted)
    graph = kind()
    graph.add_nodes_from(range(n))
    for _ in range(5 * n if connected else n):
        u, v = chance.sample(range(n), 2)
        graph.add_edge(u, v, weight=chance.randint(1, 5) if weighted else 1)
    for u in range(n if connected else 0):
        graph.add_edge(u, (u + 1) % n, weight=3 if weighted else 1)
    return graph


def cases():
    return [(kind, weighted) for kind in (networkx.Graph, networkx.DiGraph)
            for weighted in (False, True)]  # fmt: skip


def ours(graph, normalization, reverse=False):
    found = apsp.closeness(graph, weight="weight", reverse=reverse, normalization=normalization)
    return [found[v] for v in graph]


def harmonic(graph, reverse=False):
    return list(apsp.stats(graph, weight="weight", reverse=reverse, columns=["harmonic"]).harmonic)


def near(values):
    return pytest.approx([0 if x != x else x for x in values], rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("kind,weighted", cases())
def test_networkx(kind, weighted):
    graph = graph_of(kind, weighted)
    for improved, normalization in ((True, "wasserman-faust"), (False, "reachable")):
        theirs = networkx.closeness_centrality(graph, distance="weight", wf_improved=improved)
        assert ours(graph, normalization, reverse=True) == near(theirs.values())
        assert ours(graph.reverse() if graph.is_directed() else graph, normalization) == near(
            theirs.values())  # fmt: skip
    theirs = networkx.harmonic_centrality(graph, distance="weight")
    assert harmonic(graph, reverse=True) == near(theirs.values())


@pytest.mark.parametrize("kind,weighted", cases())
def test_igraph(kind, weighted):
    igraph = pytest.importorskip("igraph")
    graph = graph_of(kind, weighted)
    other = igraph.Graph(len(graph), list(graph.edges()), directed=graph.is_directed())
    weights = [w for _, _, w in graph.edges(data="weight")]
    for mode, reverse in (("out", False), ("in", True)):
        for normalized, normalization in ((True, "reachable"), (False, "none")):
            theirs = other.closeness(mode=mode, weights=weights, normalized=normalized)
            assert ours(graph, normalization, reverse) == near(theirs)
        theirs = other.harmonic_centrality(mode=mode, weights=weights, normalized=True)
        assert [x / (len(graph) - 1) for x in harmonic(graph, reverse)] == near(theirs)


@pytest.mark.parametrize("kind,weighted", cases())
def test_networkit(kind, weighted):
    networkit = pytest.importorskip("networkit")
    closeness, variant = networkit.centrality.Closeness, networkit.centrality.ClosenessVariant

    def other_of(graph):
        other = networkit.Graph(len(graph), weighted=True, directed=graph.is_directed())
        for u, v, w in graph.edges(data="weight"):
            other.addEdge(u, v, w)
        return other

    graph = graph_of(kind, weighted)
    theirs = networkit.centrality.HarmonicCloseness(other_of(graph), normalized=False)
    assert harmonic(graph) == near(theirs.run().scores())
    theirs = closeness(other_of(graph), True, variant.GENERALIZED).run().scores()
    assert ours(graph, "wasserman-faust") == near(theirs)
    graph = graph_of(kind, weighted, connected=True)
    for normalized in (True, False):  # the same since NetworKit 11
        theirs = closeness(other_of(graph), normalized, variant.STANDARD).run().scores()
        assert ours(graph, "all") == near(theirs)


@pytest.mark.parametrize("normalization", ["wasserman-faust", "all"])
def test_arrays_of_some_vertices(normalization):
    matrix = [[0, 1, 0, 0], [0, 0, 2, 0], [0, 0, 0, 3], [4, 0, 0, 0]]
    every = apsp.closeness(matrix, normalization=normalization)
    some = apsp.closeness(matrix, normalization=normalization, indices=[2, 1])
    assert some.tolist() == every[[2, 1]].tolist()
    assert apsp.eccentricity(matrix, indices=[2]).tolist() == [apsp.eccentricity(matrix)[2]]
