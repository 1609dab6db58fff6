"""Arrays of the caller's, as the library takes them: with NumPy where it is, else by the buffer
protocol."""

from __future__ import annotations

import array
import ctypes
import importlib
import numbers
import os
import sys
from typing import Any, List, Optional, Tuple

from . import _device, _memory, _native

try:
    numpy: Any = importlib.import_module("numpy")
except ImportError:
    numpy = None

# Types of the library, by the bytes of an entry.
_SIGNED = {4: _native.I32, 8: _native.I64}
_UNSIGNED = {4: _native.U32, 8: _native.U64}
_REAL = {4: _native.F32, 8: _native.F64}

# Types that the library takes: of lengths, and of vertices.
_GOOD = {False: {_native.I32, _native.I64, _native.F32, _native.F64},
         True: {_native.I32, _native.I64, _native.U32, _native.U64}}

# name: (the library's type, format of a buffer, bytes)
TYPES = {
    "uint16": (_native.U16, "H", 2),
    "int32": (_native.I32, "i", 4),
    "int64": (_native.I64, "q", 8),
    "float32": (_native.F32, "f", 4),
    "float64": (_native.F64, "d", 8),
}
NAMES = {row[0]: name for name, row in TYPES.items()}
INFINITY = float("inf")
COLUMNS = "columns of an edge list go to apsp.Edges(n, A[:,0], A[:,1]%s)"
UNREACHABLE = {"uint16": 65535, "int32": 1073741823, "int64": 4611686018427387903,
               "float32": INFINITY, "float64": INFINITY}

# NumPy's types that the library takes as they are, and its names of types.
_KINDS = {} if numpy is None else {
    numpy.dtype(name): kind for name, kind in (
        ("int32", _native.I32), ("int64", _native.I64), ("uint32", _native.U32),
        ("uint64", _native.U64), ("float32", _native.F32), ("float64", _native.F64))}
_DTYPES = {} if numpy is None else {name: numpy.dtype(name) for name in TYPES}


def type_name(dtype: Any) -> Any:
    """The name of a type, as NumPy calls it: float is float64."""
    name: Any = dtype if isinstance(dtype, str) else getattr(dtype, "name", None) or getattr(
        dtype, "__name__", None)
    if name in TYPES or numpy is None:
        return {"float": "float64", "int": "int64"}.get(name, name)
    try:
        return name if dtype is None else numpy.dtype(dtype).name
    except TypeError:
        return name


def real(value: Any, what: str, or_nan: bool = False) -> Any:
    """A number, else a ValueError."""
    if isinstance(value, (bool, str, bytes)) or not hasattr(value, "__float__") or not (
            or_nan or value == value):
        raise ValueError("%s must be a number, not %r" % (what, value))
    return value


class Vector:
    """Entries that stay where they are as long as this object: `native` is the library's view of
    them."""

    def __init__(self, owner: Any, address: Optional[int], kind: Any, count: int) -> None:
        is_array = numpy is not None and isinstance(owner, numpy.ndarray)
        # An array.array cannot be resized while there is a view of it.
        self.owner = owner if is_array else memoryview(owner)
        self.native = _native.Array(address, kind)
        self.count = count

    def take(self, places: Any) -> Any:
        """The entries in these places, which are integers."""
        owner = self.owner
        some = [owner[k] for k in places] if isinstance(owner, memoryview) else owner[places]
        return vector(some, True, "edges")


def address_of(owner: Any) -> Any:
    """Of the first entry of a contiguous array or writable buffer."""
    if numpy is not None and isinstance(owner, numpy.ndarray):
        return owner.__array_interface__["data"][0]
    view = memoryview(owner)
    if not view.nbytes:
        return None
    return ctypes.addressof((ctypes.c_char * view.nbytes).from_buffer(owner))


def _is_usable(view: Any) -> bool:
    """Whether the library can take it where it lies."""
    return not view.readonly and view.c_contiguous and (address_of(view) or 0) % view.itemsize == 0


def _is_numpy(values: Any) -> bool:
    return numpy is not None and (hasattr(values, "__array__") or _device.is_there(values))


