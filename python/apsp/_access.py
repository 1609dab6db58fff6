"""Accessibility: what can be reached from each vertex, without the matrix."""

from __future__ import annotations

import ctypes
from ctypes import byref
from typing import Any

from . import _arrays, _native
from ._part import Part

_KINDS = {"step": 1, "linear": 1, "exponential": 1, "logistic": 2}


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
        amounts = numpy.ones(self.n) if opportunities is None else numpy.asarray(
            opportunities, "float64")
        if amounts.ndim not in (1, 2) or len(amounts) != self.n:
            raise ValueError("opportunities must have the shape (%d,) or (%d, columns), not %r"
                             % (self.n, self.n, amounts.shape))
        columns = numpy.ascontiguousarray(amounts.reshape(self.n, -1).T)
        weights = [_decay("step:%r" % float(cutoff)) for cutoff in cutoffs]
        weights += [_decay(decay) for decay in decays]
        decay = (_native.Decay * len(weights))(*(weight for weight, _ in weights))
        share = numpy.asarray(nearest, "float64").reshape(-1)
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


def _decay(decay: Any) -> Any:
    """The library's decay, and the arrays that it points to."""
    numpy = _arrays.numpy
    if not isinstance(decay, str):
        distance, weight = (numpy.ascontiguousarray(part, "float64") for part in decay)
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
