"""The backend beside NetworkX itself, where another backend may go wrong unseen."""

import ast
import decimal
import fractions
import importlib.metadata
import inspect
import itertools
import math
import pickle
import random
import subprocess
import sys
import types

import networkx as nx
import numpy as np
import pytest
from _nx_apsp import FUNCTIONS, get_info
from nx_apsp.graph import Graph
from nx_apsp.interface import backend

nx.config.warnings_to_ignore.add("cache")


def graph_of(seed, kind=nx.Graph, n=30, m=60, real=False, name="weight"):
    """Random, of several components, with labels that are no numbers of rows."""
    chance = random.Random(seed)
    graph = kind()
    labels = ["a%d" % k if k % 3 else (k, "b") for k in range(n)]
    graph.add_nodes_from(labels)
    for _ in range(m):
        u, v = chance.sample(labels[:n - 3], 2)
        graph.add_edge(u, v, **{name: chance.random() * 3 if real else chance.randint(1, 9)})
    return graph


def apsp(function, *args, **kwargs):
    return function(*args, backend="apsp", **kwargs)


def ours_is_theirs(function, *args, **kwargs):
    ours = kwargs.pop("ours", apsp)(function, *args, **kwargs)
    theirs = function(*args, **kwargs)
    same(ours, theirs)


def same(ours, theirs):
    if isinstance(theirs, types.GeneratorType) or isinstance(ours, types.GeneratorType):
        ours, theirs = dict(ours), dict(theirs)
    if isinstance(theirs, dict):
        assert ours.keys() == theirs.keys()
        for key in theirs:
            same(ours[key], theirs[key])
    elif isinstance(theirs, float) and not math.isnan(theirs) or isinstance(
            theirs, list) and theirs and isinstance(theirs[0], float):
        assert ours == pytest.approx(theirs, rel=1e-12, abs=1e-15)
    else:
        assert ours == theirs or ours != ours and theirs != theirs


KINDS = (nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph)
kinds = pytest.mark.parametrize("kind", KINDS)


def connected(seed, kind=nx.Graph, **settings):
    graph = graph_of(seed, kind, **settings)
    nodes = list(graph)
    for u, v in zip(nodes, nodes[1:] + nodes[:1]):
        graph.add_edge(u, v, weight=4)
    return graph


@kinds
@pytest.mark.parametrize("weight", [None, "weight"])
@pytest.mark.parametrize("seed", range(3))
def test_as_networkx(kind, weight, seed):
    """Each function that takes a graph and a weight."""
    parts, whole = graph_of(seed, kind), connected(seed, kind)
    for graph in (parts, whole):
        for function in (nx.all_pairs_dijkstra_path_length, nx.all_pairs_bellman_ford_path_length,
                         nx.floyd_warshall, nx.harmonic_diameter, nx.wiener_index):
            if "weight" in inspect.signature(function).parameters:
                ours_is_theirs(function, graph, weight=weight)
        for function in (nx.closeness_centrality, nx.harmonic_centrality):
            ours_is_theirs(function, graph, distance=weight)
        ours_is_theirs(nx.betweenness_centrality, graph, weight=weight)
        ours_is_theirs(nx.betweenness_centrality, graph, weight=weight, normalized=False)
    for function in (nx.eccentricity, nx.diameter, nx.radius, nx.center, nx.periphery,
                     nx.average_shortest_path_length):
        if function is not nx.center or weight is not None:
            ours_is_theirs(function, whole, weight=weight)
    table = apsp(nx.floyd_warshall_numpy, parts, weight=weight)
    assert np.array_equal(table, nx.floyd_warshall_numpy(parts, weight=weight))
    order = list(parts)[::-1]
    assert np.array_equal(apsp(nx.floyd_warshall_numpy, parts, order, weight=weight),
                          nx.floyd_warshall_numpy(parts, order, weight=weight))


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("weight", [None, "weight"])
def test_sums_of_undirected_graphs(seed, weight):
    whole = connected(seed)
    functions = [nx.schultz_index, nx.gutman_index, nx.wiener_index]
    functions += [nx.hyper_wiener_index] if hasattr(nx, "hyper_wiener_index") else []
    for function in functions:
        ours_is_theirs(function, whole, weight=weight)
        ours_is_theirs(function, graph_of(seed), weight=weight)
    ours_is_theirs(nx.closeness_vitality, whole, weight=weight)
    ours_is_theirs(nx.global_efficiency, graph_of(seed))
    centers = list(whole)[:3]
    ours_is_theirs(nx.group_closeness_centrality, whole, centers, weight=weight)
    ours_is_theirs(nx.global_reaching_centrality, whole)
    ours_is_theirs(nx.local_reaching_centrality, whole, centers[0])


