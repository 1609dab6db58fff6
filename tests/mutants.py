#!/usr/bin/env python3
"""Plants small faults in src/ and tells which of them the tests notice.

    python3 tests/mutants.py [--count N] [--seed S] [--seconds T] [--jobs J] [--only GLOB] [--again] [--named]

A fault is one place of one source changed mechanically: another operator, a constant that is one off, a
statement dropped, a condition negated, arguments swapped. Those of a seed come in the same order each time, and
what has been tried is not tried again: results are lines of JSON in BUILD/mutants/results.jsonl. `--again` tries
those once more that were not noticed. `--named` plants the faults of tests/mutants.ini in place of mechanical
ones: each must be noticed by a test that stands beside it.

Every job works in a copy of the tree with a build of its own, so that the sources stay as they are. Only what a
fault changes is compiled; if the object stays the same byte for byte the fault is none. Then come the tests of the
same folder, tests in C, and those of the commands, the quick ones first and those ahead that have found a fault
in the same file; the first failure, crash or hang ends the matter. A fault is tried for --budget seconds of tests
at most. Files for a GPU are left out.
"""
import argparse
import configparser
import fnmatch
import json
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
MAKE = ["make", "-s", "GPU=none", "CFLAGS=-O1", "BUILD=build"]
# Too slow for each fault, or of machines, packages and time rather than of results.
LEFT_OUT = {"layers.sh", "headers.sh", "resumed.sh", "signals.sh", "hosts.sh", "real.sh", "faults.sh", "memory.sh"}
RUN = open(os.path.join(ROOT, "tests", "run.sh")).read()
MPI_TESTS = re.search(r'^mpi_tests="(.*)"', RUN, re.M).group(1).split()
SMALL_TESTS = re.search(r'^small_tests="(.*)"', RUN, re.M).group(1).split()
MPI_RANKS = (1, 2, 3, 4)
BESIDE = {"house.sh": ["build/tests/apsp-house"], "order.sh": ["build/tests/apsp-no-metis"], "examples.sh": ["examples"], "corpus.sh": ["replays"]}
MEMORY = 16 << 30  # of a process, address space


# --- faults

SKIPPED = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|^[ \t]*#(?:[^\n]*\\\n)*[^\n]*', re.S | re.M)
SWAPS = {"<": ["<=", ">"], "<=": ["<", "=="], ">": [">=", "<"], ">=": [">", "=="], "==": ["!="], "!=": ["=="],
         "&&": ["||"], "||": ["&&"], "+": ["-"], "-": ["+"], "*": ["/"], "/": ["*"], "%": ["/"], "<<": [">>"],
         ">>": ["<<"], "&": ["|"], "|": ["&"], "+=": ["-="], "-=": ["+="], "|=": ["="], "&=": ["="]}
OPERATOR = re.compile(r" (<=|>=|==|!=|&&|\|\||<<|>>|\+=|-=|\|=|&=|[<>+*/%&|-]) (?=\S)")
NUMBER = re.compile(r"(?<![\w.])(\d+)(?![\w.xX])")
CONDITION = re.compile(r"\b(if|while) \((.*)\)(?= \{$|$)")
STATEMENT = re.compile(r"^ +(?! )(?!return\b|break\b|continue\b|goto\b|case\b|typedef\b|static\b|extern\b|enum\b|struct\b|const\b|union\b|"
                       r"int\b|size_t\b|bool\b|char\b|double\b|float\b|void\b|u?int\d+_t\b|FILE\b|unsigned\b|long\b)[^;{}]*;$")
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
                add("negated", at + match.start(2), at + match.end(2), "!(" + text[at + match.start(2):at + match.end(2)] + ")")
        if STATEMENT.match(line) and line.count("(") == line.count(")") and bare[:at].rstrip()[-1:] in ";{})":
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
            if not name.endswith(".c") or "gpu" in path or not fnmatch.fnmatch(path, only):
                continue
            text, found = sites(path)
            for kind, lo, hi, new in found:
                faults.append({"file": path, "line": text.count("\n", 0, lo) + 1, "kind": kind, "old": text[lo:hi],
                               "new": new, "lo": lo, "hi": hi})
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
            sys.exit("mutants.ini: [%s]: %d times in %s: %s" % (name, len(found), row["file"], row["old"]))
        lo, hi = found[0].span()
        yield {"name": name, "file": row["file"], "line": text.count("\n", 0, lo) + 1, "kind": "named", "old": text[lo:hi],
               "new": row["new"], "lo": lo, "hi": hi, "tests": row["tests"].split()}


