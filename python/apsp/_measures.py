"""What a solution tells beside rows: betweenness, and chosen pairs."""

from __future__ import annotations

import ctypes
from ctypes import byref
from typing import Any, List, NamedTuple, Optional

from . import _arrays, _native
from ._graphs import Graph


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
        names = self.labels
        source, target = ((ends if names is None else [names[k] for k in ends.tolist()])
                          for ends in (self.source, self.target))
        return pandas.DataFrame({"source": source, "target": target, "distance": self.distance})


class Measures:
    """A part of ``Solution``."""

    n: int
    labels: Optional[List[Any]]
    _name: str
    _graph: Graph
    _ask: Any
    _check: Any

    def betweenness(self, indices: Any = None, normalized: bool = False,
                    ordered: bool = False) -> Any:
        """Betweenness of every vertex: the sum over pairs of other vertices of the part of their
        shortest paths that lead through it (U. Brandes, 2001).

        Parameters
        ----------
        indices : int, label, or array of them, optional
            Pairs are those from these vertices alone; sums are not scaled up.
        normalized : bool
            True: divided by (n - 1) (n - 2), the number of ordered pairs.
        ordered : bool
            False: a pair counts once where all edges lead back with the same weight. True: in both
            orders.

        Returns
        -------
        float64 array, shape (n,)

        Raises
        ------
        ValueError
            A weight is not above 0, or real ones differ too much for their sums.
        """
        self._check()
        chosen, _ = _arrays.choose(indices, self.n, self._graph.find, "indices")
        values = _arrays.new((self.n,), "float64")
        if self.n == 0:
            return values
        flags = _native.NORMALIZED if normalized else _native.ORDERED if ordered else 0
        vertices = _arrays.vertices(chosen)
        self._ask("apsp_betweenness", None if vertices is None else vertices.vertex,
                  0 if vertices is None else vertices.count, flags, _arrays.address_of(values),
                  small=_native.is_small(self.n, self._graph.entries))
        return values

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
        sources, _ = _arrays.choose(indices, self.n, self._graph.find, "indices")
        columns, _ = _arrays.choose(targets, self.n, self._graph.find, "targets")
        if nearest is not None and (isinstance(nearest, bool) or int(nearest) != nearest
                                    or nearest < 1):
            raise ValueError("nearest must be an integer from 1 on, not %r" % (nearest,))
        if within is not None and not within == within:
            raise ValueError("within must be a number, not %r" % (within,))
        wish = _native.Wish(nearest=nearest or 0, bounded=within is not None, within=within or 0)
        for name, chosen in (("from_", sources), ("to", columns)):
            if chosen is not None:
                setattr(wish, name, _arrays.vertices(chosen))
        found = _native.Pairs()
        try:
            if self.n:
                self._ask("apsp_find_pairs", byref(wish), byref(found))
            return self._gather(found)
        finally:
            _native.library.apsp_pairs_free(byref(found))

    def _gather(self, found: Any) -> Pairs:
        """The library's pairs in arrays of their own."""
        whole = self._name.startswith(("int", "uint"))
        if _arrays.numpy is None:
            rows = found.pair[:found.count]
            columns = ([row.from_ for row in rows], [row.to for row in rows],
                       [row.whole if whole else row.real for row in rows])
        else:
            kind = _arrays.numpy.dtype([("from", "u4"), ("to", "u4"), ("whole", "i8"),
                                        ("real", "f8")])
            size = found.count * ctypes.sizeof(_native.Pair)
            data = b""
            if size:
                data = ctypes.cast(found.pair, ctypes.POINTER(ctypes.c_char * size)).contents
            table = _arrays.numpy.frombuffer(data, dtype=kind)
            columns = (table["from"].copy(), table["to"].copy(),
                       table["whole" if whole else "real"].copy())
        return Pairs(*columns, self.n, self.labels)