@pytest.mark.parametrize("seed", range(5))
def test_bipartite_and_directed(seed):
    graph = nx.bipartite.random_graph(12, 17, 0.2, seed=seed)
    top = range(12)
    for function in (nx.bipartite.closeness_centrality, nx.bipartite.betweenness_centrality):
        ours_is_theirs(function, graph, top)
    digraph = graph_of(seed, nx.DiGraph)
    ours_is_theirs(nx.global_reaching_centrality, digraph)
    ours_is_theirs(nx.group_closeness_centrality, digraph, list(digraph)[:3], weight="weight")
    ours_is_theirs(nx.closeness_vitality, connected(seed, nx.DiGraph), weight="weight")
    real = connected(seed, nx.DiGraph, real=True)  # where no two are as far
    ours_is_theirs(nx.voronoi_cells, real, {list(real)[0], list(real)[9]}, weight="weight")


@kinds
@pytest.mark.parametrize("weight", [None, "weight"])
def test_paths_are_shortest(kind, weight):
    graph = graph_of(5, kind)
    far = dict(nx.all_pairs_dijkstra_path_length(graph, weight=weight))
    functions = [nx.all_pairs_dijkstra_path, nx.all_pairs_bellman_ford_path, nx.johnson]
    for function in functions:
        for u, row in dict(apsp(function, graph, weight=weight)).items():
            assert row.keys() == far[u].keys()
            for v, path in row.items():
                assert path[0] == u and path[-1] == v and row[v] == path
                assert nx.path_weight(graph, path, weight) == far[u][v] if weight \
                    else len(path) - 1 == far[u][v]
    before, table = apsp(nx.floyd_warshall_predecessor_and_distance, graph, weight=weight)
    for u, v in itertools.product(graph, repeat=2):
        assert table[u][v] == far[u].get(v, math.inf)
        if u != v and v in far[u]:
            path = nx.reconstruct_path(u, v, before)
            assert path[0] == u and path[-1] == v and len(set(path)) == len(path)


def test_1_a_weighted_conversion_serves_other_weights_too():
    graph = graph_of(1)
    for u, v, data in graph.edges(data=True):
        data["cost"] = 10 - data["weight"]
    for weight in ("weight", None, "cost", "weight", None):
        ours_is_theirs(nx.closeness_centrality, graph, distance=weight)
        ours_is_theirs(nx.all_pairs_dijkstra_path_length, graph, weight=weight)


@kinds
def test_2_weights_that_are_changed_in_place_count(kind):
    graph = connected(2, kind)
    for _ in range(3):
        ours_is_theirs(nx.eccentricity, graph, weight="weight")
        ours_is_theirs(nx.closeness_centrality, graph, distance="weight")
        u, v = list(graph.edges())[5]
        (graph[u][v][0] if graph.is_multigraph() else graph[u][v])["weight"] += 40
    graph.add_edge(*list(graph)[:2], weight=0.5)
    ours_is_theirs(nx.eccentricity, graph, weight="weight")


def test_3_defaults_are_networkxs():
    for name in FUNCTIONS:
        function = getattr(nx, name, None) or getattr(
            nx.bipartite, name.replace("bipartite_", ""), None)
        if function is None:
            continue  # of another version of NetworkX
        theirs = inspect.signature(function.orig_func).parameters
        ours = inspect.signature(getattr(backend, name)).parameters
        for key, parameter in theirs.items():
            assert ours[key].default == parameter.default, (name, key)
        assert set(ours) - set(theirs) <= {"sp", "weight"}, name  # of later versions


def test_4_distances_to_a_node():
    graph = graph_of(4, nx.DiGraph)
    some = list(graph)[3:9]
    for distance in (None, "weight"):
        for improved in (True, False):
            ours_is_theirs(nx.closeness_centrality, graph, distance=distance, wf_improved=improved)
        ours_is_theirs(nx.closeness_centrality, graph, u=some[0], distance=distance)
        for nbunch, sources in itertools.product((None, some), (None, some[2:], list(graph))):
            ours_is_theirs(nx.harmonic_centrality, graph, nbunch, distance, sources)


