"""Extents, estimates, and distances that are looked through."""

from __future__ import annotations

from ctypes import byref
from typing import Any, Dict, Optional, Union

from . import _api, _arrays, _native, _words
from ._graphs import graph_of
from ._measures import Extent


@_words.arguments(_api.solve)
def extent(A: Any, directed: bool = True, unweighted: bool = False, **settings: Any) -> Extent:
    """Diameter, radius, centre and periphery.

    Few searches bound the eccentricities of all vertices (F. W. Takes, W. A. Kosters, 2013; M.
    Borassi and others, 2015). Parameters are those of :func:`shortest_path`.

    Returns
    -------
    Extent
        (diameter, radius, center, periphery, searches, connected): values in the weights' unit,
        lists of vertices, by label where the graph has some, the number of searches, and whether
        every vertex reaches every other one. Only pairs with a path count. Real weights are added
        from the vertex on: the two ends of a longest path may differ in the last digit, and then
        one of them is in the periphery.

    Examples
    --------
    >>> import apsp
    >>> apsp.extent([[0, 2, 0], [0, 0, 3], [0, 0, 0]], directed=False)
    Extent(diameter=5, radius=3, center=[1], periphery=[0, 2], searches=3, connected=True)
    """
    reverse, weight = settings.pop("reverse", False), settings.pop("weight", "weight")
    graph = graph_of(A, directed, unweighted, reverse, weight)
    settings = dict({"dtype": "native", "rows": 1}, **settings)
    with _api.solution_of(graph, **settings) as solution:
        return solution.extent()


@_words.arguments(_api.solve)
def diameter(A: Any, directed: bool = True, unweighted: bool = False,
             **settings: Any) -> Union[int, float]:
    """The largest distance between two vertices of which one reaches the other, as
    :func:`extent` finds it."""
    return extent(A, directed, unweighted, **settings).diameter


class Estimate:
    """A plan of a solve: :func:`estimate` makes one.

    Attributes
    ----------
    vertices, edges : int
    method : str
        The engine that would be taken.
    computed : str
        The type in which it would compute.
    seconds : float
        Of solving, by a model.
    memory, limit, device_memory : int
        Bytes of this process at most, those that it may use, and those on the GPU.
    fits : bool
        Whether there is enough memory.
    methods : dict
        By name of an engine: a dict of ``seconds``, ``memory``, ``fits``, ``taken``, ``least``
        (both are lower bounds), and ``why`` it cannot, or ''.
    """

    def __init__(self, found: Any) -> None:
        self.vertices, self.edges = found.vertices, found.edges
        self.computed = _arrays.NAMES[found.computed]
        self.seconds, self.fits = found.seconds, bool(found.fits)
        self.memory, self.limit = found.memory, found.limit
        self.device_memory = found.device_memory
        self.methods: Dict[str, Dict[str, Any]] = {}
        self.method: Optional[str] = None
        for method in found.method[:found.methods]:
            name = method.name.decode()
            self.methods[name] = {
                "seconds": method.seconds, "memory": method.memory, "fits": bool(method.fits),
                "taken": bool(method.taken), "least": bool(method.least),
                "why": method.why.decode()}
            if method.taken:
                self.method = name

    def __repr__(self) -> str:
        return "apsp.Estimate(method=%r, seconds=%.3g, memory=%d, fits=%s)" % (
            self.method, self.seconds, self.memory, self.fits)


@_words.arguments()
def estimate(A: Any, directed: bool = True, unweighted: bool = False, method: str = "auto",
             device: str = "auto", dtype: Any = "auto", *, reverse: bool = False,
             weight: Any = "weight", threads: Optional[int] = None,
             paths: str = "shortest") -> Estimate:
    """Memory and time of a solve, without it. A graph that is too large is no error.

    Parameters are those of :func:`solve`.

    Examples
    --------
    >>> import apsp
    >>> apsp.estimate([[0, 2, 0], [0, 0, 3], [0, 0, 0]]).fits
    True
    """
    graph = graph_of(A, directed, unweighted, reverse, weight)
    if graph.n == 0:
        raise ValueError("the graph has no vertices")
    options = _api.options_of(_api.output_of(graph, dtype), 0, method, device, threads, 0, None,
                              paths)
    found = _native.Forecast()
    try:
        graph.call("apsp_estimate", graph.pointer, byref(options), byref(found), small=False)
    except _native.Cycle as cycle:
        raise graph.negative_cycle(str(cycle)) from None
    return Estimate(found)


