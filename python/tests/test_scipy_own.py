"""SciPy's own tests of paths, with apsp in the place of its functions (scipy_adapter.py)."""

import importlib.util
import os
import pathlib
import subprocess
import sys
import xml.etree.ElementTree

import pytest

import apsp

pytest.importorskip("scipy.sparse.csgraph")

# A test of what SciPy refuses and apsp answers.
TAKEN = {"test_shortest_path_indices"}


def run(module, folder, *options):
    """The outcome of each test of a module of SciPy's: a message where it has failed."""
    name = "scipy.sparse.csgraph.tests." + module
    try:
        if importlib.util.find_spec(name) is None:
            pytest.skip("SciPy's tests are not installed")
    except ImportError:
        pytest.skip("SciPy's tests are not installed")
    paths = [str(pathlib.Path(__file__).resolve().parent),
             os.path.dirname(os.path.dirname(os.path.abspath(apsp.__file__)))]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "scipy_adapter", "-p", "no:cacheprovider",
         "--junitxml=outcome.xml", "--pyargs", name, *options],
        cwd=str(folder), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=900,
        env=dict(os.environ, PYTHONPATH=os.pathsep.join(paths), PYTHONDONTWRITEBYTECODE="1"))
    assert done.returncode in (0, 1), done.stdout.decode()
    words = done.stdout.decode().split("calls that apsp has served: ")
    assert int(words[1].split()[0]) > 0
    outcomes = {}
    for case in xml.etree.ElementTree.parse(str(folder / "outcome.xml")).iter("testcase"):
        failure = case.find("failure") if case.find("failure") is not None else case.find("error")
        skipped = case.find("skipped") is not None
        outcomes[case.get("name")] = (
            "skipped" if skipped else "passed" if failure is None else failure.get("message"))
    return outcomes


def test_shortest_paths(tmp_path):
    outcomes = run("test_shortest_path", tmp_path)
    failed = {name for name, outcome in outcomes.items() if outcome not in ("passed", "skipped")}
    assert len(outcomes) > 50
    assert failed == TAKEN & set(outcomes)


def test_arrays_of_pydata(tmp_path):
    """Fill values of inf and nan too."""
    pytest.importorskip("sparse")
    outcomes = run("test_pydata_sparse", tmp_path, "-k", "COO")
    assert sum("test_nonzero_fill_value" in name for name in outcomes) >= 10
    assert {outcome for outcome in outcomes.values()} == {"passed"}
