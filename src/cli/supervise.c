#include "cli/supervise.h"

#include "base/clock.h"
#include "base/ending.h"
#include "cli/outlet.h"
#include "cli/relay.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BY_SIGNAL = 128, SIGNALS = 65 };

static const double patience = 10; /* seconds that a command has to end */

struct watch {
    sigset_t before;
    int signals, text; /* descriptors: signals to this process, stderr of the command, */
    int list;          /* and the files that are to be removed */
    pid_t command;
    bool passes; /* SIGUSR1 is meant for the ranks */
    bool over;
    int status;   /* of the command, when it is over */
    int ended_by; /* the first signal to this process that is to end it */
    double since;
    double ranks_seen;    /* when a child of the command last ran, or was first seen; 0: never */
    bool stuck;           /* it was killed, having none any more */
    bool complains;       /* Open MPI has noted an error of its own */
    struct relay relay;   /* of its stderr */
    struct outlet outlet; /* of its stdout */
};

/* Those that would end this process; ignored ones stay so. */
static void fill_mask(sigset_t *mask)
{
    static const int ending[] = {SIGHUP,  SIGINT,  SIGQUIT,   SIGTERM, SIGUSR1, SIGUSR2,  SIGALRM,
                                 SIGPROF, SIGPOLL, SIGVTALRM, SIGXCPU, SIGPWR,  SIGSTKFLT};
    struct sigaction now;
    sigemptyset(mask);
    sigaddset(mask, SIGCHLD);
    for (size_t i = 0; i < sizeof ending / sizeof *ending; i++)
        if (sigaction(ending[i], NULL, &now) == 0 && now.sa_handler == SIG_DFL)
            sigaddset(mask, ending[i]);
}

/* In the child. A group of its own: what a terminal or timeout(1) sends to this one reaches it
 * once, from here. */
static void become(char **line, const struct watch *watch, int results, int text, int failed)
{
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    dup2(results, STDOUT_FILENO);
    dup2(text, STDERR_FILENO);
    sigprocmask(SIG_SETMASK, &watch->before, NULL);
    execvp(line[0], line);
    int cause = errno;
    while (write(failed, &cause, sizeof cause) < 0 && errno == EINTR)
        ;
    _exit(EXIT_FAILURE);
}

/* Where ranks of this machine note their files; -1: nowhere. */
static int offer_list(void)
{
    char name[64];
    int list = memfd_create(ENDING_LIST, MFD_CLOEXEC);
    snprintf(name, sizeof name, "/proc/%ld/fd/%d", (long)getpid(), list);
    if (list >= 0)
        setenv(ENDING_LIST, name, 1);
    return list;
}

/* Returns 0 or errno. */
static int start(struct watch *watch, char **line)
{
    int results[2], text[2], failed[2], cause = 0;
    if (pipe2(results, O_CLOEXEC) || pipe2(text, O_CLOEXEC))
        return errno;
    if (pipe2(failed, O_CLOEXEC) || (watch->command = fork()) < 0)
        return errno;
    if (watch->command == 0)
        become(line, watch, results[1], text[1], failed[1]);
    close(results[1]);
    close(text[1]);
    close(failed[1]);
    watch->text = text[0];
    outlet_open(&watch->outlet, results[0]);
    if (read(failed[0], &cause, sizeof cause) != sizeof cause)
        cause = 0;
    close(failed[0]);
    return cause;
}

/* The list of a process's children, to be read as numbers; NULL where the system has none. */
static FILE *open_children(pid_t process)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/task/%ld/children", (long)process, (long)process);
    return fopen(path, "re");
}

static void signal_children(pid_t process, int signal)
{
    FILE *children = open_children(process);
    int child;
    while (children && fscanf(children, "%d", &child) == 1)
        kill(child, signal);
    if (children)
        fclose(children);
}

static void take_signals(struct watch *watch)
{
    struct signalfd_siginfo info;
    while (read(watch->signals, &info, sizeof info) == sizeof info) {
        if (info.ssi_signo == SIGCHLD)
            continue; /* it has woken this process */
        if (info.ssi_signo == SIGUSR1 && watch->passes) {
            if (!watch->over) /* mpirun would pass it on, too, and say so */
                signal_children(watch->command, SIGUSR1);
        } else if (!watch->ended_by) {
            watch->ended_by = (int)info.ssi_signo;
            watch->since = clock_seconds();
            if (!watch->over)
                kill(watch->command, SIGTERM);
        }
    }
}

