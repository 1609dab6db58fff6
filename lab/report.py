"""The page of the experiments: FOLDER/*.csv and *.txt to FOLDER/report.html and report.md, figures by gnuplot.

The page stands alone: figures are SVG inside of it, and nothing comes from a network.
"""

import csv
import html
import math
import os
import platform
import subprocess
import sys

EXPERIMENTS = ["ladder", "factor", "phases", "scaling", "triangular", "contraction", "product", "amd"]
PARTS = ["reading", "to device", "phase 1", "phase 2", "phase 3", "communication", "from device", "writing"]
FACTOR_PLOTS = ["GOPS", "global load GB/s", "global store GB/s", "shared load GB/s", "shared store GB/s"]
COLOURS = ["#4e79a7", "#f28e2b", "#e15759", "#76b7b2", "#59a14f", "#edc948", "#b07aa1", "#9c755f"]
TERMINAL = "set terminal svg size {},{} dynamic font 'sans-serif,13' background 'white'\nset border 3\nset tics nomirror\n"


def gnuplot(script):
    """The SVG that the script draws, without its XML head; '' where gnuplot is not there or fails."""
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


def bars(rows, value, title, log):
    """Horizontal bars, the first row on top, each with its number."""
    rows = [row for row in rows if number(row, value) > 0]
    if not rows:
        return ""
    tics = ", ".join(f"{quote(row['step'])} {-k}" for k, row in enumerate(rows))
    most = max(number(row, value) for row in rows)
    least = min(number(row, value) for row in rows)
    low = 10.0 ** math.floor(math.log10(least) - 0.3) if log else 0
    high = most * (20 if log else 1.25)
    data = "\n".join(f"{number(row, value):.6g} {-k} {number(row, value):.3g} {0 if row['on'] == 'CPU' else 1}"
                     for k, row in enumerate(rows))
    return gnuplot(
        TERMINAL.format(900, 90 + 26 * len(rows))
        + ("set logscale x\nset format x '10^{%T}'\n" if log else "")
        + f"set xrange [{low}:{high}]\nset yrange [{-len(rows) + 0.4}:0.6]\nset ytics ({tics})\n"
        + f"set xlabel {quote(title)}\nset grid xtics lc '#dddddd'\nset style fill solid\nset key off\n"
        + f"set linetype 1 lc '{COLOURS[0]}'\nset linetype 2 lc '{COLOURS[1]}'\n$data << EOD\n{data}\nEOD\n"
        + f"plot $data using ($1/2):2:({low}):1:($2-0.35):($2+0.35):($4+1) with boxxyerror lc variable, "
        + "$data using 1:2:(sprintf('  %.3g',$3)) with labels left\n")


def factor_figure(rows):
    """The five quantities against the factor: of each, its best shape of threads."""
    best = {}
    for row in rows:
        factor = int(row["step"].split(",")[0])
        if number(row, "GOPS") > number(best.get(factor, {}), "GOPS"):
            best[factor] = row
    if not best:
        return ""
    data = "\n".join(" ".join([str(f)] + [f"{number(best[f], p):.6g}" for p in FACTOR_PLOTS]) for f in sorted(best))
    plots = "".join(
        f"set title {quote(name)}\nset linetype 1 lc '{COLOURS[k]}'\n"
        f"plot $data using 1:{k + 2} with linespoints lw 2 pt 7 lt 1\n" for k, name in enumerate(FACTOR_PLOTS))
    return gnuplot(TERMINAL.format(900, 620) + f"$data << EOD\n{data}\nEOD\nset key off\nset xlabel 'blocking factor'\n"
                   "set yrange [0:*]\nset xtics 32\nset grid ytics lc '#dddddd'\nset multiplot layout 2,3\n"
                   + plots + "unset multiplot\n")


def phases_figure(rows):
    """Stacked bars: shares of what the parts add up to."""
    if not rows:
        return ""
    lines = []
    for row in rows:
        whole = sum(number(row, part) for part in PARTS) or 1
        label = quote(row["step"])[:-1].replace(", ", "\\n") + f"\\nn = {row['n']}\""
        lines.append(" ".join([label] + [f"{100 * number(row, part) / whole:.4g}" for part in PARTS]))
    plots = ", ".join(f"$data using {k + 2}:xtic(1) title {quote(part)} lc '{COLOURS[k]}'" for k, part in enumerate(PARTS))
    data = "\n".join(lines)
    return gnuplot(TERMINAL.format(900, 420) + f"$data << EOD\n{data}\nEOD\nset style data histograms\n"
                   "set style histogram rowstacked\nset style fill solid\nset boxwidth 0.6\nset ylabel 'share of time, %'\n"
                   "set yrange [0:100]\nset key outside right invert\nset bmargin 5\n"
                   f"plot {plots}\n")


