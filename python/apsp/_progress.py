"""Progress of a solve: to a callback, or as a bar."""

from __future__ import annotations

import ctypes
import sys
from typing import Any, Callable, Optional, Union

from . import _native

_Call = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t,
                         ctypes.c_size_t)
Wanted = Union[None, bool, Callable[[str, int, int], Any]]


class _Bar:
    """A bar of tqdm where that is installed, else a line on standard error, for each step."""

    def __init__(self) -> None:
        self.step, self.bar = "", None
        try:
            from tqdm.auto import tqdm
            self.make: Any = tqdm
        except ImportError:
            self.make = None

    def __call__(self, step: str, done: int, steps: int) -> None:
        if self.make is None:
            sys.stderr.write("\rapsp: %s %d of %d" % (step, done, steps))
            self.step = step
            return
        if step != self.step:
            self.close()
            self.step, self.bar = step, self.make(total=steps, desc=step)
        if self.bar is not None:
            self.bar.update(done - self.bar.n)

    def close(self) -> None:
        if self.bar is not None:
            self.bar.close()
        elif self.step and self.make is None:
            sys.stderr.write("\n")
        self.step, self.bar = "", None


class Progress:
    """For the time of a solve: puts the listener into its options. An exception of the listener
    cancels the solve and is raised in its place."""

    def __init__(self, wanted: Wanted, options: _native.Options) -> None:
        if not (wanted is None or isinstance(wanted, bool) or callable(wanted)):
            raise TypeError("progress must be a function, True or False, not %r" % (wanted,))
        self._listener: Any = _Bar() if wanted is True else wanted or None
        self._failure: Optional[BaseException] = None
        self._call = _Call(self._tell)
        if self._listener is not None:
            options.progress = ctypes.cast(self._call, ctypes.c_void_p)

    def _tell(self, user: Any, step: bytes, done: int, steps: int) -> int:
        try:
            self._listener(step.decode(), done, steps)
        except BaseException as failure:
            self._failure = failure
            return 1
        return 0

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *exception: Any) -> None:
        if isinstance(self._listener, _Bar):
            self._listener.close()
        failure, self._failure = self._failure, None
        if failure is not None:
            raise failure from None
