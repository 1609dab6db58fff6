"""Memory of large results. The system makes each new page when it is first written, which takes as
long as distances of small graphs, and far longer where a virtual machine has given it back to its
host. So the memory of a result that is gone is kept for the next one. The system may take that back
whenever it needs memory (MADV_FREE)."""

from __future__ import annotations

import ctypes
import importlib
import mmap
from typing import Any, List, Optional, Tuple

LEAST = 1 << 22  # bytes of a large result
MOST = 1 << 29  # bytes that are kept, at most

_FREE: Optional[int] = getattr(mmap, "MADV_FREE", None)
_HUGE: Optional[int] = getattr(mmap, "MADV_HUGEPAGE", None)
_kept: List[Any] = []


class _Owner:
    """Owns the memory of one array, for as long as there is an array over it."""

    def __init__(self, room: Any, shape: Tuple[int, ...], kind: str) -> None:
        self._room = room
        address = ctypes.addressof(ctypes.c_char.from_buffer(room))
        self.__array_interface__ = {"shape": shape, "typestr": kind, "version": 3,
                                    "data": (address, False)}

    def __del__(self) -> None:  # in any thread, at any time
        _keep(self._room)


def _keep(room: Any) -> None:
    try:
        room.madvise(_FREE)
    except OSError:
        return
    if len(room) <= MOST:
        _kept.append(room)
    while sum(map(len, _kept)) > MOST:
        del _kept[:1]


def _take(size: int) -> Any:
    """Memory that is kept and fits, or None."""
    for room in list(_kept):
        if size <= len(room) <= 2 * size:
            try:
                _kept.remove(room)
            except ValueError:  # another thread was faster
                continue
            return room
    return None


def _make(size: int) -> Any:
    try:
        room = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    except (OSError, OverflowError):
        raise MemoryError("no memory for a result of %d bytes" % size) from None
    if _HUGE is not None:
        try:
            room.madvise(_HUGE)
        except OSError:  # the system has no such pages
            pass
    return room


def empty(shape: Tuple[int, ...], kind: Any) -> Any:
    """As numpy.empty of a dtype."""
    numpy: Any = importlib.import_module("numpy")
    size = kind.itemsize
    for extent in shape:
        size *= extent
    if size < LEAST or _FREE is None:
        return numpy.empty(shape, kind)
    return numpy.asarray(_Owner(_take(size) or _make(size), shape, kind.str))
