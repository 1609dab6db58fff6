"""Open Matrix files (OMX), which programs for transport planning exchange: matrices of HDF5."""

from __future__ import annotations

import os
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Union

from . import _arrays, _words

_VERSION = b"0.2"


class Omx(NamedTuple):
    """Matrices by name, and lists that name their rows and columns, by name, too."""

    matrices: Dict[str, Any]
    lookups: Dict[str, List[Any]]


@_words.arguments()
def write_omx(path: Union[str, os.PathLike[str]], matrices: Any,
              lookups: Optional[Mapping[str, Any]] = None) -> None:
    """Write matrices of one shape to an OMX file (version 0.2), which replaces an old one.

    A solution is written block by block, with the attribute ``NA`` where integers stand for
    unreachable. Other programs may take these for distances.

    Parameters
    ----------
    path : str or path
    matrices : Solution, or dict of name to 2-D array or Solution
        A solution alone is called ``distance``.
    lookups : dict of name to sequence, optional
        Numbers or names of the rows or the columns; by default the labels of a solution that has
        some, as ``vertices``.

    Examples
    --------
    >>> import apsp, os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "skims.omx")
    >>> with apsp.solve(apsp.Edges(2, [0], [1], [7])) as solution:
    ...     apsp.write_omx(path, {"time": solution}, {"zone": [101, 102]})
    >>> apsp.read_omx(path).lookups
    {'zone': [101, 102]}
    """
    import h5py
    chosen = dict(matrices) if isinstance(matrices, Mapping) else {"distance": matrices}
    shapes = {_shape(matrix) for matrix in chosen.values()}
    if len(shapes) != 1 or len(min(shapes)) != 2:
        raise ValueError("matrices must have one shape of two dimensions, not %s" % sorted(shapes))
    shape = shapes.pop()
    named = [matrix.labels for matrix in chosen.values() if getattr(matrix, "labels", None)]
    lists = dict(lookups or {}) if lookups is not None or not named else {"vertices": named[0]}
    for name, values in lists.items():
        if len(values) not in shape:
            raise ValueError("lookup %r has %d entries, and matrices have the shape %r"
                             % (name, len(values), shape))
    growing = os.fspath(path) + ".apsp-tmp"
    try:
        with h5py.File(growing, "w") as file:
            file.attrs["OMX_VERSION"] = _arrays.numpy.bytes_(_VERSION)
            file.attrs["SHAPE"] = _arrays.numpy.array(shape, "int32")
            data, lookup = file.create_group("data"), file.create_group("lookup")
            for name, matrix in chosen.items():
                _put(data, name, matrix, shape)
            for name, values in lists.items():
                lookup.create_dataset(name, data=_entries(values))
        os.replace(growing, path)
    finally:
        if os.path.exists(growing):
            os.unlink(growing)


def _is_solution(matrix: Any) -> bool:
    return hasattr(matrix, "blocks")


def _shape(matrix: Any) -> Any:
    return (matrix.n, matrix.n) if _is_solution(matrix) else tuple(_arrays.numpy.shape(matrix))


def _put(data: Any, name: str, matrix: Any, shape: Any) -> None:
    if not _is_solution(matrix):
        matrix = _arrays.numpy.asarray(matrix)
    room = data.create_dataset(name, shape, matrix.dtype, chunks=(1, max(1, shape[1])),
                               compression="gzip", compression_opts=1, shuffle=True)
    if not _is_solution(matrix):
        room[...] = matrix
        return
    unreachable = _arrays.UNREACHABLE[matrix.dtype]
    room.attrs["NA"] = _arrays.numpy.array(unreachable, matrix.dtype)
    first = 0
    for _, block in matrix.blocks():
        room[first:first + len(block)] = block
        first += len(block)


def _entries(values: Any) -> Any:
    """Integers as they are, other labels as texts of UTF-8 in fixed lengths."""
    entries = _arrays.numpy.asarray(values)
    if entries.dtype.kind in "iuf":
        return entries
    return _arrays.numpy.array([str(value).encode() for value in values])


@_words.arguments()
def read_omx(path: Union[str, os.PathLike[str]], names: Union[str, List[str], None] = None) -> Omx:
    """Read matrices and lookups of an OMX file.

    Entries that equal the attribute ``NA`` of their matrix become infinity, which is no edge in
    every function that takes a matrix, and the matrix becomes float64.

    Parameters
    ----------
    path : str or path
    names : list of str, or str, optional
        The matrices that are wanted; by default all. A text is one name.
    """
    import h5py
    with h5py.File(path, "r") as file:
        data = file.get("data")
        if not isinstance(data, h5py.Group):
            raise ValueError("%s: there is no group /data, so this is not an OMX file" % (path,))
        wanted = list(data) if names is None else [names] if isinstance(names, str) else names
        for name in wanted:
            if name not in data:
                raise ValueError("%s: there is no matrix %r, but %s" % (path, name, list(data)))
        return Omx({name: _matrix(data[name]) for name in wanted},
                   {name: _labels(values) for name, values in file.get("lookup", {}).items()})


def _matrix(room: Any) -> Any:
    matrix = room[...]
    missing = room.attrs.get("NA")
    if missing is None or _arrays.numpy.all(missing != missing):
        return matrix
    gone = matrix == missing
    matrix = matrix.astype("float64")
    matrix[gone] = _arrays.numpy.inf
    return matrix


def _labels(values: Any) -> List[Any]:
    return [value.decode() if isinstance(value, bytes) else value for value in values[...].tolist()]
