"""Measures of a solution: betweenness, chosen pairs, and extents."""

from __future__ import annotations

import ctypes
from ctypes import byref
from typing import Any, Dict, List, NamedTuple, Optional, Tuple, Union

from . import _arrays, _native, _words
from ._part import Part


class Pairs(NamedTuple):
    """Chosen pairs of vertices, one entry of each array for each: ``source`` and ``target`` are
    numbers of rows (uint32), ``distance`` is in the weights' unit (int64 or float64)."""

    source: Any
    target: Any
    distance: Any
    n: int
    labels: Optional[List[Any]]

    def to_scipy(self) -> Any:
        """A ``scipy.sparse.csr_array``, shape (n, n), of the distances; those of 0 are stored."""
        from scipy import sparse
        matrix = sparse.coo_array((self.distance, (self.source.astype("int32"),
                                                   self.target.astype("int32"))),
                                  shape=(self.n, self.n))
        return matrix.tocsr()

    def to_frame(self) -> Any:
        """A ``pandas.DataFrame`` with the columns source, target (labels where there are some) and
        distance."""
        import pandas
        source, target = (_named(ends, self.labels) for ends in (self.source, self.target))
        return pandas.DataFrame({"source": source, "target": target, "distance": self.distance})

    def to_arrow(self) -> Any:
        """The same as a ``pyarrow.Table``, which pyarrow writes as Parquet or Arrow IPC."""
        import pyarrow
        source, target = (_named(ends, self.labels) for ends in (self.source, self.target))
        return pyarrow.table({"source": source, "target": target, "distance": self.distance})


class EdgeValues(NamedTuple):
    """Values of edges, one entry of each array for each: ``source`` and ``target`` are numbers of
    rows (uint32), ``value`` is float64."""

    source: Any
    target: Any
    value: Any
    labels: Optional[List[Any]]

    def to_dict(self) -> Dict[Tuple[Any, Any], float]:
        """By the edges: pairs of labels, or of numbers."""
        ends = (_named(ends, self.labels) for ends in (self.source, self.target))
        return dict(zip(zip(*ends), self.value.tolist()))

    def to_frame(self) -> Any:
        """A ``pandas.DataFrame`` with the columns source, target and value."""
        import pandas
        return pandas.DataFrame({"source": _named(self.source, self.labels),
                                 "target": _named(self.target, self.labels), "value": self.value})


def _named(vertices: Any, labels: Optional[List[Any]]) -> Any:
    """Vertices by label where there are some."""
    numbers = vertices.tolist()
    return numbers if labels is None else [labels[k] for k in numbers]


class Extent(NamedTuple):
    """The largest and the least eccentricity, and the vertices that have them; the searches that
    found them; and whether every vertex reaches every other one."""

    diameter: Union[int, float]
    radius: Union[int, float]
    center: List[Any]
    periphery: List[Any]
    searches: int
    connected: bool


