"""Where weights come from, which of them hide an edge, and which errors name it."""

import array
import decimal
import math
import sys

import pytest

import apsp

np = pytest.importorskip("numpy")
INF = math.inf


def matrix_of(n, edges):
    """Distances by another algorithm: of triples, whose weights None and infinity are no edges."""
    rows = [[0 if i == j else INF for j in range(n)] for i in range(n)]
    for u, v, weight in edges:
        rows[u][v] = min(rows[u][v], INF if weight is None else weight)
    for k in range(n):
        for row in rows:
            for j in range(n):
                row[j] = min(row[j], row[k] + rows[k][j])
    return np.array(rows, dtype=float)


def random_edges(chance, n=12, m=40):
    weights = [None, INF, 0, 1, 2.5, 7, True, np.int32(3), np.float32(0.5), decimal.Decimal("1.25")]
    return [(chance.randrange(n), chance.randrange(n), chance.choice(weights)) for _ in range(m)]


def plain(weight):
    return None if weight is None else float(weight)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("kind", ["MultiDiGraph", "DiGraph", "Graph", "igraph", "frame", "Edges"])
def test_none_and_infinity_hide_an_edge(kind, seed, chance):
    edges = random_edges(chance)
    n, names = 12, ["v%02d" % v for v in range(12)]
    if kind in ("DiGraph", "Graph"):
        edges = list({(u, v) if kind == "DiGraph" else (min(u, v), max(u, v)): (u, v, w)
                      for u, v, w in edges}.values())
    right = [(u, v, plain(w)) for u, v, w in edges]
    right = matrix_of(n, right + [(v, u, w) for u, v, w in right if kind == "Graph"])
    if kind == "igraph":
        igraph = pytest.importorskip("igraph")
        graph = igraph.Graph(n=n, edges=[edge[:2] for edge in edges], directed=True)
        graph.es["weight"] = [w for _, _, w in edges]
    elif kind == "frame":
        pandas = pytest.importorskip("pandas")
        rows = [(names[u], names[v], w) for u, v, w in edges + [(v, v, None) for v in range(n)]]
        graph = pandas.DataFrame(rows, columns=["source", "target", "weight"], dtype=object)
    elif kind == "Edges":
        graph = apsp.Edges(n, *map(list, zip(*edges)))
    else:
        networkx = pytest.importorskip("networkx")
        graph = getattr(networkx, kind)()
        graph.add_nodes_from(range(n))
        for u, v, w in edges:
            graph.add_edge(u, v, weight=w)
    assert np.array_equal(apsp.shortest_path(graph), right)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "longdouble", "object"])
def test_infinity_in_arrays_of_edges(dtype, chance):
    edges = [(u, v, chance.choice([INF, 1, 2, 4])) for u, v, _ in random_edges(chance)]
    source, target, weight = (list(column) for column in zip(*edges))
    right = matrix_of(12, edges)
    for ends in (np.array, list, lambda x: np.array(x, dtype=np.uint64),
                 lambda x: array.array("i", x)):
        graph = apsp.Edges(12, ends(source), ends(target), np.array(weight, dtype=dtype))
        assert np.array_equal(apsp.shortest_path(graph), right)
    graph = apsp.Edges(12, source, target, array.array("d", weight))
    assert np.array_equal(apsp.shortest_path(graph), right)


def test_whole_weights_stay_exact_beside_hidden_edges():
    large = 2**60 + 1
    for weights in ([large, INF, None], np.array([large, INF, None], dtype=object)):
        found = apsp.shortest_path(apsp.Edges(3, [0, 1, 1], [1, 2, 0], weights), dtype="native")
        assert found.dtype == np.int64 and found[0, 1] == large
        assert found[1, 2] == apsp.unreachable("int64")


@pytest.mark.parametrize("wrong, word", [
    ([1, 2, -INF], "edge 2: weight -inf"), ([1, -INF, 2], "edge 1: weight -inf"),
    ([INF, math.nan, -INF], "edge 2: weight -inf"), ([1, "7", 2], "edge 1: the weight '7'"),
    ([None, INF, 1j], "edge 2: the weight 1j"), ([1, 2, 2**62], "edge 2: weight"),
    (np.array([math.nan, INF, -INF]), "edge 2: weight -inf"),
    (np.array([1, 0, 1], dtype=bool), "True or False"),
    (np.array(["1", "2", "3"]), "floating-point numbers"),
    (np.array([1, 2, "3"], dtype=object), "edge 2: the weight '3'"),
    (array.array("d", [INF, math.nan, -INF]), "edge 2: weight -inf"), ([1, INF], "2 weights")])
