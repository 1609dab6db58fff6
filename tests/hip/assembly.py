"""What a compiler for AMD made of the kernels: python3 assembly.py FILE.s...

A row for each kernel: registers of a lane, waves of a compute unit (512 registers a lane and 64 KiB of local memory are there), bytes
of scratch; of the main loop the vector instructions and the reads of local memory for each relaxation, beside the least that the
instruction set allows. Fails where a kernel has scratch or its main loop goes to local memory by flat instructions.
"""

import collections
import re
import sys

# Vector instructions of a relaxation at least. i32: two sums and a minimum of three; u16: two lanes a word; f32: two lanes a sum and
# a minimum of three; i64: a sum of two halves, a comparison, two choices (gfx942 has the sum in one); f64: a sum and a minimum.
LEAST = {"u16": 1.0, "i32": 1.5, "i64": 5.0, "f32": 1.0, "f64": 2.0}
LEAST_942 = {**LEAST, "i64": 4.0}
RELAXED = {"v_pk_min_u16": 2, "v_min3_i32": 2, "v_min_i32": 1, "v_min3_f32": 2, "v_min_f32": 1, "v_min_f64": 1, "v_cmp_lt_i64": 1,
           "v_cmp_lt_u64": 1, "v_cmp_gt_i64": 1, "v_cmp_gt_u64": 1, "v_min3_u32": 2, "v_min_u32": 1}
REGISTERS, LOCAL, UNITS, WAVE = 512, 64 * 1024, 4, 64
WORD = {"u16": 4, "i32": 4, "i64": 8, "f32": 4, "f64": 8}

Shape = collections.namedtuple("Shape", "rows cols tm tn depth stages blocks across pad unrolled")


def opcode(line):
    found = re.match(r"\t([a-z]\w+)", line)
    return re.sub(r"_e(32|64)$", "", found[1]) if found else None


def count(lines):
    return collections.Counter(filter(None, map(opcode, lines)))


def total(counts, *prefixes):
    return sum(n for name, n in counts.items() if name.startswith(prefixes))


def relaxations(counts):
    return sum(n * RELAXED.get(name, 0) for name, n in counts.items())


def loops_of(lines):
    """(first, last) line of each backward branch, the innermost first."""
    labels = {m[1]: i for i, line in enumerate(lines) if (m := re.match(r"(\.?L?BB\d+_\d+):", line))}
    found = [(labels[m[1]], i) for i, line in enumerate(lines)
             if (m := re.match(r"\ts_c?branch\w* (\.?L?BB\d+_\d+)", line)) and labels.get(m[1], i) < i]
    return sorted(found, key=lambda loop: loop[1] - loop[0])


def slab_loop(lines, shape, lanes):
    """Vector instructions, local reads, flat instructions of a slab, by lane and relaxation: the loop over slabs holds a barrier, the
    loop within it is run depth / unrolled times."""
    barriers = [i for i, line in enumerate(lines) if "s_barrier" in line]
    loops = [(a, b, count(lines[a:b + 1])) for a, b in loops_of(lines)]
    loops = [loop for loop in loops if relaxations(loop[2]) > 0]
    outer = next(loop for loop in loops if any(loop[0] <= i <= loop[1] for i in barriers))
    inner = [loop for loop in loops if outer[0] < loop[0] and loop[1] <= outer[1] and loop != outer]
    work = shape.tm * shape.tn * shape.depth * lanes
    values = collections.Counter(outer[2])
    if inner:
        for name, n in inner[0][2].items():
            values[name] += n * (work // relaxations(inner[0][2]) - 1)
    return total(values, "v_") / work, total(values, "ds_read", "ds_load") / work, total(values, "flat_")


def product_loop(lines):
    """The same of the longest innermost loop that relaxes what it reads."""
    best = None
    loops = loops_of(lines)
    for a, b in loops:
        if any(a <= c and d <= b and (c, d) != (a, b) for c, d in loops):
            continue
        counts = count(lines[a:b + 1])
        if total(counts, "ds_read", "ds_load") and (not best or relaxations(counts) > relaxations(best)):
            best = counts
    work = relaxations(best)
    return total(best, "v_") / work, total(best, "ds_read", "ds_load") / work, total(best, "flat_")


def row_of(name, lines):
    text = "\n".join(lines)
    number = lambda key: int(re.search(r"; %s: *(\d+)" % key, text)[1])
    kernel, dtype = re.search(r"\d(relax|panel|close|walk|upward)_kernelI.*?op_(u16|i32|i64|f32|f64)", name).groups()
    row = {"kernel": kernel, "type": dtype, "shape": "", "registers": number("TotalNumVgprs"), "scratch": number("ScratchSize")}
    local, threads = number("LDSByteSize"), 256
    if kernel in ("relax", "panel"):
        shape = Shape(*map(int, re.findall(r"Li(\d+)", name)[:10]))
        lanes = 2 if dtype == "u16" else 1
        threads = shape.rows // shape.tm * (shape.cols // shape.tn)
        local = shape.stages * shape.depth * (shape.rows + shape.cols + shape.pad) * WORD[dtype]
        summed = "summed_tile" in name or "Lb1E" in name
        row["shape"] = f"{shape.rows} x {shape.cols * lanes}{', summed' if summed else ''}"
        row["vector"], row["reads"], row["flat"] = slab_loop(lines, shape, lanes)
    elif kernel == "walk":
        row["shape"] = "counting" if re.search(r"Lb1E", name) else ""
        row["vector"], row["reads"], row["flat"] = product_loop(lines)
    elif kernel == "close":
        row["shape"] = re.search(r"Li(\d+)", name)[1]
    waves = REGISTERS // row["registers"] * UNITS
    if kernel not in ("walk", "upward"):  # whose local memory is chosen at run time
        waves = min(waves, LOCAL // max(local, 1) * threads // WAVE)
    row["waves"] = min(waves, 8 * UNITS)
    return row


def has_scratch(file, name, text):
    found = re.search(r"; ScratchSize: *(\d+)", text)
    if not found or int(found[1]) == 0:
        return False
    print(f"{file}: {name}: {found[1]} bytes of scratch", file=sys.stderr)
    return True


def main(files):
    wrong = 0
    for file in files:
        text = open(file).read()
        arch = re.search(r"amdgcn-amd-amdhsa--(gfx\w+)", text)[1]
        least = LEAST_942 if arch == "gfx942" else LEAST
        print(f"| {arch} | type | tile | registers | waves a CU | scratch | VALU a relaxation | least | LDS reads a relaxation |")
        print("| --- " * 9 + "|")
        for part in re.split(r"; -- Begin function ", text)[1:]:
            lines = part.split("\n")
            name = lines[0].split()[0]
            if not re.search(r"(relax|panel|close|walk|upward)_kernelI", name):
                wrong += has_scratch(file, name, part)
                continue
            row = row_of(name, lines)
            loop = "vector" in row
            print("| {kernel} | {type} | {shape} | {registers} | {waves} | {scratch} |".format(**row),
                  "{:.3f} | {} | {:.4f} |".format(row["vector"], least[row["type"]], row["reads"]) if loop else "| | |")
            if row["scratch"] or row.get("flat") and row["kernel"] != "walk":
                print(f"{file}: {name}: {row['scratch']} bytes of scratch, {row.get('flat', 0)} flat instructions in the main loop",
                      file=sys.stderr)
                wrong += 1
    return wrong


if __name__ == "__main__":
    sys.exit(1 if main(sys.argv[1:]) else 0)
