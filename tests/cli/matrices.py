"""Distances as others write them, for matrices.sh: python3 matrices.py FOLDER. Each line of
FOLDER/cases is a file there, its graph and options; in FOLDER/wrong is the same file with one
distance changed. FOLDER/refused has files that are none: exit code, words, file, graph, options."""
import io, os, struct, sys, zipfile
import numpy as np
import scipy.io
from scipy.sparse.csgraph import shortest_path

folder = sys.argv[1]
os.mkdir(folder + "/wrong")
cases, refused = open(folder + "/cases", "w"), open(folder + "/refused", "w")
random = np.random.default_rng(11)
n = 60


def write_graph(name, weights, field, symmetry="general"):
    """Weights of 0 are no edges; numbers from 1."""
    at = [(u, v) for u, v in zip(*np.nonzero(weights)) if symmetry == "general" or u >= v]
    with open(f"{folder}/{name}", "w") as out:
        print(f"%%MatrixMarket matrix coordinate {field} {symmetry}\n{n} {n} {len(at)}", file=out)
        for u, v in at:
            print(u + 1, v + 1, weights[u, v], file=out)


def emit(name, graph, write, matrix, options="", change=1):
    """The file, and one in which a finite distance is another one. `write` gets a path and a
    matrix."""
    wrong = matrix.copy()
    i, j = next((i, j) for i in range(len(matrix)) for j in range(len(matrix[0]))
                if 0 < abs(matrix[i, j]) < 200)
    wrong[i, j] += change
    if name.endswith(".sym.mtx"):
        wrong[j, i] += change
    for where, values in (folder, matrix), (folder + "/wrong", wrong):
        with np.errstate(invalid="ignore", over="ignore"):
            write(f"{where}/{name}", values)
    print(name, graph, options, sep="|", file=cases)


def with_value(matrix, value):
    return np.where(np.isinf(matrix), value, matrix)


def save(kind, order="C"):
    return lambda path, matrix: np.save(path, np.asarray(matrix, dtype=kind, order=order))


whole = np.where(random.random((n, n)) < 0.035, random.integers(1, 9, (n, n)), 0)
signed = np.where(random.random((n, n)) < 0.035, random.integers(1, 90, (n, n)), 0)
height = random.integers(0, 40, n)
signed = np.where(signed > 0, signed + height[:, None] - height[None, :], 0)
real = np.where(random.random((n, n)) < 0.035, random.random((n, n)), 0.0)
both = np.triu(np.where(random.random((n, n)) < 0.02, random.integers(1, 9, (n, n)), 0), 1)
both += both.T
write_graph("whole.mtx", whole, "integer")
write_graph("signed.mtx", signed, "integer")
write_graph("real.mtx", real, "real")
write_graph("both.mtx", both, "integer", "symmetric")
d = {name: shortest_path(weights, method="J") for name, weights in
     {"whole": whole, "signed": signed, "real": real, "both": both}.items()}
assert all(np.isinf(m).any()
           for m in d.values()) and d["whole"][np.isfinite(d["whole"])].max() < 120

# Types, byte orders, layouts, and what stands for unreachable.
largest = {
    "u1": 255, "i1": 127, "u2": 65535, "i2": 32767, "u4": 2**32 - 1, "i4": 2**31 - 1,
    "u8": 2**64 - 1, "i8": 2**63 - 1
}
for kind, value in largest.items():
    for order in "<>":
        exact = np.where(np.isinf(d["whole"]), 0, d["whole"]).astype(order + kind)
        exact[np.isinf(d["whole"])] = value
        emit(f"{kind}{order == '>':d}.npy", "whole.mtx", lambda path, matrix: np.save(path, matrix),
             exact)
for kind, value in ("i4", 2**30 - 1), ("i8", 2**62 - 1):
    emit(
        f"own{kind}.npy", "whole.mtx", lambda path, matrix: np.save(path, matrix),
        np.where(np.isinf(d["whole"]), 0, d["whole"]).astype(kind) +
        np.where(np.isinf(d["whole"]), value, 0).astype(kind))
