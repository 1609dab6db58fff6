"""Matrices, beside scipy.sparse.csgraph: the same bits for integers."""

import pytest

import apsp

np = pytest.importorskip("numpy")
scipy = pytest.importorskip("scipy")
sparse = pytest.importorskip("scipy.sparse")
csgraph = pytest.importorskip("scipy.sparse.csgraph")


def random_matrix(seed, n=60, density=0.06, least=0, most=100):
    rng = np.random.default_rng(seed)
    mask = rng.random((n, n)) < density
    values = rng.integers(least, most, (n, n)).astype(float)
    potentials = rng.integers(0, 50, n) if least < 0 else np.zeros(n)
    if least < 0:  # no negative cycle
        values = values - least + potentials[:, None] - potentials[None, :]
    row, column = np.nonzero(mask)
    return sparse.csr_array((values[row, column], (row, column)), shape=(n, n))


def assert_trees(distances, predecessors, matrix, indices):
    """Every step is an edge that is as long as the distances say, and leads to the source."""
    edges = matrix.todok()
    for k, source in enumerate(indices):
        for v in range(matrix.shape[0]):
            before = predecessors[k, v]
            assert (before == -9999) == (v == source or np.isinf(distances[k, v]))
            steps = 0
            while before != -9999:
                assert distances[k, before] + edges[before, v] == distances[k, v]
                v, before, steps = before, predecessors[k, before], steps + 1
                assert steps < matrix.shape[0]


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("kind", ["csr_array", "csc_array", "coo_array", "lil_array", "csr_matrix"])
def test_sparse_of_all_kinds(seed, kind):
    matrix = random_matrix(seed, least=0 if seed % 2 else -20)
    right = csgraph.shortest_path(matrix, method="J" if seed % 2 == 0 else "auto")
    found = apsp.shortest_path(getattr(sparse, kind)(matrix))
    assert found.dtype == np.float64 and found.flags.c_contiguous
    assert found.tobytes() == right.tobytes()


@pytest.mark.parametrize("name", ["auto", "FW", "D", "BF", "J", "dense", "sparse"])
def test_methods(name):
    matrix = random_matrix(3)
    assert np.array_equal(apsp.shortest_path(matrix, method=name), csgraph.shortest_path(matrix))


def test_unknown_choices_are_refused():
    for settings in ({"method": "A*"}, {"device": "tpu"}, {"dtype": "int8"}, {"dtype": 7},
                     {"threads": -1}, {"threads": "2"}, {"threads": True}, {"threads": 10**6},
                     {"verify": -1}, {"verify": "some"}, {"sums": "best"}):
        with pytest.raises(ValueError):
            apsp.shortest_path(random_matrix(0), **settings)


@pytest.mark.parametrize("dtype", [
    "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32",
    "float64", "bool", ">i4", ">f8", "longdouble", "object"
])
@pytest.mark.parametrize("layout", ["sparse", "dense"])
def test_weights_of_all_types(dtype, layout):
    matrix = random_matrix(5, most=90)
    dense = matrix.toarray().astype(dtype)
    if layout == "sparse":
        if dtype == "object":
            pytest.skip("SciPy has no sparse matrices of objects")
        if dtype in ("float16", ">i4", ">f8"):
            data = matrix.copy()
            data.data = data.data.astype(dtype)
            given = data
        else:
            given = matrix.astype(dtype)
    else:
        given = dense
    right = csgraph.shortest_path(
        (dense != 0).astype(float) * dense.astype(float) if layout == "dense" else sparse.csr_array(
            (given.data.astype(float), given.indices, given.indptr), shape=given.shape))
    assert np.array_equal(apsp.shortest_path(given), right)


@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("unweighted", [True, False])
@pytest.mark.parametrize("layout", ["sparse", "dense"])
def test_directed_and_unweighted(directed, unweighted, layout, method):
    matrix = random_matrix(11)
    if layout == "dense":
        matrix = matrix.toarray()
    right = csgraph.shortest_path(matrix, method="FW", directed=directed, unweighted=unweighted)
    found = apsp.shortest_path(matrix, directed=directed, unweighted=unweighted, method=method)
    assert found.tobytes() == right.tobytes()


