"""Plausible mistakes: each message says what is wrong, where, and what to do."""

import pytest

import apsp

np = pytest.importorskip("numpy")
EDGES = apsp.Edges(3, [0, 1], [1, 2], [4, 5])


def test_unknown_graphs(tmp_path):
    for graph, words in (("x.csv", r"apsp\.read\('x\.csv'\) reads a file"),
                         (tmp_path, r"apsp\.read\(.*\) reads a file"),
                         (None, "NoneType is not a known type of graph; help"), (3, "int is not")):
        with pytest.raises(ValueError, match=words):
            apsp.shortest_path(graph)


def test_names_of_solutions():
    for name in ("betweenness", "pairs", "distances"):
        with pytest.raises(AttributeError, match=r"apsp\.solve\(A\)\.%s has it" % name):
            getattr(apsp, name)
    with pytest.raises(AttributeError, match="no attribute 'floyd'$"):
        apsp.floyd


@pytest.mark.parametrize("paths", ["widest", "reliable"])
def test_paths_with_the_largest_value(paths):
    A = np.array([[0, 5, 0, 2], [0, 0, 3, 0], [1, 0, 0, 4], [0, 0, 0, 0]]) / 8
    for wrong, word in (({"limit": 0.5}, "limit"), ({"min_only": True}, "min_only")):
        with pytest.raises(ValueError, match="^%s is not for paths='%s'" % (word, paths)):
            apsp.shortest_path(A, paths=paths, **wrong)
    for call in (apsp.closeness, lambda A, paths: apsp.stats(A, columns=["harmonic"], paths=paths)):
        with pytest.raises(ValueError, match="is not of widest and reliable paths"):
            call(A, paths=paths)
    values = apsp.shortest_path(A, paths=paths)
    np.fill_diagonal(values, np.inf)
    for indices in (None, [1, 2]):
        found = apsp.stats(A, paths=paths, indices=indices)
        rows = values[slice(None) if indices is None else indices]
        assert found.mean == pytest.approx(rows[np.isfinite(rows)].mean(), rel=1e-12)
        assert found.closeness is None and found.harmonic is None
        assert found.efficiency != found.efficiency and "harmonic" not in found._columns()
    assert np.isnan(apsp.stats(np.zeros((1, 1)), paths=paths).mean)


def test_masks():
    two, three = (np.ma.masked_equal(range(1, n), 1) for n in (3, 4))
    for call, word in ((lambda: apsp.solve(apsp.Edges(3, [0, 1], [1, 2], two)), "weight"),
                       (lambda: apsp.solve(apsp.Edges(3, two, [1, 2])), "source"),
                       (lambda: apsp.access(EDGES, three, cutoffs=[1]), "opportunities"),
                       (lambda: apsp.access(EDGES, decays=[([0, 1], two)]), "decays"),
                       (lambda: apsp.shortest_path([two, two]), "the matrix"),
                       (lambda: apsp.shortest_path(EDGES, indices=two), "indices"),
                       (lambda: apsp.verify(EDGES, np.ma.masked_equal(np.ones((3, 3)), 1)),
                        "distances")):
        with pytest.raises(ValueError, match="^%s: some entries are masked; filled" % word):
            call()
    assert apsp.access(EDGES, decays=[iter(([0, 9], [1, 0]))]).shape == (3, 1)
    whole = np.ma.array([4, 5])
    assert apsp.path(apsp.Edges(3, [0, 1], [1, 2], whole), 0, 2).distance == 9


def test_orders():
    with pytest.raises(ValueError, match=r"must be an apsp\.Order, not str; apsp\.Order\.load"):
        apsp.solve(EDGES, order="x.order")


