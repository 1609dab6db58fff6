#include "files/staged.h"

#include "base/setting.h"
#include "files/staged_list.h"
#include "files/staged_name.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TRIES = 100 };

/* For a caller that has the list: the file is open, and a signal removes it from now on. */
static void staged_begin(struct staged *staged)
{
    staged->state = STAGED_GROWING;
    staged->space = (struct space){.path = staged->path, .file = staged->fd};
    if (!staged->guest)
        staged_list_add(staged);
}

/* The same for a caller that has not. */
static void staged_begin_known(struct staged *staged)
{
    sigset_t mask;
    staged_list_take(&mask);
    staged_begin(staged);
    staged_list_give(&mask);
}

/* Whether making that file would cost the input, as its target or as its temporary file. */
static bool path_spoils_input(const char *path, const char *input)
{
    struct stat source;
    if (strcmp(input, "-") == 0 ? fstat(STDIN_FILENO, &source) || !S_ISREG(source.st_mode)
                                : stat(input, &source))
        return false;
    char *target = target_follow(path), *temporary = target ? staged_name_beside(target, "") : NULL;
    bool same = staged_path_leads_to(path, &source) ||
                (temporary && staged_path_leads_to(temporary, &source));
    free(temporary);
    free(target);
    return same;
}

int staged_check(const char *path, const char *const *inputs, bool force, struct apsp_error *error)
{
    struct stat target;
    enum target_kind kind;
    if (target_find(&kind, path, error) != APSP_OK || kind == TARGET_STDOUT)
        return error->code;
    if (staged_name_is_temporary(staged_name_base(path)))
        return error_set(error, APSP_USAGE,
                         "%s: names that begin with . and end in .apsp-tmp are reserved for "
                         "temporary files",
                         path);
    for (; inputs && *inputs; inputs++)
        if (path_spoils_input(path, *inputs))
            return error_set(error, APSP_USAGE,
                             "%s: is the input %s itself, or its temporary file would be it; "
                             "choose another name",
                             path, *inputs);
    if (!force && kind == TARGET_FILE &&
        lstat(path, &target) == 0) /* if it cannot be reached, creating the file will tell */
        return error_set(error, APSP_USAGE, "%s: exists; %s replaces it", path, SETTING(FORCE));
    return APSP_OK;
}

bool staged_is_stdout(const char *path)
{
    struct apsp_error ignored = {0};
    enum target_kind kind;
    return target_find(&kind, path, &ignored) == APSP_OK && kind == TARGET_STDOUT;
}

/* The folder of the temporary file, for names alone. */
static int staged_open_folder(struct staged *staged)
{
    int length = (int)(staged_name_base(staged->temporary) - staged->temporary);
    char *folder = length ? strndup(staged->temporary, (size_t)length) : strdup(".");
    staged->folder = folder ? open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC) : -1;
    int cause = errno;
    free(folder);
    errno = cause;
    return staged->folder;
}

/* Whose folder_hash and guest are set. */
static int staged_fill_names(struct staged *staged, const char *path, struct apsp_error *error)
{
    *staged = (struct staged){
        .fd = -1, .folder = -1, .folder_hash = staged->folder_hash, .guest = staged->guest};
    if (target_find(&staged->kind, path, error) != APSP_OK)
        return error->code;
    staged->path = staged->kind == TARGET_FILE ? target_follow(path) : strdup(target_name(path));
    staged->temporary = staged->path ? staged_name_temporary(staged, false) : NULL;
    if (!staged->temporary)
        return error_set(error, staged->path || errno == ENOMEM ? APSP_MEMORY : APSP_IO,
                         "%s: its name cannot be found: %s", target_name(path), strerror(errno));
    if (!*staged_name_base(staged->path))
        return error_set(error, APSP_IO, "%s: names no file", path);
    if (staged->kind == TARGET_FILE && strlen(staged_name_base(staged->path)) > NAME_MAX)
        errno = ENAMETOOLONG;
    else if (staged_open_folder(staged) >= 0)
        return APSP_OK;
    return error_set(error, error_status(errno), "%s: cannot be created: %s%s", target_name(path),
                     strerror(errno), errno == ENOENT ? " (the folder has to be there)" : "");
}

