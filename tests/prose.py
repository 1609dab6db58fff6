"""How plain the words are: prose.py FILE... prints each finding, and exits with 1 if there is one.

In a page (.md) and a man page (.1, .3, .5) all text counts; in a header (.h, .cuh) the comments;
in another source the comments, but for openings, and the messages: texts in quotes that have a
blank. In headers and sources the parts of identifiers count, too. In a script (.sh, .py, .mk, or
without a suffix) the width of lines counts alone. A finding is a line of more than 100 columns, a
sentence of more than 35 words, a file with a mean of more than 20, an opening that hides the
subject, or a word of tests/words.txt outside its context.
"""

import os
import re
import sys

COLUMNS, LONG, MEAN, FEW = 100, 35, 20, 5
OPENING = re.compile(r"(What|Of|Those|Who|Whoever|Whichever|Nobody|Somebody|That which)\b")
WORD = re.compile(r"[A-Za-z][\w'-]*")
# Names of files and identifiers, which are no words.
NAME = re.compile(r"\S*(?:\w/\w|\w_\w|\w\(\)|\w\.(?:h|c|cu|cuh|md|py|sh)\b)[^\s.:;]*")


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def forbidden():
    """Pairs of a word and the context in which it is allowed, without those to be looked for by
    hand."""
    rows = []
    for line in read(os.path.join(os.path.dirname(__file__), "words.txt")).split("\n"):
        if line and not line.startswith("#"):
            word, _, context = (part.strip() for part in line.split(" | "))
            if context != "by hand":
                rows.append((re.compile(rf"\b(?:{word})\b", re.I), re.compile(context, re.I)))
    return rows


def page(text):
    """Blocks of a page in Markdown: paragraphs, items, cells of tables."""
    text = re.sub(r"^ *```.*?^ *```$", "\n", text, flags=re.S | re.M)
    text = re.sub(r"`[^`]*`", "CODE", text)
    text = re.sub(r"\]\([^)]*\)", "]", text)
    block = []
    for line in text.split("\n"):
        bare = line.strip()
        item = re.match(r"(\d+\.|[-*])\s+", bare)
        if not bare or bare.startswith(("|", "#", "<!")) or item:
            yield " ".join(block)
            block = []
        if bare.startswith("|"):
            yield from bare.split("|")
        elif bare and not bare.startswith("<!"):
            block.append(bare[item.end():] if item else bare.lstrip("#"))
    yield " ".join(block)


def manual(text):
    """Blocks of a man page: macros end them, but for those of a font, whose words belong to the
    text."""
    block, shown = [], True
    for line in text.split("\n"):
        if line.startswith((".EX", ".nf", ".TS")):
            shown = False
        elif line.startswith((".EE", ".fi", ".TE")):
            shown = True
        font = re.match(r"\.(?:B|I|BR|IR|RB|BI|IB|RI)\s+(.*)", line)
        if font and shown:
            block.append("CODE" + (re.search(r"([.,;:]*)\"?$", font[1])[1]))
        elif line.startswith(".") or not shown or not line:
            yield plain(block)
            block = []
        else:
            block.append(line)
    yield plain(block)


def plain(block):
    return re.sub(r"\\f[BI].*?\\f[RP]", "CODE", " ".join(block)).replace("\\-", "-")


def comments(text):
    """Blocks of the comments of a source: paragraphs and items."""
    for comment in re.findall(r"/\*(.*?)\*/", text, flags=re.S):
        comment, block = re.sub(r"`[^`]*`", "CODE", comment), []
        for line in comment.split("\n"):
            bare = re.sub(r"^\s*\* ?", "", line).rstrip()
            item = re.match(r"\s*(\d+\.|[-*]|\w+:)\s+", bare) or re.search(r"\S {2,}\S", bare)
            if not bare.strip() or bare.startswith("    ") or item:
                yield " ".join(block)
                block = []
            if bare.strip() and not bare.startswith("    "):
                block.append(bare.strip())
        yield " ".join(block)


