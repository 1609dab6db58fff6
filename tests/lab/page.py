"""How a browser lays a page of the experiments out: page.py report.html [SCREENSHOT.png]

Fails where words of two places of a figure overlap, where one reaches beyond the figure, or where
a word of the axes or the legend, which the page names itself (data-words), is not to be seen.
Skips (77) where there is no browser.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

BROWSERS = ["chromium", "chromium-browser", "google-chrome"]
LEAST, WIDTH, HEIGHT = 2, 1200, 9000  # pixels that boxes may share; of the window
# Every text of every figure, with its box and that of the figure, where the page ends.
SCRIPT = """<script>
const box = e => {
  const r = e.getBoundingClientRect();
  return [r.left, r.top, r.right, r.bottom];
};
const figures = [...document.querySelectorAll('figure')].map(f => ({
  words: f.dataset.words.split('|'), box: box(f.querySelector('svg')),
  texts: [...f.querySelectorAll('text')].map(t => ({text: t.textContent.trim(), box: box(t)}))
    .filter(t => t.text)}));
const out = document.createElement('pre');
out.id = 'boxes';
out.textContent = JSON.stringify({figures, height: document.documentElement.scrollHeight});
document.body.append(out);
</script>"""


def browse(browser, *arguments):
    return subprocess.run([
        browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
        "--hide-scrollbars", f"--window-size={WIDTH},{HEIGHT}", *arguments
    ],
                          capture_output=True,
                          text=True,
                          timeout=120,
                          check=True).stdout


def layout(browser, page):
    with tempfile.TemporaryDirectory() as folder:
        copy = os.path.join(folder, "page.html")
        with open(page, encoding="utf-8") as file, open(copy, "w", encoding="utf-8") as out:
            out.write(file.read() + SCRIPT)
        text = browse(browser, "--dump-dom", "file://" + copy)
    found = re.search(r'<pre id="boxes">(.*?)</pre>', text, re.S)[1]
    for entity, letter in (("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")):
        found = found.replace(entity, letter)
    return json.loads(found)["figures"]


def overlap(a, b):
    return min(a[2], b[2]) - max(a[0], b[0]) > LEAST and min(a[3], b[3]) - max(a[1], b[1]) > LEAST


def faults(figure):
    texts = figure["texts"]
    left, top, right, bottom = figure["box"]
    shown = " ".join(text["text"] for text in texts)
    yield from (f"`{word}` is not in a figure's axes or legend" for word in figure["words"]
                if word not in shown)
    for k, one in enumerate(texts):
        x, y, x2, y2 = one["box"]
        if x < left - LEAST or y < top - LEAST or x2 > right + LEAST or y2 > bottom + LEAST:
            yield f"`{one['text']}` reaches beyond its figure"
        yield from (f"`{one['text']}` overlaps `{two['text']}`" for two in texts[k + 1:]
                    if overlap(one["box"], two["box"]))


def main():
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if not browser:
        print("no browser (Debian: chromium)")
        return 77
    page = os.path.abspath(sys.argv[1])
    figures = layout(browser, page)
    wrong = [fault for figure in figures for fault in faults(figure)]
    print("\n".join(wrong) or f"{len(figures)} figures")
    if len(sys.argv) > 2:
        browse(browser, "--screenshot=" + os.path.abspath(sys.argv[2]), "file://" + page)
    return 1 if wrong or not figures else 0


if __name__ == "__main__":
    sys.exit(main())
