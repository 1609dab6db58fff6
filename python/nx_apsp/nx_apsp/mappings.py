"""Rows as mappings from nodes over arrays: dictionaries would take 45 bytes for each pair."""

from __future__ import annotations

from collections.abc import ItemsView, MutableMapping, ValuesView
from typing import Any, Callable, Dict, List, Optional

import numpy as np

from .graph import Graph

_INFINITY = float("inf")


class _Items(ItemsView[Any, Any]):
    _mapping: _Lazy

    def __iter__(self) -> Any:
        return zip(self._mapping, self._mapping.values())


class _Values(ValuesView[Any]):
    _mapping: _Lazy

    def __iter__(self) -> Any:
        return iter(self._mapping._values())


class _Lazy(MutableMapping[Any, Any]):
    """A mapping that becomes a dictionary when it is changed. The parts of others are `_find` an
    entry, `_count` them, and the lists of all `_keys` and `_entries`."""

    __slots__ = ("_graph", "_changed")
    _find: Callable[[Any], Any]
    _count: Callable[[], int]
    _keys: Callable[[], List[Any]]
    _entries: Callable[[], List[Any]]

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._changed: Optional[Dict[Any, Any]] = None

    def _dict(self) -> Any:
        if self._changed is None:
            self._changed = dict(zip(self._keys(), self._entries()))
        return self._changed

    def _values(self) -> Any:
        return self._entries() if self._changed is None else list(self._changed.values())

    def __getitem__(self, node: Any) -> Any:
        return self._find(node) if self._changed is None else self._changed[node]

    def __setitem__(self, node: Any, value: Any) -> None:
        self._dict()[node] = value

    def __delitem__(self, node: Any) -> None:
        del self._dict()[node]

    def popitem(self) -> Any:
        return self._dict().popitem()

    def __or__(self, other: Any) -> Any:
        return dict(self) | other

    def __ror__(self, other: Any) -> Any:
        return other | dict(self)

    def __ior__(self, other: Any) -> Any:
        self._dict().update(other)
        return self

    def __reversed__(self) -> Any:
        return reversed(list(self))

    def __array__(self, *_: Any, **__: Any) -> Any:
        raise TypeError("a row of nx-apsp is a mapping and no array: dict(row) is a dictionary, "
                        "and of rows by node pandas.DataFrame.from_dict(rows, orient='index') "
                        "makes a frame")

    def __len__(self) -> Any:
        return self._count() if self._changed is None else len(self._changed)

    def __iter__(self) -> Any:
        return iter(self._keys() if self._changed is None else self._changed)

    def items(self) -> Any:
        return _Items(self)

    def values(self) -> Any:
        return _Values(self)

    def copy(self) -> Any:
        return dict(self)

    def __repr__(self) -> Any:
        return repr(dict(self))

    def __reduce__(self) -> Any:
        return dict, (dict(self),)


class Row(_Lazy):
    """Distances from a node to those that it reaches, by their distance.

    Parameters
    ----------
    graph : Graph
    own : int
        The number of the node.
    row : array
        Its distances, `lost` where there is no path.
    limit : number, optional
        None further than this.
    """

    __slots__ = ("_own", "_row", "_lost", "_limit", "_order")

    def __init__(self, graph: Graph, own: int, row: Any, lost: Any, limit: Any = None) -> None:
        super().__init__(graph)
        self._own, self._row, self._lost = own, row, lost
        self._limit = limit
        self._order: Any = None

    def _reached(self) -> Any:
        reached = self._row != self._lost
        return reached if self._limit is None else reached & (self._row <= self._limit)

    def numbers(self) -> Any:
        """Of the nodes in their order."""
        if self._order is None:
            reached = np.flatnonzero(self._reached())
            order = np.argsort(self._row[reached], kind="stable")
            self._order = reached[order].astype(np.int32)
        return self._order

    def _find(self, node: Any) -> Any:
        number = self._graph.number[node]
        if number == self._own:
            return 0
        value = self._row[number]
        if value == self._lost or self._limit is not None and value > self._limit:
            raise KeyError(node)
        return value.item()

    def _count(self) -> Any:
        return int(np.count_nonzero(self._reached())) if self._order is None else len(self._order)

    def _keys(self) -> Any:
        return self._graph.names[self.numbers()].tolist()

    def _entries(self) -> Any:
        numbers = self.numbers()
        values = self._row[numbers].tolist()
        if self._row.dtype.kind == "f":
            values[np.flatnonzero(numbers == self._own)[0]] = 0
        return values


class Full(_Lazy):
    """Distances from a node to all in the graph's order, inf where there is no path."""

    __slots__ = ("_own", "_row", "_lost")

    def __init__(self, graph: Graph, own: int, row: Any, lost: Any) -> None:
        super().__init__(graph)
        self._own, self._row, self._lost = own, row, lost

    def _find(self, node: Any) -> Any:
        number = self._graph.number[node]
        value = self._row[number]
        return 0 if number == self._own else _INFINITY if value == self._lost else value.item()

    def _count(self) -> Any:
        return len(self._row)

    def _keys(self) -> Any:
        return self._graph.nodes

    def _entries(self) -> Any:
        values = self._row.tolist()
        for number in np.flatnonzero(self._row == self._lost).tolist():
            values[number] = _INFINITY
        values[self._own] = 0
        return values


class Before(_Lazy):
    """The node before each one on a shortest path from one node."""

    __slots__ = ("_tree",)

    def __init__(self, graph: Graph, tree: Any) -> None:
        super().__init__(graph)
        self._tree = tree

    def _find(self, node: Any) -> Any:
        before = self._tree[self._graph.number[node]]
        if before < 0:
            raise KeyError(node)
        return self._graph.nodes[before]

    def _count(self) -> Any:
        return int(np.count_nonzero(self._tree >= 0))

    def _keys(self) -> Any:
        return self._graph.names[self._tree >= 0].tolist()

    def _entries(self) -> Any:
        return self._graph.names[self._tree[self._tree >= 0]].tolist()


class Paths(_Lazy):
    """A shortest path from a node to each one of a row, as a list of nodes."""

    __slots__ = ("_own", "_tree", "_row")

    def __init__(self, graph: Graph, own: int, tree: Any, row: Any) -> None:
        super().__init__(graph)
        self._own, self._tree, self._row = own, tree, row

    def _find(self, node: Any) -> Any:
        self._row._find(node)  # KeyError
        number, path = self._graph.number[node], []
        while number != self._own:
            path.append(self._graph.nodes[number])
            number = self._tree[number]
        path.append(self._graph.nodes[self._own])
        path.reverse()
        return path

    def _count(self) -> Any:
        return self._row._count()

    def _keys(self) -> Any:
        return self._row._keys()

    def _entries(self) -> Any:
        nodes, tree = self._graph.nodes, self._tree.tolist()
        found = {self._own: [nodes[self._own]]}
        order = self._row.numbers().tolist()
        for number in order:
            chain = []
            while number not in found:  # of edges of length 0 one may come before its way
                chain.append(number)
                number = tree[number]
            for after in reversed(chain):
                found[after] = [*found[number], nodes[after]]
                number = after
        return [found[number] for number in order]
