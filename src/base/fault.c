#include "base/fault.h"

#include "base/text.h"

#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

static int own_rank;
static void (*clean)(void);
static void (*end_all)(int code);
static void (*handle)(int code, const char *text);

void fault_cleanup(void (*cleanup)(void))
{
    clean = cleanup;
}

void fault_place(int rank, void (*end)(int code))
{
    own_rank = rank;
    end_all = end;
}

void fault_handle(void (*handler)(int code, const char *text))
{
    handle = handler;
}

void fault_end(int code, const char *text)
{
    fputs("apsp: ", stderr);
    text_print_clean(stderr, text);
    fputc('\n', stderr);
    fflush(stderr);
    if (end_all)
        end_all(code);
    _exit(code);
}

void fault(enum apsp_status code, const char *format, ...)
{
    char what[1024], host[64] = "", text[sizeof what + sizeof host + 32];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    gethostname(host, sizeof host - 1);
    snprintf(text, sizeof text, "rank %d on %s: %s", own_rank, host, what);
    if (clean)
        clean();
    if (handle)
        handle(code, text);
    if (end_all) /* the other ranks would wait for this one */
        end_all(code);
    abort();
}
