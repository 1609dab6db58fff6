#include "base/target.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LINKS_MOST = 40, PIECE = 1 << 16 };

int target_find(enum target_kind *kind, const char *path, struct apsp_error *error)
{
    struct stat own, there, standard;
    *kind = TARGET_FILE;
    if (strcmp(path, "-") == 0)
        *kind = TARGET_STDOUT;
    else if (lstat(path, &own) || S_ISREG(own.st_mode) || stat(path, &there))
        return APSP_OK;
    else if (S_ISDIR(there.st_mode))
        return error_set(error, APSP_IO, "%s: is a directory", path);
    else if (fstat(STDOUT_FILENO, &standard) == 0 && standard.st_dev == there.st_dev &&
             standard.st_ino == there.st_ino)
        *kind = TARGET_STDOUT;
    else if (S_ISFIFO(there.st_mode) || S_ISCHR(there.st_mode))
        *kind = TARGET_STREAM;
    else if (!S_ISREG(there.st_mode))
        return error_set(error, APSP_IO, "%s: is neither a file nor a pipe", path);
    return APSP_OK;
}

char *target_follow(const char *path)
{
    char *at = strdup(path), *next;
    for (int links = 0; at && links < LINKS_MOST; links++) {
        char to[PATH_MAX];
        ssize_t length = readlink(at, to, sizeof to - 1);
        if (length < 0)
            return at;
        to[length] = '\0';
        const char *slash = strrchr(at, '/');
        int folder = *to != '/' && slash ? (int)(slash - at) + 1 : 0;
        if (asprintf(&next, "%.*s%s", folder, at, to) < 0)
            next = NULL;
        free(at);
        at = next;
    }
    free(at);
    return NULL;
}

static bool copy(int from, int to)
{
    char data[PIECE];
    for (off_t at = 0;;) {
        ssize_t got = pread(from, data, sizeof data, at);
        if (got <= 0)
            return got == 0;
        for (ssize_t done = 0; done < got;) {
            ssize_t put = write(to, data + done, (size_t)(got - done));
            if (put < 0 && errno != EINTR)
                return false;
            done += put > 0 ? put : 0;
        }
        at += got;
    }
}

/* A reader that has gone is an error like any other. */
int target_write(const char *path, enum target_kind kind, int file, struct apsp_error *error)
{
    struct sigaction before, ignore = {.sa_handler = SIG_IGN};
    int fd = kind == TARGET_STDOUT ? STDOUT_FILENO : open(path, O_WRONLY | O_CLOEXEC);
    sigemptyset(&ignore.sa_mask);
    sigaction(SIGPIPE, &ignore, &before);
    if (fd < 0 || !copy(file, fd))
        error_set(error, APSP_IO, "%s: cannot be written: %s", path, strerror(errno));
    sigaction(SIGPIPE, &before, NULL);
    if (fd >= 0 && kind == TARGET_STREAM && close(fd) != 0)
        error_set(error, APSP_IO, "%s: cannot be written: %s", path, strerror(errno));
    return error->code;
}