def test_5_generators_and_dictionaries():
    graph = graph_of(5)
    for name in ("all_pairs_dijkstra", "all_pairs_shortest_path", "all_pairs_shortest_path_length"):
        assert isinstance(apsp(getattr(nx, name), graph), types.GeneratorType)
    for function in (nx.johnson, nx.floyd_warshall):
        assert type(apsp(function, graph)) is dict


def test_5_generators_are_collected_in_a_call():
    code = """if True:
        import gc, apsp, networkx as nx, numpy
        parts = nx.all_pairs_dijkstra_path_length(nx.path_graph(5), backend="apsp")
        next(parts)
        ring = [parts]
        ring.append(ring)
        del parts, ring
        apsp.shortest_path(numpy.ones((100, 100)), progress=lambda *step: gc.collect() and None)
        """
    subprocess.run([sys.executable, "-c", code], timeout=60, check=True)


def test_6_unreachable_nodes_are_left_out():
    graph = graph_of(6)
    lonely = list(graph)[-1]
    assert dict(apsp(nx.all_pairs_dijkstra_path_length, graph))[lonely] == {lonely: 0}
    assert lonely not in dict(apsp(nx.all_pairs_shortest_path, graph))["a1"]
    assert apsp(nx.floyd_warshall, graph)["a1"][lonely] == math.inf


@pytest.mark.parametrize("real", [False, True])
def test_7_rows_are_in_the_order_of_distances(real):
    for _, row in apsp(nx.all_pairs_dijkstra_path_length, graph_of(7, real=real)):
        assert list(row.values()) == sorted(row.values()) == [row[v] for v in row]
        assert list(row.items()) == [(v, row[v]) for v in row]


def test_8_numbers_are_pythons():
    whole, real = graph_of(8), graph_of(8, real=True)
    for graph, kind in ((whole, int), (real, float)):
        for u, row in apsp(nx.all_pairs_dijkstra_path_length, graph):
            assert {type(d) for v, d in row.items() if v != u} <= {kind}
            assert {type(row[v]) for v in row if v != u} <= {kind}
            assert type(row[u]) is int and type(dict(row.items())[u]) is int
    found = apsp(nx.harmonic_centrality, whole)
    assert type(found[list(whole)[-1]]) is int
    for graph in (connected(8), connected(8, real=True)):
        assert {type(x) for x in apsp(nx.eccentricity, graph, weight="weight").values()} <= {
            int, float}
        assert type(apsp(nx.wiener_index, graph, weight="weight")) in (int, float)


def test_9_functions_as_weights_are_networkxs():
    graph = graph_of(9)

    def weight(u, v, data):
        return data["weight"]

    assert backend.can_run("johnson", (graph, weight), {}) != True  # noqa: E712
    assert backend.can_run("closeness_centrality", (), {"G": graph, "distance": weight}) is not True
    with pytest.raises(NotImplementedError):
        apsp(nx.all_pairs_dijkstra_path_length, graph, weight=weight)
    ours_is_theirs(nx.all_pairs_dijkstra_path_length, graph, weight="weight")


@pytest.mark.parametrize("weight", [None, math.inf, -math.inf, math.nan, True, "3", 2**63,
                                    decimal.Decimal(1), fractions.Fraction(1, 2), 1 + 0j,
                                    np.float32(1), np.bool_(True)])
def test_10_weights_that_are_no_plain_numbers_are_refused(weight):
    graph = connected(10)
    u, v = list(graph.edges())[3]
    graph[u][v]["weight"] = weight
    for function in (nx.all_pairs_dijkstra_path_length, nx.johnson, nx.floyd_warshall):
        with pytest.raises(NotImplementedError):
            apsp(function, graph)
    ours_is_theirs(nx.all_pairs_shortest_path_length, graph)
    graph[u][v]["weight"] = np.int64(3)
    ours_is_theirs(nx.all_pairs_dijkstra_path_length, graph)


def test_10_whole_numbers_beyond_floats_are_not_rounded():
    graph = nx.Graph([(0, 1, {"weight": 2**53 + 1}), (2, 3, {"weight": 0.5})])
    with pytest.raises(NotImplementedError):
        apsp(nx.johnson, graph)
    graph[2][3]["weight"] = 1
    assert dict(apsp(nx.all_pairs_dijkstra_path_length, graph))[0][1] == 2**53 + 1


