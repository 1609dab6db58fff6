"""libapsp by ctypes: where it lies, its structs (apsp.h), and calls that heed Ctrl-C."""

from __future__ import annotations

import _thread
import atexit
import collections
import ctypes
import os
import queue
import sys
import threading
from ctypes import (POINTER, Structure, byref, c_char, c_char_p, c_double, c_int, c_int32, c_int64,
                    c_size_t, c_uint, c_uint32, c_void_p)
from typing import Any, Deque, Dict, Iterable, Optional, Tuple

from ._words import in_python

USAGE, INPUT, MEMORY, IO, DEVICE, REFUTED, CYCLE = 2, 3, 4, 5, 6, 8, 9

# enum apsp_type
AUTO, U16, I32, I64, F32, F64, U32, U64, NARROW = range(9)

VERIFY_ALL = ctypes.c_size_t(-1).value
SIZE_MAX = VERIFY_ALL


class DeviceError(RuntimeError):
    """A GPU was asked for and is not there, or has failed."""


class CertificateError(RuntimeError):
    """Distances were found wrong: an error of the library or of the machine."""


class NegativeCycleError(ValueError):
    """The graph has a negative cycle.

    Attributes
    ----------
    vertices : list
        The vertices of one such cycle in the order of its edges, by their labels where the graph
        has some; the last one leads back to the first.

    Where ``scipy.sparse.csgraph`` is loaded, it is a ``scipy.sparse.csgraph.NegativeCycleError``
    too.
    """

    def __init__(self, message: str = "", vertices: Iterable[Any] = ()) -> None:
        super().__init__(message)
        self.vertices = list(vertices)

    def __reduce__(self) -> Any:
        return negative_cycle, (str(self), self.vertices)


def negative_cycle(message: Any, vertices: Any) -> Any:
    """The exception, for handlers of SciPy's as well."""
    csgraph = sys.modules.get("scipy.sparse.csgraph")
    theirs = getattr(csgraph, "NegativeCycleError", None)
    if theirs is None:
        return NegativeCycleError(message, vertices)
    both = type("NegativeCycleError", (NegativeCycleError, theirs), {"__module__": "apsp"})
    return both(message, vertices)


class Error(Structure):
    _fields_ = [("code", c_int), ("text", c_char * 1000)]


class Array(Structure):
    _fields_ = [("data", c_void_p), ("type", c_int)]


class Edges(Structure):
    _fields_ = [("vertices", c_size_t), ("edges", c_size_t), ("from_", Array), ("to", Array),
                ("weight", Array)]


class Csr(Structure):
    _fields_ = [("vertices", c_size_t), ("start", Array), ("to", Array), ("weight", Array)]


class Matrix(Structure):
    _fields_ = [("vertices", c_size_t), ("weight", Array), ("stride", c_size_t), ("step", c_size_t),
                ("no_edge", c_char_p)]


class Reading(Structure):
    _fields_ = [("size", c_size_t), ("format", c_char_p), ("columns", c_char_p),
                ("no_edge", c_char_p), ("weight_key", c_char_p), ("sort_names", c_int),
                ("undirected", c_int), ("reverse", c_int), ("unweighted", c_int),
                ("largest_component", c_int), ("parallel", c_int), ("directed", c_int),
                ("oneway", c_char_p), ("label_key", c_char_p)]


class Options(Structure):
    _fields_ = [("size", c_size_t), ("device", c_int), ("share_gpus", c_int), ("threads", c_int),
                ("method", c_char_p), ("transport", c_char_p), ("type", c_int), ("output", c_int),
                ("tile", c_size_t), ("verify", c_size_t), ("progress", c_void_p),
                ("progress_user", c_void_p), ("sums", c_char_p), ("beside", c_size_t),
                ("paranoid", c_int), ("rows", c_size_t), ("order", c_void_p), ("paths", c_char_p),
                ("ranks", c_int), ("gpus", c_int)]


