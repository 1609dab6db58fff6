"""Sequences of questions to one Solution, by Hypothesis: one with a wrong answer is shrunk.

Questions are asked in a process of their own, so that one which crashes or hangs is shrunk too.
APSP_EXAMPLES: so many sequences in place of 60.
"""

import collections
import math
import multiprocessing
import os
import random

import pytest

import apsp

np = pytest.importorskip("numpy")
pytest.importorskip("hypothesis", reason="no hypothesis")

from hypothesis import HealthCheck, given, settings, strategies as st  # noqa: E402

@st.composite
def graphs(draw):
    """(n, edges, unit): weights are multiples of the unit, and no cycle is negative."""
    small, large = st.integers(1, 24), st.integers(65, 140)
    n = draw(st.one_of(small, large, large))
    chance = random.Random(draw(st.integers(0, 2**32)))
    least, most = draw(st.sampled_from([(1, 1), (0, 9), (1, 10**6), (1, 2**50)]))
    pairs = [(chance.randrange(n), chance.randrange(n)) for _ in range(draw(st.integers(0, 3 * n)))]
    if draw(st.booleans()):  # a path through all vertices: few distances are infinite
        pairs += [(v, v + 1) for v in range(n - 1)]
    edges = [(u, v, chance.randint(least, most)) for u, v in pairs]
    if draw(st.booleans()):
        edges += [(v, u, w) for u, v, w in edges]
    depth = draw(st.sampled_from([0, 40]))
    height = [chance.randint(0, depth) for _ in range(n)]
    unit = draw(st.sampled_from([1, 1, 0.125])) if most < 2**40 else 1
    return n, [(u, v, w + height[u] - height[v]) for u, v, w in edges], unit


def build(n, count, order, seed):
    """Vertices in order, reversed, in any order, or some of them twice."""
    chance, count = random.Random(seed), min(count, n)
    if order == "twice":
        return [chance.randrange(n) for _ in range(count)]
    if order == "any":
        return chance.sample(range(n), count)
    return list(range(n) if order == "ascending" else reversed(range(n)))[:count]


lists = st.tuples(st.integers(0, 140), st.sampled_from(["ascending", "reversed", "any", "twice"]),
                  st.integers(0, 2**32))


def bellman_ford(n, edges):
    """Distances in units, by Bellman and Ford's algorithm with a queue; None: there is none."""
    out = [[] for _ in range(n)]
    for u, v, w in edges:
        out[u].append((v, w))
    rows = []
    for source in range(n):
        row = [None] * n
        row[source] = 0
        queue = collections.deque([source])
        waits = [False] * n
        while queue:
            u = queue.popleft()
            waits[u] = False
            for v, w in out[u]:
                if row[v] is None or row[u] + w < row[v]:
                    row[v] = row[u] + w
                    if not waits[v]:
                        queue.append(v)
                        waits[v] = True
        rows.append(row)
    return rows


def serve(connection):
    """Answers the questions that come, until the other end is closed."""
    solutions = {}
    while True:
        try:
            which, question, arguments, named = connection.recv()
        except EOFError:
            return
        try:
            if question == "solve":
                solutions[which] = apsp.solve(*arguments, **named)
                answer = solutions[which].facts["method"]
            else:
                answer = getattr(solutions[which], question)(*arguments, **named)
            connection.send((True, list(answer) if question == "blocks" else answer))
        except Exception as error:
            connection.send((False, repr(error)))


context = multiprocessing.get_context("forkserver")
context.set_forkserver_preload(["apsp", "numpy", __name__])


