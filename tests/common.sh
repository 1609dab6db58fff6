# What the shell tests share; sourced from the root of the project. BUILD names the build directory.
BUILD=${BUILD:-build}
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
# When a rank has failed, mpirun asks the others to end and then waits as many seconds before it
# kills them: here they end by themselves.
export OMPI_MCA_odls_base_sigkill_timeout=0
# Ranks of one machine need no network, for which MPI would look for 0.3 s at each start
# (src/cli/launch.c).
export OMPI_MCA_pml="${OMPI_MCA_pml-ob1}" HWLOC_PLUGINS_PATH="${HWLOC_PLUGINS_PATH-/nonexistent}"
# For the programs that do not lie beside it.
export APSP_MPI_MODULE="$(realpath "$BUILD")/libapsp_mpi.so"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM
failures=0

# mpi RANKS COMMAND...: one rank starts without MPI, which the tests in C run on one rank as well.
mpi() {
    ranks_of_mpi=$1
    shift
    if [ "$ranks_of_mpi" -eq 1 ]; then
        "$@"
    else
        mpirun --oversubscribe -n "$ranks_of_mpi" "$@"
    fi
}

# draw CHOICE...: one of them, by $seed, which it changes.
draw() {
    seed=$(((seed * 1103515245 + 12345) % 2147483648))
    shift $((seed / 65536 % $#))
    drawn=$1
}

has_sanitizers() {
    grep -q __asan_init "$BUILD/apsp"
}

# limit_memory KILOBYTES: of all that this shell starts from now on; the address sanitizer takes
# addresses by the TiB.
limit_memory() {
    has_sanitizers || ulimit -v "$1"
}

# can_load NAME: whether a program that links no sanitizers can load the library; else that test is
# skipped.
can_load() {
    has_sanitizers || return 0
    echo "skip $1: built with the sanitizers, which the program would have to link first"
    return 1
}

# check NAME COMMAND...: one test, passed when the command succeeds.
check() {
    name_of_check=$1
    shift
    if "$@"; then
        echo "ok $name_of_check"
    else
        echo "FAIL $name_of_check"
        failures=$((failures + 1))
    fi
}

# check_many RANKS: MANY small graphs, 500, by the sparse engine on GPUs; skipped where the test was
# not built.
check_many() {
    MANY=${MANY:-500}
    if [ -x "$BUILD/tests/sparse/test_many" ]; then
        check "gpu: $MANY graphs on $1 ranks as on the CPU" mpi "$1" env MANY="$MANY" \
            MANY_DEVICE=gpu "$BUILD/tests/sparse/test_many"
    else
        echo "skip gpu: $MANY graphs on $1 ranks: the test was not built"
    fi
}

# late_libraries: what programs load when they need it (base/late.h). The commands have cJSON for
# reports; libapsp loads it late.
late_libraries() {
    grep -rhoE '"lib[a-z0-9_]+\.so\.[0-9.]+"' src | tr -d '"' | grep -v '^libcjson' | sort -u
}

# without LIBRARIES COMMAND...: in a mount namespace of its own, where the libraries are empty
# files. 99: there is no right to mount.
without() {
    unshare -m sh -c '
        for library in $1; do
            for place in $(ldconfig -p | awk -v name="$library" "\$1 == name { print \$NF }"); do
                mount --bind /dev/null "$(realpath "$place")" || exit 99
            done
        done
        shift
        exec "$@"' sh "$@"
}

# on_disk SIZE FOLDER COMMAND...: in a mount namespace of its own, where the folder is an empty file
# system of that size. 99: there is no right to mount.
on_disk() {
    unshare -m sh -c 'mount -t tmpfs -o size="$1" tmpfs "$2" || exit 99
        shift 2
        exec "$@"' sh "$@"
}

can_mount() {
    on_disk 64k "$scratch" true 2>/dev/null
}

# compare NAME ARGUMENTS...: tests/cli/NAME.py holds apsp against another algorithm.
compare() {
    program_of_test=tests/cli/$1.py
    shift
    "${PYTHON:-python3}" "$program_of_test" "$BUILD/apsp" "$scratch" "$@"
}

# checksum FILE: its sha256, or nothing.
checksum() {
    sha256sum "$1" 2>/dev/null | cut -d ' ' -f 1
}

finish() {
    [ "$failures" -eq 0 ]
    exit
}
