"""access_peer.py APSP FOLDER GRAPH.gr[.gz]

Sums of one column within the least cutoff of access.py, which has run before, from all origins:
apsp beside pandana's `aggregate`. Both have two threads. pandana has the network in memory, so of
apsp the seconds of expansion and of the sink count. The sums must be equal. pandana is stopped
after CAP seconds (default: 600). Needs numpy, pandas and pandana.
"""

import csv
import gzip
import json
import multiprocessing
import os
import subprocess
import sys
import time

import numpy
import pandana
import pandas

apsp, folder, graph = sys.argv[1:]
order, places, out, report = (os.path.join(folder, name) for name in
                              ("order", "places.csv", "peer.csv", "report.json"))
cutoff = float(os.environ.get("CUTOFF", "49000.5"))  # no distance is this


def by_apsp():
    command = [apsp, "--quiet", "--force", "--device", "cpu", "--threads", "2", "--order", order,
               "--json", report, "--access", out, "--opportunities", places, "--cutoffs",
               "%.17g" % cutoff, graph]
    subprocess.run(command, check=True)
    with open(report) as file:
        seconds = json.load(file)["seconds"]
    with open(out) as file:
        jobs = [float(row[1]) for row in list(csv.reader(file))[1:]]
    return seconds["expand"] + seconds["access"], numpy.array(jobs)


def by_pandana(pipe):
    with (gzip.open if graph.endswith(".gz") else open)(graph, "rt") as file:
        arcs = numpy.array([line.split()[1:] for line in file if line.startswith("a")], dtype=int)
    jobs = pandas.read_csv(places).set_index("vertex").jobs
    zeros = pandas.Series(numpy.zeros(len(jobs)), jobs.index)
    weight = pandas.DataFrame({"weight": arcs[:, 2].astype(float)})
    network = pandana.Network(zeros, zeros, pandas.Series(arcs[:, 0]), pandas.Series(arcs[:, 1]),
                              weight, twoway=False)
    network.set(jobs.index.to_series(), jobs, "jobs")
    begin = time.perf_counter()
    sums = network.aggregate(cutoff, "sum", "flat", name="jobs")
    pipe.send((time.perf_counter() - begin, sums.sort_index().to_numpy()))


ours, jobs = by_apsp()
here, there = multiprocessing.Pipe()
peer = multiprocessing.Process(target=by_pandana, args=(there,))
peer.start()
if here.poll(float(os.environ.get("CAP", "600"))):
    seconds, sums = here.recv()
    if not numpy.array_equal(sums, jobs):
        raise SystemExit("pandana has other sums for %d origins" % (sums != jobs).sum())
    print("cutoff %.0f: apsp %.2f s, pandana %.1f s, %.0f times" % (cutoff, ours, seconds,
                                                                  seconds / ours))
else:
    peer.kill()
    print("cutoff %.0f: apsp %.2f s, pandana stopped" % (cutoff, ours))
