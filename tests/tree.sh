# A bare Debian tree with nothing but apt, for tests that source this after common.sh. Needs root,
# mmdebstrap and a mirror.
tree=$scratch/tree

# needs_tree NAME TOOL...: without the rights and the tools the test is skipped.
needs_tree() {
    name_of_test=$1
    shift
    for tool in mmdebstrap "$@"; do
        command -v "$tool" >/dev/null || skip_tree "$tool is not installed"
    done
    [ "$(id -u)" -eq 0 ] || skip_tree "a bare tree needs root"
}
skip_tree() {
    echo "skip $name_of_test: $1"
    exit 0
}

bare_tree() {
    mmdebstrap --quiet --variant=apt "${SUITE:-bookworm}" "$tree"
}

# within COMMAND...: in the tree, where it has processes and devices of its own; `as` is who does
# it.
as=root
within() {
    unshare --mount --pid --fork sh -c '
        tree=$1 && as=$2 && shift 2
        mount -t proc proc "$tree/proc" && mount --rbind /sys "$tree/sys" &&
            mount --rbind /dev "$tree/dev" && mount -t tmpfs tmpfs "$tree/dev/shm" || exit 99
        exec chroot --userspec="$as" "$tree" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/tmp \
            LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"
    ' sh "$tree" "$as" "$@" >"$scratch/log" 2>&1 </dev/null
    status=$?
    [ "$status" -eq 0 ] || tail -n 40 "$scratch/log"
    return "$status"
}
