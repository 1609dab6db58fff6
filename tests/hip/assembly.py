"""What a compiler for AMD made of the kernels: python3 assembly.py FILE.s...

A row for each kernel: registers of a lane, waves of a compute unit, bytes of scratch; of the main
loop the vector instructions and the reads of local memory for each relaxation, beside the least
number that the instruction set allows. A kernel that relaxes nothing has the vector instructions
and the loads and stores of its innermost loop with most of these. Fails where a kernel has
scratch, or where the main loop of a dense kernel goes to local memory by flat instructions.
"""

import collections
import re
import sys

# Vector instructions of a relaxation at least. i32: two sums and a minimum of three; u16: two lanes
# a word; f32: two lanes a sum and a minimum of three; i64: a sum of two halves, a comparison, two
# choices (gfx942 has the sum in one); f64: a sum and a minimum. Maxima have a maximum for a sum;
# those of i64 are compared as f64. RDNA has one instruction for both, two choices at once, and a
# sum of f32 beside a minimum; it compares f64 as i64.
SUMS = {"u16": 1.0, "i32": 1.5, "i64": 5.0, "f32": 1.0, "f64": 2.0}
MAXIMA = {"u16": 1.0, "i32": 1.5, "i64": 2.0, "f32": 1.5, "f64": 2.0}
RDNA_SUMS = {**SUMS, "i64": 4.0}
RDNA_MAXIMA = {"u16": 1.0, "i32": 1.0, "i64": 4.0, "f32": 1.0, "f64": 4.0}
RELAXED = {
    "v_pk_min_u16": 2, "v_min3_i32": 2, "v_min_i32": 1, "v_min3_f32": 2, "v_min_f32": 1,
    "v_min_f64": 1, "v_cmp_lt_i64": 1, "v_cmp_lt_u64": 1, "v_cmp_gt_i64": 1, "v_cmp_gt_u64": 1,
    "v_min3_u32": 2, "v_min_u32": 1, "v_maxmin_i32": 1
}
WORD = {"u16": 4, "i32": 4, "i64": 8, "f32": 4, "f64": 8}
DENSE = ("relax", "panel", "close")

Shape = collections.namedtuple("Shape", "rows cols tm tn depth stages blocks across pad unrolled")
# A compute unit: registers of a lane, units, lanes of a wave, waves of a unit at most. Local
# memory is 64 KiB.
Machine = collections.namedtuple("Machine", "registers units lanes most sums maxima")
LOCAL = 64 * 1024


def machine_of(arch):
    if arch.startswith("gfx9"):
        return Machine(512, 4, 64, 8, {**SUMS, "i64": 4.0} if arch == "gfx942" else SUMS, MAXIMA)
    return Machine(1536, 2, 32, 16, RDNA_SUMS, RDNA_MAXIMA)


def opcodes(line):
    """The instruction's name; the second of two at once has "+" before it."""
    for k, part in enumerate(line.split("::")):
        found = re.match(r"\s*([a-z]\w+)", part) if k else re.match(r"\t([a-z]\w+)", part)
        if found:
            name = re.sub(r"_e(32|64)(_dpp)?$|_dpp$", "",
                          found[1]).replace("v_dual_", "v_").replace("_num_f", "_f")
            yield "+" + name if k else name


def count(lines):
    return collections.Counter(name for line in lines for name in opcodes(line))


def total(counts, *prefixes):
    return sum(n for name, n in counts.items() if name.startswith(prefixes))


class Kernel:
    """The text of a kernel, and its name taken apart."""

    def __init__(self, machine, name, lines):
        self.machine, self.name, self.lines = machine, name, lines
        self.kernel = re.search(r"\d([a-z]+)_kernel", name)[1]
        found = re.search(r"op_(u16|i32|i64|f32|f64)", name)
        self.dtype, self.maxima = found[1] if found else "", "6maxima" in name

    def number(self, *keys):
        return int(re.search(r"; (?:%s): *(\d+)" % "|".join(keys), "\n".join(self.lines))[1])

    def relaxations(self, counts):
        """A larger and a smaller one by comparisons are two of these."""
        by = 2 if self.maxima and total(counts, "v_cmp_lt_i64", "v_cmp_gt_i64") > 8 else 1
        return sum(n * RELAXED.get(name.lstrip("+"), 0) for name, n in counts.items()) / by

    def least(self):
        return (self.machine.maxima if self.maxima else self.machine.sums)[self.dtype]

    def loops(self):
        """(first, last, counts) of each backward branch, the innermost first."""
        labels = {
            m[1]: i for i, line in enumerate(self.lines)
            if (m := re.match(r"(\.?L?BB\d+_\d+):", line))
        }
        found = [(labels[m[1]], i) for i, line in enumerate(self.lines) if (
            m := re.match(r"\ts_c?branch\w* (\.?L?BB\d+_\d+)", line)) and labels.get(m[1], i) < i]
        return [(a, b, count(self.lines[a:b + 1]))
                for a, b in sorted(found, key=lambda loop: loop[1] - loop[0])]

    def innermost(self):
        loops = self.loops()
        return [
            loop[2] for loop in loops
            if not any(loop[0] <= a and b <= loop[1] and (a, b) != loop[:2] for a, b, _ in loops)
        ]

    def barrier_loop(self):
        barriers = [i for i, line in enumerate(self.lines) if "s_barrier" in line]
        return next(loop for loop in self.loops()
                    if self.relaxations(loop[2]) > 0 and any(loop[0] <= i <= loop[1]
                                                             for i in barriers))


