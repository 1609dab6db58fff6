/*
 * --ranks and --gpus: the program starts itself again under mpirun. The new processes get the same
 * command line; they find the marks of the launcher in their environment and go on.
 *
 * mpirun looks at all of its command line: `:` starts another program wherever it stands (also for
 * srun and MPICH's mpiexec), and Open MPI takes `--mca A B` behind the program's name for its own.
 * So each word for the ranks begins with a character that says nothing, after --quoted.
 */
#include "cli/launch.h"

#include "base/progress.h"
#include "base/target.h"
#include "base/text.h"
#include "cli/supervise.h"
#include "comm/comm.h"

#include <errno.h>
#include <limits.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static char quoted[] = OPTIONS_QUOTED;

int launch_unquote(int *argc, char **argv, struct apsp_error *error)
{
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

static void allow_root(void)
{
    setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
    setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
}

/*
 * What Open MPI and hwloc would look for and not need between ranks of one machine: networks, by
 * way of UCX and libfabric (0.2 s), and plugins such as OpenCL's and X11's, in mpirun and every
 * rank again (0.1 s). And two ranks that the system has put on one core would wait for each other
 * for whole slices of time, until they have bound themselves. Whoever has set these variables keeps
 * them.
 */
static void stay_on_machine(void)
{
    setenv("OMPI_MCA_pml", "ob1", 0);
    setenv("HWLOC_PLUGINS_PATH", "/nonexistent", 0);
    setenv("OMPI_MCA_mpi_yield_when_idle", "1", 0);
}

/* Ranks get no descriptors but the first three: the others, as of process substitution, stay with
 * this process, which waits for them, and are named as its own. */
static void write_argument(char *to, size_t room, const char *argument)
{
    static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
    const char *equals = strncmp(argument, "--", 2) == 0 ? strchr(argument, '=') : NULL;
    const char *value = equals ? equals + 1 : argument;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        const char *number = value + strlen(folders[i]);
        if (strncmp(value, folders[i], strlen(folders[i])) == 0 &&
            strtol(number, NULL, 10) > STDERR_FILENO) {
            snprintf(to, room, "%c%.*s/proc/%ld/fd/%s", OPTIONS_MARK, (int)(value - argument),
                     argument, (long)getpid(), number);
            return;
        }
    }
    snprintf(to, room, "%c%s", OPTIONS_MARK, argument);
}

/* Results that go to standard output, a pipe, go there straight from the rank that has them. */
static void keep_pipe(void)
{
    struct stat standard;
    char name[64];
    snprintf(name, sizeof name, "/proc/%ld/fd/%d", (long)getpid(), STDOUT_FILENO);
    if (fstat(STDOUT_FILENO, &standard) == 0 && S_ISFIFO(standard.st_mode))
        setenv(TARGET_PIPE, name, 1);
}

/* The ranks' stderr is a pipe: they learn so where a progress bar goes. */
static void name_terminal(void)
{
    char name[TEXT_LINE];
    if (ttyname_r(STDERR_FILENO, name, sizeof name) == 0)
        setenv(PROGRESS_TERMINAL, name, 1);
}

/*
 * The command line of mpirun; free() it. More ranks than cores, up to a limit, are what the user
 * asked for, so --oversubscribe is always right; ranks bind themselves to cores; and the ranks'
 * stderr is a pipe, so that only this process can see whether a progress bar has a terminal.
 * Without --quiet: its messages are kept back (relay.h), and tell why it has failed where nobody
 * else does.
 */
