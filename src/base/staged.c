#include "base/staged.h"

#include "base/ending.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

/* What a signal removes, each with the next. Written by the thread that owns the files, read by the handler.
 */
static struct staged *volatile guarded;

/* Not so when another run took ours for stale and has its own there. Safe in a signal handler. */
static bool holds_name(const struct staged *staged)
{
    struct stat held, named;
    return fstat(staged->fd, &held) == 0 && lstat(staged->temporary, &named) == 0 &&
           held.st_dev == named.st_dev && held.st_ino == named.st_ino;
}

void staged_abandon(void)
{
    for (const struct staged *staged = guarded; staged; staged = staged->next)
        if (staged->fd < 0 || holds_name(staged)) /* no descriptor: it is being created */
            unlink(staged->temporary);
}

static void guard_add(struct staged *staged)
{
    if (!guarded)
        ending_guard(staged_abandon);
    staged->next = guarded;
    guarded = staged;
}

static void guard_remove(const struct staged *staged)
{
    struct staged *volatile *link = &guarded;
    while (*link != staged)
        link = &(*link)->next;
    *link = staged->next;
    if (!guarded)
        ending_release();
}

int staged_check(const char *path, const char *input, bool force, struct apsp_error *error)
{
    struct stat target, followed, source;
    enum target_kind kind;
    if (target_find(&kind, path, error) != APSP_OK || kind == TARGET_STDOUT || lstat(path, &target))
        return error->code; /* if it cannot be reached, creating the file will tell */
    if (input && stat(path, &followed) == 0 && stat(input, &source) == 0 &&
        followed.st_dev == source.st_dev && followed.st_ino == source.st_ino)
        return error_set(error, APSP_USAGE, "%s: is the input %s itself", path, input);
    if (!force && kind == TARGET_FILE)
        return error_set(error, APSP_USAGE, "%s: exists; --force replaces it", path);
    return APSP_OK;
}

bool staged_is_stdout(const char *path)
{
    struct apsp_error ignored = {0};
    enum target_kind kind;
    return target_find(&kind, path, &ignored) == APSP_OK && kind == TARGET_STDOUT;
}

/* Of a file beside its target, or of one that is copied into a stream, which nobody else may guess. */
static char *make_temporary(const char *path, enum target_kind kind)
{
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path, *folder = getenv("TMPDIR");
    unsigned long long number;
    char *name;
    if (kind != TARGET_FILE && getrandom(&number, sizeof number, 0) != sizeof number)
        return NULL;
    int length = kind == TARGET_FILE
                     ? asprintf(&name, "%.*s.%s.apsp-tmp", (int)(base - path), path, base)
                     : asprintf(&name, "%s/.%llx.apsp-tmp", folder && *folder ? folder : "/tmp", number);
    return length < 0 ? NULL : name;
}

static int fill_names(struct staged *staged, const char *path, struct apsp_error *error)
{
    *staged = (struct staged){.fd = -1};
    if (target_find(&staged->kind, path, error) != APSP_OK)
        return error->code;
    staged->path = staged->kind == TARGET_FILE ? target_follow(path) : strdup(path);
    staged->temporary = staged->path ? make_temporary(staged->path, staged->kind) : NULL;
    if (!staged->temporary)
        return error_set(error, APSP_MEMORY, "%s: no memory for its name", path);
    if (!*path || staged->path[strlen(staged->path) - 1] == '/')
        return error_set(error, APSP_IO, "%s: names no file", path);
    return APSP_OK;
}

