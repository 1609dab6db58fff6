"""device_gpu.py: arrays on a GPU, in and out. Sparse matrices there are arrays that the library
itself has left there. The rest is by the CUDA runtime alone: the library's own copies and pointers
are checked against it. Needs NumPy, and libcudart for the rest; `device_gpu.py sparse` leaves that
out, for any GPU."""

import ctypes
import ctypes.util
import importlib.util
import sys
import time
import types

import numpy as np

import apsp
from apsp import _device

TO_DEVICE, TO_HOST, IS_DEVICE = 1, 2, 2
cuda = None


def check(code):
    assert code == 0, "the CUDA runtime fails with %d" % code


class Attributes(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int), ("device", ctypes.c_int), ("on_device", ctypes.c_void_p),
                ("on_host", ctypes.c_void_p), ("reserved", ctypes.c_long * 8)]


class There:
    """A copy on the GPU, made on a stream of its own that is not waited for."""

    def __init__(self, values, stream):
        self.values, self.pointer, self.stream = values, ctypes.c_void_p(), stream
        check(cuda.cudaMalloc(ctypes.byref(self.pointer), ctypes.c_size_t(values.nbytes)))
        check(cuda.cudaMemcpyAsync(self.pointer, ctypes.c_void_p(values.ctypes.data),
                                   ctypes.c_size_t(values.nbytes), TO_DEVICE, stream))

    @property
    def __cuda_array_interface__(self):
        return {"shape": self.values.shape, "typestr": self.values.dtype.str, "version": 3,
                "data": (self.pointer.value, False), "stream": self.stream.value}


def fetch(array):
    """The same on the host."""
    interface = array.__cuda_array_interface__
    about = Attributes()
    check(cuda.cudaPointerGetAttributes(ctypes.byref(about),
                                        ctypes.c_void_p(interface["data"][0])))
    assert about.type == IS_DEVICE and about.device == array.device
    values = np.empty(interface["shape"], interface["typestr"])
    check(cuda.cudaMemcpy(ctypes.c_void_p(values.ctypes.data),
                          ctypes.c_void_p(interface["data"][0]), ctypes.c_size_t(values.nbytes),
                          TO_HOST))
    return values


def left_there(values):
    """A copy on the GPU, by the library alone: distances from the middle of a star."""
    count = len(values)
    star = apsp.Edges(count + 1, np.zeros(count, np.int32), np.arange(1, count + 1), values)
    return apsp.shortest_path(star, indices=0, targets=range(1, count + 1), out="device",
                              device="gpu", method="sssp", dtype=values.dtype.name)


class Lent:
    """The same array by DLPack alone, as where the GPU is AMD's."""

    def __init__(self, array):
        self.array = array

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()

    def __dlpack__(self, stream=None):
        return self.array.__dlpack__(stream=stream)


def refused(error, text, function, *arguments):
    try:
        function(*arguments)
    except error as raised:
        assert text in str(raised), raised
    else:
        raise AssertionError("no %s" % error.__name__)


def sparse(n=150, degree=8):
    """A CSR whose arrays are on the GPU."""
    chance = np.random.default_rng(2)
    counts = chance.integers(0, 2 * degree, n)
    starts = np.concatenate([[0], np.cumsum(counts)])
    ends = chance.integers(n, size=starts[-1])
    weights = chance.integers(1, 1000, starts[-1])
    for place, entry in (("int32", "float64"), ("int64", "float32"), ("int32", "int32")):
        parts = [starts.astype(place), ends.astype(place), weights.astype(entry)]
        right = apsp.shortest_path(
            apsp.Edges(n, np.repeat(np.arange(n), counts), ends, weights), device="cpu")
        there = [left_there(part) for part in parts]
        for lend in (lambda array: array, Lent):
            indptr, indices, data = map(lend, there)
            graph = types.SimpleNamespace(shape=(n, n), indptr=indptr, indices=indices, data=data)
            found = apsp.shortest_path(graph, out="device", device="gpu", dtype="float64")
            assert np.array_equal(_device.to_host(found), right)
            assert np.array_equal(_device.to_host(Lent(found)), right)
            graph.indptr = indices
            refused(ValueError, "broken", apsp.shortest_path, graph)
            graph.indptr, graph.indices = indptr, data
            if entry != "int32":
                refused(ValueError, "integers", apsp.shortest_path, graph)
    if not hasattr(there[0], "__cuda_array_interface__"):
        return
    about = dict(there[0].__cuda_array_interface__, data=(starts.ctypes.data, False))
    graph.indptr = types.SimpleNamespace(__cuda_array_interface__=about)
    refused(apsp.DeviceError, "cannot be read", apsp.shortest_path, graph)


