"""Graphs of other packages as the library's. None of these packages is imported here."""

from __future__ import annotations

import array
import ctypes
import numbers
import re
import sys
import warnings
from ctypes import byref
from typing import Any, Callable, Dict, List, Optional

from . import _arrays, _device, _frames, _native, _words

DEFAULT_WEIGHT = "weight"
_ABSENT = object()
_TEXT = 900  # characters of a message


@_words.methods
class Edges:
    """A graph as arrays of its edges, in any order.

    Parameters
    ----------
    vertices : int
        Their number n; they count from 0 to n - 1.
    source, target : array_like of int, shape (m,)
        The vertices that each edge leads from and to: NumPy arrays, buffers such as
        ``array.array``, or lists. Arrays of 4 or 8 bytes are used where they lie, and must stay as
        they are.
    weight : array_like of int or float, shape (m,), optional
        Lengths; all are 1 without. Infinity, NaN and None hide an edge. Of parallel edges the
        lightest counts.
    labels : list, optional
        What the vertices are called, n different ones; by default their numbers.
    """

    def __init__(self, vertices: int, source: Any, target: Any, weight: Any = None,
                 labels: Any = None) -> None:
        self.vertices = vertices
        self.source = source
        self.target = target
        self.weight = weight
        self.labels = labels

    @classmethod
    @_words.arguments()
    def from_frame(cls, frame: Any, source: str = "source", target: str = "target",
                   weight: Any = ..., oneway: Optional[str] = None) -> Edges:
        """The edges in a frame of pandas, polars, pyarrow or another with the Arrow C interface.

        Parameters
        ----------
        frame : frame
            One row for each edge.
        source, target : str
            The names of its columns with the ends of edges. The vertices are the labels there, in
            ascending order.
        weight : str or None, optional
            The name of the column with the weights. None or left out: all edges are 1 long.
        oneway : str, optional
            The column with the direction of each edge: True, 1, yes for the one written, -1 or
            reverse for the opposite one, False, 0, no or nothing for both; the words are those of
            the option --oneway of the command. ValueError: another word.

        Warns
        -----
        UserWarning
            No weight is given, and another column holds numbers. weight=None does not warn.
        """
        if not _frames.is_frame(frame):
            raise ValueError("%s is not a frame of edges; %s" % (
                type(frame).__name__, _arrays.way_out(frame)))
        ends = _frames.number(*(_frames.column(frame, name) for name in (source, target)))
        if weight is ...:
            warn_of_unused(frame, (source, target, oneway), "weight")
            weight = None
        lengths = None if weight is None else _frames.column(frame, weight)
        if oneway is not None:
            rows, flipped = _frames.directions(_frames.column(frame, oneway), oneway)
            numpy = _arrays.numpy
            ends = (numpy.where(flipped, ends[1][rows], ends[0][rows]),
                    numpy.where(flipped, ends[0][rows], ends[1][rows]), ends[2])
            lengths = None if lengths is None else lengths[rows]
        return cls(len(ends[2]), ends[0], ends[1], lengths, ends[2])


