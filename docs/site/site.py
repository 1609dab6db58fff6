"""python3 docs/site/site.py FOLDER: lays the site's pages out in FOLDER and builds it there.

Documents keep their places, so that their links hold. Manual pages come from mandoc, the functions
of Python from their docstrings. A broken link, a page that the menu lacks,
and a block of code that is not recognised are errors.
"""

import pathlib
import re
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
            if path.suffix == ".md":  # MkDocs takes one word behind a fence; others are for tests
                to.write_text(re.sub("^(```[a-z]+) .*", r"\1", path.read_text(), flags=re.M))
            else:
                shutil.copy(path, to)
    shutil.copy(ROOT / "docs/site/site.css", pages)
    reference = pages / "reference"
    reference.mkdir()
    header = (ROOT / "include/apsp.h").read_text()
    version = re.search('APSP_VERSION "(.*)"', header)[1]
    for path in (ROOT / "docs/man").glob("apsp*.[0-9]"):
        command = ["mandoc", "-T", "html", "-O", "fragment"]
        source = path.read_text().replace("@VERSION@", version)
        text = subprocess.run(command, check=True, input=source, stdout=subprocess.PIPE,
                              text=True).stdout
        (reference / (path.name + ".md")).write_text("# %s\n\n%s" % (path.stem, text))
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
    if subprocess.run(command + [str(folder / "mkdocs.yml")]).returncode:
        return 1
    broken = [page for page in (folder / "html").rglob("*.html") if "```" in page.read_text()]
    for page in broken:
        print("%s: a block of code is not recognised" % page)
    return len(broken) > 0


sys.exit(main(sys.argv[1]))
