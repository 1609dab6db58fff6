"""The functions of ``scipy.sparse.csgraph`` for paths, with its names and orders of arguments:
``from apsp.csgraph import dijkstra``.

``overwrite`` is taken, and changes nothing. All of them find a negative cycle; ``method`` and the
function's name say which engine is meant, and distances are the same.
"""

from __future__ import annotations

from typing import Any

from . import _api, _words

__all__ = ["bellman_ford", "dijkstra", "floyd_warshall", "johnson", "shortest_path"]


@_words.arguments()
def shortest_path(csgraph: Any, method: str = "auto", directed: bool = True,
                  return_predecessors: bool = False, unweighted: bool = False,
                  overwrite: bool = False, indices: Any = None) -> Any:
    """As ``scipy.sparse.csgraph.shortest_path``."""
    return _api.shortest_path(csgraph, directed, unweighted, indices, method=method,
                              return_predecessors=return_predecessors)


@_words.arguments()
def floyd_warshall(csgraph: Any, directed: bool = True, return_predecessors: bool = False,
                   unweighted: bool = False, overwrite: bool = False) -> Any:
    """As ``scipy.sparse.csgraph.floyd_warshall``."""
    return shortest_path(csgraph, "FW", directed, return_predecessors, unweighted)


@_words.arguments()
def dijkstra(csgraph: Any, directed: bool = True, indices: Any = None,
             return_predecessors: bool = False, unweighted: bool = False,
             limit: float = float("inf"), min_only: bool = False) -> Any:
    """As ``scipy.sparse.csgraph.dijkstra``; weights may be negative."""
    return _api.shortest_path(csgraph, directed, unweighted, indices, method="D",
                              return_predecessors=return_predecessors, min_only=min_only,
                              limit=None if limit == float("inf") else limit)


@_words.arguments()
def bellman_ford(csgraph: Any, directed: bool = True, indices: Any = None,
                 return_predecessors: bool = False, unweighted: bool = False) -> Any:
    """As ``scipy.sparse.csgraph.bellman_ford``."""
    return shortest_path(csgraph, "BF", directed, return_predecessors, unweighted, False, indices)


@_words.arguments()
def johnson(csgraph: Any, directed: bool = True, indices: Any = None,
            return_predecessors: bool = False, unweighted: bool = False) -> Any:
    """As ``scipy.sparse.csgraph.johnson``."""
    return shortest_path(csgraph, "J", directed, return_predecessors, unweighted, False, indices)
