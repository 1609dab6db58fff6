#include "base/ending.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const int by_others[] = {SIGINT, SIGTERM, SIGHUP}; /* taken from whoever has them */
static const int faults[] = {SIGSEGV, SIGBUS,  SIGFPE, SIGILL,
                             SIGABRT, SIGTRAP, SIGSYS}; /* who has them is next */
static const int harmless[] = {SIGCHLD, SIGCONT, SIGURG,  SIGWINCH, SIGTSTP,
                               SIGTTIN, SIGTTOU, SIGSTOP, SIGKILL};

enum { SIGNALS = 32 }; /* the real-time ones begin here */
static struct sigaction before[SIGNALS];
static bool taken[SIGNALS], asks[SIGNALS];
static atomic_bool asked; /* lock-free, as handlers need it */

static void (*_Atomic cleanup)(void);
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
    void (*clean)(void) = cleanup;
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
    cleanup = NULL;
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

/* Entries follow each other: device and inode, a path, and its NUL. */
struct entry {
    dev_t device;
    ino_t inode;
    char path[PATH_MAX];
};

/* -1: nobody waits. On another host, where a launcher has brought the variable, the name may be of
 * another file. */
static int open_list(int how)
{
    static const char expected[] = "/memfd:" ENDING_LIST;
    const char *list = getenv(ENDING_LIST);
    char name[sizeof expected - 1];
    if (!list || readlink(list, name, sizeof name) != sizeof name ||
        memcmp(name, expected, sizeof name) != 0)
        return -1;
    return open(list, how | O_CLOEXEC);
}

/* The entry at that place, which becomes that of the next one; false at the end. */
static bool read_entry(int list, off_t *at, struct entry *entry)
{
    enum { HEAD = offsetof(struct entry, path) };
    ssize_t got = pread(list, entry, sizeof *entry, *at);
    size_t room = got > HEAD ? (size_t)got - HEAD : 0, length = strnlen(entry->path, room);
    *at += HEAD + (off_t)length + 1;
    return length < room;
}

void ending_note(const char *path, int file)
{
    struct entry entry = {0};
    struct stat status;
    size_t length = strlen(path);
    int list = length < sizeof entry.path ? open_list(O_WRONLY | O_APPEND) : -1;
    if (list < 0)
        return;
    memcpy(entry.path, path, length);
    if (fstat(file, &status) == 0) {
        entry.device = status.st_dev;
        entry.inode = status.st_ino;
        while (write(list, &entry, offsetof(struct entry, path) + length + 1) < 0 && errno == EINTR)
            ;
    }
    close(list);
}

/* An entry of no inode is of no file. */
void ending_forget(const char *path, int file)
{
    static const struct entry none;
    struct entry entry;
    struct stat status;
    int list = fstat(file, &status) == 0 ? open_list(O_RDWR) : -1;
    if (list < 0)
        return;
    for (off_t at = 0, place = 0; read_entry(list, &at, &entry); place = at)
        if (strcmp(entry.path, path) == 0 && entry.device == status.st_dev &&
            entry.inode == status.st_ino)
            while (pwrite(list, &none, offsetof(struct entry, path), place) < 0 && errno == EINTR)
                ;
    close(list);
}

void ending_clear(int list)
{
    struct entry entry;
    struct stat named;
    for (off_t at = 0; read_entry(list, &at, &entry);)
        if (lstat(entry.path, &named) == 0 && named.st_dev == entry.device &&
            named.st_ino == entry.inode)
            unlink(entry.path);
}