@pytest.mark.parametrize("kind", [nx.MultiGraph, nx.MultiDiGraph])
def test_11_parallel_edges(kind):
    graph = connected(11, kind, m=200)
    for weight in (None, "weight"):
        ours_is_theirs(nx.betweenness_centrality, graph, weight=weight)
        ours_is_theirs(nx.all_pairs_dijkstra_path_length, graph, weight=weight)


@kinds
@pytest.mark.parametrize("weight", [None, "weight"])
def test_12_betweenness(kind, weight):
    symmetric = nx.DiGraph(connected(12)) if kind is nx.DiGraph else connected(12, kind)
    for graph in (symmetric, graph_of(12, kind)):
        for k, normalized, endpoints in itertools.product((None, 7, 30), (True, False),
                                                          (True, False)):
            ours_is_theirs(nx.betweenness_centrality, graph, k=k, normalized=normalized,
                           weight=weight, endpoints=endpoints, seed=5)
    for n in range(4):
        ours_is_theirs(nx.betweenness_centrality, nx.path_graph(n), endpoints=True)
    graph.add_edge("a1", "a2", weight=0)
    with pytest.raises(NotImplementedError):
        apsp(nx.betweenness_centrality, graph, weight="weight")


def test_13_ties_of_decimals():
    graph = nx.Graph()
    graph.add_weighted_edges_from([(0, 1, 0.1), (1, 2, 0.2), (0, 3, 0.15), (3, 2, 0.15)])
    found = apsp(nx.betweenness_centrality, graph, weight="weight", normalized=False)
    assert found[1] == found[3] == 0.5
    assert "0.3" in get_info()["functions"]["betweenness_centrality"]["additional_docs"]


def test_14_negative_weights():
    graph = graph_of(14, nx.DiGraph)
    for u, v in list(graph.edges())[:3]:
        graph[u][v]["weight"] = -1
    for function in (nx.all_pairs_dijkstra_path_length, nx.eccentricity, nx.wiener_index):
        with pytest.raises(NotImplementedError):
            apsp(function, graph, weight="weight")
    assert not apsp(nx.negative_edge_cycle, graph)
    ours_is_theirs(nx.all_pairs_bellman_ford_path_length, graph)
    ours_is_theirs(nx.floyd_warshall, graph)
    with pytest.raises(nx.NetworkXError, match="No negative cycles"):
        apsp(nx.find_negative_cycle, graph, "a1")
    graph.add_weighted_edges_from([("a1", "a2", 1), ("a2", "a1", -2)])
    assert apsp(nx.negative_edge_cycle, graph)
    with pytest.raises(nx.NetworkXUnbounded, match="Negative cycle detected."):
        apsp(nx.johnson, graph)
    for function in (nx.floyd_warshall, nx.all_pairs_bellman_ford_path):
        with pytest.raises(NotImplementedError):
            apsp(function, graph)


def test_15_exceptions_are_networkxs():
    empty, apart, digraph = nx.Graph(), graph_of(15), graph_of(15, nx.DiGraph)
    for function in (nx.eccentricity, nx.diameter, nx.average_shortest_path_length,
                     nx.wiener_index, nx.closeness_centrality, nx.harmonic_centrality,
                     nx.harmonic_diameter, nx.floyd_warshall, nx.johnson, nx.floyd_warshall_numpy,
                     nx.betweenness_centrality, nx.global_reaching_centrality, nx.radius):
        for graph in (empty, apart, digraph):
            try:
                theirs = function(graph)
            except Exception as error:
                with pytest.raises((type(error), NotImplementedError)) as raised:
                    apsp(function, graph)
                assert raised.type is NotImplementedError or str(raised.value) == str(error)
                continue
            try:
                found = apsp(function, graph)
            except NotImplementedError:
                continue
            if not isinstance(theirs, np.ndarray) and function is not nx.johnson:
                same(found, theirs)


