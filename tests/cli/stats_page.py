"""stats_page.py APSP SCRATCH: the page of --stats FILE.html has the numbers of the other files, is
the same on any ranks, asks for nothing on the network, and survives hostile names; in a browser its
table sorts on a click, on a wide and on a narrow screen. Lines for run.sh. Run by stats_page.sh."""

import csv
import html
import json
import os
import random
import re
import shutil
import subprocess
import sys

apsp, scratch = sys.argv[1:3]
graph, page = scratch + "/graph.csv", scratch + "/page.html"
HOSTILE = ["</script><script>document.title='lost'</script>", 'a "quoted" name', "<b>bold</b>"]
BROWSERS = ["chromium", "chromium-browser", "google-chrome"]
failed = False


def report(name, right):
    global failed
    failed |= not right
    print("ok" if right else "FAIL", "page:", name)


def run(*options):
    subprocess.run([apsp, "--device", "cpu", "--quiet", "--force", *options, graph], check=True)


def values_of(*options):
    """The columns of a file of values, by vertex."""
    run(*options, scratch + "/values.csv")
    with open(scratch + "/values.csv", encoding="utf-8") as file:
        return {line["vertex"]: line for line in csv.DictReader(file)}


def make_graph(weights):
    random.seed(4)
    names = HOSTILE + ["v%d" % k for k in range(120)]
    with open(graph, "w", encoding="utf-8") as file:
        out = csv.writer(file)
        out.writerow(["from", "to", "weight"])
        for k in range(400):
            u, v = random.sample(names, 2) if k >= 3 else (names[k], "v0")
            out.writerow([u, v, random.choice(weights)])


def data_of(text):
    found = re.search(r"<script type='application/json' id='data'>(.*?)</script>", text, re.S)
    return json.loads(found[1])


def read_page():
    with open(page, encoding="utf-8") as file:
        return file.read()


def near(a, b):
    return abs(a - b) <= 1e-8 * max(1, abs(a), abs(b))


def compare(name, weights):
    make_graph(weights)
    run("--undirected", "--stats", page)
    text = read_page()
    for ranks in ("1", "2", "3"):
        run("--undirected", "--ranks", ranks, "--stats", page, "--threads", "2")
        report("%s, %s ranks: the same bytes" % (name, ranks), read_page() == text)
    data = data_of(text)
    stats = values_of("--undirected", "--count", "harmonic", "--stats")
    through = values_of("--undirected", "--betweenness")
    right = {vertex: {**stats[vertex], **through[vertex]} for vertex in stats}
    wrong = [row for row in data["rows"] for column, value in zip(data["columns"][1:], row[1:])
             if not near(float(right[row[0]][column]), value)]  # fmt: skip
    columns = (["betweenness"] if 0 not in weights else
               []) + ["closeness", "harmonic", "eccentricity", "sum", "reachable"]
    report(name + ": columns of the table", data["columns"] == ["vertex"] + columns)
    report(name + ": values of the table", not wrong and len(data["rows"]) >= 50)
    shown = {row[0] for row in data["rows"]}
    for column in data["columns"][1:]:
        ordered = sorted((float(row[column]) for row in right.values()), reverse=True)
        first = sorted((float(right[v][column]) for v in shown), reverse=True)[:50]
        report("%s: the first 50 by %s" % (name, column), first == ordered[:50])
    count = len(right)
    for bins in data["distributions"]:
        report("%s: all vertices in the distribution of %s" % (name, bins["name"]),
               sum(bins["bins"]) + bins["zeros"] == count)  # fmt: skip
    report(name + ": all vertices in the scatter",
           sum(mark[2] for mark in data["scatter"]["marks"]) == count)  # fmt: skip
    facts = dict(data["facts"])
    report(name + ": all pairs in the histogram",
           sum(data["distances"]["bins"]) == facts["pairs with a path"])  # fmt: skip
    report(name + ": hostile names", set(HOSTILE) <= shown and text.count("</script>") == 2)
    links = re.findall(r"\b(?:https?:|src=|href=|@import|url\()[^\s]*", text)
    report(name + ": no network", [x for x in links if not x.startswith("http://www.w3.org")] == [])


CLICKS = """<script>
const out = document.createElement('pre');
out.id = 'seen';
const column = k => [...document.querySelectorAll('tbody tr')].map(r => r.children[k].textContent);
const heads = [...document.querySelectorAll('th button')];
const seen = {first: column(0)};
heads[2].click();
seen.down = column(2);
heads[2].click();
seen.up = column(2);
seen.title = document.title;
seen.texts = document.querySelectorAll('svg text').length;
seen.wide = document.documentElement.scrollWidth <= innerWidth;
out.textContent = JSON.stringify(seen);
document.body.append(out);
</script>"""


