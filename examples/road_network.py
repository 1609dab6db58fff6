#!/usr/bin/env python3
# A map of travel times. Without a file the roads are those of a made-up town, which the seed
# chooses. Needs apsp, numpy and matplotlib.

import argparse
from pathlib import Path

import matplotlib
import numpy as np

import apsp

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.collections import LineCollection
from matplotlib.colors import BoundaryNorm, ListedColormap


def read_roads(path):
    """Sources, targets and metres of DIMACS's lines "a FROM TO METRES", with vertices from 1."""
    with open(path) as lines:
        rows = [line.split() for line in lines if line[0] in "pa"]
    n = int(next(row for row in rows if row[0] == "p")[2])
    arcs = np.array([row[1:] for row in rows if row[0] == "a"], dtype=np.int64)
    return n, arcs[:, 0] - 1, arcs[:, 1] - 1, arcs[:, 2]


def read_places(path, n):
    """Kilometres east and north of DIMACS's lines "v VERTEX LONGITUDE LATITUDE" (10^-6 degrees)."""
    place = np.full((n, 2), np.nan)
    with open(path) as lines:
        for line in lines:
            if line[0] == "v":
                _, v, longitude, latitude = line.split()
                place[int(v) - 1] = float(longitude) / 1e6, float(latitude) / 1e6
    scale = 111.2 * np.array([np.cos(np.radians(np.nanmean(place[:, 1]))), 1])
    return (place - np.nanmean(place, axis=0)) * scale


