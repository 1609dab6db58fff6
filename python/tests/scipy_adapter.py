"""A plugin of pytest for SciPy's own tests: the path functions of scipy.sparse.csgraph are apsp's.

They translate arguments, and nothing else. test_scipy_own.py runs it.
"""

from scipy.sparse import csgraph

import apsp

served = 0


def _call(method, matrix, directed=True, return_predecessors=False, unweighted=False, indices=None):
    global served
    served += 1
    return apsp.shortest_path(matrix, directed, unweighted, indices, method=method,
                              return_predecessors=return_predecessors)


def shortest_path(csgraph, method="auto", directed=True, return_predecessors=False,
                  unweighted=False, overwrite=False, indices=None):
    return _call(method, csgraph, directed, return_predecessors, unweighted, indices)


def floyd_warshall(csgraph, directed=True, return_predecessors=False, unweighted=False,
                   overwrite=False):
    return _call("FW", csgraph, directed, return_predecessors, unweighted)


def johnson(csgraph, directed=True, indices=None, return_predecessors=False, unweighted=False):
    return _call("J", csgraph, directed, return_predecessors, unweighted, indices)


def bellman_ford(csgraph, directed=True, indices=None, return_predecessors=False, unweighted=False):
    return _call("BF", csgraph, directed, return_predecessors, unweighted, indices)


def dijkstra(csgraph, directed=True, indices=None, return_predecessors=False, unweighted=False,
             limit=float("inf"), min_only=False):
    if min_only or limit != float("inf"):
        raise NotImplementedError("apsp has neither limit= nor min_only=")
    return _call("D", csgraph, directed, return_predecessors, unweighted, indices)


for function in (shortest_path, floyd_warshall, johnson, bellman_ford, dijkstra):
    setattr(csgraph, function.__name__, function)


def pytest_terminal_summary(terminalreporter):
    terminalreporter.write_line("calls that apsp has served: %d" % served)
