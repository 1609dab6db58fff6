"""Graphs of other packages as the library's. None of these packages is imported here."""

import array
import ctypes
import sys
from ctypes import byref
from typing import Any

from . import _arrays, _native


class Edges:
    """A graph as arrays of its edges, in any order.

    Parameters
    ----------
    vertices : int
        Their number n; they count from 0 to n - 1.
    source, target : array_like of int, shape (m,)
        The vertices that each edge leads from and to: NumPy arrays, buffers such as ``array.array``, or lists.
        Arrays of 4 or 8 bytes are used where they lie, and must stay as they are.
    weight : array_like of int or float, shape (m,), optional
        Lengths; all are 1 without. Of parallel edges the lightest counts.
    """

    def __init__(self, vertices: int, source: Any, target: Any, weight: Any = None) -> None:
        self.vertices = vertices
        self.source = source
        self.target = target
        self.weight = weight


class Graph:
    """The library's graph, what it borrows, and what its vertices are called."""

    def __init__(self, n, labels=None):
        self.pointer = ctypes.c_void_p()
        self.n = n
        self.borrowed = []
        self.labels = labels
        self.find = None
        self.weight = None  # the Vector of weights, if they are not all 1

    def name_vertices(self):
        """Lets vertices be asked for by label."""
        numbers = {label: number for number, label in enumerate(self.labels)}

        def find(label):
            try:
                return numbers[label]
            except (KeyError, TypeError):
                raise ValueError("%r is not a vertex of the graph" % (label,)) from None

        self.find = find
        return self

    def label(self, number):
        return number if self.labels is None else self.labels[number]

    def make(self, function, struct):
        _native.call(function, byref(self.pointer), byref(struct))
        return self

    def adapt(self, undirected, unweighted, reverse):
        if undirected or unweighted or reverse:
            reading = _native.Reading()
            _native.library.apsp_reading_reset(byref(reading), ctypes.sizeof(reading))
            reading.undirected, reading.unweighted, reading.reverse = bool(undirected), bool(unweighted), bool(reverse)
            self.weight = None if unweighted else self.weight
            _native.call("apsp_graph_adapt", self.pointer, byref(reading))

    def cycle(self):
        """The vertices of the negative cycle that the last solve found."""
        length = ctypes.c_size_t()
        found = _native.library.apsp_graph_cycle(self.pointer, byref(length))
        return [self.label(found[k]) for k in range(length.value)]

    def give_up(self):
        """What is to be called for it to be freed."""
        pointer, self.pointer = self.pointer, None
        return [(_native.library.apsp_graph_free, pointer)] if pointer else []

    def __del__(self):
        if getattr(self, "pointer", None):
            _native.free_later(*self.give_up())


def _from_edges(n, source, target, weight, labels=None):
    if isinstance(n, bool) or not hasattr(n, "__index__") or n.__index__() < 0:
        raise ValueError("vertices must be a whole number from 0 on, not %r" % (n,))
    n = n.__index__()
    source, target = _arrays.vector(source, True, "source"), _arrays.vector(target, True, "target")
    graph = Graph(n, labels)
    graph.borrowed = [source, target]
    native = _native.Edges(min(n, _native.SIZE_MAX), source.count, source.native, target.native)
    if target.count != source.count:
        raise ValueError("%d sources of edges, but %d targets" % (source.count, target.count))
    if weight is not None:
        weight = _arrays.vector(weight, False, "weight")
        if weight.count != source.count:
            raise ValueError("%d edges, but %d weights" % (source.count, weight.count))
        graph.borrowed.append(weight)
        graph.weight = weight
        if weight.count:
            native.weight = weight.native
    return graph.make("apsp_graph_edges", native) if n else _empty(source.count, graph)


def _empty(edges, graph):
    if edges:
        raise ValueError("%d edges of a graph without vertices" % edges)
    return graph


def _from_sparse(matrix):
    numpy = _arrays.numpy
    matrix = matrix.tocsr()
    _arrays._check_square(matrix.shape)
    data = matrix.data
    if data.dtype.kind == "f" and not numpy.isfinite(data).all():
        if numpy.isnan(data).any():
            raise ValueError("the matrix has entries that are stored and NaN")
        matrix = matrix.tocoo()
        kept = matrix.data != numpy.inf
        return _from_edges(matrix.shape[0], matrix.row[kept], matrix.col[kept], matrix.data[kept])
    n = matrix.shape[0]
    start, to = _arrays.vector(matrix.indptr, True, "indptr"), _arrays.vector(matrix.indices, True, "indices")
    weight = _arrays.vector(data, False, "data")
    if n == 0:
        return Graph(0)
    if start.count != n + 1 or int(matrix.indptr[-1]) > min(to.count, weight.count):
        raise ValueError("the sparse matrix is broken: indptr does not fit indices and data")
    graph = Graph(n)
    graph.borrowed = [start, to, weight]
    graph.weight = weight
    if not int(matrix.indptr[-1]):
        return graph.make("apsp_graph_edges", _native.Edges(n, 0, _nowhere(), _nowhere(), _native.Array()))
    return graph.make("apsp_graph_csr", _native.Csr(n, start.native, to.native, weight.native))


def _nowhere():
    return _native.Array(None, _native.I32)


