"""--closure on random graphs, beside SciPy's searches: closure.py APSP FOLDER COUNT."""

import os
import subprocess
import sys

try:
    import numpy
    from scipy.sparse import csgraph, csr_matrix
except ImportError as error:
    print(error)
    sys.exit(77)

APSP, FOLDER, COUNT = os.path.abspath(sys.argv[1]), sys.argv[2], int(sys.argv[3])
OPTIONS = [[], ["--ranks", "2"], ["--ranks", "3"], ["--stats", "stats.csv"],
           ["--ranks", "2", "--method", "dense", "distances.npy"]]

rng = numpy.random.default_rng(5)
for number in range(COUNT):
    n = int(rng.integers(1, 200))
    m = int(rng.integers(1, 3 * n + 1))
    tail, head = rng.integers(0, n, m), rng.integers(0, n, m)
    with open(os.path.join(FOLDER, "graph.csv"), "w") as out:
        out.writelines("%d,%d\n" % edge for edge in zip(tail, head))
        out.writelines("%d,%d\n" % (v, v) for v in range(n))
    graph = csr_matrix((numpy.ones(m), (tail, head)), shape=(n, n))
    right = ~numpy.isinf(csgraph.dijkstra(graph, unweighted=True))
    some = sorted(map(int, rng.choice(n, min(n, 3), replace=False)))
    for options in OPTIONS + [["--sources", ",".join(map(str, some))]]:
        command = [APSP, "--quiet", "--device", "cpu", "--force", "--columns", "1,2", "--closure",
                   "closure.npy", "graph.csv", *options]
        result = subprocess.run(command, capture_output=True, text=True, cwd=FOLDER)
        if result.returncode:
            sys.exit("closure: %s" % result.stderr)
        bits = numpy.load(os.path.join(FOLDER, "closure.npy"))
        bits = numpy.unpackbits(bits, axis=1, bitorder="little")
        wanted = right[some] if options[:1] == ["--sources"] else right
        if bits[:, n:].any() or not numpy.array_equal(bits[:, :n] == 1, wanted):
            sys.exit("closure: graph %d is wrong with %s" % (number, options))
