# shellcheck shell=bash
# Slurm on the nodes of net.sh: munged and slurmctld on the head, one slurmd on each node. All that
# the daemons write is under /run/munge, /run/slurm (the head's and shared) and the nodes' own
# /run/local: two slurmd, or the PMIx servers that they start, must not meet in one folder. They end
# with the network.

# Prints why there can be no Slurm here; nothing if there can.
slurm_obstacle() {
    local tool
    for tool in munged slurmctld slurmd srun sbatch; do
        command -v "$tool" >/dev/null ||
            { echo "needs $tool (Debian: slurmctld slurmd slurm-client munge)"; return; }
    done
}

slurm_munge() {
    local as=
    mkdir -p /run/munge
    head -c 128 /dev/urandom >/run/munge/key
    chmod 600 /run/munge/key
    if id munge >/dev/null 2>&1; then
        chown -R munge /run/munge
        as="setpriv --reuid=munge --clear-groups"
    fi
    $as munged --key-file=/run/munge/key --pid-file=/run/munge/pid --log-file=/run/munge/log \
        --seed-file=/run/munge/seed
}

# slurm_up NODES: of the nodes of net.sh the first so many.
slurm_up() {
    local i
    slurm_munge || return 1
    mkdir -p /run/slurm
    cat >/run/slurm/slurm.conf <<END
ClusterName=test
SlurmctldHost=head(10.77.0.1)
SlurmUser=root
AuthType=auth/munge
AuthInfo=cred_expire=5
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
JobAcctGatherType=jobacct_gather/none
ReturnToService=2
SlurmdTimeout=10
MessageTimeout=5
TCPTimeout=2
KillWait=5
SchedulerParameters=sched_interval=2
StateSaveLocation=/run/slurm
SlurmctldPidFile=/run/slurm/slurmctld.pid
SlurmctldLogFile=/run/slurm/slurmctld.log
SlurmdSpoolDir=/run/local/slurmd
SlurmdPidFile=/run/local/slurmd.pid
SlurmdLogFile=/run/slurm/slurmd.%n.log
TmpFS=/run/local
NodeName=node[1-$1] NodeAddr=10.77.0.1[1-$1] CPUs=2
PartitionName=all Nodes=ALL Default=YES OverSubscribe=YES
END
    export SLURM_CONF=/run/slurm/slurm.conf
    slurmctld || return 1
    for i in $(seq "$1"); do
        slurm_node_up "node$i" || return 1
    done
    slurm_await "$1"
}

slurm_node_up() {
    on "$1" env "SLURM_CONF=$SLURM_CONF" slurmd
}

# slurm_await NODES: until so many are ready for work.
slurm_await() {
    local try
    for try in $(seq 100); do
        [ "$(sinfo -h -N -t idle -r 2>/dev/null | wc -l)" -eq "$1" ] && return
        sleep 0.2
    done
    echo "# not ready after $try tries:"
    sinfo -N
    tail -n 5 /run/slurm/*.log
    return 1
}

# slurm_job ID: waits for the end of a batch job and returns its exit status. `sbatch --wait`
# (22.05) looks at the state alone, which is CANCELLED as soon as somebody cancels: if it looks
# before the tasks have ended, there is no exit status yet, and it ends with 0.
slurm_job() {
    local state code signal
    until [[ ${state:=PENDING} =~ ^(COMPLETED|FAILED|CANCELLED|TIMEOUT|NODE_FAIL)$ ]]; do
        sleep 0.2
        IFS=' :' read -r state code signal < <(scontrol --oneliner show job "$1" |
            sed -n 's/.* JobState=\([A-Z_]*\).* ExitCode=\([0-9]*:[0-9]*\).*/\1 \2/p')
    done
    return $((signal > 0 ? 128 + signal : code))
}
