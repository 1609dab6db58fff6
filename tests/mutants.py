#!/usr/bin/env python3
"""Plants small faults in src/ and tells which of them the tests notice.

    python3 tests/mutants.py [--count N] [--seed S] [--seconds T] [--jobs J] [--only GLOB ...]
                             [--baseline] [--again] [--named]

A fault is one place of one source changed mechanically: another operator, a constant that is one
off, a statement dropped, a condition negated, arguments swapped. Those of a seed come in the same
order each time, and what has been tried is not tried again: results are lines of JSON in
BUILD/mutants/results.jsonl. `--again` tries those once more that were not noticed, first by the
tests that they have not met, also by those that are left out otherwise. `--named` plants the
faults of tests/mutants.ini in place of mechanical ones: each must be noticed by a test that stands
beside it.

Every job works in a copy of the tree with a build of its own, on cores and with temporary files of
its own, so that the sources stay as they are and jobs do not meet. Only what a fault changes is
compiled; if the object stays the same byte for byte the fault is none. Then come the tests in C of
the same folder, those that have found a fault in the same file, and the others, the quick ones
first; after `make coverage` only those that run the line. A test that fails, crashes or hangs
twice ends the matter, if it passes without the fault. `--baseline` runs every test without a fault
first: what fails or is too slow is not asked, and the times of all are known. A fault is tried for
--budget seconds of tests at most. Files for a GPU are left out.
"""
import argparse
import configparser
import fnmatch
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUILD = os.environ.get("BUILD", "build")
MAKE = ["make", "-s", "-k", "GPU=none", "CFLAGS=-O1", "BUILD=build"]
# Too slow for each fault, or of machines, packages and time rather than of results: for --again.
LEFT_OUT = {
    "headers.sh", "resumed.sh", "signals.sh", "hosts.sh", "real.sh", "faults.sh", "memory.sh"
}
RUN = open(os.path.join(ROOT, "tests", "run.sh")).read()
MPI_TESTS = re.search(r'^mpi_tests="([^"]*)"', RUN, re.M)[1].replace("\\", "").split()
SMALL_TESTS = re.search(r'^small_tests="([^"]*)"', RUN, re.M)[1].replace("\\", "").split()
MPI_RANKS = (1, 2, 3, 4, 7)
MANY_RANKS = 7  # for --again too
BESIDE = {
    "house.sh": ["build/tests/apsp-house"], "order.sh": ["build/tests/apsp-no-metis"],
    "examples.sh": ["examples"], "corpus.sh": ["replays"],
    "faults.sh": ["build/tests/faults/interpose.so"],
    "memory.sh": ["build/tests/library/fault_solve"]
}
MEMORY = 16 << 30  # of a process, address space


# --- faults

SKIPPED = re.compile(
    r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|^[ \t]*#(?:[^\n]*\\\n)*[^\n]*',
    re.S | re.M)
SWAPS = {
    "<": ["<=", ">"], "<=": ["<", "=="], ">": [">=", "<"], ">=": [">", "=="], "==": ["!="],
    "!=": ["=="], "&&": ["||"], "||": ["&&"], "+": ["-"], "-": ["+"], "*": ["/"], "/": ["*"],
    "%": ["/"], "<<": [">>"], ">>": ["<<"], "&": ["|"], "|": ["&"], "+=": ["-="], "-=": ["+="],
    "|=": ["="], "&=": ["="]
}
OPERATOR = re.compile(r" (<=|>=|==|!=|&&|\|\||<<|>>|\+=|-=|\|=|&=|[<>+*/%&|-]) (?=\S)")
NUMBER = re.compile(r"(?<![\w.])(\d+)(?![\w.xX])")
CONDITION = re.compile(r"\b(if|while) \((.*)\)(?= \{$|$)")
STATEMENT = re.compile(
    r"^ +(?! )(?!return\b|break\b|continue\b|goto\b|case\b|typedef\b|static\b|extern\b|enum\b|"
    r"struct\b|const\b|union\b|int\b|size_t\b|bool\b|char\b|double\b|float\b|void\b|"
    r"u?int\d+_t\b|FILE\b|unsigned\b|long\b)[^;{}]*;$"
)
ARGUMENTS = re.compile(r"\b\w+\(([\w>.\-\[\]]+), ([\w>.\-\[\]]+)(?=[,)])")
ANSWER = re.compile(r"\breturn (true|false|error->code|0|NULL);")
ANSWERS = {"true": "false", "false": "true", "error->code": "0", "0": "1"}
CHOICE = re.compile(r" \? ([^?:;]+) : ([^?:;]+?)(?=[;,)\n])")


