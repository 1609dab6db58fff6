"""Files that planners exchange: OMX with openmatrix, Parquet and Arrow with pyarrow and DuckDB."""

import random

import pytest

import apsp

numpy = pytest.importorskip("numpy")


def graph_of(seed, n=30):
    chance = random.Random(seed)
    ends = [[chance.randrange(n) for _ in range(2 * n)] for _ in range(2)]
    return apsp.Edges(n, *ends, [chance.randint(1, 50) for _ in range(2 * n)])


def test_omx_out(tmp_path):
    openmatrix = pytest.importorskip("openmatrix")
    path = str(tmp_path / "skims.omx")
    with apsp.solve(graph_of(1)) as solution:
        distances = solution.distances()
        apsp.write_omx(path, {"time": solution, "half": distances / 2},
                       {"zone": range(100, 130), "place": ["p%d" % k for k in range(30)]})
        missing = apsp.unreachable(solution.dtype)
    with openmatrix.open_file(path) as file:
        assert file.version() == b"0.2" and file.shape() == (30, 30)
        assert sorted(file.list_matrices()) == ["half", "time"]
        assert (file["time"][:] == distances).all() and (file["half"][:] == distances / 2).all()
        assert file["time"].attrs["NA"] == missing
        assert file.mapping("zone") == {100 + k: k for k in range(30)}
        assert file.map_entries("place")[29] == b"p29"
    found = apsp.read_omx(path, ["time"])
    assert list(found.matrices) == ["time"] and found.lookups["place"][3] == "p3"
    right = numpy.where(distances == missing, numpy.inf, distances)
    assert (found.matrices["time"] == right).all()


def test_omx_in(tmp_path):
    """A matrix of direct times, written by openmatrix, is a graph."""
    openmatrix = pytest.importorskip("openmatrix")
    path = str(tmp_path / "direct.omx")
    direct = numpy.zeros((5, 5))
    direct[[0, 1, 2, 3], [1, 2, 3, 4]] = [2, 3, 4, 5.5]
    with openmatrix.open_file(path, "w") as file:
        file["direct"] = direct
        file.create_mapping("zone", [7, 8, 9, 10, 11])
    found = apsp.read_omx(path)
    assert found.lookups == {"zone": [7, 8, 9, 10, 11]}
    assert apsp.shortest_path(found.matrices["direct"], indices=0).tolist() == [0, 2, 5, 9, 14.5]


def test_omx_labels_and_refusals(tmp_path):
    pytest.importorskip("h5py")
    pandas = pytest.importorskip("pandas")
    path = tmp_path / "a.omx"
    with apsp.solve(pandas.DataFrame({"source": ["b"], "target": ["a"],
                                      "weight": [3]})) as solution:
        apsp.write_omx(path, solution)
    assert apsp.read_omx(path).lookups == {"vertices": ["a", "b"]}
    assert apsp.read_omx(path).matrices["distance"].tolist() == [[0, numpy.inf], [3, 0]]
    with pytest.raises(ValueError, match="no matrix 'time', but ..distance"):
        apsp.read_omx(path, ["time"])
    with pytest.raises(ValueError, match="one shape"):
        apsp.write_omx(path, {"a": numpy.ones((2, 2)), "b": numpy.ones((2, 3))})
    with pytest.raises(ValueError, match="lookup 'z' has 3 entries"):
        apsp.write_omx(path, {"a": numpy.ones((2, 2))}, {"z": [1, 2, 3]})
    assert apsp.read_omx(path).lookups == {"vertices": ["a", "b"]}
    import h5py
    with h5py.File(path, "w") as file:
        file["other"] = [1]
    with pytest.raises(ValueError, match="no group /data"):
        apsp.read_omx(path)


def edges_table():
    pyarrow = pytest.importorskip("pyarrow")
    return pyarrow.table({"source": ["a", "b", "c"], "target": ["b", "c", "d"],
                          "weight": pyarrow.array([2, 3, 4])})


@pytest.mark.parametrize("suffix", [".parquet", ".feather", ".arrow"])
def test_arrow(tmp_path, suffix):
    """Edges from a file, pairs and statistics to one."""
    table = edges_table()
    from pyarrow import feather, parquet
    path = str(tmp_path / ("x" + suffix))
    write = parquet.write_table if suffix == ".parquet" else feather.write_feather
    read = parquet.read_table if suffix == ".parquet" else feather.read_table
    write(table, path)
    with apsp.solve(apsp.read(path)) as solution:
        pairs, stats = solution.pairs(within=5), solution.stats()
    write(pairs.to_arrow(), path)
    assert read(path).to_pydict() == {
        "source": ["a", "a", "b", "c"], "target": ["b", "c", "c", "d"], "distance": [2, 5, 3, 4]
    }
    write(stats.to_arrow(), path)
    back = read(path).to_pydict()
    assert back["vertex"] == ["a", "b", "c", "d"] and back["eccentricity"] == [9, 7, 4, 0]
    with pytest.raises(ValueError, match="no column 'from'"):
        apsp.read(path, columns="from,to")