for kind in "<f4", ">f4", "<f8", ">f8":
    for order in "CF":
        name = kind[1:] + str(int(kind[0] == ">")) + order
        emit(f"w{name}.npy", "whole.mtx", save(kind, order), d["whole"], change=1 / 4096)
        emit(f"s{name}.npy", "signed.mtx", save(kind, order), d["signed"], change=1 / 4096)
        emit(f"r{name}.npy", "real.mtx", save(kind, order), d["real"], change=1 / 64)
emit("f8max.npy", "whole.mtx", save("f8"), with_value(d["whole"], np.finfo("f8").max))
emit("f4max.npy", "whole.mtx", save("f4"), with_value(d["whole"], np.finfo("f4").max))
for kind in "i2", "i4", "i8", "f4", "f8":
    emit(f"minus{kind}.npy", "whole.mtx", save(kind, "F"), with_value(d["whole"], -1),
         "--unreachable -1")
    emit(f"large{kind}.npy", "whole.mtx", save(kind), with_value(d["whole"], 9999),
         "--unreachable 9999,8888")
emit("nan.npy", "whole.mtx", save("f8"), with_value(d["whole"], np.nan), "--unreachable nan")
emit("real_nan.npy", "real.mtx", save("f8"), with_value(d["real"], np.nan), "--unreachable nan,-1",
     1 / 64)
emit("suffix", "whole.mtx", lambda path, m: np.save(open(path, "wb"), m), d["whole"])

# Archives and bare numbers, compressed ones too.
for name, write in ("plain", np.savez), ("packed", np.savez_compressed):
    emit(f"{name}.npz", "whole.mtx", write, d["whole"])
    emit(f"{name}F.npz",
         "real.mtx",
         lambda path, m, write=write: write(path, **{"the_distances_" * 3: np.asfortranarray(m)}),
         d["real"],
         change=1 / 64)
for kind in "u1", "u2", "u4", "u8", "i1", "i2", "i4", "i8", "f4", "f8":
    value = largest.get(kind, np.inf)
    exact = np.where(np.isinf(d["whole"]), 0, d["whole"]).astype("<" + kind)
    exact[np.isinf(d["whole"])] = value
    emit(f"raw.{kind[0]}{8 * int(kind[1])}", "whole.mtx", lambda path, m: m.tofile(path), exact)
emit("raw", "whole.mtx", lambda path, m: m.tofile(path),
     with_value(d["whole"], 2**30 - 1).astype("<i4"))
import bz2, gzip, lzma
for suffix, module in ("gz", gzip), ("xz", lzma), ("bz2", bz2):
    emit(f"packed.f64.{suffix}",
         "whole.mtx",
         lambda path, m, module=module: module.open(path, "wb").write(m.tobytes()),
         d["whole"])

# Text.
emit("savetxt.txt", "whole.mtx", np.savetxt, d["whole"], change=1 / 4096)
emit("savetxt.txt.gz", "real.mtx", np.savetxt, d["real"], change=1 / 64)
emit("fmt.csv", "whole.mtx",
     lambda path, m: np.savetxt(path, m, fmt="%g", delimiter=",", header="a comment"), d["whole"])
emit("whole.tsv", "whole.mtx",
     lambda path, m: np.savetxt(path, with_value(m, -1), fmt="%d", delimiter="\t"), d["whole"],
     "--unreachable -1")
emit("wide.dat",
     "whole.mtx",
     lambda path, m: np.savetxt(path, m, fmt="%12.3f"),
     d["whole"],
     change=1 / 4)
emit("max.txt", "real.mtx", np.savetxt, with_value(d["real"], np.finfo("f8").max), change=1 / 64)
order = random.permutation(n)


def table(path, matrix, rows, columns, separator=",", quote='"', corner=True, end="\n"):
    with open(path, "w", newline="") as out:
        head = ([quote * 2] if corner and rows is not None else
                []) + [f"{quote}{name}{quote}" for name in columns]
        out.write(separator.join(head) + end)
        for i, row in enumerate(matrix):
            out.write(
                separator.join(([f"{quote}{rows[i]}{quote}"] if rows is not None else []) +
                               [repr(float(x)) for x in row]) + end)