def test_16_rows_are_lazy_mappings():
    graph = graph_of(16)
    for function in (nx.all_pairs_dijkstra_path_length, nx.all_pairs_shortest_path):
        for u, row in apsp(function, graph):
            assert not isinstance(row, dict) and row == dict(row) and len(row) == len(list(row))
            assert pickle.loads(pickle.dumps(row)) == row and row.copy() == row
            assert "nowhere" not in row and repr(row) == repr(dict(row))
            with pytest.raises(KeyError):
                row["nowhere"]
            count = len(row)
            del row[u]  # as of a dictionary
            row["new"] = 1
            assert len(row) == count and u not in row and row["new"] == 1
            assert list(row.items())[-1] == ("new", 1) and row == dict(row)
            assert row.popitem() == ("new", 1) and list(reversed(row)) == list(row)[::-1]
            assert row | {1: 2} == dict(row) | {1: 2} and {1: 2} | row == {1: 2} | dict(row)
            one = row
            one |= {1: 2}
            assert one is row and row[1] == 2
    table = apsp(nx.floyd_warshall, graph)
    table["a1"]["a2"] = -5
    assert table["a1"]["a2"] == -5 and len(table["a1"]) == len(graph)


def test_16_pandas_takes_no_row_for_a_list():
    pandas = pytest.importorskip("pandas")
    graph = nx.path_graph(4)
    ours, theirs = apsp(nx.floyd_warshall, graph), nx.floyd_warshall(graph)
    for wrong in (pandas.DataFrame, lambda rows: np.array(rows[0])):
        with pytest.raises(TypeError, match="dict.row. is a dictionary.*from_dict"):
            wrong(ours)
    for make in (lambda rows: pandas.DataFrame(list(rows.values())),
                 lambda rows: pandas.DataFrame.from_dict(rows, orient="index")):
        assert (make(ours) == make(theirs)).all(axis=None)


def test_17_small_graphs_are_networkxs():
    small, large = nx.path_graph(99), nx.path_graph(100)
    assert "fewer than 100" in backend.should_run("diameter", (small,), {})
    assert backend.should_run("diameter", (), {"G": large}) is True
    with nx.config.backends.apsp(least_nodes=2):
        assert backend.should_run("diameter", (small,), {}) is True


@pytest.mark.parametrize("cutoff", [0, 1, 2.5, 7, math.inf])
def test_cutoff(cutoff):
    graph = graph_of(18)
    ours_is_theirs(nx.all_pairs_dijkstra_path_length, graph, cutoff=cutoff)
    ours_is_theirs(nx.all_pairs_shortest_path_length, graph, cutoff=cutoff)
    for u, row in apsp(nx.all_pairs_shortest_path, graph, cutoff=cutoff):
        assert row.keys() == nx.single_source_shortest_path(graph, u, cutoff).keys()


def test_views_of_graphs():
    graph = graph_of(19, nx.DiGraph)
    views = (graph.subgraph(list(graph)[:20]), graph.reverse(copy=False),
             graph.to_undirected(as_view=True), nx.subgraph_view(graph))
    for weight in (5, 1):
        for view in views:
            for distance in ("weight", None):
                ours_is_theirs(nx.closeness_centrality, view, distance=distance)
        graph.add_edge("a1", "a2", weight=weight)  # which the views do not learn
        graph.remove_edge(*list(graph.edges)[-1])


def test_other_neighbors_than_when_it_was_converted():
    graph = nx.DiGraph([("a", "b"), ("b", "c")])
    converted = backend.convert_from_nx(graph)
    graph.remove_edge("b", "c")
    graph.add_edge("b", "a")
    with pytest.raises(NotImplementedError, match="other edges"):
        backend.floyd_warshall(converted)


@pytest.mark.parametrize("make, before, after", [
    (nx.DiGraph, (0, 2), (1, 2)),  # the same heads in turn, of another tail
    (nx.MultiDiGraph, (0, 1), (0, 2))])  # as many edges, of another number of parallel ones
def test_edges_moved_since_it_was_converted(make, before, after):
    graph = make([(0, 1), (0, 1), (0, 2), (2, 3)])
    converted = backend.convert_from_nx(graph)
    graph.remove_edge(*before)
    graph.add_edge(*after)
    with pytest.raises(NotImplementedError, match="has other edges than when it was converted"):
        backend.floyd_warshall(converted)


