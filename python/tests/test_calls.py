"""Calls as guests of a process: Ctrl-C, other threads, other processes, a process without NumPy."""

import array
import inspect
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import textwrap
import threading
import time

import pytest

import apsp


def long_edges(n=15000, degree=6):
    """Many seconds of work for either engine."""
    chance = random.Random(1)
    return apsp.Edges(n, [e // degree for e in range(n * degree)],
                      [chance.randrange(n) for _ in range(n * degree)],
                      [chance.randrange(1000) for _ in range(n * degree)])


def run(code, **environment):
    """The lines that a Python process of its own prints."""
    paths = [os.path.dirname(os.path.dirname(apsp.__file__))]
    environment = dict(os.environ,
                       PYTHONPATH=os.pathsep.join(paths),
                       PYTHONDONTWRITEBYTECODE="1",
                       **environment)
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(code)],
                          env=environment,
                          stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE,
                          timeout=120)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode().splitlines()


@pytest.mark.parametrize("after", [0.05, 0.3, 1.0])
def test_interrupts_end_a_solve(after, method):
    edges = long_edges()
    pressed = []

    def press():
        pressed.extend([time.monotonic(), time.process_time()])
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(after, press)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        apsp.shortest_path(edges, method=method, dtype="native", device="cpu")
    took, worked = time.monotonic() - pressed[0], time.process_time() - pressed[1]
    timer.join()
    print("%s, interrupted after %.2f s: over %.3f s later, %.3f s of work" %
          (method, after, took, worked))
    assert worked < 1  # however busy the machine is; 10 and more without
    assert apsp.shortest_path([[0, 1], [0, 0]])[0][1] == 1  # and the next call works


def test_interrupts_that_another_thread_gets():
    """Of which a thread that waits is not woken."""
    edges = long_edges()
    pressed = []

    def press():
        pressed.append(time.process_time())
        signal.pthread_kill(threading.get_ident(), signal.SIGINT)

    timer = threading.Timer(1.0, press)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        apsp.shortest_path(edges, method="sparse", dtype="native", device="cpu")
    assert time.process_time() - pressed[0] < 1
    timer.join()


@pytest.mark.parametrize("question", ["distances", "predecessors", "stats"])
def test_interrupts_end_rows(question):
    n = 8000
    path = apsp.Edges(n, range(n - 1), range(1, n))
    with apsp.solve(path, method="sparse", device="cpu", dtype="int32") as solution:
        pressed = []

        def press():
            pressed.extend([time.monotonic(), time.process_time()])
            os.kill(os.getpid(), signal.SIGINT)

        timer = threading.Timer(0.05, press)
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            while True:
                getattr(solution, question)()
        took, worked = time.monotonic() - pressed[0], time.process_time() - pressed[1]
        timer.join()
        print("%s: over %.3f s later, %.3f s of work" % (question, took, worked))
        assert worked < 1
        assert solution.distance(0, n - 1) == n - 1


def test_threads_rest_between_calls():
    """Of the library: they would take the cores from others, and the process has its own."""
    edges = long_edges(1500)
    for solve in (apsp.solve, lambda edges: run_aside(apsp.solve, edges)):
        with solve(edges) as solution:
            solution.stats()
            time.sleep(0.1)
            worked = time.process_time()
            time.sleep(1)
            assert time.process_time() - worked < 0.2


def run_aside(function, *arguments):
    """What it returns, called by a thread that ends."""
    found = []
    thread = threading.Thread(target=lambda: found.append(function(*arguments)))
    thread.start()
    thread.join()
    return found[0]


# Exceptions of handlers that come in a __del__ are only told.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("n", [4, 100])
def test_interrupts_at_any_moment_of_short_calls(n):
    """As a call begins, and as it ends, on this thread and on the helper thread."""

    class Told(Exception):
        pass

    def tell(*_):
        raise Told

    before, told = signal.signal(signal.SIGALRM, tell), 0
    graph = apsp.Edges(n, range(n - 1), range(1, n))
    try:
        until = time.monotonic() + 3
        while time.monotonic() < until:
            try:
                signal.setitimer(signal.ITIMER_REAL, 1e-5 + 1e-3 * random.random())
                for _ in range(20):
                    assert apsp.shortest_path(graph, indices=0, targets=n - 1) == n - 1
            except Told:
                told += 1
            finally:
                try:
                    signal.setitimer(signal.ITIMER_REAL, 0)
                except Told:
                    told += 1
    finally:
        signal.signal(signal.SIGALRM, before)
    assert told > 50