def label(fault):
    flat = [re.sub(r"\s+", " ", fault[side]).strip() for side in ("old", "new")]
    return "%s:%d: %s: %s -> %s" % (fault["file"], fault["line"], fault.get("name", fault["kind"]), flat[0], flat[1] or "nothing")


# --- tests

class Test:
    """A name of tests/run.sh, and what make has to build for it."""

    def __init__(self, name, source):
        self.name, self.source = name, source
        self.folder = os.path.basename(os.path.dirname(source))
        self.shell = source.endswith(".sh")
        self.small = name.startswith("small-")
        self.targets = ["all"] + BESIDE.get(name, []) if self.shell else ["build/" + source[:-2], "build/libapsp_mpi.so"]
        if self.small:
            self.targets = ["build/small/" + source[:-2], "build/small/libapsp_mpi.so"]
        self.seconds = None  # of the quickest run, when it has passed
        self.trusted = False  # it has passed without a fault
        self.found = {}  # file -> how many faults

    def guess(self):
        return self.seconds if self.seconds is not None else 10.0 if self.shell else 1.0

    def limit(self):
        return 120 if self.seconds is None else 40 + 10 * self.seconds


def all_tests():
    tests = []
    for folder, _, names in os.walk(os.path.join(ROOT, "tests")):
        for name in sorted(names):
            source = os.path.relpath(os.path.join(folder, name), ROOT)
            if name.startswith("test_") and name.endswith(".c"):
                stem = name[5:-2]
                for ranks in MPI_RANKS if stem in MPI_TESTS else (None,):
                    tests.append(Test(stem if ranks is None else "%s-%d" % (stem, ranks), source))
            elif name.endswith(".sh") and os.path.basename(folder) in ("cli", "library") and name not in LEFT_OUT:
                tests.append(Test(name, source))
    for name in SMALL_TESTS:
        source = next(test.source for test in tests if test.name in (name, name[:-1] + "1"))
        tests.append(Test("small-" + name, source))
    return tests


def closeness(test, fault):
    """Tests that stand beside the source come first, then those that found a fault in it, then the quick."""
    parts = fault["file"].split("/")
    stem = os.path.basename(parts[-1])[:-2]
    near = 0
    if test.folder == parts[1]:
        near = 2 if not test.shell else 1
        near += os.path.basename(test.source) in ("test_%s.c" % stem, "%s.sh" % stem)
    return (-near if not test.shell else 0, -test.found.get(fault["file"], 0), test.shell, test.guess())


# --- a job's copy of the tree

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
        self.path = path

    def run(self, command, seconds):
        """The exit status, or None after so many seconds."""
        def limit():
            os.setsid()
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        child = subprocess.Popen(command, cwd=self.path, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                 stderr=subprocess.DEVNULL, preexec_fn=limit, env=dict(os.environ, BUILD="build"))
        try:
            return child.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            return None
        finally:
            for sign in (signal.SIGTERM, signal.SIGKILL):
                for process in session_of(child.pid):
                    kill(process, sign)
                time.sleep(0.2 if child.poll() is None else 0)
            child.wait()

    def make(self, *targets):
        small = any(target.startswith("build/small/") for target in targets)
        return self.run(MAKE + (["BUILD=build/small", "SMALL=1"] if small else []) + list(targets), 900) == 0

    def test(self, test, seconds):
        return self.make(*test.targets) and self.run(["sh", "tests/run.sh", test.name], seconds) == 0

    def prepare(self):
        """The tree as it is, built; nothing is built that has not changed."""
        os.makedirs(self.path, exist_ok=True)
        files = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, check=True,
                               stdout=subprocess.PIPE, text=True).stdout.split("\0")
        for name in filter(None, files):
            source, target = os.path.join(ROOT, name), os.path.join(self.path, name)
            if not os.path.isfile(source):
                continue
            content = open(source, "rb").read()
            if os.path.exists(target) and open(target, "rb").read() == content:
                continue
            os.makedirs(os.path.dirname(target), exist_ok=True)
            shutil.copyfile(source, target)
            shutil.copymode(source, target)
        if not self.make("-j2", "all"):
            sys.exit("mutants: %s cannot be built" % self.path)

    def object_of(self, file):
        return "build/obj/%s.o" % file[len("src/"):-2]

    def plant(self, fault):
        """'same' when the object does not change, 'wrong' when it is no C."""
        path, target = os.path.join(self.path, fault["file"]), self.object_of(fault["file"])
        if not self.make(target):
            sys.exit("mutants: %s cannot be built" % target)
        before = open(os.path.join(self.path, target), "rb").read()
        text = open(path).read()
        with open(path, "w") as out:
            out.write(text[:fault["lo"]] + fault["new"] + text[fault["hi"]:])
        if not self.make(target):
            return "wrong"
        return "same" if open(os.path.join(self.path, target), "rb").read() == before else None

    def take_back(self, fault):
        shutil.copyfile(os.path.join(ROOT, fault["file"]), os.path.join(self.path, fault["file"]))


