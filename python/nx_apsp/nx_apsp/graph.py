"""A graph of NetworkX as arrays of its edges, and what apsp says of it."""

from __future__ import annotations

import contextlib
from itertools import chain
from typing import Any, Dict, Iterator

import apsp
import networkx as nx
import numpy as np

_EXACT = 2**53  # floats hold all whole numbers below
_DEVICES = ("auto", "cpu", "gpu")
_KEPT = 8  # statistics of a graph
_LEVELS = 2e8  # nodes times edges, of which searches in levels from all nodes take some 0.1 s


class Unbounded(Exception):
    """The graph has a negative cycle."""


def check_settings(config: Any) -> None:
    """ValueError: one of the settings, which would switch the backend off."""
    for name in ("threads", "least_nodes"):
        value = config[name]
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            raise ValueError("nx.config.backends.apsp.%s must be an integer from 0 on, not %r"
                             % (name, value))
    if config.device not in _DEVICES:
        raise ValueError("nx.config.backends.apsp.device must be one of %s, not %r"
                         % (", ".join(_DEVICES), config.device))


@contextlib.contextmanager
def served() -> Iterator[Any]:
    """What apsp cannot do is for the next backend."""
    try:
        yield
    except apsp.NegativeCycleError:
        raise Unbounded("Negative cycle detected.") from None
    except (ValueError, MemoryError, OSError, RuntimeError) as error:
        raise NotImplementedError("apsp: %s" % error) from error