def test_a_handler_of_the_caller_s_is_heard():
    class Told(Exception):
        pass

    def tell(*_):
        raise Told

    before = signal.signal(signal.SIGALRM, tell)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        with pytest.raises(Told):
            apsp.shortest_path(long_edges(), dtype="native", device="cpu")
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_other_threads_go_on():
    steps, over = [0], threading.Event()

    def count():
        while not over.is_set():
            steps[0] += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    edges = long_edges(2500)
    with apsp.solve(edges, method="dense", device="cpu", threads=1) as solution:
        alone = solution.facts["seconds"]["total"]
    thread.start()
    begun = time.monotonic()
    apsp.solve(edges, method="dense", device="cpu", threads=1).close()
    spent = time.monotonic() - begun
    over.set()
    thread.join()
    assert alone > 0.02 and steps[0] > spent / 0.001 / 20


def test_threads_take_turns():
    edges = long_edges(300)
    right = apsp.shortest_path(edges)
    found = [None] * 6

    def solve(k):
        found[k] = apsp.shortest_path(edges, method=("dense", "sparse")[k % 2])

    threads = [threading.Thread(target=solve, args=(k,)) for k in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(bytes(f) == bytes(right) for f in found)


def test_children_of_fork():
    run("""
        import os, apsp
        edges = apsp.Edges(500, range(499), range(1, 500))
        def solve():
            assert float(apsp.shortest_path(edges, threads=2, device="cpu", indices=0)[499]) == 499
        solve()
        child = os.fork()
        if child == 0:
            solve()
            os._exit(0)
        assert os.waitpid(child, 0)[1] == 0
        solve()
    """)


def test_one_helper_thread_stays():
    """And small calls need none."""
    lines = run("""
        import os, apsp
        def threads():
            return sorted(os.listdir("/proc/self/task"))
        path = apsp.Edges(100, range(99), range(1, 100))
        small = apsp.Edges(60, range(59), range(1, 60), [0.5] * 59)
        apsp.shortest_path(path, threads=1)
        before = threads()
        apsp.shortest_path(path, threads=1)
        print(threads() == before)
        apsp.shortest_path(small, directed=False, return_predecessors=True, verify="all")
        with apsp.solve(small, sums="path") as solution:
            solution.stats(histogram=True), solution.path(0, 59), list(solution.blocks(7))
        print(threads() == before)
        child = os.fork()
        if child == 0:
            apsp.shortest_path(path, threads=1)
            os._exit(len(threads()))
        print(os.waitpid(child, 0)[1] >> 8)
    """)
    assert lines == ["True", "True", "2"]


def test_children_of_fork_solve_graphs_of_about_the_limit():
    """OpenMP has no threads that the parent's main thread has started."""
    run("""
        import os, apsp
        def solve():
            for n in (60, 63, 64, 65):
                complete = [[i != j for j in range(n)] for i in range(n)]
                for directed in (True, False):
                    assert apsp.stats(complete, directed).diameter == 1
        solve()
        child = os.fork()
        if child == 0:
            solve()
            os._exit(0)
        assert os.waitpid(child, 0)[1] == 0
    """)


def test_small_calls_read_no_files():
    lines = run("""
        import apsp
        def reads_of(count):
            for _ in range(count):
                apsp.shortest_path([[0, 1], [1, 0]])
            with open("/proc/self/io") as file:
                return int(file.read().split("syscr:")[1].split()[0])
        reads_of(2)
        before, between, after = reads_of(1), reads_of(1), reads_of(50)
        print(after - between == between - before)
    """)
    assert lines == ["True"]


def test_interpreters_within_a_process():
    """They can be ended: no thread of theirs stays."""
    code = textwrap.dedent("""
        import sys
        sys.modules["numpy"] = None
        import apsp
        path = apsp.Edges(100, range(99), range(1, 100))
        assert apsp.shortest_path(path, indices=0, targets=99) == 99
    """)
    lines = run("""
        try:
            import _interpreters as interpreters
            settings = ("legacy",)
        except ImportError:
            import _xxsubinterpreters as interpreters
            settings = ()
        def create():
            more = {} if settings else {"isolated": False}
            return interpreters.create(*settings, **more)
        for _ in range(3):
            one = create()
            interpreters.run_string(one, %r)
            interpreters.destroy(one)
        print("ended")
    """ % code)
    assert lines == ["ended"]


def test_children_of_fork_leave_the_parent_s_solutions():
    run("""
        import os, apsp
        solution = apsp.solve(apsp.Edges(3, [0, 1], [1, 2]), device="cpu")
        child = os.fork()
        if child == 0:
            given_up = solution._give_up()
            solution.close()
            os._exit(len(given_up))
        assert os.waitpid(child, 0)[1] == 0
        assert solution.distance(0, 2) == 2 and len(solution._give_up()) == 2
    """)


def test_a_call_that_waits_as_its_solution_is_closed():
    solution = apsp.solve(apsp.Edges(3, [0, 1], [1, 2]))
    failed = []

    def ask():
        try:
            solution.distances()
        except ValueError as error:
            failed.append(str(error))

    thread = threading.Thread(target=ask)
    with apsp._native._lock:
        thread.start()
        time.sleep(0.3)
        given_up = solution._give_up()
    thread.join()
    apsp._native.free(*given_up)
    assert len(failed) == 1 and "another thread has closed it" in failed[0]


def test_blocks_collected_in_a_call():
    parts = apsp.blocks(apsp.Edges(3, [0, 1], [1, 2]), block_rows=1)
    next(parts)
    with apsp._native._lock:
        del parts


def test_solve_each_is_collected_in_a_call():
    for package in ("networkx", "numpy"):
        pytest.importorskip(package)
    run("""
        import gc, apsp, networkx, numpy
        graph = networkx.DiGraph()
        graph.add_edge("a", "b", am=4, pm=7)
        parts = apsp.solve_each(graph, ["am", "pm"])
        next(parts)
        ring = [parts]
        ring.append(ring)
        del parts, ring
        apsp.shortest_path(numpy.ones((100, 100)), progress=lambda *step: gc.collect() and None)
        """)


def test_vectors_stay_where_they_are():
    edges = [array.array("q", x) for x in ([0, 1], [1, 2], [3, 4])]
    with apsp.solve(apsp.Edges(3, *edges)) as solution:
        for entries in edges:
            with pytest.raises(BufferError):
                entries.append(1)
        assert solution.distance(0, 2) == 7
    room = bytearray(17)
    odd = memoryview(room)[1:].cast("q")
    odd[0], odd[1] = 3, 4
    assert apsp.shortest_path(apsp.Edges(3, [0, 1], [1, 2], odd))[0][2] == 7
    numpy = pytest.importorskip("numpy")
    odd = numpy.frombuffer(room, dtype="int64", offset=1)
    assert apsp.shortest_path(apsp.Edges(3, [0, 1], [1, 2], odd))[0][2] == 7


@pytest.mark.parametrize("name", ["directed", "unweighted"])
def test_methods_in_another_s_place(name):
    with pytest.raises(ValueError, match="method="):
        apsp.shortest_path([[0, 1], [0, 0]], **{name: "D"})


def test_without_numpy():
    lines = run("""
        import sys
        sys.modules["numpy"] = None  # as if it were not there
        import array, apsp
        edges = apsp.Edges(4, array.array("i", [0, 1, 2]), array.array("q", [1, 2, 0]),
                           array.array("d", [1.5, 2, 4]))
        d, p = apsp.shortest_path(edges, return_predecessors=True)
        print(d.shape, d.format, d.tolist())
        print(p.tolist())
        print(apsp.shortest_path(edges, indices=1).tolist(),
              apsp.shortest_path(edges, indices=[1], targets=2).tolist())
        print(apsp.shortest_path([[0, 7, 3], [0, 0, 0], [0, 2, 0]], dtype="native").tolist())
        out = array.array("i", [0] * 9)
        view = memoryview(out).cast("B").cast("i", [3, 3])
        apsp.shortest_path([[0, 7, 3], [0, 0, 0], [0, 2, 0]], out=view)
        print(out.tolist())
        print(apsp.path(edges, 0, 2), apsp.stats(edges).diameter, apsp.closeness(edges)[3])
        for rows, block in apsp.blocks(edges, block_rows=3, unweighted=True, dtype="native"):
            print(rows, block.tolist())
        for wrong in (b"1234", [[1, 2]], memoryview(b"1234"), 3, apsp.Edges(2, [0], ["1"]),
                      apsp.Edges(2, b"0", b"1"),
                      apsp.Edges(2, [0.5], [1]), apsp.Edges(2, [0], [1], ["1"]),
                      apsp.Edges(2, [False], [True]),
                      apsp.Edges(2, [0], [1], array.array("d", [-float("inf")]))):
            try:
                apsp.shortest_path(wrong)
            except (ValueError, TypeError):
                continue
            raise SystemExit("taken: %r" % (wrong,))
        infinity = float("inf")
        for weights in ([7, None, infinity], array.array("d", [7, infinity, infinity]),
                        [None, 3.5, 2], [2**60 + 1, infinity, None]):
            edges = apsp.Edges(3, [0, 1, 0], [1, 2, 2], weights)
            print(apsp.shortest_path(edges, indices=0, dtype="native").tolist())
        empty = apsp.stats(apsp.Edges(0, [], []), histogram=True)
        print(empty.total, empty.closeness, empty.histogram, empty.quantiles, empty.sum)
    """)
    assert lines == [
        "(4, 4) d [[0.0, 1.5, 3.5, inf], [6.0, 0.0, 2.0, inf], [4.0, 5.5, 0.0, inf], [inf, inf, "
        "inf, 0.0]]",
        "[[-9999, 0, 1, -9999], [2, -9999, 1, -9999], [2, 0, -9999, -9999], [-9999, -9999, -9999, "
        "-9999]]",
        "[6.0, 0.0, 2.0, inf] [2.0]",
        "[[0, 5, 3], [65535, 0, 65535], [65535, 2, 0]]",
        "[0, 5, 3, 1073741823, 0, 1073741823, 1073741823, 2, 0]",
        "Path(distance=3.5, vertices=[0, 1, 2]) 6.0 0.0",
        "range(0, 3) [[0, 1, 2, 65535], [2, 0, 1, 65535], [1, 2, 0, 65535]]",
        "range(3, 4) [[65535, 65535, 65535, 0]]",
        "[0, 7, 65535]",
        "[0, 7, 65535]",
        "[0.0, inf, 2.0]",
        "[0, 1152921504606846977, 4611686018427387903]",
        "[] [] ([], []) {} 0",
    ]


def test_a_wrong_library_is_told():
    for path, word in (("/no/such/libapsp.so", "APSP_LIBRARY"), ("libc.so.6", "not the libapsp")):
        lines = run("""
            try:
                import apsp
            except ImportError as error:
                print(error)
        """, APSP_LIBRARY=path)
        assert word in lines[0]


def test_nothing_else_is_imported():
    lines = run("""
        import sys, apsp
        apsp.shortest_path([[0, 1], [0, 0]])
        print([name for name in ("scipy", "networkx", "igraph", "networkit", "pandas")
               if name in sys.modules])
    """)
    assert lines == ["[]"]


def test_the_page_has_what_there_is():
    page = (pathlib.Path(__file__).resolve().parent.parent / "README.md").read_text()
    signature = inspect.signature(apsp.shortest_path)
    bare = signature.replace(
        return_annotation=signature.empty,
        parameters=[p.replace(annotation=p.empty) for p in signature.parameters.values()])
    assert "`shortest_path%s`" % str(bare).replace("'", '"') in page
    for name in apsp.__all__:
        assert name in page, name
    for name in re.findall(r"^\| `([a-z_]+)\(", page, re.MULTILINE):
        assert callable(getattr(apsp, name)), name


def test_idle_threads_sleep_soon():
    """Those of the package's own libgomp, and of no other in the process."""
    if not os.path.exists(os.path.join(os.path.dirname(apsp.__file__), "apsp-gomp.so")):
        pytest.skip("libgomp is not the package's")

    def spins(code, **environment):
        """As each libgomp says when it is loaded."""
        environment = {
            name: value for name, value in dict(os.environ, **environment).items()
            if value is not None
        }
        environment.update(OMP_DISPLAY_ENV="verbose",
                           PYTHONPATH=os.path.dirname(os.path.dirname(apsp.__file__)))
        done = subprocess.run([sys.executable, "-B", "-c", code],
                              env=environment,
                              stderr=subprocess.PIPE,
                              timeout=120)
        assert done.returncode == 0, done.stderr.decode()
        return [
            line.split("'")[1] for line in done.stderr.decode().splitlines()
            if "GOMP_SPINCOUNT" in line
        ]

    unset = {"OMP_WAIT_POLICY": None, "GOMP_SPINCOUNT": None}
    assert spins("import apsp, os; assert 'GOMP_SPINCOUNT' not in os.environ", **unset) == ["3000"]
    assert spins("import apsp", **dict(unset, GOMP_SPINCOUNT="7")) == ["7"]
    assert spins("import apsp", **dict(unset, OMP_WAIT_POLICY="passive")) == ["0"]
    try:
        alone = spins("import ctypes; ctypes.CDLL('libgomp.so.1')", **unset)
    except AssertionError:
        pytest.skip("no other libgomp here")
    for code in ("import apsp, ctypes; ctypes.CDLL('libgomp.so.1')",
                 "import ctypes; ctypes.CDLL('libgomp.so.1'); import apsp"):
        assert sorted(spins(code, **unset)) == sorted(alone + ["3000"])


def test_a_gpu_that_is_not_there():
    try:
        found = apsp.shortest_path([[0, 1], [0, 0]], device="gpu")
    except apsp.DeviceError as error:
        assert str(error)
    else:
        assert found[0][1] == 1
