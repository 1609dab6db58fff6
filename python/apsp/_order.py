"""Orders of elimination, for graphs that differ in weights alone."""

from __future__ import annotations

import ctypes
import os
from ctypes import byref
from typing import Any, Union

from . import _native, _words
from ._graphs import graph_of


@_words.methods
class Order(_native.Held):
    """The order in which the sparse engine eliminates the vertices of a graph.

    It depends on which vertices have an edge between them, and not on the weights. ``apsp.solve``
    takes it as ``order``, for any graph with the same pattern; an update of a solution keeps its
    order by itself.

    Parameters are those of :func:`shortest_path`.
    """

    _instead = "save() writes it to a file, and apsp.Order.load reads it"

    def __init__(self, A: Any, directed: bool = True, unweighted: bool = False, *,
                 reverse: bool = False, weight: Any = "weight") -> None:
        self._pointer: Any = ctypes.c_void_p()
        graph = graph_of(A, directed, unweighted, reverse, weight)
        if graph.n:
            graph.call("apsp_order_make", byref(self._pointer), graph.pointer, small=graph.small)

    @classmethod
    def load(cls, path: Union[str, os.PathLike[str]]) -> Order:
        """The order in a file of :meth:`save`, or of the command's ``--save-order``."""
        order = cls.__new__(cls)
        order._pointer = ctypes.c_void_p()
        _native.call("apsp_order_load", byref(order._pointer), os.fsencode(path))
        return order

    def save(self, path: Union[str, os.PathLike[str]]) -> None:
        """Writes it to a file, in place of one that is there."""
        _native.call("apsp_order_save", self._pointer, os.fsencode(path))

    def __del__(self) -> None:
        if getattr(self, "_pointer", None):
            pointer, self._pointer = self._pointer, None
            _native.free_later((_native.library.apsp_order_free, pointer))
