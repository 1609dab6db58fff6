"""Many small graphs in one call."""

from __future__ import annotations

import ctypes
from ctypes import byref
from typing import Any, List, Optional

from . import _api, _arrays, _device, _native, _words
from ._graphs import Edges, edges_of_masked, entries_of, is_sparse

numpy = _arrays.numpy
NO_PREDECESSOR = -9999
_SMALL = 1 << 18  # steps, which take less than a millisecond
_FIELDS = ("vertices", "weight", "stride", "from", "to", "edges", "distances", "before")


@_words.arguments()
def shortest_path_batch(graphs: Any, sizes: Any = None, directed: bool = True,
                        unweighted: bool = False, return_predecessors: bool = False,
                        dtype: str = "float64", padded: Optional[bool] = None, out: Any = None, *,
                        threads: Optional[int] = None) -> Any:
    """Lengths of the shortest paths between all vertices of each of many small graphs, in one call
    by all cores: molecules, connectomes, meshes, of at most 1,024 vertices.

    Parameters
    ----------
    graphs : array, shape (b, n, n); or a sequence of b graphs
        One padded array of matrices; or matrices of any sizes, NumPy's or SciPy's sparse ones, or
        :class:`Edges`. Of dense matrices 0, infinity and NaN are no edges, of masked ones masked
        entries, infinity and NaN. -inf is an error.
    sizes : array_like of int, shape (b,), optional
        How many vertices each graph of a padded array has: the first rows and columns count.
    directed, unweighted : bool
        As in :func:`shortest_path`, for all graphs.
    return_predecessors : bool
        True: returns a pair, of which the second are the predecessors.
    dtype : {'float64', 'float32', 'int32'}
        Of the distances; infinity, or 1073741823, is unreachable.
    padded : bool, optional
        Whether the result is one array; by default as `graphs` are.
    out : array, shape (b, n, n), optional
        For the distances of a padded result, of type `dtype` and C-contiguous; with
        ``return_predecessors`` a pair.
    threads : int, optional
        By default as many as OpenMP is told to use.

    Returns
    -------
    distances : array, shape (b, n, n); or a list of b arrays, shape (n_k, n_k)
        Unreachable beyond a graph's vertices. Whole distances are exact, others are sums of
        float64.
    predecessors : int32 arrays of the same shapes
        Entry (i, j) is the vertex before j on a shortest path from i, or -9999.

    Raises
    ------
    NegativeCycleError, ValueError, MemoryError
        With the number of the graph.

    Examples
    --------
    >>> import apsp
    >>> import numpy as np
    >>> path = np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]])
    >>> apsp.shortest_path_batch([path, path[:2, :2]], dtype="int32")[1]
    array([[0, 1],
           [1, 0]], dtype=int32)
    >>> apsp.shortest_path_batch(np.stack([path, path]), sizes=[3, 2]).shape
    (2, 3, 3)
    """
    if numpy is None:
        raise ImportError("shortest_path_batch needs NumPy")
    dtype = _arrays.type_name(dtype)
    if dtype not in ("float64", "float32", "int32"):
        raise ValueError("dtype %s: not one of float64, float32, int32" % (dtype,))
    if getattr(graphs, "ndim", None) == 3:
        padded = padded is None or padded
        table, weight, keep = _of_stack(graphs, sizes)
        most = graphs.shape[1]
    else:
        if getattr(graphs, "ndim", 3) != 3 or isinstance(graphs, Edges) or _is_named(graphs):
            raise ValueError(_ONE % type(graphs).__name__)
        if sizes is not None:
            raise ValueError("sizes are of one padded array")
        table, weight, keep = _of_list(list(graphs))
        most = int(table["vertices"].max(initial=0))
    batch = _native.Batch()
    _native.library.apsp_batch_task_reset(byref(batch), ctypes.sizeof(batch))
    batch.weight, batch.output = weight, _arrays.TYPES[dtype][0]
    batch.undirected, batch.unweighted = not directed, bool(unweighted)
    batch.none, batch.threads = NO_PREDECESSOR, 0 if threads is None else _threads(threads)
    batch.room = most if padded else 0
    if out is not None and not padded:
        raise ValueError("out is for a padded result")
    outs = out if return_predecessors and out is not None else (out, None)
    shape = (len(table), most, most)
    _api.check_outs(outs, shape, shape, dtype)
    _check_apart(outs, keep)
    results = [_room(table, "distances", dtype, batch.room, outs[0])]
    if return_predecessors:
        results.append(_room(table, "before", "int32", batch.room, outs[1]))
    _run(batch, table)
    del keep
    return tuple(results) if return_predecessors else results[0]


_ONE = ("graphs must be (b, n, n) or a list of matrices, and this is one %s: one graph goes to "
        "apsp.shortest_path")