def test_errors_name_the_edge(wrong, word):
    with pytest.raises(ValueError) as caught:
        apsp.shortest_path(apsp.Edges(3, [0, 1, 2], [1, 2, 0], wrong))
    assert word in str(caught.value)


@pytest.mark.parametrize("wrong", [
    ([0.0, 1.0], [1.0, 2.0]), (np.array([0, 1.7]), np.array([1, 2.2])), ([0, 1.7], [1, 2]),
    ([0, "1"], [1, 2]), (np.array(["0", "1"]), np.array(["1", "2"])),
    (np.array([0, 1.7], dtype=object), np.array([1, 2.2], dtype=object)),
    (np.array([0, 1.0], dtype=object), np.array([1, 2.0], dtype=object)),
    (np.array(["0", "1"], dtype=object), np.array(["1", "2"], dtype=object)),
    (np.array([0, None], dtype=object), [1, 2]), ([True, False], [1, 2]),
    (np.array([True, False]), [1, 2]), (array.array("d", [0, 1]), [1, 2]),
    (np.array([0, decimal.Decimal(1)], dtype=object), [1, 2])])
def test_vertices_are_whole_numbers(wrong):
    for edges in (wrong, wrong[::-1]):
        with pytest.raises(ValueError, match="source|target"):
            apsp.shortest_path(apsp.Edges(3, *edges))
    right = np.array([0, 1], dtype=object), np.array([1, np.int8(2)], dtype=object)
    assert apsp.shortest_path(apsp.Edges(3, *right), indices=0).tolist() == [0, 1, 2]


def graphs_with_lengths():
    """One of each kind, whose edges have no weight, but a length, a flag and a name."""
    edges = [("a", "b", 3, True, "x"), ("b", "c", 4, False, "y")]
    networkx, igraph, pandas = map(sys.modules.get, ("networkx", "igraph", "pandas"))
    if networkx:
        graph = networkx.DiGraph()
        for u, v, length, flag, name in edges:
            graph.add_edge(u, v, length=length, flag=flag, name=name)
        yield graph, "length"
    if igraph:
        graph = igraph.Graph(n=3, edges=[(0, 1), (1, 2)], directed=True)
        graph.es["length"], graph.es["flag"], graph.es["name"] = zip(*[edge[2:] for edge in edges])
        yield graph, "length"
    if pandas:
        frame = pandas.DataFrame(edges, columns=["source", "target", "length", "flag", "name"])
        yield frame, "length"
        yield frame.rename(columns={"length": 7}), 7


def without_numbers(graph, name):
    """The same graph without the attribute."""
    if hasattr(graph, "es"):
        graph = graph.copy()
        del graph.es[name]
    elif hasattr(graph, "columns"):
        graph = graph.drop(columns=name)
    else:
        graph = graph.copy()
        for _, _, data in graph.edges(data=True):
            del data[name]
    return graph


def test_names_of_weights():
    for package in ("networkx", "igraph", "pandas"):
        try:
            __import__(package)
        except ImportError:
            pass
    count = 0
    for graph, name in graphs_with_lengths():
        count += 1
        assert apsp.path(graph, *ends_of(graph), weight=name).distance == 7
        assert apsp.path(graph, *ends_of(graph), weight=None).distance == 2
        assert apsp.path(graph, *ends_of(graph), unweighted=True).distance == 2
        with pytest.raises(ValueError, match="called 'Length', but there are .*%r.*; w" % name):
            apsp.shortest_path(graph, weight="Length")
        with pytest.raises(ValueError, match="called 'weight', but there are %r; w" % name):
            apsp.shortest_path(graph)
        bare = without_numbers(graph, name)
        assert apsp.path(bare, *ends_of(graph)).distance == 2
        with pytest.raises(ValueError, match="called 'Length', but there are 'flag', 'name'"):
            apsp.shortest_path(bare, weight="Length")
        for wrong in (["length"], {}):
            with pytest.raises(ValueError):
                apsp.shortest_path(graph, weight=wrong)
    if not count:
        pytest.skip("no package with named weights")


