"""Frames of polars and pyarrow, labelled edges, graphs of rustworkx, and answers by label."""

import pytest

import apsp

np = pytest.importorskip("numpy")
SOURCE, TARGET, LENGTH = ["b", "a", "c"], ["c", "b", "d"], [2, 3, 4]
RIGHT = [[0, 3, 5, 9], [np.inf, 0, 2, 6], [np.inf, np.inf, 0, 4], [np.inf] * 3 + [0]]


def frames(names=("source", "target", "weight")):
    columns = dict(zip(names, (SOURCE, TARGET, LENGTH)))
    for package, make in (("pandas", lambda m: m.DataFrame(columns)),
                          ("polars", lambda m: m.DataFrame(columns)),
                          ("pyarrow", lambda m: m.table(columns))):
        try:
            yield make(__import__(package))
        except ImportError:
            pass


class Stream:
    """Of the Arrow C interface alone."""

    def __init__(self, frame):
        self.frame = frame

    def __arrow_c_stream__(self, requested_schema=None):
        return self.frame.__arrow_c_stream__(requested_schema)


def test_frames():
    for frame in frames():
        with apsp.solve(frame) as solution:
            assert solution.labels == ["a", "b", "c", "d"]
            assert solution.distances().tolist() == RIGHT
        assert apsp.path(frame, "a", "d", weight=None) == (3, ["a", "b", "c", "d"])
        with pytest.raises(ValueError, match="cost"):
            apsp.solve(frame, weight="cost")


def test_a_stream_of_arrow():
    pyarrow = pytest.importorskip("pyarrow")
    frame = Stream(pyarrow.table(dict(source=SOURCE, target=TARGET, weight=LENGTH)))
    assert apsp.shortest_path(frame).tolist() == RIGHT


def test_columns_of_other_names():
    for frame in frames(("from", "to", "cost")):
        edges = apsp.Edges.from_frame(frame, source="from", target="to", weight="cost")
        assert apsp.shortest_path(edges).tolist() == RIGHT
        assert apsp.path(edges, "a", "c") == (5, ["a", "b", "c"])
        edges = apsp.Edges.from_frame(frame, source="from", target="to", weight=None)
        assert apsp.path(edges, "a", "c").distance == 2
        with pytest.raises(ValueError, match="no column 'way'"):
            apsp.Edges.from_frame(frame, source="way", target="to")
    with pytest.raises(ValueError, match="not a frame"):
        apsp.Edges.from_frame([1, 2])


@pytest.mark.parametrize("column", [
    [True, False, "reverse"], ["yes", "no", "-1"], [1, 0, -1], [1.0, float("nan"), -1.0],
    ["Directed", None, "backward"], ["oneway", "", "back"]])
def test_directions_of_edges(column):
    pandas = pytest.importorskip("pandas")
    edges = {"source": ["a", "b", "d"], "target": ["b", "c", "c"], "weight": [2, 3, 4],
             "oneway": pandas.Series(column, dtype=object)}
    made = apsp.Edges.from_frame(pandas.DataFrame(edges), weight="weight", oneway="oneway")
    inf = float("inf")
    assert apsp.shortest_path(made).tolist() == [  # a -> b <-> c -> d
        [0, 2, 5, 9], [inf, 0, 3, 7], [inf, 3, 0, 4], [inf, inf, inf, 0]]
    for frame in frames(("source", "target", "weight")):
        with pytest.raises(ValueError, match="row 0 of the column 'source': '.' is none of yes"):
            apsp.Edges.from_frame(frame, weight="weight", oneway="source")


def test_missing_labels():
    for frame in frames(("source", "target", "weight")):
        if type(frame).__module__.startswith("polars"):
            with pytest.raises(ValueError, match="missing"):
                apsp.solve(frame.with_columns(source=type(frame)({"s": ["a", None, "b"]})["s"]))


LARGE = 2**60


