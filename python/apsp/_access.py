"""Accessibility: what can be reached from each vertex, without the matrix."""

from __future__ import annotations

import ctypes
from ctypes import byref
from typing import Any, Dict, Sequence, Union

from . import _arrays, _native, _words
from ._graphs import graph_of
from ._part import Part

_KINDS = {"step": 1, "linear": 1, "exponential": 1, "logistic": 2}


@_words.methods
class Reach(Part):
    """Accessibility."""

    def access(self, opportunities: Any = None, cutoffs: Any = (), decays: Any = (),
               nearest: Any = (), indices: Any = None) -> Any:
        """Sums of the opportunities that each vertex reaches, by their distance d.

        Parameters
        ----------
        opportunities : array, shape (n,) or (n, columns), optional
            Amounts at the vertices, from 0 on; by default 1 at each.
        cutoffs : sequence of float, optional
            A sum within each of these distances.
        decays : sequence, optional
            A sum weighed by each of these: ``"step:T"``, ``"linear:T"`` (1 - d / T),
            ``"exponential:S"`` (exp(-d / S)), ``"logistic:M:S"`` (1 / (1 + exp((d - M) / S))), or a
            pair of sequences, distances that ascend and their weights, with straight lines between.
        nearest : sequence of float, optional
            The least distance within which so many opportunities are; infinity if there is none.
        indices : int, label, or array of them, optional
            The vertices whose sums are wanted, none twice; by default all.

        Returns
        -------
        float64 array, shape (vertices, measures) or (vertices, columns, measures)
            Measures are cutoffs, decays, then nearest. Sums of integers within cutoffs are exact
            below 2^53; others have a relative error below 1e-12, the same for any threads.

        Raises
        ------
        ValueError
            An amount is below 0, or a measure is none.
        """
        self._check()
        numpy = _arrays.numpy
        if numpy is None:
            raise ImportError("access needs NumPy")
        rows, shape = _arrays.choose(indices, self.n, self._graph.find, "indices")
        amounts = numpy.ones(self.n) if opportunities is None else self._amounts(opportunities)
        if amounts.ndim not in (1, 2) or len(amounts) != self.n:
            raise ValueError("opportunities must have the shape (%d,) or (%d, columns), not %r"
                             % (self.n, self.n, amounts.shape))
        columns = numpy.ascontiguousarray(amounts.reshape(self.n, -1).T)
        weights = [_decay("step:%r" % float(_arrays.real(cutoff, "a cutoff", True)))
                   for cutoff in _listed(cutoffs, "cutoffs", "a list of numbers")]
        weights += [_decay(decay) for decay in _listed(decays, "decays", "a list")]
        decay = (_native.Decay * len(weights))(*(weight for weight, _ in weights))
        share = numpy.asarray([_arrays.real(amount, "an entry of nearest", True)
                               for amount in _listed(nearest, "nearest", "a list of numbers")],
                              "float64")
        request = _native.Access(columns=len(columns), amount=_arrays.address_of(columns),
                              decays=len(decay), decay=ctypes.cast(decay, ctypes.c_void_p),
                              shares=len(share), share=_arrays.address_of(share))
        if rows is not None:
            request.from_ = _arrays.vertices(rows)
        count = self.n if rows is None else len(rows)
        values = _arrays.new((count, len(columns), len(decay) + len(share)), "float64")
        if values.size:
            self._ask("apsp_find_access", byref(request), _arrays.address_of(values))
        return values.reshape(shape + (amounts.shape[1:] and values.shape[1:] or values.shape[2:]))

    def _amounts(self, opportunities: Any) -> Any:
        """Opportunities as an array; those with labels are in the order of the vertices."""
        index: Any = getattr(opportunities, "index", None)
        names = range(self.n) if self.labels is None else self.labels
        numbered = type(index).__name__ == "RangeIndex"
        if isinstance(opportunities, dict) or hasattr(index, "tolist") and not numbered and (
                index.tolist() != list(names)):
            labels = "solution.labels" if self.labels is not None else "range(%d)" % self.n
            raise ValueError("opportunities must be an array of %d rows in the order of the "
                             "vertices: %s" % (self.n, "[d[v] for v in %s]" % labels if isinstance(
                                 opportunities, dict) else "frame.reindex(%s)" % labels))
        _arrays.check_mask(opportunities, "opportunities")
        return _arrays.numpy.asarray(opportunities, "float64")

    def skims(self, A: Any, names: Union[str, Sequence[str]], indices: Any = None,
              targets: Any = None) -> Dict[str, Any]:
        """Sums of further attributes of the edges along shortest paths.

        Among equally short paths the one with the least first sum counts, then that with the least
        second sum, and so on.

        Parameters
        ----------
        A : graph whose edges have attributes, frame of edges, or File
            The graph that was solved.
        names : sequence of str
            Attributes or columns from 0 on; ``"edges"`` is the number of edges. A text is one name.
        indices, targets : int, label, or array of them, optional
            The vertices that the paths lead from and to, none twice; by default all.

        Returns
        -------
        dict of name to float64 array, shape of ``indices``, then of ``targets``
            In the attribute's own unit; infinity where there is no path. ``write_omx`` takes it.

        Raises
        ------
        ValueError
            An attribute is below 0, or missing, or the weights are not exact decimals.
        """
        self._check()
        names = [names] if isinstance(names, str) else list(names)
        rows, before = _arrays.choose(indices, self.n, self._graph.find, "indices")
        columns, after = _arrays.choose(targets, self.n, self._graph.find, "targets")
        graphs = [None if name == "edges" else self._attribute(A, name) for name in names]
        pointers = (ctypes.c_void_p * len(graphs))(*(graph and graph.pointer for graph in graphs))
        values = _arrays.new((len(graphs),) + before + after, "float64")
        if values.size:
            request = _native.Skims(count=len(graphs), graph=pointers)
            if rows is not None:
                request.from_ = _arrays.vertices(rows)
            if columns is not None:
                request.to = _arrays.vertices(columns)
            self._ask("apsp_find_skims", byref(request), _arrays.address_of(values))
        return dict(zip(names, values))

    def _attribute(self, A: Any, name: str) -> Any:
        """The graph with that attribute as its weight."""
        directed, _, reverse, _ = self._reading
        if hasattr(A, "with_weight"):
            graph = graph_of(A.with_weight(name), directed, False, reverse)
        else:
            graph = graph_of(A, directed, False, reverse, name)
        if graph.n != self.n or graph.labels != self.labels:
            raise ValueError("the graph has other vertices than that of the solution")
        return graph