def messages(text):
    """The texts in quotes of a source in C, put together, and without their directives."""
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
    text = re.sub(r"^\s*#.*$", "", text, flags=re.M)
    for match in re.findall(r'(?:"(?:[^"\\\n]|\\.)*"[ \n\t]*(?:PRI\w+[ \n\t]*)?)+', text):
        whole = "".join(re.findall(r'"((?:[^"\\\n]|\\.)*)"', match))
        for part in re.sub(r"\\[nt]", "\n", whole).split("\n"):
            if " " in part.strip():
                yield re.sub(r"%[-+ #0*.\d]*[a-z]*|(?<!\w)\.\w+(?: \.\w+)*", "X", part)


def names(path, text, words):
    """Identifiers of a source in C with a part that is a word of tests/words.txt."""
    code = re.sub(r"/\*.*?\*/|\"(?:[^\"\\\n]|\\.)*\"|^ *#include.*$", " ", text, flags=re.S | re.M)
    for name in sorted(set(re.findall(r"[A-Za-z_]\w*", code))):
        for part in name.split("_"):
            if any(word.fullmatch(part) for word, _ in words):
                yield f"{path}: the name {name}: '{part}'"


def script(text):
    """No text of a script is looked at."""
    return ()


def kind_of(path):
    if path.endswith(".md"):
        return page
    if "." not in os.path.basename(path) or path.endswith((".sh", ".py", ".mk", ".sbatch")):
        return script
    if re.search(r"\.[1-9]$", path):
        return manual
    return comments if path.endswith((".h", ".cuh")) else source


def source(text):
    yield from comments(text)
    yield from messages(text)


def sentences(blocks):
    for block in blocks:
        for sentence in re.split(r"(?<=[.!?:;])\s+(?=[A-Z`*\"(])", NAME.sub("NAME", block)):
            yield re.sub(r"^[*_ (]+", "", sentence.strip())


def emptied(match):
    return "\n" * match[0].count("\n")


def wide(path, text):
    """Lines that are too wide. Tables and examples of a page cannot be folded, nor can texts in
    quotes and here-documents of a script."""
    fixed = ("|", "![")
    if path.endswith(".md"):
        text = re.sub(r"^ *```.*?^ *```$", emptied, text, flags=re.S | re.M)
    elif kind_of(path) is script:
        fixed = () if path.endswith((".py", ".mk")) else ("'", '"')
        text = re.sub(r"<<-?['\"\\]?(\w+)['\"]?.*?\n\s*\1$", emptied, text, flags=re.S | re.M)
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > COLUMNS and not line.strip().startswith(fixed):
            yield f"{path}:{number}: {len(line)} columns"


def divided(path, text):
    """Comments of fields that go on in the next field's comment."""
    for number, line in enumerate(text.split("\n"), 1):
        if re.search(r"\S.*/\*.*,\s*\*/$", line):
            yield f"{path}:{number}: the comment goes on in the next one"


def look(path, words):
    text = read(path)
    found = list(wide(path, text)) if kind_of(path) is not source else []
    if kind_of(path) is comments:
        found += divided(path, text)
    if path.endswith((".c", ".cu", ".h", ".cuh")):
        found += names(path, text, words)
    lengths = []
    for sentence in sentences(kind_of(path)(text)):
        count = len(WORD.findall(sentence))
        begin = f"{path}: "
        shown = f": {sentence[:110]}"
        if count >= 3:
            lengths.append(count)
        if count > LONG:
            found.append(f"{begin}{count} words{shown}")
        if OPENING.match(sentence) and count >= 3 and kind_of(path) is not source:
            found.append(f"{begin}the opening hides the subject{shown}")
        for word, context in words:
            for match in word.finditer(sentence):
                if not any(allowed.start() <= match.start() < allowed.end()
                           for allowed in context.finditer(sentence)):
                    found.append(f"{begin}'{match[0]}'{shown}")
    if len(lengths) > FEW and sum(lengths) / len(lengths) > MEAN:
        found.append(f"{path}: {sum(lengths) / len(lengths):.1f} words a sentence")
    return found


def main():
    words = forbidden()
    found = [finding for path in sys.argv[1:] for finding in look(path, words)]
    print("\n".join(found) if found else f"{len(sys.argv) - 1} files")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