def test_frames():
    pandas = pytest.importorskip("pandas")
    rows = [["a", "b", 1.5], ["b", "c", 2]]
    for names in (["Source", "Target", "Weight"], ["SOURCE", "target", "weight"]):
        assert apsp.path(pandas.DataFrame(rows, columns=names), "a", "c").distance == 3.5
    exact = pandas.DataFrame(rows, columns=["source", "target", "weight"])
    exact["Source"] = ["c", "a"]
    assert apsp.path(exact, "a", "c").distance == 3.5
    for names, words in ((["u", "v", "km"], r"\['u', 'v', 'km'\]; apsp\.Edges\.from_frame"),
                         (["Source", "SOURCE", "target"], "and not")):
        with pytest.raises(ValueError, match=words):
            apsp.solve(pandas.DataFrame(rows, columns=names))
    with pytest.raises(ValueError, match=r"not \[0, 1\]; frame\.to_numpy\(\) is a matrix"):
        apsp.solve(pandas.DataFrame([[0, 1], [1, 0]]))


@pytest.mark.filterwarnings("error")
def test_notes_of_files(tmp_path):
    path = tmp_path / "x.gml"
    path.write_text('graph [ node [ id 0 label "A" code "p" ] node [ id 1 label "B" code "q" ]'
                    ' edge [ source 0 target 1 value 3 ] ]')
    with pytest.warns(UserWarning, match='edges have "value", not used: weights are 1; weight_key'):
        file = apsp.read(path)
    assert len(file.notes) == 1 and apsp.path(file, "A", "B").distance == 1
    file = apsp.read(path, weight_key="value", label_key="code")
    assert file.notes == [] and apsp.path(file, "p", "q").distance == 3
    path = tmp_path / "x.csv"
    path.write_text("a,b,5,yes\nb,c,6,no\nc,d,7,yes\n")
    with pytest.warns(UserWarning, match="no edge leads back: directed=False takes each"):
        apsp.read(path, columns="1,2,3")
    file = apsp.read(path, columns="1,2,3", oneway="4")
    assert len(file.notes) == 1 and apsp.path(file, "c", "b").distance == 6


def test_arguments_are_named_as_in_python(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("from,to,km\na,b,5\nb,a,6\n")
    for arguments, words in (({"format": "csv"}, r"^format csv: not one of .*did you mean list"),
                             ({"columns": "u,v"}, "columns: there is no column 'u' among the 3"),
                             ({"weight_key": "cost"}, "weight_key: there is no column 'cost'")):
        with pytest.raises(ValueError, match=words):
            apsp.read(path, **arguments)
    with pytest.raises(ValueError, match="paths reliable: some weight is not a probability"):
        apsp.shortest_path(EDGES, paths="reliable")


def graphs_with_text():
    """Weights of other names that are text."""
    columns = {"source": ["a", "b"], "target": ["b", "c"], "minutes": ["5", "6"]}
    for package, make in (("pandas", "DataFrame"), ("polars", "DataFrame"), ("pyarrow", "table")):
        try:
            yield getattr(__import__(package), make)(columns)
        except ImportError:
            pass
    networkx = pytest.importorskip("networkx")
    graph = networkx.Graph()
    graph.add_edge("a", "b", minutes="5", id="7")
    yield graph


def test_weights_that_are_text():
    words = ("is called 'weight'; 'minutes' holds text that reads as numbers: convert it and give"
             " weight='minutes', or weight=None")
    for graph in graphs_with_text():
        with pytest.raises(ValueError, match=words):
            apsp.shortest_path(graph)
        assert apsp.path(graph, "a", "b", weight=None).distance == 1
    networkx = pytest.importorskip("networkx")
    graph = networkx.Graph()
    graph.add_edge("a", "b", id="7", name="5 m")  # as read_gexf has it
    assert apsp.path(graph, "a", "b").distance == 1


@pytest.mark.filterwarnings("error")
def test_columns_that_are_not_used():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"u": ["a", "b"], "v": ["b", "c"], "len": [5, 6]})
    with pytest.warns(UserWarning, match="'len' holds numbers and is not used.* weight='len'"):
        edges = apsp.Edges.from_frame(frame, source="u", target="v")
    assert apsp.path(edges, "a", "c").distance == 2
    with pytest.warns(UserWarning, match="'len' holds text that reads as numbers"):
        apsp.Edges.from_frame(frame.astype({"len": str}), source="u", target="v")
    with pytest.raises(ValueError, match="edge 0: the weight '5' is not a number; convert text"):
        apsp.solve(apsp.Edges(2, [0], [1], ["5"]))
    apsp.Edges.from_frame(frame, source="u", target="v", weight=None)
    apsp.Edges.from_frame(frame[["u", "v"]], source="u", target="v")