def test_what_is_no_edge():
    dense = np.array([[0, 0, 3, np.inf], [1, 0, np.nan, 0], [0, 7, 0, 2], [np.nan, 0, 0, 0]])
    assert np.array_equal(apsp.shortest_path(dense), csgraph.shortest_path(dense))
    zeros = sparse.csr_array(
        (np.array([0.0, 5, np.inf]), np.array([1, 2, 0]), np.array([0, 1, 2, 3])), shape=(3, 3))
    assert np.array_equal(apsp.shortest_path(zeros), csgraph.shortest_path(zeros, method="D"))
    masked = np.ma.masked_array(np.array([[0, 0, 3], [1, 0, 9], [4, 5, 0.0]]),
                                mask=[[1, 0, 0], [0, 1, 1], [1, 0, 1]])
    assert np.array_equal(apsp.shortest_path(masked), csgraph.shortest_path(masked, method="D"))
    stored = sparse.csr_array((np.array([np.nan]), np.array([1]), np.array([0, 1, 1])),
                              shape=(2, 2))
    assert np.isinf(apsp.shortest_path(stored)[0, 1])
    with pytest.raises(ValueError, match="not a finite weight"):
        apsp.shortest_path(np.array([[0, 2**62], [0, 0]]))


def test_entries_that_are_stored_twice():
    twice = sparse.csr_array((np.array([9.0, 4, 6]), np.array([1, 1, 0]), np.array([0, 2, 3])),
                             shape=(2, 2))
    assert apsp.shortest_path(twice)[0, 1] == csgraph.shortest_path(twice, method="D")[0, 1] == 4
    for numbers in ([9.0, 4], [4, 9], [np.inf, 4], [9, 4, 0]):
        ends = np.array([0, 0, 1])[:len(numbers)], np.array([1, 1, 1])[:len(numbers)]
        for kind in (sparse.coo_array, sparse.coo_matrix):
            assert apsp.shortest_path(kind((np.array(numbers), ends), shape=(2, 2)))[0, 1] == 4
    blocks = np.array([[[0, 9.0], [0, 0]], [[0, 4], [0, 0]]])
    twice = sparse.bsr_array((blocks, np.array([0, 0]), np.array([0, 2])), shape=(2, 2))
    assert apsp.shortest_path(twice)[0, 1] == 4


@pytest.mark.parametrize(
    "view", ["fortran", "reversed", "stepped", "broadcast", "readonly", "offset", "transposed"])
def test_views_of_matrices(view):
    dense = random_matrix(2).toarray()
    n = len(dense)
    if view == "fortran":
        given = np.asfortranarray(dense)
    elif view == "reversed":
        given = dense[::-1, ::-1]
    elif view == "stepped":
        given = np.full((2 * n, 3 * n), -7.0)[::2, ::3]
        given[:] = dense
    elif view == "broadcast":
        given = np.broadcast_to(np.arange(n, dtype=float), (n, n))
    elif view == "readonly":
        given = dense.copy()
        given.flags.writeable = False
    elif view == "transposed":
        given = dense.T
    else:
        given = np.frombuffer(b"x" + dense.tobytes(), dtype=np.float64, offset=1).reshape(n, n)
    assert np.array_equal(apsp.shortest_path(given),
                          csgraph.shortest_path(np.ascontiguousarray(given)))


@pytest.mark.parametrize("indices", [
    0, -1, [3], [5, 5, -2], (1, 2),
    np.int64(4),
    np.array([[1, 2], [0, -1]]),
    np.uint8(3), [],
    range(3)
])
def test_indices_as_scipy_has_them(indices, method):
    matrix = random_matrix(7)
    found, trees = apsp.shortest_path(matrix,
                                      indices=indices,
                                      return_predecessors=True,
                                      method=method)
    if np.size(indices):
        right = csgraph.dijkstra(matrix,
                                 indices=list(indices) if isinstance(indices, range) else indices)
    else:
        right = np.empty((0, 60))
    assert found.shape == right.shape == trees.shape and np.array_equal(found, right)
    flat = np.atleast_1d(
        np.array(list(indices) if isinstance(indices, range) else indices, dtype=int)).ravel() % 60
    assert_trees(found.reshape(-1, 60), trees.reshape(-1, 60), matrix, flat)