def whole_frames(source, target, weight):
    """Frames with a column of unsigned integers, and weights some of which are missing."""
    pandas, polars, pyarrow = map(pytest.importorskip, ("pandas", "polars", "pyarrow"))
    yield pyarrow.table({"source": pyarrow.array(source, "uint64"), "target": target,
                         "weight": weight})
    yield polars.DataFrame({"source": polars.Series(source, dtype=polars.UInt64),
                            "target": target, "weight": weight})
    for kinds in (("uint64", "int64", "Int64"), ("UInt64", "Int64", "Int64"),
                  ("uint64[pyarrow]", "int64[pyarrow]", "int64[pyarrow]")):
        yield pandas.DataFrame({name: pandas.Series(column, dtype=kind) for name, column, kind in
                                zip(("source", "target", "weight"), (source, target, weight),
                                    kinds)})


def test_whole_numbers_stay_whole():
    for frame in whole_frames([LARGE, LARGE, LARGE + 1], [LARGE + 1, LARGE + 2, LARGE],
                              [2**53 + 1, 1, None]):
        with apsp.solve(frame, dtype="native") as solution:
            assert solution.labels == [LARGE, LARGE + 1, LARGE + 2]
            assert solution.distance(LARGE, LARGE + 1) == 2**53 + 1
            assert solution.distance(LARGE + 1, LARGE) == float("inf")
    pandas = pytest.importorskip("pandas")
    index = pandas.MultiIndex.from_arrays([["a", "b"], ["b", "c"]])
    series = pandas.Series([2**53 + 1, None], index, dtype="Int64")
    assert apsp.path(series, "a", "b").distance == 2**53 + 1


def test_frames_that_are_not_there_yet():
    lazy = pytest.importorskip("polars").LazyFrame({"source": ["a"], "target": ["b"]})
    for call in (apsp.solve, apsp.Edges.from_frame):
        with pytest.raises(ValueError, match=r"LazyFrame\.collect\(\) makes a frame of edges"):
            call(lazy)


def test_labels_of_edges():
    edges = apsp.Edges(3, [0, 1], [1, 2], [5, 7], labels=["x", ("y", 1), 3])
    assert apsp.path(edges, "x", 3) == (12, ["x", ("y", 1), 3])
    with pytest.raises(ValueError, match="'z' is not a vertex"):
        apsp.shortest_path(edges, indices="z")
    with pytest.raises(ValueError, match="2 labels"):
        apsp.solve(apsp.Edges(3, [0], [1], labels=["x", "y"]))
    with pytest.raises(ValueError, match="twice"):
        apsp.solve(apsp.Edges(2, [0], [1], labels=["x", "x"]))


@pytest.mark.parametrize("name", ["PyGraph", "PyDiGraph"])
def test_rustworkx(name):
    rustworkx = pytest.importorskip("rustworkx")
    graph = getattr(rustworkx, name)()
    ids = graph.add_nodes_from(list("abcd"))
    graph.add_edges_from([(ids[0], ids[1], 3), (ids[1], ids[2], 2.5), (ids[2], ids[3], None)])
    graph.remove_node(ids[3])
    graph.add_edge(ids[2], graph.add_node("e"), {"weight": 4, "cost": 1})
    d = apsp.shortest_path(graph)
    assert d[0].tolist() == [0, 3, 5.5, 9.5]
    assert np.isinf(d[1, 0]) == (name == "PyDiGraph")
    assert apsp.shortest_path(graph, weight=None)[0].tolist() == [0, 1, 2, 3]


def test_measures_by_label():
    edges = apsp.Edges(4, [0, 1, 2], [1, 2, 3], labels=list("abcd"))
    assert apsp.eccentricity(edges, directed=False) == {"a": 3, "b": 2, "c": 2, "d": 3}
    assert apsp.diameter(edges, directed=False) == 3
    found = apsp.stats(edges, directed=False)
    assert found.center == ["b", "c"] and found.periphery == ["a", "d"]
    assert apsp.stats([[0, 1], [1, 0]]).center == [0, 1]
    lonely = apsp.Edges(4, [0, 1], [1, 2])
    for name, right in (("wasserman-faust", 2 / 3 * 2 / 3), ("reachable", 2 / 3), ("all", 1),
                        ("none", 1 / 3)):
        found = apsp.closeness(lonely, directed=False, normalization=name)
        assert found.tolist() == pytest.approx([right, right * 3 / 2, right, 0])
    with pytest.raises(ValueError, match="normalization"):
        apsp.closeness(lonely, normalization="some")
