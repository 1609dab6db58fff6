#!/usr/bin/env python3
"""python3 tests/coverage.py BUILD: what of src/ the tests have run, each by a build with
--coverage and COUNTS=BUILD/counts.

Prints each file's share of lines, without files for a GPU, and writes the lines that nothing has
run, with what stands there, to BUILD/uncovered.txt; and to BUILD/tests.json which tests have run
each line. A line counts once, however many objects it is compiled into.
"""
import collections
import glob
import json
import os
import subprocess
import sys


def run_gcov(files):
    told = subprocess.run(["gcov", "--json-format", "--stdout"] + files,
                          check=True,
                          stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL,
                          text=True).stdout
    for text in told.splitlines():
        for file in json.loads(text)["files"]:
            name = os.path.relpath(file["file"])
            if name.startswith("src/") and "gpu" not in name:
                yield name, file["lines"]


def add_all(lines, build):
    """What there is to run."""
    for part in "obj", "small/obj":
        for note in glob.glob(os.path.join(build, part, "**", "*.gcno"), recursive=True):
            for name, found in run_gcov([note]):
                for line in found:
                    lines[name].setdefault(line["line_number"], set())


def add_test(lines, counts):
    """The notes of an object are beside it, the counts of a test in a folder of its own."""
    files = glob.glob(os.path.join(counts, "**", "*.gcda"), recursive=True)
    for file in files:
        note = os.path.relpath(file, counts)[:-len("gcda")] + "gcno"
        if os.path.exists(note) and not os.path.lexists(file[:-len("gcda")] + "gcno"):
            os.symlink(os.path.abspath(note), file[:-len("gcda")] + "gcno")
    for name, found in run_gcov(files) if files else ():
        for line in found:
            if line["count"]:
                lines[name].setdefault(line["line_number"], set()).add(os.path.basename(counts))


def count_lines(build):
    """file -> line -> tests"""
    lines = collections.defaultdict(dict)
    add_all(lines, build)
    for counts in glob.glob(os.path.join(build, "counts", "*")):
        add_test(lines, counts)
    return lines


def main():
    build = sys.argv[1]
    lines = count_lines(build)
    every = covered = 0
    with open(os.path.join(build, "uncovered.txt"), "w") as out:
        for name in sorted(lines):
            text = open(name).read().split("\n")
            missed = [number for number, tests in sorted(lines[name].items()) if not tests]
            every += len(lines[name])
            covered += len(lines[name]) - len(missed)
            print("%5.1f %% of %4d lines  %s" %
                  (100 * (1 - len(missed) / len(lines[name])), len(lines[name]), name))
            for number in missed:
                out.write("%s:%d: %s\n" % (name, number, text[number - 1].strip()))
    print("%5.1f %% of %4d lines" % (100 * covered / max(every, 1), every))
    with open(os.path.join(build, "tests.json"), "w") as out:
        json.dump(
            {
                name: {number: sorted(tests) for number, tests in lines[name].items()}
                for name in lines
            }, out)


if __name__ == "__main__":
    main()