def test_targets():
    matrix = random_matrix(8)
    right = csgraph.shortest_path(matrix)
    assert np.array_equal(apsp.shortest_path(matrix, targets=[4, 0, 4]), right[:, [4, 0, 4]])
    assert np.array_equal(apsp.shortest_path(matrix, indices=[2, -1], targets=3), right[[2, -1], 3])
    assert apsp.shortest_path(matrix, indices=2, targets=9) == right[2, 9]
    assert apsp.shortest_path(matrix, indices=[1], targets=[]).shape == (1, 0)


@pytest.mark.parametrize("wrong", [
    60, -61, [0, 99], 1.5, [0.0], "0", None.__class__, [None], [[1], [2, 3]], 2**40, [True, False]
])
def test_wrong_indices(wrong):
    for name in ("indices", "targets"):
        with pytest.raises((ValueError, TypeError)):
            apsp.shortest_path(random_matrix(7), **{name: wrong})


@pytest.mark.parametrize("seed", range(4))
def test_predecessors(seed, method):
    matrix = random_matrix(seed, least=0 if seed % 2 else -30)
    distances, trees = apsp.shortest_path(matrix, return_predecessors=True, method=method)
    assert trees.dtype == np.int32
    assert_trees(distances, trees, matrix, range(60))


def test_narrow_types():
    matrix = random_matrix(9)
    right = csgraph.shortest_path(matrix)
    for dtype, given in (("native", matrix), ("int32", matrix), (np.int64, matrix),
                         (np.dtype("uint16"), matrix), ("float32", matrix)):
        found = apsp.shortest_path(given, dtype=dtype)
        assert found.dtype == ("uint16" if dtype == "native" else dtype)
        wide = found.astype(float)
        wide[found == apsp.unreachable(found.dtype)] = np.inf
        assert np.array_equal(wide, right)
    assert apsp.shortest_path(matrix * 0.5, dtype="native").dtype == np.float64
    assert np.array_equal(apsp.shortest_path(matrix * 0.5, dtype="native"), right * 0.5)
    whole = matrix.astype(np.int64)
    for values, dtype in ((whole, "int32"), (whole * 10**9, "int64"), (matrix, "float64")):
        assert apsp.shortest_path(values, dtype="computed").dtype == dtype
    assert apsp.shortest_path(matrix * 1e6, dtype="native").dtype == np.int32
    assert apsp.shortest_path(matrix * 1e9, dtype="native").dtype == np.int64
    with pytest.raises(ValueError):
        apsp.shortest_path(matrix * 0.5, dtype="int32")
    with pytest.raises(ValueError):
        apsp.shortest_path(matrix * 1e6, dtype="uint16")


def test_real_weights():
    rng = np.random.default_rng(0)
    matrix = random_matrix(10)
    matrix.data = rng.random(len(matrix.data))
    assert np.array_equal(apsp.shortest_path(matrix, sums="path"),
                          csgraph.shortest_path(matrix, method="D"))
    assert np.allclose(apsp.shortest_path(matrix, method="FW"),
                       csgraph.shortest_path(matrix),
                       rtol=1e-14)


def test_out():
    matrix = random_matrix(12)
    right = csgraph.shortest_path(matrix)
    for dtype in ("float64", "int32", "uint16", "int64"):
        out = np.zeros((60, 60), dtype=dtype)
        assert apsp.shortest_path(matrix, out=out) is out
        assert np.array_equal(np.where(out == apsp.unreachable(dtype), np.inf, out), right)
    pair = np.zeros((2, 60)), np.zeros((2, 60), dtype=np.int32)
    found = apsp.shortest_path(matrix, indices=[3, 4], return_predecessors=True, out=pair)
    assert found[0] is pair[0] and found[1] is pair[1] and np.array_equal(pair[0], right[[3, 4]])
    vector = np.zeros(60)
    assert np.array_equal(apsp.shortest_path(matrix, indices=5, out=vector), right[5])