static char **mpirun_line(const struct job_options *options, char *count, char *self, int argc,
                          char **argv)
{
    static char mpirun[] = "mpirun", number[] = "-n", more[] = "--oversubscribe",
                bind[] = "--bind-to", none[] = "none", progress[] = "=--progress"; /* marked, too */
    char *const start[] = {mpirun, number, count, more, bind, none, self, quoted};
    enum { LONGER = 32 }; /* marked, and a process is named in place of /dev */
    size_t at = sizeof start / sizeof *start, words = at + (size_t)argc + 2,
           bytes = words * sizeof(char *);
    for (int i = 1; i < argc; i++)
        bytes += strlen(argv[i]) + LONGER;
    char **line = calloc(1, bytes);
    if (!line)
        return NULL;
    char *text = (char *)(line + words);
    memcpy(line, start, sizeof start);
    if (options->progress)
        line[at++] = progress;
    for (int i = 1; i < argc; i++) {
        size_t room = strlen(argv[i]) + LONGER;
        write_argument(text, room, argv[i]);
        line[at++] = text;
        text += room;
    }
    return line;
}

/* Hundreds of ranks on a few processors would bring the machine to a standstill. */
static int check_ranks(int ranks, const char *option, struct apsp_error *error)
{
    enum { ALWAYS = 64, PER_PROCESSOR = 4 };
    int processors = omp_get_num_procs(), most = PER_PROCESSOR * processors;
    if (most < ALWAYS)
        most = ALWAYS;
    if (ranks <= most)
        return APSP_OK;
    return error_set(error, APSP_USAGE,
                     "--%s %d: at most %d on the %d processors that this process may use", option,
                     ranks, most, processors);
}

/* mpirun waits for ever where it finds no descriptors for its pipes. */
static int check_descriptors(int ranks, const char *option, struct apsp_error *error)
{
    enum { ALWAYS = 64, PER_RANK = 8 };
    rlim_t needed = ALWAYS + PER_RANK * (rlim_t)ranks;
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_cur >= needed)
        return APSP_OK;
    files.rlim_cur = files.rlim_max < needed ? files.rlim_max : needed;
    if (files.rlim_cur == needed && setrlimit(RLIMIT_NOFILE, &files) == 0)
        return APSP_OK;
    return error_set(error, APSP_PEER,
                     "--%s %d: needs %llu open files, and may have %llu (ulimit -n)", option, ranks,
                     (unsigned long long)needed, (unsigned long long)files.rlim_max);
}

/* mpirun gets a terminal's lines only in the terminal's own group of processes. */
static int check_input(const struct job_options *options, struct apsp_error *error)
{
    if (strcmp(options->graph, "-") != 0 || !isatty(STDIN_FILENO))
        return APSP_OK;
    return error_set(error, APSP_USAGE,
                     "-: ranks read no graph from a terminal: give a file or a pipe");
}

static int run_ranks(const struct job_options *options, int ranks, int argc, char **argv,
                     struct apsp_error *error)
{
    char count[16], self[PATH_MAX];
    int cause;
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length < 0)
        return error_set(error, APSP_PEER,
                         "/proc/self/exe: cannot find this program to start it under mpirun: %s",
                         strerror(errno));
    self[length] = '\0';
    snprintf(count, sizeof count, "%d", ranks);
    char **line = mpirun_line(options, count, self, argc, argv);
    if (!line)
        return error_set(error, APSP_MEMORY, "no memory for a command line of %d arguments", argc);
    if (geteuid() == 0)
        allow_root();
    stay_on_machine();
    keep_pipe();
    name_terminal();
    fflush(NULL);
    int code = supervise(line, options->checkpoint != NULL, &cause, error);
    free(line);
    if (error->code && cause == ENOENT) {
        *error = (struct apsp_error){0};
        return error_set(
            error, APSP_PEER,
            "mpirun: not found; it starts the %d ranks: install the package openmpi-bin", ranks);
    }
    return code;
}

bool launch_ranks(const struct job_options *options, int argc, char **argv, int *code,
                  struct apsp_error *error)
{
    int ranks = options->ranks ? options->ranks : options->gpus;
    const char *option = options->ranks ? "ranks" : "gpus";
    if (ranks == 1)
        unsetenv("SLURM_NTASKS"); /* this process is all that is wanted */
    if (ranks <= 1 || launch_started())
        return false;
    if (check_ranks(ranks, option, error) || check_descriptors(ranks, option, error) ||
        check_input(options, error))
        return false;
    *code = run_ranks(options, ranks, argc, argv, error);
    return !error->code;
}
