"""Betweenness of groups of vertices."""

from __future__ import annotations

from typing import Any

from . import _arrays, _native, _words
from ._part import Part

_CHUNK = 64  # rows


@_words.methods
class Groups(Part):
    """Betweenness of groups."""

    facts: Any
    _pointer: Any
    distances: Any
    path_counts: Any

    def group_betweenness(self, group: Any, normalized: bool = False,
                          endpoints: bool = False) -> float:
        """Betweenness of a group of vertices: the sum, over ordered pairs of other vertices, of the
        part of their shortest paths that lead through the group (M. Everett and S. Borgatti, 1999).

        Parameters
        ----------
        group : label, number, or array of them
            None twice.
        normalized : bool
            True: divided by (n - c) (n - c - 1), the number of ordered pairs of others, for a group
            of c.
        endpoints : bool
            True: pairs with an end in the group count 1, too.

        Raises
        ------
        ValueError
            What :meth:`path_counts` raises; or a vertex stands there twice.

        Notes
        -----
        Needs NumPy and the memory of some rows. Paths avoid one vertex of the group after the other
        (after R. Puzis, Y. Elovici and S. Dolev, Physical Review E 76, 2007). Real weights whose
        sums are not exact: lengths that differ by less than 1e-12 of them are equal.
        """
        self._check()
        numpy = _arrays.numpy
        if numpy is None:
            raise ImportError("group_betweenness needs NumPy")
        members, _ = _arrays.choose(group, self.n, self._graph.find, "group")
        members = list(range(self.n)) if members is None else list(members)
        if len(set(members)) < len(members):
            raise ValueError("group: a vertex stands there twice")
        far, left = self._counted(members)
        total = float((left > 0).sum() - len(members)) if endpoints else 0.0
        steps = []
        for k, v in enumerate(members):  # paths of the group avoid its vertices before v
            row = left[k].copy()
            row[v] = 0
            steps.append((v, far[k], row))
            before = left[:, v].copy()
            before[k] = 0
            left -= self._paths_over(far, v, far[k], before, row)
        others = numpy.delete(numpy.arange(self.n), members)
        for first in range(0, len(others), _CHUNK):
            rows = others[first:first + _CHUNK]
            far, paths = self._counted(rows)
            left = paths.copy()
            for v, to, row in steps:
                left -= self._paths_over(far, v, to, left[:, v], row)
            parts = 1 - numpy.divide(left, paths, out=numpy.ones_like(left), where=paths > 0)
            total += float(parts[:, others].sum())
            total += float((paths[:, members] > 0).sum()) if endpoints else 0
        pairs = len(others) * (len(others) - 1)
        return total / pairs if normalized and pairs else total

    def _counted(self, rows: Any) -> Any:
        """Distances from those vertices, and numbers of paths. Sums of two exact distances are
        exact: integers have 64 bits, and decimals are multiplied by the power of ten that makes
        them whole. Binary fractions stay."""
        labels = [self._graph.label(v) for v in rows]
        far, paths = self.distances(labels), self.path_counts(labels)
        if far.dtype != float:
            return far.astype("int64"), paths
        scale = _native.library.apsp_solution_facts(self._pointer).contents.scale if self.n else 1
        return far if scale % 10 else _arrays.numpy.rint(far * scale), paths

    def _paths_over(self, far: Any, v: int, to: Any, before: Any, after: Any) -> Any:
        """Numbers of paths over v: ``before`` it times ``after`` it where that way is a shortest
        one, and 0 elsewhere, where the product may be too large for a float."""
        numpy = _arrays.numpy
        slack = 0 if self.facts["sums"] == "exact" else 1e-12
        with numpy.errstate(over="ignore"):
            return numpy.where(far[:, v:v + 1] + to <= far * (1 + slack),
                               numpy.outer(before, after), 0)
