#include "base/fault.h"

#include "base/ending.h"
#include "base/text.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int own_rank;                       /* of this process; -1: its threads are the ranks */
static _Thread_local int thread_rank = -1; /* of this thread; -1: that of the process */
static void (*end_all)(int code);
static void (*handle)(int code, const char *text);
static const char *command; /* NULL: of a library */
static atomic_bool exit_is_fault;
/* The first thread that has a fault speaks, and its end is that of all. */
static pthread_mutex_t first = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

void fault_place(int rank, void (*end)(int code))
{
    own_rank = rank;
    end_all = end;
}

int fault_place_rank(int rank)
{
    const int before = own_rank;
    own_rank = rank;
    return before;
}

static void look_at_exit(void);

void fault_place_thread(int rank)
{
    if (exit_is_fault)
        atexit(look_at_exit); /* of several threads that call exit() each runs one handler */
    thread_rank = rank;
}

void fault_handle(void (*handler)(int code, const char *text))
{
    handle = handler;
}

static void end_command(int code, const char *text)
{
    enum { LINE = 1280 };
    char line[LINE];
    snprintf(line, sizeof line - 1, "%s: %s", command, text);
    text_clean(line);
    fputs(strcat(line, "\n"), stderr); /* at once: other ranks may print too */
    if (end_all)
        end_all(code);
    _exit(code);
}

bool fault_on_exit(bool is_fault)
{
    bool before = exit_is_fault;
    exit_is_fault = is_fault && command;
    return before;
}

/* Other ranks are likely to do the same at the same time: the first one speaks, and its end is that
 * of all.
 */
static void look_at_exit(void)
{
    enum { LATER = 2 };
    pthread_mutex_lock(&first);
    if (!exit_is_fault) {
        pthread_mutex_unlock(&first);
        return;
    }
    if (own_rank > 0)
        sleep(LATER);
    fault(APSP_MEMORY,
          "ended by a library, as OpenMP does where it can start no thread or has no room for "
          "its stack (ulimit -u, OMP_STACKSIZE)");
}

void fault_command(const char *name)
{
    command = name;
    handle = end_command;
    exit_is_fault = atexit(look_at_exit) == 0;
}

void fault(enum apsp_status code, const char *format, ...)
{
    char what[1024], host[64] = "", who[32] = "a rank",
                     text[sizeof what + sizeof host + sizeof who];
    const int rank = thread_rank >= 0 ? thread_rank : own_rank;
    va_list arguments;
    pthread_mutex_lock(&first);
    exit_is_fault = false;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    gethostname(host, sizeof host - 1);
    if (rank >= 0)
        snprintf(who, sizeof who, "rank %d", rank);
    snprintf(text, sizeof text, "%s on %s: %s", who, host, what);
    ending_clean();
    if (handle)
        handle(code, text);
    if (end_all) /* the other ranks would wait for this one */
        end_all(code);
    abort();
}