@pytest.mark.filterwarnings("error")
def test_columns_of_tables_that_are_not_used(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import feather
    path = str(tmp_path / "x.feather")
    feather.write_feather(pyarrow.table({"source": [0], "target": [1], "len": [5]}), path)
    with pytest.warns(UserWarning, match="'len' holds numbers .* give weight_key='len'$") as warned:
        apsp.read(path)
    assert warned[0].filename == __file__
    assert apsp.path(apsp.read(path, weight_key="len"), 0, 1).distance == 5
    assert apsp.path(apsp.read(path, columns="source,target"), 0, 1).distance == 1


def test_ends_of_two_types():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"source": ["10", "11"], "target": [11, 12]})
    words = "source has labels of type str, target of type int: no label is in both"
    for read in (apsp.shortest_path, apsp.Edges.from_frame):
        with pytest.raises(ValueError, match=words):
            read(frame)
    frame["source"] = ["Ada", "11"]  # ends of two kinds, as in a bipartite graph
    assert apsp.shortest_path(frame).shape == (4, 4)


@pytest.mark.filterwarnings("error")
def test_matrices_that_are_none():
    for rows, words in (([(0, 1, 5), (1, 2, 6)], r"go to apsp\.Edges\(n, A\[:,0\], A\[:,1\], A\["),
                        (np.zeros((4, 2)), r"go to apsp\.Edges\(n, A\[:,0\], A\[:,1\]\)"),
                        ([[0, None], [1, 0]], r"entry \(0, 1\) is None, not a number; A\.astype"),
                        ([[0, "5"], [1, 0]], r"A\.astype\(float\) reads text as numbers"),
                        (np.array([[0, 1], ["5", 0]], object), r"entry \(1, 0\) is '5', not a"),
                        ({0: {1: 5}}, r"networkx\.DiGraph\(\.\.\.\) takes a dict of dicts, apsp")):
        with pytest.raises(ValueError, match=words):
            apsp.shortest_path(rows)
    with pytest.warns(UserWarning, match=r"taken as a matrix; columns of an edge list go to apsp"):
        apsp.shortest_path([(0, 1, 5), (1, 2, 6), (0, 2, 9)])
    apsp.shortest_path([[0, 1, 2], [1, 0, 3], [2, 3, 0]])
    with pytest.raises(ValueError, match=r"n, the number .* comes first, not \[0, 1\]"):
        apsp.shortest_path(apsp.Edges([0, 1], [1, 2], [4, 5]))
    with pytest.raises(apsp.NegativeCycleError, match=r"numpy\.ma\.masked_equal\(A, -1\)"):
        apsp.shortest_path([[0, -1, 2], [-1, 0, 3], [2, 3, 0]])
    with pytest.raises(apsp.NegativeCycleError, match="0$"):
        apsp.shortest_path([[0, -2, 2], [-1, 0, 3], [2, 3, 0]])


@pytest.mark.parametrize("call, words", [
    (lambda: apsp.blocks(EDGES, rows=5), r"^blocks\(\) has no argument rows: .* block_rows\?"),
    (lambda: apsp.closeness(EDGES, normalized=True), r"^closeness\(\) .*mean normalization\?"),
    (lambda: apsp.extent(EDGES, foo=1), r"^extent\(\) has no argument foo: it has device, dir"),
    (lambda: apsp.shortest_path(EDGES, directd=False), r"^shortest_path\(\) .*mean directed\?"),
    (lambda: apsp.shortest_path(EDGES, source=0), "did you mean indices"),
    (lambda: apsp.path(EDGES, 0, 1, weights="km"), r"^path\(\) .*did you mean weight\?"),
    (lambda: apsp.stats(EDGES, n_jobs=4), r"^stats\(\) .*did you mean threads\?"),
    (lambda: apsp.Edges(3, [0], [1], weights=[1]), r"^Edges\(\) .*did you mean weight\?"),
    (lambda: apsp.Edges(n=3, source=[0], target=[1]), "did you mean vertices"),
    (lambda: apsp.solve(EDGES).pairs(cutoff=4), r"^Solution\.pairs\(\) .*did you mean within\?"),
    (lambda: apsp.solve(EDGES).update(EDGES, weights="km"), r"^Solution\.update\(\) .* weight\?"),
    (lambda: apsp.Edges.from_frame(None, weights="km"), r"^Edges\.from_frame\(\) .*weight\?"),
    (lambda: apsp.Geodesics(k=5), r"^Geodesics\(\) .*did you mean n_neighbors\?"),
    (lambda: apsp.read_omx("x.omx", name="km"), r"^read_omx\(\) .*did you mean names\?"),
    (lambda: apsp.read("x.csv", usecols="1,2"), r"^read\(\) .*did you mean columns\?"),
    (lambda: apsp.csgraph.dijkstra(EDGES, min_onyl=True), r"^dijkstra\(\) .*mean min_only\?")])
