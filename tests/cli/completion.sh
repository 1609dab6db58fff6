#!/bin/sh
# Completion of command lines by bash, and by zsh where it is there, and what `make install` and
# `make uninstall` do about it.
set -u
cd "$(dirname "$0")/../.."
. tests/common.sh

if ! command -v bash >/dev/null; then
    echo "skip completion: bash is not installed"
    finish
fi
mkdir "$scratch/files"
touch "$scratch/files/graph.gr" "$scratch/files/two words.gr"
for program in apsp apsp-gen apsp-query apsp-verify; do
    "$BUILD/$program" --completion bash >"$scratch/$program.bash"
    "$BUILD/$program" --completion zsh >"$scratch/_$program"
done

# completes LINE: what bash offers for its last word, one a line, as its own splitting has the
# words: also at `=`.
completes() {
    (cd "$scratch/files" && bash --norc -c '
        source "$1.bash"
        line=$2
        read -ra COMP_WORDS <<<"${line//=/ = }"
        [[ $line == *[\ =] ]] && COMP_WORDS+=("")
        [[ $line == *= ]] && unset "COMP_WORDS[-1]"
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
        "_${COMP_WORDS[0]//-/_}"
        printf "%s\n" "${COMPREPLY[@]}"' bash "$scratch/${1%% *}" "$1")
}
# offers LINE WORDS: exactly these, with commas between them.
offers() {
    offered=$(completes "$1" | sort | tr '\n' ',')
    [ "$offered" = "$2" ] && return
    echo "# $offered"
    return 1
}
check "completion: options" offers "apsp --pr" "--predecessors,--progress,"
check "completion: types" offers "apsp --dtype i" "i32,i64,"
check "completion: types behind =" offers "apsp --dtype=i" "i32,i64,"
check "completion: all types behind =" offers "apsp --dtype=" "auto,f32,f64,i32,i64,u16,"
check "completion: methods" offers "apsp --method " "auto,dense,spanning,sparse,sssp,"
check "completion: devices" offers "apsp --device " "auto,cpu,gpu,"
check "completion: transports" sh -c 'echo "$1" | grep -qx host' sh \
    "$(completes 'apsp --transport h')"
check "completion: formats" offers "apsp --format g" "gexf,gml,gr,graphml,"
check "completion: one of several words" offers "apsp --count in,hi" "in,histogram,"
check "completion: an argument that may be left out" offers "apsp --verify=" "all,"
check "completion: and is" offers "apsp --verify gr" "graph.gr,"
check "completion: files of options" offers "apsp --stats g" "graph.gr,"
check "completion: files" offers "apsp --force " "graph.gr,two words.gr,"
check "completion: numbers" offers "apsp --ranks " ","
check "completion: families" offers "apsp-gen r" "random,rmat,"
check "completion: letters" offers "apsp-gen grid -o t" "two words.gr,"
check "completion: rows" offers "apsp-verify --rows a" "all,"
check "completion: formats of distances" offers "apsp-verify --distances-format h" "hdf5,"
check "completion: apsp-query" offers "apsp-query --ne" "--nearest,"
check "completion: = as a part of the word" bash --norc -c '
    source "$1"; COMP_WORDS=(apsp --dtype=i) COMP_CWORD=1; _apsp
    [ "${COMPREPLY[*]}" = "--dtype=i32 --dtype=i64" ]' \
        bash "$scratch/apsp.bash"

# Every option of --help is offered, and no other.
for program in apsp apsp-gen apsp-query apsp-verify; do
    "$BUILD/$program" --help | sed -nE 's/^  (-.*)/\1/p' | sed 's/   *.*//' | tr ' ,[=' '\n' |
        grep -E '^--?[a-z]' | grep -vx -e -h | sort -u >"$scratch/help"
    { completes "$program --"; completes "$program -"; sed -nE "s/.*words='(-[^-].*|--.*)'/\1/p" \
        "$scratch/$program.bash" | tr ' ' '\n'; } | grep -E '^-' | sort -u >"$scratch/offered"
    check "completion: options of $program" diff "$scratch/help" "$scratch/offered"
    if command -v zsh >/dev/null; then
        check "completion: zsh reads that of $program" zsh -fn "$scratch/_$program"
    fi
done

# zsh completes at a terminal alone: one is made for it.
if ! command -v zsh >/dev/null; then
    echo "skip completion: zsh is not installed"
else
    # zsh_offers LINE WORDS: those among what it lists.
    zsh_offers() {
        zsh -f -c '
            zmodload zsh/zpty
            zpty shell zsh -f -i
            zpty -w shell "PS1=; unsetopt prompt_cr prompt_sp; stty cols 500; fpath=($1 \$fpath)"
            zpty -w shell "autoload -U compinit; compinit -u -d $1/dump"
            zpty -w shell "zstyle \":completion:*\" list-prompt \"\"; LISTMAX=0"
            zpty -w shell "cd $1/files; echo rea\dy"
            zpty -r -m shell log "*ready*" || exit 1
            zpty -w -n shell "$2"$'"'"'\t\t'"'"'
            told=
            for turn in {1..80}; do
                while zpty -r -t shell part; do told+=$part; done
                missing=
                for word in ${=3}; do [[ $told == *$word* ]] || missing=1; done
                [[ $missing ]] || exit 0
                sleep 0.25
            done
            print -r -- "$told"
            exit 1' zsh "$scratch" "$1" "$2" 2>&1
    }
    check "completion: zsh, types" zsh_offers "apsp --dtype=" "u16 i32 i64 f64"
    check "completion: zsh, families" zsh_offers "apsp-gen " "random dense lattice"
    check "completion: zsh, options" zsh_offers "apsp --pre" "--predecessors"
fi

# A copy of what is built is installed: nothing is made anew.
files="share/bash-completion/completions/apsp share/bash-completion/completions/apsp-verify"
files="$files share/zsh/site-functions/_apsp share/zsh/site-functions/_apsp-gen"
# installs TARGET TEST: the files pass it then.
installs() {
    make -s BUILD="$BUILD" GPU="$(cut -d ' ' -f 1 "$BUILD/gpu-choice")" DESTDIR="$scratch/root" \
        PREFIX=/usr "$1" >"$scratch/log" 2>&1 || cat "$scratch/log"
    shift
    for file in $files; do
        [ "$@" "$scratch/root/usr/$file" ] || return 1
    done
}
check "completion: installed" installs install-completions -s
check "completion: uninstalled" installs uninstall-completions ! -e
check "completion: nothing is left" [ -z "$(find "$scratch/root" -name '*apsp*')" ]
finish