class Graph:
    """Nodes and edges of a NetworkX graph as they were when it was converted. Lengths of edges are
    read at each call, and statistics are kept for those that they were made for: so a length that
    was changed in place counts."""

    __networkx_backend__ = "apsp"

    def __init__(self, graph: Any) -> None:
        self.__networkx_cache__: Dict[str, Any] = {}
        self.graph = graph
        self.nodes = list(graph)
        self.number = {node: k for k, node in enumerate(self.nodes)}
        self.names = np.fromiter(self.nodes, dtype=object, count=len(self.nodes))
        self.multi = bool(graph.is_multigraph())
        rows = self._rows()
        self._ends = self._ends_of(rows)
        count = sum(map(len, rows))
        targets = chain.from_iterable(rows)
        self.target = np.fromiter(map(self.number.__getitem__, targets), np.int32, count)
        self.source = np.repeat(np.arange(len(rows), dtype=np.int32), list(map(len, rows)))
        if self.multi:
            parallel = [len(keys) for row in rows for keys in row.values()]
            self.target = np.repeat(self.target, parallel)
            self.source = np.repeat(self.source, parallel)
        self._kept: Dict[Any, Any] = {}

    def _rows(self) -> Any:
        """The neighbours of each node: both ends of an edge without direction have the other."""
        adjacency = self.graph._adj
        return [adjacency[node] for node in self.nodes]

    def _ends_of(self, rows: Any) -> Any:
        """Of each node the neighbours, with the number of parallel edges where there may be
        some. Lists of the same objects are compared in a fraction of the time that numbers take."""
        if self.multi:
            return [[(node, len(keys)) for node, keys in row.items()] for row in rows]
        return list(map(list, rows))

    def is_directed(self) -> bool:
        return bool(self.graph.is_directed())

    def is_multigraph(self) -> bool:
        return self.multi

    def __len__(self) -> Any:
        return len(self.nodes)

    order = number_of_nodes = __len__

    def __iter__(self) -> Any:
        return iter(self.nodes)

    def __contains__(self, node: Any) -> Any:
        try:
            return node in self.number
        except TypeError:
            return False

    def nbunch_iter(self, nbunch: Any = None) -> Any:
        return self.graph.nbunch_iter(nbunch)

    def lengths(self, weight: Any) -> Any:
        """Of the edges, as an array; None: all are 1. Refuses what is no finite number."""
        if weight is None:
            return None
        rows = self._rows()
        edges = chain.from_iterable(row.values() for row in rows)
        if self.multi:
            edges = chain.from_iterable(keys.values() for keys in edges)
        values = [data.get(weight, 1) for data in edges]
        if self._ends_of(rows) != self._ends:
            raise NotImplementedError("the graph has other edges than when it was converted")
        return _array_of(values)

    def least(self, lengths: Any) -> Any:
        """The least length of an edge."""
        return 1 if lengths is None or not len(lengths) else lengths.min()

    def solve(self, lengths: Any, reverse: bool = False, chosen: Any = slice(None),
              rows: Any = None, method: Any = None, narrow: bool = True) -> Any:
        """All shortest paths along the chosen edges, of which so many rows are wanted, in a narrow
        type. Without lengths, searches answer what is no row of distances."""
        ends = (self.target, self.source) if reverse else (self.source, self.target)
        weight = None if lengths is None else lengths[chosen]
        whole = lengths is None or lengths.dtype.kind == "i"
        config = nx.config.backends.apsp
        with served():
            return apsp.solve(apsp.Edges(len(self), ends[0][chosen], ends[1][chosen], weight),
                              dtype=("native" if narrow else "computed") if whole else "float64",
                              device=config.device, threads=config.threads, sums="path", rows=rows,
                              method=method or ("sssp" if lengths is None else "auto"))

    def stats(self, weight: Any, reverse: bool = False, lengths: Any = None) -> Any:
        """Statistics of all distances."""
        def make() -> Any:
            with self.solve(lengths, reverse, method="auto", narrow=False) as solution, served():
                return solution.stats()

        lengths = self.lengths(weight) if lengths is None else lengths
        return self._keep(("stats", weight, reverse), lengths, make)

    def extent(self, weight: Any, lengths: Any) -> Any:
        """Diameter, radius, center and periphery: by few searches, or of short searches by all,
        since few do not do where most nodes are equally far from the others."""
        def make() -> Any:
            short = lengths is None and len(self) * len(self.source) < _LEVELS
            with self.solve(lengths, rows=None if short else 1, narrow=False) as solution, served():
                return _extent_of(solution.stats()) if short else solution.extent()

        return self._keep(("extent", weight), lengths, make)

    def _keep(self, key: Any, lengths: Any, make: Any) -> Any:
        """The answer for these lengths, which may be there."""
        found = self._kept.get(key)
        if found is not None and (lengths is None or np.array_equal(found[0], lengths)):
            return found[1]
        made = make()
        if len(self._kept) >= _KEPT:
            self._kept.clear()
        self._kept[key] = lengths, made
        return made

    def rows(self, lengths: Any, indices: Any, reverse: bool = False) -> Any:
        """Distances from some nodes, in floats, with inf where there is no path."""
        with self.solve(lengths, reverse) as solution, served():
            return distances(solution, solution.distances(indices))


def _extent_of(stats: Any) -> Any:
    far = stats.eccentricity
    most, least = far.max().item(), far.min().item()
    center, periphery = (np.flatnonzero(far == value).tolist() for value in (least, most))
    return apsp.Extent(most, least, center, periphery, len(far),
                       bool((stats.reachable == len(far)).all()))


def distances(solution: Any, block: Any) -> Any:
    """A block as floats, with inf where there is no path."""
    lost = block == apsp.unreachable(solution.dtype)
    block = block.astype(float)
    block[lost] = np.inf
    return block


def _array_of(values: Any) -> Any:
    kinds = set(map(type, values))
    if not all(issubclass(kind, (int, float, np.integer)) and kind is not bool for kind in kinds):
        raise NotImplementedError("weights are not plain numbers: %s" % sorted(map(str, kinds)))
    whole = not any(issubclass(kind, float) for kind in kinds)
    try:
        if whole:
            return np.fromiter(values, np.int64, len(values))
        if len(kinds) > 1 and any(not isinstance(x, float) and abs(x) > _EXACT for x in values):
            raise NotImplementedError("weights are too large for floats")
        array = np.fromiter(values, np.float64, len(values))
    except OverflowError as error:
        raise NotImplementedError("weights are too large") from error
    if not np.isfinite(array).all():
        raise NotImplementedError("weights are infinite, or NaN")
    return array