def test_iterators_are_left_for_networkx():
    graph = connected(23, n=120)
    some = list(graph)[:4]
    zero = graph.copy()
    zero.add_edge(*some[:2], weight=0)  # which the backend declines
    with nx.config(backend_priority=["apsp"]):
        assert backend.can_run("eccentricity", (graph,), {"v": some}) is True
        for function in (nx.betweenness_centrality_subset, nx.edge_betweenness_centrality_subset):
            same(function(zero, (v for v in some), some, weight="weight"),
                 function(zero, some, some, weight="weight"))
        same(nx.harmonic_centrality(zero, sources=iter(some)),
             nx.harmonic_centrality(zero, sources=some))
    for groups in (iter([some[:2]]), [iter(some[:2])]):
        assert backend.can_run("group_betweenness_centrality", (graph, groups), {}) is not True
        with pytest.raises(NotImplementedError):
            apsp(nx.group_betweenness_centrality, graph, groups)


@pytest.mark.parametrize("make", [random.Random, np.random.RandomState, np.random.default_rng])
def test_seeds_move_on_as_networkxs(make):
    graph = nx.convert_node_labels_to_integers(connected(24, n=120))
    zero = graph.copy()
    zero.add_edge(*list(graph)[:2], weight=0)  # which the backend declines
    for function, one in itertools.product(
            (nx.betweenness_centrality, nx.edge_betweenness_centrality), (graph, zero)):
        ours, theirs = make(5), make(5)
        for _ in range(2):
            expected = function(one, k=7, weight="weight", seed=theirs)
            with nx.config(backend_priority=["apsp"]):
                same(function(one, k=7, weight="weight", seed=ours), expected)


@pytest.mark.parametrize("name, value", [("device", "cuda"), ("device", None), ("threads", "4"),
                                         ("threads", -1), ("least_nodes", "x")])
def test_wrong_settings_are_told(name, value):
    with nx.config(backend_priority=["apsp"]), nx.config.backends.apsp(**{name: value}):
        with pytest.raises(ValueError, match="backends.apsp.%s must be" % name):
            nx.diameter(connected(25, n=120))


def test_priority_and_config():
    graph = connected(20, n=150, m=300)
    theirs = nx.closeness_centrality(graph)
    with nx.config(backend_priority=["apsp"]):
        same(nx.closeness_centrality(graph), theirs)
    assert isinstance(next(iter(graph.__networkx_cache__["backends"]["apsp"].values())), Graph)
    with nx.config.backends.apsp(threads=1, device="cpu"):
        same(apsp(nx.closeness_centrality, graph), theirs)
    with nx.config.backends.apsp(device="abacus"), pytest.raises(NotImplementedError):
        apsp(nx.johnson, graph)


def test_the_list_is_that_of_the_entry_point():
    entry, = importlib.metadata.entry_points(group="networkx.backend_info", name="apsp")
    info = entry.load()()
    assert info["functions"].keys() == FUNCTIONS.keys()
    public = {name for name in vars(backend) if not name.startswith("_")}
    assert public - set(FUNCTIONS) == {"convert_from_nx", "convert_to_nx", "can_run", "should_run"}


def test_the_info_imports_nothing():
    tree = ast.parse(inspect.getsource(sys.modules["_nx_apsp"]))
    assert not any(isinstance(node, (ast.Import, ast.ImportFrom)) for node in ast.walk(tree))
    code = "import networkx, sys; print(sorted({'apsp', 'nx_apsp', 'numpy'} & set(sys.modules)))"
    assert subprocess.check_output([sys.executable, "-c", code]).decode().strip() == "[]"


@kinds
@pytest.mark.parametrize("weight", [None, "weight"])
def test_betweenness_of_edges_and_subsets(kind, weight):
    symmetric = nx.DiGraph(connected(21)) if kind is nx.DiGraph else connected(21, kind)
    for graph in (symmetric, graph_of(21, kind), connected(22, kind, m=200)):
        some, others = list(graph)[:9], list(graph)[5:20]
        graph.add_edge("a1", "a1", weight=2)
        for normalized in (True, False):
            ours_is_theirs(nx.edge_betweenness_centrality, graph, normalized=normalized,
                           weight=weight)
            ours_is_theirs(nx.betweenness_centrality_subset, graph, some, others,
                           normalized=normalized, weight=weight)
            if graph is not symmetric or not graph.is_directed():
                ours_is_theirs(nx.edge_betweenness_centrality, graph, k=7, seed=5, weight=weight,
                               normalized=normalized)
                ours_is_theirs(nx.edge_betweenness_centrality_subset, graph, list(graph)[:3],
                               list(graph), normalized=normalized, weight=weight)
        for wrong in ((["a1", "a1"], some), (["nowhere"], some), ([], some)):
            with pytest.raises(NotImplementedError):
                apsp(nx.betweenness_centrality_subset, graph, *wrong)


