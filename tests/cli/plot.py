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
assert f" {pairs:,} pair{'s' * (pairs != 1)} with a path" in texts[-1], (texts[-1], pairs)
assert "-0" not in texts, texts
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
# A bar has as many bins as are needed for at most 512 bars; those without pairs are not drawn.
bins = [round((row["from"] - rows[0]["from"]) / stats["histogram"]["width"]) for row in rows]
most = -(-(bins[-1] + 1) // 512)
heights = {}
for number, row in zip(bins, rows):
    heights[number // most] = heights.get(number // most, 0) + row["pairs"]
heights = [height for _, height in sorted(heights.items()) if height > 0]
assert len(heights) == len(bars), (len(heights), len(bars))
for bar, height in zip(bars, heights):
    assert abs(bar["height"] / each - height) <= 0.01 / each + 1e-3 * height, (bar, height)
if most == 1:
    ticks = [(float(t.get("x")), float(t.text)) for t in svg.iter(space + "text")
             if t.get("class") == "x" and t.get("x") and t.text != "distance"]
    for x, distance in ticks:  # a whole distance stands below the middle of its bar
        for bar, row in zip(bars, rows):
            if row["from"] == distance and isinstance(row["from"], int):
                assert abs(bar["x"] + bar["width"] / 2 - x) < 0.6, (bar, x)
