"""The figures of the experiments, by gnuplot: rows of a table to an SVG and the words that its
axes and legend show."""

import math
import re
import subprocess
import sys

PARTS = [
    "reading", "to device", "phase 1", "phase 2", "phase 3", "communication", "from device",
    "writing"
]
FACTOR_PLOTS = [
    "GOPS", "global load GB/s", "global store GB/s", "shared load GB/s", "shared store GB/s"
]
COLOURS = ["#4e79a7", "#f28e2b", "#e15759", "#76b7b2", "#59a14f", "#edc948", "#b07aa1", "#9c755f"]
PLACES = ["CPU", "CUDA", "HIP"]
TERMINAL = ("set terminal svg size {},{} dynamic font 'sans-serif,13' background 'white'\n"
            "set border 3\nset tics nomirror\nset style fill solid\n")


def gnuplot(script):
    """The SVG that the script draws, without its XML head; '' where gnuplot is not there or fails.
    """
    try:
        done = subprocess.run(["gnuplot"], input=script, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"no figure: {getattr(error, 'stderr', None) or error}", file=sys.stderr)
        return ""
    return done.stdout[done.stdout.find("<svg"):]


def quote(text):
    return '"' + text.replace("\\", "/").replace('"', "'").replace("_", " ") + '"'


def number(row, name):
    return float(row[name]) if row.get(name) else 0.0


def places(rows):
    return [place for place in PLACES if any(row["on"] == place for row in rows)]


def lines_of(text):
    """At most so long that names of several bars stand side by side."""
    return quote(text.replace(", ", "\\n")).replace("/n", "\\n")


def sizes(rows):
    """", n = N", with all sizes that there are."""
    found = sorted({int(row["n"]) for row in rows if row.get("n")})
    return ", n = " + ", ".join(map(str, found)) if found else ""


def bars(rows, value):
    """A line for each row, the first one on top, each with its number and, if sizes differ, its n:
    bars from 0 on, and points where the axis is logarithmic, which has no 0. It is so where some
    bars would be too short to compare."""
    rows = [row for row in rows if number(row, value) > 0]
    if not rows:
        return "", []
    several = len({row.get("n") for row in rows}) > 1
    tics = ", ".join(f"{quote(row['step'] + (sizes([row]) if several else ''))} {-k}"
                     for k, row in enumerate(rows))
    values = [number(row, value) for row in rows]
    unit = value
    if value.startswith("T ") and max(values) < 1:  # tera, as giga
        values, unit = [1000 * each for each in values], "G " + value[2:]
    most, least = max(values), min(values)
    log = most > 10 * least
    low, high = (least / 2, most * 8) if log else (0, most * 1.25)
    axis = unit + (", logarithmic" if log else "") + ("" if several else sizes(rows))
    blocks = "".join(f"${place} << EOD\n" +
                     "\n".join(f"{values[k]:.6g} {-k}"
                               for k, row in enumerate(rows) if row["on"] == place) + "\nEOD\n"
                     for place in places(rows))
    shape = ("using 1:2 with points pt 7 ps 1.2"
             if log else "using ($1/2):2:(0):1:($2-0.35):($2+0.35) with boxxyerror")
    plots = ", ".join(f"${place} {shape} lc '{COLOURS[PLACES.index(place)]}' title '{place}', "
                      f"${place} using 1:2:(sprintf('   %.3g',$1)) with labels left notitle"
                      for place in places(rows))
    drawn = gnuplot(
        TERMINAL.format(900, 140 + 26 * len(rows)) + blocks + ("set logscale x\n" if log else "") +
        f"set xrange [{low}:{high}]\nset yrange [{-len(rows) + 0.4}:0.6]\nset ytics ({tics})\n"
        f"set xlabel {quote(axis)}\n"
        +
        f"set key outside top center horizontal\nset grid xtics ytics lc '#dddddd'\nplot {plots}\n")
    return drawn, [axis] + places(rows)


def factor(rows, measured):
    """The five quantities against the factor: of each device its best shape of threads, and what a
    profiler saw of it."""
    lines = {}
    for place in places(rows):
        best = {}
        for row in rows:
            size = int(row["step"].split(",")[0])
            if row["on"] == place and number(row, "GOPS") > number(best.get(size, {}), "GOPS"):
                best[size] = row
        lines[f"counted, {place}"] = best
        seen = {
            row["step"]: row for row in measured
            if row["experiment"] == "factor" and row["on"] == place
        }
        if seen:
            lines[f"measured, {place}"] = {
                size: seen[row["step"]] for size, row in best.items() if row["step"] in seen
            }
    if not lines:
        return "", []
    names = list(lines)
    blocks = "".join(
        f"$line{k} << EOD\n" +
        "\n".join(" ".join([str(size)] +
                           [f"{number(row, p):.6g}" if row.get(p) else "NaN" for p in FACTOR_PLOTS])
                  for size, row in sorted(lines[name].items())) + "\nEOD\n"
        for k, name in enumerate(names))
    style = [
        f"with linespoints lw 2 pt {7 - k % 2 * 3} dt {1 + k % 2} lc '{COLOURS[k]}'"
        for k in range(len(names))
    ]
    plots = "".join(
        f"set title {quote(name)}\nset ylabel '{'GB/s' if 'GB/s' in name else name}'\nplot " +
        ", ".join(f"$line{k} using 1:{p + 2} {style[k]} notitle" for k in range(len(names))) + "\n"
        for p, name in enumerate(FACTOR_PLOTS))
    legend = "unset title\nunset xlabel\nunset ylabel\nunset tics\nunset border\nunset grid\n" \
        "set key center\nset yrange [0:1]\nplot " \
        + ", ".join(f"NaN {style[k]} title {quote(name)}" for k, name in enumerate(names)) + "\n"
    drawn = gnuplot(
        TERMINAL.format(960, 640) + blocks +
        f"set key off\nset xlabel {quote('blocking factor' + sizes(rows))}\nset yrange [0:*]\n"
        "set xrange [0:136]\n"
        "set xtics 32\nset grid ytics lc '#dddddd'\nset format y '%g'\n"
        "set multiplot layout 2,3\n"
        + plots + legend.replace("set key center", "set key on center center") +
        "unset multiplot\n")
    return drawn, ["blocking factor" + sizes(rows), "GB/s"] + FACTOR_PLOTS + names


