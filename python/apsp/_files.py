"""Graphs in files, of every format that the command reads."""

from __future__ import annotations

import ctypes
import os
import warnings
from ctypes import byref
from typing import Any, Iterable, List, Optional, Union

from . import _native, _words
from ._graphs import Edges, Graph, warn_of_unused

_TABLES = (".parquet", ".arrow", ".feather")
_PARALLEL = {"min": 0, "sum": 1, "error": 2}


class File:
    """A graph in a file; :func:`read` makes one. Every function that takes a graph takes it, and
    reads the file then.

    Attributes
    ----------
    path : str
    n : int
        Number of vertices.
    labels : list of str, or of int; or None
        The names of the vertices, in the order of rows and columns. Integers, if all of them are
        numbers; None, if these are 0 to n - 1.
    notes : list of str
        What to know of the way the file was read, such as an attribute that is not used as weight.
        :func:`read` warns of those that an argument would change.
    """

    def __init__(self, path: str, options: Any) -> None:
        self.path, self._options = path, options
        graph = self._open(directed=True, unweighted=False, reverse=False)
        self.n, self.labels = graph.n, graph.labels
        notes = _native.library.apsp_graph_notes(graph.pointer).decode("utf-8", "replace")
        self.notes = [_words.in_python(note) for note in notes.splitlines()]
        self._doubts = [_words.in_python(note) for note in notes.splitlines()
                        if _words.names_setting(note)]

    def _open(self, directed: bool, unweighted: bool, reverse: bool) -> Graph:
        """The library's graph, read so."""
        reading = _native.Reading()
        _native.library.apsp_reading_reset(byref(reading), ctypes.sizeof(reading))
        for name, value in self._options.items():
            setattr(reading, name, value)
        reading.undirected = bool(reading.undirected) or not directed
        reading.directed = bool(reading.directed) and not reading.undirected
        reading.unweighted, reading.reverse = bool(unweighted), bool(reverse)
        graph = Graph(0)
        _native.call("apsp_graph_read", byref(graph.pointer), os.fsencode(self.path),
                     byref(reading))
        graph.n = _native.library.apsp_graph_vertices(graph.pointer)
        graph.labels = _labels(graph)
        graph.in_file = True
        return graph if graph.labels is None else graph.name_vertices()

    def with_weight(self, key: str) -> File:
        """The same file, with another attribute or column of edges as their weight."""
        return File(self.path, dict(self._options, weight_key=os.fsencode(key)))

    def __repr__(self) -> str:
        return "apsp.read(%r)" % self.path


def _labels(graph: Graph) -> Optional[List[Any]]:
    """The names of its vertices."""
    name = _native.library.apsp_vertex_name
    room = 256
    buffer = ctypes.create_string_buffer(room)
    texts = []
    for vertex in range(graph.n):
        size = name(graph.pointer, vertex, buffer, room)
        if size >= room:
            room = size + 1
            buffer = ctypes.create_string_buffer(room)
            name(graph.pointer, vertex, buffer, room)
        texts.append(buffer.value.decode("utf-8", "surrogateescape"))
    if not all(text.isdecimal() and text.isascii() and str(int(text)) == text for text in texts):
        return texts
    numbers = [int(text) for text in texts]
    return None if numbers == list(range(graph.n)) else numbers


def _table(path: str, columns: Optional[str], weight_key: Optional[str], directed: bool) -> Edges:
    """The edges in a file of Parquet or Arrow IPC; without directed each leads back, too."""
    import pyarrow
    from pyarrow import feather, parquet
    read_table = parquet.read_table if path.endswith(".parquet") else feather.read_table
    table = read_table(path)
    names = ["source", "target"] if columns is None else columns.split(",")
    if len(names) not in (2, 3) or (weight_key is not None and len(names) == 3):
        raise ValueError("columns must be FROM,TO or FROM,TO,WEIGHT, not %r" % (columns,))
    weight = weight_key if len(names) == 2 else names.pop()
    if weight is None and columns is None and "weight" in table.column_names:
        weight = "weight"
    if weight is None and columns is None:
        warn_of_unused(table, names, "weight_key", 5)
    if not directed:
        back = dict(zip(names, reversed(names)))
        table = pyarrow.concat_tables([table, table.rename_columns(
            [back.get(name, name) for name in table.column_names]).select(table.column_names)])
    return Edges.from_frame(table, names[0], names[1], weight)


