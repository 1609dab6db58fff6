"""python3 docs/site/site.py FOLDER: lays the site's pages out in FOLDER and builds it there.

Documents keep their places, so that their links hold. Manual pages come from mandoc, the functions
of Python from their docstrings. A broken link, and a page that the menu lacks, is an error.
"""

import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCUMENTS = ["*.md", "docs/**/*.md", "docs/*.svg", "docs/*.png", "docs/guide/*.png", "python/*.md",
             "python/nx_apsp/*.md", "LICENSE"]


def lay_out(pages):
    for pattern in DOCUMENTS:
        for path in ROOT.glob(pattern):
            to = pages / path.relative_to(ROOT)
            to.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, to)
    shutil.copy(ROOT / "docs/site/site.css", pages)
    reference = pages / "reference"
    reference.mkdir()
    for path in (ROOT / "docs/man").glob("apsp*.[0-9]"):
        command = ["mandoc", "-T", "html", "-O", "fragment", str(path)]
        text = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout.decode()
        (reference / (path.name + ".md")).write_text("# %s\n\n%s" % (path.stem, text))
    header = (ROOT / "include/apsp.h").read_text()
    (reference / "apsp.h.md").write_text("# apsp.h\n\n```c\n%s```\n" % header)
    modules = "\n".join("::: apsp%s\n" % name for name in ("", ".csgraph"))
    (reference / "python.md").write_text("# Python\n\n" + modules)


def main(folder):
    folder = pathlib.Path(folder)
    shutil.rmtree(folder, ignore_errors=True)
    lay_out(folder / "pages")
    text = (ROOT / "docs/site/mkdocs.yml").read_text()
    (folder / "mkdocs.yml").write_text(text.replace("PYTHON", str(ROOT / "python")))
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--config-file"]
    return subprocess.run(command + [str(folder / "mkdocs.yml")]).returncode


sys.exit(main(sys.argv[1]))
