"""What NetworkX calls: networkx/utils/backends.py says how."""

from __future__ import annotations

import functools
import inspect
from typing import Any

import networkx as nx

from _nx_apsp import FUNCTIONS

from . import measures, paths
from .graph import Graph, Unbounded

_WEIGHTS = ("weight", "distance")


def _argument(name: Any, args: Any, kwargs: Any, parameters: Any) -> Any:
    """An argument of a call of that function, or None."""
    known = list(inspect.signature(getattr(backend, name)).parameters)
    for parameter in parameters:
        if parameter in kwargs:
            return kwargs[parameter]
        if parameter in known and known.index(parameter) < len(args):
            return args[known.index(parameter)]
    return None


def _served(function: Any) -> Any:
    """Raises NetworkX's exceptions alone, also where rows are made later."""
    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except Unbounded as error:
            raise nx.NetworkXUnbounded(str(error)) from None
    return staticmethod(call)


class backend:
    """The functions of nx_apsp.measures and nx_apsp.paths, and how graphs come to them."""

    @staticmethod
    def convert_from_nx(graph: Any, **_: Any) -> Any:
        return graph if isinstance(graph, Graph) else Graph(graph)

    @staticmethod
    def convert_to_nx(value: Any, *, name: Any = None) -> Any:
        return value.graph if isinstance(value, Graph) else value

    @staticmethod
    def can_run(name: Any, args: Any, kwargs: Any) -> Any:
        """True, or why not."""
        if callable(_argument(name, args, kwargs, _WEIGHTS)):
            return "weights are a function"
        return True

    @staticmethod
    def should_run(name: Any, args: Any, kwargs: Any) -> Any:
        """True, or why not."""
        graph = args[0] if args else kwargs["G"]
        least = nx.config.backends.apsp.least_nodes
        if len(graph) < least:
            return "the graph has fewer than %d nodes" % least
        return True


for _name in FUNCTIONS:
    setattr(backend, _name, _served(getattr(measures, _name, None) or getattr(paths, _name)))
