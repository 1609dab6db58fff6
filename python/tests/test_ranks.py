"""Ranks that are threads of the process: results are those of one rank."""

import os
import signal
import threading
import time

import pytest

import apsp
from test_calls import long_edges, run

numpy = pytest.importorskip("numpy")


def edges_of(chance, n=300, degree=4):
    return apsp.Edges(n, [e // degree for e in range(n * degree)],
                      [chance.randrange(n) for _ in range(n * degree)],
                      [chance.randrange(1, 1000) for _ in range(n * degree)])


@pytest.mark.parametrize("ranks", [1, 2, 3])
@pytest.mark.parametrize("engine", ["dense", "sparse", "sssp"])
def test_results_are_those_of_one_rank(chance, engine, ranks):
    edges = edges_of(chance)
    settings = {"method": engine, "device": "cpu", "dtype": "int32"}
    with apsp.solve(edges, **settings) as one, apsp.solve(edges, ranks=ranks, threads=1,
                                                          **settings) as many:
        assert (many.facts["ranks"], many.facts["threads"], many.facts["method"]) == (ranks, ranks,
                                                                                      engine)
        assert numpy.array_equal(one.distances(), many.distances())
        assert numpy.array_equal(one.distances([5, 2], [7, 7, 1]), many.distances([5, 2],
                                                                                  [7, 7, 1]))
        assert numpy.array_equal(one.predecessors(), many.predecessors())
        assert numpy.array_equal(one.path_counts([5, 2], [7, 7, 1]),
                                 many.path_counts([5, 2], [7, 7, 1]))
        assert one.path(3, 200) == many.path(3, 200)
        assert one.distance(3, 200) == many.distance(3, 200)
        assert numpy.array_equal(one.betweenness(), many.betweenness())
        assert numpy.array_equal(one.stats(True).eccentricity, many.stats(True).eccentricity)
        for found, right in zip(many.pairs(nearest=3), one.pairs(nearest=3)):
            assert numpy.array_equal(found, right)
        for (_, found), (_, right) in zip(many.blocks(70), one.blocks(70)):
            assert numpy.array_equal(found, right)
        heavier = apsp.Edges(edges.vertices, edges.source, edges.target,
                             numpy.array(edges.weight) + 3)
        assert numpy.array_equal(one.update(heavier).distances(), many.update(heavier).distances())


def test_one_question(chance):
    edges = edges_of(chance)
    right = apsp.shortest_path(edges, return_predecessors=True, device="cpu")
    found = apsp.shortest_path(edges, return_predecessors=True, ranks=2, indices=None)
    assert all(numpy.array_equal(a, b) for a, b in zip(right, found))
    assert apsp.diameter(edges, ranks=2) == apsp.diameter(edges)


@pytest.mark.parametrize("settings, words", [({"ranks": 2, "gpus": 2}, "give one"),
                                             ({"ranks": -1}, "ranks"), ({"gpus": 1.5}, "gpus"),
                                             ({"ranks": 100000}, "ranks"),
                                             ({"ranks": 2, "device": "gpu"}, "use gpus")])
def test_refused(settings, words):
    with pytest.raises(ValueError, match=words):
        apsp.shortest_path([[0, 1], [0, 0]], **settings)


def test_threads_end_with_the_solution():
    # In a process of its own: here threads of other tests come and go.
    run("""
import apsp, os
def threads(): return len(os.listdir("/proc/self/task"))
edges = apsp.Edges(300, range(299), range(1, 300))
apsp.solve(edges, ranks=1, threads=1).close()
before = threads()
with apsp.solve(edges, ranks=4, threads=1):
    assert threads() >= before + 3, (before, threads())
assert threads() <= before + 1, (before, threads())
""")


def test_interrupts(method):
    pressed = []

    def press():
        pressed.append(time.process_time())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(0.3, press)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        apsp.shortest_path(long_edges(), method=method, dtype="native", ranks=2)
    assert time.process_time() - pressed[0] < 1
    timer.join()


def test_a_child_of_fork_is_told():
    lines = run("""
        import os, apsp
        solution = apsp.solve(apsp.Edges(100, range(99), range(1, 100)), ranks=2)
        child = os.fork()
        if child == 0:
            try:
                solution.distances()
            except RuntimeError as error:
                print(error, flush=True)
            solution.close()
            os._exit(0)
        print(os.waitpid(child, 0)[1], solution.distance(0, 99))
    """)
    assert "threads of process" in lines[0] and lines[1] == "0 99.0"