def blank(text):
    """Comments, strings and directives become spaces, so that all else keeps its place."""
    return SKIPPED.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)


def sites(path):
    """Every fault of a file: (line, what kind, from, to, replacement)."""
    text = open(os.path.join(ROOT, path)).read()
    bare = blank(text)
    found, start = [], 0
    depth = 0

    def add(kind, lo, hi, new):
        if text[lo:hi] != new:
            found.append((kind, start + lo - start, hi, new))

    for line in bare.split("\n"):
        inside = depth > 0
        depth += line.count("{") - line.count("}")
        at = start
        start += len(line) + 1
        if not inside or not line.strip():
            continue
        for match in OPERATOR.finditer(line):
            for new in SWAPS[match.group(1)]:
                add("operator", at + match.start(1), at + match.end(1), new)
        for match in NUMBER.finditer(line):
            number = int(match.group(1))
            add("constant", at + match.start(1), at + match.end(1), str(number + 1))
            if number > 0:
                add("constant", at + match.start(1), at + match.end(1), str(number - 1))
        for match in CONDITION.finditer(line):
            if match.group(2).count("(") == match.group(2).count(")"):
                add("negated", at + match.start(2), at + match.end(2),
                    "!(" + text[at + match.start(2):at + match.end(2)] + ")")
        if STATEMENT.match(line) and line.count("(") == line.count(
                ")") and bare[:at].rstrip()[-1:] in ";{})":
            lead = len(line) - len(line.lstrip())
            add("dropped", at + lead, at + len(line), ";")
        for match in ARGUMENTS.finditer(line):
            one, two = match.group(1), match.group(2)
            if one != two:
                add("arguments", at + match.start(1), at + match.end(2), two + ", " + one)
        for match in ANSWER.finditer(line):
            if match.group(1) in ANSWERS:
                add("answer", at + match.start(1), at + match.end(1), ANSWERS[match.group(1)])
        for match in CHOICE.finditer(line):
            one, two = (text[at + match.start(g):at + match.end(g)] for g in (1, 2))
            add("choice", at + match.start(1), at + match.end(2), two + " : " + one)
    return text, found


def mechanical(seed, only):
    """All faults of all files in the seed's order."""
    faults = []
    for folder, _, names in os.walk(os.path.join(ROOT, "src")):
        for name in sorted(names):
            path = os.path.relpath(os.path.join(folder, name), ROOT)
            wanted = any(fnmatch.fnmatch(path, glob) for glob in only)
            if not name.endswith(".c") or "gpu" in path or not wanted:
                continue
            text, found = sites(path)
            for kind, lo, hi, new in found:
                faults.append({
                    "file": path, "line": text.count("\n", 0, lo) + 1, "kind": kind,
                    "old": text[lo:hi], "new": new, "lo": lo, "hi": hi
                })
    # Independent of how files are found, and of faults that others lose or gain.
    for fault in faults:
        key = "%d %s %d %s %s" % (seed, fault["file"], fault["lo"], fault["old"], fault["new"])
        fault["order"] = random.Random(key).random()
    return sorted(faults, key=lambda fault: fault["order"])


def named():
    """Those of the table, where each stands today."""
    table = configparser.RawConfigParser(delimiters=("=",), interpolation=None, strict=True)
    table.read(os.path.join(ROOT, "tests", "mutants.ini"))
    for name in table.sections():
        row = table[name]
        text = open(os.path.join(ROOT, row["file"])).read()
        found = list(re.finditer(r"\s+".join(map(re.escape, row["old"].split())), text))
        if len(found) != 1:
            sys.exit("mutants.ini: [%s]: %d times in %s: %s" %
                     (name, len(found), row["file"], row["old"]))
        lo, hi = found[0].span()
        yield {
            "name": name, "file": row["file"], "line": text.count("\n", 0, lo) + 1, "kind": "named",
            "old": text[lo:hi], "new": row["new"], "lo": lo, "hi": hi,
            "tests": row["tests"].split()
        }


