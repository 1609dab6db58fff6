"""Memory of results that are gone is that of later ones."""

import gc
import mmap
import threading

import pytest

import apsp
from apsp import _memory

numpy = pytest.importorskip("numpy")
pytestmark = pytest.mark.skipif(not hasattr(mmap, "MADV_FREE"), reason="no MADV_FREE")
DOUBLE = numpy.dtype("float64")
PAGE = mmap.PAGESIZE


@pytest.fixture(autouse=True)
def limits(monkeypatch):
    gc.collect()
    monkeypatch.setattr(_memory, "LEAST", PAGE)
    monkeypatch.setattr(_memory, "MOST", 4 * PAGE)
    monkeypatch.setattr(_memory, "_kept", [])


def make(pages, value):
    array = _memory.empty((pages, PAGE // 8), DOUBLE)
    array.fill(value)
    return array


def address(array):
    return array.__array_interface__["data"][0]


def test_used_again():
    first = make(2, 1)
    place, view = address(first), first[1:, ::2]
    assert first.shape == (2, PAGE // 8) and first.flags.carray and first.dtype == DOUBLE
    del first
    other = make(2, 2)  # while there is a view
    assert address(other) != place and (view == 1).all() and not _memory._kept
    del view
    assert len(_memory._kept) == 1
    again = make(1, 3)
    assert address(again) == place and not _memory._kept and (other == 2).all()
    del again
    assert address(make(3, 4)) != place  # too small
    small = _memory.empty((8,), DOUBLE)
    assert small.flags.owndata


def test_limit():
    rooms = [make(2, k) for k in range(4)]
    places = [address(room) for room in rooms]
    del rooms[:]
    assert len(_memory._kept) == 2
    assert {address(room) for room in [make(2, 5), make(2, 6)]} <= set(places)
    big = make(5, 7)
    del big
    assert sum(map(len, _memory._kept)) <= 4 * PAGE


def test_no_memory():
    with pytest.raises(MemoryError, match="bytes"):
        _memory.empty((1 << 59,), DOUBLE)


def test_threads():
    wrong = []

    def work(value):
        for _ in range(300):
            array = make(2, value)
            if not (array == value).all():
                wrong.append(value)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_results():
    graphs = numpy.zeros((30, 9, 9))
    graphs[:, numpy.arange(8), numpy.arange(1, 9)] = 1
    for _ in range(3):
        d, before = apsp.shortest_path_batch(graphs, sizes=[9] * 29 + [4],
                                             return_predecessors=True)
        assert numpy.array_equal(d[0], apsp.shortest_path(graphs[0]))
        assert (d[-1, 4:] == numpy.inf).all() and (before[-1, :, 4:] == -9999).all()
        assert type(d.base).__name__ == "_Owner"
    rows = apsp.shortest_path_batch(list(graphs))
    assert numpy.array_equal(rows[7], d[0])
