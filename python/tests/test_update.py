"""New weights on the same pattern, and orders that are kept, against fresh solves."""

import copy
import pickle

import apsp
import numpy as np
import pytest

sparse = pytest.importorskip("scipy.sparse")


def graph_of(seed, n=60, m=300, scale=1):
    """The pattern is always the same, and the weights are the seed's."""
    pattern, weights = np.random.default_rng(1), np.random.default_rng(seed)
    rows, columns = pattern.integers(0, n, (2, m))
    return sparse.csr_array(sparse.coo_array(
        (weights.integers(1, 1000, m) * scale, (rows, columns)), shape=(n, n)))


@pytest.mark.parametrize("method", ["auto", "dense", "sparse", "sssp"])
@pytest.mark.parametrize("dtype", ["auto", "native"])
def test_updates_are_fresh_solves(method, dtype):
    with apsp.solve(graph_of(2), method=method, dtype=dtype) as solution:
        chosen = solution.facts["method"]
        for seed, scale in ((3, 1), (4, 10**6), (5, 1)):
            graph = graph_of(seed, scale=scale)
            assert solution.update(graph) is solution
            right = apsp.shortest_path(graph, method="dense", dtype=dtype)
            assert solution.facts["method"] == chosen
            assert solution.dtype == right.dtype.name
            assert np.array_equal(solution.distances(), right)
            assert solution.path(0, 5).distance == solution.distance(0, 5)
            assert solution.stats().diameter == apsp.stats(graph).diameter


def test_updates_read_as_the_first_graph():
    with apsp.solve(graph_of(2), directed=False, reverse=True, method="sparse") as solution:
        solution.update(graph_of(3))
        assert np.array_equal(solution.distances(), apsp.shortest_path(graph_of(3), directed=False))


def test_updates_that_fail():
    graph = graph_of(2)
    right = apsp.shortest_path(graph)
    with apsp.solve(graph, method="sparse", dtype="native") as solution:
        other = graph.copy().tolil()
        other[0, 1] = other[1, 0] = 3 if graph[0, 1] == graph[1, 0] == 0 else 0
        for wrong in (graph_of(2, n=61), other, graph * 0.3, "x"):
            with pytest.raises((TypeError, ValueError)):
                solution.update(wrong)
        with pytest.raises(apsp.NegativeCycleError):
            solution.update(graph * -1)
        found = solution.distances().astype(float)
        found[found == apsp.unreachable(solution.dtype)] = np.inf
        assert np.array_equal(found, right)
    with pytest.raises(ValueError, match="closed"):
        solution.update(graph)


def test_labels_stay():
    networkx = pytest.importorskip("networkx")
    graph = networkx.Graph()
    graph.add_edge("oslo", "bern", weight=3)
    with apsp.solve(graph) as solution:
        graph.edges["oslo", "bern"]["weight"] = 5
        assert solution.update(graph).distance("bern", "oslo") == 5
        with pytest.raises(ValueError, match="other vertices"):
            solution.update(networkx.relabel_nodes(graph, {"oslo": "rome"}))


def test_orders(tmp_path):
    graph = graph_of(2)
    order = apsp.Order(graph_of(7) * -1)  # with negative cycles
    order.save(tmp_path / "order")
    for order in (order, apsp.Order.load(tmp_path / "order")):
        with apsp.solve(graph, order=order) as solution:
            assert solution.facts["method"] == "sparse" and "order read" in solution.facts["plan"]
            assert np.array_equal(solution.distances(), apsp.shortest_path(graph, method="dense"))
    with pytest.raises(ValueError, match="other edges|vertices"):
        apsp.solve(graph_of(2, n=61), order=order)
    with pytest.raises(OSError):
        apsp.Order.load(tmp_path / "none")
    (tmp_path / "none").write_bytes(b"1234")
    with pytest.raises(ValueError, match="not an order that apsp has written"):
        apsp.Order.load(tmp_path / "none")
    there = apsp.DeviceArray(apsp._native.DeviceTable(), (0,), "float64")
    with apsp.solve(graph) as solution:
        for held, words in ((order, r"Order .*save\(\)"), (solution, "Solution .*apsp.solve"),
                            (there, "DeviceArray .*clone")):
            for make in (copy.copy, copy.deepcopy, pickle.dumps):
                with pytest.raises(TypeError, match=words):
                    make(held)
    empty = apsp.Order(np.zeros((0, 0)))
    assert apsp.solve(np.zeros((0, 0)), order=empty).n == 0
