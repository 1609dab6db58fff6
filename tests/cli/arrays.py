"""Matrices of SciPy and NumPy in all dresses, for arrays.sh: python3 arrays.py FOLDER. Each
NAME.npz or NAME.npy has beside it NAME.gr or NAME.mtx with the edges that scipy.sparse.csgraph
sees, and a line in FOLDER/cases: NAME, the file of the same graph, options."""
import copy, io, sys, zipfile
import numpy as np
import scipy.io
import scipy.sparse as sp

folder = sys.argv[1]
cases = open(folder + "/cases", "w")
random = np.random.default_rng(7)
n = 90


def write_right(name, edges, real):
    """edges: (from, to, weight), from 0."""
    path = f"{name}.{'mtx' if real else 'gr'}"
    with open(f"{folder}/{path}", "w") as out:
        if real:
            print("%%MatrixMarket matrix coordinate real general", file=out)
            print(n, n, len(edges), file=out)
        else:
            print("p sp", n, len(edges), file=out)
        for u, v, w in edges:
            print(*([] if real else ["a"]),
                  u + 1,
                  v + 1,
                  repr(float(w)) if real else int(w),
                  file=out)
    return path


def case(file, right, options=""):
    print(file, right, options, sep="|", file=cases)


def edges_of(matrix):
    """As csgraph reads a dense matrix: 0, inf and nan are no edges."""
    with np.errstate(invalid="ignore"):
        there = np.isfinite(matrix.astype(float)) & (matrix != 0)
    return [(u, v, matrix[u, v]) for u, v in zip(*np.nonzero(there))]


whole = np.where(random.random((n, n)) < 0.06, random.integers(1, 100, (n, n)), 0)
real = np.where(random.random((n, n)) < 0.06, random.integers(1, 1000, (n, n)) / 8, 0.0)
whole_right, real_right = write_right("whole", edges_of(whole),
                                      False), write_right("real", edges_of(real), True)
ones_right = write_right("ones", [(u, v, 1) for u, v, w in edges_of(whole)], False)
half = np.where(real > 0, np.minimum(real, 60), 0)
half_right = write_right("half", edges_of(half), True)

for kind in "csr_matrix", "csc_matrix", "coo_matrix", "csr_array", "csc_array", "coo_array":
    make = getattr(sp, kind)
    for compressed in False, True:
        name = f"{kind}{compressed:d}.npz"
        sp.save_npz(f"{folder}/r{name}", make(real), compressed)
        case("r" + name, real_right)
        sp.save_npz(f"{folder}/w{name}", make(whole), compressed)
        case("w" + name, whole_right)
sp.save_npz(f"{folder}/bool.npz", sp.csr_matrix(whole != 0))
case("bool.npz", ones_right)
for dtype in "<f4", ">f8", ">i4", "<i2", "u1", "<u8":
    matrix = sp.csr_matrix(whole)
    members = {
        "indptr": matrix.indptr.astype(">i8"), "indices": matrix.indices.astype("<u4"),
        "data": matrix.data.astype(dtype), "shape": np.array(matrix.shape,
                                                             "<i4"), "format": np.array("csr")
    }
    np.savez(f"{folder}/t{dtype[-2:]}{dtype[0] == '>':d}.npz", **members)
    right = write_right("wholereal", edges_of(whole), True) if "f" in dtype else whole_right
    case(f"t{dtype[-2:]}{dtype[0] == '>':d}.npz", right)
# ZIP with 64-bit sizes in the directory and at the end: a member that does not know its size, and
# the records made large.
buffer = io.BytesIO()
sp.save_npz(buffer, sp.csr_matrix(whole), True)
with zipfile.ZipFile(buffer) as old:
    content = {i.filename: old.read(i) for i in old.infolist()}
limits = zipfile.ZIP64_LIMIT, zipfile.ZIP_FILECOUNT_LIMIT
zipfile.ZIP64_LIMIT, zipfile.ZIP_FILECOUNT_LIMIT = 10, 1
with zipfile.ZipFile(f"{folder}/wide.npz", "w", zipfile.ZIP_DEFLATED, allowZip64=True) as out:
    for name, data in content.items():
        out.writestr(name, data)
