"""What the command can do, from Python: files, extents, estimates, statistics of some vertices,
betweenness of edges and subsets, progress, and frames, beside networkx and whole tables."""

import itertools
import random
import sys
import types

import pytest

import apsp

np = pytest.importorskip("numpy")
networkx = pytest.importorskip("networkx")
INF = float("inf")


def graph_of(seed, kind=networkx.Graph, n=40, m=90, real=False):
    chance = random.Random(seed)
    graph = kind()
    graph.add_nodes_from("v%d" % k for k in range(n))
    for _ in range(m):
        u, v = chance.sample(range(n - 2), 2)
        weight = chance.random() if real else chance.randint(1, 5)
        graph.add_edge("v%d" % u, "v%d" % v, weight=weight)
    return graph


CLUB = "from,to,weight\nAda,Bea,0.1\nBea,Cem,0.2\nCem,Dov,1e-1\n"
FILES = {
    "club.csv": (CLUB, {}, ["Ada", "Bea", "Cem", "Dov"]),
    "club.gml": ("graph [ node [ id 3 label \"Ada\" ] node [ id 5 label \"Bea\" ]"
                 " node [ id 4 label \"Cem\" ] node [ id 6 label \"Dov\" ]"
                 " edge [ source 3 target 5 weight 0.1 ] edge [ source 5 target 4 weight 0.2 ]"
                 " edge [ source 4 target 6 weight 0.1 ] ]", {"directed": True}, None),
    "club.mtx": ("%%MatrixMarket matrix coordinate real general\n4 4 3\n1 2 0.1\n2 3 0.2\n"
                 "3 4 0.1\n", {}, [1, 2, 3, 4]),
    "columns.csv": ("cost,a,b\n0.1,Ada,Bea\n0.2,Bea,Cem\n0.1,Cem,Dov\n",
                    {"columns": "a,b,cost"}, None),
}


@pytest.mark.parametrize("name", FILES)
def test_files(tmp_path, name, method):
    text, options, labels = FILES[name]
    path = tmp_path / name
    path.write_text(text)
    graph = apsp.read(path, **options)
    assert graph.n == 4 and labels in (None, graph.labels)
    found = apsp.shortest_path(graph, method=method)
    assert found[0].tolist() == [0, 0.1, 0.3, 0.4]  # 0.1 + 0.2 is 0.3 here
    assert found[1:, 0].tolist() == [INF] * 3
    first, last = graph.labels[0], graph.labels[-1]
    assert apsp.path(graph, first, last) == (0.4, graph.labels)
    assert apsp.stats(graph).diameter == apsp.diameter(graph) == 0.4
    assert apsp.shortest_path(graph, directed=False)[3, 0] == 0.4
    assert apsp.shortest_path(graph, unweighted=True, dtype="native")[0].tolist() == [0, 1, 2, 3]
    assert apsp.closeness(graph, reverse=True)[last] > 0 == apsp.closeness(graph)[last]


def test_files_of_networkx(tmp_path):
    graph = graph_of(1, networkx.DiGraph)
    right = apsp.shortest_path(graph)
    for name, write in (("g.graphml", networkx.write_graphml), ("g.gml", networkx.write_gml),
                        ("g.graphml.gz", networkx.write_graphml)):
        write(graph, tmp_path / name)
        with apsp.solve(apsp.read(tmp_path / name)) as solution:
            assert solution.labels == list(graph)
            assert np.array_equal(solution.distances(), right)
            assert solution.distances("v3", ["v5", "v0"]).tolist() == right[3, [5, 0]].tolist()


