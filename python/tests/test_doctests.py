"""The examples in docstrings."""

import doctest
import importlib
import pathlib

import pytest

import apsp

pytest.importorskip("numpy")
NAMES = ["apsp"] + ["apsp." + path.stem  # a wheel has libraries beside them
                    for path in sorted(pathlib.Path(apsp.__file__).parent.glob("[!_]*.py"))
                    + sorted(pathlib.Path(apsp.__file__).parent.glob("_[!_]*.py"))]


@pytest.mark.parametrize("name", NAMES)
def test_examples(name):
    if name == "apsp._geodesics":
        pytest.importorskip("sklearn")
    module = importlib.import_module(name)
    globals_ = dict(vars(module), A=[[0, 1], [1, 0]])
    assert doctest.testmod(module, extraglobs=globals_).failed == 0


def test_there_are_some():
    finder = doctest.DocTestFinder()
    assert sum(len(test.examples) for name in NAMES
               for test in finder.find(importlib.import_module(name))) > 8