def _fitting(values: Any, whole_only: bool, what: str) -> Any:
    """The same numbers in a type that the library takes."""
    kind, size = values.dtype.kind, values.dtype.itemsize
    if kind == "O":
        try:
            values = _from_objects(values, whole_only)
        except (TypeError, ValueError, OverflowError):
            raise ValueError("%s: %s" % (what, _odd_one(values, whole_only))) from None
    elif kind == "b" and not whole_only or kind in "iu" and size < 4:
        values = values.astype(numpy.int32)
    elif kind == "u" and not whole_only:
        if size == 8 and values.size and int(values.max()) > 2**62:
            raise ValueError("%s: %d is too large, and may be 2^62 - 2"
                             % (what, int(values.max())))
        values = values.astype(numpy.int64)
    elif kind == "f" and size not in (4, 8) and not whole_only:
        values = values.astype(numpy.float64)
    if values.dtype.kind not in ("iu" if whole_only else "if"):
        raise ValueError("%s: entries of type %s are not %s%s" % (
            what, values.dtype, "integers" if whole_only else "integers or floating-point numbers",
            "; A.astype(float) reads text as numbers" if kind in "US" and not whole_only else ""))
    return values if values.dtype.isnative else values.astype(values.dtype.newbyteorder("="))


def _odd_one(values: Any, whole_only: bool) -> str:
    """Says which object is no number, and what to do."""
    wanted: Any = numbers.Integral if whole_only else numbers.Real
    kind = "an integer" if whole_only else "a number"
    for place, value in numpy.ndenumerate(values):
        if not isinstance(value, wanted):
            where = place if len(place) > 1 else place[0]
            hint = "" if whole_only else "; A.astype(float) makes it nan, no edge" if (
                value is None) else "; A.astype(float) reads text as numbers" if (
                    isinstance(value, str)) else ""
            return "entry %s is %.40s, not %s%s" % (where, repr(value), kind, hint)
    return "entries are too large"


def _from_objects(values: Any, whole_only: bool) -> Any:
    """Whole if all of them are."""
    whole = all(isinstance(v, numbers.Integral) for v in values.flat)
    if not whole and (whole_only or not all(isinstance(v, numbers.Real) for v in values.flat)):
        raise ValueError
    return values.astype(numpy.int64 if whole else numpy.float64)


def _from_list(values: Any, whole_only: bool, what: str) -> Any:
    """An array.array, of integers if all of them are."""
    if whole_only and values and isinstance(values[0], bool):
        raise ValueError("%s: True and False are not numbers of vertices" % what)
    try:
        return array.array("q", values)
    except TypeError:
        if whole_only:
            raise ValueError("%s: entries are not integers" % what) from None
    except OverflowError:
        raise ValueError("%s: entries are too large" % what) from None
    try:
        return array.array("d", values)
    except (TypeError, ValueError, OverflowError):
        raise ValueError("%s: entries are not numbers" % what) from None


def _plain(values: Any, whole_only: bool, what: str) -> Any:
    """An array.array, or a buffer of numbers."""
    if isinstance(values, (list, tuple, range)):
        return _from_list(list(values), whole_only, what)
    try:
        view = memoryview(values)
    except TypeError:
        raise ValueError("%s: %s is not an array of numbers"
                         % (what, type(values).__name__)) from None
    if view.ndim == 1 and not _is_usable(view):
        return _plain(view.tolist(), whole_only, what)
    return values


def _plain_kind(view: Any, whole_only: bool, what: str) -> Any:
    code = view.format.lstrip("@=<" if sys.byteorder == "little" else "@=>")
    tables = {"i": _SIGNED, "l": _SIGNED, "q": _SIGNED, "I": _UNSIGNED, "L": _UNSIGNED,
              "Q": _UNSIGNED, "f": _REAL, "d": _REAL}
    kind = tables.get(code, {}).get(view.itemsize)
    if kind not in _GOOD[whole_only]:
        raise ValueError("%s: entries of format %s, and they must be %s" % (
            what, view.format, "integers of 4 or 8 bytes" if whole_only else
            "numbers of 4 or 8 bytes, with a sign"))
    return kind