def test_wrong_out():
    matrix = random_matrix(12)
    readonly = np.zeros((60, 60))
    readonly.flags.writeable = False
    unaligned = np.frombuffer(bytearray(60 * 60 * 8 + 1), dtype=np.float64,
                              offset=1).reshape(60, 60)
    wrong = [
        np.zeros((60, 61)),
        np.zeros((61, 60)),
        np.zeros(3600),
        np.zeros((60, 60), dtype=np.float16),
        np.zeros((60, 60), dtype=">f8"),
        np.zeros((60, 60), order="F"),
        np.zeros((120, 60))[::2],
        np.zeros((60, 60))[::-1], readonly, unaligned, [[0.0] * 60] * 60,
        np.zeros((60, 60), dtype=object),
        np.zeros((60, 60), dtype=np.int8), 7, "out", (np.zeros((60, 60)), None)
    ]
    for out in wrong:
        with pytest.raises(ValueError):
            apsp.shortest_path(matrix, out=out)
    with pytest.raises(ValueError, match="entries of format"):
        apsp.shortest_path(matrix, dtype="int32", out=np.zeros((60, 60)))
    with pytest.raises(ValueError, match="pair"):
        apsp.shortest_path(matrix, return_predecessors=True, out=np.zeros((60, 60)))
    dense = matrix.toarray()
    with pytest.raises(ValueError, match="memory of the graph"):
        apsp.shortest_path(dense, out=dense)
    assert np.array_equal(dense, matrix.toarray())


def test_wrong_matrices():
    for wrong in (np.zeros(4), np.zeros((2, 3)), np.zeros((2, 2, 2)), sparse.csr_array(
        (2, 3)), np.array([["a", "b"], ["c", "d"]]), np.zeros(
            (2, 2), dtype=complex), np.array([[None, 1], [1, 2]]), [[1, 2], [3]], "matrix", 7, None,
                  object(), np.float64(3), np.zeros((2, 2), dtype="M8[s]"),
                  np.zeros((2, 2), dtype=[("a", int)]), np.array([[0, 10**30], [0, 0]],
                                                                 dtype=object)):
        with pytest.raises((ValueError, TypeError)):
            apsp.shortest_path(wrong)


def test_broken_sparse_matrices():
    for indptr, indices in (([0, 1, 5], [1]), ([0, 2, 1], [0, 1]), ([0, 1, 1], [9]),
                            ([0, 1, 1], [-1]), ([1, 1, 1], [0])):
        matrix = sparse.csr_array((2, 2))
        matrix.indptr, matrix.indices = np.array(indptr, dtype=np.int32), np.array(indices,
                                                                                   dtype=np.int32)
        matrix.data = np.ones(len(indices))
        with pytest.raises(ValueError):
            apsp.shortest_path(matrix)


def test_small_graphs():
    assert apsp.shortest_path(np.zeros((0, 0))).shape == (0, 0)
    assert apsp.shortest_path(sparse.csr_array((1, 1))).tolist() == [[0]]
    assert np.array_equal(apsp.shortest_path(sparse.csr_array((3, 3))),
                          csgraph.shortest_path(sparse.csr_array((3, 3))))
    assert apsp.shortest_path([[0, 2], [0, 0]]).tolist() == [[0, 2], [float("inf"), 0]]


def test_negative_cycles():
    matrix = np.array([[0, 0, 2.0], [4, 0, 0], [0, -7, 0]])
    for expected in (apsp.NegativeCycleError, csgraph.NegativeCycleError, ValueError):
        with pytest.raises(expected) as caught:
            apsp.shortest_path(matrix)
    vertices = caught.value.vertices
    assert sorted(vertices) == [0, 1, 2]
    assert sum(matrix[u, v] for u, v in zip(vertices, vertices[1:] + vertices[:1])) < 0
    with pytest.raises(apsp.NegativeCycleError):
        apsp.shortest_path(np.array([[0, -1.0], [0, 0]]), directed=False)
    import pickle
    again = pickle.loads(pickle.dumps(caught.value))
    assert again.vertices == vertices and isinstance(again, apsp.NegativeCycleError)


