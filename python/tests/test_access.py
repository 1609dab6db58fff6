"""Accessibility, beside NumPy over whole matrices. APSP_GRAPHS says how many graphs."""

import os
import random

import pytest

import apsp

numpy = pytest.importorskip("numpy")
GRAPHS = int(os.environ.get("APSP_GRAPHS", "24"))
INTEGERS = 3  # so many of the columns
ENDING = (0, 4, 6)  # Decays that are 0 from a distance on: searches may end there.
LEAST = 1e-285  # Weights below 1e-290 are 0, and amounts come to 200,000.


def between(d, distances, weights):
    """As numpy.interp, whose terms may cancel each other where weights are small."""
    k = numpy.clip(numpy.searchsorted(distances, d, "right"), 1, len(distances) - 1)
    (a, b), (x, y) = [(numpy.take(part, k - 1), numpy.take(part, k))
                      for part in (distances, weights)]
    d = numpy.clip(d, distances[0], distances[-1])
    return (x * (b - d) + y * (d - a)) / (b - a)


def weights_of(decay, d):
    """Of a matrix of distances, with infinity."""
    if not isinstance(decay, str):
        return numpy.where(numpy.isinf(d), 0, between(d, *decay))
    name, *numbers = decay.split(":")
    a, *b = [float(number) for number in numbers]
    with numpy.errstate(over="ignore"):
        return {"step": lambda: (d <= a) * 1.0, "linear": lambda: numpy.clip((a - d) / a, 0, 1),
                "exponential": lambda: numpy.exp(-d / a),
                "logistic": lambda: 1 / (1 + numpy.exp((d - a) / b[0]))}[name]()


def within(row, amounts, share):
    """The least distance within which the amounts come to the share."""
    order = numpy.argsort(row, kind="stable")
    enough = numpy.flatnonzero(numpy.cumsum(amounts[order]) >= share)
    return row[order[enough[0]]] if len(enough) else numpy.inf


def graph_of(seed):
    """Of any size about that of blocks, with weights of 0, integers, decimals or reals."""
    chance = random.Random(seed)
    n = chance.choice([1, 2, 5, 8, 63, 64, 65, 130, 200])
    m = int(n * chance.choice([0.5, 1.5, 3, 8]))
    kind = chance.choice(["whole", "large", "decimal", "real"])
    weight = {"whole": lambda: chance.randint(0, 20), "large": lambda: chance.randint(0, 10**8),
              "decimal": lambda: chance.randint(0, 900) / 100,
              "real": lambda: chance.random()}[kind]
    ends = [[chance.randrange(n) for _ in range(m)] for _ in range(2)]
    graph = apsp.Edges(n, *ends, [weight() for _ in range(m)])
    amounts = numpy.array([[chance.choice([0, chance.randint(0, 1000)]) for _ in range(INTEGERS)] +
                           [chance.choice([0, chance.random()])] for _ in range(n)], float)
    return graph, amounts, chance


@pytest.mark.parametrize("seed", range(GRAPHS))
def test_access(seed):
    graph, amounts, chance = graph_of(seed)
    method = chance.choice(["auto", "dense", "sparse", "sssp"])
    with apsp.solve(graph, method=method, threads=chance.choice([1, 2])) as solution:
        d = solution.distances().astype(float)
        d[d == apsp.unreachable(solution.dtype)] = numpy.inf
        s = float(max([x for x in d[numpy.isfinite(d)]] + [1])) / chance.choice([1, 3, 40])
        cutoffs = [s / 2, s, chance.choice(d.ravel().tolist() + [s])]
        cutoffs = [cutoff for cutoff in cutoffs if numpy.isfinite(cutoff)]
        decays = ["linear:%r" % s, "exponential:%r" % s, "exponential:%r" % (s / 30),
                  "logistic:%r:%r" % (s, s / 7), "step:%r" % s, ([0, s, 2 * s], [1, 0.5, 0.1]),
                  ([0, s, 3 * s], [1, 0.25, 0])]
        nearest = chance.choice([[], [1, 40, 5000]])
        ours = solution.access(amounts, cutoffs, decays, nearest)
        ends = solution.access(amounts, cutoffs, [decays[k] for k in ENDING])
    steps = ["step:%r" % float(cutoff) for cutoff in cutoffs]
    for k, decay in enumerate(steps + decays):
        right = weights_of(decay, d) @ amounts
        if isinstance(decay, str) and decay.startswith("step"):
            assert (ours[:, :INTEGERS, k] == right[:, :INTEGERS]).all()
        assert ours[:, :, k] == pytest.approx(right, rel=1e-12, abs=LEAST)
    near = ours[:, :, [*range(len(steps)), *(len(steps) + k for k in ENDING)]]
    assert (ends[:, :INTEGERS, :len(steps)] == near[:, :INTEGERS, :len(steps)]).all()
    assert ends == pytest.approx(near, rel=1e-12, abs=LEAST)
    reached = numpy.isfinite(d)
    for k, share in enumerate(nearest, len(steps) + len(decays)):
        for c in range(INTEGERS):
            right = [within(row, numpy.where(found, amounts[:, c], 0), share)
                     for row, found in zip(d, reached)]
            assert ours[:, c, k].tolist() == right


def test_shapes():
    graph = apsp.Edges(3, [0, 1], [1, 2], [2, 3])
    with apsp.solve(graph) as solution:
        assert solution.access(cutoffs=[2]).tolist() == [[2], [1], [1]]
        assert solution.access(cutoffs=[2], nearest=[3], indices=0).tolist() == [2, 5]
        assert solution.access(numpy.eye(3), cutoffs=[2], indices=[1]).tolist() == [[[0], [1], [0]]]
        assert solution.access(cutoffs=[2], indices=[]).shape == (0, 1)
        assert solution.access().shape == (3, 0)


@pytest.mark.parametrize("wrong, text", [
    ({"opportunities": [1, -1, 0], "cutoffs": [1]
      }, "amount.1.: expected a number from 0 on, found -1"),
    ({"opportunities": [1, 2]}, "shape"),
    ({"decays": ["linear:0"]}, r"decay.0.: expected a distance above 0, found 0"),
    ({"decays": ["power:2"]}, "found 'power:2'"),
    ({"decays": ["logistic:2"]}, "found 'logistic:2'"),
    ({"decays": [([1, 1], [1, 0])]}, "point 2: expected a distance above 1, found 1"),
    ({"decays": [([], [])]}, "at least one point"),
    ({"decays": [([1], [-1])]}, "a weight from 0 on"),
    ({"cutoffs": [float("nan")]}, "expected a distance, found nan"),
    ({"nearest": [0]}, r"share.0.: expected an amount above 0, found 0"),
    ({"indices": [1, 1], "cutoffs": [1]}, "twice"),
])
def test_what_cannot_be(wrong, text):
    with apsp.solve(apsp.Edges(3, [0, 1], [1, 2], [2, 3])) as solution:
        with pytest.raises(ValueError, match=text):
            solution.access(**wrong)