def _listed(values: Any, what: str, wanted: str) -> Any:
    """The values, which must be several."""
    if isinstance(values, (str, bytes)) or not hasattr(values, "__iter__") or (
            getattr(values, "ndim", 1) == 0):
        raise ValueError("%s must be %s, not %r: [%r]" % (what, wanted, values, values))
    return values


def _decay(decay: Any) -> Any:
    """The library's decay, and the arrays that it points to."""
    numpy = _arrays.numpy
    if not isinstance(decay, str):
        distance, weight = decay
        for part in (distance, weight):
            _arrays.check_mask(part, "decays")
        distance, weight = (numpy.ascontiguousarray(x, "float64") for x in (distance, weight))
        if distance.ndim != 1 or distance.shape != weight.shape:
            raise ValueError("points must be two sequences of one length")
        return _native.Decay(kind=len(_KINDS), points=len(distance),
                             distance=_arrays.address_of(distance),
                             weight=_arrays.address_of(weight)), (distance, weight)
    name, *words = decay.split(":")
    try:
        numbers = [float(word) for word in words]
    except ValueError:
        numbers = []
    if _KINDS.get(name) != len(numbers):
        raise ValueError("expected step:T, linear:T, exponential:S or logistic:M:S, found %r"
                         % (decay,))
    return _native.Decay(list(_KINDS).index(name), *numbers), ()