def vector(values: Any, whole_only: bool, what: str) -> Any:
    """One-dimensional numbers, copied only where the library cannot take them as they are."""
    if numpy is not None and type(values) is numpy.ndarray and values.ndim == 1 and values.size:
        kind, flags = _KINDS.get(values.dtype), values.flags
        if kind in _GOOD[whole_only] and flags.c_contiguous and flags.aligned:
            return Vector(values, address_of(values), kind, values.size)
    if _is_numpy(values):
        values = numpy.ascontiguousarray(_asarray(values, what))
        values = _fitting(numpy.require(values, requirements="A"), whole_only, what)
        if values.ndim != 1:
            raise ValueError("%s: %d dimensions, and there must be one" % (what, values.ndim))
        address = address_of(values) if values.size else None
        return Vector(values, address, _KINDS[values.dtype], values.size)
    values = _plain(values, whole_only, what)
    with memoryview(values) as view:
        if view.ndim != 1:
            raise ValueError("%s: %d dimensions, and there must be one" % (what, view.ndim))
        kind, count = _plain_kind(view, whole_only, what), len(view)
    return Vector(values, address_of(values), kind, count)


def _is_shown(weight: Any) -> bool:
    try:
        return weight is not None and bool(weight == weight and not weight == INFINITY)
    except (TypeError, ValueError):  # no number
        return True


def _shown_of_list(values: Any) -> Any:
    """The values without those that hide an edge, and the places of the others, None: all."""
    try:
        array.array("q", values)
    except OverflowError:
        pass
    except TypeError:
        shown = [k for k, weight in enumerate(values) if _is_shown(weight)]
        for k in shown:
            try:
                array.array("d", [values[k]])
            except (TypeError, ValueError, OverflowError):
                hint = "; convert text to numbers" if isinstance(values[k], str) else ""
                raise ValueError("edge %d: the weight %r is not a number%s"
                                 % (k, values[k], hint)) from None
        if len(shown) < len(values):
            return [values[k] for k in shown], shown
    return values, None


def weights(values: Any) -> Any:
    """Lengths of edges without those of None, NaN and infinity, which hide an edge: their Vector,
    their number with those, and the places of the others, None: all."""
    shown = None
    if _is_numpy(values):
        values = _asarray(values, "weight")
        kind, count = values.dtype.kind, values.size
        if kind == "b":
            raise ValueError("weight: entries are True or False, and must be numbers")
        if values.ndim == 1 and kind == "O":
            values, shown = _shown_of_list(values.tolist())
        elif values.ndim == 1 and kind == "f" and not (values < INFINITY).all():
            shown = numpy.nonzero(values < INFINITY)[0]
            values = values[shown]
    else:
        values = _plain_weights(values)
        count = len(values)
        if isinstance(values, list):
            values, shown = _shown_of_list(values)
    return vector(values, False, "weight"), count, shown


def _plain_weights(values: Any) -> Any:
    """A list where some may hide an edge, else what it was."""
    if isinstance(values, (list, tuple, range)):
        return list(values)
    values = _plain(values, False, "weight")
    with memoryview(values) as view:
        if view.ndim == 1 and view.format in ("f", "d") and not all(x < INFINITY for x in view):
            return view.tolist()
    return values


def check_mask(values: Any, what: str) -> None:
    """ValueError: some are masked, which an array of all of them would not tell."""
    rows = values if isinstance(values, (list, tuple)) else [values]
    if any(map(numpy.ma.isMaskedArray, rows[:1])) and any(map(numpy.ma.is_masked, rows)):
        raise ValueError("%s: some entries are masked; filled(value) or compressed() of the array "
                         "has none" % what)


def _asarray(values: Any, what: str) -> Any:
    check_mask(values, what)
    try:
        array_ = _device.to_host(values) if _device.is_there(values) else numpy.asarray(values)
    except (ValueError, TypeError, OverflowError, BufferError) as error:
        raise ValueError("%s: %s" % (what, error)) from None
    return array_