@_words.arguments(_api.solve)
def verify(A: Any, distances: Any, indices: Any = None, directed: bool = True,
           unweighted: bool = False, rtol: Optional[float] = None, **settings: Any) -> int:
    """Proves distances right, wherever they come from: each row beside one that a certificate of
    O(n + m) proves from the graph itself.

    Parameters
    ----------
    distances : array, shape of ``indices`` followed by (n,); (n, n) for all
        Of any type; unreachable is infinity, or ``apsp.unreachable(dtype)`` of a whole type.
    indices : int, label, or array of them, optional
        The vertices whose rows these are.
    rtol : float, optional
        How far real distances may differ, in parts of the larger one; by default 1e-12, of float32
        1e-6, of float16 1e-3. Whole ones must be equal.

    Others are those of :func:`shortest_path`.

    Returns
    -------
    int
        The number of rows.

    Raises
    ------
    CertificateError
        With the first entry that is wrong.

    Examples
    --------
    >>> import apsp
    >>> A = [[0, 7, 3], [0, 0, 0], [0, 2, 0]]
    >>> apsp.verify(A, apsp.shortest_path(A))
    3
    """
    numpy = _arrays.numpy
    if numpy is None:
        raise ImportError("verify needs NumPy")
    _arrays.check_mask(distances, "distances")
    given = numpy.asarray(distances)
    whole = given.dtype.name in ("uint16", "int32", "int64")
    if rtol is None:
        rtol = {"float32": 1e-6, "float16": 1e-3}.get(given.dtype.name, 1e-12)
    settings = dict({"dtype": given.dtype.name if whole else "float64", "verify": "all"},
                    **settings)
    with _api.solve(A, directed, unweighted, **settings) as solution:
        rows, shape = _arrays.choose(indices, solution.n, solution._graph.find, "indices")
        if given.shape != shape + (solution.n,):
            raise ValueError("distances have shape %s, and must have %s %s"
                             % (given.shape, shape + (solution.n,), _SWAPPED))
        rows = range(solution.n) if rows is None else rows.tolist()
        given = given.reshape(len(rows), solution.n)
        step = max(1, _api.BLOCK // max(1, 8 * solution.n))
        for first in range(0, len(rows), step):
            some = rows[first:first + step]
            try:
                _compare(solution, list(some), given[first:first + step], 0 if whole else rtol)
            except _native.CertificateError as error:
                if not _is_closed(A, solution):
                    raise
                raise _native.CertificateError("%s %s" % (error, _SWAPPED)) from None
        return len(rows)


_SWAPPED = "(verify takes the graph first, then the distances)"


def _is_closed(A: Any, solution: Any) -> bool:
    """Whether the matrix of a graph is that of its distances, as where both are swapped."""
    numpy = _arrays.numpy
    return isinstance(A, numpy.ndarray) and bool(numpy.allclose(
        A[0], solution.distances(0), equal_nan=True))


def _compare(solution: Any, rows: Any, given: Any, rtol: float) -> None:
    numpy = _arrays.numpy
    right = solution._rows(rows)
    same = given == right
    if rtol and not same.all():
        finite = numpy.isfinite(given) & numpy.isfinite(right)
        with numpy.errstate(invalid="ignore"):
            far = numpy.abs(given - right) > rtol * numpy.maximum(abs(given), abs(right))
        same |= finite & ~far
    wrong = numpy.argwhere(~same)
    if len(wrong):
        row, column = wrong[0].tolist()
        raise _native.CertificateError("the distance from %r to %r is %s, not %s" % (
            solution._graph.label(rows[row]), solution._graph.label(column),
            right[row, column], given[row, column]))