count = np.arange(n)
emit("names.csv", "whole.mtx", lambda path, m: table(path, m, count + 1, count + 1), d["whole"])
emit("zero.csv", "whole.mtx", lambda path, m: table(path, m, count, count, quote=""), d["whole"])
emit("transposed.csv", "whole.mtx", lambda path, m: table(path, m, order + 1, count + 1),
     d["whole"][order])
emit("turned2.csv",
     "real.mtx",
     lambda path, m: table(path, m, count + 1, order + 1, "\t", "", False, "\r\n"),
     d["real"][:, order],
     change=1 / 64)
emit("semicolon.txt", "whole.mtx", lambda path, m: table(path, m, order + 1, order + 1, " ; "),
     d["whole"][np.ix_(order, order)])
emit("header.csv", "whole.mtx", lambda path, m: table(path, m, None, order + 1), d["whole"][:,
                                                                                            order])

# MatrixMarket.
largest8 = np.finfo("f8").max
emit("array.mtx", "whole.mtx",
     lambda path, m: scipy.io.mmwrite(path, with_value(m, -1).astype(int), symmetry="general"),
     d["whole"], "--unreachable -1")
emit("real.array.mtx",
     "real.mtx",
     lambda path, m: scipy.io.mmwrite(
         path, with_value(m, largest8), symmetry="general", precision=17),
     d["real"],
     change=1 / 64)
emit("array.sym.mtx", "both.mtx",
     lambda path, m: scipy.io.mmwrite(path, with_value(m, -1), symmetry="symmetric"), d["both"],
     "--unreachable -1")

# Rows and columns of some vertices.
chosen = order[:7]
text = ",".join(str(v + 1) for v in chosen)
with open(folder + "/chosen", "w") as out:
    out.write("\n".join(str(v + 1) for v in chosen) + "\n")
emit("rows.npy", "whole.mtx", save("f8"), d["whole"][chosen], "--sources " + text)
emit("rowsF.npy", "whole.mtx", save("i4", "F"), with_value(d["whole"][chosen], 2**30 - 1),
     f"--sources {folder}/chosen")
emit("rows.csv", "whole.mtx", lambda path, m: table(path, m, chosen + 1, count + 1),
     d["whole"][chosen], "--sources " + text)
emit("rows.names.csv", "whole.mtx", lambda path, m: table(path, m, sorted(chosen + 1), count + 1),
     d["whole"][sorted(chosen)], "--sources " + text)
emit("rows.txt", "real.mtx", np.savetxt, d["real"][chosen], "--sources " + text, 1 / 64)

columns = ",".join(str(v + 1) for v in order[20:29])
for name, m in d.items():
    change = 1 / 64 if name == "real" else 1
    graph = name + ".mtx"
    part = m[:, order[20:29]]
    emit(f"columns.{name}.npy", graph, save("f8", "F"), part, "--targets " + columns, change)
    emit(f"columns.{name}.csv", graph, lambda path, m: table(path, m, None, order[20:29] + 1), part,
         "--targets " + columns, change)
    part = m[np.ix_(order[:30], order[20:29])]
    emit(f"part.{name}.npy", graph, save("f8"), part,
         f"--sources {','.join(str(v + 1) for v in order[:30])} --targets " + columns, change)
    emit(f"part4.{name}.npy", graph, save("f4"), part,
         f"--sources {','.join(str(v + 1) for v in order[:30])} --targets " + columns, change)
emit("part.i4.npy", "signed.mtx", save("i4"), with_value(d["signed"][:, order[20:29]], 2**30 - 1),
     "--targets " + columns)
emit("part.i2.npy", "signed.mtx", save("i2"), with_value(d["signed"][:, order[20:29]], -999),
     "--unreachable -999 --targets " + columns)

# What other packages say of the same graphs.
try:
    import networkx as nx
    g = nx.from_numpy_array(whole, create_using=nx.DiGraph)
    emit("networkx.npy",
         "whole.mtx",
         save("f8"),
         np.asarray(nx.floyd_warshall_numpy(g)),
         change=1 / 4096)
