"""A plugin of pytest for SciPy's own tests: the path functions of scipy.sparse.csgraph are those of
apsp.csgraph. test_scipy_own.py runs it.
"""

import functools

from scipy.sparse import csgraph

import apsp.csgraph

served = 0


def _counted(function):
    @functools.wraps(function)
    def call(*args, **kwargs):
        global served
        served += 1
        return function(*args, **kwargs)
    return call


for name in apsp.csgraph.__all__:
    setattr(csgraph, name, _counted(getattr(apsp.csgraph, name)))


def pytest_terminal_summary(terminalreporter):
    terminalreporter.write_line("calls that apsp has served: %d" % served)