class Graph:
    """The library's graph, what it borrows, and what its vertices are called."""

    def __init__(self, n: int, labels: Any = None) -> None:
        self.pointer: Any = ctypes.c_void_p()
        self.n = n
        self.borrowed: List[Any] = []
        self.labels = labels
        self.find: Optional[Callable[[Any], int]] = None
        self.weight: Any = None  # the Vector of weights, if they are not all 1
        self.shown: Any = None  # numbers of the edges that are not hidden, if some are
        self.entries = 0  # of what it is made from, about as many as it has edges
        self.small = False
        self.undirected = False  # every edge leads back
        self.in_file = False
        self.is_matrix = False

    def name_vertices(self) -> Any:
        """Lets vertices be asked for by label."""
        number = {label: k for k, label in enumerate(self.labels)}

        def find(label: Any) -> Any:
            try:
                found = number[label]
            except (KeyError, TypeError):
                raise ValueError("%r is not a vertex of the graph" % (label,)) from None
            if _is_truth(label) and not _is_truth(self.labels[found]):  # True is equal to 1
                raise ValueError(_TRUTH % (label,))
            return found

        self.find = find
        return self

    def label(self, number: int) -> Any:
        return number if self.labels is None else self.labels[number]

    def make(self, function: Any, struct: Any, entries: int) -> Any:
        self.entries = entries
        self.small = _native.is_small(self.n, entries)
        self.call(function, byref(self.pointer), byref(struct), small=self.small)
        return self

    def call(self, function: Any, *arguments: Any, small: bool) -> None:
        """A call of the library."""
        try:
            _native.call(function, *arguments, small=small)
        except ValueError as error:
            raise self.told(error) from None

    def told(self, error: BaseException) -> Any:
        """The same error, with the names that the caller has for edges."""
        return ValueError(re.sub(r"\bedge (\d+)", self._edge, str(error), count=1))

    def _edge(self, match: Any) -> Any:
        number = int(match.group(1))
        if self.labels is not None:
            ends = (self.label(int(vector.owner[number])) for vector in self.borrowed[:2])
            return "the edge %r -> %r" % tuple(ends)
        return "edge %d" % (number if self.shown is None else self.shown[number])

    def adapt(self, undirected: bool, unweighted: Any, reverse: bool) -> None:
        self.undirected = undirected
        if undirected or unweighted or reverse:
            reading = _native.Reading()
            _native.library.apsp_reading_reset(byref(reading), ctypes.sizeof(reading))
            reading.undirected, reading.unweighted = bool(undirected), bool(unweighted)
            reading.reverse = bool(reverse)
            self.weight = None if unweighted else self.weight
            self.small = _native.is_small(self.n, self.entries * (2 if undirected else 1))
            _native.call("apsp_graph_adapt", self.pointer, byref(reading), small=self.small)

    def negative_cycle(self, text: str) -> Any:
        """The exception for the negative cycle that the last solve found; the text names its
        vertices by number."""
        length = ctypes.c_size_t()
        found = _native.library.apsp_graph_cycle(self.pointer, byref(length))
        vertices = [self.label(found[k]) for k in range(length.value)]
        if self.labels is not None and vertices:
            text = text[:text.rindex("vertices ") + len("vertices ")]
            for k, vertex in enumerate(vertices + vertices[:1]):
                text += "%s%r" % (" -> " if k else "", vertex)
                if len(text) > _TEXT:
                    text += " -> ..."
                    break
        elif self.is_matrix and _arrays.is_minus_one(self.weight):
            text += "; if -1 means no edge, mask it: numpy.ma.masked_equal(A, -1)"
        return _native.negative_cycle(text, vertices)

    def give_up(self) -> Any:
        """What is to be called for it to be freed."""
        pointer, self.pointer = self.pointer, None
        return [(_native.library.apsp_graph_free, pointer)] if pointer else []

    def __del__(self) -> None:
        if getattr(self, "pointer", None):
            _native.free_later(*self.give_up())


_TRUTH = ("%r is not a vertex of the graph; where a mask says which ones are meant, give "
          "numpy.array(labels)[mask]")


def _is_truth(value: Any) -> bool:
    return type(value).__name__ in ("bool", "bool_")


def _from_edges(n: int, source: Any, target: Any, weight: Any, labels: Any = None) -> Any:
    if isinstance(n, bool) or not hasattr(n, "__index__") or n.__index__() < 0:
        raise ValueError("n, the number of vertices, must be an integer from 0 on and comes first, "
                         "not %.40s" % (repr(n),))
    n = n.__index__()
    graph = Graph(n, labels)
    source, target = _arrays.vector(source, True, "source"), _arrays.vector(target, True, "target")
    if target.count != source.count:
        raise ValueError("%d sources of edges, but %d targets" % (source.count, target.count))
    graph.borrowed = [source, target]
    if weight is not None:
        try:
            weight, count, graph.shown = _arrays.weights(weight)
        except ValueError as error:
            raise graph.told(error) from None
        if count != source.count:
            raise ValueError("%d edges, but %d weights" % (source.count, count))
        if graph.shown is not None:
            source, target = source.take(graph.shown), target.take(graph.shown)
    graph.borrowed = [source, target]
    native = _native.Edges(min(n, _native.SIZE_MAX), source.count, source.native, target.native)
    if weight is not None:
        graph.borrowed.append(weight)
        graph.weight = weight
        if weight.count:
            native.weight = weight.native
    return graph.make("apsp_graph_edges", native, source.count) if n else _empty(graph)


def _empty(graph: Any) -> Any:
    if graph.borrowed[0].count:
        raise ValueError("%d edges of a graph without vertices" % graph.borrowed[0].count)
    return graph


def _lengths(entries: Any) -> Any:
    """Entries of a matrix, in which True is an edge of length 1."""
    return entries.astype("int32") if entries.dtype.kind == "b" else entries


