#!/bin/sh
# Who may include what, that no files of a folder call each other in a circle, and that only run/
# and cli/ name options. `sh tests/layers.sh` checks the sources, then that planted violations are
# found.
set -eu
cd "$(dirname "$0")/.."

# The folders of src/ in their order: a file includes from its own folder and from those before it,
# and includes name the folder. What follows `not` on a line is left out all the same. A file
# elsewhere is an error.
folders='
include
base
files
comm
graph
proof
problem
kernels       not comm graph proof problem
kernels/cpu   not comm graph proof problem
kernels/gpu   not comm graph proof problem kernels/cpu
rows
rows/gpu
distances
engine
dense
sparse        not dense
sparse/gpu    not dense
spanning      not dense sparse
sssp          not dense sparse spanning
sssp/gpu      not dense sparse spanning
solve         not dense sparse spanning sssp
library       not dense sparse spanning sssp
run           not dense sparse spanning sssp library
cli
'

# HEADERS FILES, regular expressions: no other file reaches such a header, through other headers of
# the project too.
only='
^(mpi|mpi-ext)\.h$                   ^(comm/mpi[^/]*\.c|apsp_mpi\.h)$
^comm/ops\.h$                        ^comm/.*$
^(kernels/gpu/gpu|cuda.*|hip.*)\.h$  ^(.*/gpu/.*|dense/(.*_gpu.*|transport_peer\.cu))$
'