def scaling_figure(rows):
    if not rows:
        return ""
    data = "\n".join(f"{quote(row['step'])} {number(row, 'efficiency'):.4g} {number(row, 'by the model'):.4g}" for row in rows)
    return gnuplot(TERMINAL.format(900, 380) + f"$data << EOD\n{data}\nEOD\nset style data histograms\n"
                   "set style fill solid\nset ylabel 'efficiency of two ranks'\nset yrange [0:1.2]\nset key outside right\n"
                   "set xtics rotate by -12\nset bmargin 5\n"
                   f"plot $data using 2:xtic(1) title 'measured' lc '{COLOURS[0]}', "
                   f"$data using 3 title 'by the model' lc '{COLOURS[1]}'\n")


def figure(name, rows):
    if name == "factor":
        return factor_figure(rows)
    if name == "phases":
        return phases_figure(rows)
    if name == "scaling":
        return scaling_figure(rows)
    unit = next((key for key in (rows[0] if rows else {}) if key.endswith("/s")), None)
    return bars(rows, unit, unit, name != "amd") if unit else ""


def columns(rows):
    """Those that a row has something in."""
    return [key for key in rows[0] if any(row[key] for row in rows)] if rows else []


def shown(text):
    try:
        return f"{float(text):.4g}" if "." in text or "e" in text else text
    except ValueError:
        return text


def machine():
    model = platform.machine()
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as info:
            model = next((line.split(":", 1)[1].strip() for line in info if line.startswith("model name")), model)
    except OSError:
        pass
    return f"{model}, {len(os.sched_getaffinity(0))} cores"


def read(folder, name):
    """Title, notes and rows of an experiment that ran."""
    with open(os.path.join(folder, name + ".txt"), encoding="utf-8") as text:
        notes = [line[1:].strip() for line in text if line.startswith("#")]
    with open(os.path.join(folder, name + ".csv"), encoding="utf-8", newline="") as table:
        rows = list(csv.DictReader(table))
    return notes[0] if notes else name, notes[1:], rows


def section_html(name, title, notes, rows):
    keys = columns(rows)
    head = "".join(f"<th>{html.escape(key)}</th>" for key in keys)
    body = "".join("<tr>" + "".join(f"<td>{html.escape(shown(row[key]))}</td>" for key in keys) + "</tr>" for row in rows)
    note = "".join(f"<p class=note>{html.escape(line)}</p>" for line in notes)
    return f"<h2 id={name}>{html.escape(title)}</h2>{note}<figure>{figure(name, rows)}</figure>" \
           f"<div class=table><table><tr>{head}</tr>{body}</table></div>"


def section_text(title, notes, rows):
    keys = columns(rows)
    lines = [f"## {title}", ""] + [note + "  " for note in notes] + [""]
    if rows:
        lines += ["| " + " | ".join(keys) + " |", "|" + "---|" * len(keys)]
        lines += ["| " + " | ".join(shown(row[key]) for key in keys) + " |" for row in rows]
    return "\n".join(lines) + "\n"


STYLE = """body { font: 15px/1.5 sans-serif; max-width: 62em; margin: 2em auto; padding: 0 1em; color: #222 }
figure { margin: 1em 0 } svg { max-width: 100%; height: auto } .table { overflow-x: auto } .note { color: #555; margin: 0 }
table { border-collapse: collapse; font-size: 13px } td, th { border-bottom: 1px solid #ddd; padding: 3px 9px; text-align: right }
td:first-child, th:first-child { text-align: left; white-space: nowrap } td:last-child, th:last-child { text-align: left }"""


def main():
    folder = sys.argv[1]
    found = [(name, *read(folder, name)) for name in EXPERIMENTS
             if all(os.path.exists(os.path.join(folder, name + end)) for end in (".csv", ".txt"))]
    if not found:
        sys.exit(f"report: no tables in {folder}; run an experiment with --csv first")
    title = f"apsp: the experiments on {machine()}"
    page = f"<!doctype html><html lang=en><meta charset=utf-8><title>{html.escape(title)}</title><style>{STYLE}</style>" \
           f"<h1>{html.escape(title)}</h1><nav>" + " · ".join(f"<a href=#{n}>{n}</a>" for n, *_ in found) + "</nav>"
    page += "".join(section_html(*each) for each in found)
    with open(os.path.join(folder, "report.html"), "w", encoding="utf-8") as out:
        out.write(page + "\n")
    with open(os.path.join(folder, "report.md"), "w", encoding="utf-8") as out:
        out.write(f"# {title}\n\n" + "\n".join(section_text(*each[1:]) for each in found))
    print(f"{folder}/report.html")


if __name__ == "__main__":
    main()