zipfile.ZIP64_LIMIT, zipfile.ZIP_FILECOUNT_LIMIT = limits
case("wide.npz", whole_right)
# A place alone that has no room in 32 bits: that of the members behind the largest.
zipfile.ZIP64_LIMIT = max(len(data) for data in content.values()) + 1
with zipfile.ZipFile(f"{folder}/far.npz", "w", zipfile.ZIP_STORED, allowZip64=True) as out:
    for name, data in sorted(content.items(), key=lambda member: -len(member[1])):
        out.writestr(name, data)
assert any(i.header_offset > zipfile.ZIP64_LIMIT
           for i in zipfile.ZipFile(f"{folder}/far.npz").infolist())
zipfile.ZIP64_LIMIT = limits[0]
case("far.npz", whole_right)
# Entries of sparse matrices that are there are edges, with a weight of 0 too; infinities and NaN
# are none.
rows, columns, data = [0, 1, 2, 3], [1, 2, 3, 4], np.array([0.0, 1.5, np.inf, np.nan])
sp.save_npz(f"{folder}/zero.npz", sp.coo_matrix((data, (rows, columns)), (n, n)))
case("zero.npz", write_right("zero", [(0, 1, 0), (1, 2, 1.5)], True))
case("zero.npz", write_right("nozero", [(1, 2, 1.5)], True), "--no-edge 0,inf,nan")
# Dense ones.
for dtype in "|b1", "|i1", "|u1", "<i2", ">i2", "<u2", ">i4", "<u4", "<i8", ">u8":
    name = f"dense{dtype[-2:]}{dtype[0] == '>':d}.npy"
    np.save(f"{folder}/{name}", whole.astype(dtype))
    case(name, ones_right if "b" in dtype else whole_right)
for dtype, matrix, right in ("<f2", half, half_right), (">f4", real, real_right), ("<f8", real,
                                                                                   real_right):
    matrix = matrix.astype(dtype)
    matrix[3, 4], matrix[5, 6], matrix[7, 8], matrix[0, 1] = np.inf, np.nan, -np.inf, -0.0
    right = write_right("dense" + dtype[-2:], edges_of(matrix), True)
    for order in "CF":
        name = f"dense{dtype[-2:]}{order}.npy"
        np.save(f"{folder}/{name}", np.array(matrix, order=order))
        case(name, right)
holes = np.where(whole == 0, -1, whole)
holes[8, 9] = 0
np.save(f"{folder}/holes.npy", holes)
case(
    "holes.npy",
    write_right("holes",
                [(u, v, holes[u, v]) for u in range(n) for v in range(n) if holes[u, v] != -1],
                False), "--no-edge -1")
# The same as text, as SciPy writes it; it takes no infinities for integers. Its writer tells
# symmetric ones by itself.
dense = real.copy()
dense[3, 4], dense[5, 6], dense[7, 8] = np.inf, np.nan, -np.inf
for name, matrix, right in ("whole", whole, whole_right), ("real", dense, None):
    scipy.io.mmwrite(f"{folder}/array{name}.mtx", matrix, symmetry="general")
    case(f"array{name}.mtx", right
         or write_right("array" + name, edges_of(matrix), matrix is dense))
scipy.io.mmwrite(f"{folder}/arrayholes.mtx", holes, symmetry="general")
case(
    "arrayholes.mtx",
    write_right("holes",
                [(u, v, holes[u, v]) for u in range(n) for v in range(n) if holes[u, v] != -1],
                False), "--no-edge -1")
both = np.maximum(whole, whole.T)
scipy.io.mmwrite(f"{folder}/arrayboth.mtx", both, symmetry="symmetric")
assert sum(1 for line in open(f"{folder}/arrayboth.mtx") if line[0] != "%") == n * (n + 1) // 2 + 1
case("arrayboth.mtx", write_right("both", edges_of(both), False))
cases.close()

# What is refused: the file, and words of the message.
refused = open(folder + "/refused", "w")
good = sp.csr_matrix(np.array([[0, 1.5], [2, 0]]))


def bad(file, words):
    print(file, words, sep="|", file=refused)


def bad_sparse(file, words, **changed):
    members = {
        "indptr": good.indptr, "indices": good.indices, "data": good.data,
        "shape": np.array(good.shape), "format": np.array(b"csr"), **changed
    }
    np.savez_compressed(f"{folder}/{file}",
                        **{key: value for key, value in members.items() if value is not None})
    bad(file, words)