def make_town(seed, side=70):
    """Streets of a jittered grid with gaps, a river with four bridges, and two main roads of twice
    the speed."""
    random = np.random.default_rng(seed)
    column, row = np.meshgrid(np.arange(side), np.arange(side))
    jitter = random.normal(0, 0.05, (side * side, 2))
    place = np.stack([column, row], -1).reshape(-1, 2) * 0.2 + jitter
    number = np.arange(side * side).reshape(side, side)
    edge = np.concatenate([np.stack([number[:, :-1], number[:, 1:]], -1).reshape(-1, 2),
                           np.stack([number[:-1], number[1:]], -1).reshape(-1, 2)])
    at, to = np.divmod(edge[:, 0], side), np.divmod(edge[:, 1], side)
    north = row.ravel() + column.ravel() // 6 >= side // 2
    place[north, 1] += 0.5
    river = north[edge[:, 0]] != north[edge[:, 1]]
    bridge = np.isin(at[1], [side // 9, side // 4, side // 2, side - side // 6])
    main = ((at[0] == to[0]) & (at[0] == side // 4)) | ((at[1] == to[1]) & (at[1] == side // 4))
    kept = np.where(river, bridge, (random.random(len(edge)) < 0.8) | main)
    edge, main = edge[kept], main[kept]
    metres = np.linalg.norm(place[edge[:, 0]] - place[edge[:, 1]], axis=1) * 1000
    metres /= np.where(main, 2, 1)
    both = np.concatenate([edge, edge[:, ::-1]])
    metres = np.rint(np.r_[metres, metres]).astype(np.int64)
    return side * side, both[:, 0], both[:, 1], metres, place


def unfold(roads, centre, count=150):
    """The plane in which straight lines between landmarks are as long as their paths, as far as
    possible: V. de Silva, J. Tenenbaum, Sparse multidimensional scaling using landmark points,
    2004. Each landmark is the vertex that is the furthest from those before it."""
    landmarks = [centre]
    both = apsp.Edges(roads.n, np.r_[roads.source, roads.target],
                      np.r_[roads.target, roads.source], np.r_[roads.weight, roads.weight])
    with apsp.solve(both) as solution:
        nearest = solution.distances(centre)
        reached = np.isfinite(nearest)
        while len(landmarks) < count:
            landmarks.append(int(np.argmax(np.where(reached, nearest, -1))))
            nearest = np.minimum(nearest, solution.distances(landmarks[-1]))
        squares = solution.distances(landmarks)[:, reached]**2
    among = squares[:, np.searchsorted(np.flatnonzero(reached), landmarks)]
    centring = np.eye(count) - 1 / count
    values, vectors = np.linalg.eigh(-centring @ among @ centring / 2)
    axes = vectors[:, -2:] / np.sqrt(values[-2:])
    place = np.full((roads.n, 2), np.nan)
    place[reached] = (-axes.T @ (squares - among.mean(1, keepdims=True)) / 2).T[:, ::-1] / 1e3
    return place


def draw(options, source, target, minutes, place, centre, title):
    """Every road in the colour of the time that it takes to get there."""
    drawn = np.isfinite(minutes[source] + minutes[target])
    drawn &= np.isfinite(place[source] + place[target]).all(1)
    lines = np.stack([place[source[drawn]], place[target[drawn]]], axis=1)
    most = np.ceil(minutes[np.isfinite(minutes)].max())
    bands = [0, *(band for band in options.bands if band < most), most]
    colours = ListedColormap(plt.get_cmap("viridis_r")(np.linspace(0.1, 1, len(bands) - 1)))
    figure, axis = plt.subplots(figsize=(7.2, 6), layout="constrained")
    collection = LineCollection(lines, array=(minutes[source] + minutes[target])[drawn] / 2,
                                cmap=colours, norm=BoundaryNorm(bands, colours.N), linewidths=1.1)
    axis.add_collection(collection)
    axis.plot(*place[centre], marker="*", markersize=16, color="crimson", markeredgecolor="white",
              linestyle="none", label="most central vertex")
    axis.autoscale()
    axis.margins(0.02)
    axis.set_aspect("equal")
    axis.set(xlabel="km", ylabel="km", title=title)
    axis.legend(loc="lower left", framealpha=0.9)
    figure.colorbar(collection, label="minutes at %g km/h" % options.speed, ticks=bands, shrink=0.8)
    figure.savefig(options.output, dpi=options.dpi)


def main():
    parser = argparse.ArgumentParser(
        description="Draws a map of travel times from the most central vertex of a road network.")
    parser.add_argument("roads", nargs="?",
                        help="arcs with metres, DIMACS's .gr format (default: a made-up town)")
    parser.add_argument("--coordinates", metavar="FILE.co",
                        help="of the vertices, as of DIMACS (default: a plane made of distances)")
    parser.add_argument("--speed", type=float, default=30, help="km/h (default: %(default)s)")
    parser.add_argument("--bands", type=float, nargs="+", default=[5, 10, 15, 20, 25, 30],
                        help="limits in minutes (default: 5 to 30)")
    parser.add_argument("--seed", type=int, default=1, help="of the town (default: %(default)s)")
    parser.add_argument("--dpi", type=int, default=110, help="dots per inch (default: %(default)s)")
    parser.add_argument("-o", "--output", default="road_network.png",
                        help="picture: .png, .svg or .pdf (default: %(default)s)")
    options = parser.parse_args()
    place = None
    if options.roads:
        n, source, target, metres = read_roads(options.roads)
    else:
        n, source, target, metres, place = make_town(options.seed)
    roads = apsp.Edges(n, source, target, metres)

    # The vertex with the smallest mean distance to the others. No matrix is stored for that.
    stats = apsp.stats(roads)
    centre = int(np.argmax(stats.closeness))
    print("%d vertices, %d arcs; the longest path has %.1f km, the mean one %.1f km"
          % (n, len(source), stats.diameter / 1e3, stats.mean / 1e3))
    if options.coordinates:
        place = read_places(options.coordinates, n)
    elif place is None:
        place = unfold(roads, centre)
    minutes = apsp.shortest_path(roads, indices=centre) / 1e3 / options.speed * 60
    name = Path(options.roads).name if options.roads else "A made-up town"
    title = "%s: travel times from its centre\nn = %s" % (name, format(n, ","))
    draw(options, source, target, minutes, place, centre, title)
    within = np.mean(minutes[np.isfinite(minutes)] <= options.bands[0])
    print("the map is in %s; %.0f %% of the vertices are within %g minutes"
          % (options.output, 100 * within, options.bands[0]))


if __name__ == "__main__":
    main()