except ImportError:
    print("skip matrices: no networkx")
try:
    import pandas
    emit("pandas.csv", "whole.mtx", lambda path, m: pandas.DataFrame(m).to_csv(path), d["whole"])
    emit("pandas.flat.csv", "whole.mtx",
         lambda path, m: pandas.DataFrame(m).to_csv(path, index=False), d["whole"])
    emit("pandas.nan.csv", "whole.mtx",
         lambda path, m: pandas.DataFrame(with_value(m, np.nan)).to_csv(path), d["whole"],
         "--unreachable nan")
    emit("pandas.tsv.gz", "whole.mtx",
         lambda path, m: pandas.DataFrame(m, order + 1, order + 1).to_csv(path, sep="\t"),
         d["whole"][np.ix_(order, order)])
except ImportError:
    print("skip matrices: no pandas")
try:
    import h5py

    def hdf5(kind, name="d", unreachable=None, **options):
        def write(path, matrix):
            with h5py.File(path, "w") as file:
                data = file.create_dataset(name, data=np.asarray(matrix, dtype=kind), **options)
                if unreachable is not None:
                    data.attrs["unreachable"] = np.array(unreachable, dtype=kind)
        return write

    emit("f8.h5", "whole.mtx", hdf5("<f8"), d["whole"], change=1 / 4096)
    emit("chunks.h5",
         "whole.mtx",
         hdf5(">f8", chunks=(7, 11), compression="gzip", shuffle=True),
         d["whole"],
         change=1 / 4096)
    emit("f4.hdf5", "real.mtx", hdf5("<f4", "distances"), d["real"], change=1 / 64)
    emit("i4.h5", "whole.mtx", hdf5(">i4"), with_value(d["whole"], 2**30 - 1))
    emit("u1.h5", "whole.mtx", hdf5("u1", "distances"), with_value(d["whole"], 255))
    emit("minus.h5", "whole.mtx", hdf5("<i2"), with_value(d["whole"], -1), "--unreachable -1")
    emit("says.h5", "whole.mtx", hdf5("<i2", unreachable=-7), with_value(d["whole"], -7))
    emit("rows.h5", "whole.mtx", hdf5("<f8"), d["whole"][chosen],
         "--sources " + ",".join(str(v + 1) for v in chosen))
except ImportError:
    print("skip matrices: no h5py")
try:
    import igraph
    g = igraph.Graph.Weighted_Adjacency(whole.tolist(), mode="directed")
    emit("igraph.npy",
         "whole.mtx",
         save("f8", "F"),
         np.array(g.distances(weights="weight")),
         change=1 / 4096)
    emit(
        "igraph.txt", "whole.mtx",
        lambda path, m: open(path, "w").write("\n".join(" ".join(map(str, row))
                                                        for row in m) + "\n"),
        np.array(g.distances(weights="weight")))
except ImportError:
    print("skip matrices: no igraph")
try:
    import networkit as nk
    g = nk.Graph(n, weighted=True, directed=True)
    for u, v in zip(*np.nonzero(whole)):
        g.addEdge(u, v, whole[u, v])
    answer = nk.distance.APSP(g)
    answer.run()
    emit("networkit.npy", "whole.mtx", save("f8"), np.array(answer.getDistances()), change=1 / 4096)
    emit("networkit.csv", "whole.mtx", lambda path, m: np.savetxt(path, m, delimiter=","),
         np.array(answer.getDistances()))
except ImportError:
    print("skip matrices: no networkit")

# What apsp-query is to say: some pairs, among them unreachable ones.
with open(folder + "/pairs", "w") as pairs, open(folder + "/answers", "w") as answers:
    for v in chosen:
        for u in random.integers(0, n, 9):
            at = d["whole"][v, u]
            print(v + 1, u + 1, file=pairs)
            print(v + 1, u + 1, "unreachable" if np.isinf(at) else int(at), file=answers)


