"""Statistics of distances."""

from __future__ import annotations

import ctypes
import functools
import math
from ctypes import byref
from typing import Any, Dict, Iterable, List, Optional, Tuple, Union

from . import _arrays, _native


class Stats:
    """Statistics of all distances of a graph; only pairs with a path count, and a vertex reaches
    itself. Without vertices arrays are empty, counts and sums 0, and the mean is NaN. A column that
    was not asked for is None.

    Attributes
    ----------
    n : int
        Number of vertices of the graph.
    labels : list or None
        What the vertices are called, in the order of the arrays; None: numbers from 0.
    reachable, in_reachable : int64 arrays, shape (n,)
        How many vertices each one reaches, and by how many it is reached.
    eccentricity, in_eccentricity : arrays, shape (n,)
        The largest distance from each vertex, and to it: int64, or float64 of real weights, in
        their unit.
    total : array, shape (n,)
        The sum of the distances from each vertex; float64 where a sum has more than 63 bits.
    closeness, harmonic : float64 arrays, shape (n,)
        Of the distances from each vertex. With r = reachable, closeness is
        (r - 1)^2 / (n - 1) / total (Wasserman and Faust); harmonic is the sum of 1 / distance.
    diameter, radius : int or float
        The largest and the least eccentricity; periphery and center have the vertices.
    pairs, unreachable : int
        Ordered pairs with a path, and without one.
    sum, wiener : int or float
        Of all distances, and half of that.
    mean, efficiency : float
        The mean distance of two vertices, and that of 1 / distance.
    histogram : (distances, pairs) or None
        Where it was asked for: lower ends of bins ascending, and the number of pairs of two
        vertices in each.
    quantiles : dict or None
        Of all distances: share to distance.

    Of widest and reliable paths the value of a vertex to itself is the largest one: eccentricity,
    total and sum have it, and mean leaves it out. There closeness and harmonic are None, and
    efficiency is NaN.
    """

    reachable: Any = None
    in_reachable: Any = None
    eccentricity: Any = None
    in_eccentricity: Any = None
    total: Any = None
    closeness: Any = None
    harmonic: Any = None

    def __init__(self, found: Any, labels: Optional[List[Any]], named: bool,
                 largest: bool) -> None:
        part = "real" if found.real else "whole"

        def of(value: Any) -> Union[int, float]:
            number: Union[int, float] = getattr(value, part)
            return number

        self.n, self.labels = found.vertices, labels
        self._named = named
        for name in _column_names(found.counted):
            setattr(self, "total" if name == "sum" else name, _column(found, name))
        self.diameter, self.radius = of(found.diameter), of(found.radius)
        self.pairs, self.unreachable = found.pairs, found.unreachable
        self.sum, self.wiener = _sum_text(found.sum), _sum_text(found.wiener)
        self.mean, self.efficiency = found.mean, found.efficiency
        if largest:
            others = self.pairs - len(self.eccentricity)
            rest = self.sum - len(self.eccentricity) * self.diameter
            self.mean, self.efficiency = rest / others if others else math.nan, math.nan
            self.closeness = self.harmonic = None
        self.histogram: Optional[Tuple[List[Any], List[int]]] = None
        self.quantiles: Optional[Dict[float, Any]] = None
        if found.counted & _native.STATS_HISTOGRAM:
            bins = found.bin[:found.bins]
            self.histogram = [of(b.from_) for b in bins], [b.pairs for b in bins]
            self.quantiles = {q.share: of(q.at) for q in found.quantile if self.n > 0}

    def _with(self, value: Any) -> List[Any]:
        return [k if self.labels is None else self.labels[k]
                for k, most in enumerate(self.eccentricity) if most == value]

    @property
    def center(self) -> List[Any]:
        """The vertices whose eccentricity is the radius, by their labels."""
        return self._with(self.radius)

    @property
    def periphery(self) -> List[Any]:
        """The vertices whose eccentricity is the diameter, by their labels."""
        return self._with(self.diameter)

    def _columns(self) -> Dict[str, Any]:
        return {name: getattr(self, name) for name in _flags()
                if getattr(self, name, None) is not None}

    def to_frame(self) -> Any:
        """A ``pandas.DataFrame`` with a row for each vertex and the columns that were counted."""
        import pandas
        index = None if self.labels is None else pandas.Index(self.labels, tupleize_cols=False)
        return pandas.DataFrame(self._columns(), index)

    def to_arrow(self) -> Any:
        """The same as a ``pyarrow.Table``, with the column ``vertex``."""
        import pyarrow
        count = len(self.eccentricity)
        return pyarrow.table({"vertex": self.labels or list(range(count)), **self._columns()})

    def __repr__(self) -> str:
        return "apsp.Stats(n=%d, diameter=%s, radius=%s, mean=%g, pairs=%d)" % (
            self.n, self.diameter, self.radius, self.mean, self.pairs)


def _sum_text(digits: bytes) -> Union[int, float]:
    """A decimal number, as exact as it is."""
    text = digits.decode()
    try:
        return int(text)
    except ValueError:
        return float(text)


def _flag(words: str) -> int:
    counts = ctypes.c_uint()
    _native.call("apsp_stats_counted", words.encode(), byref(counts), small=True)
    return counts.value


@functools.lru_cache(maxsize=None)
def _flags() -> Dict[str, int]:
    """The columns that the library has, and the flag of what each is counted with."""
    flags: Dict[str, int] = {}
    out = _flag("out")
    rest = _flag("all") & ~(out | _native.STATS_HISTOGRAM)
    for bit in [out] + [1 << k for k in range(32) if rest >> k & 1]:
        for name in _column_names(out | bit):
            flags.setdefault("total" if name == "sum" else name, bit)
    return flags


def counts_of(columns: Optional[Iterable[str]], histogram: bool, largest: bool) -> int:
    """The library's flags for those columns; None: all. Whether the largest value of a path is the
    best."""
    flags = _flags()
    counts = _flag("out,exact" if histogram else "out")
    for column in flags if columns is None else columns:
        if column not in flags:
            raise ValueError("columns: %r is not one of %s" % (column, ", ".join(flags)))
        if largest and columns is not None and column in ("closeness", "harmonic"):
            raise ValueError("columns: %r is not of widest and reliable paths, where the largest "
                             "value is the best" % column)
        counts |= flags[column]
    return counts


def _column_names(counted: Any) -> Any:
    """The names of the columns that were counted, but for the first one: the vertices."""
    names: List[str] = []
    while True:
        name = _native.library.apsp_stats_name(counted, len(names) + 1)
        if name is None:
            return names
        names.append(name.decode())


def _column(found: Any, name: Any) -> Any:
    """A column of statistics, which stays."""
    column = _native.Array()
    _native.call("apsp_stats_column", byref(found), name.encode(), byref(column), small=True)
    kind = ctypes.c_double if column.type == _native.F64 else ctypes.c_int64
    values = (kind * found.sources)()
    ctypes.memmove(values, column.data, ctypes.sizeof(values))
    return values[:] if _arrays.numpy is None else _arrays.numpy.array(values)