class Facts(Structure):
    _fields_ = [("vertices", c_size_t), ("edges", c_size_t), ("type", c_int), ("scale", c_double),
                ("computed", c_int), ("bounded", c_int), ("bound", c_double), ("rows", c_size_t),
                ("parallel", c_size_t), ("loops", c_size_t), ("verified", c_size_t),
                ("ranks", c_int), ("threads", c_int), ("method", c_char_p), ("plan", c_char_p),
                ("device", c_char_p), ("read", c_double), ("build", c_double), ("solve", c_double),
                ("verify", c_double), ("total", c_double), ("sums", c_char_p)]


class List(Structure):
    _fields_ = [("vertex", c_void_p), ("count", c_size_t)]


class Path(Structure):
    _fields_ = [("length", c_size_t), ("vertex", POINTER(c_uint32))]


class Distance(Structure):
    _fields_ = [("reachable", c_int), ("whole", c_int64), ("real", c_double)]


class Value(Structure):
    _fields_ = [("whole", c_int64), ("real", c_double)]


class Bin(Structure):
    _fields_ = [("from_", Value), ("pairs", c_size_t)]


class Quantile(Structure):
    _fields_ = [("share", c_double), ("at", Value)]


class Stats(Structure):
    _fields_ = [("counted", c_uint), ("real", c_int), ("vertices", c_size_t), ("sources", c_size_t),
                ("columns", c_void_p), ("diameter", Value), ("radius", Value),
                ("peripheral", c_size_t), ("central", c_size_t), ("pairs", c_size_t),
                ("unreachable", c_size_t), ("sum", c_char * 48), ("wiener", c_char * 48),
                ("mean", c_double), ("efficiency", c_double), ("bin", POINTER(Bin)),
                ("bins", c_size_t), ("width", Value), ("exact", c_int), ("quantile", Quantile * 7)]


class PairsRequest(Structure):
    _fields_ = [("from_", List), ("to", List), ("nearest", c_size_t), ("bounded", c_int),
                ("within", c_double)]


class Pair(Structure):
    _fields_ = [("from_", c_uint32), ("to", c_uint32), ("whole", c_int64), ("real", c_double)]


class Pairs(Structure):
    _fields_ = [("count", c_size_t), ("pair", POINTER(Pair))]


class DeviceMemory(ctypes.Structure):
    _fields_ = [("values", c_void_p), ("bytes", c_size_t), ("stream", c_void_p)]


class DeviceTable(Structure):
    _fields_ = [("values", c_void_p), ("type", c_int), ("rows", c_size_t), ("columns", c_size_t),
                ("device", c_int), ("hip", c_int)]


class Decay(Structure):
    _fields_ = [("kind", c_int), ("at", c_double), ("spread", c_double), ("points", c_size_t),
                ("distance", c_void_p), ("weight", c_void_p)]


class Access(Structure):
    _fields_ = [("from_", List), ("columns", c_size_t), ("amount", c_void_p),
                ("decays", c_size_t), ("decay", c_void_p), ("shares", c_size_t),
                ("share", c_void_p)]


class Skims(Structure):
    _fields_ = [("from_", List), ("to", List), ("count", c_size_t), ("graph", POINTER(c_void_p))]


class Through(Structure):
    _fields_ = [("from_", List), ("to", List), ("bounded", c_int), ("within", c_double),
                ("flags", c_uint)]


class EdgeValue(Structure):
    _fields_ = [("from_", c_uint32), ("to", c_uint32), ("value", c_double)]


class EdgeValues(Structure):
    _fields_ = [("count", c_size_t), ("edge", POINTER(EdgeValue))]


class Extent(Structure):
    _fields_ = [("vertices", c_size_t), ("searches", c_size_t), ("real", c_int),
                ("connected", c_int), ("diameter", Value), ("radius", Value),
                ("central", POINTER(c_uint32)), ("peripheral", POINTER(c_uint32)),
                ("centrals", c_size_t), ("peripherals", c_size_t)]


