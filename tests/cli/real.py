"""Files of other programs' packages, for real.sh: python3 real.py APSP SCRATCH SAMPLES GRAPHS.

Prints a line `ok`, `FAIL` or `skip` for each. Whole distances have to be those of the library that
reads the file, by the names that it gives the vertices; sums of reals differ by their rounding."""
import bz2
import csv
import gzip
import lzma
import os
import subprocess
import sys
import sysconfig
import zipfile

import networkx as nx
import numpy as np
import scipy.io
import scipy.sparse as sp
from scipy.sparse.csgraph import shortest_path

apsp, scratch, samples, graphs = sys.argv[1:]
python = sysconfig.get_paths()["purelib"]
failures = 0


class Missing(Exception):
    """Names the package that has the file."""


def find(package, path):
    for folder in "/", python, samples, graphs:
        if os.path.exists(there := os.path.join(folder, path)):
            return there
    raise Missing(f"{path} of {package} is not there")


def table(graph, weight="weight"):
    """The vertices' names, and SciPy's distances between them."""
    matrix = nx.to_scipy_sparse_array(graph, weight=weight, dtype=float)
    return [str(v) for v in graph], shortest_path(matrix)


def numbered(matrix, first):
    return [str(v + first) for v in range(matrix.shape[0])], shortest_path(matrix)


def run(path, ranks, options):
    subprocess.run([
        apsp, "--quiet", "--force", "--ranks",
        str(ranks), "--names", f"{scratch}/names", *options, path, f"{scratch}/d.npy"
    ],
                   check=True)
    with open(f"{scratch}/names", encoding="utf-8") as names:
        return names.read().splitlines(), np.load(f"{scratch}/d.npy")


