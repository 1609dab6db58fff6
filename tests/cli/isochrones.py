"""isochrones.py APSP SCRATCH GRAPHS: --isochrones as CSV and GeoJSON equals Dijkstra's algorithm
on random graphs with names, places and targets, by all engines and on 1 to 3 ranks. Lines `ok` and
`FAIL`. Run by isochrones.sh."""
import csv
import gzip
import heapq
import json
import random
import subprocess
import sys
from xml.etree import ElementTree as ET

apsp, scratch, graphs = sys.argv[1], sys.argv[2], int(sys.argv[3])


def distances_from(source, out):
    best, heap = {}, [(0, source)]
    while heap:
        d, u = heapq.heappop(heap)
        if u not in best:
            best[u] = d
            for v, weight in out.get(u, []):
                heapq.heappush(heap, (d + weight, v))
    return best


def make(chance):
    """Names in the order of the file, edges, places; weights are integers, or tenths."""
    names = [
        "p%d" % v if chance.random() < 0.8 else 'a "%d"' % v
        for v in range(chance.choice([1, 2, 9, 40]))
    ]
    edges = [(u, u, 0) for u in names]
    for _ in range(len(names) * 3):
        edges.append((chance.choice(names), chance.choice(names), chance.randint(0, 30)))
    return names, edges, {
        u: (chance.randint(-1800, 1800) / 10, chance.randint(-900, 900) / 10) for u in names
    }


def write_graphml(path, names, edges, places, labelled, chance):
    """The graph with places, beside other attributes; names are ids, or `labelled` a "ref"."""
    ids = {u: "n%d" % v if labelled else u for v, u in enumerate(names)}
    root = ET.Element("graphml", xmlns="http://graphml.graphdrawing.org/xmlns")
    x, y = chance.choice([("x", "y"), ("lon", "Lat"), ("LNG", "lat")])
    keys = [("node", x), ("node", y), ("edge", "x"), ("edge", "weight"), ("node", "ref"),
            ("node", "longitude"), ("node", "latitude")]
    for k in chance.sample(range(len(keys)), len(keys)):
        key = {"id": "d%d" % k, "for": keys[k][0], "attr.name": keys[k][1]}
        ET.SubElement(root, "key", key, **{"attr.type": chance.choice(["string", "double"])})
    graph = ET.SubElement(root, "graph", edgedefault="directed")
    for u in names:
        node = ET.SubElement(graph, "node", id=ids[u])
        values = [*map(repr, places[u]), "", "", u, "5", "6"]
        for k in chance.sample(range(len(keys)), len(keys)):
            if keys[k][0] == "node":
                ET.SubElement(node, "data", key="d%d" % k).text = " %s\n" % values[k]
    for u, v, w in edges:
        edge = ET.SubElement(graph, "edge", source=ids[u], target=ids[v])
        ET.SubElement(edge, "data", key="d3").text = "%r" % w
    opened = gzip.open if path.endswith(".gz") else open
    with opened(path, "wb") as file:
        ET.ElementTree(root).write(file, "utf-8", xml_declaration=chance.random() < 0.5)


def bands(best, cutoffs):
    """Vertices by their least cutoff."""
    found = {c: {} for c in cutoffs}
    for v, d in best.items():
        within = [c for c in cutoffs if d <= c]
        if within:
            found[min(within)][v] = d
    return found


def check(seed):
    chance = random.Random(seed)
    names, edges, places = make(chance)
    tenth = chance.choice([1, 10])
    with open(scratch + "/graph.csv", "w") as file:
        out = csv.writer(file)
        out.writerow(["from", "to", "weight"])
        scaled = [(u, v, w / tenth if tenth > 1 else w) for u, v, w in edges]
        out.writerows(scaled)
    with open(scratch + "/places.csv", "w") as file:
        out = csv.writer(file)
        out.writerows([("vertex", "x", "y")] * chance.randint(0, 1) +
                      [(u, *places[u]) for u in names + ["elsewhere"] if u in places])
    files = ["graph.csv", "places.csv"]
    if chance.random() < 0.5:
        files[1] = chance.choice(["places.graphml", "places.graphml.gz"])
        files[0] = chance.choice(files)
        labelled = files[0] == files[1] and chance.random() < 0.5
        write_graphml(scratch + "/" + files[1], names, scaled, places, labelled, chance)
        files += ["--label-key", "ref"] * labelled
    graph = {}
    for u, v, w in edges:
        graph.setdefault(u, []).append((v, w))
    sources = chance.sample([u for u in names if " " not in u] or names, 1)
    targets = set(chance.sample(names, len(names) // 2 + 1)) if chance.random() < 0.3 else None
    cutoffs = sorted(chance.sample(range(0, 80), 3))
    for name, values in ("from.txt", sources), ("to.txt", targets or []):
        with open(scratch + "/" + name, "w") as file:
            file.writelines(v + "\n" for v in values)
    words = [c / tenth if tenth > 1 else c for c in cutoffs]
    command = [
        apsp, "--quiet", "--force", "--method",
        chance.choice(["auto", "dense", "sparse", "sssp"]), "--ranks",
        str(chance.choice([1, 2, 3])), "--cutoffs", ",".join(
            "%r" % c for c in chance.sample(words, 3)), "--coordinates",
        scratch + "/" + files[1], *files[2:]
    ] + (["--targets", scratch + "/to.txt"] if targets else [])
    if chance.random() < 0.5:
        command += ["--sources", scratch + "/from.txt"]
    else:
        sources = names
    for suffix in "csv", "geojson":
        subprocess.run(command +
                       ["--isochrones", scratch + "/out." + suffix, scratch + "/" + files[0]],
                       check=True)
    with open(scratch + "/out.csv") as file:
        lines = {(u, v): (float(d), float(c), float(x), float(y))
                 for u, v, d, c, x, y in list(csv.reader(file))[1:]}
    with open(scratch + "/out.geojson") as file:
        features = json.load(file)["features"]
    right, shown = {}, {}
    for u in sources:
        for c, found in bands(distances_from(u, graph), cutoffs).items():
            found = {v: d for v, d in found.items() if targets is None or v in targets}
            right.update({(u, v): (d / tenth, c / tenth, *places[v]) for v, d in found.items()})
            shown[u, c / tenth] = sorted((v, *places[v]) for v in found)
    ours = {(f["properties"]["source"], f["properties"]["cutoff"]): sorted(
                (v, *place) for v, place in zip(
                    f["properties"]["vertices"], f["geometry"]["coordinates"], strict=True))
            for f in features}
    return lines == right and ours == shown and len(features) == len(shown) and all(
        f["geometry"]["type"] == "MultiPoint" for f in features)


wrong = [seed for seed in range(graphs) if not check(seed)]
print("%s isochrones: %d graphs%s" %
      ("FAIL" if wrong else "ok", graphs, ", wrong %s" % wrong[:9] if wrong else ""))
sys.exit(bool(wrong))