def ends_of(graph):
    return (0, 2) if hasattr(graph, "es") else ("a", "c")


def test_graphs_without_edges_lack_no_weights():
    networkx = pytest.importorskip("networkx")
    graph = networkx.empty_graph(3)
    assert apsp.shortest_path(graph, weight="length").tolist() == apsp.shortest_path(graph).tolist()


def by_dijkstra(graph, weight):
    """Distances as networkx finds them."""
    from networkx import single_source_dijkstra_path_length as lengths
    rows = (lengths(graph, u, weight=weight) for u in graph)
    return np.array([[row.get(v, INF) for v in graph] for row in rows])


def test_networkx_true_and_false(chance):
    """They are names of attributes that no edge has, as for networkx itself."""
    networkx = pytest.importorskip("networkx")
    graph = networkx.gnp_random_graph(20, 0.2, seed=1)
    for u, v in graph.edges:
        graph.edges[u, v]["weight"] = chance.randrange(9)
    for weight in (True, False):
        assert np.array_equal(apsp.shortest_path(graph, weight=weight), by_dijkstra(graph, weight))
    graph.edges[next(iter(graph.edges))][True] = 5
    assert np.array_equal(apsp.shortest_path(graph, weight=True), by_dijkstra(graph, True))


@pytest.mark.parametrize("kind", ["Graph", "DiGraph", "MultiGraph", "MultiDiGraph"])
def test_networkx_functions(kind, chance):
    """Asked for both ways of an edge, and of parallel ones once, as networkx asks."""
    networkx = pytest.importorskip("networkx")
    graph = getattr(networkx, kind)()
    graph.add_nodes_from(range(25))
    for _ in range(90):
        graph.add_edge(chance.randrange(25), chance.randrange(25), km=chance.randrange(1, 50))

    def cost(u, v, data):
        least = min(d["km"] for d in data.values()) if graph.is_multigraph() else data["km"]
        return None if (u + v) % 5 == 0 else least + 0.25 * u

    assert np.array_equal(apsp.shortest_path(graph, weight=cost), by_dijkstra(graph, cost))
    assert apsp.path(graph, 0, 0, weight=cost).distance == 0

    def failing(u, v, data):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        apsp.shortest_path(graph, weight=failing)


def test_functions_are_of_networkx_alone():
    for graph in (np.zeros((2, 2)), [[0, 1], [1, 0]], apsp.Edges(2, [0], [1])):
        with pytest.raises(TypeError, match="networkx"):
            apsp.shortest_path(graph, weight=lambda u, v, data: 1)


def test_weight_none_counts_edges_of_any_graph():
    for graph in ([[0, 7], [9, 0]], np.array([[0, 7], [9, 0.5]]),
                  apsp.Edges(2, [0, 1], [1, 0], [7, 9])):
        assert apsp.shortest_path(graph, weight=None).tolist() == [[0, 1], [1, 0]]


def test_messages_have_labels():
    networkx = pytest.importorskip("networkx")
    pandas = pytest.importorskip("pandas")
    rows = [("rome", "oslo", None), ("oslo", "bern", -INF), ("bern", "rome", 1)]
    graph = networkx.DiGraph()
    graph.add_weighted_edges_from(rows)
    frame = pandas.DataFrame(rows, columns=["source", "target", "weight"], dtype=object)
    for given in (graph, frame):
        with pytest.raises(ValueError,
                           match="the edge 'oslo' -> 'bern': weight -inf is not finite"):
            apsp.shortest_path(given)
    graph.edges["oslo", "bern"]["weight"] = "far"
    with pytest.raises(ValueError, match="the edge 'oslo' -> 'bern': the weight 'far' is no"):
        apsp.shortest_path(graph)


