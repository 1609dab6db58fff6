#!/usr/bin/env python3
"""python3 tests/coverage.py BUILD: what the programs of a build with --coverage have run of src/ so far.

Prints each file's share of lines, without files for a GPU, and writes the lines that nothing has run, with what
stands there, to BUILD/uncovered.txt. A line counts once, however many objects it is compiled into.
"""
import collections
import glob
import json
import os
import subprocess
import sys


def count_lines(build):
    """file -> line -> how often it has run."""
    lines = collections.defaultdict(dict)
    notes = [note for part in ("obj", "small/obj") for note in glob.glob(os.path.join(build, part, "**", "*.gcno"), recursive=True)]
    for note in sorted(notes):
        told = subprocess.run(["gcov", "--json-format", "--stdout", note], check=True, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True).stdout
        for text in told.splitlines():
            for file in json.loads(text)["files"]:
                name = os.path.relpath(file["file"])
                if name.startswith("src/") and "gpu" not in name:
                    for line in file["lines"]:
                        number = line["line_number"]
                        lines[name][number] = lines[name].get(number, 0) + line["count"]
    return lines


def main():
    build = sys.argv[1]
    lines = count_lines(build)
    every = covered = 0
    with open(os.path.join(build, "uncovered.txt"), "w") as out:
        for name in sorted(lines):
            text = open(name).read().split("\n")
            missed = [number for number, count in sorted(lines[name].items()) if count == 0]
            every += len(lines[name])
            covered += len(lines[name]) - len(missed)
            print("%5.1f %% of %4d lines  %s" % (100 * (1 - len(missed) / len(lines[name])), len(lines[name]), name))
            for number in missed:
                out.write("%s:%d: %s\n" % (name, number, text[number - 1].strip()))
    print("%5.1f %% of %4d lines" % (100 * covered / max(every, 1), every))


if __name__ == "__main__":
    main()
