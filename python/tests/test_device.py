"""Arrays in the memory of a GPU; here the host's memory stands for it."""

import ctypes
import gc
import sys
import types

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


def sparse(kind="csr", **changed):
    """The graph as a matrix of CuPy's; as a CSR also arrays with nothing but that."""
    parts = {"data": [7, 3, 2.5], "indices": [1, 2, 1], "indptr": [0, 2, 2, 3],
             "row": [0, 0, 2], "col": [1, 2, 1]}
    parts.update(changed)
    names = ("data", "row", "col") if kind == "coo" else ("data", "indices", "indptr")
    matrix = types.SimpleNamespace(shape=changed.get("shape", (3, 3)), format=kind, **{
        name: There(numpy.array(parts[name], None if name == "data" else "int32"), 7)
        for name in names})
    if kind == "cupy":
        matrix.tocsr = lambda: sparse("csr", **changed)
        matrix.tocoo = lambda: sparse("coo", **changed)
    return matrix


RIGHT = [[0, 5.5, 3], [numpy.inf, 0, numpy.inf], [numpy.inf, 2.5, 0]]


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


def test_edges(streams):
    u, v, w = numpy.array([0, 0, 2]), numpy.array([1, 2, 1]), numpy.array([7, 3, 2.5])
    edges = apsp.Edges(3, There(u), There(v), There(w))
    assert numpy.array_equal(apsp.shortest_path(edges), RIGHT)
    assert numpy.array_equal(apsp.shortest_path_batch([edges])[0], RIGHT)


@pytest.mark.parametrize("kind", ["csr", "coo", "cupy"])
def test_sparse(streams, kind):
    if kind != "coo":
        assert numpy.array_equal(apsp.shortest_path(sparse(kind)), RIGHT)
        assert streams == [7, 7, 7]
        turned = sparse(kind, indices=[2, 1, 1], data=[3, 7, 2.5])
        assert numpy.array_equal(apsp.shortest_path(turned), RIGHT)
        hidden = apsp.shortest_path(sparse(kind, data=[7, numpy.inf, 2.5]))
        assert hidden[0].tolist() == [0, 7, numpy.inf]
    if kind != "csr":
        matrix = sparse("coo")
        matrix.tocsr = matrix.tocoo = lambda: matrix
        assert numpy.array_equal(apsp.shortest_path(matrix), RIGHT)
    else:
        matrix = sparse("csr", data=[True, True, True])
        assert apsp.shortest_path(matrix, dtype="int32")[0].tolist() == [0, 1, 1]
    assert numpy.array_equal(apsp.shortest_path_batch([matrix])[0], apsp.shortest_path(matrix))
    assert set(streams) == {7}


@pytest.mark.parametrize("text,changed", [
    ("broken", {"indptr": [0, 2, 3]}),
    ("broken", {"indptr": [0, 2, 2, 4]}),
    ("broken", {"indptr": [0, 2, 2, -1]}),
    ("broken", {"indices": [1, 2]}),
    ("broken", {"data": [7, 3]}),
    ("is 2, after 3", {"indptr": [0, 3, 2, 3]}),
    ("falls", {"indptr": [0, 3, 2, 3], "data": [7, numpy.nan, 2]}),
    ("vertex 3", {"indices": [1, 3, 1]}),
    ("vertex -1", {"indices": [1, -1, 1]}),
    ("complex128", {"data": [1, 2, 1j]}),
    ("square", {"shape": (3, 4)}),
    ("square", {"shape": (3, 3, 3)}),
])
def test_broken(streams, text, changed):
    with pytest.raises(ValueError, match=text):
        apsp.shortest_path(sparse(**changed))


def test_types(streams):
    matrix = sparse()
    matrix.indices = There(numpy.array([1.0, 2.0, 1.0]))
    with pytest.raises(ValueError, match="indices.*integers"):
        apsp.shortest_path(matrix)
    matrix = sparse()
    matrix.format = "csc"
    with pytest.raises(ValueError, match="not a known type"):
        apsp.shortest_path(matrix)


class Tensor:
    """A part of PyTorch's tensor."""

    device = "cuda:0"

    def __init__(self, layout, kept=None, **parts):
        self.layout, self.kept, self.shape = "torch." + layout, kept, getattr(kept, "shape", (3, 3))
        if kept is not None:
            self.__cuda_array_interface__ = There(kept).__cuda_array_interface__
        for name, part in parts.items():
            setattr(self, name, lambda part=part: Tensor("strided", numpy.array(part)))

    def detach(self):
        return self

    def __getitem__(self, place):
        return Tensor("strided", self.kept[place])


