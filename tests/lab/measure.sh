#!/bin/sh
# lab/measure.py with programs in the place of profilers, which print what these do.
set -u
cd "$(dirname "$0")/../.."
. tests/common.sh
mkdir "$scratch/bin" "$scratch/lab"
printf 'step,on,n,seconds\n"64, 32 x 8 threads",CUDA,2000,0.1\n' >"$scratch/lab/factor.csv"
printf 'step,on,n,seconds\n"pitch 64",CUDA,5000,0.1\n"pitch 67",CUDA,5000,0.1\n' \
    >"$scratch/lab/banks.csv"
tool() {
    rm -f "$scratch"/bin/* "$scratch/lab/measured.csv"
    cat >"$scratch/bin/$1" && chmod +x "$scratch/bin/$1"
}
measure() {
    PATH="$scratch/bin:/usr/bin:/bin" python3 -B lab/measure.py "$scratch/lab" >"$scratch/out"
}

tool ncu <<'END'
#!/bin/sh
echo "==PROF== Connected to process 7"
echo '"ID","Process ID","Kernel Name","Metric Name","Metric Unit","Metric Value"'
echo '"0","7","phase3","l1tex__t_bytes_pipe_lsu_mem_global_op_ld.sum.per_second","byte/second","1,500,000,000,000"'
echo '"0","7","phase3","l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum.per_second","1/second","10000000000"'
echo '"0","7","phase3","l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum","","31"'
END
by_ncu() {
    measure && grep -q '^factor,"64, 32 x 8 threads",CUDA,2000,ncu,,1500,,1280,,31' \
        "$scratch/lab/measured.csv" &&
        grep -q '^banks,pitch 64,' "$scratch/lab/measured.csv" &&
            ! grep -q 'pitch 67' "$scratch/lab/measured.csv"
}
check "measure: by ncu" by_ncu

tool ncu <<'END'
#!/bin/sh
echo "==ERROR== ERR_NVGPUCTRPERM - The user does not have permission"
exit 1
END
not_allowed() {
    measure && grep -q 'not measured: ==ERROR== ERR_NVGPUCTRPERM' "$scratch/out" &&
        [ ! -e "$scratch/lab/measured.csv" ]
}
check "measure: counters that users may not read" not_allowed

tool rocprof <<'END'
#!/bin/sh
while [ "$1" != -o ]; do shift; done
printf '"Index","KernelName","FetchSize","WriteSize","LDSBankConflict","DurationNs"\n' >"$2"
printf '0,"%s",1,1,1,1\n1,"%s",1000000,500000,42.5,1000000\n' "phase3<x>" "phase3<x>" >>"$2"
printf '2,"%s",1,1,1,1\n3,"%s",1000000,500000,93.75,1000000\n' "column<33>" "column<64>" >>"$2"
END
by_rocprof() {
    measure && grep -q '^factor,.*,rocprof,,1024,512,,,42.5' "$scratch/lab/measured.csv" &&
        grep -q '^banks,pitch 64,.*,rocprof,,1024,512,,,93.75' "$scratch/lab/measured.csv"
}
check "measure: by rocprof" by_rocprof
finish