# Hostile files.
def bad(code, words, name, content, graph="whole.mtx", options=""):
    with open(f"{folder}/{name}", "wb") as out:
        out.write(content)
    print(code, words, name, graph, options, sep="|", file=refused)


def npy(shape, descr="<f8", order="False"):
    head = f"{{'descr': '{descr}', 'fortran_order': {order}, 'shape': {shape}, }}".ljust(
        117).encode() + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head


def archive(*members, method=zipfile.ZIP_DEFLATED):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as file:
        for name, content in members:
            file.writestr(name, content)
    return out.getvalue()


cycle = "%%MatrixMarket matrix coordinate integer general\n60 60 2\n1 2 3\n2 1 -4\n"
with open(folder + "/cycle.mtx", "w") as out:
    out.write(cycle)
bad(9, "has a negative cycle of 2 vertices", "columns.npy",
    npy((60, 2)) + d["whole"][:, :2].tobytes(), "cycle.mtx", "--targets 1-2")
good = d["whole"].tobytes()
lines = [",".join("%g" % x for x in row) + "\n" for row in d["whole"]]
text = "".join(lines)
bad(3, "1000000000 x 1000000000", "huge.npy", npy((10**9, 10**9)))
bad(3, "18446744073709551615 x 60|not that of an array", "wraps.npy", npy((2**64 - 1, 60)))
bad(3, "60 x 61", "wide.npy", npy((60, 61)) + good)
bad(3, "3 dimensions", "deep.npy", npy((60, 60, 1)) + good)
bad(3, "bytes after it", "short.npy", npy((60, 60)) + good[:-1])
bad(3, "bytes after it", "long.npy", npy((60, 60)) + good + b"0")
bad(3, "'<c16'", "complex.npy", npy((60, 60), "<c16") + good * 2)
bad(3, "do not hold distances", "bool.npy", npy((60, 60), "|b1") + b"\1" * 3600)
bad(3, "holds integers, which the weights of", "whole.npy", npy((60, 60), "<i8") + good, "real.mtx")
bad(3, "not a .npy file", "text.npy", b"0 1 2\n")
bad(3, "5 x 60 are needed", "subset.npy", npy((60, 60)) + good, options="--sources 1-5")
bad(2, "vertex 3 is listed twice", "twice.npy", npy((60, 60)) + good, options="--sources 3,3")
bad(2, "is neither a vertex nor a range", "none.npy", npy((60, 60)) + good, options="--sources 61")
bad(2, "--unreachable: 'what'", "list.npy", npy((60, 60)) + good, options="--unreachable what")
for name, value in ("nan", np.nan), ("minus", -np.inf):
    values = d["whole"].copy()
    values[4, 5] = value
    bad(8, "row 5: vertex 6 has -*(nan|inf)", name + ".value.npy", npy((60, 60)) + values.tobytes())
    bad(8, "vertices 5 and 6 is '-*(nan|inf)', which is not a distance", name + ".value.csv",
        "\n".join(",".join(map(str, row)) for row in values).encode())
bad(3, "arrays, where the file should hold one", "two.npz",
    archive(("a.npy", npy((60, 60)) + good), ("b.npy", npy((60, 60)) + good)))
bad(3, "0 arrays", "empty.npz", archive() + b"")
bad(3, "pairs, not whole rows", "sparse.npz", archive(("format.npy", b"coo"), ("row.npy", b"")))
bad(3, "not a .npy file", "else.npz", archive(("a.txt", b"hello, world")))
bad(3, "100000 x 100000|more than the", "bomb.npz",
    archive(("a.npy", npy((10**5, 10**5)) + bytes(1 << 26))))
bad(3, "60 lines of a table, where|59 lines of a table, where", "few.csv",
    "".join(lines[:-1]).encode())
bad(3, "62 lines", "many.csv", (text + lines[0] * 2).encode())
bad(3, "found .seven", "words.csv",
    ("".join(lines[:7]) + "seven," + lines[7].split(",", 1)[1] + "".join(lines[8:])).encode())
bad(3, "a line of 61 fields, where 60", "ragged.csv",
    (text[:-len(lines[-1])] + "0," + lines[-1]).encode())