class Session:
    """A process with two solutions of one graph, and questions whose answers it checks."""

    def __init__(self, graph, ways):
        self.n, self.edges, self.unit = graph
        self.rows = bellman_ford(self.n, self.edges)
        self.connection, other = context.Pipe()
        self.process = context.Process(target=serve, args=(other,), daemon=True)
        self.process.start()
        other.close()
        for which, way in enumerate(ways):
            self.solve(which, *way)

    def end(self):
        self.connection.close()
        self.process.kill()
        self.process.join()

    def ask(self, which, question, *arguments, **named):
        try:
            self.connection.send((which, question, arguments, named))
            assert self.connection.poll(100), "no answer"
            right, answer = self.connection.recv()
        except (AssertionError, EOFError, OSError):
            raise AssertionError("no answer to %s: a crash, or a hang" % question) from None
        assert right, answer
        return answer

    def solve(self, which, method, dtype, threads, verify):
        tails, heads, weights = np.array(self.edges or [(0, 0, 0)]).T
        weights = weights if self.unit == 1 else weights * self.unit
        self.ask(which, "solve", apsp.Edges(self.n, tails, heads, weights), device="cpu",
                 method=method, dtype=dtype if self.unit == 1 else "native", threads=threads,
                 verify=verify)

    def check(self, found, sources, targets):
        sources = range(self.n) if sources is None else sources
        targets = range(self.n) if targets is None else targets
        none = apsp.unreachable(found.dtype)
        right = np.array([[none if self.rows[u][v] is None else self.rows[u][v] * self.unit
                           for v in targets] for u in sources], dtype=found.dtype)
        assert found.size == len(sources) * len(targets)
        wrong = np.argwhere(found.reshape(right.shape) != right)
        assert len(wrong) == 0, (found.dtype, len(wrong), wrong[:2])

    def distances(self, which, a, b, u, v):
        self.check(self.ask(which, "distances", a, b), a, b)

    def all_distances(self, which, a, b, u, v):
        self.check(self.ask(which, "distances"), None, None)

    def column(self, which, a, b, u, v):
        self.check(self.ask(which, "distances", None, u), None, [u])

    def blocks(self, which, a, b, u, v):
        some = self.ask(which, "blocks", u + 1)
        self.check(np.vstack([block for _, block in some]), None, None)

    def predecessors(self, which, a, b, u, v):
        lightest = {}
        for u, v, w in self.edges:
            lightest[u, v] = min(w, lightest.get((u, v), w))
        for source, tree in zip(a, self.ask(which, "predecessors", a).tolist()):
            row = self.rows[source]
            for v, before in enumerate(tree):
                if v == source or row[v] is None:
                    assert before == -9999
                    continue
                assert row[before] + lightest[before, v] == row[v]
                steps = 0
                while v != source and steps < self.n:
                    v, steps = tree[v], steps + 1
                assert v == source

    def distance_and_path(self, which, a, b, u, v):
        right = math.inf if self.rows[u][v] is None else self.rows[u][v] * self.unit
        assert self.ask(which, "distance", u, v) == right
        found = self.ask(which, "path", u, v)
        assert found.distance == right
        if right == math.inf:
            assert found.vertices == []
            return
        assert (found.vertices[0], found.vertices[-1]) == (u, v)
        steps = zip(found.vertices, found.vertices[1:])
        lengths = [min(w for a, b, w in self.edges if (a, b) == step) for step in steps]
        assert sum(lengths) == self.rows[u][v]

    def statistics(self, which, a, b, u, v):
        histogram = v % 2 == 0
        found = self.ask(which, "stats", histogram=histogram)
        for v in range(self.n):
            out = [d for d in self.rows[v] if d is not None]
            into = [row[v] for row in self.rows if row[v] is not None]
            assert (found.reachable[v], found.in_reachable[v]) == (len(out), len(into))
            assert found.eccentricity[v] == max(out) * self.unit
            assert found.in_eccentricity[v] == max(into) * self.unit
            assert math.isclose(found.total[v], sum(out) * self.unit, rel_tol=1e-12)
        if histogram:
            everything = [d for u, row in enumerate(self.rows) for v, d in enumerate(row)
                          if u != v and d is not None]
            assert sum(found.histogram[1]) == len(everything)
            everything.sort()
            for share, at in found.quantiles.items() if everything else ():
                place = max(1, -(-round(share * 100) * len(everything) // 100))
                assert at == everything[place - 1] * self.unit

    def solve_again(self, which, a, b, u, v):
        if u % 2:
            self.ask(which, "close")
        self.solve(which, "sparse" if v % 2 else "dense", "native", None, 0)


ways = st.tuples(st.sampled_from(["sparse", "sparse", "dense", "auto"]),
                 st.sampled_from(["native", "int64"]), st.sampled_from([None, 1]),
                 st.sampled_from([0, "all"]))
kinds = ["distances"] * 12 + ["all_distances", "column", "blocks", "predecessors",
                             "distance_and_path", "statistics", "solve_again"]
questions = st.tuples(st.sampled_from(kinds), st.integers(0, 1), lists, lists,
                      st.integers(0, 139), st.integers(0, 139))


@settings(max_examples=int(os.environ.get("APSP_EXAMPLES", "60")), deadline=None, database=None,
          derandomize=True, suppress_health_check=list(HealthCheck))
@given(graphs(), st.tuples(ways, ways), st.lists(questions, min_size=8, max_size=16))
def test_sequences(graph, ways, questions):
    session = Session(graph, ways)
    try:
        for kind, which, a, b, u, v in questions:
            getattr(session, kind)(which, build(session.n, *a), build(session.n, *b),
                                   u % session.n, v % session.n)
    finally:
        session.end()
