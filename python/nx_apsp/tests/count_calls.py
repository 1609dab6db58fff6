"""A plugin of pytest: how many calls of each function the backend has served and declined."""

import collections
import functools

import networkx
from _nx_apsp import FUNCTIONS
from nx_apsp.interface import backend

served, declined = collections.Counter(), collections.Counter()


def _counted(name, function):
    @functools.wraps(function)
    def call(*args, **kwargs):
        try:
            result = function(*args, **kwargs)
        except NotImplementedError as error:
            declined[name, str(error)[:60]] += 1
            raise
        except BaseException:
            served[name] += 1  # an exception of NetworkX's is an answer
            raise
        served[name] += 1
        return result
    return staticmethod(call)


for _name in FUNCTIONS:
    setattr(backend, _name, _counted(_name, getattr(backend, _name)))


def pytest_terminal_summary(terminalreporter):
    known = networkx.utils.backends._registered_algorithms
    for name in sorted(FUNCTIONS.keys() & known.keys()):
        reasons = ["%d: %s" % (count, why) for (of, why), count in declined.items() if of == name]
        terminalreporter.write_line("served %5d  %s%s" % (
            served[name], name, "".join("\n          declined %s" % why for why in reasons)))