def test_unknown_arguments(call, words):
    with pytest.raises(TypeError, match=words):
        call()


def test_names_of_scipy():
    import subprocess
    import sys
    code = "import apsp; print(apsp.csgraph.johnson([[0, 4], [0, 0]])[0][1])"
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "4.0\n"
    for name, words in (("dijkstra", r"; apsp\.csgraph\.dijkstra has it"),
                        ("shortest_paths", r"; did you mean shortest_path\?")):
        with pytest.raises(AttributeError, match=words):
            getattr(apsp, name)


def test_one_name_is_no_list(tmp_path):
    networkx = pytest.importorskip("networkx")
    graph = networkx.DiGraph()
    graph.add_edge("a", "b", km=2, weight=3)
    assert [(name, solution.distance("a", "b"))
            for name, solution in apsp.solve_each(graph, "km")] == [("km", 2)]
    assert apsp.solve(graph).skims(graph, "km")["km"][0].tolist() == [0, 2]
    pytest.importorskip("h5py")
    path = str(tmp_path / "x.omx")
    apsp.write_omx(path, {"km": np.eye(2), "k": np.eye(2)})
    assert list(apsp.read_omx(path, "km").matrices) == ["km"]


def test_arguments_of_access():
    for arguments, words in (({"cutoffs": 5}, r"cutoffs must be a list of numbers, not 5: \[5\]"),
                             ({"cutoffs": ["5"]}, "a cutoff must be a number, not '5'"),
                             ({"decays": "step:3"}, r"decays must be a list, not 'step:3'"),
                             ({"nearest": 3}, "nearest must be a list of numbers"),
                             ({"opportunities": {0: 1}}, r"3 rows in the order of the vertices: ")):
        with pytest.raises(ValueError, match=words):
            apsp.access(EDGES, **arguments)
    pandas = pytest.importorskip("pandas")
    edges = apsp.Edges(2, [0], [1], labels=["a", "b"])
    with pytest.raises(ValueError, match=r"frame\.reindex\(solution\.labels\)"):
        apsp.access(edges, pandas.Series([1, 2], index=["b", "a"]), cutoffs=[9])
    for index in (["a", "b"], None):
        amounts = pandas.Series([1, 2], index=index)
        assert apsp.access(edges, amounts, cutoffs=[9]).tolist() == [[3], [2]]


def test_numbers_and_lists(tmp_path):
    with apsp.solve(EDGES) as solution:
        for call, name in ((lambda: solution.pairs(within="5"), "within"),
                           (lambda: solution.pairs(nearest="5"), "nearest"),
                           (lambda: solution.betweenness(limit="5"), "limit")):
            with pytest.raises(ValueError, match="^%s must be a number, not '5'" % name):
                call()
    path = tmp_path / "x.csv"
    path.write_text("from,to,km\na,b,5\nb,a,6\n")
    assert apsp.path(apsp.read(path, columns=["from", "to", "km"]), "a", "b").distance == 5
    with pytest.raises(ValueError, match='columns must be text such as "from,to"'):
        apsp.read(path, columns=5)
    with pytest.raises(ValueError, match="no_edge must be text, not 0"):
        apsp.read(path, no_edge=0)


