#!/bin/sh
# Every harness of tests/fuzz takes its seeds without complaint: inputs that it was started from,
# and that were worth keeping.
set -u
cd "$(dirname "$0")/../.."
. tests/common.sh

for folder in tests/fuzz/seeds/*; do
    name=${folder##*/}
    check "corpus: $name, $(ls "$folder" | wc -l) files" "$BUILD/tests/fuzz/replay-$name" \
        "$folder"/*
done
finish
