"""Batches of small graphs, beside SciPy's functions for each of them."""

import random

import pytest

import apsp

numpy = pytest.importorskip("numpy")
csgraph = pytest.importorskip("scipy.sparse.csgraph")
sparse = pytest.importorskip("scipy.sparse")
batch = apsp.shortest_path_batch


def matrices(seed, count=40, most=30, real=False):
    chance = numpy.random.default_rng(seed)
    made = []
    for k in range(count):
        n = 1 + k % most
        matrix = chance.integers(1, 50, (n, n)) * (chance.random((n, n)) < 0.15)
        made.append(matrix / 7 if real else matrix.astype(float))
    return made


def right(matrix, **settings):
    return csgraph.floyd_warshall(matrix, **settings)


def stacked(graphs):
    most = max(map(len, graphs))
    stack = numpy.zeros((len(graphs), most, most), graphs[0].dtype)
    for k, graph in enumerate(graphs):
        stack[k, :len(graph), :len(graph)] = graph
    return stack, [len(graph) for graph in graphs]


@pytest.mark.parametrize("real", [False, True])
@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("unweighted", [False, True])
def test_as_scipy(real, directed, unweighted):
    graphs = matrices(1, real=real)
    stack, sizes = stacked(graphs)
    settings = {"directed": directed, "unweighted": unweighted}
    padded = batch(stack, sizes, **settings)
    assert padded.shape == stack.shape
    for graph, block, found in zip(graphs, padded, batch(graphs, **settings)):
        theirs = right(graph, **settings)
        n = len(graph)
        assert found == pytest.approx(theirs, rel=1e-12)
        assert real and not unweighted or numpy.array_equal(found, theirs)
        assert numpy.array_equal(block[:n, :n], found)
        assert numpy.isinf(block[n:]).all() and numpy.isinf(block[:, n:]).all()


def test_predecessors():
    graphs = matrices(2)
    for graph, d, before in zip(graphs, *batch(graphs, return_predecessors=True)):
        theirs = right(graph)
        n = len(graph)
        for i in range(n):
            for j in range(n):
                k = before[i, j]
                if i == j or numpy.isinf(theirs[i, j]):
                    assert k == apsp.NO_PREDECESSOR
                else:
                    assert graph[k, j] and theirs[i, k] + graph[k, j] == theirs[i, j] == d[i, j]
    stack, sizes = stacked(graphs)
    out = numpy.empty(stack.shape, "float32"), numpy.empty(stack.shape, "int32")
    found = batch(stack, sizes, return_predecessors=True, dtype="float32", out=out)
    assert found[0] is out[0] and found[1] is out[1]
    assert (found[1][0, 1:] == -9999).all() and found[0][1][0, 0] == 0


@pytest.mark.parametrize("kind", ["int8", "uint16", "int32", "int64", "uint64", "float32", "bool"])
def test_types_of_weights(kind):
    graphs = [graph.astype(kind) for graph in matrices(3)]
    for graph, found in zip(graphs, batch(graphs, dtype="int32")):
        theirs = right(graph.astype(float))
        theirs[numpy.isinf(theirs)] = apsp.unreachable("int32")
        assert found.dtype == "int32" and numpy.array_equal(found, theirs)
    stack, sizes = stacked(graphs)
    assert numpy.array_equal(batch(stack, sizes)[7][:8, :8], right(graphs[7].astype(float)))


def test_layouts():
    graphs = matrices(4)
    stack, sizes = stacked(graphs)
    theirs = batch(stack, sizes)
    for view in (numpy.asfortranarray(stack), stack[::-1][::-1], numpy.pad(
            stack, ((0, 0), (1, 1), (1, 1)))[:, 1:-1, 1:-1]):
        assert numpy.array_equal(batch(view, sizes), theirs)
    for change in (numpy.asfortranarray, numpy.ndarray.tolist, sparse.csr_array, sparse.coo_matrix):
        for found, graph in zip(batch([change(graph) for graph in graphs]), graphs):
            assert numpy.array_equal(found, right(graph))
    assert numpy.array_equal(batch(graphs, padded=True), theirs)
    assert len(batch(stack, sizes, padded=False)) == len(graphs)


def test_edges():
    chance = random.Random(5)
    graphs, theirs = [], []
    for k in range(30):
        n = 2 + k
        ends = [(chance.randrange(n), chance.randrange(n)) for _ in range(2 * n)]
        weight = [chance.randint(0, 5) for _ in ends]
        graphs.append(apsp.Edges(n, [u for u, _ in ends], numpy.array([v for _, v in ends]),
                                 weight if k % 3 else None))
        theirs.append(apsp.shortest_path(graphs[-1]))
    for found, d in zip(batch(graphs), theirs):
        assert numpy.array_equal(found, d)
    mixed = batch([graphs[0], numpy.array([[0, 0.5], [0, 0]]), sparse.csr_array((3, 3))])
    assert mixed[1][0, 1] == 0.5 and numpy.isinf(mixed[2][0, 1]) and mixed[2][1, 1] == 0