class ForecastMethod(Structure):
    _fields_ = [("name", c_char * 16), ("seconds", c_double), ("memory", c_size_t),
                ("fits", c_int), ("taken", c_int), ("least", c_int), ("why", c_char * 256)]


class Forecast(Structure):
    _fields_ = [("vertices", c_size_t), ("edges", c_size_t), ("computed", c_int),
                ("memory", c_size_t), ("limit", c_size_t), ("device_memory", c_size_t),
                ("fits", c_int), ("seconds", c_double), ("methods", c_int),
                ("method", ForecastMethod * 8)]


class Batch(Structure):
    _fields_ = [("size", c_size_t), ("count", c_size_t), ("graph", c_void_p), ("weight", c_int),
                ("output", c_int), ("undirected", c_int), ("unweighted", c_int),
                ("room", c_size_t), ("none", c_int32), ("threads", c_int)]


NORMALIZED, ORDERED, ENDPOINTS, STRESS, LOAD = 1, 2, 4, 8, 16  # of betweenness
STATS_HISTOGRAM = 8

_FUNCTIONS: Dict[str, Any] = {
    "apsp_graph_edges": [POINTER(c_void_p), POINTER(Edges)],
    "apsp_graph_csr": [POINTER(c_void_p), POINTER(Csr)],
    "apsp_graph_matrix": [POINTER(c_void_p), POINTER(Matrix)],
    "apsp_graph_read": [POINTER(c_void_p), c_char_p, POINTER(Reading)],
    "apsp_graph_adapt": [c_void_p, POINTER(Reading)],
    "apsp_solve": [c_void_p, POINTER(Options), POINTER(c_void_p)],
    "apsp_update": [c_void_p, c_void_p],
    "apsp_order_make": [POINTER(c_void_p), c_void_p],
    "apsp_order_load": [POINTER(c_void_p), c_char_p],
    "apsp_order_save": [c_void_p, c_char_p],
    "apsp_table": [c_void_p, POINTER(List), POINTER(List), c_void_p, c_size_t],
    "apsp_path_counts": [c_void_p, POINTER(List), POINTER(List), c_void_p, c_size_t],
    "apsp_table_into_device": [c_void_p, POINTER(List), POINTER(List), POINTER(DeviceMemory)],
    "apsp_table_on_device": [c_void_p, POINTER(List), POINTER(List), POINTER(DeviceTable)],
    "apsp_device_read": [c_void_p, c_void_p, c_size_t, c_void_p],
    "apsp_predecessors": [c_void_p, POINTER(List), c_int32, c_void_p, c_size_t],
    "apsp_find_distance": [c_void_p, c_size_t, c_size_t, POINTER(Distance)],
    "apsp_find_path": [c_void_p, c_size_t, c_size_t, POINTER(Path)],
    "apsp_find_stats_from": [c_void_p, POINTER(List), c_uint, POINTER(Stats)],
    "apsp_find_extent": [c_void_p, POINTER(Extent)],
    "apsp_estimate": [c_void_p, POINTER(Options), POINTER(Forecast)],
    "apsp_find_pairs": [c_void_p, POINTER(PairsRequest), POINTER(Pairs)],
    "apsp_find_skims": [c_void_p, POINTER(Skims), c_void_p],
    "apsp_find_access": [c_void_p, POINTER(Access), c_void_p],
    "apsp_batch": [POINTER(Batch)],
    "apsp_paths_through": [c_void_p, POINTER(Through), c_void_p, POINTER(EdgeValues)],
    "apsp_stats_column": [POINTER(Stats), c_char_p, POINTER(Array)],
    "apsp_stats_counted": [c_char_p, POINTER(c_uint)],
}  # and the error


def _path() -> Any:
    """APSP_LIBRARY, the one that came with the package, or the system's."""
    chosen = os.environ.get("APSP_LIBRARY")
    own = os.path.join(os.path.dirname(os.path.abspath(__file__)), "libapsp.so")
    if chosen:
        return chosen
    return own if os.path.exists(own) else "libapsp.so.0.2"


