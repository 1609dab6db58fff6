#!/bin/sh
# The pages of the lab in a browser: axes, legends, and no word over another.
set -u
cd "$(dirname "$0")/../.."
. tests/common.sh
command -v gnuplot >/dev/null || { echo "skip page: no gnuplot"; exit; }

# laid_out PAGE: 77 where there is no browser.
laid_out() {
    python3 -B tests/lab/page.py "$1" >"$scratch/log" 2>&1
}
# svg TEXT...: a page with a figure of two axes and a legend, and more.
figure() {
    echo \
        "<figure data-words='x|y|one'><svg width=300 height=200><text x=100 y=190>x</text><text x=10 y=90>y</text><text x=200 y=20>one</text>$*</svg></figure>"
}
figure "<text x=100 y=90>two</text>" >"$scratch/right.html"
laid_out "$scratch/right.html"
[ $? -ne 77 ] || { echo "skip page: $(cat "$scratch/log")"; exit; }

check "page: one that is laid out right" laid_out "$scratch/right.html"
refused() {
    figure "$1" >"$scratch/wrong.html"
    ! laid_out "$scratch/wrong.html" && grep -q "$2" "$scratch/log"
}
check "page: words over each other are refused" refused "<text x=205 y=25>two</text>" overlaps
check "page: words beyond the figure are refused" refused "<text x=290 y=90>twenty</text>" beyond
legend_missing() {
    figure | sed 's/>one</>other</' >"$scratch/wrong.html"
    ! laid_out "$scratch/wrong.html" && grep -q 'one.* is not in' "$scratch/log"
}
check "page: a legend that is missing is refused" legend_missing

# The page of the experiments on this machine's cores, at a small size.
for name in ladder scaling phases; do
    "$BUILD/lab/$name" --device cpu --n 100 --csv "$scratch/$name.csv" >"$scratch/$name.txt" || exit
done
python3 -B lab/report.py "$scratch" >/dev/null
check "page: a page of measured tables is laid out right" laid_out "$scratch/report.html"
cat "$scratch/log"
finish