def test_files_that_are_wrong(tmp_path):
    with pytest.raises(OSError):
        apsp.read(tmp_path / "none.gr")
    path = tmp_path / "wrong.csv"
    path.write_text("from,to,weight\nAda,Bea,far\n")
    with pytest.raises(ValueError, match="far"):
        apsp.shortest_path(apsp.read(path))
    path.write_text(CLUB)
    for wrong in ({"format": "abacus"}, {"parallel": "most"}, {"weight_key": "x"},
                  {"columns": "a,b"}):
        with pytest.raises(ValueError):
            apsp.read(path, **wrong)
    with pytest.raises(ValueError, match="name"):
        apsp.shortest_path(apsp.read(path), weight="cost")
    with pytest.raises(ValueError, match="'Eva' is not a vertex"):
        apsp.shortest_path(apsp.read(path), indices="Eva")
    path.write_text("from,to,weight\nAda,Bea,-2\nBea,Ada,1\n")
    with pytest.raises(apsp.NegativeCycleError) as caught:
        apsp.shortest_path(apsp.read(path))
    assert sorted(caught.value.vertices) == ["Ada", "Bea"]


@pytest.mark.parametrize("kind", [networkx.Graph, networkx.DiGraph])
@pytest.mark.parametrize("real", [False, True])
def test_extent(kind, real):
    for seed in range(4):
        graph = graph_of(seed, kind, real=real)
        found, stats = apsp.extent(graph), apsp.stats(graph)
        assert found[:2] == (stats.diameter, stats.radius)
        assert found.center == stats.center and found.periphery == stats.periphery
        assert apsp.diameter(graph, weight=None) == apsp.stats(graph, weight=None).diameter
    grid = networkx.grid_2d_graph(20, 21)
    found = apsp.extent(grid)
    assert found.diameter == 39 and found.searches < 100 and (0, 0) in found.periphery
    assert found.connected and not apsp.extent(graph).connected
    assert apsp.extent(apsp.Edges(0, [], [])) == (0, 0, [], [], 0, False)
    with pytest.raises(ValueError, match="widest paths"):
        apsp.extent(graph, paths="widest")


def test_stats_of_some_vertices_and_columns():
    graph = graph_of(3, networkx.DiGraph)
    every, some = apsp.stats(graph, histogram=True), ["v7", "v2", "v39"]
    found = apsp.stats(graph, indices=some)
    numbers = [7, 2, 39]
    assert found.labels == some and found.n == 40
    for name in ("reachable", "eccentricity", "total", "closeness", "harmonic"):
        assert np.array_equal(getattr(found, name), getattr(every, name)[numbers])
    assert found.diameter == every.eccentricity[numbers].max()
    assert found.periphery == [v for v, far in zip(some, found.eccentricity)
                               if far == found.diameter]
    assert found.pairs == every.reachable[numbers].sum()
    less = apsp.stats(graph, columns=["harmonic"])
    assert less.in_reachable is None and np.array_equal(less.harmonic, every.harmonic)
    assert apsp.stats(graph, columns=[]).harmonic is None
    assert apsp.stats(apsp.Edges(3, [0], [1]), indices=[1, 0]).labels == [1, 0]
    for wrong in ({"columns": ["mean"]}, {"indices": []}, {"indices": ["v1", "v1"]},
                  {"indices": "x"}):
        with pytest.raises(ValueError):
            apsp.stats(graph, **wrong)


def test_estimates():
    graph = graph_of(4)
    for method in ("auto", "dense", "sparse", "sssp"):
        found = apsp.estimate(graph, method=method)
        assert found.fits and 0 < found.memory <= found.limit
        assert found.methods[found.method]["taken"]
        assert method in ("auto", found.method) and found.edges == 2 * graph.number_of_edges()
        assert found.method in repr(found)
    huge = apsp.Edges(2**31 - 1, [0], [1])
    assert not apsp.estimate(huge, method="dense").fits
    with pytest.raises(apsp.NegativeCycleError):
        apsp.estimate([[0, -1], [0.5, 0]])
    with pytest.raises(ValueError):
        apsp.estimate(apsp.Edges(0, [], []))


