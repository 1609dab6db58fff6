"""plot.py SVG JSON: whether the bars of a histogram that apsp has drawn are those of its
statistics."""
import json
import sys
import xml.etree.ElementTree as tree

svg = tree.parse(sys.argv[1]).getroot()
stats = json.load(open(sys.argv[2]))
space = "{http://www.w3.org/2000/svg}"
rows = [{"from": low, "pairs": pairs}
        for low, pairs in zip(stats["histogram"]["from"], stats["histogram"]["pairs"])]
bars = [{key: float(rect.get(key)) for key in ("x", "y", "width", "height")}
        for rect in svg.iter(space + "rect") if rect.get("x")]
texts = [text.text for text in svg.iter(space + "text")]
assert texts[-2].startswith("Shortest distances in "), texts[-2:]
assert texts[-1].startswith(f"n = {stats['vertices']:,}, "), texts[-1]
pairs = sum(row["pairs"] for row in rows)
assert f" {pairs:,} pairs" in texts[-1], (texts[-1], pairs)
if pairs == 0:
    assert not bars
    sys.exit()
assert f"mean {stats['all']['mean']:.6g} " in texts[-1], texts[-1]
assert f"median {stats['quantiles']['0.5']:.6g} " in texts[-1], texts[-1]
each = sum(bar["height"] for bar in bars) / pairs
bottom = max(bar["y"] + bar["height"] for bar in bars)
assert min(bar["y"]
           for bar in bars) > 0 and bottom < float(svg.get("height")), "bars beyond the drawing"
assert max(bar["height"] for bar in bars) > bottom / 2, "the highest bar takes less than half"
if len(rows) == len(bars):  # a bar is a bin
    for bar, row in zip(bars, rows):
        assert abs(bar["height"] / each - row["pairs"]) <= 0.01 / each + 1e-3 * row["pairs"], (bar,
                                                                                               row)
    ticks = [(float(t.get("x")), float(t.text)) for t in svg.iter(space + "text")
             if t.get("class") == "x" and t.get("x") and t.text != "distance"]
    for x, distance in ticks:  # a whole distance stands below the middle of its bar
        for bar, row in zip(bars, rows):
            if row["from"] == distance and isinstance(row["from"], int):
                assert abs(bar["x"] + bar["width"] / 2 - x) < 0.6, (bar, x)