/* Removes what is no file of a live run: under its lock, so that a run that has just made it sees
 * it go. */
static bool stale_remove(const struct staged *staged, int fd)
{
    const struct staged stale = {
        .folder = staged->folder, .temporary = staged->temporary, .fd = fd};
    return !staged_name_is_held(&stale) ||
           unlinkat(staged->folder, staged_name_base(staged->temporary), 0) == 0;
}

/* A file that a killed run has left goes; one that a live run holds locked is an error. EEXIST:
 * nothing tells whether it is alive. */
static int staged_remove_stale(const struct staged *staged, struct apsp_error *error)
{
    struct stat there;
    const char *name = staged_name_base(staged->temporary);
    int fd = -1, cause = 0;
    if (fstatat(staged->folder, name, &there, AT_SYMLINK_NOFOLLOW) != 0)
        return 0;
    if (!S_ISREG(there.st_mode))
        cause = unlinkat(staged->folder, name, 0) ? errno : 0;
    else if ((fd = openat(staged->folder, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)) < 0)
        cause = errno == ENOENT ? 0 : EEXIST;
    else if (flock(fd, LOCK_EX | LOCK_NB))
        cause = errno == EWOULDBLOCK ? EWOULDBLOCK : EEXIST;
    else if (!stale_remove(staged, fd))
        cause = errno;
    if (fd >= 0)
        close(fd);
    if (cause == EWOULDBLOCK)
        error_set(error, APSP_IO, "%s: another run is writing it (it holds %s)", staged->path,
                  staged->temporary);
    else if (cause && cause != EEXIST)
        error_set(error, APSP_IO, "%s: cannot be created: %s: %s", staged->path, staged->temporary,
                  strerror(cause));
    return cause;
}

/* What only this user may read stays so while it is replaced; the rest of its mode comes with the
 * name. */
static mode_t staged_first_mode(const struct staged *staged)
{
    struct stat old;
    if (staged->kind != TARGET_FILE)
        return 0600;
    return lstat(staged->path, &old) == 0 ? (old.st_mode & 0777) | 0600 : 0666;
}