@pytest.mark.parametrize("dtype", ["float64", "float32", "int32", "int64", "uint16"])
def test_verify(dtype):
    graph = graph_of(5, networkx.DiGraph)
    right = apsp.shortest_path(graph, dtype=dtype)
    assert apsp.verify(graph, right) == 40
    assert apsp.verify(graph, right[[3, 5]], indices=["v3", "v5"]) == 2
    assert apsp.verify(graph, right[3], indices="v3") == 1
    for column, value in ((5, 1), (39, 7), (3, 1)):
        wrong = right.copy()
        wrong[3, column] = value if wrong[3, column] != value else 2
        with pytest.raises(apsp.CertificateError, match="from 'v3' to 'v%d'" % column):
            apsp.verify(graph, wrong)
    with pytest.raises(ValueError, match="shape"):
        apsp.verify(graph, right[:3])


def test_verify_of_reals_allows_rounding():
    graph = graph_of(6, real=True)
    right = networkx.floyd_warshall_numpy(graph)
    apsp.verify(graph, right * (1 + 1e-15))
    for kind, far in (("float32", 1e-5), ("float16", 1e-2)):
        apsp.verify(graph, right.astype(kind))
        with pytest.raises(apsp.CertificateError):
            apsp.verify(graph, (right * (1 + far)).astype(kind))
    with pytest.raises(apsp.CertificateError):
        apsp.verify(graph, right * (1 + 1e-9))
    apsp.verify(graph, right * (1 + 1e-9), rtol=1e-8)


@pytest.mark.parametrize("method", ["dense", "sparse"])
def test_progress(method):
    seen = []
    A = np.random.default_rng(1).random((300, 300))
    apsp.shortest_path(A, method=method, progress=lambda *told: seen.append(told))
    steps = {step for step, _, _ in seen}
    assert "read" in steps and all(0 <= done <= count for _, done, count in seen)

    def fail(step, done, steps):
        raise KeyError("enough")

    with pytest.raises(KeyError, match="enough"):
        apsp.solve(A, method=method, progress=fail)
    with pytest.raises(TypeError, match="progress"):
        apsp.solve(A, progress=3)


def test_progress_as_a_bar(monkeypatch, capsys):
    A, bars = np.random.default_rng(1).random((300, 300)), []

    class Tqdm:
        def __init__(self, total, desc):
            self.n, self.total, self.closed = 0, total, False
            bars.append(self)

        def update(self, more):
            self.n += more

        def close(self):
            self.closed = True

    monkeypatch.setitem(sys.modules, "tqdm", types.ModuleType("tqdm"))
    monkeypatch.setitem(sys.modules, "tqdm.auto", types.SimpleNamespace(tqdm=Tqdm))
    apsp.stats(A, progress=True)
    assert bars and all(bar.closed and bar.n <= bar.total for bar in bars)
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    apsp.stats(A, progress=True)
    assert "apsp: read" in capsys.readouterr().err
    assert apsp.stats(A, progress=False).n == 300


