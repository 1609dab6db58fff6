#!/usr/bin/env python3
"""Isomap in the memory of one matrix: python3 examples/isomap.py [POINTS] [--compare]

Points of a rolled sheet are laid flat: apsp.Geodesics gives their distances along the sheet, which
are squared and centred in place, and the two largest eigenvectors are coordinates. --compare runs
sklearn.manifold.Isomap as well, and tells the largest difference, up to the sign of each axis.
"""

import argparse
import resource
import time

import numpy as np
from scipy.sparse.linalg import eigsh

import apsp


def roll(count):
    chance = np.random.default_rng(1)
    angle = 1.5 * np.pi * (1 + 2 * chance.random(count))
    return np.stack([angle * np.cos(angle), 20 * chance.random(count), angle * np.sin(angle)], 1)


def embed(distances, dimensions=2):
    """Classical scaling (W. Torgerson, 1952); the matrix is used up."""
    table = np.square(distances, out=distances)
    table *= -0.5
    means = table.mean(axis=0, dtype=float)
    table -= means.astype(table.dtype)
    table -= (means - means.mean()).astype(table.dtype)[:, None]
    values, vectors = eigsh(table, dimensions, which="LA", v0=np.ones(len(table)) * (
        np.arange(len(table)) % 7 - 3))
    order = np.argsort(values)[::-1]
    return vectors[:, order] * np.sqrt(values[order])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("points", type=int, nargs="?", default=2000)
    parser.add_argument("--dtype", choices=("float64", "float32"), default="float64")
    parser.add_argument("--compare", action="store_true")
    arguments = parser.parse_args()
    points = roll(arguments.points)
    begun = time.perf_counter()
    distances = apsp.Geodesics(8, dtype=arguments.dtype).fit_transform(points)
    solved = time.perf_counter()
    found = embed(distances)
    print("%d points: distances %.2f s, embedding %.2f s, peak %.2f GB" % (
        len(points), solved - begun, time.perf_counter() - solved,
        resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e9))
    if arguments.compare:
        from sklearn.manifold import Isomap
        del distances
        begun = time.perf_counter()
        right = Isomap(n_neighbors=8, n_components=2).fit_transform(points)
        spent = time.perf_counter() - begun
        found *= np.sign((found * right).sum(axis=0))
        print("Isomap %.2f s, the largest difference is %.1e of the largest coordinate" % (
            spent, abs(found - right).max() / abs(right).max()))


if __name__ == "__main__":
    main()