def browse(browser, width):
    with open(scratch + "/clicked.html", "w", encoding="utf-8") as file:
        file.write(read_page().replace("</body>", CLICKS + "</body>"))
    command = [browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
               "--window-size=%d,2000" % width, "--dump-dom",
               "file://" + os.path.abspath(scratch) + "/clicked.html"]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    seen = re.search(r'<pre id="seen">(.*?)</pre>', done.stdout, re.S)
    return json.loads(html.unescape(seen[1])) if seen else None


def look():
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if not browser:
        print("skip page: no browser (Debian: chromium)")
        return
    data = data_of(read_page())
    through = sorted(data["rows"], key=lambda row: -row[1])[:50]
    for width in (1300, 500):
        seen = browse(browser, width)
        name = "in a browser, %d wide: " % width
        report(name + "the script runs", seen is not None)
        if not seen:
            continue
        numbers = [float(text.replace(",", "")) for text in seen["down"]]
        report(name + "the first by betweenness", seen["first"][0] == through[0][0])
        report(name + "sorts on a click", numbers == sorted(numbers, reverse=True))
        report(name + "and turns on a second one", seen["up"] == seen["down"][::-1] or
               [float(x.replace(",", "")) for x in seen["up"]] == sorted(numbers))  # fmt: skip
        report(name + "no name is a script", seen["title"] == "Shortest paths in graph.csv")
        report(name + "axes have numbers", seen["texts"] > 30)
        report(name + "fits the screen", seen["wide"])


def one_decade():
    """The ticks of a chain, whose betweenness is from 5 to 9, and of other axes."""
    with open(graph, "w", encoding="utf-8") as file:
        file.write("from,to\n" + "".join("%d,%d\n" % (k, k + 1) for k in range(7)))
    run("--undirected", "--stats", page)
    bins = data_of(read_page())["distributions"][0]
    script = read_page().split("'use strict';")[1].split("/* A figure")[0]
    script = script.replace("document.getElementById('data').textContent", "'{}'")
    script = script.replace("document.querySelector('main')", "null")
    script += "console.log(JSON.stringify([marks({low: %r, high: %r, log: true}, 5)," % (
        bins["low"], bins["low"] + bins["width"] * len(bins["bins"]))  # fmt: skip
    script += "marks({low: 2.5, high: 2.5}, 5), marks({low: -2, high: 3, log: true}, 5)]))"
    done = subprocess.run(["node", "-e", script], capture_output=True, text=True, check=True)
    near_ones, same, wide = json.loads(done.stdout)
    report("within a decade: ticks", len(near_ones) >= 2)
    report("one value: a tick", same == [[2.5, "2.5"]])
    report("decades: ticks at powers of ten", [at for at, _ in wide] == list(range(-2, 4)))


compare("equal weights", [1])
compare("weights", [1, 2, 3, 4.5])
look()
if shutil.which("node"):
    one_decade()
else:
    print("skip page: no Node.js (Debian: nodejs)")
make_graph([0, 1])
run("--undirected", "--stats", page)
found = data_of(read_page())
report("weights of 0: no betweenness", "betweenness" not in found["columns"])
report("weights of 0: the reason", "weight 0" in found["without"] and "scatter" not in found)
for ranks in ("1", "2", "3"):
    make_graph([1, 1e-300])
    run("--undirected", "--ranks", ranks, "--stats", page)
    found = data_of(read_page())
    report("hidden weights, %s ranks: no betweenness" % ranks,
           "betweenness" not in found["columns"] and "hides" in found["without"])  # fmt: skip
make_graph([1, 2])
run("--count", "all", "--stats", page)
found, counted = data_of(read_page()), values_of("--count", "all", "--stats")
report("--count all: its columns", found["columns"][-2:] == ["in_eccentricity", "in_reachable"])
report("--count all: their values", all(
    near(value, float(counted[row[0]][column]))
    for row in found["rows"]
    for column, value in zip(found["columns"][-2:], row[-2:])))  # fmt: skip
run("--paths", "bottleneck", "--stats", page)
report("bottleneck paths", "--paths bottleneck" in data_of(read_page())["without"])
make_graph([1, 2])
run("--undirected", "--sources", "random:9", "--seed", "3", "--stats", page)
found = data_of(read_page())
report("some sources", dict(found["facts"])["sources"] == 9)
sampled = values_of("--undirected", "--sources", "random:9", "--seed", "3", "--betweenness")
report("a sample stands for all", all(
    near(row[1], float(sampled[row[0]]["betweenness"])) for row in found["rows"]))  # fmt: skip
sys.exit(failed)