bad(3, "59 fields", "narrow.csv", "".join(line.split(",", 1)[1] for line in lines).encode())
bad(3, "zero byte", "nul.csv", text.encode()[:9000] + b"\0" + text.encode()[9000:])
bad(3, "longer than", "line.csv", b"1," * 100000 + b"\n")
bad(3, "60 lines of a table|0 lines|1 lines", "comments.csv", b"# nothing\n" * 100)
bad(8, "'1.5', which is not a distance in integer", "half.csv",
    text.replace("0,", "1.5,", 1).encode())
bad(8, "'1e.300', which is not a distance", "far.csv", text.replace("inf", "1e+300", 1).encode())
bad(3, "the name of a row, is not a vertex", "strange.csv",
    "".join(f"x{i}," + line for i, line in enumerate(lines)).encode())
bad(3, "have the same name", "same.csv",
    "".join(f"{1 + i % 59}," + line for i, line in enumerate(lines)).encode())
bad(3, "a quote|0 fields", "quote.csv", ('"' + text).encode())
bad(3, "has 60 bytes, but .* take 28800, 8 each", "short.f64", bytes(60))
bad(3, "has 0 bytes", "nothing", b"")
array = "%%MatrixMarket matrix array real general\n60 60\n"
column = "\n".join("%g" % x for x in d["whole"].T.ravel()) + "\n"
bad(3, "more numbers", "more.mtx", (array + column + "1\n").encode())
bad(3, "fewer numbers", "fewer.mtx", (array + column[:-9]).encode())
bad(3, "1000000000 x 1000000000", "huge.mtx", (array.replace("60", "1000000000") + column).encode())
bad(3,
    "a symmetric array must be square",
    "square.mtx",
    array.replace("general\n60", "symmetric\n5").encode(),
    options="--sources 1-5")
bad(3, "a number is missing", "fields.mtx", (array + "1 " * 300 + "\n" + column).encode())
bad(3, "the size must be", "size.mtx", (array.replace("60 60", "60") + column).encode())
bad(3, "'%%MatrixMarket matrix array'", "complex.mtx",
    (array.replace("real", "complex") + column).encode())
bad(3, "pairs, not whole rows", "pairs.mtx",
    b"%%MatrixMarket matrix coordinate real general\n60 60 1\n1 1 0\n")
bad(3, "expected a distance, found .x0", "letters.mtx", (array + "x" + column).encode())
head = "from,to,distance\n"
bad(3, "three fields", "fields.csv", (head + "1,2,3,4\n").encode())
bad(3, "two blocks", "places.csv", (head + "1,2,3\n2,3,1\n1,3,3\n").encode())
bad(3, "is not a vertex", "vertex.csv", (head + "1,2,3\n61,3,1\n").encode())
bad(3, "is not a vertex", "column.csv", (head + "1,61,3\n").encode())
bad(3, "is listed twice", "pair.csv", (head + "1,2,3\n1,2,3\n").encode())
bad(3, "found .three", "number.csv", (head + "1,2,three\n").encode())
bad(3,
    "is none of --sources",
    "other.csv", (head + "1,2,3\n2,1,3\n").encode(),
    options="--sources 1")
bad(8, "a pair that is not listed counts as unreachable", "nearest.csv",
    (head + "1,2,%d\n" % d["whole"][0, 1] if np.isfinite(d["whole"][0, 1]) else head).encode())
if "h5py" in sys.modules:
    def hdf5_of(**arrays):
        out = io.BytesIO()
        with h5py.File(out, "w") as file:
            for name, values in arrays.items():
                file.create_dataset(name, data=values)
        return out.getvalue()

    bad(3, "has 2 matrices of numbers in its root group", "two.h5",
        hdf5_of(a=d["whole"], b=d["whole"], c=[1, 2]))
    bad(3, "has 0 matrices of numbers", "words.h5", hdf5_of(a=[[b"x", b"y"]], b=np.zeros(
        (2, 2, 2))))
    bad(3, "has 0 matrices of numbers", "deep.h5", hdf5_of(distances=np.zeros((60, 60, 1))))
