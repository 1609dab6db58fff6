"""Exact all-pairs shortest paths, on the cores or the GPU of a machine.

>>> import apsp
>>> distances = apsp.shortest_path(A)

``A`` is a SciPy sparse or a dense matrix, a networkx, igraph or networkit graph, a frame of
edges, ``apsp.Edges``, or ``apsp.read(path)``. Ctrl-C ends a call, other threads go on meanwhile,
and one thread at a time is in the library.
"""

import importlib
from typing import TYPE_CHECKING

from ._api import (NO_PREDECESSOR, Path, Solution, access, blocks, closeness, eccentricity, path,
                   shortest_path, solve, solve_each, stats, unreachable)
from ._batch import shortest_path_batch
from ._device import DeviceArray
from ._files import File, read
from ._geodesics import Geodesics
from ._graphs import Edges
from ._measures import EdgeValues, Extent, Pairs
from ._native import CertificateError, DeviceError, NegativeCycleError, version as __version__
from ._omx import Omx, read_omx, write_omx
from ._order import Order
from ._questions import Estimate, diameter, estimate, extent, verify
from ._stats import Stats
from ._words import meant

_SCIPY = ("bellman_ford", "dijkstra", "floyd_warshall", "johnson")


if TYPE_CHECKING:
    from . import csgraph as csgraph


def __getattr__(name: str) -> object:
    """The module csgraph, when it is first used; for other names an error that says where they
    are."""
    if name == "csgraph":
        return importlib.import_module("apsp.csgraph")
    likely = ""
    if not name.startswith("_"):
        plain = name.replace("_centrality", "")  # of networkx
        likely = ("; apsp.solve(A).%s has it" % plain if hasattr(Solution, plain) else
                  "; apsp.csgraph.%s has it" % name if name in _SCIPY else meant(plain, __all__))
    raise AttributeError("module 'apsp' has no attribute %r%s" % (name, likely))


__all__ = [
    "CertificateError", "DeviceArray", "DeviceError", "EdgeValues", "Edges", "Estimate", "Extent",
    "File", "Geodesics", "NO_PREDECESSOR", "NegativeCycleError", "Omx", "Order", "Pairs", "Path",
    "Solution", "Stats", "access", "blocks", "closeness", "diameter", "eccentricity", "estimate",
    "extent", "path", "read", "read_omx", "shortest_path", "shortest_path_batch", "solve",
    "solve_each", "stats", "unreachable", "verify", "write_omx"
]
