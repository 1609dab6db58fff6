#!/bin/sh
# sh python/carry.sh LIBRARY FOLDER MAP: copies to the folder the libraries that this one needs, but
# for those that every Linux system has by the rules of manylinux (PEP 600). Their licences, and
# those of archives that the linker's map names, go to FOLDER/licenses, with a list of all,
# sbom.spdx.json. VERSION is LIBRARY's. libgomp gets a name that no other library asks for, here and
# there: its threads are to wait as apsp/_native.py says, and those of the process's own as they do.
set -eu
CC=${CC:-gcc}
mkdir -p "$2/licenses"
cp LICENSE "$2/licenses/apsp.txt"

needed() {
    readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'
}

# The licence is that of the file's package. In the tree of another machine (gcc --sysroot) packages
# are told by Debian's rule: libNAME.so.VERSION is of libNAMEVERSION.
licence() {
    tree=$($CC -print-sysroot)
    if [ "${1#"${tree:-/}"}" != "$1" ] && [ -n "$tree" ]; then
        text=$tree/usr/share/doc/$(echo "$3" | sed 's/\.so\.//')/copyright
    else
        text=/usr/share/doc/$(dpkg -S "$(realpath "$1")" 2>/dev/null | head -n 1 |
            cut -d: -f1)/copyright
    fi
    case $3 in
    libcuda*) # of the toolkit, or of the package for Python that it is unpacked from
        text=$(find "$(dirname "$1")/.." -name EULA.txt -o -path '*cuda_runtime-*/License.txt' |
            head -n 1) ;;
    esac
    if [ -r "$text" ]; then
        cp -L "$text" "$2/licenses/$3.txt"
    else
        echo \
            "python/carry.sh: no licence of $1 is found: a wheel with it is for this machine alone" \
            >&2
    fi
}

carry() {
    for name in $(needed "$1"); do
        case $name in
        libc.so.* | libm.so.* | libdl.so.* | librt.so.* | libpthread.so.*) continue ;;
        ld-linux* | libgcc_s.so.* | libstdc++.so.*) continue ;;
        esac
        [ ! -e "$2/$name" ] || continue
        found=$($CC -print-file-name="$name")
        [ -e "$found" ] || { echo "python/carry.sh: $name is not found" >&2; exit 1; }
        cp -L "$found" "$2/$name"
        chmod 644 "$2/$name"
        licence "$found" "$2" "$name"
        parts="$parts $found"
        carry "$found" "$2"
    done
}

parts=
carry "$1" "$2"
for archive in $(sed -n 's/^\(\/[^(]*\.a\)(.*/\1/p' "$3" | sort -u); do
    licence "$archive" "$2" "$(basename "$archive")"
    parts="$parts $archive"
done
# shellcheck disable=SC2086 # words
"${PYTHON:-python3}" packaging/sbom.py "$1" "$VERSION" $parts >"$2/licenses/sbom.spdx.json"
if [ -e "$2/libgomp.so.1" ]; then
    mv "$2/libgomp.so.1" "$2/apsp-gomp.so"
    LC_ALL=C sed -i 's/libgomp\.so\.1/apsp-gomp.so/g' "$1" "$2"/*.so* # as long as the other
fi