def shares(counts, work):
    return total(counts, "v_") / work, total(counts, "ds_read", "ds_load") / work, total(
        counts, "flat_")


def slab_loop(kernel, shape, lanes):
    """Vector instructions, local reads, flat instructions of a slab, by lane and relaxation: the
    loop over slabs holds a barrier, the loop within it is run depth / unrolled times."""
    outer = kernel.barrier_loop()
    inner = [
        loop for loop in kernel.loops() if kernel.relaxations(loop[2]) > 0 and outer[0] < loop[0]
        and loop[1] <= outer[1] and loop != outer
    ]
    work = shape.tm * shape.tn * shape.depth * lanes
    values = collections.Counter(outer[2])
    if inner:
        for name, n in inner[0][2].items():
            values[name] += n * (work // kernel.relaxations(inner[0][2]) - 1)
    return shares(values, work)


def product_loop(kernel, *loads):
    """The same of the innermost loop that relaxes most of what it loads."""
    best = max((counts for counts in kernel.innermost() if total(counts, *loads)),
               key=kernel.relaxations,
               default=None)
    return shares(best, kernel.relaxations(best)) if best and kernel.relaxations(best) else None


def row_of(kernel):
    registers, local = kernel.number("TotalNumVgprs", "NumVgprs"), kernel.number("LDSByteSize")
    machine, threads = kernel.machine, 256
    row = {
        "kernel": kernel.kernel, "type": kernel.dtype + (" maxima" if kernel.maxima else ""),
        "shape": "", "registers": registers, "scratch": kernel.number("ScratchSize"), "loop": None,
        "moved": ""
    }
    if kernel.kernel in ("relax", "panel"):
        shape = Shape(*map(int, re.findall(r"Li(\d+)", kernel.name)[:10]))
        lanes = 2 if kernel.dtype == "u16" else 1
        threads = shape.rows // shape.tm * (shape.cols // shape.tn)
        local = shape.stages * shape.depth * (shape.rows + shape.cols +
                                              shape.pad) * WORD[kernel.dtype]
        summed = "summed_tile" in kernel.name or "Lb1E" in kernel.name
        row["shape"] = f"{shape.rows} x {shape.cols * lanes}{', summed' if summed else ''}"
        row["loop"] = slab_loop(kernel, shape, lanes)
    elif kernel.kernel == "close":
        counts = kernel.barrier_loop()[2]
        row["shape"] = re.search(r"Li(\d+)", kernel.name)[1]
        row["loop"] = shares(counts, kernel.relaxations(counts))
    elif kernel.kernel in ("walk", "upward"):
        row["shape"] = "counting" if re.search(r"Lb1E", kernel.name) else ""
        row["loop"] = product_loop(kernel, "ds_read", "ds_load", "flat_load")
    elif kernel.kernel == "pass":
        row["loop"] = product_loop(kernel, "global_load", "flat_load")
    else:
        moves = [(total(counts, "global_", "flat_", "ds_", "buffer_"), total(counts, "v_"))
                 for counts in kernel.innermost()]
        row["moved"] = "%d for %d" % max(moves)[::-1] if moves else ""
    waves = machine.registers // max(registers, 1) * machine.units
    if kernel.kernel not in ("walk", "upward"):  # whose local memory is chosen at run time
        waves = min(waves, LOCAL // max(local, 1) * threads // machine.lanes)
    row["waves"] = min(waves, machine.most * machine.units)
    return row


def report(file, kernel):
    """Prints the row; whether something is wrong."""
    row = row_of(kernel)
    print(
        "| {kernel} | {type} | {shape} | {registers} | {waves} | {scratch} |".format(**row),
        "%.3f | %s | %.4f | |" %
        (row["loop"][0], kernel.least(), row["loop"][1]) if row["loop"] else "| | | %s |" %
        row["moved"])
    flat = row["loop"][2] if row["loop"] and kernel.kernel in DENSE else 0
    if row["scratch"] or flat:
        print(
            f"{file}: {kernel.name}: {row['scratch']} bytes of scratch, {flat} flat instructions "
            "in the main loop",
            file=sys.stderr)
    return bool(row["scratch"] or flat)


def main(files):
    wrong = kernels = 0
    for number, file in enumerate(files):
        with open(file) as handle:
            text = handle.read()
        arch = re.search(r"amdgcn-amd-amdhsa-+(gfx\w+)", text)[1]
        if number == 0:
            print(
                f"| {arch} | type | tile | registers | waves a CU | scratch | VALU a relaxation | "
                "least | LDS reads a relaxation |",
                "VALU for loads and stores |")
            print("| --- " * 10 + "|")
        for part in re.split(r"; -- Begin function ", text)[1:]:
            lines = part.split("\n")
            name = lines[0].split()[0]
            if "_kernel" in name and "ScratchSize" in part:
                kernels += 1
                wrong += report(file, Kernel(machine_of(arch), name, lines))
    print(
        f"{'FAIL' if wrong or not kernels else 'ok'} assembly: {arch}, {kernels} kernels, {wrong} "
        "of them with scratch memory or flat"
        " instructions in the main loop")
    return wrong or not kernels


if __name__ == "__main__":
    sys.exit(1 if main(sys.argv[1:]) else 0)