def _is_named(graph: Any) -> bool:
    """Whether it is a graph of another package, or a frame."""
    return type(graph).__module__.split(".")[0] in ("igraph", "networkit", "networkx", "pandas",
                                                    "rustworkx")


def _threads(threads: Any) -> Any:
    if isinstance(threads, bool) or not hasattr(threads, "__index__") or not (
            0 <= threads.__index__() < 2**31):
        raise ValueError("threads must be an integer from 0 on, not %r" % (threads,))
    return threads.__index__()


def _run(batch: Any, table: Any) -> None:
    """Of the graphs that have vertices."""
    some = table if table["vertices"].all() else table[table["vertices"] > 0]
    numbers = None if some is table else numpy.flatnonzero(table["vertices"] > 0)
    batch.count, batch.graph = len(some), _arrays.address_of(some)
    steps = float((some["vertices"].astype(float) ** 3).sum())
    try:
        _native.call("apsp_batch", byref(batch), small=steps < _SMALL)
    except (_native.Cycle, ValueError) as error:
        text = str(error)
        if numbers is not None and text.startswith("graph "):
            number, text = text[len("graph "):].split(":", 1)
            text = "graph %d:%s" % (numbers[int(number)], text)
        if isinstance(error, _native.Cycle):
            raise _native.negative_cycle(text, ()) from None
        raise ValueError(text) from None


def _table(count: int) -> Any:
    return numpy.zeros(count, numpy.dtype([(name, numpy.uint64) for name in _FIELDS]))


def _fitting(values: Any, what: str) -> Any:
    """The same matrix, or matrices, in a type that the library takes, rows contiguous."""
    values = _arrays._asarray(values, what)
    if values.dtype not in _arrays._KINDS or values.dtype.kind == "u":
        values = _arrays._fitting(values, False, what)
    itemsize = values.itemsize
    if values.size and (values.strides[-1] != itemsize or values.strides[-2] < 0
                        or values.strides[-2] % itemsize or values.strides[0] < 0
                        or not values.flags.aligned):
        values = numpy.ascontiguousarray(values)
    return values


def _check_apart(outs: Any, keep: Any) -> None:
    """ValueError: a result would lie where graphs do."""
    for graph in keep if isinstance(keep, list) else [keep]:
        for part in graph if isinstance(graph, tuple) else (graph,):
            if any(out is not None and part is not None and numpy.may_share_memory(out, part)
                   for out in outs):
                raise ValueError("out lies in the memory of the graphs")


def _of_stack(graphs: Any, sizes: Any) -> Any:
    masked = numpy.ma.isMaskedArray(graphs)
    stack = graphs if masked else _fitting(graphs, "graphs")
    count, n = stack.shape[:2]
    if stack.shape[2] != n:
        raise ValueError("the matrices must be square, not of shape %s" % (stack.shape[1:],))
    table = _table(count)
    if sizes is None:
        table["vertices"] = n
    else:
        sizes = _arrays._asarray(sizes, "sizes")
        if sizes.shape != (count,) or sizes.size and (
                sizes.dtype.kind not in "iu" or sizes.min() < 0 or sizes.max() > n):
            raise ValueError("sizes must be %d integers from 0 to %d" % (count, n))
        table["vertices"] = sizes
    if masked:
        return _of_any([graph[:size, :size] for graph, size in
                        zip(stack, table["vertices"].tolist())])
    if stack.size:
        first = _arrays.address_of(stack)
        table["weight"] = first + numpy.arange(count, dtype=numpy.int64) * stack.strides[0]
        table["stride"] = stack.strides[1] // stack.itemsize
    return table, _arrays._KINDS[stack.dtype], stack


def _of_list(graphs: Any) -> Any:
    kind: Any = graphs[0].dtype if graphs and isinstance(graphs[0], numpy.ndarray) else None
    if kind in _arrays._KINDS and kind.kind != "u" and all(
            type(graph) is numpy.ndarray and graph.ndim == 2 and graph.dtype == kind
            and graph.flags.carray for graph in graphs):
        table = _table(len(graphs))
        shapes = numpy.array([graph.shape for graph in graphs], numpy.uint64)
        _check_square(shapes)
        table["vertices"] = table["stride"] = shapes[:, 0]
        table["weight"] = [graph.__array_interface__["data"][0] for graph in graphs]
        return table, _arrays._KINDS[kind], graphs
    return _of_any(graphs)


def _check_square(shapes: Any) -> None:
    wrong = numpy.flatnonzero(shapes[:, 0] != shapes[:, 1])
    if len(wrong):
        raise ValueError("graph %d: a matrix must be square, not of shape %s"
                         % (wrong[0], tuple(map(int, shapes[wrong[0]]))))