def entries_of(matrix: Any) -> Any:
    """Rows, columns and values of a sparse matrix's entries."""
    numpy = _arrays.numpy
    matrix = matrix.tocoo() if hasattr(matrix, "tocoo") else matrix
    data = _lengths(_arrays._asarray(matrix.data, "data"))
    if getattr(matrix, "format", "") == "coo":
        return matrix.row, matrix.col, data
    lengths = numpy.diff(_arrays._asarray(matrix.indptr, "indptr").astype(numpy.int64))
    if (lengths < 0).any():
        raise ValueError("the sparse matrix is broken: indptr falls")
    rows = numpy.repeat(numpy.arange(len(lengths)), lengths)
    to = _arrays._asarray(matrix.indices, "indices")
    return rows, to[:len(rows)], data[:len(rows)]


def _from_entries(matrix: Any) -> Any:
    """A sparse matrix by its entries: its format may store one twice, or some are no edges."""
    _arrays.check_square(matrix.shape)
    return _from_edges(matrix.shape[0], *entries_of(matrix))


def _from_sparse(matrix: Any) -> Any:
    if getattr(matrix, "format", "") in ("coo", "bsr"):  # their tocsr adds up what is there twice
        return _from_entries(matrix)
    matrix = matrix.tocsr() if hasattr(matrix, "tocsr") else matrix
    _arrays.check_square(matrix.shape)
    n = matrix.shape[0]
    start = _arrays.vector(matrix.indptr, True, "indptr")
    to = _arrays.vector(matrix.indices, True, "indices")
    weight = _arrays.vector(_arrays._asarray(matrix.data, "data"), False, "data")
    if n == 0:
        return Graph(0)
    entries = int(start.owner[-1]) if start.count == n + 1 else -1
    if not 0 <= entries <= min(to.count, weight.count):
        raise ValueError("the sparse matrix is broken: indptr does not fit indices and data")
    if weight.owner.dtype.kind == "f" and not _arrays.numpy.isfinite(weight.owner).all():
        return _from_entries(_device.Stored(matrix.shape, weight.owner, indptr=start.owner,
                                            indices=to.owner))
    graph = Graph(n)
    graph.borrowed = [start, to, weight]
    graph.weight = weight
    if not entries:
        edges = _native.Edges(n, 0, _nowhere(), _nowhere(), _native.Array())
        return graph.make("apsp_graph_edges", edges, 0)
    csr = _native.Csr(n, start.native, to.native, weight.native)
    return graph.make("apsp_graph_csr", csr, entries)


def is_sparse(graph: Any) -> bool:
    """Whether it is a sparse matrix, of SciPy, CuPy or anything with the arrays of a CSR."""
    return hasattr(graph, "tocsr") or isinstance(graph, _device.Stored) or (
        all(hasattr(graph, name) for name in ("shape", "indptr", "indices", "data"))
        and getattr(graph, "format", "csr") == "csr")


def _nowhere() -> Any:
    return _native.Array(None, _native.I32)


def _from_pydata(matrix: Any) -> Any:
    """An array of the package sparse, which has any value where nothing is stored."""
    if not hasattr(matrix, "to_scipy_sparse"):
        matrix = matrix.to_coo()
    numpy = _arrays.numpy
    fill = matrix.fill_value
    if not (fill == 0 or numpy.isnan(fill) or fill == numpy.inf):
        raise ValueError("the matrix is %s where nothing is stored, which must be 0, inf or nan"
                         % fill)
    return _from_sparse(matrix.to_scipy_sparse(accept_fv=[0, numpy.inf, numpy.nan]))


def edges_of_masked(matrix: Any) -> Edges:
    """All entries of a square matrix but the masked ones."""
    numpy = _arrays.numpy
    row, column = numpy.nonzero(~numpy.ma.getmaskarray(matrix))
    return Edges(matrix.shape[0], row, column, _lengths(matrix.data[row, column]))


def _from_masked(matrix: Any) -> Any:
    _arrays.check_square(matrix.shape)
    return _from_own(edges_of_masked(matrix))


def _from_dense(matrix: Any) -> Any:
    weight, n, stride, step = _arrays.square(matrix)
    if n == 3 and _arrays.looks_listed(weight.owner):
        warnings.warn("three rows of three numbers are taken as a matrix; "
                      + _arrays.COLUMNS % ", A[:,2]", stacklevel=6)
    graph = Graph(n)
    graph.borrowed = [weight]
    graph.weight = weight
    graph.is_matrix = True
    if n == 0:
        return graph
    struct = _native.Matrix(n, weight.native, stride, step, None)
    return graph.make("apsp_graph_matrix", struct, n * n)


