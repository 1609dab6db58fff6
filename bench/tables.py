"""tables.py GRAPH.gr[.gz]..: tables of distances by this program, RoutingKit's CCH and pandana.

Of each the seconds to prepare the graph, which lies in arrays, and those of two tables between
vertices drawn at random: 1,000 x 1,000 and 10,000 x 100. CCH gets the order of elimination that
apsp has made, by nested dissection, since it is much better than its own by degree. It has one
thread, which asks for a row of a table at a time; apsp and pandana have two. Of pandana a tenth of
the rows counts, times ten. The tables must be equal. Needs numpy, routingkit_cch and pandana; run
by `make bench-tables`.
"""

import gzip
import os
import sys
import tempfile
import time
import warnings

import apsp
import numpy
import pandana
import pandas
import routingkit_cch

SIZES = (1000, 1000), (10000, 100)
NONE = 2**31 - 1


def read_graph(path):
    """Number of vertices, and tails, heads and weights; loops are left out."""
    with (gzip.open if path.endswith(".gz") else open)(path, "rt", encoding="ascii") as file:
        fields = [line.split() for line in file if line[0] in "pa"]
    tail, head, weight = numpy.array([edge[1:] for edge in fields[1:]], dtype=numpy.int64).T
    keep = tail != head
    return int(fields[0][2]), tail[keep] - 1, head[keep] - 1, weight[keep]


def timed(make):
    begin = time.perf_counter()
    made = make()
    return made, time.perf_counter() - begin


def order_of(graph):
    """The vertices in the order of elimination: behind 24 bytes of the file (apsp-formats(5))."""
    order, seconds = timed(lambda: apsp.Order(graph))
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "order")
        order.save(path)
        return order, numpy.fromfile(path, dtype="<u4", offset=24), seconds


def by_cch(metric, sources, targets):
    query = routingkit_cch.CCHOneToMany(metric, targets.tolist())
    rows = [query.distances_from(source) for source in sources.tolist()]
    return numpy.array([[NONE if d is None else d for d in row] for row in rows])


def by_pandana(network, sources, targets):
    starts, ends = numpy.repeat(sources, targets.size), numpy.tile(targets, sources.size)
    lengths = numpy.array(network.shortest_path_lengths(starts, ends))
    return numpy.where(lengths > 4e6, NONE, lengths).astype(numpy.int64).reshape(sources.size, -1)


def pandana_network(n, tail, head, weight):
    nodes = pandas.DataFrame({"x": numpy.zeros(n), "y": numpy.zeros(n)})
    edges = pandas.DataFrame({"weight": weight.astype(float)})
    return pandana.Network(nodes.x, nodes.y, pandas.Series(tail), pandas.Series(head), edges,
                           twoway=False)


def main(path):
    n, tail, head, weight = read_graph(path)
    graph = apsp.Edges(n, tail, head, weight)
    order, vertices, ordering = order_of(graph)
    solution, solve = timed(lambda: apsp.solve(graph, method="sparse", order=order, threads=2))
    lists = [column.tolist() for column in (vertices, tail, head)]
    cch, building = timed(lambda: routingkit_cch.CCH(*lists, False))
    metric, customizing = timed(lambda: routingkit_cch.CCHMetric(cch, weight.tolist()))
    network, network_seconds = timed(lambda: pandana_network(n, tail, head, weight))
    print("%s: %d vertices, %d edges" % (os.path.basename(path), n, tail.size))
    print("  prepared: order %.3f s; apsp %.3f s; CCH %.3f s, weights %.3f s; pandana %.3f s"
          % (ordering, solve, building, customizing, network_seconds))
    chance = numpy.random.default_rng(1)
    for shape in SIZES:
        sources, targets = (chance.integers(n, size=size) for size in shape)
        table, seconds = timed(lambda: solution.distances(sources, targets))
        right, cch_seconds = timed(lambda: by_cch(metric, sources, targets))
        some = sources[: sources.size // 10]
        other, pandana_seconds = timed(lambda: by_pandana(network, some, targets))
        got = numpy.where(numpy.isinf(table), NONE, table).astype(numpy.int64)
        print("  %6d x %-5d apsp %.3f s, CCH %.3f s, pandana %.3f s; equal: %s %s"
              % (shape + (seconds, cch_seconds, 10 * pandana_seconds, numpy.array_equal(got, right),
                          numpy.array_equal(got[: some.size], other))))


warnings.simplefilter("ignore")  # pandana lists all pairs without a path
for graph_path in sys.argv[1:]:
    main(graph_path)
