"""Runs the examples of a page: pages.py [--write] FOLDER PAGE...

A block ```console has lines `$ COMMAND`, each with a here document up to END perhaps, and the
output behind it. The commands of a page run one after the other in an empty folder below FOLDER.
Each must succeed and print what the page shows. In a block `console times` the output has times or
seeds, and only the success counts. --write puts the output that was seen into the page.
"""

import os
import re
import subprocess
import sys
import tempfile

BLOCK = re.compile(r"^```console( times)?\n(.*?)^```$", re.M | re.S)


def commands(block):
    """Pairs of a command, with its here document, and the output that is shown."""
    lines, found = block.split("\n")[:-1], []
    while lines:
        command = [lines.pop(0)]
        if "<<END" in command[0]:
            while command[-1] != "END":
                command.append(lines.pop(0))
        output = []
        while lines and not lines[0].startswith("$ "):
            output.append(lines.pop(0))
        found.append(("\n".join(command)[2:], "\n".join(output)))
    return found


def main():
    write = sys.argv[1] == "--write"
    folder, *pages = sys.argv[1 + write:]
    wrong = 0
    for page in pages:
        with open(page, encoding="utf-8") as file:
            text = file.read()
        work = tempfile.mkdtemp(dir=folder)

        def run(match):
            nonlocal wrong
            shown = ""
            for command, expected in commands(match[2]):
                done = subprocess.run(["sh", "-c", command],
                                      cwd=work,
                                      capture_output=True,
                                      text=True,
                                      timeout=300,
                                      check=False)
                seen = (done.stdout + done.stderr).rstrip("\n")
                if done.returncode or not match[1] and not write and seen != expected:
                    print(
                        f"{page}: {command}\nexit {done.returncode}\n{seen}\nexpected:\n{expected}")
                    wrong += 1
                shown += f"$ {command}\n" + (f"{seen}\n" if seen else "")
            return f"```console{match[1] or ''}\n{shown}```"

        new = BLOCK.sub(run, text)
        if write:
            with open(page, "w", encoding="utf-8") as file:
                file.write(new)
    return 1 if wrong else 0


if __name__ == "__main__":
    os.environ["LC_ALL"] = "C.UTF-8"
    sys.exit(main())
