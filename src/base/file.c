#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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
int file_open(struct file *file, const char *path, const char *what, struct apsp_error *error)
{
    struct stat status;
    *file = (struct file){.path = path, .fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)};
    if (file->fd < 0 || fstat(file->fd, &status) != 0)
        return error_set(error, APSP_IO, "%s: cannot open %s: %s", path, what, strerror(errno));
    if (!S_ISREG(status.st_mode))
        return error_set(error, APSP_IO, "%s: cannot read %s: it is %s, not a regular file", path, what,
                         kind_of(status.st_mode));
    file->bytes = (size_t)status.st_size;
    return APSP_OK;
}

void file_close(struct file *file)
{
    if (file->path && file->fd >= 0)
        close(file->fd);
    file->fd = -1;
}

int file_read(const struct file *file, size_t offset, void *data, size_t bytes, struct apsp_error *error)
{
    for (size_t done = 0; done < bytes;) {
        ssize_t got = pread(file->fd, (char *)data + done, bytes - done, (off_t)(offset + done));
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return error_set(error, APSP_IO, "%s: byte %zu: cannot read: %s", file->path, offset + done,
                             strerror(errno));
        if (got == 0)
            return error_set(error, APSP_IO,
                             "%s: byte %zu: the file ends here, but had %zu bytes when it was opened",
                             file->path, offset + done, file->bytes);
        done += (size_t)got;
    }
    return APSP_OK;
}