@_words.methods
class Measures(Part):
    """Betweenness, pairs and extents."""

    def betweenness(self, indices: Any = None, normalized: bool = False, ordered: bool = False, *,
                    targets: Any = None, endpoints: bool = False,
                    limit: Optional[float] = None, stress: bool = False,
                    load: bool = False) -> Any:
        """Betweenness of every vertex: the sum over pairs of other vertices of the part of their
        shortest paths that lead through it (U. Brandes, 2001).

        Parameters
        ----------
        indices, targets : int, label, or array of them, optional
            Pairs are those from these vertices to those alone; sums are not scaled up. Where all
            edges lead back, each such ordered pair counts 1/2 unless ``ordered`` is true.
        normalized : bool
            True: divided by (n - 1) (n - 2), the number of ordered pairs; with endpoints n (n - 1).
        ordered : bool
            False: a pair counts once where all edges lead back with the same weight. True: in both
            orders.
        endpoints : bool
            True: a path counts for its first and its last vertex, too.
        limit : float, optional
            No longer paths count.
        stress : bool
            True: the number of the paths, in place of their part: stress (A. Shimbel, 1953). It is
            exact up to 2**53.
        load : bool
            True: load in place of betweenness. A unit goes from the last vertex of each pair back
            to the first, and predecessors on shortest paths get equal parts (M. Newman, 2001).

        Returns
        -------
        float64 array, shape (n,)

        Raises
        ------
        ValueError
            A weight is not above 0, or real ones differ too much for their sums; or so many paths
            lead from one vertex to another that stress has no room for them.
        """
        self._check()
        values = _arrays.new((self.n,), "float64")
        self._through(indices, targets, normalized, ordered, endpoints, limit, stress, load,
                      _arrays.address_of(values), None)
        return values

    def edge_betweenness(self, indices: Any = None, normalized: bool = False,
                         ordered: bool = False, *, targets: Any = None,
                         limit: Optional[float] = None, stress: bool = False,
                         load: bool = False) -> EdgeValues:
        """Betweenness of every edge: the sum over pairs of vertices of the part of their shortest
        paths that lead along it. Parallel edges are one, and loops are left out.

        Parameters are those of :meth:`betweenness`; normalized: divided by n (n - 1).

        Returns
        -------
        EdgeValues
            An edge of an undirected graph stands there once, source < target.
        """
        self._check()
        found = _native.EdgeValues()
        try:
            self._through(indices, targets, normalized, ordered, False, limit, stress, load, None,
                          found)
            source, target, value = _columns(found.edge, found.count, _native.EdgeValue,
                                             (("from_", "u4"), ("to", "u4"), ("value", "f8")))
            return EdgeValues(source, target, value, self.labels)
        finally:
            _native.library.apsp_edge_values_free(byref(found))

    def _through(self, indices: Any, targets: Any, normalized: bool, ordered: bool,
                 endpoints: bool, limit: Optional[float], stress: bool, load: bool,
                 values: Any, edges: Any) -> None:
        if limit is not None:
            _arrays.real(limit, "limit")
        through = _native.Through(bounded=limit is not None, within=limit or 0)
        through.flags = (_native.NORMALIZED if normalized else _native.ORDERED if ordered else 0)
        through.flags |= _native.ENDPOINTS if endpoints else 0
        through.flags |= _native.STRESS if stress else 0
        through.flags |= _native.LOAD if load else 0
        kept = self._lists(through, indices, targets)
        if self.n:
            self._ask("apsp_paths_through", byref(through), values,
                      None if edges is None else byref(edges),
                      small=_native.is_small(self.n, self._graph.entries))
        del kept

    def _lists(self, request: Any, indices: Any, targets: Any) -> Any:
        """Puts the vertices into a struct with two lists; returns what must stay meanwhile."""
        kept = []
        for name, given, what in (("from_", indices, "indices"), ("to", targets, "targets")):
            chosen, _ = _arrays.choose(given, self.n, self._graph.find, what)
            if chosen is not None:
                setattr(request, name, _arrays.vertices(chosen))
            kept.append(chosen)
        return kept

    def extent(self) -> Extent:
        """Diameter, radius, centre and periphery: see :func:`extent`."""
        self._check()
        found = _native.Extent()
        try:
            if self.n:
                self._ask("apsp_find_extent", byref(found))
            part = "real" if found.real else "whole"
            center, periphery = (
                [self._graph.label(some[k]) for k in range(count)] for some, count in
                ((found.central, found.centrals), (found.peripheral, found.peripherals)))
            return Extent(getattr(found.diameter, part), getattr(found.radius, part), center,
                          periphery, found.searches, bool(found.connected))
        finally:
            _native.library.apsp_extent_free(byref(found))

    def pairs(self, indices: Any = None, targets: Any = None, nearest: Optional[int] = None,
              within: Optional[float] = None) -> Pairs:
        """Pairs of vertices at a finite distance, without the others' memory.

        Parameters
        ----------
        indices, targets : int, label, or array of them, optional
            From which and to which vertices, none twice; by default all, and to all but itself.
        nearest : int, optional
            From each vertex so many at most: the nearest first, of equally near ones those of the
            least numbers.
        within : float, optional
            None further than this, in the weights' unit.

        Returns
        -------
        Pairs
            In the order of ``indices``; with ``to_scipy()`` and ``to_frame()``.
        """
        self._check()
        if nearest is not None and (_arrays.real(nearest, "nearest") < 1
                                    or int(nearest) != nearest):
            raise ValueError("nearest must be an integer from 1 on, not %r" % (nearest,))
        if within is not None:
            _arrays.real(within, "within")
        request = _native.PairsRequest(nearest=nearest or 0,
                                       bounded=within is not None,
                                       within=within or 0)
        kept = self._lists(request, indices, targets)
        found = _native.Pairs()
        try:
            if self.n:
                self._ask("apsp_find_pairs", byref(request), byref(found))
            del kept
            return self._gather(found)
        finally:
            _native.library.apsp_pairs_free(byref(found))

    def _gather(self, found: Any) -> Pairs:
        """The library's pairs in arrays of their own."""
        source, target, whole, real = _columns(
            found.pair, found.count, _native.Pair,
            (("from_", "u4"), ("to", "u4"), ("whole", "i8"), ("real", "f8")))
        distance = whole if self._name.startswith(("int", "uint")) else real
        return Pairs(source, target, distance, self.n, self.labels)


def _columns(first: Any, count: int, kind: Any, names: Any) -> Any:
    """The library's structs in arrays of their own, one for each member."""
    if _arrays.numpy is None:
        return [[getattr(row, name) for row in first[:count]] for name, _ in names]
    data: Any = b""
    if count:
        size = count * ctypes.sizeof(kind)
        data = ctypes.cast(first, ctypes.POINTER(ctypes.c_char * size)).contents
    table = _arrays.numpy.frombuffer(data, dtype=_arrays.numpy.dtype(list(names)))
    return [table[name].copy() for name, _ in names]