def _check_weight(weight: Any, there: Any, numeric: Any, textual: Any, what: str) -> None:
    """Raises where no `what` has that name, and says which names are there. The default name may be
    absent, but where `numeric` ones could be meant, or `textual` ones, which hold numbers as text:
    all edges are 1 long then."""
    if weight == DEFAULT_WEIGHT and not numeric:
        if textual:
            raise ValueError("weight: no %s is called %r; %s text that reads as numbers: convert "
                             "it and give weight=%r, or weight=None"
                             % (what, weight, _holding(textual), textual[0]))
        return
    names = ", ".join(repr(name) for name in (numeric if weight == DEFAULT_WEIGHT else there))
    raise ValueError("weight: no %s is called %r%s; weight=None takes all edges as 1 long" % (
        what, weight, ", but there are " + names if names else ""))


def _holding(names: Any) -> str:
    return ", ".join(map(repr, names)) + (" holds" if len(names) == 1 else " hold")


def warn_of_unused(frame: Any, used: Any, argument: str, level: int = 4) -> None:
    """Warns of unused columns that may be the weights, which the argument would take."""
    numeric, textual = _frames.unused(frame, used)
    silent = "" if argument != "weight" else ", or weight=None"
    if numeric:
        warnings.warn("%s numbers and is not used: weights are 1; give %s=%r%s" % (
            _holding(numeric[:1]), argument, numeric[0], silent), stacklevel=level)
    elif textual:
        warnings.warn("%s text that reads as numbers and is not used: weights are 1; convert it "
                      "and give %s=%r%s" % (_holding(textual[:1]), argument, textual[0], silent),
                      stacklevel=level)


def _is_number(value: Any) -> bool:
    return isinstance(value, numbers.Real) and not isinstance(value, bool)


def _networkx_weights(graph: Any, weight: Any) -> Any:
    """Triples of two vertices and the weight of an edge between them."""
    if weight is None:
        return ((u, v, 1) for u, v in graph.edges())
    if callable(weight):  # of both ways of an edge without direction, as networkx asks it
        return ((u, v, weight(u, v, data)) for u, ends in graph.adjacency()
                for v, data in ends.items())
    if isinstance(weight, bool):  # which edges() takes for a word of its own
        return ((u, v, data.get(weight, _ABSENT)) for u, v, data in graph.edges(data=True))
    return graph.edges(data=weight, default=_ABSENT)


def _from_networkx(graph: Any, weight: Any) -> Any:
    labels = list(graph)
    number = {label: k for k, label in enumerate(labels)}
    source, target = array.array("q"), array.array("q")
    weights = []
    for u, v, w in _networkx_weights(graph, weight):
        source.append(number[u])
        target.append(number[v])
        weights.append(w)
    absent = sum(w is _ABSENT for w in weights)
    if absent and absent == len(weights) and not isinstance(weight, bool):
        there: Dict[Any, List[Any]] = {}  # in their order
        for _, _, data in graph.edges(data=True):
            for name, value in data.items():
                there.setdefault(name, []).append(value)
        _check_attributes(weight, there)
    if absent:
        weights = [1 if w is _ABSENT else w for w in weights]
    made = _from_edges(len(labels), source, target, None if weight is None else weights, labels)
    return made.name_vertices(), graph.is_directed() or callable(weight)


def _check_attributes(weight: Any, there: Dict[Any, List[Any]]) -> None:
    """The same for attributes of edges, by their values. GEXF numbers edges by the text "id"."""
    _check_weight(weight, there, [name for name, some in there.items() if any(
        map(_is_number, some))], [name for name, some in there.items() if name != "id"
                                  and _frames.holds_number_text(some)], "attribute of an edge")


