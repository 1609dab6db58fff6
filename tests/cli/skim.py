"""skim.py APSP SCRATCH GRAPHS: --skim equals shortest paths whose weight and skims are one integer
of Python, on random graphs with weights of 0, cycles of length 0, negative and parallel edges, by
all engines and on 1 to 3 ranks. Lines `ok` and `FAIL`. Run by skim.sh."""
import csv
import random
import subprocess
import sys

apsp, scratch, graphs = sys.argv[1], sys.argv[2], int(sys.argv[3])
PART = 1 << 40  # of an integer: above any sum of a skim


def make_graph(chance):
    """Vertices and edges (from, to, weight, length, toll); potentials make some weights negative,
    and keep cycles as they are."""
    n = chance.choice([2, 3, 8, 20, 70])
    zero = chance.choice([0, 0.3, 1])
    lift = [chance.randint(0, 5) if chance.random() < 0.5 else 0
            for _ in range(n)] if chance.random() < 0.3 else [0] * n
    edges = []
    for _ in range(int(n * chance.choice([1, 2, 4]))):
        u, v = chance.randrange(n), chance.randrange(n)
        weight = 0 if chance.random() < zero else chance.randint(0, 4)
        edges.append((u, v, weight + (lift[u] - lift[v] if u != v else 0), chance.randint(0, 3),
                      chance.choice([0, 1, 1000])))
    return n, edges


def rows_of(n, edges, order, sources, targets):
    """For each source of a list, and target of another or None, the distances and skims: Bellman
    and Ford's algorithm on integers that hold all of them, each shifted to be its own."""
    packed = []
    for edge in edges:
        value = edge[2]
        for name in order:
            value = value * PART + {"length": edge[3], "toll": edge[4], "edges": 1}[name]
        packed.append((edge[0], edge[1], value))
    for source in sources or range(n):
        best = {source: 0}
        changed = True
        while changed:
            changed = False
            for u, v, value in packed:
                if u in best and (v not in best or best[u] + value < best[v]):
                    best[v] = best[u] + value
                    changed = True
        for target in targets or sorted(best):
            if target in best and (targets or target != source):
                value, parts = best[target], []
                for _ in order:
                    parts.insert(0, value % PART)
                    value //= PART
                yield [source, target, value, *parts]


def check(seed):
    chance = random.Random(seed)
    n, edges = make_graph(chance)
    order = chance.choice([["length", "toll"], ["toll", "edges", "length"], ["edges"], ["length"],
                           ["edges", "length"]])
    tenths = chance.random() < 0.3  # lengths with a decimal
    with open(scratch + "/graph.csv", "w") as out:
        print("from,to,minutes,length,toll", file=out)
        for v in range(n):
            print(v, v, 0, 0, 0, sep=",", file=out)
        for u, v, weight, length, toll in edges:
            print(u, v, weight, length / 10 if tenths else length, toll, sep=",", file=out)
    some = [
        chance.sample(range(n), chance.randint(1, n)) if chance.random() < 0.6 else None
        for _ in range(2)
    ]
    lists = [
        word for option, list_ in zip(["--sources", "--targets"], some) if list_
        for word in [option, ",".join(map(str, list_))]
    ]
    method = [
        "--method",
        chance.choice(["auto", "dense", "sparse", "sssp"]), "--ranks",
        str(chance.choice([1, 2, 3]))
    ]
    subprocess.run([
        apsp, "--quiet", "--force", *method, *lists, "--weight-key", "minutes", "--skim",
        ",".join(order), scratch + "/graph.csv", scratch + "/pairs.csv"
    ],
                   check=True)
    with open(scratch + "/pairs.csv") as lines:
        head, *ours = csv.reader(lines)
    right = [[str(x) for x in row] for row in rows_of(n, edges, order, *some)]
    if tenths and "length" in order:
        k = 3 + order.index("length")
        for row in right:
            row[k] = "%g" % (int(row[k]) / 10)
    return head == ["from", "to", "distance", *order] and ours == right


wrong = [seed for seed in range(graphs) if not check(seed)]
print("%s skim: %d graphs%s" %
      ("FAIL" if wrong else "ok", graphs, ", wrong %s" % wrong[:9] if wrong else ""))
sys.exit(bool(wrong))