def same(path, right, options):
    """right: names, and a row for each, or for each of the first rows alone."""
    names, rows = right
    place = {name: i for i, name in enumerate(names)}
    for ranks in 1, 2:
        chosen = ["--sources", ",".join(names[:len(rows)])] if len(rows) < len(names) else []
        found, d = run(path, ranks, options + chosen)
        if sorted(found) != sorted(names) or d.shape != rows.shape:
            return f"{len(found)} vertices, where there are {len(names)}"
        columns = [place[name] for name in found]
        expected = rows[:, columns] if chosen else rows[np.ix_(columns, columns)]
        whole = d.dtype.kind != "f"
        d = np.where(d == np.iinfo(d.dtype).max // 2, np.inf, d) if whole else d
        if not (np.array_equal(d, expected)
                if whole else np.allclose(d, expected, rtol=1e-12, atol=0)):
            return f"{(d != expected).sum()} other distances on {ranks} ranks"
    return None


def real(name, package, path, expected, *options, prepare=lambda path: path):
    """One file; expected(path) is the table that a library makes of it, prepare gives the file
    that is opened."""
    global failures
    try:
        there = find(package, path)
        wrong = same(prepare(there), expected(there), list(options))
    except Missing as missing:
        print(f"skip real: {name}: {missing}")
        return
    except (subprocess.CalledProcessError, nx.NetworkXException, ValueError) as error:
        wrong = str(error)
    failures += wrong is not None
    print(f"# {wrong}\nFAIL real: {name}" if wrong else f"ok real: {name}")


def of_igraph(weight, called):
    def read(path):
        try:
            import igraph
        except ImportError:
            raise Missing("igraph of Python, which reads it,") from None
        graph = igraph.Graph.Read(path)
        weights = np.nan_to_num(graph.es[weight], nan=1).tolist()  # without one it is 1
        return [str(v)
                for v in graph.vs[called]], np.array(graph.distances(weights=weights, mode="out"))
    return read


def of_edges(edges, directed=True):
    return table(nx.from_edgelist(edges, nx.DiGraph if directed else nx.Graph))


def of_numbers(path):
    """The numbers in between are vertices as well."""
    graph = nx.read_edgelist(path, create_using=nx.DiGraph, nodetype=int)
    graph.add_nodes_from(range(1, max(graph)))
    return table(graph)


def of_matrix_market(path):
    return numbered(sp.csr_array(scipy.io.mmread(path)), 1)


def of_array(array, options):
    """By way of a sparse matrix, since csgraph takes what is less than 1e-8 in a dense one for 0.
    """
    return numbered(sp.csr_array(array != 0 if options else array), 0)


def of_metis(path, first_rows):
    """The fields of the header are n, m, the format and the number of weights of a vertex; here no
    edge has a weight."""
    with open(path) as lines:
        (head, *rest) = [line.split() for line in lines if not line.startswith("%")]
    skip = int(head[3]) if len(head) > 3 else 0
    to = [np.array(line[skip:], int) - 1 for line in rest]
    matrix = sp.csr_array(
        (np.ones(sum(map(len, to))), np.concatenate(to), np.cumsum([0, *map(len, to)])))
    return [str(v + 1) for v in range(len(to))], shortest_path(matrix, indices=range(first_rows))


def of_dimacs(path, first_rows):
    arcs = np.loadtxt((line[2:] for line in open(path) if line.startswith("a ")), dtype=int)
    n = next(int(line.split()[2]) for line in open(path) if line.startswith("p "))
    least = {}
    for u, v, w in arcs:
        least[u - 1, v - 1] = min(w, least.get((u - 1, v - 1), w))
    rows, columns = zip(*least)
    matrix = sp.csr_array((list(least.values()), (rows, columns)), (n, n))
    return [str(v + 1) for v in range(n)], shortest_path(matrix, indices=range(min(first_rows, n)))


def packed(module, suffix):
    def prepare(path):
        target = f"{scratch}/{os.path.basename(path)}{suffix}"
        with open(path, "rb") as content, module.open(target, "wb") as out:
            out.write(content.read())
        return target
    return prepare


def member(name):
    """A member of an archive, as the array that it is."""
    def prepare(path):
        with zipfile.ZipFile(path) as archive:
            return archive.extract(name, scratch)
    return prepare


igraph, networkx = ("usr/share/doc/libigraph-dev/examples/simple",
                    "usr/share/doc/python3-networkx/examples")
pysal, matrix = "libpysal/examples", "usr/lib/R/library/Matrix/external"
real("GML of Newman, weighted, with labels", "libigraph-doc", f"{igraph}/celegansneural.gml",
     of_igraph("value", "label"), "--weight-key", "value")
real("GML of Newman, undirected", "libigraph-doc", f"{igraph}/karate.gml",
     lambda path: table(nx.read_gml(path, label="id")))
real("GraphML of Java's library", "libigraph-doc", f"{igraph}/test.graphml",
     of_igraph("weight", "id"))
real("SNAP-like list, ids with gaps", "python3-networkx",
     f"{networkx}/algorithms/hartford_drug.edgelist", of_numbers)
real("list with weights", "python3-networkx", f"{networkx}/graphviz_layout/lanl_routes.edgelist",
     lambda path: table(nx.read_weighted_edgelist(path)), "--undirected")
real("list in bzip2",
     "python3-networkx",
     f"{networkx}/graphviz_layout/lanl_routes.edgelist",
     lambda path: table(nx.read_weighted_edgelist(path)),
     "--undirected",
     prepare=packed(bz2, ".bz2"))
for name in "nations", "umls":
    real(f"TSV of triples, {name}", "pykeen", f"pykeen/datasets/{name}/train.txt",
         lambda path: of_edges([(f[0], f[2]) for f in csv.reader(open(path), delimiter="\t")]),
         "--columns", "1,3")
real(
    "CSV in gzip, with a header", "bokeh_sampledata", "bokeh_sampledata/_data/routes.csv.gz",
    lambda path: of_edges([(f["Source"], f["Destination"])
                           for f in csv.DictReader(gzip.open(path, "rt"))]), "--columns",
    "Source,Destination")
real(
    "CSV in gzip, columns by name", "bokeh_sampledata", "bokeh_sampledata/_data/routes.csv.gz",
    lambda path: of_edges([(f["SourceID"], f["DestinationID"])
                           for f in csv.DictReader(gzip.open(path, "rt"))]), "--columns",
    "SourceID,DestinationID")
real("MatrixMarket of PySAL", "libpysal", f"{pysal}/virginia/virginia_queen.mtx", of_matrix_market)
real("MatrixMarket of PySAL, reals", "libpysal", f"{pysal}/wmat/wmat.mtx", of_matrix_market)
real("MatrixMarket of librsb", "librsb-dev", "usr/share/doc/librsb-dev/examples/pd.mtx",
     of_matrix_market)
real("MatrixMarket of R, a pattern", "r-cran-matrix", f"{matrix}/jgl009.mtx", of_matrix_market)
real("MatrixMarket of R, symmetric", "r-cran-matrix", f"{matrix}/lund_a.mtx",
     lambda path: numbered(scipy.io.mmread(path) != 0, 1), "--unweighted")
real("MatrixMarket in xz",
     "r-cran-matrix",
     f"{matrix}/jgl009.mtx",
     of_matrix_market,
     prepare=packed(lzma, ".xz"))
real("METIS", "metis' source", "metis-5.1.0/graphs/4elt.graph", lambda path: of_metis(path, 20))
real("METIS, with weights of vertices", "metis' source", "metis-5.1.0/graphs/test.mgraph",
     lambda path: of_metis(path, 766))
for name in "csc_py2", "csc_py3":
    real(f"npz of SciPy, {name}", "scipy", f"scipy/sparse/tests/data/{name}.npz",
         lambda path: numbered(sp.load_npz(path), 0))
for name, options in ("carex_20", []), ("carex_19", ["--unweighted"]):
    key = "Q" if name == "carex_20" else "A"
    real(f"npy in SciPy's {name}", "scipy", f"scipy/linalg/tests/data/{name}_data.npz",
         lambda path: of_array(np.load(path)[key], options), *options, prepare=member(key + ".npy"))
real("DIMACS", "APSP_GRAPHS", "rome99.gr", lambda path: of_dimacs(path, 3353))
real("DIMACS in gzip",
     "APSP_GRAPHS",
     "luxembourg.gr",
     lambda path: of_dimacs(path, 5),
     prepare=packed(gzip, ".gr.gz"))
sys.exit(failures > 0)
