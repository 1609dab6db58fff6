#!/bin/sh
# From a fresh machine to a running program. For Debian 12 and Ubuntu 24.04; needs a shell and apt,
# nothing else.
#
#   sh launch/setup.sh demo                 install what is missing, build, solve two generated
#                                           graphs with two ranks
#   sh launch/setup.sh check                install what is missing, build, run the test suite
#   sh launch/setup.sh install PACKAGE...   install those of the packages that are missing
#
# Packages are installed with apt-get, by root or through sudo. Without that right the script names
# what is missing and stops. All that it makes is in build/; apt's output is in build/setup.log.
set -eu

export LC_ALL=C
export PATH="${PATH:-/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin}"

# libc6-dev is only a recommendation of gcc, and recommendations are not installed.
BUILD_PACKAGES='gcc libc6-dev make openmpi-bin libopenmpi-dev libcjson-dev libmetis-dev'
BUILD_PACKAGES="$BUILD_PACKAGES libxxhash-dev"
BUILD_PACKAGES="$BUILD_PACKAGES zlib1g-dev libzstd-dev liblzma-dev libbz2-dev libexpat1-dev"
CHECK_PACKAGES="$BUILD_PACKAGES libcmocka-dev"
LOG=build/setup.log

say() {
    printf '== %s\n' "$*"
}

fail() {
    printf 'setup.sh: %s\n' "$*" >&2
    exit 1
}

# Shows a command as it could be typed, then runs it.
run() {
    printf '\n$ %s\n' "$*"
    "$@"
}

packages_missing() {
    for package in "$@"; do
        # One line per architecture.
        dpkg-query -W -f='${db:Status-Status}\n' "$package" 2>/dev/null | grep -qx installed ||
            printf ' %s' "$package"
    done
}

# Prints the word to put before a command that needs root's rights, or fails.
packages_authority() {
    if [ "$(id -u)" -eq 0 ]; then
        echo env
    elif command -v sudo >/dev/null &&
        { sudo -n true 2>/dev/null || { [ -t 0 ] && sudo -v; }; }; then
        echo sudo
    else
        return 1
    fi
}

packages_get() {
    authority=$1
    shift
    apt="$authority DEBIAN_FRONTEND=noninteractive apt-get -y -o DPkg::Lock::Timeout=300"
    # An old or partial package list may still do: let the install decide.
    $apt update >"$LOG" 2>&1 </dev/null ||
        say "apt-get update reported errors; going on with the lists that are there"
    $apt install --no-install-recommends "$@" >>"$LOG" 2>&1 </dev/null
}

packages_install() {
    if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
        fail "no apt-get here; install what corresponds to these Debian packages, then run make: $*"
    fi
    missing=$(packages_missing "$@")
    if [ -z "$missing" ]; then
        say "packages: all there"
        return
    fi
    by_hand="apt-get update && apt-get install -y --no-install-recommends$missing"
    if ! authority=$(packages_authority); then
        printf \
            'setup.sh: packages are missing, and neither root nor sudo is at hand. As root, run this line, then this script again:\n' \
            >&2
        printf '%s\n' "$by_hand" >&2
        exit 1
    fi
    say "packages: installing$missing"
    # shellcheck disable=SC2086 # a list of words
    if ! packages_get "$authority" $missing; then
        tail -n 15 "$LOG" >&2
        fail \
            "apt-get failed (the end of $LOG is above); the packages can be installed by hand: $by_hand"
    fi
}

build() {
    say "build: make"
    make -s -j"$(nproc)"
}

# What mpirun needs to be told on a small machine, in a container, or as root.
mpi_environment() {
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    export OMPI_MCA_rmaps_base_oversubscribe=1
    # Containers often forbid one process to read another's memory; two copies through shared memory
    # always work.
    export OMPI_MCA_btl_vader_single_copy_mechanism=none
}

demo() {
    mkdir -p build/demo
    say "demo: a road-like grid, two ranks, 64 rows certified"
    run build/apsp-gen grid -n 4096 -s 1 -w 1:1000 -o build/demo/road.bin --force
    run build/apsp --ranks 2 --verify --force build/demo/road.bin build/demo/road.dist
    say "demo: a dense graph, two ranks, 64 rows certified"
    run build/apsp-gen dense -n 2000 -s 1 -w 1:1000 -o build/demo/dense.bin --force
    run build/apsp --ranks 2 --verify --force build/demo/dense.bin build/demo/dense.dist
    say "demo: done; graphs and distances are in build/demo"
}

cd "$(dirname "$0")/.."
mkdir -p build
[ -w build ] || fail "build/ belongs to another user; remove it or run this as that user"

case "${1-}" in
demo)
    # shellcheck disable=SC2086
    packages_install $BUILD_PACKAGES
    build
    mpi_environment
    demo
    ;;
check)
    # shellcheck disable=SC2086
    packages_install $CHECK_PACKAGES
    build
    mpi_environment
    say "check: make check"
    make -s -j"$(nproc)" check
    say "check: done, all tests passed"
    ;;
install)
    shift
    packages_install "$@"
    ;;
*)
    echo "usage: sh launch/setup.sh demo|check|install PACKAGE..." >&2
    exit 2
    ;;
esac
