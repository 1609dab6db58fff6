#include "base/fault.h"

#include <stdarg.h>
#include <unistd.h>

static int own_rank;
static void (*clean)(void);
static void (*end_all)(int code);

void fault_cleanup(void (*cleanup)(void))
{
    clean = cleanup;
}

void fault_place(int rank, void (*end)(int code))
{
    own_rank = rank;
    end_all = end;
}

void fault(enum apsp_status code, const char *format, ...)
{
    char text[1024], host[64] = "";
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    gethostname(host, sizeof host - 1);
    fprintf(stderr, "apsp: rank %d on %s: %s\n", own_rank, host, text);
    fflush(stderr);
    if (clean)
        clean();
    if (end_all)
        end_all(code);
    _exit(code);
}
