"""Arrays in the memory of a GPU: distances there, and graphs of CuPy and PyTorch."""

from __future__ import annotations

import ctypes
import math
import sys
from ctypes import byref
from typing import Any, Dict, NamedTuple, Optional, Tuple

from . import _native

_CPU, _CUDA, _ROCM = 1, 2, 10  # DLPack's kinds of devices
_DEFAULT = {_CUDA: 1, _ROCM: 0}  # and their default streams
_CODES = {"i": 0, "u": 1, "f": 2, "b": 6}  # and kinds of types
_LETTERS = {code: letter for letter, code in _CODES.items()}


class _Tensor(ctypes.Structure):
    """DLPack's DLManagedTensor."""

    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32),
                ("device_id", ctypes.c_int32), ("ndim", ctypes.c_int32),
                ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
                ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)), ("offset", ctypes.c_uint64),
                ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]


_lent: Dict[int, Any] = {}  # what others' tensors need, by the address of DLPack's struct


def _give_back(address: Any) -> None:
    _lent.pop(address, None)


def _drop(capsule: Any) -> None:
    """Of a capsule that nobody has taken a tensor from."""
    if _python.PyCapsule_IsValid(capsule, b"dltensor"):
        _give_back(_python.PyCapsule_GetPointer(capsule, b"dltensor"))


_deleter = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(_give_back)
_destructor = ctypes.PYFUNCTYPE(None, ctypes.c_void_p)(_drop)
_python = ctypes.PyDLL(None)
_python.PyCapsule_New.restype = ctypes.py_object
_python.PyCapsule_New.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
_python.PyCapsule_IsValid.argtypes = [ctypes.c_void_p, ctypes.c_char_p]
_python.PyCapsule_GetPointer.restype = ctypes.c_void_p
_python.PyCapsule_GetPointer.argtypes = [ctypes.c_void_p, ctypes.c_char_p]


def _type_of(dtype: str) -> Tuple[str, int]:
    """Its kind, as NumPy calls it, and bytes."""
    return dtype[0], int(dtype.lstrip("uintfloa")) // 8


class DeviceArray(_native.Held):
    """Distances in the memory of a GPU, C-contiguous and complete, whatever stream reads them:
    ``torch.from_dlpack(d)``, ``cupy.asarray(d)``. Its memory is freed after the last array over it.

    Attributes
    ----------
    shape : tuple of int
    dtype : str
        The name of their type. Its entry for unreachable is ``apsp.unreachable(dtype)``.
    device : int
        The number of the GPU in this process.
    """

    _instead = "torch.from_dlpack(d).clone() and cupy.array(d) make arrays that can"

    def __init__(self, table: Any, shape: Tuple[int, ...], dtype: str) -> None:
        self._table = table
        self.shape, self.dtype, self.device = shape, dtype, int(table.device)

    def __repr__(self) -> str:
        return "<apsp.DeviceArray of shape %s, %s, on GPU %d>" % (
            self.shape, self.dtype, self.device)

    def __del__(self) -> None:
        _native.free_later((_native.library.apsp_device_table_free, byref(self._table)))

    @property
    def __cuda_array_interface__(self) -> Dict[str, Any]:
        if self._table.hip:
            raise AttributeError("the array is not in the memory of CUDA")
        return {"shape": self.shape, "typestr": "<%s%d" % _type_of(self.dtype), "version": 3,
                "data": (self._table.values or 0, False), "strides": None, "stream": None}

    def __dlpack_device__(self) -> Tuple[int, int]:
        return _ROCM if self._table.hip else _CUDA, self.device

    def __dlpack__(self, *, stream: Any = None, max_version: Any = None, dl_device: Any = None,
                   copy: Any = None) -> Any:
        """A capsule of DLPack. The distances are complete, so any stream may read them."""
        place = self.__dlpack_device__()
        if copy or dl_device not in (None, place):
            raise BufferError("the array is not copied")
        shape = (ctypes.c_int64 * max(len(self.shape), 1))(*self.shape)
        kind, size = _type_of(self.dtype)
        tensor = _Tensor(self._table.values, *place, len(self.shape), _CODES[kind], 8 * size, 1,
                         shape, None, 0, None, ctypes.cast(_deleter, ctypes.c_void_p))
        address = ctypes.addressof(tensor)
        _lent[address] = tensor, shape, self
        destructor = ctypes.cast(_destructor, ctypes.c_void_p)
        return _python.PyCapsule_New(address, b"dltensor", destructor)


def is_there(values: Any) -> bool:
    """Whether it is an array that NumPy cannot read: in the memory of a GPU, or of DLPack alone."""
    if hasattr(values, "__cuda_array_interface__"):
        return True
    return hasattr(values, "__dlpack_device__") and (
        values.__dlpack_device__()[0] != _CPU or not hasattr(values, "__array__"))


class _View(NamedTuple):
    """Where an array lies, and the stream that its entries are complete on."""

    owner: Any  # keeps it there
    address: int
    kind: str  # as NumPy writes types
    shape: Tuple[int, ...]
    strides: Optional[Tuple[int, ...]]  # bytes; None: C order
    stream: Any


