"""The members of ``Solution`` that its parts use."""

from __future__ import annotations

from typing import Any, List, Optional, Tuple

from ._graphs import Graph


class Part:
    """A part of ``Solution``."""

    n: int
    labels: Optional[List[Any]]
    _name: str
    _graph: Graph
    _ask: Any
    _check: Any
    _reading: Tuple[Any, ...]