def square(values: Any) -> Any:
    """A dense matrix: (its Vector, vertices, stride, step), in place if its strides allow."""
    if not _is_numpy(values) and (numpy is None or not isinstance(values, (list, tuple, range))):
        return _plain_square(values)
    values = _asarray(values, "the matrix")
    check_square(values.shape)
    if values.dtype not in _KINDS or values.dtype.kind == "u":
        values = _fitting(values, False, "the matrix")
    address, n, size = address_of(values), values.shape[0], values.itemsize
    stride, step = values.strides
    if stride <= 0 or step <= 0 or stride % size or step % size or address % size:
        values = numpy.array(values, order="C")  # 0: broadcast, or one vertex
        address, stride, step = address_of(values), n * size, size
    kind = _KINDS[values.dtype]
    if n == 0:
        return Vector(values, None, kind, 0), 0, 0, 0
    return Vector(values, address, kind, n * n), n, stride // size, step // size


def way_out(values: Any) -> str:
    """Says how to make a graph of these values."""
    if hasattr(values, "collect"):  # of polars
        return "%s.collect() makes a frame of edges" % type(values).__name__
    if isinstance(values, (str, os.PathLike)):
        return "apsp.read(%r) reads a file" % (values,)
    if isinstance(values, dict):
        return ("networkx.DiGraph(...) takes a dict of dicts, apsp.Edges(n, source, target, weight)"
                " arrays of edges")
    return "help(apsp.shortest_path) lists them"


def _plain_square(values: Any) -> Any:
    if isinstance(values, (list, tuple)):
        rows = [list(row) for row in values]
        n = len(rows)
        check_square((n, n) if all(len(row) == n for row in rows) else (n, "?"))
        flat = vector([entry for row in rows for entry in row], False, "the matrix")
        return flat, n, n, 1
    try:
        view: Any = memoryview(values)
    except TypeError:
        raise ValueError("%s is not a known type of graph; %s" % (
            type(values).__name__, way_out(values))) from None
    check_square(view.shape)
    n = view.shape[0]
    if not _is_usable(view):
        return _plain_square(view.tolist())
    kind = _plain_kind(view, False, "the matrix")
    return Vector(values, address_of(values), kind, n * n), n, n, 1


def check_square(shape: Any) -> None:
    if len(shape) != 2 or shape[0] != shape[1]:
        listed = len(shape) == 2 and shape[1] in (2, 3)
        raise ValueError("the matrix of a graph must be square, not of shape %s%s" % (
            tuple(shape), "; " + COLUMNS % (", A[:,2]" if shape[1] == 3 else "") if listed else ""))


def looks_listed(values: Any) -> bool:
    """Whether a matrix is rather three edges, each with its vertices and its weight: small numbers
    of different vertices, which as a matrix have a loop at the last one."""
    if numpy is None or not isinstance(values, numpy.ndarray) or not values[2, 2]:
        return False
    ends = values[:, :2]
    return bool(ends.min() == 0 and ends.max() < 6 and (ends % 1 == 0).all()
                and (ends[:, 0] != ends[:, 1]).all())


def is_minus_one(vector_: Any) -> bool:
    """Whether all its entries below 0 are -1, as where that stands for no edge."""
    if numpy is None or not isinstance(vector_.owner, numpy.ndarray):
        return False
    below = vector_.owner[vector_.owner < 0]
    return bool(below.size and (below == -1).all())


def is_whole(vector_: Any) -> bool:
    """Whether all real numbers of it that are finite are whole."""
    if vector_.native.type in (_native.I32, _native.I64):
        return True
    entries = vector_.owner
    if numpy is not None and isinstance(entries, numpy.ndarray):
        with numpy.errstate(invalid="ignore"):
            return all(bool(numpy.all((row % 1 == 0) | ~numpy.isfinite(row)))
                       for row in numpy.atleast_2d(entries))
    view: Any = memoryview(entries)
    return all(v.is_integer() for v in view.cast("B").cast(view.format) if v - v == 0)


def new(shape: Tuple[int, ...], name: Any) -> Any:
    """An array of that shape: of NumPy, or a memoryview. Its entries are not set."""
    kind, code, size = TYPES[name]
    if numpy is not None:
        return _memory.empty(shape, _DTYPES[name])
    count = 1
    for extent in shape:
        count *= extent
    view: Any = memoryview(bytearray(count * size))
    return view.cast(code, shape) if count and len(shape) != 1 else view.cast(code)