def phases(rows):
    """Stacked bars: shares of what the parts add up to."""
    if not rows:
        return "", []
    lines = []
    for row in rows:
        whole = sum(number(row, part) for part in PARTS) or 1
        label = lines_of(row["step"] + (", HIP" if row["on"] == "HIP" else "") +
                         f", n = {row['n']}")
        lines.append(" ".join([label] +
                              [f"{100 * number(row, part) / whole:.4g}" for part in PARTS]))
    shown = [part for part in PARTS if any(number(row, part) for row in rows)]
    plots = ", ".join(
        f"$data using {PARTS.index(part) + 2}:xtic(1) title {quote(part)} lc "
        f"'{COLOURS[PARTS.index(part)]}'"
        for part in shown)
    data = "\n".join(lines)
    drawn = gnuplot(
        TERMINAL.format(max(960, 180 * len(rows)), 460) +
        f"$data << EOD\n{data}\nEOD\nset style data histograms\nset style histogram rowstacked\n"
        "set boxwidth 0.6\nset xlabel 'program'\nset ylabel 'share of time, %'\n"
        "set yrange [0:100]\n"
        f"set key outside right invert\nset bmargin 8\nset xlabel offset 0,-3\nplot {plots}\n")
    return drawn, ["share of time, %", "program"] + shown


def scaling(rows):
    if not rows:
        return "", []
    data = "\n".join(
        f"{lines_of(row['step'] + sizes([row]))} {number(row, 'efficiency'):.4g} "
        f"{number(row, 'by the model'):.4g}"
        for row in rows)
    drawn = gnuplot(
        TERMINAL.format(960, 400) +
        f"$data << EOD\n{data}\nEOD\nset style data histograms\nset xlabel 'ranks'\n"
        "set ylabel 'efficiency of two ranks'\nset yrange [0:1.2]\nset key outside right\n"
        "set bmargin 7\nset xlabel offset 0,-2\n"
        f"plot $data using 2:xtic(1) title 'measured' lc '{COLOURS[0]}', "
        f"$data using 3 title 'by the model' lc '{COLOURS[1]}'\n")
    return drawn, ["ranks", "efficiency of two ranks", "measured", "by the model"]


def banks(rows, notes):
    """Lanes that meet in one bank: on paper, as the notes have it, and as the time of a read says.
    """
    paper = "\n".join(" ".join(pair) for note in notes
                      for pair in re.findall(r"\b(\d+):(\d+)\b", note))
    if not paper:
        return "", []
    data = {
        place: "\n".join(f"{row['step'].split()[1]} {number(row, 'times pitch 33'):.4g}"
                         for row in rows if row["on"] == place) for place in places(rows)
    }
    blocks = f"$paper << EOD\n{paper}\nEOD\n" + "".join(f"${place} << EOD\n{text}\nEOD\n"
                                                        for place, text in data.items())
    plots = f"$paper using 1:2 with points pt 7 ps 0.6 lc '{COLOURS[0]}' title 'on paper'"
    plots += "".join(
        f", ${place} using 1:2 with points pt 6 ps 1.1 lw 1.5 lc '{COLOURS[PLACES.index(place)]}' "
        f"title 'time, {place}'"
        for place in data)
    drawn = gnuplot(
        TERMINAL.format(960, 340) + blocks +
        "set logscale y 2\nset yrange [0.8:40]\nset xrange [31:97]\nset xtics 32,4\n"
        "set xlabel 'words of a row'\nset ylabel 'lanes in one bank, logarithmic'\n"
        "set key outside top center horizontal\nset grid ytics lc '#dddddd'\n"
        f"plot {plots}\n")
    return drawn, ["words of a row", "lanes in one bank, logarithmic", "on paper"
                   ] + [f"time, {place}" for place in data]


def figure(name, rows, notes, measured):
    """The SVG of an experiment ('' for none) and the words of its axes and legend."""
    drawn = {
        "factor": lambda: factor(rows, measured), "phases": lambda: phases(rows),
        "scaling": lambda: scaling(rows), "banks": lambda: banks(rows, notes)
    }.get(name)
    if drawn:
        return drawn()
    unit = next((key for key in (rows[0] if rows else {}) if key.endswith("/s")), None)
    return bars(rows, unit) if unit else ("", [])