def label(fault):
    flat = [re.sub(r"\s+", " ", fault[side]).strip() for side in ("old", "new")]
    return "%s:%d: %s: %s -> %s" % (fault["file"], fault["line"], fault.get(
        "name", fault["kind"]), flat[0], flat[1] or "nothing")


# --- tests

class Test:
    """A name of tests/run.sh, and what make has to build for it."""

    def __init__(self, name, source, left_out=False):
        self.name, self.source, self.left_out = name, source, left_out
        self.folder = os.path.basename(os.path.dirname(source))
        self.shell = source.endswith(".sh")
        self.small = name.startswith("small-")
        self.targets = ["all"] + BESIDE.get(name, []) if self.shell else [
            "build/" + source[:-2], "build/libapsp_mpi.so"
        ]
        if self.small:
            self.targets = ["build/small/" + source[:-2], "build/small/libapsp_mpi.so"]
        self.seconds = None  # of the quickest run, when it has passed
        self.trusted = False  # it has passed without a fault
        self.found = {}  # file -> how many faults

    def guess(self):
        return self.seconds if self.seconds is not None else 10.0 if self.shell else 1.0

    def limit(self):
        return 120 if self.seconds is None else 20 + 6 * self.seconds


def all_tests():
    tests = []
    for folder, _, names in os.walk(os.path.join(ROOT, "tests")):
        for name in sorted(names):
            source = os.path.relpath(os.path.join(folder, name), ROOT)
            if name.startswith("test_") and name.endswith(".c"):
                stem = name[5:-2]
                for ranks in MPI_RANKS if stem in MPI_TESTS else (None,):
                    tests.append(
                        Test(stem if ranks is None else "%s-%d" % (stem, ranks), source,
                             ranks == MANY_RANKS))
            elif name.endswith(".sh") and os.path.basename(folder) in ("cli", "library"):
                tests.append(Test(name, source, name in LEFT_OUT))
    for name in SMALL_TESTS:
        source = next(test.source for test in tests if test.name in (name, name[:-1] + "1"))
        tests.append(Test("small-" + name, source))
    return tests


def closeness(test, fault):
    """Tests that stand beside the source come first, then those that found a fault in it, then the
    quick."""
    parts = fault["file"].split("/")
    stem = os.path.basename(parts[-1])[:-2]
    near = 0
    if test.folder == parts[1]:
        near = 2 if not test.shell else 1
        near += os.path.basename(test.source) in ("test_%s.c" % stem, "%s.sh" % stem)
    return (-near if not test.shell else 0, -test.found.get(fault["file"], 0), test.guess())


# --- a job's copy of the tree

def files():
    """Of the project, whether it is a checkout or an archive."""
    if os.path.exists(os.path.join(ROOT, ".git")):
        names = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=ROOT,
            check=True,
            stdout=subprocess.PIPE,
            text=True).stdout.split("\0")
    else:
        names = [
            os.path.relpath(os.path.join(folder, name), ROOT) for folder, _, inside in os.walk(ROOT)
            for name in inside
        ]
        names = [name for name in names if not name.startswith(BUILD + os.sep)]
    return [name for name in names if os.path.isfile(os.path.join(ROOT, name))]