def _of_interface(values: Any) -> _View:
    interface = values.__cuda_array_interface__
    if interface.get("mask") is not None:
        raise ValueError("an array on the GPU has a mask")
    torch: Any = sys.modules.get("torch")
    stream = interface.get("stream")
    if torch is not None and isinstance(values, torch.Tensor):  # which does not tell it there
        stream = torch.cuda.current_stream(values.device).cuda_stream
    return _View(values, interface["data"][0], interface["typestr"], tuple(interface["shape"]),
                 interface.get("strides"), stream)


def _of_capsule(values: Any) -> _View:
    """By DLPack, complete on the default stream. Nobody takes the tensor from the capsule, so the
    capsule gives it back."""
    device = values.__dlpack_device__()[0]
    if device not in _DEFAULT:
        raise ValueError("an array is on a device of DLPack's kind %d, which is neither CUDA's nor "
                         "ROCm's" % device)
    stream = _DEFAULT[device]
    capsule = values.__dlpack__(stream=stream)
    tensor = _Tensor.from_address(_python.PyCapsule_GetPointer(id(capsule), b"dltensor"))
    if tensor.code not in _LETTERS or tensor.bits % 8 or tensor.lanes != 1:
        raise ValueError("an array has entries of DLPack's type %d with %d x %d bits, which are no "
                         "numbers" % (tensor.code, tensor.lanes, tensor.bits))
    size, count = tensor.bits // 8, tensor.ndim
    strides = tuple(size * k for k in tensor.strides[:count]) if tensor.strides else None
    return _View(capsule, (tensor.data or 0) + tensor.offset,
                 "<%s%d" % (_LETTERS[tensor.code], size), tuple(tensor.shape[:count]), strides,
                 stream)


def _view_of(values: Any) -> _View:
    return (_of_interface if hasattr(values, "__cuda_array_interface__") else _of_capsule)(values)


def _steps(shape: Tuple[int, ...], size: int) -> Tuple[int, ...]:
    """Bytes from entry to entry in C order."""
    return tuple(size * math.prod(shape[k + 1:]) for k in range(len(shape)))


def given(out: Any, shape: Tuple[int, ...], names: Tuple[str, ...]) -> Tuple[_View, str]:
    """The caller's array on a GPU, found right, and which of these types it has."""
    view = _view_of(out)
    name = {"<%s%d" % _type_of(name): name for name in names}.get(view.kind)
    if name is None:
        raise ValueError("out has entries of type '%s', and they must be %s" % (
            view.kind, " or ".join(names)))
    if view.shape != tuple(shape):
        raise ValueError("out has shape %s, and must have %s" % (view.shape, tuple(shape)))
    if getattr(out, "__cuda_array_interface__", {}).get("data", (0, False))[1]:
        raise ValueError("out is read-only")
    steps = zip(view.strides or (), _steps(shape, _type_of(name)[1]), shape)
    if 0 not in shape and any(own != step for own, step, count in steps if count > 1):
        raise ValueError("out must be C-contiguous")
    return view, name


def to_host(values: Any) -> Any:
    """The same array in the host's memory: one copy, after the work on its stream."""
    import numpy
    if not hasattr(values, "__cuda_array_interface__") and values.__dlpack_device__()[0] == _CPU:
        return numpy.from_dlpack(values)
    view = _view_of(values)
    kind, shape, strides = numpy.dtype(view.kind), view.shape, view.strides
    if strides and min(strides) < 0:
        raise ValueError("an array on the GPU has strides below 0")
    if 0 in shape:
        return numpy.empty(shape, kind)
    if strides is None:
        strides = _steps(shape, kind.itemsize)
    span = kind.itemsize + sum((n - 1) * step for n, step in zip(shape, strides))
    room = numpy.empty(span, numpy.uint8)
    _native.call("apsp_device_read", room.ctypes.data, view.address, span, view.stream)
    return numpy.ndarray(shape, kind, room, 0, strides)


def is_tensor(graph: Any) -> bool:
    """Whether it is one of PyTorch's."""
    torch: Any = sys.modules.get("torch")
    return torch is not None and isinstance(graph, torch.Tensor)


class Stored:
    """The entries that a sparse matrix has stored, as arrays of any kind: rows, or places where
    rows begin, columns and values."""

    def __init__(self, shape: Any, data: Any, **parts: Any) -> None:
        self.shape, self.data = shape, data
        self.__dict__.update(parts)


def of_tensor(graph: Any) -> Any:
    """PyTorch's tensor: itself if it is dense, else what it has stored."""
    layout, graph = str(graph.layout), graph.detach()
    if layout == "torch.strided":
        return graph
    shape = tuple(graph.shape)
    if layout == "torch.sparse_csr":
        return Stored(shape, graph.values(), indptr=graph.crow_indices(),
                      indices=graph.col_indices())
    if layout == "torch.sparse_coo":
        ends = graph._indices()
        return Stored(shape, graph._values(), format="coo", row=ends[0], col=ends[1])
    raise ValueError("a tensor of layout %s: expected a strided, CSR or COO one" % layout)
