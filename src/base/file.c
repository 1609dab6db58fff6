#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { WRITER_WAIT = 3000 }; /* milliseconds that a pipe may be without a writer */

static const char *kind_of(mode_t mode)
{
    switch (mode & S_IFMT) {
    case S_IFDIR:
        return "a directory";
    case S_IFIFO:
        return "a pipe";
    case S_IFSOCK:
        return "a socket";
    default:
        return "a device";
    }
}

/* O_NONBLOCK: a pipe without a writer must not block before it can be refused. */
static int open_path(const char *path)
{
    return open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
}

static int look_at(struct file *file, const char *what, struct stat *status,
                   struct apsp_error *error)
{
    if (file->fd < 0 || fstat(file->fd, status) != 0)
        return error_set(
            error, APSP_IO, "%s: cannot open %s: %s%s", file->path, what, strerror(errno),
            strstr(file->path, "://") ? "; an address has to be downloaded first" : "");
    file->bytes = (size_t)status->st_size;
    file->written = status->st_mtim;
    file->foreign = true;
    return APSP_OK;
}

static int check_regular(const struct file *file, const char *what, const struct stat *status,
                         struct apsp_error *error)
{
    if (S_ISREG(status->st_mode))
        return APSP_OK;
    return error_set(error, APSP_IO, "%s: cannot read %s: it is %s, not a regular file", file->path,
                     what, kind_of(status->st_mode));
}

int file_take(struct file *file, int fd, const char *path, const char *what,
              struct apsp_error *error)
{
    struct stat status;
    *file = (struct file){.path = path, .fd = fd};
    if (look_at(file, what, &status, error) != APSP_OK)
        return error->code;
    return check_regular(file, what, &status, error);
}

int file_open(struct file *file, const char *path, const char *what, struct apsp_error *error)
{
    return file_take(file, open_path(path), path, what, error);
}

int file_unnamed(const char *folder)
{
    int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    char *name;
    if (fd >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL))
        return fd;
    if (asprintf(&name, "%s/.apsp-XXXXXX", folder) < 0)
        return -1;
    fd = mkostemp(name, O_CLOEXEC);
    if (fd >= 0 && unlink(name) != 0) {
        int cause = errno;
        close(fd);
        errno = cause;
        fd = -1;
    }
    free(name);
    return fd;
}

int file_nameless(struct file *file, const char *path, struct apsp_error *error)
{
    const char *folder = getenv("TMPDIR");
    folder = folder && *folder ? folder : "/tmp";
    int fd = file_unnamed(folder);
    if (fd < 0)
        return error_set(error, error_status(errno),
                         "%s: cannot be copied to a file without a name in %s: %s", path, folder,
                         strerror(errno));
    *file = (struct file){.path = path, .fd = fd, .unnamed = true};
    return APSP_OK;
}

/* The next bytes of a pipe, once there are some; 0 when all writers have gone. */
static ssize_t read_pipe(int fd, char *data, size_t room)
{
    for (;;) {
        ssize_t got = read(fd, data, room);
        struct pollfd ready = {.fd = fd, .events = POLLIN};
        if (got >= 0 || (errno != EINTR && errno != EAGAIN))
            return got;
        if (errno == EAGAIN)
            poll(&ready, 1, -1);
    }
}

/* A limit of file sizes is an error like any other, and its signal, which would kill, stays with
 * this call.
 */
static ssize_t write_limited(int fd, const void *data, size_t bytes)
{
    const struct timespec now = {0};
    sigset_t limit, before;
    sigemptyset(&limit);
    sigaddset(&limit, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &limit, &before);
    ssize_t put = write(fd, data, bytes);
    int cause = errno;
    if (put < 0 && cause == EFBIG)
        sigtimedwait(&limit, NULL, &now);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = cause;
    return put;
}

int file_append(struct file *file, const void *data, size_t bytes, struct apsp_error *error)
{
    for (size_t done = 0; done < bytes;) {
        ssize_t put = write_limited(file->fd, (const char *)data + done, bytes - done);
        if (put < 0 && errno != EINTR)
            return error_set(error, APSP_IO, "%s: byte %zu: cannot be copied to a file: %s",
                             file->path, file->bytes + done, strerror(errno));
        done += put < 0 ? 0 : (size_t)put;
    }
    file->bytes += bytes;
    return APSP_OK;
}