def test_cycles_have_labels():
    networkx = pytest.importorskip("networkx")
    graph = networkx.DiGraph()
    graph.add_weighted_edges_from([("a", "b", 1), ("b", ("c", 1), -3), (("c", 1), "b", 2)])
    with pytest.raises(apsp.NegativeCycleError) as caught:
        apsp.shortest_path(graph)
    shown = " -> ".join(map(repr, caught.value.vertices + caught.value.vertices[:1]))
    assert str(caught.value).endswith("negative cycle of total weight -1: vertices " + shown)
    graph = networkx.DiGraph()
    n = 400
    graph.add_weighted_edges_from(("town %d" % v, "town %d" % ((v + 1) % n), -1) for v in range(n))
    with pytest.raises(apsp.NegativeCycleError) as caught:
        apsp.shortest_path(graph)
    assert len(caught.value.vertices) == n
    assert str(caught.value).endswith(" -> ...") and len(str(caught.value)) < 1000


def test_empty_graphs_have_statistics():
    networkx = pytest.importorskip("networkx")
    for graph in (networkx.Graph(), np.zeros((0, 0))):
        found = apsp.stats(graph, histogram=True)
        assert found.n == found.pairs == found.unreachable == found.diameter == found.sum == 0
        assert math.isnan(found.mean) and found.histogram == ([], []) and found.quantiles == {}
        for name in ("reachable", "in_reachable", "eccentricity", "in_eccentricity", "total",
                     "closeness", "harmonic"):
            assert len(getattr(found, name)) == 0
    assert apsp.closeness(networkx.Graph()) == networkx.closeness_centrality(networkx.Graph()) == {}
    assert apsp.closeness(np.zeros((0, 0))).shape == (0,)


def test_totals_are_whole_while_they_fit():
    """The number of vertices times the diameter is above 2^63, but no sum is."""
    far = 2**61
    found = apsp.stats(apsp.Edges(7, [0, 1], [1, 2], [far, 5]))
    assert found.diameter * 7 > 2**63
    assert found.total.dtype == np.int64 and found.total.tolist() == [2 * far + 5, 5] + [0] * 5
    most = 2**62 - 2  # and of three edges 2^63 - 1, and one more
    for last, kind in ((3, np.int64), (4, np.float64)):
        found = apsp.stats(apsp.Edges(4, [0] * 3, [1, 2, 3], [most, most, last]))
        assert found.total.dtype == kind and found.total[0] == 2 * most + last
    found = apsp.stats(apsp.Edges(8, [0] * 7, range(1, 8), [far] * 7))
    assert found.total.dtype == np.float64 and found.total[0] == 7 * far


def test_outs_that_overlap():
    graph = [[0, 7, 3], [1, 0, 0], [0, 2, 0]]
    right = apsp.shortest_path(graph, return_predecessors=True)
    room = np.zeros(200, dtype=np.uint8)

    def part(first, dtype):
        return room[first:first + 9 * np.dtype(dtype).itemsize].view(dtype).reshape(3, 3)

    for first, second in ((0, 0), (0, 68), (32, 0), (8, 16)):
        with pytest.raises(ValueError, match="overlap"):
            apsp.shortest_path(graph, return_predecessors=True,
                               out=(part(first, "f8"), part(second, "i4")))
    assert not room.any()
    for first, second in ((0, 72), (40, 4)):
        out = part(first, "f8"), part(second, "i4")
        apsp.shortest_path(graph, return_predecessors=True, out=out)
        assert np.array_equal(out[0], right[0]) and np.array_equal(out[1], right[1])


@pytest.mark.parametrize("graph", [
    [[0, 2], [3, 0]], apsp.Edges(2, [0], [1], [5]), np.array([[0, 2], [3, 0]])])
def test_weights_without_names(graph):
    """A name for weights that have none is refused, not ignored."""
    with pytest.raises(ValueError, match="have no names"):
        apsp.shortest_path(graph, weight="cost")
    apsp.shortest_path(graph, weight=None)


def test_misspelt_weight_of_networkit_and_rustworkx():
    networkit = pytest.importorskip("networkit")
    graph = networkit.Graph(2, weighted=True)
    graph.addEdge(0, 1, 4)
    with pytest.raises(ValueError, match="have no names"):
        apsp.shortest_path(graph, weight="cost")
    rustworkx = pytest.importorskip("rustworkx")
    graph = rustworkx.PyDiGraph()
    graph.add_nodes_from([0, 1])
    graph.add_edge(0, 1, {"km": 3})
    with pytest.raises(ValueError, match="'km'"):
        apsp.shortest_path(graph)
    assert apsp.shortest_path(graph, weight="km")[0, 1] == 3
