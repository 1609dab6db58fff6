/*
 * --ranks and --gpus: the ranks are threads of this process.
 *
 * The launchers of MPI look at all of their command line: `:` starts another program wherever it
 * stands (for mpirun, srun and MPICH's mpiexec), and Open MPI takes `--mca A B` behind the
 * program's name for its own. So the scripts of launch/ begin each word for the ranks with a
 * character that says nothing, after --quoted.
 */
#include "cli/launch.h"

#include "base/threads.h"
#include "comm/comm.h"
#include "run/options.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

int launch_unquote(int *argc, char **argv, struct apsp_error *error)
{
    static const char quoted[] = OPTIONS_QUOTED;
    if (*argc < 2 || strcmp(argv[1], quoted) != 0)
        return APSP_OK;
    for (int i = 2; i < *argc; i++) {
        if (argv[i][0] != OPTIONS_MARK)
            return error_set(error, APSP_USAGE, "%s: '%s' does not begin with %c", quoted, argv[i],
                             OPTIONS_MARK);
        argv[i - 1] = argv[i] + 1;
    }
    argv[--*argc] = NULL;
    return APSP_OK;
}

bool launch_started(void)
{
    return comm_launched();
}

static int check_ranks(int ranks, const char *option, struct apsp_error *error)
{
    if (ranks <= threads_ranks())
        return APSP_OK;
    return error_set(error, APSP_USAGE,
                     "--%s %d: at most %d on the %d processors that this process may use", option,
                     ranks, threads_ranks(), omp_get_num_procs());
}

/* Each rank has the graph and the results open. A limit that stays too low is an error of theirs.
 */
static void allow_files(int ranks)
{
    enum { ALWAYS = 64, PER_RANK = 16 };
    const rlim_t needed = ALWAYS + PER_RANK * (rlim_t)ranks;
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_cur >= needed)
        return;
    files.rlim_cur = files.rlim_max < needed ? files.rlim_max : needed;
    setrlimit(RLIMIT_NOFILE, &files);
}

int launch_ranks(int ranks, const char *option, struct apsp_error *error)
{
    if (ranks == 1)
        unsetenv("SLURM_NTASKS"); /* this process is all that is wanted */
    if (ranks <= 1 || launch_started() || check_ranks(ranks, option, error))
        return 1;
    allow_files(ranks);
    return ranks;
}
