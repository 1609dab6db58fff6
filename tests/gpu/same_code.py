"""Compares the machine code of kernels: python3 same_code.py OLD NEW, folders of cubins of the
same names.

Every kernel of OLD is looked up by its name in NEW. Names hold a number that depends on the file's
text, which is left away.
"""

import os
import re
import struct
import sys


def kernels_of(folder):
    """Bytes of the code of each kernel, by file-independent name."""
    found = {}
    for file in sorted(os.listdir(folder)):
        with open(os.path.join(folder, file), "rb") as handle:
            elf = handle.read()
        start = struct.unpack_from("<Q", elf, 40)[0]
        size, count, names = struct.unpack_from("<HHH", elf, 58)
        sections = [struct.unpack_from("<IIQQQQ", elf, start + i * size) for i in range(count)]
        for name, _, _, _, offset, length in sections:
            at = sections[names][4] + name
            text = elf[at:elf.index(b"\0", at)].decode()
            if text.startswith(".text."):
                found[re.sub(r"[0-9]*_GLOBAL__N__[0-9a-f]{8}_[0-9]+_\w+?_cu_[0-9a-f]{8}(_[0-9]+)?",
                             "", text[6:])] = elf[offset:offset + length]
    return found


def main(old, new):
    before, after = kernels_of(old), kernels_of(new)
    missing = sorted(set(before) - set(after))
    changed = sorted(name for name in before if name in after and before[name] != after[name])
    for name in missing:
        print("# gone: " + name)
    for name in changed:
        print("# other code: %s, %d bytes, %d before" % (name, len(after[name]), len(before[name])))
    print("%s: %d kernels, %d of them with other code, %d gone; %d are new" %
          ("FAIL" if changed or missing else "ok", len(before), len(changed), len(missing),
           len(set(after) - set(before))))
    return bool(changed or missing)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