def _from_masked(matrix):
    numpy = _arrays.numpy
    _arrays._check_square(matrix.shape)
    row, column = numpy.nonzero(~numpy.ma.getmaskarray(matrix))
    weight = matrix.data[row, column]
    if weight.dtype.kind == "f":
        kept = weight != numpy.inf
        row, column, weight = row[kept], column[kept], weight[kept]
    return _from_edges(matrix.shape[0], row, column, weight)


def _from_dense(matrix):
    weight, n, stride, step = _arrays.square(matrix)
    graph = Graph(n)
    graph.borrowed = [weight]
    graph.weight = weight
    if n == 0:
        return graph
    return graph.make("apsp_graph_matrix", _native.Matrix(n, weight.native, stride, step, None))


def _numbers(weights):
    """Whole if all of them are."""
    try:
        return array.array("q", weights)
    except OverflowError:
        raise ValueError("weight: too large a whole number") from None
    except TypeError:
        pass
    try:
        return array.array("d", weights)
    except (TypeError, ValueError, OverflowError) as error:
        raise ValueError("weight: %s" % error) from None


def _from_networkx(graph, weight):
    labels = list(graph)
    number = {label: k for k, label in enumerate(labels)}
    source, target = array.array("q"), array.array("q")
    weights = []
    for u, v, w in graph.edges(data=weight, default=1) if weight is not None else ((u, v, 1) for u, v in graph.edges()):
        source.append(number[u])
        target.append(number[v])
        weights.append(w)
    made = _from_edges(len(labels), source, target, None if weight is None else _numbers(weights), labels)
    return made.name_vertices(), graph.is_directed()


def _from_igraph(graph, weight):
    n = graph.vcount()
    pairs = graph.get_edgelist()
    weights = None
    if weight is not None and weight in graph.es.attributes():
        weights = _numbers(graph.es[weight])
    made = _from_edges(n, array.array("q", (u for u, _ in pairs)), array.array("q", (v for _, v in pairs)), weights)
    if "name" in graph.vs.attributes():
        names = graph.vs["name"]
        numbers = {name: k for k, name in enumerate(names)}

        def find(vertex):
            if isinstance(vertex, str) and vertex in numbers:
                return numbers[vertex]
            if hasattr(vertex, "__index__"):
                return vertex.__index__()
            raise ValueError("%r is not a vertex of the graph" % (vertex,))

        made.labels, made.find = names, find
    return made, graph.is_directed()


def _from_networkit(graph, weight):
    labels = list(graph.iterNodes())
    contiguous = not labels or labels[-1] == len(labels) - 1
    number = range(len(labels)) if contiguous else {label: k for k, label in enumerate(labels)}
    source, target, weights = array.array("q"), array.array("q"), array.array("d")
    for u, v, w in graph.iterEdgesWeights():
        source.append(number[u])
        target.append(number[v])
        weights.append(w)
    made = _from_edges(len(labels), source, target, weights if weight is not None and graph.isWeighted() else None,
                       None if contiguous else labels)
    return made if contiguous else made.name_vertices(), graph.isDirected()


def _from_frame(frame, weight):
    pandas = sys.modules["pandas"]
    if "source" not in frame.columns or "target" not in frame.columns:
        raise ValueError("a frame of edges has the columns 'source' and 'target', and not %s" % (list(frame.columns),))
    ends = pandas.concat([frame["source"], frame["target"]], ignore_index=True)
    try:
        codes, labels = pandas.factorize(ends, sort=True)
    except TypeError:  # of kinds that have no order among them
        codes, labels = pandas.factorize(ends)
    if (codes < 0).any():
        raise ValueError("the frame has edges whose source or target is missing")
    m = len(frame)
    weights = frame[weight].to_numpy() if weight is not None and weight in frame.columns else None
    return _from_edges(len(labels), codes[:m], codes[m:], weights, labels.tolist()).name_vertices(), True


def _is(value, package, name):
    """Whether it is an object of that class, of a package that must have been imported then."""
    kind = getattr(sys.modules.get(package), name, None)
    return kind is not None and isinstance(value, kind)


def _convert(graph, weight):
    """The graph, and whether its edges have directions."""
    if _is(graph, "networkx", "Graph"):
        return _from_networkx(graph, weight)
    if _is(graph, "igraph", "Graph"):
        return _from_igraph(graph, weight)
    if _is(graph, "networkit", "Graph"):
        return _from_networkit(graph, weight)
    if _is(graph, "pandas", "DataFrame"):
        return _from_frame(graph, weight)
    if isinstance(graph, Edges):
        return _from_edges(graph.vertices, graph.source, graph.target, graph.weight), True
    if hasattr(graph, "tocsr"):
        return _from_sparse(graph), True
    if _arrays.numpy is not None and _arrays.numpy.ma.isMaskedArray(graph):
        return _from_masked(graph), True
    return _from_dense(graph), True


def graph_of(graph, directed=True, unweighted=False, reverse=False, weight="weight"):
    """Any graph that the package takes, as the library's."""
    for name, value in (("directed", directed), ("unweighted", unweighted)):
        if isinstance(value, str):  # in scipy.sparse.csgraph the method comes second
            raise ValueError("%s must be True or False, not %r: a method is given as method=%r" % (name, value, value))
    made, has_directions = _convert(graph, None if unweighted else weight)
    if made.n:
        made.adapt(not (directed and has_directions), unweighted, reverse)
    return made