/* False when there is nothing more. */
static bool take_text(struct watch *watch)
{
    char data[4096];
    ssize_t got = read(watch->text, data, sizeof data);
    watch->complains |= got > 0 && memmem(data, (size_t)got, "ERROR_LOG", strlen("ERROR_LOG"));
    if (got > 0)
        relay_take(&watch->relay, data, (size_t)got);
    return got > 0 || (got < 0 && errno == EINTR);
}

struct process {
    char state;           /* 'Z': it has ended */
    unsigned long waited; /* page faults of children that it has waited for: 0 if there were none */
};

static struct process process_of(pid_t id)
{
    char path[64];
    struct process process;
    snprintf(path, sizeof path, "/proc/%ld/stat", (long)id);
    FILE *file = fopen(path, "re");
    if (!file || fscanf(file, "%*d (%*[^)]) %c %*d %*d %*d %*d %*d %*u %*u %lu", &process.state,
                        &process.waited) != 2)
        process = (struct process){.state = 'Z'};
    if (file)
        fclose(file);
    return process;
}

/* Whether ranks run; *some: or have ended. */
static bool has_ranks(const struct watch *watch, bool *some)
{
    FILE *children = open_children(watch->command);
    bool run = false;
    int child;
    for (*some = process_of(watch->command).waited > 0;
         children && !run && fscanf(children, "%d", &child) == 1; *some = true)
        run = process_of(child).state != 'Z';
    if (children)
        fclose(children);
    return run;
}

/* Open MPI's mpirun may wait for itself at its end when a rank dies while it starts; or for this
 * process, which waits for who reads. */
static void end_late(struct watch *watch)
{
    double now = clock_seconds();
    bool some;
    if (has_ranks(watch, &some) || (some && watch->ranks_seen == 0) || watch->outlet.held > 0)
        watch->ranks_seen = now;
    watch->stuck = watch->ranks_seen > 0 && now - watch->ranks_seen > patience;
    if (watch->stuck || (watch->ended_by && now - watch->since > patience))
        kill(watch->command, SIGKILL);
}

/* What the command left in the pipes; ranks that have outlived it may still hold them open. */
static void take_rest(struct watch *watch)
{
    struct outlet *outlet = &watch->outlet;
    fcntl(watch->text, F_SETFL, O_NONBLOCK);
    while (take_text(watch))
        ;
    relay_end(&watch->relay);
    if (outlet->from >= 0)
        fcntl(outlet->from, F_SETFL, O_NONBLOCK);
    while (outlet->from >= 0 && !watch->ended_by) {
        struct pollfd ready[] = {{.fd = watch->signals, .events = POLLIN}, outlet_next(outlet)};
        poll(ready, 2, outlet->held > 0 ? -1 : 0);
        if (ready[0].revents)
            take_signals(watch);
        if (ready[1].revents || outlet->held == 0)
            outlet_step(outlet);
    }
    outlet_end(outlet);
}

/* A command of whose end the system tells nothing is over, and has failed. */
static bool has_ended(struct watch *watch)
{
    pid_t ended = waitpid(watch->command, &watch->status, WNOHANG);
    if (ended < 0 && errno != EINTR)
        watch->status = APSP_PEER << 8;
    return ended == watch->command || (ended < 0 && errno != EINTR);
}

static void wait_for_end(struct watch *watch)
{
    enum { OFTEN = 500 }; /* milliseconds */
    struct pollfd ready[] = {{.fd = watch->signals, .events = POLLIN},
                             {.fd = watch->text, .events = POLLIN},
                             {.fd = -1}};
    while (!watch->over) {
        ready[2] = outlet_next(&watch->outlet);
        poll(ready, 3, OFTEN);
        if (ready[0].revents)
            take_signals(watch);
        if (ready[1].revents && !take_text(watch))
            ready[1].fd = -1;
        if (ready[2].revents)
            outlet_step(&watch->outlet);
        watch->over = has_ended(watch);
        if (!watch->over)
            end_late(watch);
    }
    take_rest(watch);
}

