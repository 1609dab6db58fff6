#include "base/ending.h"

#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

static const int by_others[] = {SIGINT, SIGTERM, SIGHUP}; /* taken over from other handlers */
static const int faults[] = {SIGSEGV, SIGBUS,  SIGFPE, SIGILL,
                             SIGABRT, SIGTRAP, SIGSYS}; /* who has them is next */
static const int harmless[] = {SIGCHLD, SIGCONT, SIGURG,  SIGWINCH, SIGTSTP,
                               SIGTTIN, SIGTTOU, SIGSTOP, SIGKILL};

enum { SIGNALS = 32 }; /* the real-time ones begin here */
static struct sigaction before[SIGNALS];
static bool taken[SIGNALS], asks[SIGNALS];
static atomic_bool asked; /* lock-free, as handlers need it */

typedef void cleaner(void);
static cleaner *_Atomic cleanup;
static pid_t owner;

#define IS_ONE_OF(list, signal) is_in((list), sizeof(list) / sizeof *(list), (signal))

static bool is_in(const int *list, size_t count, int signal)
{
    for (size_t i = 0; i < count; i++)
        if (list[i] == signal)
            return true;
    return false;
}

/* Also at exit() that a library calls, such as OpenMP's where no thread can be had. */
__attribute__((destructor)) void ending_clean(void)
{
    cleaner *clean = cleanup;
    if (clean && getpid() == owner)
        clean();
}

/* Raised again, the signal has its effect once the handler returns. */
static void clean_and_end(int signal)
{
    static const struct sigaction standard = {.sa_handler = SIG_DFL};
    ending_clean();
    sigaction(signal, IS_ONE_OF(faults, signal) ? &before[signal] : &standard, NULL);
    raise(signal);
}

static bool is_wanted(int signal)
{
    if (IS_ONE_OF(harmless, signal) || asks[signal] || before[signal].sa_handler == SIG_IGN)
        return false;
    return before[signal].sa_handler == SIG_DFL || IS_ONE_OF(by_others, signal) ||
           IS_ONE_OF(faults, signal) || signal == SIGXFSZ;
}

void ending_guard(void (*clean)(void))
{
    owner = getpid();
    cleanup = clean;
    for (int signal = 1; signal < SIGNALS; signal++) {
        struct sigaction now = {.sa_handler = signal == SIGXFSZ ? SIG_IGN : clean_and_end};
        sigfillset(&now.sa_mask);
        taken[signal] = sigaction(signal, NULL, &before[signal]) == 0 && is_wanted(signal) &&
                        sigaction(signal, &now, NULL) == 0;
    }
}

void ending_release(void)
{
    cleanup = (cleaner *)NULL;
    for (int signal = 1; signal < SIGNALS; signal++)
        if (taken[signal])
            sigaction(signal, &before[signal], NULL);
}

static void ask(int signal)
{
    (void)signal;
    asked = true;
}

void ending_ask(int signal)
{
    const struct sigaction now = {.sa_handler = ask, .sa_flags = SA_RESTART};
    asks[signal] = sigaction(signal, &now, NULL) == 0;
}

bool ending_asked(void)
{
    return asked;
}