def test_memory_is_refused_before_it_is_taken():
    with pytest.raises(MemoryError, match="GiB"):
        apsp.shortest_path(sparse.csr_array((3_000_000, 3_000_000)))
    with pytest.raises((MemoryError, ValueError)):
        apsp.shortest_path(apsp.Edges(2**31 - 1, [], []))
    with pytest.raises(ValueError):
        apsp.shortest_path(apsp.Edges(2**31, [], []))


def test_blocks(method):
    matrix = random_matrix(13)
    right = csgraph.shortest_path(matrix)
    first = 0
    for rows, block in apsp.blocks(matrix, block_rows=7, method=method):
        assert rows.start == first and len(rows) == min(7, 60 - first) and np.array_equal(
            block, right[rows.start:rows.stop])
        first = rows.stop
    assert first == 60
    assert len(list(apsp.blocks(matrix))) == 1
    for wrong in (0, -1, 1.5, "7"):
        with pytest.raises(ValueError):
            apsp.blocks(matrix, block_rows=wrong)
    parts = apsp.blocks(matrix, block_rows=7)
    next(parts)
    parts.close()


def test_solutions_are_closed():
    with apsp.solve(random_matrix(1)) as solution:
        kept = solution.distances()
        assert solution.facts["method"] in ("dense", "sparse") and solution.dtype == "float64"
    with pytest.raises(ValueError, match="closed"):
        solution.distances()
    assert np.array_equal(kept, csgraph.shortest_path(random_matrix(1)))


def test_verify_and_threads():
    with apsp.solve(random_matrix(1), verify="all", threads=1) as solution:
        assert solution.facts["verified"] == 60 and solution.facts["threads"] == 1
    with apsp.solve(random_matrix(1), verify=5) as solution:
        assert solution.facts["verified"] == 5


@pytest.mark.parametrize("real", [False, True])
def test_stats(real):
    matrix = random_matrix(14) * (0.5 if real else 1)
    right = csgraph.shortest_path(matrix)
    finite = np.isfinite(right)
    found = apsp.stats(matrix, histogram=True)
    clean = np.where(finite, right, 0)
    assert np.array_equal(found.reachable, finite.sum(1)) and np.array_equal(
        found.in_reachable, finite.sum(0))
    assert np.array_equal(found.eccentricity, clean.max(1)) and np.array_equal(
        found.in_eccentricity, clean.max(0))
    assert np.array_equal(found.total,
                          clean.sum(1)) and found.sum == clean.sum() == 2 * found.wiener
    assert found.diameter == clean.max() and found.radius == clean.max(1).min()
    assert found.pairs == finite.sum() and found.unreachable == 3600 - finite.sum()
    assert found.mean == pytest.approx(clean.sum() / (finite.sum() - 60))
    with np.errstate(divide="ignore"):
        inverse = np.where(finite & (right > 0), 1 / np.where(right > 0, right, 1), 0)
    assert np.allclose(found.harmonic, inverse.sum(1))
    assert sum(found.histogram[1]) == found.pairs - 60
    between = np.sort(right[finite & ~np.eye(60, dtype=bool)])
    for share, at in found.quantiles.items():
        assert at == between[int(np.ceil(share * len(between))) - 1]


def test_path():
    matrix = random_matrix(15)
    right, trees = csgraph.shortest_path(matrix, return_predecessors=True)
    for source, target in ((0, 17), (5, 5), (59, 1)):
        distance, vertices = apsp.path(matrix, source, target)
        assert distance == right[source, target]
        if np.isfinite(distance):
            assert vertices[0] == source and vertices[-1] == target
            assert sum(matrix[u, v] for u, v in zip(vertices, vertices[1:])) == distance
        else:
            assert vertices == []
    for wrong in ([1], 60, None, "a", 0.5):
        with pytest.raises((ValueError, TypeError)):
            apsp.path(matrix, 0, wrong)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("dtype", ["float64", "native"])