@pytest.mark.parametrize("kind", [networkx.Graph, networkx.DiGraph])
@pytest.mark.parametrize("weight", [None, "weight"])
def test_edge_betweenness(kind, weight, method):
    graph = graph_of(7, kind)
    theirs = networkx.edge_betweenness_centrality(graph, normalized=False, weight=weight)
    some, others = list(graph)[:9], list(graph)[5:20]
    count = dict.fromkeys(theirs, 0)
    subset = dict.fromkeys(theirs, 0)  # path by path: networkx goes wrong where counts differ
    for u, v in ((u, v) for u in some for v in others if u != v):
        paths = list(networkx.all_shortest_paths(graph, u, v, weight)) if networkx.has_path(
            graph, u, v) else []
        for edge in (edge for path in paths for edge in zip(path, path[1:])):
            subset[edge if edge in subset else edge[::-1]] += 1 / len(paths)
            count[edge if edge in count else edge[::-1]] += 1
    numbers = dict.fromkeys(graph, 0)
    for u, v in itertools.product(graph, graph):
        if u != v and networkx.has_path(graph, u, v):
            for path in networkx.all_shortest_paths(graph, u, v, weight):
                for w in path[1:-1]:
                    numbers[w] += 1
    vertices = networkx.betweenness_centrality_subset(graph, some, others, weight=weight)
    ends = networkx.betweenness_centrality(graph, endpoints=True, weight=weight)
    half = 1 if graph.is_directed() else 0.5
    with apsp.solve(graph, method=method, weight=weight) as solution:
        ours = solution.edge_betweenness().to_dict()
        part = solution.edge_betweenness(some, targets=others, ordered=True).to_dict()
        assert solution.betweenness(some, targets=others, ordered=True) * half == pytest.approx(
            list(vertices.values()))
        assert solution.betweenness(endpoints=True, normalized=True) == pytest.approx(
            list(ends.values()))
        assert solution.betweenness(stress=True, ordered=True).tolist() == list(numbers.values())
        if weight is None:  # else networkx drops what shares a vertex with an edge of the source
            assert solution.betweenness(load=True, normalized=True) == pytest.approx(
                list(networkx.load_centrality(graph).values()))
        stress = solution.edge_betweenness(some, targets=others, ordered=True, stress=True)
        short = solution.edge_betweenness(limit=0)
        assert not short.value.any() and len(short.to_frame()) == graph.number_of_edges()
        with pytest.raises(ValueError, match="limit"):
            solution.betweenness(limit=float("nan"))
    for (u, v), value in theirs.items():
        key = (u, v) if (u, v) in ours else (v, u)
        assert ours[key] == pytest.approx(value, rel=1e-12)
        assert part[key] == pytest.approx(subset[u, v], rel=1e-12)
        assert stress.to_dict()[key] == count[u, v]


@pytest.mark.parametrize("kind", [networkx.Graph, networkx.DiGraph])
@pytest.mark.parametrize("weight", [None, "weight"])
def test_path_counts(kind, weight, method):
    graph = graph_of(9, kind)
    right = np.array([[
        len(list(networkx.all_shortest_paths(graph, u, v, weight)))
        if networkx.has_path(graph, u, v) else 0 for v in graph
    ] for u in graph])
    with apsp.solve(graph, method=method, weight=weight) as solution:
        assert solution.path_counts().dtype == float
        assert (solution.path_counts() == right).all()
        assert solution.path_counts("v3", "v5") == right[3, 5]
        assert (solution.path_counts(["v3", "v1", "v3"], "v5") == right[[3, 1, 3], 5]).all()
        out = np.empty((2, 3))
        assert solution.path_counts(["v3", "v1"], ["v7", "v0", "v2"], out=out) is out
        assert (out == right[[3, 1]][:, [7, 0, 2]]).all()
        with pytest.raises(ValueError, match="float64"):
            solution.path_counts(out=np.empty((40, 40), "int32"))


def test_numbers_of_paths_have_a_limit():
    squares = [(3 * k + a, 3 * k + b) for k in range(1024)
               for a, b in ((0, 1), (0, 2), (1, 3), (2, 3))]
    with apsp.solve(apsp.Edges(3073, *zip(*squares))) as solution:
        assert solution.path_counts(0, [150, 3069]).tolist() == [2.0**50, 2.0**1023]
        with pytest.raises(ValueError, match=r"path_counts: 2\^1024 shortest paths .* 0 to 3072"):
            solution.path_counts(0)
    with apsp.solve([[0, 1], [0, 0]], paths="widest") as solution:
        with pytest.raises(ValueError, match="widest paths, which are not counted"):
            solution.path_counts()


def part_through(graph, weight, group, endpoints):
    """The sum over ordered pairs, by every shortest path."""
    total = 0.0
    for u, v in itertools.permutations(graph, 2):
        if networkx.has_path(graph, u, v) and (endpoints or not {u, v} & set(group)):
            paths = list(networkx.all_shortest_paths(graph, u, v, weight))
            total += sum(1 for path in paths if set(path) & set(group)) / len(paths)
    return total


