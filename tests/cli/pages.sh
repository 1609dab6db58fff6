#!/bin/sh
# The examples of README.md and of the guides: each command runs, and prints what the page shows.
set -u
cd "$(dirname "$0")/../.."
. tests/common.sh
python=$(command -v "${PYTHON:-python3}")
"$python" -c 'import scipy, networkx' 2>/dev/null || {
    echo "skip pages: no SciPy and networkx for $python"
    exit
}
mkdir "$scratch/bin"
# a link would leave its environment
printf '#!/bin/sh\nexec %s "$@"\n' "$python" >"$scratch/bin/python3"
chmod +x "$scratch/bin/python3"
PATH=$scratch/bin:$(cd "$BUILD" && pwd):$PATH
PYTHONPATH=$PWD/python APSP_LIBRARY=$(cd "$BUILD" && pwd)/libapsp.so
export PATH PYTHONPATH APSP_LIBRARY

for page in README.md docs/guide/*.md; do
    if grep -q 'import.*matplotlib' "$page" && ! "$python" -c 'import matplotlib' 2>/dev/null; then
        echo "skip pages: $page: no matplotlib for $python"
        continue
    fi
    ! grep -q 'import apsp' "$page" || can_load "pages: $page" || continue
    check "pages: $page" "$python" -B tests/cli/pages.py "$scratch" "$page"
done
# An output that is not shown is noticed.
sed 's/^LUX,JFK,555$/LUX,JFK,554/' README.md >"$scratch/wrong.md"
check "pages: another output is an error" sh -c '! "$@"' sh "$python" -B tests/cli/pages.py \
    "$scratch" "$scratch/wrong.md"
finish