/* Ranks whose mpirun was killed have come to this process. */
static void end_orphans(void)
{
    enum { TURNS = 100, GENTLE = 50, TURN = 100000 }; /* of so many microseconds */
    pid_t ended = waitpid(-1, NULL, WNOHANG);
    for (int turn = 0; turn < TURNS && ended >= 0; turn++) {
        if (turn % GENTLE == 0)
            signal_children(getpid(), turn < GENTLE ? SIGTERM : SIGKILL);
        if (ended == 0)
            usleep(TURN);
        ended = waitpid(-1, NULL, WNOHANG);
    }
}

/* The signal that has ended all; 0: none. *who is what it came to. */
static int find_signal(const struct watch *watch, const char **who)
{
    static const char by[] = "exited on signal ";
    const struct relay *relay = &watch->relay;
    const char *words = watch->stuck ? strstr(relay->words, by) : NULL;
    int status = watch->status, code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
    *who = "";
    if (watch->ended_by)
        return watch->ended_by;
    *who = "a rank was ";
    if (code > BY_SIGNAL && code < BY_SIGNAL + SIGNALS)
        return code - BY_SIGNAL;
    if (words)
        return (int)strtol(words + strlen(by), NULL, 10);
    *who = "mpirun was ";
    if (WIFSIGNALED(status) && !watch->stuck)
        return WTERMSIG(status);
    /* SIGHUP, SIGINT or SIGTERM: it ends its ranks by the latter, and says something about
     * everything else */
    return code == EXIT_FAILURE && relay->length == 0 && !watch->complains ? SIGTERM : 0;
}

/* Says what has ended the command unless somebody has, and returns the exit code. */
static int tell_end(const struct watch *watch)
{
    const struct relay *relay = &watch->relay;
    const char *who;
    int code = WIFEXITED(watch->status) ? WEXITSTATUS(watch->status) : BY_SIGNAL,
        signal = find_signal(watch, &who);
    if (code == 0 || (relay->said && code > EXIT_FAILURE && code < BY_SIGNAL))
        return code;
    if (!relay->said && relay_is_open(relay))
        fputc('\n', stderr); /* after a progress bar */
    if (signal && !relay->said)
        fprintf(stderr, "apsp: %sended by signal %d (%s)\n", who, signal, strsignal(signal));
    else if (!signal && !relay->said && watch->stuck)
        fprintf(stderr, "apsp: mpirun did not end when its ranks had, and was killed\n");
    else if (!signal && !relay->said)
        fprintf(stderr, "apsp: mpirun failed with exit code %d%s%s\n", code,
                relay->length > 0 ? ": " : "", relay->words);
    if (signal)
        return BY_SIGNAL + signal;
    return code == EXIT_FAILURE || watch->stuck ? APSP_PEER : code;
}

/* The signal was meant for this process, and whoever waits for it may want to see it. */
static void end_by(const struct watch *watch)
{
    const struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    sigprocmask(SIG_SETMASK, &watch->before, NULL);
    raise(watch->ended_by);
}

int supervise(char **line, bool passes, int *cause, struct apsp_error *error)
{
    struct watch watch = {.passes = passes, .relay = {.to = STDERR_FILENO}};
    sigset_t mask;
    fill_mask(&mask);
    signal(SIGCHLD, SIG_DFL); /* whose parent ignores it would never hear of an end */
    signal(SIGPIPE, SIG_IGN); /* a reader of stderr that has gone ends nothing, nor a rank mpirun */
    sigprocmask(SIG_BLOCK, &mask, &watch.before);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    watch.list = offer_list();
    watch.signals = signalfd(-1, &mask, SFD_NONBLOCK | SFD_CLOEXEC);
    *cause = watch.signals < 0 ? errno : start(&watch, line);
    if (*cause) {
        sigprocmask(SIG_SETMASK, &watch.before, NULL);
        return error_set(error, APSP_PEER, "%s: cannot be started: %s", line[0], strerror(*cause));
    }
    wait_for_end(&watch);
    end_orphans();
    ending_clear(watch.list);
    int code = tell_end(&watch);
    if (code == 0 && watch.outlet.cause)
        return error_set(error, APSP_IO, "standard output: cannot be written: %s",
                         strerror(watch.outlet.cause));
    if (code == 0 && watch.outlet.from >= 0)
        code = BY_SIGNAL + watch.ended_by; /* which came before all was written */
    if (watch.ended_by && code == BY_SIGNAL + watch.ended_by)
        end_by(&watch);
    return code;
}
