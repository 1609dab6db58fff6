"""What a profiler sees of phase 3 of `factor` and of the reads of `banks`, beside what their
tables count: FOLDER/measured.csv.

    python3 lab/measure.py FOLDER    the programs, and factor.csv and banks.csv

ncu (NVIDIA) or rocprof (AMD); where neither is, or it may not, a line says so and there is no
file.
"""

import csv
import io
import os
import shutil
import subprocess
import sys
import tempfile

KERNELS = {"factor": "phase3", "banks": "column"}  # of which the second launch is looked at
PITCHES = {f"pitch {p}" for p in (32, 33, 48, 64, 65, 80, 90, 96)}  # a run takes seconds
COLUMNS = [
    "GOPS", "global load GB/s", "global store GB/s", "shared load GB/s", "shared store GB/s",
    "conflicts"
]
# NVIDIA's table of the metrics of nvprof names these for inst_integer, gld_, gst_, shared_load_ and
# shared_store_throughput. Shared memory is counted in wavefronts of 128 bytes each.
NCU = [
    "smsp__sass_thread_inst_executed_op_integer_pred_on.sum.per_second",
    "l1tex__t_bytes_pipe_lsu_mem_global_op_ld.sum.per_second",
    "l1tex__t_bytes_pipe_lsu_mem_global_op_st.sum.per_second",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum.per_second",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum.per_second",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"
]
NCU_SCALE = [1e-9, 1e-9, 1e-9, 128e-9, 128e-9, 1]


def rows_of(text, first):
    """The table that begins with a line of this column."""
    lines = text.splitlines()
    start = next((k for k, line in enumerate(lines) if line.lstrip('"').startswith(first)),
                 len(lines))
    return list(csv.DictReader(io.StringIO("\n".join(lines[start:]))))


def by_ncu(command, kernel):
    done = subprocess.run([
        "ncu", "--csv", "--print-units", "base", "--clock-control", "none", "--metrics",
        ",".join(NCU), "--kernel-name", "regex:" + kernel, "--launch-skip", "1", "--launch-count",
        "1", *command
    ],
                          capture_output=True,
                          text=True)
    found = {
        row["Metric Name"]: float(row["Metric Value"].replace(",", ""))
        for row in rows_of(done.stdout, "ID")
    }
    if not found:
        raise OSError(
            next((line for line in done.stdout.splitlines() if "ERROR" in line),
                 "ncu measured nothing"))
    return [found[name] * scale if name in found else None for name, scale in zip(NCU, NCU_SCALE)]


def by_rocprof(command, kernel):
    """Bytes of the device's memory, in KiB; conflicts: percent of the time that local memory is
    stalled by them."""
    with tempfile.TemporaryDirectory() as folder:
        asked, table = os.path.join(folder, "asked.txt"), os.path.join(folder, "table.csv")
        with open(asked, "w", encoding="utf-8") as out:
            out.write("pmc: FetchSize\npmc: WriteSize\npmc: LDSBankConflict\n")
        done = subprocess.run(["rocprof", "--timestamp", "on", "-i", asked, "-o", table, *command],
                              capture_output=True,
                              text=True)
        if not os.path.exists(table):
            raise OSError((done.stderr.strip() or "rocprof measured nothing").splitlines()[-1])
        with open(table, encoding="utf-8", newline="") as file:
            rows = [row for row in csv.DictReader(file) if kernel in row["KernelName"]]
    row = rows[1]
    seconds = 1e-9 * float(row["DurationNs"])
    return [
        None,
        float(row["FetchSize"]) * 1024e-9 / seconds,
        float(row["WriteSize"]) * 1024e-9 / seconds, None, None,
        float(row["LDSBankConflict"])
    ]


def main():
    folder = sys.argv[1]
    tool = next((name for name in ("ncu", "rocprof") if shutil.which(name)), None)
    if not tool:
        return print("not measured: neither ncu nor rocprof is there")
    rows = []
    for experiment, kernel in KERNELS.items():
        with open(os.path.join(folder, experiment + ".csv"), encoding="utf-8", newline="") as table:
            steps = [
                row for row in csv.DictReader(table)
                if experiment == "factor" or row["step"] in PITCHES
            ]
        for step in steps:
            command = [
                os.path.join(folder, experiment), "--device", "gpu", "--n", step["n"], "--only",
                step["step"]
            ]
            try:
                measured = (by_ncu if tool == "ncu" else by_rocprof)(command, kernel)
            except OSError as error:
                return print(f"not measured: {error}")
            rows.append([experiment, step["step"], step["on"], step["n"], tool] +
                        ["" if value is None else f"{value:.6g}" for value in measured])
    if rows:
        with open(os.path.join(folder, "measured.csv"), "w", encoding="utf-8", newline="") as out:
            csv.writer(out).writerows([["experiment", "step", "on", "n", "by"] + COLUMNS] + rows)
    return None


if __name__ == "__main__":
    main()
