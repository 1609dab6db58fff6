#!/bin/sh
# Files that others have made, as their packages bring them: each opens as it is, on 1 and 2 ranks,
# with the distances of networkx, igraph or SciPy. They are looked for in /, in Python's packages,
# and in the folder APSP_SAMPLES (default $BUILD/samples), which tests/samples.sh fills; APSP_GRAPHS
# (default ../shared/graphs) has the graphs of DIMACS.
set -u
cd "$(dirname "$0")/../.."
. tests/common.sh

python=${PYTHON:-python3}
if ! "$python" -c 'import networkx, scipy' 2>/dev/null; then
    echo "skip real: $python has no networkx and SciPy; PYTHON names another one"
    exit 77
fi
"$python" tests/cli/real.py "$BUILD/apsp" "$scratch" "${APSP_SAMPLES:-$BUILD/samples}" \
    "${APSP_GRAPHS:-../shared/graphs}"
exit