def given(out: Any, shape: Tuple[int, ...], name: Any, what: str = "out") -> Any:
    """The caller's array, found right: (its address, its type's name, the object to return)."""
    try:
        view = memoryview(out)
    except (TypeError, ValueError, BufferError):
        raise ValueError("%s must be an array" % what) from None
    code = view.format.lstrip("@=")
    own = {"l": "int%d" % (8 * view.itemsize), "q": "int64", "i": "int32", "H": "uint16",
           "f": "float32", "d": "float64"}.get(code)
    if own is None or name not in (None, own):
        raise ValueError("%s has entries of format '%s', and they must be %s" % (
            what, view.format, name or "one of " + ", ".join(TYPES)))
    if view.shape != tuple(shape):
        raise ValueError("%s has shape %s, and must have %s" % (what, view.shape, tuple(shape)))
    if view.readonly:
        raise ValueError("%s is read-only" % what)
    if not view.c_contiguous:
        raise ValueError("%s must be C-contiguous" % what)
    address = address_of(out)
    if address is not None and address % view.itemsize:
        raise ValueError("%s is not aligned" % what)
    return address, own, view.nbytes


def overlap(address: Optional[int], count: int, vector_: Any) -> bool:
    """Whether so many bytes there are among the vector's."""
    owner = vector_.owner
    if address is None or not vector_.native.data:
        return False
    if numpy is not None and isinstance(owner, numpy.ndarray):
        bounds = getattr(numpy.lib, "array_utils", numpy).byte_bounds
        low, high = bounds(owner)
    else:
        low = vector_.native.data
        high = low + memoryview(owner).nbytes
    return bool(address < high and low < address + count)


def choose(wanted: Any, n: int, find: Any, what: str) -> Any:
    """Vertices as SciPy has `indices`: (their numbers, the shape of the answer); None: all. `find`
    knows labels."""
    if wanted is None:
        return None, (n,)
    if find is not None:
        many = isinstance(wanted, (list, tuple, range, set, frozenset))
        many = many or numpy is not None and isinstance(wanted, numpy.ndarray)
        if hasattr(wanted, "to_numpy"):  # of pandas or polars
            wanted, many = wanted.to_numpy(), True
        if many and not _is_label(wanted, find):
            labels = wanted.ravel().tolist() if hasattr(wanted, "ravel") else wanted
            flat = [find(label) for label in labels]
            shape = wanted.shape if hasattr(wanted, "shape") else (len(flat),)
        else:
            flat, shape = [find(wanted)], ()
    elif _is_numpy(wanted) or numpy is not None and (
            isinstance(wanted, (list, tuple, range)) or not hasattr(wanted, "__len__")):
        chosen = _asarray(wanted, what)
        if chosen.size == 0 and isinstance(wanted, (list, tuple)):
            chosen = chosen.astype(numpy.int64)
        if chosen.dtype.kind not in "iu":
            raise ValueError("%s must be integers, not %s" % (what, chosen.dtype))
        flat, shape = chosen.ravel().tolist(), chosen.shape
    else:
        many = hasattr(wanted, "__len__")
        flat, shape = (list(wanted), (len(wanted),)) if many else ([wanted], ())
    for number in flat:
        if isinstance(number, str):
            raise ValueError("%s must be integers, not %r: the graph has no labels" % (
                what, number))
        if not isinstance(number, int) or not -n <= number < n:
            raise ValueError("%s out of range: %r, and there are %d vertices" % (what, number, n))
    flat = [number + n if number < 0 else number for number in flat]
    return array.array("I", flat), tuple(shape)


def _is_label(wanted: Any, find: Any) -> bool:
    """Tuples may be labels."""
    try:
        find(wanted)
    except (ValueError, TypeError):
        return False
    return True


def vertices(chosen: Any) -> Any:
    """The library's list of them."""
    if chosen is None:
        return None
    if len(chosen) == 0:
        return _native.List(ctypes.addressof(_NOWHERE), 0)
    return _native.List(address_of(chosen), len(chosen))


_NOWHERE = ctypes.c_uint32()
