"""access_peer.py APSP FOLDER GRAPH.gr[.gz] CUTOFF...

Sums of one column of integers within a cutoff, from all origins: apsp beside pandana's `aggregate`,
for each cutoff. Both have two threads. pandana has the network in memory, so of apsp the seconds of
the rows and of the sink count; its user time is that of the whole process. The sums must be equal,
so no distance may be a cutoff. pandana is stopped after CAP seconds (default: 600). Needs numpy,
pandas and pandana.
"""

import csv
import gzip
import json
import multiprocessing
import os
import resource
import subprocess
import sys
import time

import numpy
import pandana
import pandas

apsp, folder, graph, *cutoffs = sys.argv[1:]
places, out, report = (os.path.join(folder, name)
                       for name in ("places.csv", "peer.csv", "report.json"))
with (gzip.open if graph.endswith(".gz") else open)(graph, "rt") as file:
    arcs = numpy.array([line.split()[1:] for line in file if line.startswith("a")], dtype=int)
vertices = numpy.unique(arcs[:, :2])
jobs = pandas.Series(numpy.random.default_rng(1).integers(0, 100, len(vertices)), vertices,
                     name="jobs")
jobs.to_csv(places, index_label="vertex")


def user(who):
    return resource.getrusage(who).ru_utime


def by_apsp(cutoff):
    command = [apsp, "--quiet", "--force", "--device", "cpu", "--threads", "2", "--json", report,
               "--access", out, "--opportunities", places, "--cutoffs", "%.17g" % cutoff, graph]
    before = user(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True)
    spent = user(resource.RUSAGE_CHILDREN) - before
    with open(report) as file:
        whole = json.load(file)
    with open(out) as file:
        sums = {int(row[0]): float(row[1]) for row in list(csv.reader(file))[1:]}
    seconds = whole["seconds"].get("expand", 0) + whole["seconds"].get("search", 0)
    return (seconds + whole["seconds"]["access"], spent,
            numpy.array([sums[v] for v in vertices]), whole["method"])


def by_pandana(pipe, cutoff):
    zeros = pandas.Series(numpy.zeros(len(jobs)), jobs.index)
    weight = pandas.DataFrame({"weight": arcs[:, 2].astype(float)})
    network = pandana.Network(zeros, zeros, pandas.Series(arcs[:, 0]), pandas.Series(arcs[:, 1]),
                              weight, twoway=False)
    network.set(jobs.index.to_series(), jobs.astype(float), "jobs")
    begin, before = time.perf_counter(), user(resource.RUSAGE_SELF)
    sums = network.aggregate(cutoff, "sum", "flat", name="jobs")
    pipe.send((time.perf_counter() - begin, user(resource.RUSAGE_SELF) - before,
               sums.sort_index().to_numpy()))


for cutoff in map(float, cutoffs):
    ours, spent, sums, method = by_apsp(cutoff)
    here, there = multiprocessing.Pipe()
    peer = multiprocessing.Process(target=by_pandana, args=(there, cutoff))
    peer.start()
    print("cutoff %.1f: apsp (%s) %.2f s, user %.2f s;" % (cutoff, method, ours, spent), end=" ")
    if here.poll(float(os.environ.get("CAP", "600"))):
        seconds, other, theirs = here.recv()
        if not numpy.array_equal(sums, theirs):
            raise SystemExit("pandana has other sums for %d origins" % (sums != theirs).sum())
        print("pandana %.2f s, user %.2f s: %.2f times, user %.2f; load %.1f"
              % (seconds, other, seconds / ours, other / spent, os.getloadavg()[0]), flush=True)
    else:
        peer.kill()
        print("pandana stopped", flush=True)
    peer.join()
