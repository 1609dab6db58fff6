"""The list of all messages: messages.py FOLDER compares it with the sources; with --write writes
it.

A message is a text with a blank in a source of src, but for help, asserts, names of settings, shell
scripts and pictures, or the text of a `raise` of Python. A page of the list has an area, a
paragraph a file, and a line `STATUS TEXT`: the status of error_set or the exception, `-` for parts
of messages and lines of reports.
"""

import ast
import difflib
import glob
import os
import re
import sys
import textwrap

OTHER = {
    "src/base/setting.h", "src/cli/option_complete.c", "src/cli/settings.c",
    "src/rows/stats_plot.c", "src/rows/page.c", "src/rows/page_text.c"
}
STRING = r'"(?:[^"\\\n]|\\.)*"'
TEXT = re.compile(rf"{STRING}(?:\s*(?:{STRING}|PRI\w+))*")
# Comments, characters, asserts and directives may hold quotes.
BARE = re.compile(
    rf"({TEXT.pattern})|/\*.*?\*/|'(?:[^'\\]|\\.)+'|^ *(?:_S|s)tatic_assert\(.*?\);|^ *#(?! "
    r"*define).*?$",
    re.S | re.M)
HELP = re.compile(
    r"\.(?:about|examples|exits|extra|help|otherwise|remark|suffix|suffixes|usage) = $")
# A directive of printf is no word.
DIRECTIVE = re.compile(r"%[-+ #0*.\d]*(?:ll|[lzh])?[a-z]|\\.")


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def status_of(statement):
    """The status of error_set in the statement before a text."""
    found = re.findall(r"\bAPSP_([A-Z]+)\b", re.split(r"[;{}]", statement)[-1])
    return found[-1].lower() if found and found[-1] != "OK" else "-"


def of_c(path):
    text = BARE.sub(lambda match: match[1] or " ", read(path))
    for match in TEXT.finditer(text):
        message = re.sub(r"PRI\w+", '"d"', match[0])
        message = "".join(part[1:-1] for part in re.findall(STRING, message))
        words = re.search(r"[A-Za-z]{2}", DIRECTIVE.sub("", message))
        before = text[max(0, match.start() - 300):match.start()]
        if " " in message.strip() and words and not HELP.search(before):
            yield status_of(before), message


def of_python(path):
    for node in ast.walk(ast.parse(read(path))):
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            for part in ast.walk(node.exc):
                if isinstance(part, ast.Constant) and " " in str(part.value).strip(", "):
                    yield ast.unparse(node.exc.func), part.value


def pages():
    """The area of each page, and its lines."""
    made = {}
    sources = [glob.glob(name, recursive=True) for name in ("src/**/*.[ch]*", "python/*/**/*.py")]
    for path in sorted(sum(sources, [])):
        if path in OTHER or "/tests/" in path:
            continue
        found = dict.fromkeys(of_python(path) if path.endswith(".py") else of_c(path))
        area = "python" if path.endswith(".py") else path.split("/")[1]
        lines = made.setdefault(area, [])
        if found:
            lines += ["", path] if lines else [path]
        for status, message in found:
            lines += textwrap.wrap(f"  {status:10} {message}", 100, subsequent_indent=" " * 15,
                                   break_long_words=False, break_on_hyphens=False)
    return {area: lines for area, lines in made.items() if lines}


def main():
    folder, write = sys.argv[-1], "--write" in sys.argv
    differences = []
    now = pages()
    for area in sorted(now):
        path = os.path.join(folder, area + ".txt")
        old = read(path).split("\n")[:-1] if os.path.exists(path) else []
        differences += difflib.unified_diff(old, now[area], path, path, "", "", 0, "")
        if write:
            with open(path, "w", encoding="utf-8") as file:
                file.write("\n".join(now[area]) + "\n")
    stale = [name for name in os.listdir(folder) if name.removesuffix(".txt") not in now]
    print("\n".join(differences + [f"{name}: no such area" for name in stale]))
    return 1 if (differences or stale) and not write else 0


if __name__ == "__main__":
    sys.exit(main())