bad_sparse("oblong.npz", "square, of 1 to 2147483647 rows, not 2 x 3", shape=np.array([2, 3]))
bad_sparse("large.npz",
           "indptr has 3 entries, where 1000000001 are needed",
           shape=np.array([10**9, 10**9]))
bad_sparse("dia.npz", "format 'dia', where csr, csc or coo", format=np.array(b"dia"))
bad_sparse("descent.npz",
           "indptr.2. is 1: it must begin with 0 and ascend",
           indptr=np.array([0, 2, 1]))
bad_sparse("start.npz", "indptr.0. is 1", indptr=np.array([1, 1, 2]))
bad_sparse("reals.npz", "indptr must be integers", indptr=np.array([0.0, 1, 2]))
bad_sparse("few.npz",
           "indices has 2 entries, where there are 1000000000",
           indptr=np.array([0, 1, 10**9]))
bad_sparse("beyond.npz", "indices.1.: vertex 2 is not in 0 .. 1", indices=np.array([1, 2]))
bad_sparse("below.npz", "indices.1.: vertex -1 is not in", indices=np.array([1, -1]))
bad_sparse("complex.npz", "type '<c16'", data=good.data.astype(complex))
bad_sparse("wide_weight.npz",
           "data.0.: 4611686018427387903 is not a finite weight",
           data=np.array([2**62 - 1, 1]))
bad_sparse("square.npz", "data has 2 dimensions, where 1", data=np.array([[1.0, 2.0]]))
bad_sparse("none.npz", "without data.npy", data=None)
buffer = io.BytesIO()
sp.save_npz(buffer, good, True)
packed = buffer.getvalue()
buffer = io.BytesIO()
sp.save_npz(buffer, good, False)
stored = buffer.getvalue()


def bad_bytes(file, words, content):
    with open(f"{folder}/{file}", "wb") as out:
        out.write(content)
    bad(file, words)


def patched(content, signature, offset, value):
    """The first record of that signature with other bytes."""
    at = content.index(signature) + offset
    return content[:at] + value + content[at + len(value):]


entry, end = b"PK\1\2", b"PK\5\6"
bad_bytes("cut.npz", "ends early: it has no directory", stored[:-30])
bad_bytes("outside.npz", "directory lies outside the file",
          patched(stored, end, 16, b"\xff\xff\xff\x7f"))
bad_bytes("members.npz", "65535 members, .*; 64 and 65536 at most",
          patched(stored, end, 10, b"\xff\xff"))
bad_bytes("more.npz", "directory is damaged", patched(stored, end, 10, b"\x20\0"))
bad_bytes("begins.npz", "a member of the ZIP archive begins outside the file",
          patched(stored, entry, 42, b"\xff\xff\xff\x7f"))
bad_bytes("moved.npz", "a member of the ZIP archive is not where the directory says",
          patched(stored, entry, 42, b"\x04\0\0\0"))
at_end = stored.index(end)
for file, words, place in ("end64.npz", "archive's end lies outside the file",
                           2**40), ("junk64.npz", "archive's end is not there", 0):
    locator = b"PK\6\7" + bytes(4) + place.to_bytes(8, "little") + b"\1\0\0\0"
    bad_bytes(file, words,
              stored[:at_end] + locator + patched(stored[at_end:], end, 16, b"\xff" * 4))
bad_bytes(
    "encrypted.npz", "is encrypted",
    stored.replace(entry + stored[stored.index(entry) + 4:][:4] + b"\0\0",
                   entry + stored[stored.index(entry) + 4:][:4] + b"\1\0"))
bad_bytes(
    "lzma.npz", "neither stored nor deflated",
    stored.replace(entry + stored[stored.index(entry) + 4:][:6] + b"\0\0",
                   entry + stored[stored.index(entry) + 4:][:6] + b"\x0e\0"))


def resize(content, change):
    """Other sizes in every entry of the directory: change(packed, bytes)."""
    out, at = bytearray(content), content.find(entry)
    while at >= 0:
        sizes = [int.from_bytes(content[at + i:at + i + 4], "little") for i in (20, 24)]
        for i, size in zip((20, 24), change(*sizes)):
            out[at + i:at + i + 4] = size.to_bytes(4, "little")
        at = content.find(entry, at + 4)
    return bytes(out)


