import random
import signal

import pytest

import apsp


@pytest.fixture(autouse=True, scope="session")
def interruptible():
    """What a shell starts in the background ignores SIGINT, and Python keeps to that."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def chance(request):
    """Random numbers, the same for a test in every run."""
    return random.Random(request.node.name)


@pytest.fixture(params=["dense", "sparse"])
def method(request):
    return request.param


def pytest_report_header():
    with apsp.solve([[0, 1], [0, 0]]) as solution:
        return "apsp %s from %s, %s" % (apsp.__version__, apsp.__file__, solution.facts["device"])
