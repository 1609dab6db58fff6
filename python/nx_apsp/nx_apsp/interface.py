"""What NetworkX calls: networkx/utils/backends.py says how."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Iterator
from typing import Any

import networkx as nx

from _nx_apsp import FUNCTIONS

from . import measures, paths
from .graph import Graph, Unbounded, check_settings

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


def _is_used_up(value: Any) -> bool:
    """Whether reading it once is all, so that nothing is left for NetworkX."""
    return isinstance(value, Iterator) or isinstance(value, (list, tuple, set)) and any(
        isinstance(one, Iterator) for one in value)


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
        if isinstance(graph, Graph):
            return graph
        if hasattr(graph, "_graph"):  # a view, which does not learn that its graph has changed
            graph.__networkx_cache__ = None
        return Graph(graph)

    @staticmethod
    def convert_to_nx(value: Any, *, name: Any = None) -> Any:
        return value.graph if isinstance(value, Graph) else value

    @staticmethod
    def can_run(name: Any, args: Any, kwargs: Any) -> Any:
        """True, or why not."""
        if callable(_argument(name, args, kwargs, _WEIGHTS)):
            return "weights are a function"
        if any(map(_is_used_up, (*args, *kwargs.values()))):
            return "an argument can be read once alone"
        return True

    @staticmethod
    def should_run(name: Any, args: Any, kwargs: Any) -> Any:
        """True, or why not."""
        graph = args[0] if args else kwargs["G"]
        config = nx.config.backends.apsp
        check_settings(config)
        if len(graph) < config.least_nodes:
            return "the graph has fewer than %d nodes" % config.least_nodes
        return True


for _name in FUNCTIONS:
    setattr(backend, _name, _served(getattr(measures, _name, None) or getattr(paths, _name)))