@kinds
@pytest.mark.parametrize("weight", [None, "weight"])
def test_load(kind, weight):
    served = 0
    for seed in range(4):
        graph = nx.convert_node_labels_to_integers(  # NetworkX sorts them
            graph_of(31 + seed, kind, m=35 if weight else 70))
        graph.add_edge(1, 1, weight=2)
        for cutoff, normalized in itertools.product((None, 0, 1, 2, 1.5, 3.5, 30), (True, False)):
            try:
                ours = apsp(nx.load_centrality, graph, cutoff=cutoff, normalized=normalized,
                            weight=weight)
            except NotImplementedError:
                assert weight
                continue
            same(ours, nx.load_centrality(graph, cutoff=cutoff, normalized=normalized,
                                          weight=weight))
            ours_is_theirs(nx.load_centrality, graph, 1, cutoff, normalized, weight)
            served += 1
    assert served
    for n in range(1, 4):
        ours_is_theirs(nx.load_centrality, nx.path_graph(n))
    for wrong in ({"v": "nowhere"}, {"cutoff": -1}, {"cutoff": "1"}):
        with pytest.raises(NotImplementedError):
            apsp(nx.load_centrality, graph, **wrong)


@kinds
@pytest.mark.parametrize("weight", [None, "weight"])
def test_betweenness_of_groups(kind, weight):
    graph = connected(41, kind)
    for normalized, endpoints in itertools.product((True, False), (True, False)):
        for groups in (["a1"], {"a1", "a2"}, [["a1"], ["a4", "a5"], {"a7", (6, "b")}]):
            ours_is_theirs(nx.group_betweenness_centrality, graph, groups, normalized, weight,
                           endpoints)
        if not graph.is_directed():
            ours_is_theirs(nx.group_betweenness_centrality, nx.disjoint_union(
                graph, kind([(0, 1), (1, 2)])), [1, 31], normalized, weight, endpoints)
    for wrong in (["a1", "a2", "a4"], ["nowhere"], [], [[]], [["a1"], []]):
        with pytest.raises(NotImplementedError):
            apsp(nx.group_betweenness_centrality, graph, wrong)
    with pytest.raises(NotImplementedError):
        apsp(nx.group_betweenness_centrality, nx.path_graph(3), [0, 1])
    with pytest.raises(NotImplementedError):
        apsp(nx.group_betweenness_centrality, nx.DiGraph([(0, 1), (1, 2), (2, 3)]), [1])


@pytest.mark.parametrize("kind", [nx.Graph, nx.MultiDiGraph])
def test_load_beside_an_edge_is_networkx_own(kind):
    """From a to c leads an edge, and a path over b: NetworkX gives b nothing of it."""
    graph, longer = kind(), kind()
    graph.add_weighted_edges_from([("a", "b", 1), ("b", "c", 1), ("a", "c", 2), ("c", "d", 1)])
    with pytest.raises(NotImplementedError):
        apsp(nx.load_centrality, graph, weight="weight")
    longer.add_weighted_edges_from([("a", "b", 1), ("b", "c", 1), ("a", "c", 3), ("c", "d", 1)])
    ours_is_theirs(nx.load_centrality, longer, weight="weight")


def test_betweenness_of_edges_that_lead_one_way():
    graph = nx.DiGraph([(0, 1), (1, 2), (0, 2), (2, 3)])
    ours_is_theirs(nx.edge_betweenness_centrality, graph)
    ours_is_theirs(nx.edge_betweenness_centrality_subset, graph, [0], [2, 3])


def test_subsets_with_several_paths_are_networkx_own():
    """Three paths to e, of which one avoids c: NetworkX shares them out between c and d evenly."""
    graph = nx.Graph([("s", "a"), ("s", "b"), ("a", "c"), ("b", "c"), ("b", "d"), ("c", "e"),
                      ("d", "e"), ("e", "f")])
    with pytest.raises(NotImplementedError):
        apsp(nx.edge_betweenness_centrality_subset, graph, ["s"], ["f"])
    ours_is_theirs(nx.edge_betweenness_centrality_subset, graph, ["s"], ["f", "e", "c"])
    for ends in ([3, 5], [10, 55]):
        ours_is_theirs(nx.edge_betweenness_centrality_subset, nx.balanced_tree(3, 4), [0, 7], ends)