def _open(path: Any) -> Any:
    """The library. Its idle threads sleep soon where libgomp is the package's own
    (python/carry.sh), as those of the programs do (src/cli/waiting.c). libgomp reads the
    environment when it is loaded, and no other code is to see this. What the user has set stays."""
    own = os.path.exists(os.path.join(os.path.dirname(path), "apsp-gomp.so"))
    if not own or "OMP_WAIT_POLICY" in os.environ or "GOMP_SPINCOUNT" in os.environ:
        return ctypes.CDLL(path)
    os.environ["GOMP_SPINCOUNT"] = "3000"
    try:
        return ctypes.CDLL(path)
    finally:
        del os.environ["GOMP_SPINCOUNT"]


def _load() -> Any:
    path = _path()
    try:
        library = _open(path)
        for name, arguments in _FUNCTIONS.items():
            function = getattr(library, name)
            function.argtypes = arguments + [POINTER(Error)]
            function.restype = c_int
        for name, arguments, result in (
                ("apsp_version", [], c_char_p), ("apsp_cancel", [], None),
                ("apsp_graph_free", [c_void_p], None), ("apsp_solution_free", [c_void_p], None),
                ("apsp_order_free", [c_void_p], None),
                ("apsp_path_free", [POINTER(Path)], None),
                ("apsp_stats_free", [POINTER(Stats)], None),
                ("apsp_pairs_free", [POINTER(Pairs)], None),
                ("apsp_edge_values_free", [POINTER(EdgeValues)], None),
                ("apsp_extent_free", [POINTER(Extent)], None),
                ("apsp_device_table_free", [POINTER(DeviceTable)], None),
                ("apsp_graph_vertices", [c_void_p], c_size_t),
                ("apsp_graph_notes", [c_void_p], c_char_p),
                ("apsp_vertex_name", [c_void_p, c_size_t, c_char_p, c_size_t], c_size_t),
                ("apsp_stats_name", [c_uint, c_size_t], c_char_p),
                ("apsp_options_reset", [POINTER(Options), c_size_t], None),
                ("apsp_batch_task_reset", [POINTER(Batch), c_size_t], None),
                ("apsp_reading_reset", [POINTER(Reading), c_size_t], None),
                ("apsp_graph_cycle", [c_void_p, POINTER(c_size_t)], POINTER(c_uint32)),
                ("apsp_solution_facts", [c_void_p], POINTER(Facts))):
            function = getattr(library, name)
            function.argtypes, function.restype = arguments, result
    except OSError as error:
        raise ImportError("apsp needs libapsp.so, which APSP_LIBRARY may name: %s"
                          % error) from None
    except AttributeError as error:
        raise ImportError("%s is not the libapsp of this package: %s"
                          % (path, error)) from None
    return library


library = _load()
version = library.apsp_version().decode()

# One thread at a time may be in the library. Held by `with` alone: elsewhere a signal may come
# between taking it and what gives it back.
_lock = threading.Lock()
# Functions to call, and their arguments: what is to be freed.
_garbage: Deque[Tuple[Any, Any]] = collections.deque()
_asides: Optional[queue.SimpleQueue[Any]] = None  # calls for the helper thread
devices_known = False  # a solve of this process has looked for GPUs
_ending = False


def _is_main_interpreter() -> bool:
    """Signals come to no other one, and one with threads of its own cannot be ended."""
    python = ctypes.PyDLL(None)
    try:
        for function in (python.PyInterpreterState_Get, python.PyInterpreterState_Main):
            function.restype = c_void_p
        return bool(python.PyInterpreterState_Get() == python.PyInterpreterState_Main())
    except AttributeError:
        return True


_is_main = _is_main_interpreter()


def _hears_signals() -> bool:
    """Whether this thread is the one that Python's signal handlers run in."""
    return _is_main and threading.current_thread() is threading.main_thread()


def _renew_lock() -> None:
    global _lock, _asides, devices_known
    _lock = threading.Lock()
    devices_known = False
    _asides = None  # the helper thread is the parent's,
    _garbage.clear()  # and so is this to free