def test_limit_and_min_only(seed, dtype):
    rng = np.random.default_rng(seed)
    n = 30
    matrix = sparse.csr_matrix(rng.integers(1, 9, (n, n)) * (rng.random((n, n)) < 0.08))
    chosen = rng.choice(n, 5, replace=False)
    for limit in (0, 3, 7.5, np.inf):
        theirs, trees = csgraph.dijkstra(matrix, limit=limit, return_predecessors=True)
        ours, before = apsp.shortest_path(matrix, limit=limit, return_predecessors=True,
                                          dtype=dtype)
        lost = apsp.unreachable(str(ours.dtype))
        assert np.array_equal(np.where(ours == lost, np.inf, ours), theirs)
        assert np.array_equal(before < 0, trees < 0)
        some, before = apsp.shortest_path(matrix, indices=[3, 4], targets=[5, 6, 3], limit=limit,
                                          return_predecessors=True, dtype=dtype)
        assert np.array_equal(some, ours[3:5][:, [5, 6, 3]])
        assert np.array_equal(before < 0, trees[3:5] < 0)
        near, before, origin = apsp.shortest_path(
            matrix, indices=chosen, min_only=True, limit=limit, return_predecessors=True,
            dtype=dtype)
        theirs = csgraph.dijkstra(matrix, indices=chosen, limit=limit)
        assert np.array_equal(np.where(near == lost, np.inf, near), theirs.min(axis=0))
        first = np.where(np.isinf(theirs.min(axis=0)), -9999, chosen[theirs.argmin(axis=0)])
        assert np.array_equal(origin, first)
        for v in np.flatnonzero(before >= 0):
            assert near[before[v]] + matrix[before[v], v] == near[v]
            assert origin[before[v]] == origin[v]
        assert apsp.shortest_path(matrix, indices=3, targets=3, limit=limit) == 0
    assert apsp.shortest_path(matrix, indices=[1, 2], targets=1, min_only=True) == 0
    for wrong in (-1, float("nan"), "5", True):
        with pytest.raises(ValueError, match="limit must be"):
            apsp.shortest_path(matrix, limit=wrong)
    with pytest.raises(ValueError, match="out is not for min_only"):
        apsp.shortest_path(matrix, min_only=True, out=np.empty((n, n)))


@pytest.mark.parametrize("paths", ["bottleneck", "widest"])
@pytest.mark.parametrize("method", ["dense", "sssp", "spanning"])
def test_paths(paths, method):
    """Bottlenecks of an undirected graph are maxima along its minimum spanning tree."""
    rng = np.random.default_rng(3)
    weights = np.triu(rng.integers(1, 1000, (30, 30)) * (rng.random((30, 30)) < 0.2), 1)
    sign = 1 if paths == "bottleneck" else -1
    tree = csgraph.minimum_spanning_tree(sparse.csr_matrix(sign * weights)).toarray()
    tree = tree + tree.T
    found = apsp.shortest_path(sparse.csr_matrix(weights + weights.T), method=method, paths=paths)
    for source in range(30):
        order, before = csgraph.breadth_first_order(sparse.csr_matrix(tree), source, directed=False)
        worst = np.full(30, np.inf)
        worst[source] = 0 if paths == "bottleneck" else -weights.max()
        for v in order[1:]:
            worst[v] = max(worst[before[v]], tree[before[v], v])
        right = np.where(np.isinf(worst), np.inf, sign * worst)
        assert np.array_equal(found[source], right)


def test_paths_refusals():
    matrix = sparse.csr_matrix(np.array([[0, 0.5], [2, 0]]))
    with pytest.raises(ValueError):
        apsp.shortest_path(matrix, paths="longest")
    with pytest.raises(ValueError):
        apsp.shortest_path(matrix, paths="reliable")
