"""Geodesic distances between points, as a transformer of scikit-learn."""

from __future__ import annotations

from typing import Any, Dict, Optional

from . import _api, _words


class Geodesics:
    """Lengths of the shortest ways between points along a graph of neighbours: the step of Isomap
    (J. Tenenbaum, V. de Silva, J. Langford, 2000) that takes the time.

    It has the interface of scikit-learn's transformers, and needs scikit-learn. Rows are vectors of
    distances, which ``sklearn.manifold.MDS(dissimilarity="precomputed")`` and
    ``KernelPCA(kernel="precomputed")`` take.

    Parameters
    ----------
    n_neighbors : int, optional
        Neighbours of each point; None where `radius` is given.
    radius : float, optional
        Neighbours are the points no further than this.
    metric : str or function
        Of the points, as in ``sklearn.neighbors``; 'precomputed': X is a matrix of distances.
    p : float
        Of the Minkowski metric.
    metric_params : dict, optional
    n_jobs : int, optional
        Of the search for neighbours.
    dtype : {'float64', 'float32'}
        Of the distances; float32 takes half of the memory.
    device, threads
        As in :func:`shortest_path`.

    Attributes
    ----------
    dist_matrix_ : array, shape (n, n)
        Distances between the points that it was fitted to. Components of the graph are joined
        first, by the shortest edge between each two, as Isomap does.
    nbrs_ : sklearn.neighbors.NearestNeighbors
    n_features_in_ : int

    Examples
    --------
    >>> import apsp
    >>> apsp.Geodesics(n_neighbors=1).fit_transform([[0.0], [1.0], [3.0]])
    array([[0., 1., 3.],
           [1., 0., 2.],
           [3., 2., 0.]])
    """

    @_words.arguments()
    def __init__(self, n_neighbors: Optional[int] = 5, radius: Optional[float] = None, *,
                 metric: Any = "minkowski", p: float = 2,
                 metric_params: Optional[Dict[str, Any]] = None, n_jobs: Optional[int] = None,
                 dtype: str = "float64", device: str = "auto",
                 threads: Optional[int] = None) -> None:
        self.n_neighbors = n_neighbors
        self.radius = radius
        self.metric = metric
        self.p = p
        self.metric_params = metric_params
        self.n_jobs = n_jobs
        self.dtype = dtype
        self.device = device
        self.threads = threads

    _NAMES = ("n_neighbors", "radius", "metric", "p", "metric_params", "n_jobs", "dtype",
              "device", "threads")

    def get_params(self, deep: bool = True) -> Dict[str, Any]:
        """The parameters by name."""
        return {name: getattr(self, name) for name in self._NAMES}

    def set_params(self, **params: Any) -> Geodesics:
        """Changes some of them."""
        for name, value in params.items():
            if name not in self._NAMES:
                raise ValueError("Geodesics has no parameter %r" % (name,))
            setattr(self, name, value)
        return self

    def __sklearn_tags__(self) -> Any:
        from sklearn.base import BaseEstimator, TransformerMixin

        class Base(TransformerMixin, BaseEstimator):  # type: ignore[misc]
            pass
        return Base().__sklearn_tags__()

    def __repr__(self) -> str:
        return "Geodesics(%s)" % ", ".join(
            "%s=%r" % item for item in self.get_params().items() if item[1] is not None)

    def fit(self, X: Any, y: Any = None) -> Geodesics:
        """Finds the neighbours of the points, shape (n, features), and all distances."""
        import numpy
        from scipy.sparse.csgraph import connected_components
        from sklearn.neighbors import NearestNeighbors
        if (self.n_neighbors is None) == (self.radius is None):
            raise ValueError("one of n_neighbors and radius must be given, the other be None")
        self.nbrs_ = NearestNeighbors(
            n_neighbors=5 if self.n_neighbors is None else self.n_neighbors,
            radius=1.0 if self.radius is None else self.radius, metric=self.metric, p=self.p,
            metric_params=self.metric_params, n_jobs=self.n_jobs)
        self.nbrs_.fit(X)
        self.n_features_in_ = self.nbrs_.n_features_in_
        graph = self._graph(None).tocoo()
        source, target, weight = graph.row, graph.col, graph.data
        count, label = connected_components(graph)
        if count > 1:
            more = self._joints(label, count)
            source, target, weight = (numpy.concatenate(pair) for pair in
                                      zip((source, target, weight), more))
        from ._graphs import Edges
        self.dist_matrix_ = _api.shortest_path(
            Edges(graph.shape[0], source, target, weight), directed=False, dtype=self.dtype,
            device=self.device, threads=self.threads)
        return self

    def _graph(self, X: Any) -> Any:
        """Distances between points and their neighbours, as a sparse matrix."""
        if self.radius is not None:
            return self.nbrs_.radius_neighbors_graph(X, mode="distance")
        return self.nbrs_.kneighbors_graph(X, mode="distance")

    def _joints(self, label: Any, count: int) -> Any:
        """Of each two components the shortest edge between them: sources, targets, lengths."""
        import numpy
        from sklearn.metrics import pairwise_distances
        points, edges = self.nbrs_._fit_X, []
        for first in range(count):
            for second in range(first):
                here, there = (numpy.flatnonzero(label == k) for k in (first, second))
                if self.metric == "precomputed":
                    table = points[here][:, there]
                else:
                    table = pairwise_distances(points[here], points[there],
                                               metric=self.nbrs_.effective_metric_,
                                               **self.nbrs_.effective_metric_params_)
                i, j = numpy.unravel_index(table.argmin(), table.shape)
                edges.append((here[i], there[j], table[i, j]))
        return tuple(map(numpy.array, zip(*edges)))

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """The distances between the points, shape (n, n)."""
        return self.fit(X).dist_matrix_

    def transform(self, X: Any) -> Any:
        """Distances of other points to those that it was fitted to, shape (m, n): by way of their
        neighbours."""
        import numpy
        from sklearn.utils.validation import check_is_fitted
        check_is_fitted(self, "nbrs_")
        if self.radius is not None:
            far, near = self.nbrs_.radius_neighbors(X)
        else:
            far, near = self.nbrs_.kneighbors(X)
        rows = numpy.full((len(near), len(self.dist_matrix_)), numpy.inf, self.dtype)
        for row, lengths, numbers in zip(rows, far, near):
            if len(numbers):
                row[:] = (self.dist_matrix_[numbers] + numpy.asarray(lengths)[:, None]).min(axis=0)
        return rows
