#!/bin/sh
# Runs a command on a node of net.sh, in place of ssh: agent.sh NODE COMMAND... As with ssh, the
# words are joined and read by a shell over there, and of the environment only what a login would
# set goes along.
node=$1
shift
exec nsenter -t "$(cat "/run/cluster/$node.pid")" -n -m -u -p \
    env -i HOME="${HOME:-/}" PATH="$PATH" TMPDIR=/run/local sh -c "$*"