def test_tensors(streams, monkeypatch):
    torch = types.ModuleType("torch")
    torch.Tensor = Tensor
    torch.cuda = types.SimpleNamespace(
        current_stream=lambda device: types.SimpleNamespace(cuda_stream=11))
    monkeypatch.setitem(sys.modules, "torch", torch)
    values = [7, 3, 2.5]
    dense = Tensor("strided", numpy.array([[0, 7, 3], [0, 0, 0], [0, 2.5, 0]]))
    compressed = Tensor("sparse_csr", values=values, crow_indices=[0, 2, 2, 3],
                        col_indices=[1, 2, 1])
    entries = Tensor("sparse_coo", _values=values, _indices=[[0, 0, 2], [1, 2, 1]])
    for tensor in (dense, compressed, entries):
        assert numpy.array_equal(apsp.shortest_path(tensor), RIGHT)
        assert numpy.array_equal(apsp.shortest_path_batch([tensor])[0], RIGHT)
    assert set(streams) == {11}
    with pytest.raises(ValueError, match="sparse_csc"):
        apsp.shortest_path(Tensor("sparse_csc"))


class Lent:
    """An array that DLPack alone gives, and says to be on a device of that kind."""

    def __init__(self, values, kind):
        self.values, self.kind, self.asked = values, kind, []

    def __dlpack_device__(self):
        return self.kind, 0

    def __dlpack__(self, stream=None):
        self.asked.append(stream)
        return self.values.__dlpack__()


@pytest.mark.parametrize("kind,stream", [(2, 1), (10, 0)])
def test_dlpack_in(streams, kind, stream):
    wide = numpy.zeros((6, 9))
    wide[::2, ::3] = GRAPH
    right = apsp.shortest_path(GRAPH)
    for values in (wide[::2, ::3], wide[::2, ::3].copy(), numpy.array(GRAPH, bool)):
        array = Lent(values, kind)
        expected = right if values.dtype.kind == "f" else apsp.shortest_path(values)
        assert numpy.array_equal(apsp.shortest_path(array), expected)
        assert array.asked == [stream]
    assert set(streams) == {stream}
    with pytest.raises(ValueError, match="DLPack's type 5"):
        apsp.shortest_path(Lent(wide.astype(complex), kind))


def test_dlpack_elsewhere():
    values = numpy.array(GRAPH, float)
    assert numpy.array_equal(apsp.shortest_path(Lent(values, 1)), apsp.shortest_path(GRAPH))
    with pytest.raises(ValueError, match="kind 14"):
        apsp.shortest_path(Lent(values, 14))


def test_refused(streams):
    with pytest.raises(ValueError, match="below 0"):
        apsp.shortest_path(There(numpy.array(GRAPH)[::-1]))
    with pytest.raises(ValueError, match="square"):
        apsp.shortest_path(There(numpy.array(GRAPH)[1:]))
    for wrong in ("host", "gpu"):
        with pytest.raises(ValueError, match="'device'"):
            apsp.solve(GRAPH).distances(out=wrong)
    for out in ("device", There(numpy.array(GRAPH, float))):
        with pytest.raises(ValueError, match="limit"):
            apsp.shortest_path(GRAPH, limit=2, out=out)


def test_out_on_a_gpu_is_checked():
    """Before it is asked whether there is one."""
    n = len(GRAPH)
    for out, words in ((numpy.zeros((n, n + 1)), "shape"), (numpy.zeros((n, n), complex), "'<c16'"),
                       (numpy.zeros((n, n)).T[::-1][::-1].T[:, ::-1], "C-contiguous")):
        with pytest.raises(ValueError, match=words):
            apsp.shortest_path(GRAPH, out=There(out))
    with pytest.raises(ValueError, match="must be int32"):
        apsp.shortest_path(GRAPH, dtype="int32", out=There(numpy.zeros((n, n))))
    with pytest.raises(apsp.DeviceError):
        apsp.shortest_path(GRAPH, device="cpu", out=There(numpy.zeros((n, n))))


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


def test_distances_as_graph(streams, freed):
    """Results of ROCm's GPUs, which DLPack alone gives, are graphs too."""
    values = numpy.array(GRAPH, float)
    table = _native.DeviceTable(values.ctypes.data, 0, 0, 0, 0, 1)
    array = apsp.DeviceArray(table, values.shape, "float64")
    lent = len(_device._lent)
    assert numpy.array_equal(apsp.shortest_path(array), apsp.shortest_path(GRAPH))
    assert streams == [0] and len(_device._lent) == lent


def test_torch():
    torch = pytest.importorskip("torch")
    dense = torch.tensor(GRAPH, dtype=torch.float64)
    right = apsp.shortest_path(GRAPH)
    for tensor in (dense, dense.to_sparse_csr(), dense.to_sparse_coo()):
        assert numpy.array_equal(apsp.shortest_path(tensor), right)
