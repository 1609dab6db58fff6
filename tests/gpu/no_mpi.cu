/* For the GPU programs that use the backend and the solver without MPI: what these need of comm.h and
 * progress.h. */
#include <cstdarg>
#include <cstdio>
#include <cstdlib>

extern "C" {
#include "comm.h"
#include "progress.h"
}

void comm_abort(enum apsp_status code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    exit(code);
}

void progress_step(struct progress *, size_t) /* no bar here */
{
}
