#include "files/target.h"

#include "base/size.h"
#include "files/space.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LINKS_MOST = 40, PIECE = SIZE_OF(1 << 16, 100) };

/* What the link at the end of the path says, from where the path starts; free() it. NULL: it is
 * none, or no memory. */
static char *read_link(const char *path)
{
    char to[PATH_MAX], *next;
    ssize_t length = readlink(path, to, sizeof to - 1);
    if (length < 0)
        return NULL;
    to[length] = '\0';
    const char *slash = strrchr(path, '/');
    int folder = *to != '/' && slash ? (int)(slash - path) + 1 : 0;
    return asprintf(&next, "%.*s%s", folder, path, to) < 0 ? NULL : next;
}

/* Whether the path ends with a link that another user has put into a folder for all, such as /tmp.
 * The rule is that of Linux' protected_symlinks, which not all systems have in force. */
static bool is_foreign(const char *path)
{
    struct stat link, folder;
    const char *slash = strrchr(path, '/');
    if (lstat(path, &link) || !S_ISLNK(link.st_mode))
        return false;
    char *beside = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
    const bool known = beside && stat(beside, &folder) == 0;
    free(beside);
    return !known || (folder.st_mode & S_ISVTX && folder.st_mode & S_IWOTH &&
                      link.st_uid != geteuid() && link.st_uid != folder.st_uid);
}

/* Whether the links of the path lead by a descriptor of /proc, which is a file that is open,
 * whatever the name that it is said to have. */
static bool is_descriptor(const char *path)
{
    struct stat own, proc;
    bool found = false;
    char *at = strdup(path), *next;
    for (int links = 0; at && !found && links < LINKS_MOST; links++) {
        found = stat("/proc", &proc) == 0 && lstat(at, &own) == 0 && S_ISLNK(own.st_mode) &&
                own.st_dev == proc.st_dev;
        next = read_link(at);
        free(at);
        at = next;
    }
    free(at);
    return found;
}

const char *target_name(const char *path)
{
    return strcmp(path, "-") == 0 ? "standard output" : path;
}

static bool has_foreign(const char *path)
{
    errno = 0;
    char *end = target_follow(path);
    const bool foreign = !end && errno == EPERM;
    free(end);
    return foreign;
}

int target_find(enum target_kind *kind, const char *path, struct apsp_error *error)
{
    struct stat own, there, standard;
    *kind = TARGET_FILE;
    if (strcmp(path, "-") == 0)
        *kind = TARGET_STDOUT;
    else if (lstat(path, &own) || S_ISREG(own.st_mode))
        return APSP_OK;
    else if (has_foreign(path))
        return error_set(error, APSP_IO,
                         "%s: leads by a symbolic link that another user has put into a folder "
                         "for all; remove the link, or name the file itself",
                         path);
    else if (stat(path, &there))
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
    else if (is_descriptor(path))
        *kind = TARGET_STREAM;
    return APSP_OK;
}

char *target_follow(const char *path)
{
    char *at = strdup(path);
    for (int links = 0; at && links < LINKS_MOST; links++) {
        const bool foreign = is_foreign(at);
        char *next = foreign ? NULL : read_link(at);
        if (!next && !foreign && errno != ENOMEM)
            return at;
        free(at);
        at = next;
        if (foreign)
            errno = EPERM;
    }
    free(at);
    return NULL;
}

/* Only a file's space may come back. */
static bool copy(int from, int to, struct space *space)
{
    char data[PIECE];
    bool waits = false;
    struct stat status;
    space->never |= fstat(to, &status) != 0 || !S_ISREG(status.st_mode);
    for (off_t at = 0;;) {
        ssize_t got = pread(from, data, sizeof data, at);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return got == 0;
        for (ssize_t done = 0; done < got;) {
            ssize_t put = write(to, data + done, (size_t)(got - done));
            if (put < 0 && errno != EINTR && !space_wait(space, errno, &waits))
                return false;
            done += put > 0 ? put : 0;
        }
        space_found(space, &waits);
        at += got;
    }
}

static int open_target(const char *path, enum target_kind kind)
{
    if (kind == TARGET_STREAM)
        return open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
    return fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
}

/* A reader that has gone is an error like any other. */
int target_write(const char *path, enum target_kind kind, int file, struct space *space,
                 struct apsp_error *error)
{
    struct sigaction before, ignore = {.sa_handler = SIG_IGN};
    int fd = open_target(path, kind);
    sigemptyset(&ignore.sa_mask);
    sigaction(SIGPIPE, &ignore, &before);
    bool written = fd >= 0 && copy(file, fd, space);
    int cause = errno;
    if (fd >= 0 && close(fd) != 0 && written) {
        written = false;
        cause = errno;
    }
    sigaction(SIGPIPE, &before, NULL);
    if (!written)
        error_set(error, error_status(cause), "%s: cannot be written: %s", path, strerror(cause));
    errno = cause;
    return error->code;
}
