"""What the package does: solutions, and functions that make one for a single question."""

from __future__ import annotations

import array
import ctypes
import math
import os
from ctypes import byref
from typing import Any, Dict, Iterable, Iterator, List, NamedTuple, Optional, Tuple, Union

from . import _arrays, _native, _nearest, _words
from ._access import Reach
from ._device import DeviceArray, given as given_there, is_there
from ._graphs import Graph, graph_of
from ._groups import Groups
from ._measures import Measures
from ._order import Order
from ._progress import Progress, Wanted
from ._stats import Stats, counts_of

_DEVICES = {"auto": 0, "cpu": 1, "gpu": 2}
_METHODS = {"auto": None, "FW": b"dense", "D": None, "BF": None, "J": None, "dense": b"dense",
            "sparse": b"sparse", "spanning": b"spanning", "sssp": b"sssp"}
_PATHS = {name: name.encode() for name in ("shortest", "bottleneck", "widest", "reliable")}
_SUMS = {None: None, "path": b"path", "solver": b"solver"}
BLOCK = 64 << 20  # bytes
NO_PREDECESSOR = -9999

_DEFAULTS = _native.Options()
_native.library.apsp_options_reset(byref(_DEFAULTS), ctypes.sizeof(_DEFAULTS))


class Path(NamedTuple):
    """A shortest path: its length, infinite if there is none, and its vertices from the first to
    the last."""

    distance: Union[int, float]
    vertices: List[Any]


@_words.arguments()
def unreachable(dtype: Any) -> Union[int, float]:
    """The entry for unreachable in an array of that type: infinity in a real one, in a whole one a
    number."""
    return _arrays.UNREACHABLE[_type_name(dtype)]


def _type_name(dtype: Any) -> Any:
    name = _arrays.type_name(dtype)
    if name not in _arrays.TYPES:
        raise ValueError("dtype %s: not one of auto, native, computed, %s%s" % (
            dtype, ", ".join(_arrays.TYPES), _words.meant(name, _arrays.TYPES)))
    return name


def _choice(table: Any, value: Any, what: str) -> Any:
    if not isinstance(value, (str, type(None))) or value not in table:
        raise ValueError("%s %r: not one of %s%s" % (
            what, value, ", ".join(map(str, table)), _words.meant(value, table)))
    return table[value]


def _count(value: Any, what: str) -> Any:
    if (isinstance(value, bool) or not hasattr(value, "__index__")
            or not 0 <= value.__index__() < 2**31):
        raise ValueError("%s must be an integer from 0 on, not %r" % (what, value))
    return value.__index__()


