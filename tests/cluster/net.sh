# shellcheck shell=bash
# Nodes on one machine, for bash scripts that run as root. A node is a set of namespaces of its own:
# network (one interface, 10.77.0.1N, on a bridge whose end at the head is 10.77.0.1), host name
# (nodeN), processes and mounts. Head and nodes live inside one more set of namespaces that
# net_enter makes: when its first process ends, however it ends, the kernel kills every process in
# it and takes down network and mounts. So nothing can stay behind, and two of these do not meet.
#
# What all nodes see: the file system, and /run/cluster ($shared), a folder in memory that lasts as
# long as the network. What each has for itself: /run/local and /dev/shm. The head is the script
# itself.
shared=/run/cluster
node_agent=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/agent.sh

# Prints why there can be no nodes here; nothing if there can.
net_obstacle() {
    local tool
    [ "$(id -u)" -eq 0 ] || { echo "needs root"; return; }
    for tool in ip unshare nsenter setpriv mount; do
        command -v "$tool" >/dev/null ||
            { echo "needs $tool (Debian: iproute2, util-linux, mount)"; return; }
    done
    unshare --net --mount --uts --pid --fork --mount-proc \
        sh \
        -c \
        'mount -t tmpfs none /run && ip link add name br0 type bridge && ip link add name v0 type veth peer name v1' \
        >/dev/null 2>&1 || echo "namespaces, mounts, bridges or veth pairs are not allowed here"
}

# net_enter SECONDS ARGUMENT...: runs this script again, with the arguments, inside the namespaces,
# and returns its status; at most so many seconds. Inside, it only finishes what it began.
net_enter() {
    if [ -n "${CLUSTER_INSIDE-}" ]; then
        net_prepare
        return
    fi
    local child seconds=$1 status=0 with_parent="setpriv --pdeathsig KILL"
    shift
    # Whoever is killed, the rest goes with it. Job control: else the shell would start the child
    # with SIGINT ignored, and its programs would never see one.
    set -m
    # shellcheck disable=SC2086
    CLUSTER_INSIDE=1 $with_parent timeout --signal=KILL "$seconds" \
        $with_parent unshare --net --mount --uts --pid --fork --mount-proc --kill-child "$BASH" \
        "$0" "$@" </dev/null &
    child=$!
    # shellcheck disable=SC2064
    trap "kill -KILL -- -$child 2>/dev/null" EXIT
    trap 'exit 130' INT TERM HUP
    wait "$child" 2>/dev/null || status=$?
    [ "$status" -ne 137 ] || echo "FAIL to end within $seconds s"
    exit "$status"
}

net_prepare() {
    set -e
    mount -t tmpfs none /run
    mkdir -p "$shared" /run/local
    chmod 755 /run "$shared"
    hostname head
    echo "127.0.0.1 localhost" >$shared/hosts
    echo "10.77.0.1 head" >>$shared/hosts
    mount --bind $shared/hosts /etc/hosts
    ip link set lo up
    ip link add name br0 type bridge
    ip addr add 10.77.0.1/24 dev br0
    ip link set br0 up
    export TMPDIR=/run/local
    set +e
}

# nodes_up N: node1 to nodeN.
nodes_up() {
    local i unshared
    for i in $(seq "$1"); do
        echo "10.77.0.1$i node$i" >>$shared/hosts
        # The shell that becomes the node's first process waits for its orphans, so that none stays
        # as a zombie.
        unshare --net --mount --uts --pid --fork --mount-proc "$BASH" -c "
            hostname node$i && mount -t tmpfs none /run/local && mount -t tmpfs none /dev/shm &&
            ip link set lo up && touch $shared/node$i.up && sleep infinity & wait" &
        unshared=$!
        until [ -e "$shared/node$i.up" ]; do
            kill -0 "$unshared" || return 1
            sleep 0.05
        done
        tr -d ' ' <"/proc/$unshared/task/$unshared/children" >"$shared/node$i.pid"
        ip link add name "v$i" type veth peer name eth0 netns "$(cat "$shared/node$i.pid")" &&
            ip link set "v$i" master br0 up &&
            on "node$i" ip addr add "10.77.0.1$i/24" dev eth0 &&
            on "node$i" ip link set eth0 up || return 1
    done
}

# on NODE COMMAND...
on() {
    "$node_agent" "$1" "$(shift; printf '%q ' "$@")"
}

# node_cut NODE, node_join NODE: the link to it.
node_cut() {
    ip link set "v${1#node}" down
}

node_join() {
    ip link set "v${1#node}" up
}

# processes NAME...: "PID NAME NODE" of every live process of those names, on the head and all
# nodes.
processes() {
    local status key value name pid node
    for status in /proc/[0-9]*/status; do
        name=
        while read -r key value _; do
            case $key in
            Name:) name=$value ;;
            State:) break ;;
            esac
        done 2>/dev/null <"$status"
        case " $* " in
        *" $name "*) ;;
        *) continue ;;
        esac
        pid=${status#/proc/}
        pid=${pid%/status}
        [ "$value" != Z ] && node=$(nsenter -t "$pid" --uts hostname 2>/dev/null) &&
            echo "$pid $name $node"
    done
}