static int copy_pipe(struct file *file, int pipe, struct apsp_error *error)
{
    char data[1 << 16];
    ssize_t got;
    struct pollfd first = {.fd = pipe, .events = POLLIN};
    poll(&first, 1,
         WRITER_WAIT); /* returns at once where there is, or was, a writer with something to say */
    while ((got = read_pipe(pipe, data, sizeof data)) > 0) {
        if (file_append(file, data, (size_t)got, error) != APSP_OK)
            return error->code;
    }
    if (got < 0)
        return error_set(error, APSP_IO, "%s: byte %zu: cannot read: %s", file->path, file->bytes,
                         strerror(errno));
    return APSP_OK;
}

static int open_stdin(struct file *file, struct stat *status, struct apsp_error *error)
{
    *file = (struct file){
        .path = "standard input", .fd = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0), .unnamed = true};
    if (file->fd < 0 || fstat(file->fd, status) != 0)
        return error_set(error, APSP_IO, "%s: cannot be read: %s", file->path, strerror(errno));
    file->bytes = (size_t)status->st_size;
    file->written = status->st_mtim;
    file->foreign = true;
    return APSP_OK;
}

int file_spool(struct file *file, const char *path, const char *what, struct apsp_error *error)
{
    struct stat status;
    bool standard = strcmp(path, "-") == 0;
    if (!standard)
        *file = (struct file){.path = path, .fd = open_path(path)};
    if ((standard ? open_stdin(file, &status, error) : look_at(file, what, &status, error)) !=
        APSP_OK)
        return error->code;
    if (!S_ISFIFO(status.st_mode) &&
        (!standard || S_ISREG(status.st_mode) || S_ISDIR(status.st_mode)))
        return check_regular(file, what, &status, error);
    struct file pipe = *file;
    if (file_nameless(file, pipe.path, error) == APSP_OK)
        copy_pipe(file, pipe.fd, error);
    if (file->bytes == 0 && !standard)
        error_set(error, APSP_IO, "%s: it is a pipe without a writer", path);
    file_close(&pipe);
    return error->code;
}

struct file file_in_memory(const char *name, const void *data, size_t bytes)
{
    return (struct file){.path = name, .fd = -1, .bytes = bytes, .memory = data};
}

void file_close(struct file *file)
{
    if (file->path && file->fd >= 0)
        close(file->fd);
    file->fd = -1;
}

bool file_is_same(const struct file *file)
{
    struct stat now;
    if (!file->foreign || file->fd < 0)
        return true;
    return fstat(file->fd, &now) == 0 && (size_t)now.st_size == file->bytes &&
           now.st_mtim.tv_sec == file->written.tv_sec &&
           now.st_mtim.tv_nsec == file->written.tv_nsec;
}

int file_read(const struct file *file, size_t offset, void *data, size_t bytes,
              struct apsp_error *error)
{
    if (file->memory && bytes <= file->bytes && offset <= file->bytes - bytes) {
        memcpy(data, file->memory + offset, bytes);
        return APSP_OK;
    }
    for (size_t done = 0; done < bytes;) {
        ssize_t got = pread(file->fd, (char *)data + done, bytes - done, (off_t)(offset + done));
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return error_set(error, APSP_IO, "%s: byte %zu: cannot read: %s", file->path,
                             offset + done, strerror(errno));
        if (got == 0)
            return error_set(
                error, APSP_IO,
                "%s: byte %zu: the file ends here, but had %zu bytes when it was opened",
                file->path, offset + done, file->bytes);
        done += (size_t)got;
    }
    return APSP_OK;
}

int file_check_text(const char *path, const void *text, size_t bytes, struct apsp_error *error)
{
    static const struct {
        const char *name, *mark;
        size_t length;
    } encodings[] = {{"UTF-32", "\xff\xfe\0\0", 4},
                     {"UTF-32", "\0\0\xfe\xff", 4},
                     {"UTF-16", "\xff\xfe", 2},
                     {"UTF-16", "\xfe\xff", 2}};
    for (size_t i = 0; i < sizeof encodings / sizeof *encodings; i++)
        if (bytes >= encodings[i].length &&
            memcmp(text, encodings[i].mark, encodings[i].length) == 0)
            return error_set(error, APSP_INPUT,
                             "%s: is %s text, where UTF-8 is needed: iconv -f %s -t UTF-8 '%s' "
                             "prints it so",
                             path, encodings[i].name, encodings[i].name, path);
    return APSP_OK;
}
