"""Graphs of other packages, beside what these find themselves."""

import pytest

import apsp

np = pytest.importorskip("numpy")


def pairs_of(chance, n=40, m=160):
    return [(chance.randrange(n), chance.randrange(n)) for _ in range(m)]


@pytest.mark.parametrize("kind", ["Graph", "DiGraph", "MultiGraph", "MultiDiGraph"])
def test_networkx(kind, chance, method):
    networkx = pytest.importorskip("networkx")
    graph = getattr(networkx, kind)()
    graph.add_nodes_from("v%d" % v for v in reversed(range(40)))
    for u, v in pairs_of(chance):
        graph.add_edge("v%d" % u, "v%d" % v, weight=chance.randrange(100))
    graph.add_edge("v1", ("a", "tuple"))  # without a weight: 1
    labels = list(graph)
    right = networkx.floyd_warshall_numpy(
        graph, nodelist=labels) if not graph.is_multigraph() else np.array(
            [[float(d.get(v, np.inf)) for v in labels]
             for d in (networkx.single_source_dijkstra_path_length(graph, u) for u in labels)])
    assert np.array_equal(apsp.shortest_path(graph, method=method), right)
    assert np.array_equal(apsp.shortest_path(graph, indices=["v3", "v1"], targets="v7"),
                          right[[labels.index("v3"), labels.index("v1")],
                                labels.index("v7")])
    assert np.array_equal(apsp.shortest_path(graph, indices=("a", "tuple")), right[-1])
    distance, vertices = apsp.path(graph, "v1", ("a", "tuple"))
    assert (distance, vertices) == (1, ["v1", ("a", "tuple")])
    rows = []
    for names, block in apsp.blocks(graph, block_rows=9):
        assert len(block) == len(names)
        rows += names
    assert rows == labels
    for wrong in ("v99", ["v1", "x"], 3, None.__class__, {}):
        with pytest.raises((ValueError, TypeError)):
            apsp.shortest_path(graph, indices=wrong)


def test_networkx_attributes(chance):
    networkx = pytest.importorskip("networkx")
    graph = networkx.DiGraph()
    for u, v in pairs_of(chance):
        graph.add_edge(u, v, weight=chance.random(), minutes=chance.randrange(60))
    labels = list(graph)
    for weight in ("minutes", None):
        right = networkx.floyd_warshall_numpy(graph, nodelist=labels, weight=weight)
        assert np.array_equal(apsp.shortest_path(graph, weight=weight), right)
    assert np.array_equal(apsp.shortest_path(graph, unweighted=True), right)
    for wrong in ("7", 1j, 10**30, float("-inf"), [1]):
        graph.edges[next(iter(graph.edges))]["minutes"] = wrong
        with pytest.raises(ValueError):
            apsp.shortest_path(graph, weight="minutes")


def test_networkx_closeness(chance):
    networkx = pytest.importorskip("networkx")
    graph = networkx.DiGraph()
    for u, v in pairs_of(chance):
        graph.add_edge("v%d" % u, "v%d" % v, weight=chance.randrange(1, 100))
    right = networkx.closeness_centrality(graph, distance="weight")
    found = apsp.closeness(graph, reverse=True)
    assert found.keys() == right.keys() and all(found[v] == pytest.approx(right[v], rel=1e-12)
                                                for v in right)
    assert apsp.closeness(graph) == pytest.approx(
        networkx.closeness_centrality(graph.reverse(), distance="weight"))


def test_networkx_cycle_has_labels():
    networkx = pytest.importorskip("networkx")
    graph = networkx.DiGraph()
    graph.add_weighted_edges_from([("a", "b", 1), ("b", "c", -3), ("c", "b", 2), ("c", "d", 1)])
    with pytest.raises(apsp.NegativeCycleError) as caught:
        apsp.shortest_path(graph)
    assert sorted(caught.value.vertices) == ["b", "c"]


def test_empty_graphs():
    networkx = pytest.importorskip("networkx")
    assert apsp.shortest_path(networkx.Graph()).shape == (0, 0)
    assert list(apsp.blocks(networkx.Graph())) == []


@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("named", [True, False])
def test_igraph(directed, named, chance):
    igraph = pytest.importorskip("igraph")
    pairs = pairs_of(chance)
    graph = igraph.Graph(n=40, edges=pairs, directed=directed)
    assert np.array_equal(apsp.shortest_path(graph),
                          np.array(graph.distances(mode="out"), dtype=float))
    graph.es["weight"] = [chance.randrange(100) for _ in pairs]
    if named:
        graph.vs["name"] = ["v%d" % v for v in range(40)]
    right = np.array(graph.distances(weights="weight", mode="out"), dtype=float)
    assert np.array_equal(apsp.shortest_path(graph), right)
    assert np.array_equal(apsp.shortest_path(graph, indices=["v3", 4] if named else [3, 4]),
                          right[[3, 4]])
    found = apsp.closeness(graph)
    assert isinstance(found, dict) == named
    if named:
        assert apsp.path(graph, "v3", "v3").vertices == ["v3"]
        assert np.array_equal(
            apsp.shortest_path(graph, indices=[np.int64(3), "v4"], targets=np.int64(5)),
            right[[3, 4], 5])
        with pytest.raises(ValueError):
            apsp.path(graph, "v3", "v77")
        with pytest.raises(ValueError, match="True is not a vertex"):
            apsp.path(graph, "v3", True)


