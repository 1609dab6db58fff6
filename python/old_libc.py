"""python3 old_libc.py VERSION FILE...: shared libraries run with this version of glibc and later.

A symbol that asks for a newer version asks for none afterwards; the loader then takes the default
version that the system has. This fits functions that only moved between libraries (pthread_create,
dlopen, shm_open: into libc in 2.34) or report errors otherwise (exp, log, pow in 2.29). Symbols
that an older glibc lacks are not made by this: python/old_libc.c has those. Any other is refused.
The file's format: the System V ABI, and "ELF Symbol Versioning" of the Linux Standard Base.
"""

import re
import struct
import sys

DYNSYM, VERNEED, VERSYM = 11, 0x6FFFFFFE, 0x6FFFFFFF  # types of sections
MOVED = re.compile(r"(pthread|sem|shm)_(?!\w*clock)|dl|(exp|log|log2|pow)$")


class Library:
    """The sections of a 64-bit little-endian ELF file that tell which versions it asks for."""

    def __init__(self, data):
        if data[:6] != b"\x7fELF\x02\x01":
            raise ValueError("no 64-bit little-endian ELF file")
        self.data = data
        table, size, count = self.take("<Q", 40)[0], *self.take("<HH", 58)
        sections = [self.take("<IIQQQQII", table + size * i) for i in range(count)]
        kinds = {section[1]: section for section in sections}
        self.symbols, self.versions = kinds[DYNSYM], kinds[VERSYM]
        self.needs, self.texts = kinds[VERNEED], sections[kinds[DYNSYM][6]]

    def take(self, form, at):
        return struct.unpack_from(form, self.data, at)

    def text(self, at):
        at += self.texts[4]
        return self.data[at : self.data.index(b"\0", at)].decode()

    def drop(self, limit):
        """Takes requests for versions above the limit out of their lists: their numbers, named."""
        dropped = {}
        need = self.needs[4]
        for _ in range(self.needs[7]):
            _, count, _, first, following = self.take("<HHIII", need)
            kept, at = [], need + first
            for _ in range(count):
                _, _, number, name, step = self.take("<IHHII", at)
                version = self.text(name)
                if version.startswith("GLIBC_2.") and version_of(version[6:]) > limit:
                    dropped[number] = version
                else:
                    kept.append(at)
                at += step
            if not kept:
                raise ValueError("it asks a library for versions after %s alone" % (limit,))
            struct.pack_into("<H", self.data, need + 2, len(kept))
            struct.pack_into("<I", self.data, need + 8, kept[0] - need)
            for at, after in zip(kept, kept[1:] + kept[-1:]):
                struct.pack_into("<I", self.data, at + 12, after - at)
            need += following
        return dropped

    def release(self, numbers):
        """The symbols of these versions ask for none from now on."""
        for i in range(self.symbols[5] // 24):
            at = self.versions[4] + 2 * i
            number = self.take("<H", at)[0]
            if number not in numbers:
                continue
            name = self.text(self.take("<I", self.symbols[4] + 24 * i)[0])
            if not MOVED.match(name):
                raise ValueError("%s is of %s, and no older glibc has it" % (name, numbers[number]))
            struct.pack_into("<H", self.data, at, 1)


def version_of(text):
    return tuple(int(part) for part in text.split("."))


def main(limit, *paths):
    for path in paths:
        with open(path, "rb") as file:
            library = Library(bytearray(file.read()))
        try:
            library.release(library.drop(version_of(limit)))
        except ValueError as error:
            sys.exit("%s: %s" % (path, error))
        with open(path, "wb") as file:
            file.write(library.data)


main(*sys.argv[1:])