def _from_igraph(graph: Any, weight: Any) -> Any:
    n = graph.vcount()
    pairs = graph.get_edgelist()
    weights = None
    if weight is not None and pairs:
        there = graph.es.attributes()
        if weight in there:
            weights = graph.es[weight]
        else:
            _check_attributes(weight, {name: graph.es[name] for name in there})
    names = graph.vs["name"] if "name" in graph.vs.attributes() else None
    if names is not None and not (all(isinstance(name, str) for name in names)
                                  and len(set(names)) == n):
        names = None  # a number would mean a vertex by its name and by its place
    made = _from_edges(n, array.array("q", (u for u, _ in pairs)),
                       array.array("q", (v for _, v in pairs)), weights, names)
    if names is not None:
        number = {name: k for k, name in enumerate(names)}

        def find(vertex: Any) -> Any:
            if isinstance(vertex, str) and vertex in number:
                return number[vertex]
            if _is_truth(vertex):
                raise ValueError(_TRUTH % (vertex,))
            if hasattr(vertex, "__index__"):
                return vertex.__index__()
            raise ValueError("%r is not a vertex of the graph" % (vertex,))

        made.find = find
    return made, graph.is_directed()


def _from_networkit(graph: Any, weight: Any) -> Any:
    labels = list(graph.iterNodes())
    contiguous = not labels or labels[-1] == len(labels) - 1
    number = range(len(labels)) if contiguous else {label: k for k, label in enumerate(labels)}
    source, target, weights = array.array("q"), array.array("q"), array.array("d")
    for u, v, w in graph.iterEdgesWeights():
        source.append(number[u])
        target.append(number[v])
        weights.append(w)
    made = _from_edges(len(labels), source, target,
                       weights if weight is not None and graph.isWeighted() else None,
                       None if contiguous else labels)
    return made if contiguous else made.name_vertices(), graph.isDirected()


def _from_frame(frame: Any, weight: Any) -> Any:
    pandas = sys.modules["pandas"]
    source, target = _frames.ends_of(frame)
    for name in (source, target):
        if frame[name].ndim != 1:
            raise ValueError("the frame has several columns %r" % name)
    ends = [frame[source], frame[target]]
    if {str(end.dtype)[0] in "uU" for end in ends if _frames.is_integer(end)} == {False, True}:
        ends = [end.astype(object) for end in ends]  # else pandas makes floats of them
    ends = pandas.concat(ends, ignore_index=True)
    try:
        codes, labels = pandas.factorize(ends, sort=True)
    except TypeError:  # of kinds that have no order among them
        codes, labels = pandas.factorize(ends)
    if (codes < 0).any():
        raise ValueError("the frame has edges whose source or target is missing")
    m = len(frame)
    labels = labels.tolist()
    _frames.check_ends(codes[:m], codes[m:], labels)
    weights = None
    if weight is not None:
        there = [name for name in frame.columns if name not in (source, target)]
        weight = _frames.weight_of(there, weight)
        if weight in there:
            weights = _frames.column(frame, weight)
        else:
            kinds = frame[there].dtypes.items()
            numeric = [name for name, kind in kinds if pandas.api.types.is_numeric_dtype(kind)
                       and not pandas.api.types.is_bool_dtype(kind)]
            _check_weight(weight, there, numeric, [name for name in there if name not in numeric
                                                   and frame[name].ndim == 1
                                                   and _frames.holds_number_text(frame[name])],
                          "column of the frame")
    made = _from_edges(len(labels), codes[:m], codes[m:], weights, labels)
    return made.name_vertices(), True


def _from_series(series: Any, weight: Any) -> Any:
    """Weights by sources and targets."""
    if series.index.nlevels != 2:
        raise ValueError("a series of weights has an index of two levels, the sources and the"
                         " targets of edges, and not of %d" % series.index.nlevels)
    ends = [series.index.get_level_values(level).to_numpy() for level in (0, 1)]
    source, target, labels = _frames.number(*ends)
    weights = None if weight is None else _frames.values_of(series)
    return _from_own(Edges(len(labels), source, target, weights, labels)), True


def _from_arrow(frame: Any, weight: Any) -> Any:
    source, target = _frames.ends_of(frame)
    there = [name for name in _frames.names_of(frame) if name not in (source, target)]
    weight = _frames.weight_of(there, weight)
    if weight is not None and weight not in there:
        numeric, textual = _frames.unused(frame, (source, target))
        _check_weight(weight, there, numeric, textual, "column of the frame")
        weight = None
    return _from_own(Edges.from_frame(frame, source, target, weight))


def _from_own(edges: Any) -> Any:
    labels = None if edges.labels is None else list(edges.labels)
    if labels is not None and len(labels) != edges.vertices:
        raise ValueError("%d labels of %s vertices" % (len(labels), edges.vertices))
    made = _from_edges(edges.vertices, edges.source, edges.target, edges.weight, labels)
    if labels is not None and len(set(labels)) < len(labels):
        raise ValueError("labels: one is listed twice")
    return made if labels is None else made.name_vertices()