/* A file that a killed run has left goes; one that a live run holds locked is an error. */
static int remove_stale(const struct staged *staged, struct apsp_error *error)
{
    bool busy = false;
    int fd = open(staged->temporary, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd >= 0) {
        busy = flock(fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK;
        close(fd);
    }
    if (busy)
        return error_set(error, APSP_IO, "%s: another run is writing it (it holds %s)", staged->path,
                         staged->temporary);
    if (unlink(staged->temporary) && errno != ENOENT)
        return error_set(error, APSP_IO, "%s: cannot be created: %s: %s", staged->path, staged->temporary,
                         strerror(errno));
    return APSP_OK;
}

int staged_create(struct staged *staged, const char *path, bool force, struct apsp_error *error)
{
    if (fill_names(staged, path, error) || remove_stale(staged, error))
        return error->code;
    staged->force = force;
    guard_add(staged);
    staged->fd = open(staged->temporary, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                      staged->kind == TARGET_FILE ? 0666 : 0600);
    if (staged->fd < 0) {
        int cause = errno;
        guard_remove(staged);
        return error_set(error, APSP_IO, "%s: cannot be created: %s", path, strerror(cause));
    }
    staged->made = true;
    ending_note(staged->temporary, staged->fd);
    flock(staged->fd, LOCK_EX | LOCK_NB); /* where the file system has locks */
    return APSP_OK;
}

int staged_join(struct staged *staged, const char *path, const char *temporary, struct apsp_error *error)
{
    *staged = (struct staged){.fd = -1, .path = strdup(path), .temporary = strdup(temporary)};
    if (!staged->path || !staged->temporary)
        return error_set(error, APSP_MEMORY, "%s: no memory for its name", path);
    staged->fd = open(staged->temporary, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
    if (staged->fd < 0)
        return error_set(error, APSP_IO, "%s: %s", path, strerror(errno));
    guard_add(staged);
    return APSP_OK;
}

size_t staged_names(char *names, size_t room)
{
    size_t used = 0;
    for (const struct staged *staged = guarded; staged; staged = staged->next) {
        size_t bytes = strlen(staged->temporary) + 1;
        if (bytes > room - used)
            break;
        memcpy(names + used, staged->temporary, bytes);
        used += bytes;
    }
    return used;
}

/* The last resorts are for file systems without RENAME_NOREPLACE, and without hard links. */
static bool rename_new(const char *from, const char *to)
{
    struct stat there;
    if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0)
        return true;
    if (errno != EINVAL && errno != ENOSYS)
        return false;
    if (link(from, to) == 0)
        return unlink(from) == 0;
    if (errno == EEXIST)
        return false;
    if (lstat(to, &there) == 0) {
        errno = EEXIST;
        return false;
    }
    return rename(from, to) == 0;
}

/* Makes the new name durable where the directory can be opened; the data are so already. */
static void sync_directory(const struct staged *staged)
{
    const char *slash = strrchr(staged->path, '/');
    char *directory = slash ? strndup(staged->path, (size_t)(slash - staged->path) + 1) : strdup(".");
    int fd = directory ? open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (fd >= 0) {
        fsync(fd);
        close(fd);
    }
    free(directory);
}

int staged_publish(struct staged *staged, struct apsp_error *error)
{
    const char *from = staged->temporary, *to = staged->path;
    if (!holds_name(staged))
        return error_set(error, APSP_IO, "%s: cannot be written: something else has replaced %s", to, from);
    if (staged->kind != TARGET_FILE)
        return target_write(to, staged->kind, staged->fd, error);
    if (staged->force ? rename(from, to) != 0 : !rename_new(from, to)) {
        if (errno == EEXIST)
            return error_set(error, APSP_USAGE, "%s: appeared during the run; --force replaces it", to);
        return error_set(error, APSP_IO, "%s: cannot be renamed from %s: %s", to, from, strerror(errno));
    }
    staged->made = false;
    sync_directory(staged);
    return APSP_OK;
}

void staged_free(struct staged *staged)
{
    if (staged->made && holds_name(staged))
        unlink(staged->temporary);
    if (staged->path && staged->fd >= 0) {
        guard_remove(staged);
        close(staged->fd);
    }
    free(staged->temporary);
    free(staged->path);
    *staged = (struct staged){.fd = -1};
}