os.register_at_fork(after_in_child=_renew_lock)


def _sweep() -> None:
    with _lock:
        _sweep_locked()


def _sweep_locked() -> None:
    while _garbage:
        function, argument = _garbage.popleft()
        function(argument)


@atexit.register
def _end() -> None:
    global _ending
    _ending = True
    _sweep()


def free(*pairs: Any) -> None:
    """Calls functions with their arguments, after the call that is under way."""
    _garbage.extend(pairs)
    _sweep()


def free_later(*pairs: Any) -> None:
    """The same for the garbage collector, which may come while this very thread is in a call:
    never waits."""
    _garbage.extend(pairs)
    if not _ending:
        _thread.start_new_thread(_sweep, ())


class _Aside:
    """A call for the helper thread."""

    def __init__(self, function: Any, arguments: Any) -> None:
        self.function, self.arguments = function, arguments
        self.takers: Any = []  # who would have it begin or not; the first one has its way
        self.over = False
        self.failure: Optional[BaseException] = None
        self.done = threading.Lock()
        self.done.acquire()

    def work(self) -> None:
        self.takers.append("helper")
        if self.takers[0] != "helper":
            return
        try:
            self.function(*self.arguments)
        except BaseException as error:
            self.failure = error
        finally:
            self.over = True
            self.done.release()

    def finish(self) -> None:
        """Has it end, or not begin, whatever signals come."""
        while not self.over:
            try:
                self.takers.append("caller")
                if self.takers[0] == "caller":
                    return
                library.apsp_cancel()
                self.done.acquire(timeout=0.01)
            except BaseException:  # the first one is under way already
                pass


def _help(asides: Any) -> None:
    """The helper thread: it stays, and so do the threads of OpenMP that its calls have started."""
    while True:
        aside = asides.get()
        if aside is None:
            return
        aside.work()
        del aside  # and with it what its arguments hold


def _helper() -> Any:
    """The queue of the helper thread, which the first call starts."""
    global _asides
    if _asides is None:
        asides: Any = queue.SimpleQueue()
        _thread.start_new_thread(_help, (asides,))
        _asides = asides
    return _asides


def _call_aside(function: Any, arguments: Any) -> None:
    """On the helper thread, so that this one, which signals come to, hears them."""
    aside = _Aside(function, arguments)
    try:
        _helper().put(aside)
        while not aside.done.acquire(timeout=0.05):  # another thread's signal does not end it
            pass
    except BaseException:
        aside.finish()
        raise
    if aside.failure is not None:
        raise aside.failure


_SMALL = 64  # vertices, for which the library starts no threads


def is_small(n: int, entries: int) -> bool:
    """Whether what concerns so many vertices and numbers takes less than a millisecond."""
    return n <= _SMALL and entries <= _SMALL * _SMALL


def call(name: Any, *arguments: Any, small: bool = False) -> None:
    """Calls a function of the library, without the GIL; raises what it fails with. Ctrl-C waits for
    the end of a small call."""
    error = Error()
    function, arguments = getattr(library, name), arguments + (byref(error),)
    with _lock:
        if _garbage:
            _sweep_locked()
        if small or not _hears_signals():
            function(*arguments)
        else:
            _call_aside(function, arguments)
    if error.code:
        raise _exception(error.code, in_python(error.text.decode("utf-8", "replace")))


class Held:
    """An instance frees memory of the library when it ends. A copy would free it again."""

    _instead = ""

    def __reduce__(self) -> Any:
        raise TypeError("apsp.%s cannot be copied or pickled: %s"
                        % (type(self).__name__, self._instead))


class Cycle(Exception):
    """A negative cycle, before its vertices are known."""


def _exception(code: int, text: str) -> Any:
    kinds = {USAGE: ValueError, INPUT: ValueError, MEMORY: MemoryError, IO: OSError,
             DEVICE: DeviceError, REFUTED: CertificateError, CYCLE: Cycle}
    return kinds.get(code, RuntimeError)(text)