def _rustworkx_weights(edges: Any, weight: Any) -> Any:
    """Weights are what edges have, or what they have by that name; 1 where they have nothing."""
    data = [datum for _, _, datum in edges]
    there = sorted({name for datum in data if hasattr(datum, "get") for name in datum}, key=str)
    if there and weight not in there:
        _check_weight(weight, there, there, [], "entry of an edge")
    return [1 if datum is None else datum.get(weight, 1) if hasattr(datum, "get") else datum
            for datum in data]


def _from_rustworkx(graph: Any, weight: Any) -> Any:
    ids = list(graph.node_indices())
    number = {label: k for k, label in enumerate(ids)}
    edges = graph.weighted_edge_list()
    weights = None if weight is None else _rustworkx_weights(edges, weight)
    made = _from_edges(len(ids), array.array("q", (number[u] for u, _, _ in edges)),
                       array.array("q", (number[v] for _, v, _ in edges)), weights,
                       None if ids == list(range(len(ids))) else ids)
    directed = _is(graph, "rustworkx", "PyDiGraph")
    return made if made.labels is None else made.name_vertices(), directed


def _is(value: Any, package: Any, name: Any) -> Any:
    """Whether it is an object of that class, of a package that must have been imported then."""
    kind = getattr(sys.modules.get(package), name, None)
    return isinstance(kind, type) and isinstance(value, kind)


# Graphs of other packages, some of which have names for weights.
_OTHERS = (("networkx", "Graph", _from_networkx), ("igraph", "Graph", _from_igraph),
          ("networkit", "Graph", _from_networkit), ("pandas", "DataFrame", _from_frame),
          ("pandas", "Series", _from_series),
          ("rustworkx", "PyGraph", _from_rustworkx), ("rustworkx", "PyDiGraph", _from_rustworkx))


def _has_names(graph: Any) -> bool:
    """Whether weights of the graph have names."""
    return hasattr(graph, "__arrow_c_stream__") or any(
        package != "networkit" and _is(graph, package, name) for package, name, _ in _OTHERS)


def _convert(graph: Any, weight: Any) -> Any:
    """The graph, and whether its edges have directions."""
    numpy = _arrays.numpy
    if numpy is not None and type(graph) is numpy.ndarray:
        return _from_dense(graph), True
    if _device.is_tensor(graph):
        graph = _device.of_tensor(graph)
        is_dense = _device.is_tensor(graph)
        return _from_dense(graph) if is_dense else _from_sparse(graph), True
    for package, name, read in _OTHERS:
        if _is(graph, package, name):
            return read(graph, weight)
    if isinstance(graph, Edges):
        return _from_own(graph), True
    if hasattr(graph, "__arrow_c_stream__"):
        return _from_arrow(graph, weight), True
    if _is(graph, "sparse", "SparseArray"):
        return _from_pydata(graph), True
    if numpy is not None and is_sparse(graph):
        return _from_sparse(graph), True
    if numpy is not None and numpy.ma.isMaskedArray(graph):
        return _from_masked(graph), True
    return _from_dense(graph), True


def graph_of(graph: Any, directed: bool = True, unweighted: bool = False, reverse: bool = False,
             weight: Any = DEFAULT_WEIGHT) -> Any:
    """Any graph that the package takes, as the library's."""
    for name, value in (("directed", directed), ("unweighted", unweighted)):
        if isinstance(value, str):  # in scipy.sparse.csgraph the method comes second
            raise ValueError("%s must be True or False, not %r: a method is given as method=%r"
                             % (name, value, value))
    if weight is None:
        unweighted = True
    elif callable(weight) and not unweighted and not _is(graph, "networkx", "Graph"):
        raise TypeError("weight may be a function of the edges of a networkx graph alone")
    try:
        hash(weight)
    except TypeError:
        raise ValueError("weight must be a name, not %r" % (weight,)) from None
    if not unweighted and weight != DEFAULT_WEIGHT and not _has_names(graph):
        raise ValueError("weight=%r: weights of %s have no names; leave weight out"
                         % (weight, type(graph).__name__))
    if hasattr(graph, "_open"):  # a File
        made = graph._open(directed, unweighted, reverse)
        made.undirected = not directed
        return made
    made, has_directions = _convert(graph, None if unweighted else weight)
    if made.n:
        made.adapt(not (directed and has_directions), unweighted, reverse)
    return made