def _columns(columns: Any) -> Optional[str]:
    """Names or numbers of columns as one text."""
    if isinstance(columns, (list, tuple)) and all(
            isinstance(one, (str, int)) and "," not in str(one) for one in columns):
        return ",".join(map(str, columns))
    if not isinstance(columns, (str, type(None))):
        raise ValueError('columns must be text such as "from,to", or a list of names, not %r'
                         % (columns,))
    return columns


@_words.arguments()
def read(path: Union[str, os.PathLike[str]], format: Optional[str] = None, *,
         columns: Union[str, Iterable[str], None] = None, no_edge: Optional[str] = None,
         weight_key: Optional[str] = None, label_key: Optional[str] = None,
         oneway: Optional[str] = None, sort_names: bool = False,
         directed: Optional[bool] = None, largest_component: bool = False,
         parallel: str = "min") -> Union[File, Edges]:
    """A graph in a file, compressed or not, for every function that takes a graph.

    Files .parquet, .arrow and .feather are tables of edges, which pyarrow reads: they take
    ``columns`` and ``weight_key`` alone, and are :class:`Edges`. Other files are the library's.
    Decimals are read as the command reads them: 0.1 is a tenth, and sums of such are exact.

    Parameters
    ----------
    path : str or path
    format : str, optional
        One of those that apsp-formats(5) lists, such as 'gr' or 'graphml'; by default that of the
        content, then of the suffix.
    columns : str or list of str, optional
        Of a list of edges: FROM,TO or FROM,TO,WEIGHT, numbers from 1 or names of the header; of a
        table names, by default source, target and, if it is there, weight.
    no_edge : str, optional
        Entries of a matrix that are no edges: 0,inf,nan.
    weight_key : str, optional
        The attribute or column of edges that is their weight.
    label_key : str, optional
        The attribute of vertices that is their name, in GML, GraphML, GEXF and JSON.
    oneway : str, optional
        Of a list of edges: the column with the direction of each; see the option --oneway.
    sort_names : bool
        True: vertices are in the order of their names.
    directed : bool, optional
        False: every edge leads back as well. True: none does. By default as the file says.
    largest_component : bool
        True: the largest strongly connected component alone.
    parallel : {'min', 'sum', 'error'}
        Of parallel edges the lightest counts, or their sum; or they are an error.

    Returns
    -------
    File, or Edges of a table
        With ``n`` and ``labels``.

    Warns
    -----
    UserWarning
        Of what may be misread: an attribute of numbers that is not used as weight, a list in which
        no edge leads back. ``weight_key=`` and ``directed=`` say what is meant.

    Raises
    ------
    ValueError, OSError
        The first also where an edge of the file is wrong, as soon as edges are read.

    Examples
    --------
    >>> import apsp, tempfile
    >>> with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
    ...     _ = file.write("from,to,weight\\nAda,Bea,0.1\\nBea,Cem,0.2\\n")
    ...     file.flush()
    ...     apsp.path(apsp.read(file.name), "Ada", "Cem")
    Path(distance=0.3, vertices=['Ada', 'Bea', 'Cem'])
    """
    columns = _columns(columns)
    if os.fspath(path).endswith(_TABLES):
        if (format or no_edge or label_key or oneway or sort_names or largest_component
                or parallel != "min"):
            raise ValueError("a table of edges takes columns and weight_key, and not format, "
                             "no_edge, label_key, oneway, sort_names, largest_component or "
                             "parallel")
        return _table(os.fspath(path), columns, weight_key, directed is not False)
    if parallel not in _PARALLEL:
        raise ValueError("parallel %r: not one of %s" % (parallel, ", ".join(_PARALLEL)))
    texts = {"format": format, "columns": columns, "no_edge": no_edge, "weight_key": weight_key,
             "label_key": label_key, "oneway": oneway}
    for name, text in texts.items():
        if not isinstance(text, (str, type(None))):
            raise ValueError("%s must be text, not %r" % (name, text))
    options: Any = {name: os.fsencode(text) for name, text in texts.items() if text is not None}
    options.update(sort_names=bool(sort_names), largest_component=bool(largest_component),
                   parallel=_PARALLEL[parallel], directed=directed is True,
                   undirected=directed is False)
    file = File(os.fspath(path), options)
    for note in file._doubts:
        warnings.warn("%s: %s" % (path, note), stacklevel=3)
    return file