def _of_any(graphs: Any) -> Any:
    """Each graph as a matrix, or as edges: sources, targets and weights."""
    parts = [_part(k, graph) for k, graph in enumerate(graphs)]
    kinds = {weight.dtype for _, _, _, weight in parts if weight is not None and weight.size}
    kind = numpy.dtype("float64")
    if kinds and all(k.kind == "i" for k in kinds):
        kind = numpy.dtype("int64") if len(kinds) > 1 else kinds.pop()
    elif len(kinds) == 1:
        kind = kinds.pop()
    elif any(k.kind == "i" and weight.size and abs(weight).max() > 2**53
             for _, _, _, weight in parts if weight is not None for k in (weight.dtype,)):
        raise ValueError("integer weights beyond 2^53 among floating-point graphs")
    table, keep = _table(len(graphs)), []
    for row, (n, source, target, weight) in zip(table, parts):
        weight = weight if weight is None else numpy.ascontiguousarray(weight, kind)
        keep.append((source, target, weight))
        row["vertices"] = row["stride"] = n
        row["weight"] = 0 if weight is None else _arrays.address_of(weight)
        if source is not None:
            row["from"], row["to"] = _arrays.address_of(source), _arrays.address_of(target)
            row["edges"] = len(source)
    return table, _arrays._KINDS[kind], keep


def _part(k: Any, graph: Any) -> Any:
    """Its vertices, sources, targets (None for a matrix) and weights."""
    if numpy.ma.isMaskedArray(graph) and graph.ndim == 2:
        _check_square(numpy.array([graph.shape]))
        graph = edges_of_masked(graph)
    if isinstance(graph, Edges):
        ends = [_vertices(k, graph.vertices, x) for x in (graph.source, graph.target)]
        weight, count, shown = None, len(ends[0]), None
        if graph.weight is not None:
            weight, count, shown = _arrays.weights(graph.weight)
            weight = numpy.asarray(weight.owner)
        if not len(ends[0]) == len(ends[1]) == count:
            raise ValueError("graph %d: arrays of edges of different lengths" % k)
        if shown is not None:  # the others' weights hide them
            ends = [_vertices(k, graph.vertices, x[shown]) for x in ends]
        return (graph.vertices, *ends, weight)
    graph = _device.of_tensor(graph) if _device.is_tensor(graph) else graph
    if is_sparse(graph):
        _check_square(numpy.array([graph.shape]))
        n, (row, column, data) = graph.shape[0], entries_of(graph)
        data = _arrays._fitting(data, False, "graph %d" % k)
        return n, _vertices(k, n, row), _vertices(k, n, column), data
    if _is_named(graph):
        package = type(graph).__module__.split(".")[0]
        raise ValueError("graph %d is a graph of %s, and must be a matrix or apsp.Edges%s" % (
            k, package, ": use networkx.to_numpy_array" if package == "networkx" else ""))
    matrix = _arrays._asarray(graph, "graph %d" % k)
    if matrix.ndim == 1 and matrix.dtype.kind in "biuf":  # of one matrix as lists
        raise ValueError(_ONE % "matrix")
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise ValueError("graph %d: a matrix must be square, not of shape %s" % (k, matrix.shape))
    matrix = _fitting(matrix, "graph %d" % k)
    return matrix.shape[0], None, None, matrix


def _vertices(k: Any, n: int, numbers: Any) -> Any:
    """As int32, of which one place is there in any case, so that there is an address."""
    numbers = _arrays._asarray(numbers, "graph %d" % k)
    if numbers.size and (numbers.dtype.kind not in "iu" or numbers.ndim != 1
                         or numbers.min() < 0 or numbers.max() >= n):
        raise ValueError("graph %d: vertices of edges must be integers from 0 to %d"
                         % (k, n - 1))
    room = numpy.zeros(len(numbers) + 1, numpy.int32)
    room[:-1] = numbers
    return room[:-1]


def _room(table: Any, field: Any, name: Any, room: Any, out: Any) -> Any:
    """Places for results: one array, or a list of arrays in one."""
    count, itemsize = len(table), numpy.dtype(name).itemsize
    if room or out is not None:
        shape = (count, room, room)
        if out is None:
            out = _arrays.new(shape, name)
        if out.size:
            table[field] = (_arrays.address_of(out)
                            + numpy.arange(count, dtype=numpy.int64) * (room * room * itemsize))
        none = NO_PREDECESSOR if field == "before" else _arrays.UNREACHABLE[name]
        out[table["vertices"] == 0] = none
        return out
    sizes = table["vertices"].astype(numpy.int64)
    ends = numpy.cumsum(sizes * sizes)
    flat = _arrays.new((int(ends[-1]) if count else 0,), name)
    starts = ends - sizes * sizes
    if flat.size:
        table[field] = _arrays.address_of(flat) + starts * itemsize
    rows: List[Any] = [flat[start:end].reshape(n, n) for start, end, n in
                       zip(starts.tolist(), ends.tolist(), sizes.tolist())]
    return rows
