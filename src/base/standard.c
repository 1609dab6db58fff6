#include "base/standard.h"

#include "base/fault.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* open() returns the lowest number that is free: the one that was found closed. */
static void open_closed(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 &&
            open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0)
            _exit(APSP_IO);
}

int standard_run(const char *name, int (*command)(int argc, char **argv), int argc, char **argv)
{
    open_closed();
    fault_command(name);
    int code = command(argc, argv);
    fault_on_exit(false);
    return code;
}

int standard_flush(struct apsp_error *error)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return error->code;
    return error_set(error, APSP_IO, "standard output: cannot be written: %s", strerror(errno));
}

void standard_note(const char *path, const char *what)
{
    fputs("note: ", stderr);
    text_print_clean(stderr, path);
    fprintf(stderr, ": %s\n", what);
}

void standard_tell(const char *command, const struct apsp_error *error, const char *detail)
{
    fprintf(stderr, "%s: %s", command, error->text);
    text_print_clean(stderr, detail);
    fputc('\n', stderr);
}
