"""The page of the experiments: tables of FOLDER to FOLDER/report.html and FOLDER/report.md.

    python3 lab/report.py FOLDER [MORE...]    FOLDER/*.csv and *.txt; of MORE rows of other devices

The page stands alone: figures are SVG inside of it, and nothing comes from a network.
"""

import csv
import html
import os
import sys

import figures

EXPERIMENTS = [
    "ladder", "factor", "phases", "scaling", "triangular", "contraction", "product", "amd", "banks"
]


def table(path):
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def read(folder, name):
    """The lines before the table, and its rows; nothing where it did not run."""
    notes = []
    if os.path.exists(os.path.join(folder, name + ".txt")):
        with open(os.path.join(folder, name + ".txt"), encoding="utf-8") as text:
            notes = [line[1:].strip() for line in text if line.startswith("#")]
    return notes, table(os.path.join(folder, name + ".csv"))


def read_all(folders, name):
    """Of further folders the rows of devices that are not there yet."""
    notes, rows = read(folders[0], name)
    for folder in folders[1:]:
        have = {row["on"] for row in rows}
        rows += [row for row in table(os.path.join(folder, name + ".csv")) if row["on"] not in have]
    return notes, rows


def measured(folders):
    """What profilers saw (measure.py)."""
    return [row for folder in folders for row in table(os.path.join(folder, "measured.csv"))]


def is_machine(note):
    return note.startswith(("CPU: ", "GPU: ")) and ": none" not in note


def busy(folder, names):
    """A warning, if other work had cores during experiments (others.sh)."""
    found = {}
    for name in names:
        path = os.path.join(folder, name + ".load")
        if os.path.exists(path):
            with open(path, encoding="utf-8") as text:
                others, cores = map(float, text.read().split())
            if others > cores / 4:
                found[name] = f"{others:.1f} of {cores:.0f} cores during {name}"
    return f"The machine was busy: other work had {', '.join(found.values())}. Times of these " \
        "experiments are too long, and efficiencies too low." if found else ""


def machine_of(notes):
    return ", ".join(note.split(": ", 1)[1] for note in notes if is_machine(note))


def promises(rows):
    """The ladder's last rows beside the product, and its first row on the GPU."""
    rate = {
        row["step"]: (float(row["T relaxations/s"]), row["n"]) for row in rows if row["on"] != "HIP"
    }
    lines = []
    for step, product in (("the product on the CPU, 16-bit", "apsp itself on the CPU, 16-bit"),
                          ("look-ahead: the product", "apsp itself"), ("16-bit: the product",
                                                                       "apsp itself, 16-bit")):
        if step in rate and product in rate and rate[step][1] == rate[product][1]:
            lines.append(f"{step} / {product}: {rate[step][0] / rate[product][0]:.3f}")
    first, last = "GPU, global memory", "16-bit: the product"
    if first in rate and last in rate:
        lines.append(f"{last} / {first}: {rate[last][0] / rate[first][0]:.3g}")
    return lines


def columns(rows):
    """Those that a row has something in."""
    return [key for key in rows[0] if any(row.get(key) for row in rows)] if rows else []


def shown(text):
    try:
        return f"{float(text):.4g}" if "." in text or "e" in text else text
    except ValueError:
        return text


def cell(text):
    number = not text or text[0].isdigit() and text[-1].isdigit()
    return f"<td{'' if number else ' class=word'}>{html.escape(shown(text))}</td>"


def table_html(rows):
    keys = columns(rows)
    head = "".join(f"<th>{html.escape(key)}</th>" for key in keys)
    body = "".join("<tr>" + "".join(cell(row.get(key) or "") for key in keys) + "</tr>"
                   for row in rows)
    return f"<div class=table><table><tr>{head}</tr>{body}</table></div>" if rows else ""


def section_html(name, notes, rows, seen):
    drawn, words = figures.figure(name, rows, notes, seen)
    note = "".join(f"<p class=note>{html.escape(line)}</p>" for line in notes[1:]
                   if not is_machine(line))
    drawing = (f'<figure data-words="{html.escape("|".join(words))}">{drawn}</figure>'
               if drawn else "")
    return f"<h2 id={name}>{html.escape(notes[0])}</h2>{note}{drawing}{table_html(rows)}" \
        + table_html([row for row in seen if row["experiment"] == name])


def table_text(rows):
    keys = columns(rows)
    lines = ["| " + " | ".join(keys) + " |", "|" + "---|" * len(keys)] if rows else []
    return lines + [
        "| " + " | ".join(shown(row.get(key) or "") for key in keys) + " |" for row in rows
    ]


def section_text(name, notes, rows, seen):
    lines = [f"## {notes[0]}", ""] + [note + "  " for note in notes[1:] if not is_machine(note)
                                      ] + [""] + table_text(rows)
    seen = table_text([row for row in seen if row["experiment"] == name])
    return "\n".join(lines + ([""] + seen if seen else [])) + "\n"


STYLE = """body { font: 15px/1.5 sans-serif; max-width: 70em; margin: 2em auto; padding: 0 1em;
  color: #222 }
figure { margin: 1em 0 } svg { max-width: 100%; height: auto } .table { overflow-x: auto }
.note { color: #555; margin: 0 }
table { border-collapse: collapse; font-size: 13px; margin-bottom: 1em }
td, th { border-bottom: 1px solid #ddd; padding: 3px 9px; text-align: right; white-space: nowrap }
.warning { background: #fdecea; border-left: 4px solid #c0392b; padding: 0.6em 1em }
.word, th:first-child, th:last-child { text-align: left }"""


def main():
    if len(sys.argv) < 2:
        sys.exit("usage: report.py FOLDER [MORE...]")
    folders = sys.argv[1:]
    all_found = {name: tables for name in EXPERIMENTS if (tables := read_all(folders, name))[0]}
    found = {name: tables for name, tables in all_found.items() if tables[1]}
    without = [name for name in all_found if name not in found]
    if not found:
        sys.exit(f"report: no tables in {folders[0]}; run an experiment with --csv first")
    if "ladder" in found:
        found["ladder"][0].extend(promises(found["ladder"][1]))
    seen = measured(folders)
    title = f"apsp: the experiments on {machine_of(next(iter(found.values()))[0])}"
    links = " · ".join(f"<a href=#{n}>{n}</a>" for n in found)
    page = "<!doctype html><html lang=en><meta charset=utf-8>" \
           f"<title>{html.escape(title)}</title><style>{STYLE}</style>" \
           f"<h1>{html.escape(title)}</h1><nav>{links}</nav>"
    warning = busy(folders[0], found)
    page += f"<p class=warning>{html.escape(warning)}</p>" if warning else ""
    page += ("<p class=note>Without a step that this machine can do: "
             f"{', '.join(without)}.</p>" if without else "")
    page += "".join(section_html(name, *each, seen) for name, each in found.items())
    with open(os.path.join(folders[0], "report.html"), "w", encoding="utf-8") as out:
        out.write(page + "\n")
    with open(os.path.join(folders[0], "report.md"), "w", encoding="utf-8") as out:
        out.write(f"# {title}\n\n" + (warning + "\n\n" if warning else "") +
                  "\n".join(section_text(name, *each, seen) for name, each in found.items()))
    print(f"{folders[0]}/report.html")


if __name__ == "__main__":
    main()
