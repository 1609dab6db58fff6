"""Results up to a limit, and of the nearest of several sources alone, as SciPy's dijkstra has
them."""

from __future__ import annotations

from typing import Any

from . import _arrays

NO_PREDECESSOR = -9999
LARGEST = ("widest", "reliable")  # of paths the largest value is the best
_BLOCK = 64 << 20  # bytes


def check(limit: Any, min_only: Any, out: Any, there: bool, paths: Any) -> None:
    """ValueError: what cannot be."""
    if paths in LARGEST:
        raise ValueError("%s is not for paths=%r, where the largest value is the best" % (
            "limit" if limit is not None else "min_only", paths))
    if limit is not None and (isinstance(limit, (bool, str)) or not limit >= 0):
        raise ValueError("limit must be a number from 0 on, not %r" % (limit,))
    if min_only and out is not None:
        raise ValueError("out is not for min_only")
    if there or isinstance(out, str) or isinstance(out, tuple) and isinstance(out[0], str):
        raise ValueError("out on a GPU is not for a limit")
    if _arrays.numpy is None:
        raise ImportError("limit and min_only need NumPy")


def _is_far(distances: Any, limit: Any, name: str) -> Any:
    """Which entries are beyond the limit, or unreachable."""
    far = distances == _arrays.UNREACHABLE[name]
    return far if limit is None else far | (distances > limit)


def up_to(distances: Any, trees: Any, rows: Any, limit: Any, name: str) -> Any:
    """The same arrays; what is further than the limit is unreachable. `rows` are the distances to
    all vertices, for the trees."""
    if trees is not None:
        trees[_is_far(rows, limit, name)] = NO_PREDECESSOR
    far = _is_far(distances, limit, name)
    if distances.ndim == 0:
        return distances.dtype.type(_arrays.UNREACHABLE[name]) if far else distances
    distances[far] = _arrays.UNREACHABLE[name]
    return distances


def nearest(solution: Any, sources: Any, limit: Any, wanted: bool) -> Any:
    """Of every vertex the distance from the nearest of the sources, the vertex before it, and that
    source; of equally near ones the first in the list. The last two are None unless wanted."""
    numpy, n, name = _arrays.numpy, solution.n, solution.dtype
    rows = numpy.arange(n, dtype=numpy.uint32) if sources is None else numpy.array(
        sources, numpy.uint32)
    best = numpy.full(n, _arrays.UNREACHABLE[name], name)
    before = numpy.full(n, NO_PREDECESSOR, numpy.int32)
    origin = before.copy()
    step = max(1, _BLOCK // max(1, 12 * n))
    every = numpy.arange(n)
    for first in range(0, len(rows), step):
        chunk = rows[first:first + step].tolist()
        table = solution.distances(chunk)
        place = table.argmin(axis=0)
        near = table[place, every]
        less = near < best
        best[less] = near[less]
        origin[less] = rows[first + place[less]]
        if wanted and less.any():
            before[less] = solution.predecessors(chunk)[place[less], every[less]]
    far = _is_far(best, limit, name)
    best[far] = _arrays.UNREACHABLE[name]
    before[far] = origin[far] = NO_PREDECESSOR
    return (best, before, origin) if wanted else (best, None, None)