bad_bytes("sizes.npz", "a stored member of the ZIP archive has two sizes",
          resize(stored, lambda p, b: (p, b + 1)))
bad_bytes("ends.npz", "ends outside the file", resize(stored, lambda p, b: (2**31, 2**31)))
bad_bytes("less.npz", "holds more bytes than its directory says",
          resize(packed, lambda p, b: (p, b - 1)))
bad_bytes("longer.npz", "where the ZIP file's directory says",
          resize(packed, lambda p, b: (p, b + 1)))
at = stored.index(np.float64(1.5).tobytes())
bad_bytes("flipped.npz", "member data.npy of the ZIP archive is damaged: its check sum is",
          stored[:at] + b"\1" + stored[at + 1:])
at = packed.rindex(entry, 0, packed.index(b"indices.npy", packed.index(entry))) + 16
bad_bytes(
    "sum.npz",
    "member indices.npy of the ZIP archive is damaged: its check sum is .*, and by the directory",
    packed[:at] + bytes(4) + packed[at + 4:])
bad_bytes("promise.npz", "1 GiB, or 200 times the file", resize(packed, lambda p, b: (p, 2**31)))
with zipfile.ZipFile(f"{folder}/bomb.npz", "w", zipfile.ZIP_DEFLATED) as bomb:
    for name in "format.npy", "shape.npy":
        bomb.writestr(name, zipfile.ZipFile(io.BytesIO(stored)).read(name))
    with bomb.open("indptr.npy", "w", force_zip64=True) as out:
        for i in range(1100):
            out.write(bytes(1 << 20))
bad("bomb.npz",
    "member indptr.npy unpacks to 1153433600 bytes.*1073741824.*1 GiB, or 200 times the file")

# Members that overlap: three names of the same 400 MiB, each of which would do alone.
with zipfile.ZipFile(f"{folder}/overlap.npz", "w", zipfile.ZIP_DEFLATED, compresslevel=1) as out:
    for name in "format.npy", "shape.npy":
        out.writestr(name, zipfile.ZipFile(io.BytesIO(stored)).read(name))
    with out.open("indptr.npy", "w") as member:
        np.lib.format.write_array_header_1_0(
            member, {"descr": "<i8", "fortran_order": False, "shape": (400 << 17, )})
        for i in range(400):
            member.write(bytes(1 << 20))
    for name in "indices.npy", "data.npy":
        again = copy.copy(out.filelist[-1])
        again.filename = name
        out.filelist.append(again)
bad("overlap.npz",
    "member data.npy unpacks to 419430528 bytes.*with those before it to more than.*1073741824")


def bad_array(file, words, array):
    np.save(f"{folder}/{file}", array)
    bad(file, words)


bad_array("flat.npy", "1 dimensions, where 2", np.ones(4))
bad_array("deep.npy", "3 dimensions, where 2", np.ones((2, 2, 2)))
bad_array("oblong.npy", "square, of 1 to 2147483647 rows, not 2 x 3", np.ones((2, 3)))
bad_array("empty.npy", "not 0 x 0", np.ones((0, 0)))
bad_array("complex.npy", "type '<c16'", np.ones((2, 2), complex))
bad_array("words.npy", "type '<U1'", np.array([["a", "b"], ["c", "d"]]))
bad_array("large.npy", "entry (0, 1): 9223372036854775807 is not a finite weight",
          np.array([[0, 2**64 - 1], [0, 0]], "<u8"))
buffer = io.BytesIO()
np.save(buffer, np.ones((2, 2)))
array = buffer.getvalue()
bad_bytes("short.npy", "4 values of 8 bytes by its head, which has 31 bytes", array[:-1])
bad_bytes("over.npy", "4 values of 8 bytes by its head, which has 33 bytes", array + b"x")
bad_bytes("head.npy", "a head of", array[:40])
bad_bytes("promise.npy", "1000000000000000000 values",
          array.replace(b"(2, 2), }" + b" " * 18, b"(1000000000, 1000000000), }"))
bad_bytes("overflow.npy", "18446744073709551615 values",
          array.replace(b"(2, 2), }" + b" " * 18, b"(9999999999, 9999999999), }"))
refused.close()