/* False with errno; EEXIST: another process has been faster. */
static bool staged_make(struct staged *staged)
{
    const int how = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
    staged->fd =
        openat(staged->folder, staged_name_base(staged->temporary), how, staged_first_mode(staged));
    int cause = errno;
    if (staged->fd >= 0 && ((flock(staged->fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK) ||
                            !staged_name_is_held(staged))) {
        close(staged->fd);
        staged->fd = -1;
        cause = EEXIST;
    }
    errno = cause;
    return staged->fd >= 0;
}

/* Where the file system has locks, it is locked. False as above. */
static bool staged_open_new(struct staged *staged)
{
    sigset_t mask;
    staged_list_take(&mask);
    const bool made = staged_make(staged);
    const int cause = errno;
    if (made) {
        staged->owned = true;
        staged_begin(staged);
    }
    staged_list_give(&mask);
    errno = cause;
    return made;
}

static int staged_create_in(struct staged *staged, const char *path, bool force,
                            struct apsp_error *error)
{
    if (staged_fill_names(staged, path, error))
        return error->code;
    staged->force = force;
    errno = EEXIST;
    for (int tries = 0; tries < TRIES && errno == EEXIST; tries++) {
        if (staged_remove_stale(staged, error) == EEXIST) {
            free(staged->temporary);
            staged->temporary = staged_name_temporary(staged, true);
        }
        if (!staged->temporary)
            return error_set(error, APSP_MEMORY, "%s: no memory for its name", target_name(path));
        if (error->code || staged_open_new(staged))
            return error->code;
    }
    return error_set(error, error_status(errno), "%s: cannot be created: %s", target_name(path),
                     strerror(errno));
}

int staged_create(struct staged *staged, const char *path, bool force, struct apsp_error *error)
{
    staged->folder_hash = 0;
    return staged_create_in(staged, path, force, error);
}

int staged_create_for(struct staged *staged, const char *path, const char *folder, bool force,
                      struct apsp_error *error)
{
    char whole[PATH_MAX];
    staged->folder_hash = staged_name_hash(realpath(folder, whole) ? whole : folder) | 1;
    return staged_create_in(staged, path, force, error);
}

const char *staged_name(const struct staged *staged)
{
    return staged_name_base(staged->temporary);
}

/* Puts that name in the place of the first one. */
static int staged_rename_temporary(struct staged *staged, const char *name,
                                   struct apsp_error *error)
{
    char *temporary;
    if (!staged_name_is_temporary(name))
        return error_set(error, APSP_IO, "%s: the checkpoint names no file beside it",
                         staged->path);
    if (asprintf(&temporary, "%.*s%s",
                 (int)(staged_name_base(staged->temporary) - staged->temporary), staged->temporary,
                 name) < 0)
        return error_set(error, APSP_MEMORY, "%s: no memory for its name", staged->path);
    free(staged->temporary);
    staged->temporary = temporary;
    return APSP_OK;
}

int staged_resume(struct staged *staged, const char *path, const char *name, bool force,
                  struct apsp_error *error)
{
    struct stat status;
    staged->folder_hash = 0;
    if (staged_fill_names(staged, path, error) || staged_rename_temporary(staged, name, error))
        return error->code;
    int fd = openat(staged->folder, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &status) != 0)
        error_set(error, error_status(errno), "%s: the checkpoint's rows, in %s beside it: %s",
                  staged->path, name, strerror(errno));
    else if (!S_ISREG(status.st_mode))
        error_set(error, APSP_IO,
                  "%s: the checkpoint's rows, in %s beside it: is not a regular file", staged->path,
                  name);
    else if (flock(fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK)
        error_set(error, APSP_IO, "%s: another run is writing it (it holds %s)", staged->path,
                  staged->temporary);
    if (error->code && fd >= 0)
        close(fd);
    if (error->code)
        return error->code;
    staged->fd = fd;
    staged->force = force;
    staged->owned = staged->retained = true;
    staged_begin_known(staged);
    return APSP_OK;
}

int staged_join(struct staged *staged, const char *path, const char *temporary, bool retained,
                struct apsp_error *error)
{
    *staged = (struct staged){.fd = -1,
                              .folder = -1,
                              .path = strdup(target_name(path)),
                              .temporary = strdup(temporary),
                              .retained = retained};
    if (!staged->path || !staged->temporary)
        return error_set(error, APSP_MEMORY, "%s: no memory for its name", target_name(path));
    if (staged_open_folder(staged) >= 0)
        staged->fd =
            openat(staged->folder, staged_name_base(temporary), O_RDWR | O_NOFOLLOW | O_CLOEXEC);
    if (staged->fd < 0)
        return error_set(error, error_status(errno), "%s: %s", staged->path, strerror(errno));
    staged_begin_known(staged);
    return APSP_OK;
}

int staged_reopen(const struct staged *staged, struct file *file, struct apsp_error *error)
{
    struct stat held, found;
    int fd = openat(staged->folder, staged_name_base(staged->temporary),
                    O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file_take(file, fd, staged->path, "what has been written", error) != APSP_OK)
        return error->code;
    if (fstat(staged->fd, &held) == 0 && fstat(fd, &found) == 0 && held.st_dev == found.st_dev &&
        held.st_ino == found.st_ino)
        return APSP_OK;
    return error_set(error, APSP_IO, "%s: %s is not the file that this run has written",
                     staged->path, staged->temporary);
}

void staged_free(struct staged *staged)
{
    if (staged_is_pending(staged))
        staged_leave(staged);
    if (staged->state == STAGED_LINKED && !staged->retained && staged_name_is_held(staged))
        unlinkat(staged->folder, staged_name_base(staged->temporary), 0);
    if (staged->path && staged->fd >= 0) {
        if (!staged->guest)
            staged_list_remove(staged);
        close(staged->fd);
    }
    if (staged->path && staged->folder >= 0)
        close(staged->folder);
    free(staged->place);
    free(staged->temporary);
    free(staged->path);
    *staged = (struct staged){.fd = -1, .folder = -1};
}