def test_batches_of_one():
    networkx = pytest.importorskip("networkx")
    matrix = np.array([[0, 1], [1, 0]])
    for graphs in (matrix, matrix.tolist(), EDGES, networkx.path_graph(3)):
        with pytest.raises(ValueError, match="one graph goes to apsp.shortest_path"):
            apsp.shortest_path_batch(graphs)
    with pytest.raises(ValueError, match="^graph 1 .*: use networkx.to_numpy_array"):
        apsp.shortest_path_batch([matrix, networkx.path_graph(3)])


def test_names_of_types():
    for given, name in ((float, "float64"), (int, "int64"), ("float", "float64"), ("i4", "int32"),
                        (np.float32, "float32"), (np.dtype("int32"), "int32")):
        assert apsp.shortest_path(EDGES, dtype=given).dtype == name
    assert apsp.shortest_path_batch([np.eye(2)], dtype=float)[0].dtype == "float64"
    for given, words in (("i32", "did you mean int32"), (bool, "not one of auto")):
        with pytest.raises(ValueError, match=words):
            apsp.shortest_path(EDGES, dtype=given)
    with pytest.raises(ValueError, match=r"not one of .*; did you mean sparse\?"):
        apsp.solve(EDGES, method="spars")


def test_messages_name_no_options(tmp_path):
    half = apsp.Edges(3, [0, 1], [1, 2], [0.5, 0])
    far = apsp.Edges(3, [0, 1], [1, 2], [40000, 50000])
    ends = [(3 * k + a, 3 * k + b) for k in range(90) for a, b in ((0, 1), (0, 2), (1, 3), (2, 3))]
    squares = apsp.Edges(271, *zip(*ends))
    for call, words in ((lambda: apsp.shortest_path(far, dtype="uint16"),
                         "dtype uint16 is exact below 65,535, and distances may reach 90,000"),
                        (lambda: apsp.shortest_path(apsp.Edges(2, [0], [1], [2**53])),
                         'dtype float64 is exact below .*; dtype="native" takes a type that'),
                        (lambda: apsp.solve(squares).betweenness(stress=True),
                         r"stress: more than 2\^83 shortest paths .* too many .*; limit leaves"),
                        (lambda: apsp.solve(half).betweenness(), "betweenness: the edge from 1"),
                        (lambda: apsp.solve(half).path_counts(), "path_counts: the edge from 1")):
        with pytest.raises(ValueError, match=r"^(the graph in memory: )?" + words):
            call()
    with pytest.raises(MemoryError, match=r"give indices=, or take apsp\.blocks\(\)"):
        apsp.shortest_path(apsp.Edges(10**7, [0], [1]), dtype="float64")
    path = tmp_path / "x.csv"
    path.write_text("from,to,lanes\na,b,5\nb,a,6\n")
    with pytest.warns(UserWarning, match='weights are 1, .*; columns="1,2,3" takes it'):
        apsp.read(path)


def test_swapped_arguments():
    matrix = np.array([[0, 4, 0], [0, 0, 5], [0, 0, 0]])
    distances = apsp.shortest_path(matrix)
    words = "takes the graph first, then the distances"
    with pytest.raises(apsp.CertificateError, match=words):
        apsp.verify(distances, matrix)
    with pytest.raises(ValueError, match=words):
        apsp.verify(distances, matrix[:2])
    with pytest.raises(apsp.CertificateError, match="not 1.0$"):
        apsp.verify(matrix, distances + 1)


def test_words_of_others():
    with pytest.raises(AttributeError, match=r"apsp\.solve\(A\)\.betweenness has it"):
        apsp.betweenness_centrality
    with pytest.raises(AttributeError, match="did you mean closeness"):
        apsp.closeness_centrality
    for arguments, words in (({"method": "floyd"}, "did you mean FW"),
                             ({"method": "dijkstra"}, "did you mean D"),
                             ({"device": "cuda"}, "did you mean gpu"),
                             ({"indices": "0"}, "must be integers, not '0': the graph has no")):
        with pytest.raises(ValueError, match=words):
            apsp.shortest_path(EDGES, **arguments)
    with pytest.raises(TypeError, match="progress must be a function, True or False, not 1"):
        apsp.shortest_path(EDGES, progress=1)