@pytest.mark.parametrize("names", [[2, 0, 1], ["a", "a", "b"], ["a", None, "b"]])
def test_igraph_names_that_are_no_names(names):
    igraph = pytest.importorskip("igraph")
    graph = igraph.Graph(n=3, edges=[(0, 1), (1, 2)], directed=True)
    graph.vs["name"] = names
    assert apsp.path(graph, 0, 2) == (2, [0, 1, 2])
    with apsp.solve(graph) as solution:
        assert solution.labels is None and solution.group_betweenness([1]) == 1


def test_labels_that_are_chosen():
    networkx, pandas = map(pytest.importorskip, ("networkx", "pandas"))
    graph = networkx.path_graph(4, networkx.DiGraph)
    right = apsp.shortest_path(graph, indices=[1, 3])
    for make in (pandas.Series, pandas.Index, np.array):
        assert np.array_equal(apsp.shortest_path(graph, indices=make([1, 3])), right)
    named = networkx.relabel_nodes(graph, dict(zip(graph, "abcd")))
    assert np.array_equal(apsp.shortest_path(named, indices=pandas.Series(["b", "d"])), right)
    for mask in (np.array([False, True, False, True]), [False, True], True, np.bool_(True)):
        with pytest.raises(ValueError, match=r"give numpy.array\(labels\)\[mask\]"):
            apsp.shortest_path(graph, indices=mask)
    assert apsp.path(networkx.DiGraph([(True, False)]), True, False).vertices == [True, False]


@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("weighted", [True, False])
def test_networkit(directed, weighted, chance):
    networkit = pytest.importorskip("networkit")
    graph = networkit.Graph(40, weighted=weighted, directed=directed)
    for u, v in pairs_of(chance):
        graph.addEdge(u, v, chance.randrange(100))
    found = networkit.distance.APSP(graph).run().getDistances()
    right = np.array([[np.inf if d > 1e300 else d for d in row] for row in found])
    assert np.array_equal(apsp.shortest_path(graph), right)
    graph.removeNode(3)
    assert np.array_equal(apsp.shortest_path(graph, indices=4, targets=[5, 39])[1:].shape, (1,))
    with pytest.raises(ValueError):
        apsp.shortest_path(graph, indices=3)


def test_frames(chance):
    pandas = pytest.importorskip("pandas")
    sparse = pytest.importorskip("scipy.sparse")
    csgraph = pytest.importorskip("scipy.sparse.csgraph")
    weights = {}
    for u, v in pairs_of(chance):
        weights[u, v] = chance.randrange(1, 100)
    frame = pandas.DataFrame({
        "source": [10 * u for u, _ in weights], "target": [10 * v for _, v in weights],
        "weight": list(weights.values()), "name": "road"
    })
    labels = sorted(set(frame["source"]) | set(frame["target"]))
    matrix = sparse.csr_array(
        (frame["weight"], (frame["source"].map(labels.index), frame["target"].map(labels.index))),
        shape=(len(labels), ) * 2)
    right = csgraph.shortest_path(matrix)
    assert np.array_equal(apsp.shortest_path(frame), right)
    assert np.array_equal(apsp.shortest_path(frame, indices=labels[3]), right[3])
    assert np.array_equal(apsp.shortest_path(frame.drop(columns="weight")),
                          csgraph.shortest_path(matrix, unweighted=True))
    assert apsp.path(frame, labels[0], labels[0]) == (0, [labels[0]])
    text = frame.assign(source=frame["source"].astype(str), target=frame["target"].astype(str))
    assert sorted(apsp.closeness(text)) == sorted(str(v) for v in labels)
    for wrong in (frame.drop(columns="source"), frame.assign(weight="x"),
                  frame.assign(source=np.nan), frame.assign(weight=True)):
        with pytest.raises(ValueError):
            apsp.shortest_path(wrong)


def test_edges(chance):
    pairs = pairs_of(chance)
    weights = [chance.randrange(50) for _ in pairs]
    right = np.full((40, 40), np.inf)
    np.fill_diagonal(right, 0)
    for (u, v), w in zip(pairs, weights):
        right[u, v] = min(right[u, v], w)
    for k in range(40):
        right = np.minimum(right, right[:, k:k + 1] + right[k:k + 1])
    source, target = (list(ends) for ends in zip(*pairs))
    for kind in (list, lambda x: np.array(x, dtype=np.int32),
                 lambda x: np.array(x, dtype=np.uint64), lambda x: np.array(x, dtype=np.int8),
                 lambda x: np.repeat(x, 2)[::2], tuple):
        assert np.array_equal(
            apsp.shortest_path(apsp.Edges(40, kind(source), kind(target), kind(weights))), right)


@pytest.mark.parametrize("wrong", [(-1, [], []), (2.5, [], []), ("3", [], []), (True, [], []),
                                   (3, [0], []), (3, [0], [1, 2]), (3, [0], [3]), (3, [-1], [0]),
                                   (3, [0.5], [1]), (3, ["a"], [1]), (3, [0], [1], [1, 2]),
                                   (3, [0], [1], ["x"]), (3, [0], [1], [-float("inf")]),
                                   (3, [0], [1], [2**62]), (3, [0], [1], [10**40]),
                                   (3, [[0]], [[1]]), (3, None, None), (3, [0], [1], object()),
                                   (0, [0], [0]), (3, [0], [1], [1j]), (3, {0}, {1})])
def test_wrong_edges(wrong):
    with pytest.raises((ValueError, TypeError)):
        apsp.shortest_path(apsp.Edges(*wrong))
