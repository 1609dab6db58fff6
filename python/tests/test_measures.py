"""Betweenness and chosen pairs, beside networkx and whole tables."""

import random

import pytest

import apsp

networkx = pytest.importorskip("networkx")
numpy = pytest.importorskip("numpy")


def graph_of(seed, kind, n=40, m=90):
    chance = random.Random(seed)
    graph = kind()
    graph.add_nodes_from("v%d" % k for k in range(n))
    for _ in range(m):
        u, v = chance.sample(range(n - 2), 2)
        graph.add_edge("v%d" % u, "v%d" % v, weight=chance.randint(1, 5))
    return graph


@pytest.mark.parametrize("kind", [networkx.Graph, networkx.DiGraph])
@pytest.mark.parametrize("weight", [None, "weight"])
def test_betweenness(kind, weight, method):
    graph = graph_of(1, kind)
    for normalized in (False, True):
        theirs = networkx.betweenness_centrality(graph, normalized=normalized, weight=weight)
        with apsp.solve(graph, method=method, weight=weight) as solution:
            ours = solution.betweenness(normalized=normalized)
        assert ours == pytest.approx(list(theirs.values()), rel=1e-12, abs=1e-12)


def test_betweenness_of_some_and_of_ordered_pairs():
    graph = graph_of(2, networkx.Graph)
    nodes = list(graph)
    with apsp.solve(graph) as solution:
        parts = solution.betweenness(nodes[:20], ordered=True) + solution.betweenness(
            nodes[20:], ordered=True)
        assert parts == pytest.approx(2 * solution.betweenness(), rel=1e-12)
        assert parts == pytest.approx(solution.betweenness(ordered=True), rel=1e-12)
        with pytest.raises(ValueError, match="not a vertex"):
            solution.betweenness(["nowhere"])
    with apsp.solve(apsp.Edges(0, [], [])) as solution:
        assert len(solution.betweenness()) == 0 and len(solution.pairs().source) == 0


def test_betweenness_of_weights_of_0():
    with apsp.solve(apsp.Edges(3, [0, 1], [1, 2], [0, 1])) as solution:
        with pytest.raises(ValueError, match="weight 0"):
            solution.betweenness()


@pytest.mark.parametrize("real", [False, True])
def test_pairs(real, method):
    graph = graph_of(3, networkx.DiGraph)
    if real:
        for _, _, data in graph.edges(data=True):
            data["weight"] /= 7
    nodes = list(graph)
    with apsp.solve(graph, method=method, dtype="float64" if real else "native") as solution:
        table = solution.distances().astype(float)
        table[table == apsp.unreachable(solution.dtype)] = numpy.inf
        numpy.fill_diagonal(table, numpy.inf)  # a vertex itself is no pair, but where it is named
        near = numpy.where(table <= 2, table, numpy.inf)
        rows, columns = numpy.nonzero(near < numpy.inf)
        found = solution.pairs(within=2)
        assert found.source.tolist() == rows.tolist() and found.target.tolist() == columns.tolist()
        assert found.distance.tolist() == near[rows, columns].tolist()
        assert found.distance.dtype == ("float64" if real else "int64")
        three = solution.pairs(nodes[4:9], nearest=3)
        for k in range(4, 9):
            order = numpy.argsort(table[k], kind="stable")[:3]
            order = order[table[k][order] < numpy.inf]
            assert three.target[three.source == k].tolist() == order.tolist()
        some = solution.pairs(nodes[1], nodes[1:5])
        assert some.source.tolist()[:1] == [1] and some.distance[0] == 0
        with pytest.raises(ValueError, match="nearest"):
            solution.pairs(nearest=0)
        with pytest.raises(ValueError, match="within"):
            solution.pairs(within=float("nan"))


def test_pairs_as_matrix_and_frame():
    pytest.importorskip("scipy.sparse")
    pytest.importorskip("pandas")
    graph = graph_of(4, networkx.Graph)
    with apsp.solve(graph, dtype="native") as solution:
        found = solution.pairs(within=1)
        matrix = found.to_scipy()
        frame = found.to_frame()
    assert matrix.shape == (40, 40) and matrix.nnz == len(frame) == len(found.source)
    for source, target, distance in frame.itertuples(index=False):
        assert graph[source][target]["weight"] == distance == 1
