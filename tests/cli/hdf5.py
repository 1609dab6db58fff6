"""hdf5.py FILE.hdf5 FILE.npy NAMES GRAPH [OPTION VALUE]...: whether the first file has what the
second one has, and calls it so."""
import sys
import h5py
import numpy as np

path, array, names, graph = sys.argv[1:5]
options = dict(zip(sys.argv[5::2], sys.argv[6::2]))
right = np.load(array)
names = open(names).read().split("\n")[:-1]


def chosen(option):
    """What the rows or columns are called that the option names."""
    called = []
    for part in options.get(option, "").split(",") if option in options else []:
        low, _, high = part.partition("-")
        called += [str(v) for v in range(int(low), int(high) + 1)] if high else [part]
    return called or names


def text(values):
    return [v.decode() if isinstance(v, bytes) else str(v) for v in values]


with h5py.File(path) as file:
    d = file["distances"]
    assert d.dtype == right.dtype and d.shape == right.shape and d.chunks == (1, right.shape[1]), (
        d.dtype, right.dtype, d.shape)
    assert d.compression == "gzip" and d.shuffle
    assert np.array_equal(d[:], right)
    unreachable = {
        "u1": 255, "u2": 65535, "i4": 2**30 - 1, "i8": 2**62 - 1, "f4": np.inf, "f8": np.inf
    }[right.dtype.str[1:]]
    assert d.attrs["unreachable"] == unreachable and d.attrs["unreachable"].dtype == right.dtype
    assert text(file["sources"][:]) == chosen("--sources") and text(
        file["targets"][:]) == chosen("--targets")
    assert file.attrs["graph"] == graph and file.attrs["program"].startswith("apsp ")
    assert file.attrs["vertices"] == len(names) and file.attrs["edges"] > 0
