"""device_gpu.py: arrays on a real GPU, in and out, by the CUDA runtime alone: the library's own
copies and pointers are checked against it. Needs NumPy and libcudart."""

import ctypes
import ctypes.util
import importlib.util
import time

import numpy as np

import apsp

TO_DEVICE, TO_HOST, IS_DEVICE = 1, 2, 2
cuda = ctypes.CDLL(ctypes.util.find_library("cudart") or "libcudart.so")


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


def main(n=6000, degree=8):
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
    print("device_gpu: passed")


if __name__ == "__main__":
    main()
