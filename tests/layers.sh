#!/bin/sh
# Who may include what: `sh tests/layers.sh` checks the sources, then that planted violations are found. A rule looks at
# all headers that a file reaches, through other headers of the project too.
set -eu
cd "$(dirname "$0")/.."

# only FILES HEADERS: no other file reaches such a header.   deny FILES HEADERS: these files reach no such header.
# list FILES HEADERS: of the project's own headers, these files reach no others. Both are regular expressions.
rules='
only ^(comm|transport_(mpi|host|peer))[a-z_]*\.[ch]$        ^(mpi|mpi-ext|comm_mpi)\.h$
only ^(gpu\.h|(backend_gpu|relax_|transport_peer).*)$       ^(gpu|cuda.*|hip.*)\.h$
only ^topology\.c$                                          ^hwloc.*\.h$
list ^solver\.[ch]$                                         ^(apsp|backend|clock|comm|dtype|error|graph|mem|progress|schedule|solver|strip|transport)\.h$
list ^relax_.*$                                             ^(relax_.*\.(h|cuh)|(dtype|gpu|strip)\.h)$
deny ^(options|graph.*|strip|schedule)\.[ch]$               ^(backend|comm|transport)\.h$
list ^(apsp\.c|apsp\.h)$                                    ^apsp\.h$
'

# Prints "FILE reaches HEADER ..." for every violation in the files given.
violations() {
    printf '%s' "$rules" | awk '
    function reach(file, header, i, count, names) {
        count = split(includes[file], names, " ")
        for (i = 1; i <= count; i++) {
            header = names[i]
            if (header in seen)
                continue
            seen[header] = file
            reach(header)
        }
    }
    function judge(file, header, r, broken) {
        for (r = 1; r <= rules; r++) {
            if (kind[r] == "only")
                broken = header ~ headers[r] && file !~ files[r]
            else if (kind[r] == "deny")
                broken = header ~ headers[r] && file ~ files[r]
            else
                broken = (header in path) && header !~ headers[r] && file ~ files[r]
            if (broken)
                printf "%s reaches %s%s: %s %s %s\n", path[file], header,
                       seen[header] == file ? "" : " through " seen[header], kind[r], files[r], headers[r]
        }
    }
    FILENAME == "-" { if (NF == 3) { kind[++rules] = $1; files[rules] = $2; headers[rules] = $3 }; next }
    FNR == 1 { name = FILENAME; sub(/.*\//, "", name); path[name] = FILENAME }
    /^[ \t]*#[ \t]*include[ \t]*[<"]/ {
        header = $0
        sub(/^[^<"]*[<"]/, "", header)
        sub(/[>"].*/, "", header)
        sub(/.*\//, "", header)
        includes[name] = includes[name] " " header
    }
    END {
        for (name in path) {
            for (header in seen)
                delete seen[header]
            reach(name)
            for (header in seen)
                judge(name, header)
        }
    }' - "$@"
}

files=$(ls include/*.h src/*.[ch] src/*.cu src/*.cuh 2>/dev/null || true)
found=$(violations $files)
if [ -n "$found" ]; then
    printf '%s\n' "$found" | sed 's/^/FAIL layers: /'
    exit 1
fi
echo "ok layers: $(echo "$files" | wc -l) files"

# A copy of the sources with one line more in one file must be refused.
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
status=0
while read -r file line; do
    rm -rf "$scratch/src"
    mkdir "$scratch/src"
    cp $files "$scratch/src"
    printf '%s\n' "$line" >>"$scratch/src/$file"
    if [ -n "$(violations "$scratch"/src/*)" ]; then
        echo "ok layers refuse '$line' in $file"
    else
        echo "FAIL layers: '$line' in $file was not refused"
        status=1
    fi
done <<'PLANTED'
solver.c #include <mpi.h>
schedule.h #  include "mpi.h"
backend.h #include <mpi-ext.h>
solver.c #include "gpu.h"
comm.c #include <cuda_runtime.h>
solver.c #include "output.h"
options.c #include "transport.h"
relax_planted.c #include "comm.h"
relax_planted.c #include "backend.h"
certify.c #include <hwloc.h>
apsp.c #include "mem.h"
apsp.h #include "strip.h"
PLANTED
exit $status
