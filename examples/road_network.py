#!/usr/bin/env python3
# A travel-time map of a road network: python3 examples/road_network.py ROADS.gr [MAP.png]
#
# ROADS.gr has arcs and their lengths in metres, as those of the DIMACS shortest-path challenge, and no coordinates: the map
# is drawn from the distances themselves. Needs apsp, numpy and matplotlib.

# %% The graph: lines "a FROM TO METRES", vertices from 1
import sys

import matplotlib
import numpy as np

import apsp

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.collections import LineCollection

path = sys.argv[1]
picture = sys.argv[2] if len(sys.argv) > 2 else "road_network.png"
with open(path) as lines:
    rows = [line.split() for line in lines if line[0] in "pa"]
n = int(next(row for row in rows if row[0] == "p")[2])
arcs = np.array([row[1:] for row in rows if row[0] == "a"], dtype=np.int64)
source, target, metres = arcs[:, 0] - 1, arcs[:, 1] - 1, arcs[:, 2]
roads = apsp.Edges(n, source, target, metres)

# %% The most central vertex: nearest to all others on the average. No matrix is kept for that.
stats = apsp.stats(roads)
centre = int(np.argmax(stats.closeness))
print("%d vertices, %d arcs; the longest way has %.1f km, the mean one %.1f km" % (n, len(arcs), stats.diameter / 1e3, stats.mean / 1e3))

# %% Its rows of the matrix, and those of landmarks: each the vertex that is the furthest from those before it
landmarks = [centre]
both = apsp.Edges(n, np.r_[source, target], np.r_[target, source], np.r_[metres, metres])
with apsp.solve(both) as ways:  # there and back, as a map has it
    nearest = ways.distances(centre)
    reached = np.isfinite(nearest)
    while len(landmarks) < 150:
        landmarks.append(int(np.argmax(np.where(reached, nearest, -1))))
        nearest = np.minimum(nearest, ways.distances(landmarks[-1]))
    far = ways.distances(landmarks)[:, reached]

# %% Coordinates: the plane in which straight lines between landmarks are as long as their ways, as far as possible
# (V. de Silva, J. Tenenbaum, Sparse multidimensional scaling using landmark points, 2004)
squares = far**2
among = squares[:, np.searchsorted(np.flatnonzero(reached), landmarks)]
centring = np.eye(len(landmarks)) - 1 / len(landmarks)
values, vectors = np.linalg.eigh(-centring @ among @ centring / 2)
axes = vectors[:, -2:] / np.sqrt(values[-2:])
place = np.full((n, 2), np.nan)
place[reached] = (-axes.T @ (squares - among.mean(1, keepdims=True)) / 2).T[:, ::-1]

# %% The map: every road in the colour of the time that it takes to get there
SPEED = 30  # km/h
minutes = apsp.shortest_path(roads, indices=centre) / 1e3 / SPEED * 60
drawn = np.isfinite(minutes[source]) & np.isfinite(minutes[target]) & reached[source]
lines = np.stack([place[source[drawn]], place[target[drawn]]], axis=1) / 1e3
figure, axis = plt.subplots(figsize=(9, 7.4), layout="constrained")
collection = LineCollection(lines, array=(minutes[source] + minutes[target])[drawn] / 2, cmap="cool", linewidths=0.9)
axis.add_collection(collection)
axis.plot(*place[centre] / 1e3, marker="*", markersize=16, color="crimson", markeredgecolor="white", linestyle="none",
          label="the most central vertex, %d" % (centre + 1))
axis.autoscale()
axis.set_aspect("equal")
axis.set_facecolor("0.12")
axis.set_xlabel("km, in a plane made from distances")
axis.set_ylabel("km")
axis.set_title("%s: travel time from the most central vertex\n%s vertices, %s arcs" % (
    path.split("/")[-1], format(n, ","), format(len(arcs), ",")))
axis.legend(loc="lower left")
figure.colorbar(collection, label="minutes at %d km/h" % SPEED, shrink=0.8)
figure.savefig(picture, dpi=110)
print("the map is in %s; %.0f %% of the vertices are within %.0f minutes" % (
    picture, 100 * np.mean(minutes <= np.median(minutes[reached])), np.median(minutes[reached])))
