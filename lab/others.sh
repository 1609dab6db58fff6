#!/bin/sh
# Runs a command, and writes how many cores other work had meanwhile, and how many there are:
# sh lab/others.sh FILE COMMAND...
file=$1
shift
before=$(head -n 1 /proc/stat)
"$@"
status=$?
times >"$file" # of this shell and, in the second line, of what it ran
{
    echo "$before"
    head -n 1 /proc/stat
    tail -n 1 "$file"
} | awk -v ticks="$(getconf CLK_TCK)" -v cores="$(grep -c '^cpu[0-9]' /proc/stat)" '
    /^cpu/ {
        for (i = 2; i <= 9; i++) # user to steal, of all cores
            whole += (NR == 1 ? -1 : 1) * $i / ticks
        idle += (NR == 1 ? -1 : 1) * ($5 + $6) / ticks
    }
    !/^cpu/ {
        for (i = 1; i <= 2; i++) {
            split($i, time, /[ms]/)
            own += 60 * time[1] + time[2]
        }
    }
    END {
        others = (whole - idle - own) / (whole / cores + 0.01)
        if (others < 0)
            others = 0
        printf "%.2f %d\n", others, cores
    }' >"$file.new" && mv "$file.new" "$file"
exit $status