# Prints a line for every violation in the tree at $1, which holds include/ and src/.
violations() (
    cd "$1"
    { printf '%s' "$folders" | sed 's/^/folder /'; printf '%s' "$only" | sed 's/^/only /'; } |
        awk '
    function folder_of(file) { return sub(/\/[^\/]*$/, "", file) ? file : "" }
    # The folder as the order knows it: headers of include/ are included by their bare names.
    function place(header) { return header in file_at &&
        file_at[header] ~ /^include\// ? "include" : folder_of(header) }
    function reach(name, names, count, i) {
        count = split(includes[name], names, " ")
        for (i = 1; i <= count; i++)
            if (!(names[i] in seen)) {
                seen[names[i]] = name
                reach(names[i])
            }
    }
    function judge_order(name, names, count, i, own, other) {
        own = place(name)
        count = split(includes[name], names, " ")
        for (i = 1; i <= count; i++) {
            if (!(names[i] in quoted))
                continue
            if (!(names[i] in file_at)) {
                print file_at[name] " includes \"" names[i] "\", which is no file of the project"
                continue
            }
            other = place(names[i])
            if (other != own && (order[other] >= order[own] || index(banned[own], " " other " ")))
                print file_at[name] " includes " names[i] ": " other " does not come before " own
        }
    }
    FILENAME == "-" && $1 == "folder" && NF > 1 {
        order[$2] = ++folder_count
        $1 = ""
        banned[$2] = $0 " "
        next
    }
    FILENAME == "-" && $1 == "only" && NF == 3 { headers[++rules] = $2; files[rules] = $3; next }
    FILENAME == "-" { next }
    FNR == 1 {
        name = FILENAME
        sub(/^(src|include)\//, "", name)
        file_at[name] = FILENAME
    }
    /^[ \t]*#[ \t]*include[ \t]*[<"]/ {
        header = $0
        sub(/^[^<"]*[<"]/, "", header)
        sub(/[>"].*/, "", header)
        if ($0 ~ /include[ \t]*"/)
            quoted[header] = 1
        includes[name] = includes[name] " " header
    }
    END {
        for (name in file_at) {
            if (!(place(name) in order)) {
                print file_at[name] " lies in no folder of the order"
                continue
            }
            judge_order(name)
            for (header in seen)
                delete seen[header]
            reach(name)
            for (header in seen)
                for (r = 1; r <= rules; r++)
                    if (header ~ headers[r] && name !~ files[r])
                        print file_at[name] " reaches " header \
                            (seen[header] == name ? "" : " through " seen[header])
        }
    }' - $(find include src -type f -name '*.[ch]' -o -type f -name '*.cu' -o -type f -name '*.cuh')
)

# Prints a line for every file in the tree at $1 that calls another one of its folder which calls it
# back, by itself or through others. Functions are found by a name at the start of a line, before a
# parenthesis, with a brace at the start of a line after it. Functions of a namespace are the
# file's own.
circles() (
    cd "$1"
    # shellcheck disable=SC2046
    awk '
    function folder_of(file) { sub(/[^\/]*$/, "", file); return file }
    function reach(at, names, count, i) {
        count = split(calls[at], names, " ")
        for (i = 1; i <= count; i++)
            if (!(names[i] in seen)) {
                seen[names[i]] = at
                reach(names[i])
            }
    }
    FNR == 1 { head = ""; hidden = 0 }
    /^namespace/ { hidden = 1 } # Its functions are of the file alone.
    /^[}].*namespace/ { hidden = 0 }
    /^[a-z].*[(]/ && !hidden && !/^(static|typedef|extern)/ { head = $0 }
    /^[a-z].*;[ \t]*$/ { head = "" }
    /^[{]/ && head != "" {
        sub(/[(].*/, "", head)
        sub(/.*[ *]/, "", head)
        home[folder_of(FILENAME) head] = FILENAME
        head = ""
    }
    !/^[ \t]*(\/\*|\*|#[ \t]*include)/ { text[++texts] = $0; from[texts] = FILENAME }
    END {
        for (t = 1; t <= texts; t++) {
            line = text[t]
            gsub(/(enum|struct|union) [a-z_0-9]+/, "", line) # Tags have names of their own.
            while (match(line, /[a-z_][a-z_0-9]*/)) {
                called = folder_of(from[t]) substr(line, RSTART, RLENGTH)
                line = substr(line, RSTART + RLENGTH)
                if (called in home && home[called] != from[t] &&
                    !((from[t], home[called]) in edge)) {
                    edge[from[t], home[called]] = 1
                    calls[from[t]] = calls[from[t]] " " home[called]
                }
            }
        }
        for (at in calls) {
            for (other in seen)
                delete seen[other]
            reach(at)
            if (at in seen)
                print at " calls itself through " seen[at]
        }
    }' $(find src -name '*.c' -o -name '*.cu' -o -name '*.cuh')
)

# Prints a line for every option of a command, as the tables of src/cli have them, that a text or a
# comment below run/ and cli/ in the tree at $1 names. Messages name settings (base/setting.h).
options() (
    cd "$1"
    # shellcheck disable=SC2046
    awk '
    # The texts and comments of a line. A comment may go on in the next one.
    function words_of(line, words) {
        while (line != "") {
            if (inside && !index(line, "*/"))
                return words line
            if (inside) {
                inside = 0
                words = words substr(line, 1, index(line, "*/"))
                line = substr(line, index(line, "*/") + 2)
            } else if (match(line, /"([^"\\]|\\.)*"|\047([^\047\\]|\\.)*\047|\/\*/)) {
                inside = substr(line, RSTART, 2) == "/*"
                words = words substr(line, RSTART, RLENGTH)
                line = substr(line, RSTART + RLENGTH)
            } else
                return words
        }
        return words
    }
    FNR == 1 { inside = 0 }
    FILENAME ~ /^src\/cli\// {
        while (match($0, /(OPTION_[A-Z0-9]+,|alias =) "[a-z-]+"/)) {
            name = substr($0, RSTART, RLENGTH - 1)
            sub(/.*"/, "", name)
            known[name] = 1
            $0 = substr($0, RSTART + RLENGTH)
        }
        next
    }
    {
        line = words_of($0)
        while (match(line, /--[a-z][a-z-]*[a-z]/)) {
            name = substr(line, RSTART + 2, RLENGTH - 2)
            line = substr(line, RSTART + RLENGTH)
            if (name in known || name == "help" || name == "version")
                print FILENAME ":" FNR " names the option --" name
        }
    }' $(find src/cli -type f) $(find src -type f ! -path 'src/cli/*' ! -path 'src/run/*')
)

# Prints a line for every function of more than 60 lines, and every file of src/ of more than 450,
# in the tree at $1. A function lies between braces at the starts of lines.
sizes() (
    cd "$1"
    # shellcheck disable=SC2046
    awk '
    function end_file() {
        if (lines > 450)
            print file " has " lines " lines, more than 450"
    }
    FNR == 1 { end_file(); file = FILENAME; begun = 0; line = "" }
    /^[{]/ && line !~ /^namespace/ { begun = FNR }
    /^[}]/ && begun {
        if (FNR - begun - 1 > 60)
            print FILENAME ":" begun ": a function of " FNR - begun - 1 " lines, more than 60"
        begun = 0
    }
    { line = $0; lines = FNR }
    END { end_file() }' $(find src -type f -name '*.[ch]' -o -type f -name '*.cu' -o \
        -type f -name '*.cuh')
)

found=$(violations . && circles . && options . && sizes .)
if [ -n "$found" ]; then
    printf '%s\n' "$found" | sed 's/^/FAIL layers: /'
    exit 1
fi
echo "ok layers: $(find include src -type f | wc -l) files"

# A copy of the sources with one line more in one file, which may be new, must be refused.
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
status=0
while read -r file line; do
    rm -rf "$scratch/src" "$scratch/include"
    cp -r include src "$scratch"
    mkdir -p "$scratch/$(dirname "$file")"
    printf '%s\n' "$line" >>"$scratch/$file"
    if [ -n "$(violations "$scratch")" ]; then
        echo "ok layers refuse '$line' in $file"
    else
        echo "FAIL layers: '$line' in $file was not refused"
        status=1
    fi
done <<'PLANTED'
src/dense/rounds.c #include <mpi.h>
src/dense/transport_mpi.c #  include <mpi.h>
src/comm/ops.h #include <mpi.h>
src/dense/schedule.h #include "comm/ops.h"
src/dense/backend.h #include <mpi-ext.h>
src/dense/rounds.c #include "kernels/gpu/gpu.h"
src/comm/comm.c #include <cuda_runtime.h>
src/dense/backend.h #include "kernels/gpu/kernels.h"
src/base/mem.c #include "comm/comm.h"
src/comm/solo.c #include "graph/graph.h"
src/graph/csr.c #include "proof/potential.h"
src/proof/certify.c #include "rows/matrix.h"
src/kernels/cpu/planted.c #include "comm/comm.h"
src/kernels/cpu/planted.c #include "graph/graph.h"
src/kernels/gpu/planted.cu #include "kernels/cpu/relax.h"
src/rows/matrix.c #include "dense/backend.h"
src/dense/planted.c #include "run/report.h"
src/dense/planted.c #include "run/options.h"
src/solve/planted.c #include "run/options.h"
src/library/planted.c #include "run/run.h"
src/run/planted.c #include "library/library.h"
src/solve/planted.c #include "dense/backend.h"
src/dense/planted.c #include "sparse/planted.h"
src/sparse/planted.c #include "dense/backend.h"
src/run/planted.c #include "cli/options.h"
src/cli/planted.c #include "planted.h"
src/planted.c #include "base/mem.h"
src/other/planted.c #include "base/mem.h"
include/planted.h #include "base/range.h"
PLANTED

# A call back, by itself or by way of a third file.
for call in 'src/run/files.c run_make' 'src/solve/choose.c plan_make' \
    'src/library/copy.c apsp_find_path' 'src/sparse/gpu/upload.cu gpu_expander_take'; do
    rm -rf "$scratch/src"
    cp -r src "$scratch"
    echo "static const void *const planted = (const void *)${call#* };" >>"$scratch/${call% *}"
    if [ -n "$(circles "$scratch")" ]; then
        echo "ok layers refuse a call of ${call#* } in ${call% *}"
    else
        echo "FAIL layers: a call of ${call#* } in ${call% *} was not refused"
        status=1
    fi
done

# An option in a text, in a comment, under its older name; those of other programs are none.
while read -r file line; do
    rm -rf "$scratch/src"
    cp -r src "$scratch"
    printf '%s\n' "$line" >>"$scratch/$file"
    if options "$scratch" | grep -q 'names the option'; then
        echo "ok layers refuse '$line' in $file"
    else
        echo "FAIL layers: '$line' in $file was not refused"
        status=1
    fi
done <<'PLANTED'
src/graph/open.c static const char planted[] = "%s: use --columns";
src/rows/sink.h /* Asked for by --stats. */
src/dense/planted.cu static const char planted = '"', text[] = "\"--tile\" is too large";
src/engine/planted.c int planted; /* begins here, unlike --this, */ /* and names --parallel */
PLANTED
rm -rf "$scratch/src"
cp -r src "$scratch"
printf '%s\n' 'int planted = --count; /* --mpi=pmix of srun */' >>"$scratch/src/base/mem.c"
if [ -n "$(options "$scratch")" ]; then
    echo "FAIL layers: an option of srun, or a number less one, was refused"
    status=1
fi

# planted_size LINE TIMES WHAT: so many lines more, in a function of their own.
planted_size() {
    rm -rf "$scratch/src"
    cp -r src "$scratch"
    {
        echo "static void planted(void)"
        echo "{"
        yes "$1" | head -n "$2"
        echo "}"
    } >>"$scratch/src/base/range.h"
    if sizes "$scratch" | grep -q "$3"; then
        echo "ok layers refuse $3"
    else
        echo "FAIL layers: $3 was not refused"
        status=1
    fi
}
planted_size '    planted();' 61 'a function of 61 lines'
planted_size '}' 450 'lines, more than 450'
exit $status
