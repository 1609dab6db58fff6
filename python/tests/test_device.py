"""Arrays in the memory of a GPU; here the host's memory stands for it."""

import ctypes
import gc

import pytest

import apsp
from apsp import _device, _native

numpy = pytest.importorskip("numpy")
GRAPH = [[0, 7, 3], [0, 0, 0], [0, 2, 0]]


class There:
    """An array that says it is on a GPU."""

    def __init__(self, values, stream=None):
        self.values, self.stream = values, stream

    @property
    def __cuda_array_interface__(self):
        interface = dict(self.values.__array_interface__, version=3, stream=self.stream)
        return {name: interface[name] for name in (
            "shape", "typestr", "data", "strides", "version", "stream")}


@pytest.fixture
def streams(monkeypatch):
    """Those that were read on."""
    seen, call = [], _native.call

    def read(name, *arguments, **settings):
        if name != "apsp_device_read":
            return call(name, *arguments, **settings)
        to, source, count, stream = arguments
        ctypes.memmove(to, source, count)
        return seen.append(stream)

    monkeypatch.setattr(_native, "call", read)
    return seen


class Sparse:
    """A matrix as CuPy has it."""

    format = "csr"

    def __init__(self, matrix):
        self.shape = matrix.shape
        for name in ("data", "indices", "indptr"):
            setattr(self, name, There(getattr(matrix, name), 7))

    def tocsr(self):
        return self


@pytest.mark.parametrize("kind", ["float64", "float32", "int64", "uint8"])
def test_dense(streams, kind):
    square = numpy.array(GRAPH, kind)
    wide = numpy.zeros((6, 9), kind)
    wide[::2, ::3] = square
    right = apsp.shortest_path(square)
    for values in (square, wide[::2, ::3], numpy.array(square.T, order="C").T):
        assert numpy.array_equal(apsp.shortest_path(There(values, 5)), right)
    assert set(streams) == {5}
    stack = There(numpy.stack([square, square]))
    assert numpy.array_equal(apsp.shortest_path_batch(stack.values)[1], right)


def test_edges_and_sparse(streams):
    sparse = pytest.importorskip("scipy.sparse")
    u, v, w = numpy.array([0, 0, 2]), numpy.array([1, 2, 1]), numpy.array([7, 3, 2.5])
    right = apsp.shortest_path(apsp.Edges(3, u, v, w))
    edges = apsp.Edges(3, There(u), There(v), There(w))
    assert numpy.array_equal(apsp.shortest_path(edges), right)
    matrix = sparse.csr_array((w, (u, v)), shape=(3, 3))
    assert numpy.array_equal(apsp.shortest_path(Sparse(matrix)), right)
    assert streams.count(7) == 3


def test_refused(streams):
    with pytest.raises(ValueError, match="below 0"):
        apsp.shortest_path(There(numpy.array(GRAPH)[::-1]))
    with pytest.raises(ValueError, match="square"):
        apsp.shortest_path(There(numpy.array(GRAPH)[1:]))
    for wrong in ("host", "gpu"):
        with pytest.raises(ValueError, match="'device'"):
            apsp.solve(GRAPH).distances(out=wrong)
    with pytest.raises(ValueError, match="limit"):
        apsp.shortest_path(GRAPH, limit=2, out="device")


def test_solution_on_the_cpu():
    with apsp.solve(GRAPH, device="cpu") as solution, pytest.raises(apsp.DeviceError):
        solution.distances(out="device")


class Here(apsp.DeviceArray):
    """The host's memory is DLPack's device 1."""

    def __dlpack_device__(self):
        return 1, 0


@pytest.fixture
def freed(monkeypatch):
    tables = []
    monkeypatch.setattr(_native, "free_later", lambda pair: tables.append(pair))
    return tables


@pytest.mark.parametrize("name", ["int32", "int64", "float32", "float64", "uint16"])
@pytest.mark.parametrize("shape", [(2, 3), (6,), ()])
def test_dlpack(freed, name, shape):
    values = numpy.arange(6, dtype=name)[:int(numpy.prod(shape))].reshape(shape)
    table = _native.DeviceTable(values.ctypes.data, 0, 0, 0, 0, 0)
    lent = len(_device._lent)
    array = Here(table, shape, name)
    interface = array.__cuda_array_interface__
    assert interface["shape"] == shape and interface["data"] == (values.ctypes.data, False)
    assert numpy.dtype(interface["typestr"]) == values.dtype
    taken = numpy.from_dlpack(array)
    assert taken.dtype == values.dtype and numpy.array_equal(taken, values)
    array.__dlpack__()  # which nobody takes
    assert len(_device._lent) == lent + 1
    del array
    gc.collect()
    assert not freed
    del taken
    gc.collect()
    assert len(freed) == 1 and len(_device._lent) == lent
    with pytest.raises(BufferError):
        Here(table, shape, name).__dlpack__(copy=True)


def test_rocm(freed):
    array = apsp.DeviceArray(_native.DeviceTable(1, 0, 0, 0, 3, 1), (0, 3), "int32")
    assert array.__dlpack_device__() == (10, 3) and not hasattr(array, "__cuda_array_interface__")
    assert "GPU 3" in repr(array)


def test_torch():
    torch = pytest.importorskip("torch")
    dense = torch.tensor(GRAPH, dtype=torch.float64)
    right = apsp.shortest_path(GRAPH)
    for tensor in (dense, dense.to_sparse_csr(), dense.to_sparse_coo()):
        assert numpy.array_equal(apsp.shortest_path(tensor), right)
