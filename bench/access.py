"""access.py APSP FOLDER GRAPH

Accessibility of all origins beside --stats: 4 columns of amounts, 6 cutoffs and 2 decays, shares of
the largest distance. Seconds of expansion and sinks, in runs that take turns, by the same order.
DEVICE (default: cpu) is where; SOURCES (default: all) takes a sample of so many; RUNS (default: 3).
"""

import csv
import json
import os
import random
import subprocess
import sys

apsp, folder, graph = sys.argv[1:]
device, sources, runs = (os.environ.get(name, default)
                         for name, default in (("DEVICE", "cpu"), ("SOURCES", ""), ("RUNS", "3")))
SHARES = [0.03, 0.06, 0.12, 0.18, 0.24, 0.36]
PHASES = ("expand", "statistics", "access")
stats, order, places = (os.path.join(folder, name) for name in ("stats.csv", "order", "places.csv"))


def run(*options):
    report = os.path.join(folder, "report.json")
    command = [
        apsp, "--quiet", "--force", "--device", device, "--method", "sparse", "--json", report
    ]
    some = ["--sources", "random:" + sources] if sources else []
    subprocess.run([*command, *some, *options, graph], check=True)
    with open(report) as file:
        seconds = json.load(file)["seconds"]
    return sum(seconds[phase] for phase in PHASES)


run("--save-order", order, "--stats", stats)
with open(stats) as file:
    vertices, far = zip(*[row[:2] for row in list(csv.reader(file))[1:]])
far = max(float(value) for value in far)
chance = random.Random(1)
with open(places, "w") as file:
    print("vertex,jobs,schools,shops,beds", file=file)
    for vertex in vertices:
        amounts = [chance.randrange(most) for most in (100, 3, 10)]
        print(vertex, *amounts, chance.choice([0, 0, 0, 200]), sep=",", file=file)
access = ["--access", os.path.join(folder, "access.csv"), "--opportunities", places]
cutoffs = ["--cutoffs", ",".join("%.6g" % (share * far) for share in SHARES)]
decays = ["--decays", "exponential:%.6g,logistic:%.6g:%.6g" % (far / 16, far / 5, far / 30)]
asked = {"--stats": ["--stats", stats], "cutoffs": [*access, *cutoffs],
         "cutoffs and decays": [*access, *cutoffs, *decays]}
seconds = {name: [] for name in asked}
for _ in range(int(runs)):
    for name, options in asked.items():
        seconds[name].append(run("--order", order, *options))
least = {name: min(each) for name, each in seconds.items()}
for name, each in least.items():
    print("%-20s %8.3f s %6.2f times --stats, %.3f s beyond it"
          % (name, each, each / least["--stats"], each - least["--stats"]))
