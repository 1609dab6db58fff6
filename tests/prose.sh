#!/bin/sh
# Plain words in documents, man pages, comments of headers and messages (tests/prose.py, words.txt),
# and a planted failure of each kind.
set -u
cd "$(dirname "$0")/.."
. tests/common.sh

checked() {
    python3 -B tests/prose.py "$@"
}
check "prose: documents" checked README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md \
    python/README.md python/nx_apsp/README.md \
    docs/*.md docs/*/*.md
check "prose: man pages" checked docs/man/*
# shellcheck disable=SC2046 # a list of files
check "prose: comments of headers" checked $(find include src lab tests bench -name '*.h' -o \
    -name '*.cuh')
# shellcheck disable=SC2046 # a list of files
check "prose: width of scripts" checked .ci/run .githooks/pre-commit bench/scaling Makefile \
    $(git ls-files '*.sh' '*.mk' '*.py' launch debian/tests | grep -vE 'hostfile|control')
# shellcheck disable=SC2046 # a list of files
check "prose: messages, --help and comments of sources" checked \
    $(find src -name '*.c' -o -name '*.cu')


# Every message is in the list that was read (docs/internals/messages.md).
check "prose: the list of messages (make messages)" python3 -B tests/messages.py docs/messages
cp -r docs/messages "$scratch/messages"
sed -i 's/%s is missing/%s is gone/' "$scratch/messages/cli.txt"
check "prose: a message that is not in the list is found" \
    sh -c '! python3 -B tests/messages.py "$1" >"$1.log" && grep -q "%s is gone" "$1.log"' sh \
    "$scratch/messages"

# found NAME TEXT FILE: the file has one finding, with that text.
found() {
    python3 -B tests/prose.py "$scratch/$2" >"$scratch/found"
    [ $? -eq 1 ] && [ "$(wc -l <"$scratch/found")" -eq 1 ] && grep -q "$1" "$scratch/found"
}
many=$(seq 36 | sed 's/.*/word/' | tr '\n' ' ')
echo "$many." | fold -s -w 90 >"$scratch/long.md"
check "prose: a long sentence is found" found '36 words' long.md
for sentence in 1 2 3 4 5 6; do
    echo "$many" | cut -d ' ' -f -21 | sed 's/word/Word/; s/$/./' | fold -s -w 90
done >"$scratch/mean.md"
check "prose: a mean of 21 words is found" found '21.0 words a sentence' mean.md
seq 101 | sed 's/.*/a/' | tr -d '\n' >"$scratch/wide.md"
check "prose: a wide line is found" found '101 columns' wide.md
sed 's/^/if /' "$scratch/wide.md" >"$scratch/wide.sh"
check "prose: a wide line of a script is found" found 'wide.sh:1: 104 columns' wide.sh
sed 's/^/x = /' "$scratch/wide.md" >"$scratch/wide.py"
check "prose: a wide line of Python is found" found 'wide.py:1: 105 columns' wide.py
sed 's/^/X := /' "$scratch/wide.md" >"$scratch/wide.mk"
check "prose: a wide line of a make file is found" found 'wide.mk:1: 106 columns' wide.mk
{ printf 'cat <<END\n' && cat "$scratch/wide.md" && printf '\nEND\n'; } >"$scratch/data.sh"
check "prose: a here-document is no finding" checked "$scratch/data.sh"
sed 's/^/.B /' "$scratch/wide.md" >"$scratch/wide.1"
check "prose: a wide line of a man page is found" found 'wide.1:1: 104 columns' wide.1
echo 'What is missing is found.' >"$scratch/opening.md"
check "prose: an opening is found" found 'the opening hides the subject' opening.md
printf '.TH X 1\nEach row is somehow right, whoever wrote it.\n' >"$scratch/word.1"
check "prose: a word of a man page is found" found "'whoever'" word.1
printf '/* Makes a wish of\n * the rows. */\nint row;\n' >"$scratch/word.h"
check "prose: a word of a comment is found" found "'wish'" word.h
printf 'int rows; /* of the matrix, */\nint columns; /* and its columns */\n' >"$scratch/field.h"
check "prose: a comment that goes on in the next one is found" found \
    'field.h:1: the comment goes on' field.h
printf '/* Makes a wish of\n * the rows, whose `wish` stays. */\nint row;\n' >"$scratch/comment.c"
check "prose: a word of a source's comment is found" found "'wish'" comment.c
printf 'int space_patience(int seconds);\n' >"$scratch/name.h"
check "prose: a word of a name is found" found "space_patience: 'patience'" name.h
printf 'error_set(error, 1, "no whole "\n  "numbers in %%s", path); /* integers */\n' \
    >"$scratch/word.c"
check "prose: a word of a message is found" found "'whole numbers'" word.c
printf 'The `wish` of a foreign function is right.\n\n```\nwhole numbers\n```\n' \
    >"$scratch/right.md"
check "prose: code and contexts are no finding" checked "$scratch/right.md"
finish
