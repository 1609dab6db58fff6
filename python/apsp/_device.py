"""Arrays in the memory of a GPU: distances there, and graphs of CuPy and PyTorch."""

from __future__ import annotations

import ctypes
import sys
from ctypes import byref
from typing import Any, Dict, Tuple

from . import _native

_CUDA, _ROCM = 2, 10  # DLPack's kinds of devices
_CODES = {"i": 0, "u": 1, "f": 2}  # and of types


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


class DeviceArray:
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

    def __init__(self, table: Any, shape: Tuple[int, ...], dtype: str) -> None:
        self._table = table
        self.shape, self.dtype, self.device = shape, dtype, int(table.device)

    def __repr__(self) -> str:
        return "<apsp.DeviceArray of shape %s, %s, on GPU %d>" % (
            self.shape, self.dtype, self.device)

    def __del__(self) -> None:
        _native.free_later((_native.library.apsp_device_table_free, byref(self._table)))

    def _type(self) -> Tuple[str, int]:
        """Its kind, as NumPy calls it, and bytes."""
        digits = self.dtype.lstrip("uintfloa")
        return self.dtype[0], int(digits) // 8

    @property
    def __cuda_array_interface__(self) -> Dict[str, Any]:
        if self._table.hip:
            raise AttributeError("the array is not in the memory of CUDA")
        return {"shape": self.shape, "typestr": "<%s%d" % self._type(), "version": 3,
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
        kind, size = self._type()
        tensor = _Tensor(self._table.values, *place, len(self.shape), _CODES[kind], 8 * size, 1,
                         shape, None, 0, None, ctypes.cast(_deleter, ctypes.c_void_p))
        address = ctypes.addressof(tensor)
        _lent[address] = tensor, shape, self
        destructor = ctypes.cast(_destructor, ctypes.c_void_p)
        return _python.PyCapsule_New(address, b"dltensor", destructor)


def is_there(values: Any) -> bool:
    """Whether it is an array in the memory of a GPU."""
    return hasattr(values, "__cuda_array_interface__")


def _stream_of(values: Any, interface: Any) -> Any:
    """The stream on which it is made: PyTorch does not tell in the interface."""
    torch: Any = sys.modules.get("torch")
    if torch is not None and isinstance(values, torch.Tensor):
        return torch.cuda.current_stream(values.device).cuda_stream
    return interface.get("stream")


def to_host(values: Any) -> Any:
    """The same array in the host's memory, after the work on its stream."""
    import numpy
    interface = values.__cuda_array_interface__
    kind, shape = numpy.dtype(interface["typestr"]), tuple(interface["shape"])
    strides = interface.get("strides")
    if interface.get("mask") is not None or strides and min(strides) < 0:
        raise ValueError("an array on the GPU has a mask, or strides below 0")
    if 0 in shape:
        return numpy.empty(shape, kind)
    if strides is None:
        strides = numpy.empty(0, kind).strides if not shape else [
            kind.itemsize * int(numpy.prod(shape[k + 1:], dtype=object))
            for k in range(len(shape))]
    span = kind.itemsize + sum((n - 1) * step for n, step in zip(shape, strides))
    room = numpy.empty(span, numpy.uint8)
    _native.call("apsp_device_read", room.ctypes.data, interface["data"][0], span,
                 _stream_of(values, interface))
    return numpy.ndarray(shape, kind, room, 0, tuple(strides))


def _entries(values: Any) -> Any:
    return to_host(values) if is_there(values) else values.numpy()


def is_tensor(graph: Any) -> bool:
    """Whether it is one of PyTorch's."""
    torch: Any = sys.modules.get("torch")
    return torch is not None and isinstance(graph, torch.Tensor)


def of_tensor(graph: Any) -> Any:
    """PyTorch's tensor as a matrix of NumPy's or SciPy's; entries that are stored are edges."""
    layout, graph = str(graph.layout), graph.detach()
    if layout == "torch.strided":
        return _entries(graph)
    from scipy import sparse
    shape = tuple(graph.shape)
    if layout == "torch.sparse_csr":
        parts = graph.values(), graph.col_indices(), graph.crow_indices()
        return sparse.csr_array(tuple(map(_entries, parts)), shape=shape)
    if layout == "torch.sparse_coo":
        ends = _entries(graph._indices())
        return sparse.coo_array((_entries(graph._values()), (ends[0], ends[1])), shape=shape)
    raise ValueError("a tensor of layout %s: expected a strided, CSR or COO one" % layout)


def of_sparse(matrix: Any) -> Any:
    """A sparse matrix of CuPy's as SciPy's."""
    from scipy import sparse
    if getattr(matrix, "format", "") != "coo":
        matrix = matrix.tocsr()
        parts = matrix.data, matrix.indices, matrix.indptr
        return sparse.csr_array(tuple(map(_entries, parts)), shape=matrix.shape)
    ends = _entries(matrix.row), _entries(matrix.col)
    return sparse.coo_array((_entries(matrix.data), ends), shape=matrix.shape)