def test_columns_of_a_table(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet
    path = str(tmp_path / "x.parquet")
    parquet.write_table(pyarrow.table({"i": [5, 7], "j": [7, 9], "km": [1.5, 2.25], "t": [1, 2]}),
                        path)
    assert apsp.path(apsp.read(path, columns="i,j,km"), 5, 9).distance == 3.75
    assert apsp.path(apsp.read(path, columns="i,j", weight_key="t"), 5, 9).distance == 3
    assert apsp.path(apsp.read(path, columns="i,j"), 5, 9).distance == 2
    with pytest.raises(ValueError, match="columns"):
        apsp.read(path, columns="i")
    with pytest.raises(ValueError, match="sort_names"):
        apsp.read(path, sort_names=True)


@pytest.mark.parametrize("method", ["auto", "sparse", "dense"])
def test_times_of_day(tmp_path, method):
    """One order for several columns of a file or a frame, against a fresh solve of each."""
    pandas = pytest.importorskip("pandas")
    chance = random.Random(3)
    frame = pandas.DataFrame(
        [[chance.randrange(40), chance.randrange(40)] + [chance.randint(1, 99) for _ in "123"]
         for _ in range(150)],
        columns=["source", "target", "am", "pm", "night"])
    path = tmp_path / "x.csv"
    frame.to_csv(path, index=False)
    for graph in frame, apsp.read(path, weight_key="night"):
        seen = []
        for weight, solution in apsp.solve_each(graph, ["am", "pm", "night"], method=method):
            right = apsp.solve(frame, weight=weight, method="dense").frame()
            ours = solution.frame().sort_index().sort_index(axis=1)
            assert (ours.to_numpy() == right.to_numpy()).all()
            seen.append(weight)
        assert seen == ["am", "pm", "night"]
        with pytest.raises(ValueError):
            solution.distances()


@pytest.mark.parametrize("seed", range(12))
def test_skims(tmp_path, seed):
    """Sums along paths, against networkx with the weight and the attributes in one integer."""
    networkx, pandas = pytest.importorskip("networkx"), pytest.importorskip("pandas")
    chance = random.Random(seed)
    n, part = chance.choice([5, 30]), 1 << 40
    graph = networkx.DiGraph()
    graph.add_nodes_from(range(n))
    for _ in range(3 * n):
        graph.add_edge(chance.randrange(n), chance.randrange(n), time=chance.randint(0, 4),
                       km=chance.randint(0, 9) / 2, toll=chance.choice([0, 0, 5]))
    names = chance.choice([["km", "toll"], ["toll", "edges", "km"], ["edges"]])
    units = {"km": lambda e: int(2 * e["km"]), "toll": lambda e: e["toll"], "edges": lambda e: 1}

    def packed(u, v, edge):
        value = edge["time"]
        for name in names:
            value = value * part + units[name](edge)
        return value
    right = {name: numpy.full((n, n), numpy.inf) for name in names}
    for u, found in networkx.all_pairs_dijkstra_path_length(graph, weight=packed):
        for v, value in found.items():
            for name in reversed(names):
                right[name][u, v] = value % part / (2 if name == "km" else 1)
                value //= part
    method, ranks = chance.choice(["auto", "dense", "sparse", "sssp"]), chance.choice([None, 2])
    with apsp.solve(graph, weight="time", method=method, ranks=ranks) as solution:
        made = solution.skims(graph, names)
        assert list(made) == names and all((made[name] == right[name]).all() for name in names)
        some = solution.skims(graph, names, [3, 1], 2)
        assert all((some[name] == right[name][[3, 1], 2]).all() for name in names)
        assert solution.skims(graph, names, 1, [])[names[0]].shape == (0,)
        pytest.importorskip("h5py")
        apsp.write_omx(tmp_path / "x.omx", {"time": solution, **made})
        read = apsp.read_omx(tmp_path / "x.omx").matrices
        assert all((read[name] == right[name]).all() for name in names)
        with pytest.raises(ValueError, match="cost"):
            solution.skims(graph, ["cost"])
    path = tmp_path / "x.csv"
    frame = pandas.DataFrame([(u, v, e["time"], e["km"], e["toll"])
                              for u, v, e in graph.edges(data=True)] + [(v, v, 0, 0, 0)
                                                                        for v in range(n)],
                             columns=["from", "to", "time", "km", "toll"])
    frame.to_csv(path, index=False)
    file = apsp.read(path, weight_key="time", sort_names=True)
    with apsp.solve(file) as solution:
        order = solution.labels or list(range(n))
        made = solution.skims(file, names)
        assert all((made[name] == right[name][numpy.ix_(order, order)]).all() for name in names)


def test_skims_that_cannot_be():
    networkx = pytest.importorskip("networkx")
    graph = networkx.DiGraph([(0, 1, {"time": 1, "toll": -1}), (1, 2, {"time": 1, "toll": 2})])
    with apsp.solve(graph, weight="time") as solution:
        with pytest.raises(ValueError, match="the edge from 0 to 1 has .* -1"):
            solution.skims(graph, ["toll"])
        with pytest.raises(ValueError, match="1 to 16 skims"):
            solution.skims(graph, ["edges"] * 17)
        other = networkx.DiGraph([(0, 1, {"toll": 1}), (2, 1, {"toll": 2})])
        with pytest.raises(ValueError, match="not those of the graph"):
            solution.skims(other, ["toll"])
    with apsp.solve(graph, weight="time", paths="widest") as solution:
        with pytest.raises(ValueError, match="widest"):
            solution.skims(graph, ["edges"])


def test_duckdb(tmp_path):
    duckdb = pytest.importorskip("duckdb")
    path = str(tmp_path / "edges.parquet")
    duckdb.from_arrow(edges_table()).write_parquet(path)
    with apsp.solve(apsp.read(path)) as solution:
        pairs = solution.pairs()
    reached = pairs.to_arrow()
    assert duckdb.from_arrow(reached).aggregate("max(distance), count(*)").fetchall() == [(9, 6)]
    written = str(tmp_path / "pairs.parquet")
    pytest.importorskip("pyarrow.parquet").write_table(reached, written)
    assert duckdb.sql("select max(distance), count(*) from '%s'" % written).fetchall() == [(9, 6)]
    edges = duckdb.sql("select * from '%s' where weight < 4" % path)
    assert apsp.path(edges.to_arrow_table(), "a", "c").distance == 5
