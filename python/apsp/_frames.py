"""Frames of edges of polars, pyarrow and what else offers the Arrow C interface."""

from __future__ import annotations

import sys
from typing import Any, Dict, Iterable, List, Tuple

from . import _arrays


def is_frame(value: Any) -> bool:
    """Whether it is such a frame, or one of pandas."""
    pandas = getattr(sys.modules.get("pandas"), "DataFrame", None)
    return hasattr(value, "__arrow_c_stream__") or (
        isinstance(pandas, type) and isinstance(value, pandas))


def names_of(frame: Any) -> List[str]:
    """The names of its columns."""
    return list(_table(frame).columns if hasattr(_table(frame), "to_numpy")
                else _table(frame).column_names)


def ends_of(frame: Any) -> Tuple[Any, Any]:
    """The names of the columns with the sources and the targets, in letters of any case."""
    names = names_of(frame)
    found = [_likely(names, end) for end in ("source", "target")]
    if None in found:
        square = len(names) == getattr(frame, "shape", (0,))[0]
        raise ValueError(
            "a frame of edges has the columns 'source' and 'target', and not %s; %s" % (
                names, "frame.to_numpy() is a matrix" if square else
                "apsp.Edges.from_frame(frame, source=..., target=..., weight=...) takes others"))
    return found[0], found[1]


def weight_of(names: List[Any], weight: Any) -> Any:
    """The column that the name means: the default name is in letters of any case."""
    likely = _likely(names, weight) if weight == "weight" else None
    return weight if likely is None else likely


def _likely(names: List[Any], name: str) -> Any:
    """The name, else the only one that differs in the case of letters alone, else None."""
    others = [one for one in names if isinstance(one, str) and one.lower() == name]
    return name if name in names else others[0] if len(others) == 1 else None


def _table(frame: Any) -> Any:
    """The same, with columns by name that are arrays of NumPy."""
    if hasattr(frame, "columns") and hasattr(frame, "to_numpy") or hasattr(frame, "column_names"):
        return frame
    import pyarrow
    return pyarrow.table(frame)


def column(frame: Any, name: str) -> Any:
    """A column as an array of NumPy."""
    if name not in names_of(frame):
        raise ValueError("the frame has no column %r, but %s" % (name, names_of(frame)))
    values = _table(frame)[name]
    if getattr(values, "ndim", 1) != 1:
        raise ValueError("the frame has several columns %r" % (name,))
    return values_of(values)


def values_of(column_: Any) -> Any:
    """The same as an array of NumPy. Of integers some of which are missing it makes floats, which
    round: then these are objects, and None is missing."""
    values, numpy = column_.to_numpy(), _arrays.numpy
    if values.dtype.kind == "f" and is_integer(column_) and (abs(values) >= 2**53).any():
        every = column_.to_pylist() if hasattr(column_, "to_pylist") else column_.to_list()
        return numpy.array([x if isinstance(x, int) else None for x in every], object)
    return values


def is_integer(column_: Any) -> bool:
    """Whether the type of a column is one of integers, by its name."""
    kind = column_.dtype if hasattr(column_, "dtype") else column_.type
    return str(kind).lower().startswith(("int", "uint"))


def is_number_text(value: Any) -> bool:
    """Whether it is text that reads as a number."""
    try:
        return isinstance(value, str) and float(value) == float(value)
    except ValueError:
        return False


def holds_number_text(values: Iterable[Any]) -> bool:
    """Whether all values but missing ones are text that reads as numbers."""
    found = False
    for value in values:
        if is_number_text(value):
            found = True
        elif isinstance(value, str) or not _is_missing(value):
            return False
    return found


def _is_missing(value: Any) -> bool:
    try:
        return value is None or bool(value != value)
    except (TypeError, ValueError):  # pandas.NA
        return type(value).__name__ == "NAType"


def unused(frame: Any, used: Any) -> Any:
    """The columns beside those `used` that hold numbers, and those that hold them as text."""
    numeric, textual = [], []
    for name in names_of(frame):
        if name in used:
            continue
        values = column(frame, name)
        if values.dtype.kind in "iuf":
            numeric.append(name)
        elif values.dtype.kind in "OUT" and holds_number_text(values.tolist()):
            textual.append(name)
    return numeric, textual


def check_ends(source: Any, target: Any, labels: List[Any]) -> None:
    """ValueError: one end holds numbers, the other one text that reads as such, so that no edge
    begins where another one ends."""
    numpy = _arrays.numpy
    ends = [numpy.unique(end) for end in (source, target)]
    if not all(map(len, ends)) or len(numpy.intersect1d(*ends)):
        return
    kinds = [{type(labels[k]) for k in end.tolist()} for end in ends]
    if not all(len(some) == 1 for some in kinds) or kinds[0] == kinds[1]:
        return
    texts = [end for end, some in zip(ends, kinds) if some == {str}]
    if len(texts) == 1 and all(is_number_text(labels[k]) for k in texts[0].tolist()):
        raise ValueError("source has labels of type %s, target of type %s: no label is in both; "
                         "convert one of the columns" % tuple(
                             some.pop().__name__ for some in kinds))


_ALONG = frozenset("yes true 1 1.0 y t oneway along forward directed".split())
_BACK = frozenset("-1 -1.0 reverse back backward".split())
_BOTH = frozenset("no false 0 0.0 n f both undirected none nan".split() + [""])


def directions(values: Any, name: str) -> Any:
    """The rows of the edges, those that lead both ways twice, and which edges are reversed."""
    numpy = _arrays.numpy
    words = [str(value).strip().lower() for value in values.tolist()]
    for row, word in enumerate(words):
        if word not in _ALONG and word not in _BACK and word not in _BOTH:
            raise ValueError("row %d of the column %r: %r is none of yes, no, 1, 0 and -1"
                             % (row, name, values[row]))
    along = numpy.flatnonzero([word not in _BACK for word in words])
    back = numpy.flatnonzero([word not in _ALONG for word in words])
    return numpy.r_[along, back], numpy.r_[numpy.zeros(len(along), bool),
                                           numpy.ones(len(back), bool)]


def number(source: Any, target: Any) -> Any:
    """Numbers of the labels in two columns, and the labels, ascending if they have an order."""
    numpy = _arrays.numpy
    ends = numpy.concatenate([source, target])
    if ends.dtype.kind == "f" and {source.dtype.kind, target.dtype.kind} == {"i", "u"}:
        ends = numpy.concatenate([source.astype(object), target.astype(object)])
    missing = ends != ends
    if ends.dtype.kind == "O":
        missing = [x is None or bool(x != x) for x in ends.tolist()]
    if numpy.any(missing):
        raise ValueError("the frame has edges whose source or target is missing")
    try:
        labels, codes = numpy.unique(ends, return_inverse=True)
        labels = labels.tolist()
    except TypeError:  # of kinds that have no order among them
        numbers: Dict[Any, int] = {}
        codes = numpy.array([numbers.setdefault(x, len(numbers)) for x in ends.tolist()], "int64")
        labels = list(numbers)
        check_ends(codes[:len(source)], codes[len(source):], labels)
    return codes[:len(source)], codes[len(source):], labels
