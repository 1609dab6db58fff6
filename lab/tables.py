"""The tables of docs/lab.md: what stands in the reports beside what machines measured.

    python3 lab/tables.py PAGE FOLDER...    FOLDER: *.csv and *.txt of a machine; PAGE is written anew from its mark on
"""

import os
import sys

import figures
import report

MARK = "<!-- From here on: lab/tables.py -->\n"
COLUMNS = {
    "ladder": ["n", "seconds", "with copies", "T relaxations/s", "of ceiling", "occupancy"],
    "factor": ["n", "GOPS", "global load GB/s", "global store GB/s", "shared load GB/s", "shared store GB/s", "occupancy"],
    "phases": ["n"] + figures.PARTS,
    "scaling": ["n", "one rank s", "seconds", "efficiency", "by the model", "exposed s", "note"],
    "triangular": ["n", "GFLOP/s", "with copies GFLOP/s"],
    "contraction": ["n", "GFLOP/s", "with copies GFLOP/s"],
    "product": ["n", "GFLOP/s", "flop/byte", "effective GB/s"],
    "amd": ["n", "T relaxations/s", "LDS KiB", "lanes a bank", "padded: lanes a bank", "occupancy"],
}


def named(folder):
    return os.path.basename(os.path.normpath(folder)).replace("-", " ")


def rows_of(folder, name):
    return {(row["step"], row["on"]): row for row in report.read_all(report.with_hip(folder), name)[1]}


def columns_of(rows, name):
    """Those of the experiment that the machine has something in."""
    return [column for column in COLUMNS[name] if any(row.get(column) for row in rows.values())]


def experiment(name, folders):
    tables = {folder: rows_of(folder, name) for folder in folders}
    steps = list(dict.fromkeys(step for rows in tables.values() for step in rows))
    if not steps:
        return []
    reports = {step: rows[step]["report"] for rows in tables.values() for step in rows}
    columns = [(folder, column) for folder in folders for column in columns_of(tables[folder], name)]
    head = ["step"] + (["in the reports"] if any(reports.values()) else []) + [f"{named(folder)}: {column}" for folder, column in columns]
    lines = [f"### {name}", "", "| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    for step in steps:
        cells = [f"{step[0]}{', HIP' if step[1] == 'HIP' else ''}"] + ([reports[step]] if any(reports.values()) else [])
        cells += [report.shown(tables[folder].get(step, {}).get(column) or "") for folder, column in columns]
        lines.append("| " + " | ".join(cells) + " |")
    return lines + [""]


def machines(folders):
    lines = []
    for folder in folders:
        notes, rows = report.read(folder, "ladder")
        page = os.path.relpath(os.path.join(folder, "report.html"), "docs")
        promised = "; ".join(report.promises(rows))
        lines.append(f"- **{named(folder)}**: {report.machine_of(notes)} ([page]({page}), tables beside it). {promised}.")
    return lines + [""]


def main():
    page, folders = sys.argv[1], sys.argv[2:]
    with open(page, encoding="utf-8") as file:
        kept = file.read().split(MARK)[0]
    lines = machines(folders) + [line for name in COLUMNS for line in experiment(name, folders)]
    with open(page, "w", encoding="utf-8") as out:
        out.write(kept + MARK + "\n" + "\n".join(lines).rstrip() + "\n")


if __name__ == "__main__":
    main()
