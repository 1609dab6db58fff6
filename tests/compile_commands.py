"""compile_commands.json from the commands that `make -nB` prints on standard input."""
import json
import os
import shlex
import sys

commands = []
for line in sys.stdin:
    try:
        words = shlex.split(line)
    except ValueError:
        continue
    if "-c" in words and words[words.index("-c") + 1].endswith(".c"):
        commands.append(
            {"directory": os.getcwd(), "file": words[words.index("-c") + 1], "arguments": words})
json.dump(commands, sys.stdout, indent=1)
