"""Names that callers and messages use: the argument that an unknown one may mean, and arguments in
place of the library's settings."""

from __future__ import annotations

import functools
import re
from types import FunctionType
from typing import Any, Callable, Dict, FrozenSet, Iterable, TypeVar, cast

_Function = TypeVar("_Function", bound=Callable[..., Any])
_Class = TypeVar("_Class", bound=type)

# Names of other packages, and those that are meant where the function has them.
_MEANT: Dict[str, Iterable[str]] = {
    "source": ("indices",), "sources": ("source", "indices"), "src": ("source", "indices"),
    "target": ("targets",), "dst": ("target", "targets"), "weights": ("weight",),
    "n": ("vertices",), "rows": ("block_rows",), "normalize": ("normalization", "normalized"),
    "normalized": ("normalization",), "cutoff": ("limit", "within", "cutoffs"),
    "k": ("nearest", "n_neighbors"),
    "type": ("dtype",), "gpu": ("device",), "engine": ("method",), "algorithm": ("method",),
    "undirected": ("directed",), "callback": ("progress",), "key": ("weight_key", "weight"),
    "usecols": ("columns",), "cuda": ("gpu",), "floyd": ("FW",), "floyd-warshall": ("FW",),
    "dijkstra": ("D",), "johnson": ("J",), "bellman-ford": ("BF",), "count": ("columns",),
    "wf": ("wasserman-faust",),
    **{name: ("threads",) for name in (
        "n_jobs", "n_threads", "num_threads", "nthreads", "workers", "jobs")}}

# Settings of the library in its messages (src/base/setting.h), and the arguments that set them.
_SETTINGS = {"options.output": "dtype", "options.type": "dtype", "paths.within": "limit",
             "reading.directed": "directed=True", "reading.undirected": "directed=False",
             "reading.sort_names": "sort_names=True", "reading.unweighted": "unweighted=True",
             "APSP_DEVICE_CPU": 'device="cpu"', "APSP_STRESS": "stress", "no_edge": "no_edge",
             **{"options." + name: name for name in ("method", "order", "paths", "sums")},
             **{"reading." + name: name for name in (
                 "columns", "format", "label_key", "largest_component", "oneway", "parallel",
                 "weight_key")}}

# Advice of the library, and the advice of Python in its place.
_PHRASES = {"use more hosts, or options.rows":
            "give indices=, or take apsp.blocks() or apsp.stats(), which hold no matrix"}

_SETTING = re.compile(r"\b(%s)\b(?: ([\w.,]+)(?= (?:takes|reads|leaves|names)\b))?" %
                      "|".join(map(re.escape, _SETTINGS)))
_TYPE = re.compile(r"(?<![\w./'\"-])([iuf])(8|16|32|64)(?![\w/'\"]|\.\w)")
_NARROW = re.compile(r"\bis exact below [\d,]+, and distances may reach [\d,]+$")
_KINDS = {"i": "int", "u": "uint", "f": "float"}


def in_python(text: str) -> str:
    """A message of the library with the names of arguments and types in Python."""
    for phrase, ours in _PHRASES.items():
        text = text.replace(phrase, ours)
    text = _NARROW.sub(r'\g<0>; dtype="native" takes a type that holds them', text)
    text = _TYPE.sub(lambda match: _KINDS[match.group(1)] + match.group(2), text)
    return _SETTING.sub(_argument, text)


def names_setting(text: str) -> bool:
    """Whether a message of the library names a setting that an argument changes."""
    return _SETTING.search(text) is not None


def _argument(match: Any) -> str:
    name, value = _SETTINGS[match.group(1)], match.group(2)
    return name if value is None else '%s="%s"' % (name, value)


def near(name: str, known: Iterable[str]) -> str:
    """The one of the known names that it may mean, or ''."""
    import difflib
    known = sorted(known)
    ours = [one for one in _MEANT.get(name, ()) if one in known]
    return (ours or difflib.get_close_matches(name, known, 1) or [""])[0]


def meant(name: Any, known: Iterable[Any]) -> str:
    """The end of a message that refuses a word."""
    one = near(name, [word for word in known if word]) if isinstance(name, str) else ""
    return "; did you mean %s?" % one if one else ""


def arguments(*rest: Any, without: Iterable[str] = ()) -> Callable[[_Function], _Function]:
    """For functions: a keyword argument that is none is a TypeError, which names the function that
    was called, and the argument that is meant. Its own ones and those of `rest` are known."""

    def decorate(function: _Function) -> _Function:
        code = function.__code__
        known: FrozenSet[str] = frozenset(
            code.co_varnames[:code.co_argcount + code.co_kwonlyargcount]).union(
                *(one.known for one in rest)) - set(without)

        @functools.wraps(function)
        def call(*values: Any, **named: Any) -> Any:
            if named and not known.issuperset(named):
                raise _unknown(_called(function, values), min(set(named) - known), known)
            return function(*values, **named)

        setattr(call, "known", known)
        return cast(_Function, call)

    return decorate


def _called(function: Any, values: Any) -> str:
    """The name that the caller has written: a function, a class, or the method of one."""
    name = str(function.__qualname__)
    if "." in name and values and not isinstance(values[0], type):
        name = "%s.%s" % (type(values[0]).__name__, function.__name__)
    return name.replace(".__init__", "")


def _unknown(called: str, name: str, known: FrozenSet[str]) -> TypeError:
    one = near(name, known)
    return TypeError("%s() has no argument %s: %s" % (
        called, name, "did you mean %s?" % one if one else
        "it has " + ", ".join(sorted(known - {"self", "cls", "A"}))))


def methods(kind: _Class) -> _Class:
    """The same for the public methods of a class, and the one that makes an object."""
    for name, member in list(vars(kind).items()):
        if isinstance(member, FunctionType) and not (
                name.startswith("_") and name != "__init__"):
            setattr(kind, name, arguments()(member))
    return kind