def test_graphs_without_vertices():
    assert batch([]) == [] and batch(numpy.zeros((0, 4, 4))).shape == (0, 4, 4)
    found = batch([numpy.zeros((0, 0)), numpy.ones((2, 2))])
    assert found[0].shape == (0, 0) and found[1][0, 1] == 1
    padded = batch(numpy.ones((3, 2, 2)), [2, 0, 1], return_predecessors=True)
    assert numpy.isinf(padded[0][1]).all() and (padded[1][1] == -9999).all()
    assert padded[0][2].tolist() == [[0, float("inf")]] + [[float("inf")] * 2]


def test_negative_weights():
    graph = numpy.array([[0, -2, 0], [0, 0, 1], [0, 0, 0]], "int64")
    assert batch([graph])[0].tolist() == right(graph.astype(float)).tolist()
    graph[2, 0] = 1
    assert batch([graph])[0][2, 1] == -1
    graph[2, 0] = 0
    graph[1, 0] = 1
    with pytest.raises(apsp.NegativeCycleError, match="graph 2"):
        batch([numpy.zeros((0, 0)), numpy.abs(graph), graph])
    with pytest.raises(csgraph.NegativeCycleError):
        batch([graph.astype(float)])


def test_masked():
    graph = numpy.ma.masked_equal([[0, 1, -1], [2, 0, 0], [-1, 4, 0]], -1)
    right_ = apsp.shortest_path(graph)
    assert right_[0, 2] == 1
    assert numpy.array_equal(batch([graph, numpy.ones((2, 2))])[0], right_)
    found = batch(numpy.ma.stack([graph, graph]), sizes=[3, 2])
    assert numpy.array_equal(found[0], right_) and numpy.isinf(found[1][:2, 2]).all()
    assert found[1][:2, :2].tolist() == [[0, 1], [2, 0]]


ROOM = numpy.zeros((3, 3, 3))


@pytest.mark.parametrize("call, message", [
    (lambda: batch([numpy.zeros((2, 3))]), "graph 0: a matrix must be square"),
    (lambda: batch([[[0]], [[1, 2]]]), "graph 1: a matrix must be square"),
    (lambda: batch(numpy.zeros((2, 2, 3))), "must be square"),
    (lambda: batch(numpy.zeros((2, 3, 3)), [1, 4]), "sizes must be"),
    (lambda: batch(numpy.zeros((2, 3, 3)), [1]), "sizes must be"),
    (lambda: batch([[[0]]], [1]), "sizes are of one padded array"),
    (lambda: batch([[["a"]]]), "graph 0"),
    (lambda: batch([object()]), r"graph 0: a matrix must be square, not of shape \(\)"),
    (lambda: batch([apsp.Edges(2, [0], [2])]), "graph 0: vertices of edges"),
    (lambda: batch([apsp.Edges(2, [0, 1], [1])]), "graph 0: arrays of edges"),
    (lambda: batch([apsp.Edges(2, [0], [1], [-float("inf")])]), "graph 0: a weight is -inf"),
    (lambda: batch([numpy.zeros((1025, 1025))]), "1025 vertices"),
    (lambda: batch([[[0, 2**60], [0, 0]]]), "below 2\\^53"),
    (lambda: batch([[[0, 0.5], [0, 0]]], dtype="int32"), "not all weights are integers"),
    (lambda: batch([[[0]]], dtype="int64"), "dtype int64"),
    (lambda: batch([[[0]]], threads=-1), "threads"),
    (lambda: batch([[[0]]], out=numpy.zeros((1, 1, 1))), "padded result"),
    (lambda: batch(numpy.zeros((2, 3, 3)), out=numpy.zeros((2, 3, 2))), "shape"),
    (lambda: batch(numpy.zeros((1, 3, 3)), out=ROOM[:1], return_predecessors=True), "a pair"),
    (lambda: batch(numpy.zeros((1, 3, 3)), out=(ROOM[:1], ROOM.view("int32").reshape(6, 3, 3)[:1]),
                   return_predecessors=True), "out overlap"),
    (lambda: batch(ROOM[:2], out=ROOM[1:]), "in the memory of the graphs"),
    (lambda: batch([ROOM[0]], padded=True, out=ROOM[:1]), "in the memory of the graphs"),
    (lambda: batch(ROOM, sizes=numpy.ma.masked_equal([1, 2, 3], 2)), "sizes: some entries are"),
    (lambda: batch([[[0, 1], [0, 0]], sparse.csr_array([[0, 1 / 3], [0, 0]]),
                    numpy.array([[0, 2**54], [0, 0]])]), "beyond 2\\^53"),
])
def test_errors(call, message):
    with pytest.raises(ValueError, match=message):
        call()