def into(n=60):
    """Distances into arrays that are on the GPU already."""
    chance = np.random.default_rng(3)
    weights = chance.integers(1, 100, (n, n))
    for name in ("uint16", "int32", "float64"):
        right = apsp.shortest_path(weights, dtype=name, device="cpu")
        for lend in (lambda array: array, Lent):
            room = apsp.shortest_path(weights + 1, out="device", dtype=name)
            out = lend(room)
            assert apsp.shortest_path(weights, out=out) is out
            assert np.array_equal(_device.to_host(room), right)
            with apsp.solve(weights + 1, dtype=name, device="gpu") as solution:
                assert solution.distances(out=out) is out
                assert not np.array_equal(_device.to_host(room), right)
                refused(ValueError, "shape", solution.distances, [1, 2], None, out)
                part = lend(solution.distances([5, 7], [2], out="device"))
                solution.update(weights)
                solution.distances([5, 7], [2], out=part)
                assert np.array_equal(_device.to_host(part), right[[5, 7]][:, [2]])
        other = "int32" if name == "uint16" else "uint16"
        with apsp.solve(weights, dtype=other, device="gpu") as solution:
            refused(ValueError, "must be " + other, solution.distances, None, None, room)
        with apsp.solve(weights, dtype=name, device="cpu") as solution:
            refused(apsp.DeviceError, "not on a GPU", solution.distances, None, None, room)
        if not hasattr(room, "__cuda_array_interface__"):
            continue
        for about in ({"data": (room._table.values, True)}, {"strides": (8, 8 * n)}):
            about = dict(room.__cuda_array_interface__, **about)
            refused(ValueError, "read-only" if about["data"][1] else "C-contiguous",
                    lambda out: apsp.shortest_path(weights, out=out),
                    types.SimpleNamespace(__cuda_array_interface__=about))
        host = types.SimpleNamespace(__cuda_array_interface__=dict(
            room.__cuda_array_interface__, data=(right.ctypes.data, False)))
        refused(apsp.DeviceError, "not that of a GPU",
                lambda out: apsp.shortest_path(weights, out=out), host)


def tables(side=30):
    """Rows that the sparse engine leaves on the GPU, beside the dense one's on cores."""
    chance, n = np.random.default_rng(3), side * side
    vertex = np.arange(n).reshape(side, side)
    tail = np.r_[vertex[:, 1:].ravel(), vertex[1:].ravel(), vertex[:, :-1].ravel()]
    head = np.r_[vertex[:, :-1].ravel(), vertex[:-1].ravel(), vertex[:, 1:].ravel()]
    weight = chance.integers(1, 9, len(tail))
    level = chance.integers(0, 50, n)
    below = weight + level[head] - level[tail]  # no cycle is negative; upwards there is no path
    cases = (weight, ("int32", "uint16", "float32", "float64")), (below, ("int32",))
    for values, dtypes in cases:
        edges = apsp.Edges(n, tail, head, values)
        for dtype in dtypes:
            right = apsp.shortest_path(edges, method="dense", device="cpu", dtype=dtype)
            with apsp.solve(edges, method="sparse", device="gpu", dtype=dtype) as solution:
                for sources in (None, [5, 3, 3, n - 1]):
                    for targets in (None, [7, 7, 2]):
                        found = solution.distances(sources, targets, out="device")
                        rows = right if sources is None else right[sources]
                        assert np.array_equal(_device.to_host(found),
                                              rows if targets is None else rows[:, targets])
    rounded = apsp.Edges(n, tail, head, chance.random(len(tail)))
    for graph, way in ((rounded, {"sums": "path"}), (edges, {"paths": "widest"})):
        right = apsp.shortest_path(graph, method="dense", device="cpu", **way)
        found = apsp.shortest_path(graph, method="sparse", device="gpu", out="device", **way)
        assert np.array_equal(_device.to_host(found), right)


def streams(n=6000, degree=8):
    """Arrays of the CUDA runtime's."""
    chance, stream = np.random.default_rng(1), ctypes.c_void_p()
    check(cuda.cudaStreamCreateWithFlags(ctypes.byref(stream), 1))
    source = np.repeat(np.arange(n, dtype=np.int32), degree)
    target = chance.integers(n, size=n * degree, dtype=np.int32)
    weight = chance.integers(1, 1000, n * degree, dtype=np.int32)
    right = apsp.shortest_path(apsp.Edges(n, source, target, weight), device="cpu", dtype="int32")
    edges = apsp.Edges(n, *(There(part, stream) for part in (source, target, weight)))
    for method in ("dense", "sparse", "sssp"):
        with apsp.solve(edges, method=method, device="gpu", dtype="int32") as solution:
            for chosen in (None, [0, n - 1, 5]):
                times = []
                for out in (None, "device", None, "device"):
                    begun = time.perf_counter()
                    found = solution.distances(chosen, out=out)
                    times.append(time.perf_counter() - begun)
                assert np.array_equal(fetch(found), right if chosen is None else right[chosen])
                print("%-6s %5s rows: %s; to the host %.4f s, on the GPU %.4f s" % (
                    method, "all" if chosen is None else len(chosen), solution.facts["device"],
                    min(times[::2]), min(times[1::2])))
            some = solution.distances([1, 2], [3, 4, 5], out="device")
        assert np.array_equal(fetch(some), right[[1, 2], 3:6])  # after the solution
    square = chance.integers(1, 100, (500, 500)).astype(np.float32)
    found = apsp.shortest_path(There(square, stream), out="device", dtype="float32")
    assert np.array_equal(fetch(found), apsp.shortest_path(square, dtype="float32", device="cpu"))
    if importlib.util.find_spec("torch"):
        import torch
        assert np.array_equal(torch.from_dlpack(found).cpu().numpy(), fetch(found))


def main():
    global cuda
    sparse()
    into()
    tables()
    if sys.argv[1:] != ["sparse"]:
        cuda = ctypes.CDLL(ctypes.util.find_library("cudart") or "libcudart.so")
        streams()
    print("device_gpu: passed")


if __name__ == "__main__":
    main()