@pytest.mark.parametrize("kind", [networkx.Graph, networkx.DiGraph])
@pytest.mark.parametrize("weight", [None, "weight"])
def test_group_betweenness(kind, weight):
    for seed, n, m in ((1, 20, 40), (2, 14, 40), (3, 12, 60)):
        graph = graph_of(seed, kind, n=n, m=m)
        with apsp.solve(graph, weight=weight) as solution:
            for size in (0, 1, 3, 5):
                group = random.Random(size).sample(list(graph), size)
                for endpoints in (False, True):
                    right = part_through(graph, weight, group, endpoints)
                    assert solution.group_betweenness(group, endpoints=endpoints) == pytest.approx(
                        right, rel=1e-12, abs=1e-9)
                    pairs = (n - size) * (n - size - 1)
                    assert solution.group_betweenness(group, True, endpoints) == pytest.approx(
                        right / pairs, rel=1e-12, abs=1e-9)
            assert solution.group_betweenness("v1") == pytest.approx(
                solution.betweenness(ordered=True)[1])
            with pytest.raises(ValueError, match="twice"):
                solution.group_betweenness(["v1", "v1"])
            with pytest.raises(TypeError, match="group_betweenness"):
                solution.group_betweenness(["v1"], ordered=True)


def test_groups_beside_numbers_of_paths_near_the_limit():
    diamonds = [(3 * k + a, 3 * k + b) for k in range(600)
                for a, b in ((0, 1), (0, 2), (1, 3), (2, 3))]
    with apsp.solve(apsp.Edges(1801, *zip(*diamonds)), directed=False) as solution:
        # Half the paths between the middles of a diamond lead through each end of it.
        for group, right in ([1800], 1), ([3], 2 * 3 * 1797 + 2), ([3, 1800], 2 * 3 * 1796 + 3):
            assert solution.group_betweenness(group) == pytest.approx(right, rel=1e-12)


@pytest.mark.parametrize("first, second, both, part", [
    ("500000.0000005", "500000.0000006", "1000000.000001", 0),
    ("500000.0000005", "500000.0000005", "1000000.000001", 0.5),
    ("0.1", "0.2", "0.3", 0.5),
    ("1", "0.00000000000001", "1", 0),
])
def test_groups_by_exact_decimals(tmp_path, first, second, both, part):
    path = tmp_path / "edges.csv"
    path.write_text("from,to,weight\n0,1,%s\n1,2,%s\n0,2,%s\n" % (first, second, both))
    with apsp.solve(apsp.read(path, directed=True)) as solution:
        assert solution.facts["sums"] == "exact" and solution.dtype == "float64"
        assert solution.group_betweenness([1]) == solution.betweenness()[1] == part


@pytest.mark.parametrize("dtype, first, second, both, part", [
    ("int64", 2**60, 2**60 + 1, 2**61, 0),
    ("int64", 2**60, 2**60 + 1, 2**61 + 1, 0.5),
    ("float64", 2**52 - 1, 2, 2**52, 0),
    ("float64", 0.5, 2.0**-45, 0.5, 0),
    ("float64", 0.5, 2.0**-45, 0.5 + 2.0**-45, 0.5),
    ("float64", 0.1, 2**0.5, 0.1 + 2**0.5, 0.5),
    ("float64", 0.1, 2**0.5, 1.2, 0),
])
def test_groups_by_lengths_that_nearly_agree(dtype, first, second, both, part):
    edges = apsp.Edges(4, [0, 1, 0], [1, 2, 2], [first, second, both])  # nothing reaches 3
    with apsp.solve(edges, dtype=dtype) as solution:
        assert solution.dtype == dtype
        assert solution.group_betweenness([1]) == solution.betweenness()[1] == part
        assert solution.group_betweenness([3]) == 0


def test_groups_by_rounded_lengths():
    chain = apsp.Edges(4, [0, 1, 2], [1, 2, 3], [2**0.5, 6**0.5, 3**0.5])
    with apsp.solve(chain) as solution:
        assert solution.facts["sums"] != "exact"
        assert solution.distance(0, 1) + solution.distance(1, 3) > solution.distance(0, 3)
        assert solution.group_betweenness([1]) == 2


