#!/bin/sh
# --closure: a chain, refusals, and closure.py with the Python PYTHON (default python3).
set -u
cd "$(dirname "$0")/../.."
. tests/common.sh

printf '%s\n' 1,2 2,3 3,3 4,1 >"$scratch/graph.csv"
gives() {
    "$BUILD/apsp" --quiet --device cpu "$@" --closure "$scratch/closure.u8" \
        --force "$scratch/graph.csv" &&
        [ "$(od -An -tu1 "$scratch/closure.u8" | tr -d '\n')" = "   7   6   4  15" ]
}
for ranks in 1 2 3; do
    check "closure: a chain on $ranks ranks" gives --ranks $ranks
done
refused() {
    "$BUILD/apsp" --quiet --closure "$scratch/closure.i32" "$scratch/graph.csv" 2>"$scratch/log"
    [ $? -eq 2 ] && grep -q "is not written" "$scratch/log" && [ ! -e "$scratch/closure.i32" ]
}
check "closure: a file of another type" refused

"${PYTHON:-python3}" tests/cli/closure.py "$BUILD/apsp" "$scratch" 12 >"$scratch/log" 2>&1
status=$?
if [ $status -eq 77 ]; then
    echo "skip closure: $(tail -n 1 "$scratch/log")"
else
    cat "$scratch/log"
    check "closure: as SciPy" [ $status -eq 0 ]
fi
finish