def shares(jobs):
    """The cores of each job: two at least, so that threads meet."""
    cores = sorted(os.sched_getaffinity(0))
    width = max(2, len(cores) // jobs)
    return [{cores[(job * len(cores) // jobs + k) % len(cores)] for k in range(width)}
            for job in range(jobs)]


def session_of(leader):
    """Its processes: `timeout` and mpirun give theirs groups of their own."""
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            fields = open("/proc/%s/stat" % entry).read().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[3]) == leader:
            yield int(entry)


def kill(process, sign):
    try:
        os.kill(process, sign)
    except ProcessLookupError:
        pass


class Copy:
    def __init__(self, path):
        self.path, self.cores = path, os.sched_getaffinity(0)
        self.temporary = tempfile.mkdtemp(prefix="m")  # short: names of sockets are
        self.made = set()  # since the sources have changed
        self.errors = None  # of commands: shown while the tree is built

    def run(self, command, seconds):
        """The exit status, or None after so many seconds."""
        held = [
            "taskset", "-c", ",".join(map(str, sorted(self.cores))), "prlimit",
            "--as=%d" % MEMORY, "--core=0"
        ]
        # mpirun is not to give each job's ranks the same cores.
        own = dict(os.environ,
                   BUILD="build",
                   TMPDIR=self.temporary,
                   OMPI_MCA_hwloc_base_binding_policy="none")
        child = subprocess.Popen(held + command,
                                 cwd=self.path,
                                 stdin=subprocess.DEVNULL,
                                 stdout=subprocess.DEVNULL,
                                 stderr=self.errors,
                                 start_new_session=True,
                                 env=own)
        try:
            return child.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            return None
        finally:
            self.end(child)

    @staticmethod
    def end(child):
        """With all that it has started: kindly first."""
        for sign in (signal.SIGTERM, signal.SIGKILL):
            left = list(session_of(child.pid))
            if not left:
                break
            for process in left:
                kill(process, sign)
            time.sleep(0.2 if sign == signal.SIGTERM else 0)
        child.wait()

    def make(self, *targets):
        missing = [target for target in targets if target not in self.made]
        small = [target for target in missing if target.startswith("build/small/")]
        for flags, some in ([], [target for target in missing if target not in small
                                 ]), (["BUILD=build/small", "SMALL=1"], small):
            if some and self.run(MAKE + ["-j%d" % len(self.cores)] + flags + some, 900) != 0:
                return False
        self.made.update(missing)
        return True

    def test(self, test, seconds):
        """The exit status, or None after so many seconds."""
        return self.run(["sh", "tests/run.sh", test.name], seconds) if self.make(
            *test.targets) else 1

    def prepare(self, targets):
        """The tree as it is, built; nothing is built that has not changed."""
        os.makedirs(self.path, exist_ok=True)
        for name in files():
            source, target = os.path.join(ROOT, name), os.path.join(self.path, name)
            content = open(source, "rb").read()
            if os.path.exists(target) and open(target, "rb").read() == content:
                continue
            os.makedirs(os.path.dirname(target), exist_ok=True)
            shutil.copyfile(source, target)
            shutil.copymode(source, target)
        if not self.make("all"):
            sys.exit("mutants: %s cannot be built" % self.path)
        self.make(*targets)  # a test that cannot be built fails
        self.errors = subprocess.DEVNULL

    def close(self):
        shutil.rmtree(self.temporary, ignore_errors=True)

    def object_of(self, file):
        return "build/obj/%s.o" % file[len("src/"):-2]

    def plant(self, fault):
        """'same' when the object does not change, 'wrong' when it is no C."""
        path, target = os.path.join(self.path, fault["file"]), self.object_of(fault["file"])
        self.made.clear()
        if not self.make(target):
            sys.exit("mutants: %s cannot be built" % target)
        before = open(os.path.join(self.path, target), "rb").read()
        text = open(path).read()
        with open(path, "w") as out:
            out.write(text[:fault["lo"]] + fault["new"] + text[fault["hi"]:])
        self.made.clear()
        if not self.make(target):
            return "wrong"
        return "same" if open(os.path.join(self.path, target), "rb").read() == before else None

    def take_back(self, fault):
        self.made.clear()
        shutil.copyfile(os.path.join(ROOT, fault["file"]), os.path.join(self.path, fault["file"]))
        self.close()
        os.mkdir(self.temporary)


# --- the run

class Run:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.lock = threading.Lock()
        self.results_path = os.path.join(folder, "results.jsonl")
        self.results = {}
        self.tests = all_tests()
        self.seconds_path = os.path.join(folder, "seconds.json")
        self.lines = self.read_lines()
        self.read_results()
        self.read_seconds()
        self.until = time.time() + options.seconds

    def read_results(self):
        if os.path.exists(self.results_path):
            for line in open(self.results_path):
                result = json.loads(line)
                self.results[result["fault"]] = result
        by_name = {test.name: test for test in self.tests}
        for result in self.results.values():
            test = by_name.get(result.get("by"))
            if test:
                test.found[result["file"]] = test.found.get(result["file"], 0) + 1

    def write(self, fault, verdict, by, begun, passed=()):
        result = {
            "fault": label(fault), "file": fault["file"], "kind": fault["kind"], "verdict": verdict,
            "by": by, "seconds": round(time.time() - begun, 1), "passed": passed
        }
        with self.lock:
            self.results[result["fault"]] = result
            with open(self.results_path, "a") as out:
                out.write(json.dumps(result) + "\n")
            print("%-10s %s%s" % (verdict, result["fault"], " (%s)" % by if by else ""), flush=True)

    def read_seconds(self):
        if os.path.exists(self.seconds_path):
            known = json.load(open(self.seconds_path))
            for test in self.tests:
                test.seconds = known.get(test.name)

    @staticmethod
    def read_lines():
        """file -> line -> the tests that run it; {}: nothing is known."""
        path = os.path.join(ROOT, BUILD, "coverage", "tests.json")
        if not os.path.exists(path):
            return {}
        return {
            file: {int(number): set(tests) for number, tests in lines.items()}
            for file, lines in json.load(open(path)).items()
        }

    def runs(self, test, fault):
        """Whether a test runs the line, or that before and after one that has no code of its own;
        a declaration is its file's."""
        lines = self.lines.get(fault["file"])
        if lines is None:
            return True
        before = max((number for number in lines if number <= fault["line"]), default=None)
        after = min((number for number in lines if number > fault["line"]), default=None)
        near = [before] if before == fault["line"] else [
            number for number in (before, after) if number and abs(number - fault["line"]) < 6
        ]
        return any(test.name in lines[number] for number in near or lines)

    def is_over(self):
        return time.time() >= self.until

    def tried(self, copy, test, limit):
        """The exit status, or None of a hang; the time of a pass is noted."""
        begun = time.time()
        status = copy.test(test, min(limit, self.until - begun))
        with self.lock:
            if status == 0:
                spent = round(time.time() - begun, 2)
                test.seconds = spent if test.seconds is None else min(spent, test.seconds)
            with open(self.seconds_path, "w") as out:
                json.dump(
                    {test.name: test.seconds for test in self.tests if test.seconds is not None},
                    out)
        return status

    def fails(self, copy, test, limit):
        """Twice: on a busy machine tests fail now and then."""
        return self.tried(copy, test, limit) != 0 and self.tried(copy, test,
                                                                 limit) != 0 and not self.is_over()

    def prove(self, copy, test, limit):
        """A test that fails without a fault cannot tell anything, and is not asked again."""
        test.trusted = not self.fails(copy, test, limit) and not self.is_over()
        if not test.trusted:
            print("mutants: %s fails without a fault" % test.name, flush=True)
            with self.lock:
                self.tests = [other for other in self.tests if other is not test]
        return test.trusted

    def trust(self, copy, test, fault):
        if not test.trusted:
            copy.take_back(fault)
            self.prove(copy, test, test.limit())
            copy.plant(fault)
        return test.trusted

    def baseline(self, copy, tests):
        while True:
            with self.lock:
                test = next(tests, None)
            if not test:
                return
            self.prove(copy, test, self.options.slowest)

    def chosen(self, fault):
        if "tests" in fault:
            return [test for test in self.tests if test.name in fault["tests"]]
        met = self.results.get(label(fault), {}).get("passed", [])
        quick = [
            test for test in self.tests if test.guess() <= self.options.slowest and (
                self.options.again or not test.left_out) and self.runs(test, fault)
        ]
        return sorted(quick, key=lambda test: (test.name in met, closeness(test, fault)))

    def look(self, copy, fault):
        begun = time.time()
        state = copy.plant(fault)
        if state == "same":
            return self.write(fault, "equivalent", None, begun)
        if state == "wrong":
            return self.write(fault, "wrong", None, begun)
        spent, passed = 0, list(self.results.get(label(fault), {}).get("passed", []))
        for test in self.chosen(fault):
            if self.is_over() or (spent > self.options.budget and "tests" not in fault):
                break
            spent += test.guess()
            if not self.fails(copy, test, test.limit()):
                passed += [] if self.is_over() or test.name in passed else [test.name]
            elif self.trust(copy, test, fault):
                test.found[fault["file"]] = test.found.get(fault["file"], 0) + 1
                return self.write(fault, "noticed", test.name, begun)
        return self.write(fault, "unnoticed", None, begun, passed)

    def work(self, copy, faults):
        while not self.is_over():
            with self.lock:
                fault = next(faults, None)
            if not fault:
                return
            try:
                self.look(copy, fault)
            finally:
                copy.take_back(fault)

    def wanted(self, faults):
        """Those that have not been tried, up to --count that tell something."""
        tried = 0
        for fault in faults:
            known = self.results.get(label(fault))
            again = known is not None and known["verdict"] == "unnoticed"
            untried = known is None and (fault["kind"] == "named" or not self.options.again)
            every = fault["kind"] == "named" and not self.options.again
            if not (untried or every or (again and self.options.again)):
                continue
            if tried == self.options.count:
                return
            tried += 1
            yield fault

    def tell(self):
        kinds = [
            result for result in self.results.values()
            if (result["kind"] == "named") == self.options.named
        ]
        count = {verdict: sum(result["verdict"] == verdict for result in kinds)
                 for verdict in ("noticed", "unnoticed", "equivalent", "wrong")}
        told = count["noticed"] + count["unnoticed"]
        print("mutants: %d of %d noticed (%.0f %%), %d equivalent, %d no C" %
              (count["noticed"], told, 100 * count["noticed"] / max(told, 1), count["equivalent"],
               count["wrong"]))
        return count["unnoticed"] == 0


def side_by_side(work, copies):
    threads = [threading.Thread(target=work, args=(copy,)) for copy in copies]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def build(copies, targets):
    """One build, and copies of it."""
    def follow(copy):
        if not os.path.exists(copy.path):
            shutil.copytree(copies[0].path, copy.path, symlinks=True)
        copy.prepare(targets)
    copies[0].prepare(targets)
    side_by_side(follow, copies[1:])
    for copy, cores in zip(copies, shares(len(copies))):
        copy.cores = cores


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=150, help="faults to plant (150)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds",
                        type=float,
                        default=1e9,
                        help="end after so many: a fault under way is not noticed then")
    parser.add_argument("--jobs", type=int, default=1, help="copies that are tried at a time (1)")
    parser.add_argument("--budget",
                        type=float,
                        default=150,
                        help="seconds of tests for a fault (150)")
    parser.add_argument("--slowest",
                        type=float,
                        default=30,
                        help="leave out tests that take longer (30)")
    parser.add_argument("--only", nargs="+", default=["*"], metavar="GLOB",
                        help="files to plant in, patterns")
    parser.add_argument("--baseline",
                        action="store_true",
                        help="run every test without a fault first")
    parser.add_argument("--again", action="store_true", help="try those that were not noticed")
    parser.add_argument("--named", action="store_true", help="those of tests/mutants.ini")
    parser.add_argument("--check", action="store_true",
                        help="only whether each of tests/mutants.ini stands once in its file")
    options = parser.parse_args()
    if options.check:
        print("%d named faults" % len(list(named())))
        return 0
    folder = os.path.join(ROOT, BUILD, "mutants")
    os.makedirs(folder, exist_ok=True)
    run = Run(options, folder)
    copies = [Copy(os.path.join(folder, "copy-%d" % job)) for job in range(options.jobs)]
    try:
        build(
            copies,
            sorted({target for test in run.tests
                    for target in test.targets}) if options.baseline else [])
        if options.baseline:
            tests = iter(sorted(run.tests, key=Test.guess, reverse=True))
            side_by_side(lambda copy: run.baseline(copy, tests), copies)
        faults = run.wanted(named() if options.named else mechanical(options.seed, options.only))
        side_by_side(lambda copy: run.work(copy, faults), copies)
    finally:
        for copy in copies:
            copy.close()
    return 0 if run.tell() or not options.named else 1


if __name__ == "__main__":
    sys.exit(main())