def test_groups_by_lengths_whose_sums_exceed_the_type():
    edges = apsp.Edges(3, [0, 0, 2], [1, 2, 1], [33000, 464, 32536])
    with apsp.solve(edges, directed=False, dtype="uint16") as solution:
        assert solution.group_betweenness([1]) == 0  # 33000 + 32536 is 2**16


def test_groups_of_an_empty_graph():
    with apsp.solve(apsp.Edges(0, [], [])) as solution:
        assert solution.group_betweenness([]) == 0


def test_frames_in_and_out():
    pandas = pytest.importorskip("pandas")
    rows = [("rome", "oslo", 3), ("oslo", "bern", 1.5), ("bern", "rome", None)]
    frame = pandas.DataFrame(rows, columns=["a", "b", "km"])
    series = frame.set_index(["a", "b"])["km"]
    edges = apsp.Edges.from_frame(frame, "a", "b", "km")
    for graph in (series, edges):
        with apsp.solve(graph) as solution:
            table = solution.frame()
            assert list(table.index) == list(table.columns) == ["bern", "oslo", "rome"]
            assert table.loc["rome", "bern"] == 4.5 and table.loc["bern", "rome"] == INF
            assert solution.frame("rome", ["oslo"]).loc["rome"].to_dict() == {"oslo": 3}
    assert apsp.shortest_path(series, weight=None)[2].tolist() == [2, 1, 0]
    found = apsp.stats(series).to_frame()
    assert found.loc["rome", "eccentricity"] == 4.5 and found.loc["bern", "reachable"] == 1
    with pytest.raises(ValueError, match="two levels"):
        apsp.shortest_path(frame["km"])
    pairs = networkx.DiGraph([((0, 1), (2, 3))])
    with apsp.solve(pairs) as solution:
        assert solution.frame().loc[[(0, 1)], [(2, 3)]].to_numpy().tolist() == [[1]]


@pytest.mark.parametrize("hidden", [None, INF, float("nan")])
def test_what_hides_an_edge(hidden):
    weights = [1.5, hidden, 2.0]
    right = [[0, 1.5, INF, INF], [INF, 0, INF, INF], [INF, INF, 0, 2], [INF, INF, INF, 0]]
    ends = [0, 1, 2], [1, 2, 3]
    graph = networkx.DiGraph()
    graph.add_weighted_edges_from(zip(*ends, weights))
    given = [apsp.Edges(4, *ends, weights), graph,
             apsp.Edges(4, *ends, np.array(weights, dtype=object))]
    if hidden is not None:
        given += [apsp.Edges(4, *ends, kind(weights)) for kind in (np.array, np.float32)]
    given += [frame for frame in frames(ends, weights)]
    for graph in given:
        assert apsp.shortest_path(graph).tolist() == right
    assert apsp.shortest_path_batch([given[0]])[0].tolist() == right


def frames(ends, weights):
    """The edges as frames of all libraries that are there."""
    columns = {"source": ends[0], "target": ends[1], "weight": weights}
    for library, make in (("pandas", "DataFrame"), ("polars", "DataFrame"), ("pyarrow", "table")):
        try:
            yield getattr(__import__(library), make)(columns)
        except ImportError:
            pass


def test_weights_that_are_functions():
    graph = graph_of(8, networkx.DiGraph)
    right = networkx.floyd_warshall_numpy(graph, weight="weight")
    found = apsp.shortest_path(graph, weight=lambda u, v, data: data["weight"])
    assert np.array_equal(found, right)
    for other in (np.eye(3), apsp.Edges(2, [0], [1])):
        with pytest.raises(TypeError):
            apsp.shortest_path(other, weight=lambda u, v, data: 1)


def test_sparse_arrays_and_matrices_of_scipy():
    sparse = pytest.importorskip("scipy.sparse")
    dense = np.array([[0, 7, 3], [0, 0, 0], [0, 2, 0]])
    for form in ("csr", "csc", "coo", "lil", "dok", "dia", "bsr"):
        for kind in ("array", "matrix"):
            matrix = getattr(sparse, "%s_%s" % (form, kind))(dense)
            assert apsp.shortest_path(matrix)[0].tolist() == [0, 5, 3]