# --- the run

class Run:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.lock = threading.Lock()
        self.results_path = os.path.join(folder, "results.jsonl")
        self.results = {}
        self.tests = all_tests()
        self.seconds_path = os.path.join(folder, "seconds.json")
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

    def write(self, fault, verdict, by, begun):
        result = {"fault": label(fault), "file": fault["file"], "kind": fault["kind"], "verdict": verdict, "by": by,
                  "seconds": round(time.time() - begun, 1)}
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

    def passed(self, copy, test):
        """Whether it has, in its time, which is noted."""
        begun = time.time()
        if not copy.test(test, test.limit()):
            return False
        with self.lock:
            spent = round(time.time() - begun, 2)
            test.seconds = spent if test.seconds is None else min(spent, test.seconds)
            with open(self.seconds_path, "w") as out:
                json.dump({test.name: test.seconds for test in self.tests if test.seconds is not None}, out)
        return True

    def trust(self, copy, test, fault):
        """A test that fails without the fault cannot tell anything, and is not asked again."""
        if not test.trusted:
            copy.take_back(fault)
            test.trusted = self.passed(copy, test)
            copy.plant(fault)
            if not test.trusted:
                print("mutants: %s fails without a fault" % test.name, flush=True)
                with self.lock:
                    self.tests = [other for other in self.tests if other is not test]
        return test.trusted

    def chosen(self, fault):
        if "tests" in fault:
            return [test for test in self.tests if test.name in fault["tests"]]
        quick = [test for test in self.tests if test.guess() <= self.options.slowest]
        return sorted(quick, key=lambda test: closeness(test, fault))

    def look(self, copy, fault):
        begun = time.time()
        state = copy.plant(fault)
        if state == "same":
            return self.write(fault, "equivalent", None, begun)
        if state == "wrong":
            return self.write(fault, "wrong", None, begun)
        spent = 0
        for test in self.chosen(fault):
            if spent > self.options.budget and "tests" not in fault:
                break
            spent += test.guess()
            if not self.passed(copy, test) and self.trust(copy, test, fault):
                test.found[fault["file"]] = test.found.get(fault["file"], 0) + 1
                return self.write(fault, "noticed", test.name, begun)
        return self.write(fault, "unnoticed", None, begun)

    def work(self, copy, faults):
        while time.time() < self.until:
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
        kinds = [result for result in self.results.values() if (result["kind"] == "named") == self.options.named]
        count = {verdict: sum(result["verdict"] == verdict for result in kinds)
                 for verdict in ("noticed", "unnoticed", "equivalent", "wrong")}
        told = count["noticed"] + count["unnoticed"]
        print("mutants: %d of %d noticed (%.0f %%), %d equivalent, %d no C" %
              (count["noticed"], told, 100 * count["noticed"] / max(told, 1), count["equivalent"], count["wrong"]))
        return count["unnoticed"] == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=150, help="faults to plant (150)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=1e9, help="begin none after so many")
    parser.add_argument("--jobs", type=int, default=1, help="copies that are tried at a time (1)")
    parser.add_argument("--budget", type=float, default=150, help="seconds of tests for a fault (150)")
    parser.add_argument("--slowest", type=float, default=30, help="leave out tests that take longer (30)")
    parser.add_argument("--only", default="*", help="files to plant in, a pattern")
    parser.add_argument("--again", action="store_true", help="try those that were not noticed")
    parser.add_argument("--named", action="store_true", help="those of tests/mutants.ini")
    options = parser.parse_args()
    folder = os.path.join(ROOT, os.environ.get("BUILD", "build"), "mutants")
    copies = [Copy(os.path.join(folder, "copy-%d" % job)) for job in range(options.jobs)]
    run = Run(options, folder)
    for number, copy in enumerate(copies):
        if number > 0 and not os.path.exists(copy.path):
            shutil.copytree(copies[0].path, copy.path, symlinks=True)
        copy.prepare()
    faults = run.wanted(named() if options.named else mechanical(options.seed, options.only))
    threads = [threading.Thread(target=run.work, args=(copy, faults)) for copy in copies]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return 0 if run.tell() or not options.named else 1


if __name__ == "__main__":
    sys.exit(main())