def _product(*factors: Any) -> Any:
    """Of sizes; of what no memory holds the largest one that can be told."""
    product = 1
    for factor in factors:
        product *= factor
    return min(product, _native.SIZE_MAX // 2)


@_words.methods
class Solution(Measures, Groups, Reach, _native.Held):
    """All shortest paths of a graph: ``apsp.solve`` makes one.

    It holds what the engine needs to make rows, on the device or in memory, until it is closed, at
    the end of a ``with`` block or when it is collected; the graph's arrays must stay as they are
    until then.

    Attributes
    ----------
    n : int
        Number of vertices.
    labels : list or None
        What the vertices are called, in the order of rows and columns; None: numbers from 0.
    facts : dict
        How it was solved: ``method``, ``device``, ``ranks``, ``threads`` (of all ranks),
        ``computed`` (the type), ``bound`` (no distance is further from 0), ``verified`` (rows
        proved right), ``seconds``, ``edges``, ``parallel``, ``loops``.
    """

    _instead = "distances() makes an array that can, and apsp.solve another solution"

    def __init__(self, graph: Graph, name: Any, options: Any, progress: Wanted = None) -> None:
        self._graph = graph
        self._pointer: Any = ctypes.c_void_p()
        self._process = os.getpid()
        self.n = graph.n
        self.labels = graph.labels
        self.facts: Dict[str, Any] = {}
        self._name = name or "float64"
        self._reading: Tuple[Any, ...] = ()
        self._largest = (options.paths or b"").decode() in _nearest.LARGEST
        self._small = (graph.small and options.threads <= 1
                       and max(options.ranks, options.gpus) <= 1)
        if self.n == 0:
            return
        looks = options.device != _DEVICES["cpu"]  # for GPUs, which may take seconds once
        try:
            with Progress(progress, options):
                graph.call("apsp_solve", graph.pointer, byref(options), byref(self._pointer),
                           small=self._small and (_native.devices_known or not looks))
        except _native.Cycle as cycle:
            raise graph.negative_cycle(str(cycle)) from None
        _native.devices_known |= looks
        facts = _native.library.apsp_solution_facts(self._pointer).contents
        if facts.type not in _arrays.NAMES:
            raise RuntimeError("rows of the library's type %d are not known here" % facts.type)
        self._name = _arrays.NAMES[facts.type]
        if facts.scale != 1 and self._name not in ("float32", "float64"):
            raise ValueError("dtype %s: weights are not integers" % self._name)

    def update(self, A: Any, *, weight: Any = ...) -> Solution:
        """New weights: the solution becomes that of ``A``, and is as it was after an error.

        ``A`` is a graph of the same vertices, and is read as the first one was. ``weight=`` may
        name another attribute. The engine stays.
        The sparse one keeps its order of elimination, so for it ``A`` has the same pattern: the
        pairs of vertices with an edge. The memory is that of both solutions meanwhile.

        Returns
        -------
        Solution
            The same one.
        """
        self._check()
        directed, unweighted, reverse, name = self._reading
        graph = graph_of(A, directed, unweighted, reverse, name if weight is ... else weight)
        if graph.n != self.n or graph.labels != self.labels:
            raise ValueError("the graph has other vertices than that of the solution")
        if graph.weight is not None and not self._name.startswith("float"):
            if not _arrays.is_whole(graph.weight):
                raise ValueError("dtype %s: weights are not integers" % self._name)
        if self.n == 0:
            return self
        try:
            self._ask("apsp_update", graph.pointer, small=self._small and graph.small)
        except _native.Cycle as cycle:
            raise graph.negative_cycle(str(cycle)) from None
        before, self._graph = self._graph, graph
        _native.free(*before.give_up())
        facts = _native.library.apsp_solution_facts(self._pointer).contents
        self._name = _arrays.NAMES[facts.type]
        return self._tell()

    def _tell(self) -> Solution:
        """The same solution, with its facts."""
        if self.n == 0:
            return self
        facts = _native.library.apsp_solution_facts(self._pointer).contents
        self.facts = {
            "method": facts.method.decode(), "plan": facts.plan.decode(),
            "device": facts.device.decode(), "ranks": facts.ranks, "threads": facts.threads,
            "computed": _arrays.NAMES[facts.computed], "dtype": self._name,
            "bound": facts.bound if facts.bounded else None, "edges": facts.edges,
            "parallel": facts.parallel, "loops": facts.loops, "verified": facts.verified,
            "sums": facts.sums.decode(),
            "seconds": {"read": facts.read, "build": facts.build, "solve": facts.solve,
                        "verify": facts.verify, "total": facts.total}}
        return self

    def close(self) -> None:
        """Frees it. What has been given out stays."""
        _native.free(*self._give_up())

    def _give_up(self) -> Any:
        """What is to be called for it to be freed; a call that waits for its turn gets no solution
        then."""
        pointer, self._pointer = self._pointer, None
        if self._process != os.getpid():  # devices and threads are the parent's
            return []
        if pointer:
            handle = ctypes.c_void_p(pointer.value)
            pointer.value, pointer = None, handle
        given_up = [(_native.library.apsp_solution_free, pointer)] if pointer else []
        return given_up + self._graph.give_up()

    def __enter__(self) -> Solution:
        return self

    def __exit__(self, *exception: Any) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_pointer", None):
            _native.free_later(*self._give_up())

    def _check(self) -> None:
        if self._pointer is None:
            raise ValueError("the solution is closed")

    def _ask(self, name: Any, *arguments: Any, small: bool = True) -> None:
        """A call of the library for this solution."""
        try:
            _native.call(name, self._pointer, *arguments, small=small and self._small)
        except ValueError:
            if self._pointer is None:
                raise ValueError("the solution is closed: another thread has closed it while this"
                                 " call waited for its turn") from None
            raise

    @property
    def dtype(self) -> str:
        """Name of the type of its rows."""
        return self._name

    def distances(self, indices: Any = None, targets: Any = None, out: Any = None) -> Any:
        """Distances from some vertices to some, as :func:`shortest_path` returns them.

        Parameters
        ----------
        out : array or 'device', optional
            An array of NumPy, or of CuPy or PyTorch on a GPU: it is filled. 'device': they stay in
            the memory of the GPU, as a :class:`DeviceArray`.

        Returns
        -------
        array, shape of ``indices`` followed by that of ``targets``
            Both are (n,) where None is given, and () for a single vertex.
        """
        self._check()
        sources, before = _arrays.choose(indices, self.n, self._graph.find, "indices")
        columns, after = _arrays.choose(targets, self.n, self._graph.find, "targets")
        return self._table(sources, columns, before + after, out)

    def path_counts(self, indices: Any = None, targets: Any = None, out: Any = None) -> Any:
        """Numbers of shortest paths from some vertices to some.

        Returns
        -------
        float64 array, shape of ``indices`` followed by that of ``targets``
            Exact up to 2**53. One path leads from a vertex to itself, and none, 0, to a vertex that
            is not reached. The shortest of parallel edges counts, as one.

        Raises
        ------
        ValueError
            A weight is not above 0, or real ones differ too much for their sums; or 2**1024
            shortest paths or more lead from one vertex to another.
        """
        self._check()
        sources, before = _arrays.choose(indices, self.n, self._graph.find, "indices")
        columns, after = _arrays.choose(targets, self.n, self._graph.find, "targets")
        return self._fill("apsp_path_counts", "float64", sources, columns, before + after, out)

    def _table(self, sources: Any, columns: Any, shape: Tuple[int, ...], out: Any) -> Any:
        if isinstance(out, str):
            return self._table_there(sources, columns, shape, out)
        if out is not None and is_there(out):
            return self._table_into(sources, columns, shape, out)
        return self._fill("apsp_table", self._name, sources, columns, shape, out)

    def _fill(self, function: str, name: str, sources: Any, columns: Any, shape: Tuple[int, ...],
              out: Any) -> Any:
        entries = _product(*shape)
        if out is None:
            result = _arrays.new(shape, name)
            address = _arrays.address_of(result)
        else:
            result, (address, _, count) = out, _arrays.given(out, shape, name)
            self._check_apart(address, count)
        if address is not None and entries:
            lists = (_arrays.vertices(sources), _arrays.vertices(columns))
            self._ask(function, *(None if x is None else byref(x) for x in lists), address, 0,
                      small=_native.is_small(self.n, entries))
        return result[()] if out is None and shape == () else result

    def _table_there(self, sources: Any, columns: Any, shape: Tuple[int, ...], out: str) -> Any:
        if out != "device":
            raise ValueError("out %r: expected an array or 'device'" % (out,))
        lists = (_arrays.vertices(sources), _arrays.vertices(columns))
        table = _native.DeviceTable()
        try:
            if self.n:
                self._ask("apsp_table_on_device", *(None if x is None else byref(x) for x in lists),
                          byref(table), small=False)
        except BaseException:
            _native.library.apsp_device_table_free(byref(table))
            raise
        return DeviceArray(table, shape, self._name)

    def _table_into(self, sources: Any, columns: Any, shape: Tuple[int, ...], out: Any) -> Any:
        view, _ = given_there(out, shape, (self._name,))
        lists = (_arrays.vertices(sources), _arrays.vertices(columns))
        bytes_ = _product(*shape, _arrays.TYPES[self._name][2])
        if bytes_:
            memory = _native.DeviceMemory(view.address, bytes_, view.stream)
            self._ask("apsp_table_into_device", *(None if x is None else byref(x) for x in lists),
                      byref(memory), small=False)
        return out

    def predecessors(self, indices: Any = None, out: Any = None) -> Any:
        """Trees of shortest paths.

        Returns
        -------
        array of int32, shape of ``indices`` followed by (n,)
            Entry v of a row is the vertex before v on a shortest path from the row's own, and -9999
            for that itself and where there is no path: numbers of rows, not labels.
        """
        self._check()
        sources, before = _arrays.choose(indices, self.n, self._graph.find, "indices")
        return self._trees(sources, before + (self.n,), out)

    def _trees(self, sources: Any, shape: Tuple[int, ...], out: Any) -> Any:
        entries = _product(*shape)
        if out is None:
            result = _arrays.new(shape, "int32")
            address = _arrays.address_of(result)
        else:
            checked = _arrays.given(out, shape, "int32", "out of predecessors")
            result, (address, _, count) = out, checked
            self._check_apart(address, count)
        if address is not None and entries:
            chosen = _arrays.vertices(sources)
            self._ask("apsp_predecessors", None if chosen is None else byref(chosen),
                      NO_PREDECESSOR, address, 0, small=_native.is_small(self.n, entries))
        return result

    def _check_apart(self, address: Optional[int], count: int) -> None:
        if any(_arrays.overlap(address, count, vector) for vector in self._graph.borrowed):
            raise ValueError("out lies in the memory of the graph")

    def _number(self, vertex: Any) -> Any:
        numbers, shape = _arrays.choose(vertex, self.n, self._graph.find, "a vertex")
        if shape != ():
            raise ValueError("%r is not one vertex" % (vertex,))
        return numbers[0]

    def distance(self, source: Any, target: Any) -> Union[int, float]:
        """From one vertex to another, in the weights' unit: an int if it is whole, else a float;
        inf: no path."""
        self._check()
        found = _native.Distance()
        self._ask("apsp_find_distance", self._number(source), self._number(target), byref(found))
        if not found.reachable:
            return float("inf")
        whole = self._name.startswith(("int", "uint"))
        value: Union[int, float] = found.whole if whole else found.real
        return value

    def path(self, source: Any, target: Any) -> Path:
        """One shortest path, as a :class:`Path`: (distance, vertices); (inf, []) if there is
        none."""
        self._check()
        found, ends = _native.Path(), (self._number(source), self._number(target))
        try:
            self._ask("apsp_find_path", *ends, byref(found))
            vertices = [self._graph.label(found.vertex[k]) for k in range(found.length)]
        finally:
            _native.library.apsp_path_free(byref(found))
        return Path(self.distance(source, target), vertices)

    def blocks(self, block_rows: Optional[int] = None) -> Iterator[Tuple[Any, Any]]:
        """All rows, some at a time and in order.

        Parameters
        ----------
        block_rows : int, optional
            Rows of a block; by default as many as 64 MiB hold.

        Yields
        ------
        rows : range, or list of labels
            The vertices whose rows these are.
        block : array, shape (len(rows), n)
            Distances from them. Each is an array of its own.
        """
        self._check()
        step = block_rows
        if step is None:
            step = max(1, BLOCK // max(1, self.n * _arrays.TYPES[self._name][2]))
        elif _count(step, "block_rows") == 0:
            raise ValueError("block_rows must be an integer from 1 on")
        return self._blocks(step)

    def _blocks(self, step: Any) -> Iterator[Any]:
        for first in range(0, self.n, step):
            rows = range(first, min(first + step, self.n))
            names = rows if self.labels is None else self.labels[rows.start:rows.stop]
            yield names, self._rows(rows)

    def _rows(self, rows: Any) -> Any:
        self._check()
        return self._table(array.array("I", rows), None, (len(rows), self.n), None)

    def stats(self, histogram: bool = False, *, indices: Any = None,
              columns: Optional[Iterable[str]] = None) -> Stats:
        """Statistics of distances: see :func:`stats`."""
        self._check()
        chosen, shape = _arrays.choose(indices, self.n, self._graph.find, "indices")
        if chosen is not None and not chosen:
            raise ValueError("indices: expected at least one vertex")
        found, counted = _native.Stats(), counts_of(columns, histogram, self._largest)
        labels = self.labels
        if chosen is not None:
            labels = [self._graph.label(vertex) for vertex in chosen]
        rows = _arrays.vertices(chosen)
        try:
            if self.n == 0:
                found.counted, found.mean, found.sum, found.wiener = counted, math.nan, b"0", b"0"
            else:
                self._ask("apsp_find_stats_from", None if rows is None else byref(rows), counted,
                          byref(found))
            return Stats(found, labels, self.labels is not None, self._largest)
        finally:
            _native.library.apsp_stats_free(byref(found))

    def frame(self, indices: Any = None, targets: Any = None) -> Any:
        """Distances as a ``pandas.DataFrame``: rows are the vertices of ``indices``, columns those
        of ``targets``, by label where the graph has some."""
        import pandas
        self._check()
        rows, _ = _arrays.choose(indices, self.n, self._graph.find, "indices")
        columns, _ = _arrays.choose(targets, self.n, self._graph.find, "targets")
        names = [self.labels or range(self.n) if some is None
                 else [self._graph.label(vertex) for vertex in some] for some in (rows, columns)]
        table = self._table(rows, columns, tuple(map(len, names)), None)
        return pandas.DataFrame(table, pandas.Index(names[0], name="source", tupleize_cols=False),
                                pandas.Index(names[1], name="target", tupleize_cols=False))


def options_of(name: Any, beside: Any, method: Any, device: Any, threads: Any,
               verify: Any, sums: Any, paths: str, ranks: Any = None, gpus: Any = None) -> Any:
    """Options of a solve."""
    options = _native.Options.from_buffer_copy(_DEFAULTS)
    options.method = _choice(_METHODS, method, "method")
    options.device = _choice(_DEVICES, device, "device")
    for field, number in (("threads", threads), ("ranks", ranks), ("gpus", gpus)):
        setattr(options, field, 0 if number is None else _count(number, field))
    options.verify = _native.VERIFY_ALL if verify == "all" else _count(verify, "verify")
    options.sums = _choice(_SUMS, sums, "sums")
    options.paths = _choice(_PATHS, paths, "paths")
    options.output = (_native.NARROW if name is None else _native.AUTO if name == "auto"
                      else _arrays.TYPES[name][0])
    options.beside = beside
    return options


def output_of(graph: Any, dtype: Any) -> Any:
    """The name of the type of rows; None: the narrowest whole one."""
    if dtype is None or dtype == "auto":
        return "float64"
    if dtype == "computed" or dtype == "native" and graph.in_file:  # whose weights are unknown yet
        return "auto"
    if dtype == "native":
        return None if graph.weight is None or _arrays.is_whole(graph.weight) else "float64"
    return _type_name(dtype)


@_words.arguments()
def solve(A: Any, directed: bool = True, unweighted: bool = False, method: str = "auto",
          device: str = "auto", dtype: Any = "auto", *, reverse: bool = False,
          weight: Any = "weight", threads: Optional[int] = None, verify: Union[int, str] = 0,
          sums: Optional[str] = None, paths: str = "shortest", order: Optional[Order] = None,
          rows: Optional[int] = None, progress: Wanted = None, ranks: Optional[int] = None,
          gpus: Optional[int] = None) -> Solution:
    """Solves a graph for several questions.

    Parameters
    ----------
    order : Order, optional
        The order of elimination of a graph with the same pattern, for the sparse engine.
    rows : int, optional
        About so many rows will be asked for, by default all. Any number may be.
    others
        As those of :func:`shortest_path`.

    Returns
    -------
    Solution
        With ``distances``, ``predecessors``, ``distance``, ``path``, ``blocks``, ``stats`` and
        ``update``.
    """
    graph = graph_of(A, directed, unweighted, reverse, weight)
    solution = solution_of(graph, dtype, 0 if rows is None else _count(rows, "rows"), method,
                           device, threads, verify, sums, paths, order, progress, ranks, gpus)
    solution._reading = directed, unweighted, reverse, weight
    return solution


@_words.arguments(solve, without=("weight",))
def solve_each(A: Any, weights: Union[str, Iterable[str]],
               **settings: Any) -> Iterator[Tuple[str, Solution]]:
    """Solves a graph for each of several weights, such as times of day.

    The order of elimination is made once. All weights are those of the same edges.

    Parameters
    ----------
    A : graph whose edges have attributes, frame of edges, or File
    weights : sequence of str
        Names of attributes or columns; a text is one name.
    settings
        As those of :func:`solve`.

    Yields
    ------
    weight : str
    solution : Solution
        Valid until the next one: it is updated.

    Examples
    --------
    >>> import apsp, networkx
    >>> graph = networkx.DiGraph()
    >>> graph.add_edge("a", "b", am=4, pm=7)
    >>> for weight, solution in apsp.solve_each(graph, ["am", "pm"]):
    ...     print(weight, solution.distance("a", "b"))
    am 4.0
    pm 7.0
    """
    solution = None
    try:
        for weight in [weights] if isinstance(weights, str) else weights:
            named = hasattr(A, "with_weight")
            graph = A.with_weight(weight) if named else A
            name: Any = {} if named else {"weight": weight}
            if solution is None:
                solution = solve(graph, **name, **settings)
            else:
                solution.update(graph, **name)
            yield weight, solution
    finally:  # collected perhaps while this very thread is in a call
        if solution is not None:
            _native.free_later(*solution._give_up())


def solution_of(graph: Graph, dtype: Any = "auto", rows: int = 0, method: str = "auto",
                device: str = "auto", threads: Optional[int] = None, verify: Union[int, str] = 0,
                sums: Optional[str] = None, paths: str = "shortest",
                order: Optional[Order] = None, progress: Wanted = None,
                ranks: Optional[int] = None, gpus: Optional[int] = None) -> Solution:
    """Of a graph that is read; the arguments are those of :func:`solve`."""
    name = output_of(graph, dtype)
    options = options_of(name, 0, method, device, threads, verify, sums, paths, ranks,
                         gpus)
    options.rows = rows
    if order is not None:
        if not isinstance(order, Order):
            raise ValueError("order must be an apsp.Order, not %s; apsp.Order.load reads one"
                             % type(order).__name__)
        options.order = order._pointer
    return Solution(graph, name, options, progress)._tell()


@_words.arguments()
def shortest_path(A: Any, directed: bool = True, unweighted: bool = False, indices: Any = None,
                  targets: Any = None, return_predecessors: bool = False, method: str = "auto",
                  device: str = "auto", dtype: Any = "auto", out: Any = None, *,
                  weight: Any = "weight", threads: Optional[int] = None,
                  verify: Union[int, str] = 0, sums: Optional[str] = None,
                  limit: Optional[float] = None, min_only: bool = False,
                  paths: str = "shortest", progress: Wanted = None, ranks: Optional[int] = None,
                  gpus: Optional[int] = None) -> Any:
    """Lengths of the shortest paths between all vertices, exact.

    Parameters
    ----------
    A : graph
        One of

        - a SciPy sparse matrix or array, (n, n): entry (i, j) is the weight of the edge i -> j;
          stored zeros are edges, infinity and NaN are not; entries that are stored twice count
          once, by the lighter one; an array of the package sparse is taken as SciPy takes it;
        - a dense matrix, (n, n): a NumPy array, or nested lists; 0, NaN, inf and -inf are no edges,
          as in ``scipy.sparse.csgraph``; of a masked array all but masked entries, infinity and NaN
          are edges;
        - a networkx graph of any kind; rows are in the order of ``list(A)``, an edge without the
          attribute ``weight`` has weight 1, and of parallel ones the lightest counts;
        - an igraph or networkit graph;
        - a pandas frame with the columns ``source``, ``target`` and, if it is there, ``weight``,
          one row for each edge; the vertices are the labels in these columns, in ascending order;
        - a frame of polars or pyarrow, or another with the Arrow C interface, likewise;
        - a rustworkx graph, whose edges are numbers, or dictionaries with the attribute ``weight``;
        - a pandas series with two levels of index, the sources and the targets; its values are the
          weights;
        - :class:`Edges`, arrays of edges;
        - :func:`read`, a file;
        - a sparse matrix of CuPy, or a tensor of PyTorch (strided, CSR or COO), as those of SciPy
          and NumPy. Arrays in the memory of a GPU, also those of :class:`Edges`, are copied to the
          host after the work on their stream.

        The weights None, NaN and infinity hide an edge; -inf is an error, but for a dense matrix.
        Weights may be negative, and are in any unit; distances are in the same.
    directed : bool
        False: every edge leads back as well. Graphs that are undirected themselves stay so.
    unweighted : bool
        True: all weights count as 1.
    indices, targets : int, label, or array of them, optional
        From which and to which vertices; by default all. Numbers below 0 count from the end.
        Graphs with labels (networkx, frames, igraph with names that are texts, all different) take
        labels.
    return_predecessors : bool
        True: returns a pair, of which the second are the predecessors.
    method : {'auto', 'FW', 'D', 'BF', 'J', 'dense', 'sparse', 'spanning', 'sssp'}
        The engine: 'dense' (also 'FW') is a blocked Floyd-Warshall, 'sparse' eliminates vertices,
        'sssp' searches from each source; otherwise the one that is expected to be the faster one.
        All of them give the same distances, for weights of any sign.
    device : {'auto', 'cpu', 'gpu'}
        'auto' takes a GPU if there is one.
    dtype : {'auto', 'native', 'computed'} or a type
        'auto' is float64, with inf for unreachable, as SciPy has it. 'native' is the narrowest
        whole type that is proved to hold all distances, uint16 to int64, with
        ``apsp.unreachable(dtype)`` for unreachable; and float64 for weights that are not whole.
        'computed' seeks no narrower type than it computes in: int32 or int64 of integers, float64
        of floating-point weights. Or uint16, int32, int64, float32, float64.
    out : array or 'device', optional
        For the distances, of the right shape and a type of these, C-contiguous, also one of CuPy or
        PyTorch on a GPU; with ``return_predecessors`` a pair, whose memory does not overlap.
        'device': they stay in the memory of the GPU that has computed them, as a
        :class:`DeviceArray`.
    weight : str, function or None
        The attribute or column that holds the weights. A name that is not there is an error; but
        the default name may be absent where no other attribute holds numbers, and all weights are 1
        then. A function of a networkx graph is called as networkx does, ``weight(u, v, data)``.
        None: all weights are 1.
    threads : int, optional
        Of each rank; by default as many as OpenMP is told to use, of all ranks together.
    ranks, gpus : int, optional
        One of both. The distances are shared among so many ranks, which are threads of this
        process: on the CPU, or each with a GPU of its own.
    verify : int or 'all'
        So many rows are proved right from the graph itself.
    sums : {None, 'path', 'solver'}
        Of real weights: sums along a shortest path, or as the engine came to them.
    paths : {'shortest', 'bottleneck', 'widest', 'reliable'}
        The value of a path: the sum of its weights; the largest, to be small; the smallest, to be
        large; or their product, to be large. Values stand where distances do, and infinity where
        no path leads.
    limit : float, optional
        What is further counts as unreachable. Not for widest and reliable paths.
    min_only : bool
        True: from the nearest of `indices` alone, as ``scipy.sparse.csgraph.dijkstra`` has it.
        Not for widest and reliable paths. Arrays have the shape of `targets`, predecessors (n,),
        and with them come the sources: that vertex of `indices` for each one, the first of equally
        near ones, or -9999.
    progress : function or bool, optional
        Called as ``progress(step, done, steps)`` while the graph is solved, with a step of 'read',
        'round' or 'row'. What it raises ends the call. True: a bar of tqdm where that is installed,
        else a line on standard error.

    Returns
    -------
    distances : array, shape of ``indices`` followed by that of ``targets``; (n, n) for all
        ``distances[i, j]`` is the length of a shortest path from i to j; 0 for i = j.
    predecessors : int32 array, shape of ``indices`` followed by (n,)
        Entry v of a row is the vertex before v on a shortest path from the row's own, -9999 if
        there is none: numbers of rows, not labels, and to all vertices whatever ``targets`` is.

    Raises
    ------
    NegativeCycleError
        With ``vertices``, those of one such cycle.
    MemoryError
        Before anything large is allocated.
    ValueError, OSError, DeviceError
        With the library's message.

    Examples
    --------
    >>> import apsp
    >>> apsp.shortest_path([[0, 7, 3], [0, 0, 0], [0, 2, 0]])
    array([[ 0.,  5.,  3.],
           [inf,  0., inf],
           [inf,  2.,  0.]])
    """
    graph = graph_of(A, directed, unweighted, False, weight)
    outs = out if return_predecessors and out is not None else (out, None)
    there = isinstance(outs, tuple) and len(outs) == 2 and is_there(outs[0])
    if (there or isinstance(out, str) and not return_predecessors) and device == "auto":
        device = "gpu"
    if limit is not None or min_only:
        _nearest.check(limit, min_only, out, there, paths)
    sources, before = _arrays.choose(indices, graph.n, graph.find, "indices")
    columns, after = _arrays.choose(targets, graph.n, graph.find, "targets")
    dtype = check_outs(outs, before + after, before + (graph.n,), dtype, there)
    name = output_of(graph, dtype)
    beside = 0
    if outs[0] is None:
        beside += _product(*before, *after, _arrays.TYPES.get(name, (0, 0, 8))[2])
    if return_predecessors and outs[1] is None:
        beside += _product(*before, graph.n, 4)
    options = options_of(name, beside, method, device, threads, verify, sums, paths, ranks,
                         gpus)
    options.rows = _product(*before)
    with Solution(graph, name, options, progress) as solution:
        if min_only:
            found = _nearest.nearest(solution, sources, limit, return_predecessors)
            near = found[0] if columns is None else found[0][list(columns)].reshape(after)[()]
            return (near, *found[1:]) if return_predecessors else near
        trees = None
        distances = solution._table(sources, columns, before + after, outs[0])
        if return_predecessors:
            trees = solution._trees(sources, before + (graph.n,), outs[1])
        if limit is not None:
            rows = distances if columns is None or trees is None else solution.distances(indices)
            distances = _nearest.up_to(distances, trees, rows, limit, solution.dtype)
        return distances if trees is None else (distances, trees)


def check_outs(outs: Any, shape: Tuple[int, ...], trees: Any, dtype: Any,
               there: bool = False) -> Any:
    """The type of the distances: that of their array where there is one, on a GPU or not."""
    if not isinstance(outs, tuple) or len(outs) != 2:
        raise ValueError("out must be a pair of arrays where predecessors are returned")
    places = []
    if outs[0] is not None and not (isinstance(outs[0], str) and outs[0] == "device"):
        name = None if dtype in (None, "auto", "native", "computed") else _type_name(dtype)
        if there:
            dtype = given_there(outs[0], shape, (name,) if name else tuple(_arrays.TYPES))[1]
        else:
            address, dtype, count = _arrays.given(outs[0], shape, name)
            places.append((address, count))
    if outs[1] is not None:
        address, _, count = _arrays.given(outs[1], trees, "int32", "out of predecessors")
        places.append((address, count))
    if len(places) == 2 and all(count for _, count in places):
        (first, size), (second, other) = sorted(places)
        if second < first + size:
            raise ValueError("the two arrays of out overlap")
    return dtype


@_words.arguments(solve)
def path(A: Any, source: Any, target: Any, directed: bool = True, unweighted: bool = False,
         **settings: Any) -> Path:
    """One shortest path from ``source`` to ``target``.

    Other parameters are those of :func:`shortest_path`. For several paths of one graph use
    :func:`solve`.

    Returns
    -------
    Path
        (distance, vertices): an int or a float in the weights' unit, and the vertices, labels where
        the graph has them, from ``source`` to ``target``; (inf, []) if there is none.
    """
    with solve(A, directed, unweighted, **dict({"dtype": "native"}, **settings)) as solution:
        return solution.path(source, target)


@_words.arguments(solve, without=("rows",))
def blocks(A: Any, directed: bool = True, unweighted: bool = False,
           block_rows: Optional[int] = None, **settings: Any) -> Iterator[Tuple[Any, Any]]:
    """All rows of distances, some at a time and in order: ``for rows, block in apsp.blocks(A)``.

    Memory is that of the engine, which the sparse one needs little of, and of the blocks that the
    caller keeps.

    Parameters
    ----------
    block_rows : int, optional
        Rows of a block; by default as many as 64 MiB hold.

    Others are those of :func:`shortest_path`.

    Yields
    ------
    rows : range, or list of labels
        The vertices whose rows these are.
    block : array, shape (len(rows), n)
        Distances from them, in the weights' unit.
    """
    solution = solve(A, directed, unweighted, **settings)
    try:
        parts = solution.blocks(block_rows)
    except BaseException:
        solution.close()
        raise
    return _closing(solution, parts)


def _closing(solution: Any, parts: Any) -> Iterator[Any]:
    """Collected perhaps while this very thread is in a call."""
    try:
        yield from parts
    finally:
        _native.free_later(*solution._give_up())


@_words.arguments(solve)
def stats(A: Any, directed: bool = True, unweighted: bool = False, histogram: bool = False, *,
          indices: Any = None, columns: Optional[Iterable[str]] = None, **settings: Any) -> Stats:
    """Statistics of distances; rows are counted as they are made, and kept nowhere.

    Parameters
    ----------
    histogram : bool
        True: histogram and quantiles too.
    indices : int, label, or array of them, optional
        Only distances from these vertices count, none twice; by default all.
    columns : iterable of str, optional
        Which columns are counted, of those that :class:`Stats` has; by default all. Fewer take less
        time and memory. ``reachable``, ``eccentricity``, ``total`` and ``closeness`` are always
        there.

    Others are those of :func:`shortest_path`.

    Returns
    -------
    Stats
    """
    settings = dict({"dtype": "native"}, **settings)
    with solve(A, directed, unweighted, **settings) as solution:
        return solution.stats(histogram, indices=indices, columns=columns)


_CLOSENESS = {"wasserman-faust": lambda reached, n, total: (reached - 1)**2 / (n - 1) / total,
              "reachable": lambda reached, n, total: (reached - 1) / total,
              "all": lambda reached, n, total: (n - 1) / total,
              "none": lambda reached, n, total: 1 / total}


def _by_label(values: Any, found: Stats) -> Any:
    """A dict, where vertices have labels."""
    if not found._named or found.labels is None:
        return values
    return dict(zip(found.labels, getattr(values, "tolist", list)()))


@_words.arguments(stats)
def closeness(A: Any, directed: bool = True, unweighted: bool = False, reverse: bool = False,
              normalization: str = "wasserman-faust", **settings: Any) -> Union[
                  Any, Dict[Any, float]]:
    """Closeness centrality.

    Parameters
    ----------
    reverse : bool
        False: of the distances from each vertex. True: of those to it, as networkx has it.
    normalization : {'wasserman-faust', 'reachable', 'all', 'none'}
        With r = vertices that it reaches, itself among them, and total = the sum of the distances
        to them: (r - 1)^2 / (n - 1) / total, as networkx; (r - 1) / total, as igraph; (n - 1) /
        total; or 1 / total.

    Others are those of :func:`shortest_path`.

    Returns
    -------
    float64 array, shape (n,) or that of ``indices``; of graphs with labels a dict
        0 where the total is not above 0.
    """
    formula = _choice(_CLOSENESS, normalization, "normalization")
    columns = ("closeness", *(settings.pop("columns", None) or ()))
    found = stats(A, directed, unweighted, reverse=reverse, columns=columns, **settings)
    values = found.closeness
    if normalization != "wasserman-faust":
        sums = (x.tolist() if hasattr(x, "tolist") else x for x in
                (found.reachable, found.total))
        values = [formula(reached, found.n, total) if total > 0 else 0.0
                  for reached, total in zip(*sums)]
        values = values if _arrays.numpy is None else _arrays.numpy.array(values, "float64")
    return _by_label(values, found)


@_words.arguments(stats)
def eccentricity(A: Any, directed: bool = True, unweighted: bool = False, reverse: bool = False,
                 **settings: Any) -> Any:
    """The largest distance from each vertex to one that it reaches.

    Parameters are those of :func:`closeness`; reverse=True: to each vertex.

    Returns
    -------
    int64 array, or float64 of real weights, shape (n,) or that of ``indices``; of graphs with
    labels a dict
    """
    found = stats(A, directed, unweighted, reverse=reverse, **dict({"columns": ()}, **settings))
    return _by_label(found.eccentricity, found)


@_words.arguments(solve)
def access(A: Any, opportunities: Any = None, cutoffs: Any = (), decays: Any = (),
           nearest: Any = (), indices: Any = None, directed: bool = True,
           unweighted: bool = False, **settings: Any) -> Any:
    """Sums of the opportunities that each vertex reaches: see :meth:`Solution.access`.

    Others are those of :func:`shortest_path`.

    >>> import apsp
    >>> apsp.access(apsp.Edges(3, [0, 1], [1, 2], [4, 5]), [0, 10, 7], cutoffs=[4, 9]).tolist()
    [[10.0, 17.0], [10.0, 17.0], [7.0, 7.0]]
    """
    with solve(A, directed, unweighted, **settings) as solution:
        return solution.access(opportunities, cutoffs, decays, nearest, indices)
