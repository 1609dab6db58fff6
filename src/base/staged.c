#include "base/staged.h"

#include "base/ending.h"
#include "base/random.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TRIES = 100, ASIDE_MOST = 9, NUMBER = 20 };

#define TEMPORARY ".apsp-tmp"

static const char *const endings[] = {[STAGED_KEPT] = ".kept", [STAGED_REFUTED] = ".refuted"};

/* All files of this process, each with the next. A signal removes or names them. */
static struct staged *guarded;
static atomic_flag list_taken = ATOMIC_FLAG_INIT;

/* The list is for one thread at a time. A thread that has it gets no signal meanwhile, so a handler
 * waits only for another thread. */
static void list_take(sigset_t *mask)
{
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, mask);
    while (atomic_flag_test_and_set_explicit(&list_taken, memory_order_acquire))
        sched_yield();
}

static void list_give(const sigset_t *mask)
{
    atomic_flag_clear_explicit(&list_taken, memory_order_release);
    pthread_sigmask(SIG_SETMASK, mask, NULL);
}

static const char *base_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* What follows is safe in a signal handler, up to staged_abandon. */

/* Not so when another run took ours for stale and has its own there. */
static bool holds_name(const struct staged *staged)
{
    struct stat held, named;
    return staged->fd >= 0 && fstat(staged->fd, &held) == 0 &&
           fstatat(staged->folder, base_of(staged->temporary), &named, AT_SYMLINK_NOFOLLOW) == 0 &&
           held.st_dev == named.st_dev && held.st_ino == named.st_ino;
}

/* The last resorts are for file systems without RENAME_NOREPLACE, and without hard links. */
static bool rename_new(int folder, const char *from, const char *to)
{
    struct stat there;
    if (renameat2(folder, from, folder, to, RENAME_NOREPLACE) == 0)
        return true;
    if (errno != EINVAL && errno != ENOSYS)
        return false;
    if (linkat(folder, from, folder, to, 0) == 0)
        return unlinkat(folder, from, 0) == 0;
    if (errno == EEXIST)
        return false;
    if (fstatat(folder, to, &there, AT_SYMLINK_NOFOLLOW) == 0)
        errno = EEXIST;
    else if (errno == ENOENT)
        return renameat(folder, from, folder, to) == 0;
    return false;
}

/* BASE.kept and so on, of as much of the base as a name has room for; in the folder of temporary
 * files a name says whose it is. */
static void name_aside(char name[NAME_MAX + 1], const struct staged *staged, enum staged_name as,
                       const char *number)
{
    const char *prefix = staged->kind == TARGET_FILE ? "" : "apsp-", *ending = endings[as],
               *base = staged->kind == TARGET_STDOUT ? "stdout" : base_of(staged->path);
    size_t room = NAME_MAX - strlen(prefix) - strlen(ending) - strlen(number),
           length = strlen(base);
    char *end = mempcpy(stpcpy(name, prefix), base, length < room ? length : room);
    stpcpy(stpcpy(end, ending), number);
}

/* The number of a name aside: none, .2 to .9, and then one that no other file has. */
static void number_aside(char number[NUMBER], int tried)
{
    unsigned long long random = (unsigned)tried + 1U;
    char *end = number;
    if (tried >= ASIDE_MOST && getrandom(&random, sizeof random, GRND_NONBLOCK) != sizeof random)
        random = (unsigned)tried;
    if (tried > 0)
        *end++ = '.';
    for (; tried > 0 && random > 0; random /= 16)
        *end++ = "0123456789abcdef"[random % 16];
    *end = '\0';
}

/* Leaves the name by which it is done; false with errno if there is none. */
static bool move_aside(const struct staged *staged, enum staged_name as, char name[NAME_MAX + 1])
{
    char number[NUMBER];
    for (int tried = 0; tried < 2 * ASIDE_MOST; tried++) {
        number_aside(number, tried);
        name_aside(name, staged, as, number);
        if (rename_new(staged->folder, base_of(staged->temporary), name))
            return true;
        if (errno != EEXIST)
            return false;
    }
    return false;
}

static void leave(const struct staged *staged)
{
    char name[NAME_MAX + 1];
    bool keep = staged->complete && staged->kind == TARGET_FILE;
    if (staged->kept || !holds_name(staged))
        return;
    if (keep && staged->made)
        move_aside(staged, STAGED_KEPT, name);
    else if (!keep)
        unlinkat(staged->folder, base_of(staged->temporary), 0);
}

void staged_abandon(void)
{
    sigset_t mask;
    list_take(&mask);
    for (const struct staged *staged = guarded; staged; staged = staged->next)
        leave(staged);
    list_give(&mask);
}

/* For a caller that has the list. */
static void guard_add(struct staged *staged)
{
    if (!guarded)
        ending_guard(staged_abandon);
    staged->next = guarded;
    guarded = staged;
}

/* The same for a file that is open already. */
static void guard_known(struct staged *staged)
{
    sigset_t mask;
    list_take(&mask);
    guard_add(staged);
    list_give(&mask);
}

static void guard_remove(const struct staged *staged)
{
    sigset_t mask;
    struct staged **link = &guarded;
    list_take(&mask);
    while (*link != staged)
        link = &(*link)->next;
    *link = staged->next;
    if (!guarded)
        ending_release();
    list_give(&mask);
}

static uint64_t hash_of(const char *text)
{
    uint64_t hash = 0;
    for (; *text; text++)
        hash = random_mix(hash ^ (unsigned char)*text);
    return hash;
}

/* Beside that path; with a number so marked. A name with so little room for more loses its end to a
 * hash. */
static char *name_beside(const char *path, const char *mark)
{
    const char *base = base_of(path);
    char *name, hash[20] = "";
    size_t length = strlen(base), around = 1 + strlen(mark) + strlen(TEMPORARY);
    if (length + around > NAME_MAX) {
        around +=
            (size_t)snprintf(hash, sizeof hash, "-%016llx", (unsigned long long)hash_of(base));
        length = NAME_MAX - around;
    }
    return asprintf(&name, "%.*s.%.*s%s%s" TEMPORARY, (int)(base - path), path, (int)length, base,
                    hash, mark) < 0
               ? NULL
               : name;
}

static bool is_same(const char *path, const struct stat *other)
{
    struct stat status;
    return stat(path, &status) == 0 && status.st_dev == other->st_dev &&
           status.st_ino == other->st_ino;
}

/* Whether making that file would cost the input, as its target or as its temporary file. */
static bool spoils(const char *path, const char *input)
{
    struct stat source;
    if (strcmp(input, "-") == 0 ? fstat(STDIN_FILENO, &source) || !S_ISREG(source.st_mode)
                                : stat(input, &source))
        return false;
    char *target = target_follow(path), *temporary = target ? name_beside(target, "") : NULL;
    bool same = is_same(path, &source) || (temporary && is_same(temporary, &source));
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
    if (*base_of(path) == '.' && text_has_suffix(path, TEMPORARY))
        return error_set(error, APSP_USAGE, "%s: is a name of temporary files, which go", path);
    for (; inputs && *inputs; inputs++)
        if (spoils(path, *inputs))
            return error_set(error, APSP_USAGE,
                             "%s: is the input %s itself, or its temporary file would be it", path,
                             *inputs);
    if (!force && kind == TARGET_FILE &&
        lstat(path, &target) == 0) /* if it cannot be reached, creating the file will tell */
        return error_set(error, APSP_USAGE, "%s: exists; --force replaces it", path);
    return APSP_OK;
}

bool staged_is_stdout(const char *path)
{
    struct apsp_error ignored = {0};
    enum target_kind kind;
    return target_find(&kind, path, &ignored) == APSP_OK && kind == TARGET_STDOUT;
}

/* Of a file beside its target, or of one that is copied into a stream, which nobody else may guess.
 * `again`: for a target whose first name is taken. */
static char *make_temporary(const struct staged *staged, bool again)
{
    const char *folder = getenv("TMPDIR");
    unsigned long long number = staged->folder_hash;
    char *name, mark[20] = "";
    if ((staged->kind != TARGET_FILE || again) &&
        getrandom(&number, sizeof number, 0) != sizeof number)
        return NULL;
    if (number > 0)
        snprintf(mark, sizeof mark, ".%llx", number);
    if (staged->kind == TARGET_FILE)
        return name_beside(staged->path, mark);
    return asprintf(&name, "%s/.%llx" TEMPORARY, folder && *folder ? folder : "/tmp", number) < 0
               ? NULL
               : name;
}

/* The folder of the temporary file, for names alone. */
static int open_folder(struct staged *staged)
{
    int length = (int)(base_of(staged->temporary) - staged->temporary);
    char *folder = length ? strndup(staged->temporary, (size_t)length) : strdup(".");
    staged->folder = folder ? open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC) : -1;
    int cause = errno;
    free(folder);
    errno = cause;
    return staged->folder;
}

/* Whose folder_hash is set. */
static int fill_names(struct staged *staged, const char *path, struct apsp_error *error)
{
    *staged = (struct staged){.fd = -1, .folder = -1, .folder_hash = staged->folder_hash};
    if (target_find(&staged->kind, path, error) != APSP_OK)
        return error->code;
    staged->path = staged->kind == TARGET_FILE ? target_follow(path) : strdup(target_name(path));
    staged->temporary = staged->path ? make_temporary(staged, false) : NULL;
    if (!staged->temporary)
        return error_set(error, APSP_MEMORY, "%s: no memory for its name", target_name(path));
    if (!*base_of(staged->path))
        return error_set(error, APSP_IO, "%s: names no file", path);
    if (staged->kind == TARGET_FILE && strlen(base_of(staged->path)) > NAME_MAX)
        errno = ENAMETOOLONG;
    else if (open_folder(staged) >= 0)
        return APSP_OK;
    return error_set(error, error_status(errno), "%s: cannot be created: %s", target_name(path),
                     strerror(errno));
}

/* Removes what is no file of a live run: under its lock, so that a run that has just made it sees
 * it go. */
static bool remove_unlocked(const struct staged *staged, int fd)
{
    const struct staged stale = {
        .folder = staged->folder, .temporary = staged->temporary, .fd = fd};
    return !holds_name(&stale) || unlinkat(staged->folder, base_of(staged->temporary), 0) == 0;
}

/* A file that a killed run has left goes; one that a live run holds locked is an error. EEXIST:
 * nothing tells whether it is alive. */
static int remove_stale(const struct staged *staged, struct apsp_error *error)
{
    struct stat there;
    const char *name = base_of(staged->temporary);
    int fd = -1, cause = 0;
    if (fstatat(staged->folder, name, &there, AT_SYMLINK_NOFOLLOW) != 0)
        return 0;
    if (!S_ISREG(there.st_mode))
        cause = unlinkat(staged->folder, name, 0) ? errno : 0;
    else if ((fd = openat(staged->folder, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)) < 0)
        cause = errno == ENOENT ? 0 : EEXIST;
    else if (flock(fd, LOCK_EX | LOCK_NB))
        cause = errno == EWOULDBLOCK ? EWOULDBLOCK : EEXIST;
    else if (!remove_unlocked(staged, fd))
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
static mode_t first_mode(const struct staged *staged)
{
    struct stat old;
    if (staged->kind != TARGET_FILE)
        return 0600;
    return lstat(staged->path, &old) == 0 ? (old.st_mode & 0777) | 0600 : 0666;
}

/* False with errno; EEXIST: another process has been faster. */
static bool make_file(struct staged *staged)
{
    const int how = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
    staged->fd = openat(staged->folder, base_of(staged->temporary), how, first_mode(staged));
    int cause = errno;
    if (staged->fd >= 0 &&
        ((flock(staged->fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK) || !holds_name(staged))) {
        close(staged->fd);
        staged->fd = -1;
        cause = EEXIST;
    }
    errno = cause;
    return staged->fd >= 0;
}

/* Where the file system has locks, it is locked. False as above. */
static bool open_new(struct staged *staged)
{
    sigset_t mask;
    list_take(&mask);
    const bool made = make_file(staged);
    const int cause = errno;
    if (made) {
        staged->made = true;
        staged->space = (struct space){.path = staged->path, .file = staged->fd};
        guard_add(staged);
    }
    list_give(&mask);
    errno = cause;
    return made;
}

static int create(struct staged *staged, const char *path, bool force, struct apsp_error *error)
{
    if (fill_names(staged, path, error))
        return error->code;
    staged->force = force;
    errno = EEXIST;
    for (int tries = 0; tries < TRIES && errno == EEXIST; tries++) {
        if (remove_stale(staged, error) == EEXIST) {
            free(staged->temporary);
            staged->temporary = make_temporary(staged, true);
        }
        if (!staged->temporary)
            return error_set(error, APSP_MEMORY, "%s: no memory for its name", target_name(path));
        if (error->code || open_new(staged))
            return error->code;
    }
    return error_set(error, error_status(errno), "%s: cannot be created: %s", target_name(path),
                     strerror(errno));
}

int staged_create(struct staged *staged, const char *path, bool force, struct apsp_error *error)
{
    staged->folder_hash = 0;
    return create(staged, path, force, error);
}

int staged_create_for(struct staged *staged, const char *path, const char *folder, bool force,
                      struct apsp_error *error)
{
    char whole[PATH_MAX];
    staged->folder_hash = hash_of(realpath(folder, whole) ? whole : folder) | 1;
    return create(staged, path, force, error);
}

const char *staged_name(const struct staged *staged)
{
    return base_of(staged->temporary);
}

static bool is_temporary(const char *name)
{
    return *name == '.' && strlen(name) <= NAME_MAX && !strchr(name, '/') &&
           text_has_suffix(name, TEMPORARY);
}

/* Puts that name in the place of the first one. */
static int rename_temporary(struct staged *staged, const char *name, struct apsp_error *error)
{
    char *temporary;
    if (!is_temporary(name))
        return error_set(error, APSP_IO, "%s: the checkpoint names no file beside it",
                         staged->path);
    if (asprintf(&temporary, "%.*s%s", (int)(base_of(staged->temporary) - staged->temporary),
                 staged->temporary, name) < 0)
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
    if (fill_names(staged, path, error) || rename_temporary(staged, name, error))
        return error->code;
    int fd = openat(staged->folder, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &status) != 0)
        error_set(error, error_status(errno), "%s: the checkpoint's rows, in %s beside it: %s",
                  staged->path, name, strerror(errno));
    else if (!S_ISREG(status.st_mode))
        error_set(error, APSP_IO, "%s: the checkpoint's rows, in %s beside it: is no regular file",
                  staged->path, name);
    else if (flock(fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK)
        error_set(error, APSP_IO, "%s: another run is writing it (it holds %s)", staged->path,
                  staged->temporary);
    if (error->code && fd >= 0)
        close(fd);
    if (error->code)
        return error->code;
    staged->fd = fd;
    staged->force = force;
    staged->made = true;
    staged->kept = true;
    staged->space = (struct space){.path = staged->path, .file = fd};
    guard_known(staged);
    return APSP_OK;
}

int staged_join(struct staged *staged, const char *path, const char *temporary, bool kept,
                struct apsp_error *error)
{
    *staged = (struct staged){.fd = -1,
                              .folder = -1,
                              .path = strdup(target_name(path)),
                              .temporary = strdup(temporary),
                              .kept = kept};
    if (!staged->path || !staged->temporary)
        return error_set(error, APSP_MEMORY, "%s: no memory for its name", target_name(path));
    if (open_folder(staged) >= 0)
        staged->fd = openat(staged->folder, base_of(temporary), O_RDWR | O_NOFOLLOW | O_CLOEXEC);
    if (staged->fd < 0)
        return error_set(error, error_status(errno), "%s: %s", staged->path, strerror(errno));
    staged->space = (struct space){.path = staged->path, .file = staged->fd};
    guard_known(staged);
    return APSP_OK;
}

int staged_reopen(const struct staged *staged, struct file *file, struct apsp_error *error)
{
    struct stat held, found;
    int fd = openat(staged->folder, base_of(staged->temporary),
                    O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file_take(file, fd, staged->path, "what has been written", error) != APSP_OK)
        return error->code;
    if (fstat(staged->fd, &held) == 0 && fstat(fd, &found) == 0 && held.st_dev == found.st_dev &&
        held.st_ino == found.st_ino)
        return APSP_OK;
    return error_set(error, APSP_IO, "%s: %s is not the file that this run has written",
                     staged->path, staged->temporary);
}

size_t staged_names(char *names, size_t room)
{
    sigset_t mask;
    size_t used = 0;
    list_take(&mask);
    for (const struct staged *staged = guarded; staged; staged = staged->next) {
        size_t bytes = strlen(staged->temporary) + 1;
        if (staged->kept)
            continue;
        if (bytes > room - used)
            break;
        memcpy(names + used, staged->temporary, bytes);
        used += bytes;
    }
    list_give(&mask);
    return used;
}

/* It may be open more than once. */
static bool is_one(const struct staged *a, const struct staged *b)
{
    struct stat held, other;
    return a == b || (a->fd >= 0 && fstat(a->fd, &held) == 0 && fstat(b->fd, &other) == 0 &&
                      held.st_dev == other.st_dev && held.st_ino == other.st_ino);
}

void staged_complete(const struct staged *complete)
{
    sigset_t mask;
    list_take(&mask);
    for (struct staged *staged = guarded; staged; staged = staged->next)
        if (is_one(complete, staged))
            staged->complete = true;
    list_give(&mask);
}

void staged_keep(const struct staged *one, bool kept)
{
    sigset_t mask;
    list_take(&mask);
    for (struct staged *staged = guarded; staged; staged = staged->next)
        if (is_one(one, staged))
            staged->kept = kept;
    list_give(&mask);
}

/* Makes the new name durable where the folder can be opened; the data are so already. */
static void sync_folder(const struct staged *staged)
{
    int fd = openat(staged->folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        fsync(fd);
        close(fd);
    }
}

/* The file's name in the folder as that is called now; as it was called, if the path still leads
 * there. */
static char *place_of(const struct staged *staged, const char *name)
{
    int length = (int)(base_of(staged->path) - staged->path);
    char *there, link[40], folder[PATH_MAX];
    struct stat held;
    if (asprintf(&there, "%.*s%s", length, staged->path, name) < 0)
        return NULL;
    if (fstatat(staged->folder, name, &held, AT_SYMLINK_NOFOLLOW) == 0 && is_same(there, &held))
        return there;
    snprintf(link, sizeof link, "/proc/self/fd/%d", staged->folder);
    ssize_t got = readlink(link, folder, sizeof folder - 1);
    if (got < 0)
        return there;
    free(there);
    folder[got] = '\0';
    return asprintf(&there, "%s/%s", folder, name) < 0 ? NULL : there;
}

static bool take_target(const struct staged *staged)
{
    struct stat old;
    const char *from = base_of(staged->temporary), *to = base_of(staged->path);
    if (!staged->force)
        return rename_new(staged->folder, from, to);
    if (fstatat(staged->folder, to, &old, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(old.st_mode))
        fchmod(staged->fd, old.st_mode & 0777);
    return renameat(staged->folder, from, staged->folder, to) == 0;
}

/* Why it has not the name that it should have, for this errno, and where it is; for 0 its folder
 * has moved.
 */
static int refuse_name(const struct staged *staged, int cause, struct apsp_error *error)
{
    const char *place = staged->place;
    if (!place)
        return error_set(error, APSP_MEMORY, "%s: no memory to find out where the complete file is",
                         staged->path);
    if (cause == EEXIST)
        return error_set(
            error, APSP_USAGE,
            "%s: appeared during the run, and only --force replaces it: the complete file is %s",
            staged->path, place);
    return error_set(error, APSP_IO, "%s: %s: the complete file is %s", staged->path,
                     cause ? strerror(cause) : "its folder has been renamed", place);
}

static int publish_stream(struct staged *staged, struct apsp_error *error)
{
    struct apsp_error own = {0};
    char name[NAME_MAX + 1];
    if (target_write(staged->path, staged->kind, staged->fd, &staged->space, &own) == APSP_OK ||
        errno == EPIPE)
        return own.code ? error_set(error, own.code, "%s", own.text) : APSP_OK;
    if (!move_aside(staged, STAGED_KEPT, name))
        strcpy(name, base_of(staged->temporary));
    staged->made = false;
    staged->place = place_of(staged, name);
    return error_set(error, own.code, "%s: the complete file is %s", own.text,
                     staged->place ? staged->place : staged->temporary);
}

static int publish_alone(struct staged *staged, struct apsp_error *error)
{
    if (!take_target(staged))
        return error_set(error, APSP_IO, "%s: %s", staged->path, strerror(errno));
    staged->made = false;
    sync_folder(staged);
    return APSP_OK;
}

/* Or there it is: renaming a file to another name of its own does nothing. */
static bool name_again(const struct staged *staged, const char *name)
{
    linkat(staged->folder, name, staged->folder, base_of(staged->temporary), 0);
    return holds_name(staged);
}

int staged_publish(struct staged *staged, enum staged_name as, struct apsp_error *error)
{
    char name[NAME_MAX + 1];
    if (!holds_name(staged))
        return error_set(error, APSP_IO, "%s: cannot be written: something else has replaced %s",
                         staged->path, staged->temporary);
    if (staged->kind != TARGET_FILE)
        return as == STAGED_TARGET ? publish_stream(staged, error) : APSP_OK;
    if (as == STAGED_ALONE)
        return publish_alone(staged, error);
    strcpy(name, base_of(staged->path));
    bool named = as == STAGED_TARGET && take_target(staged);
    int cause = named ? 0 : errno;
    if (!named && !move_aside(staged, as == STAGED_TARGET ? STAGED_KEPT : as, name)) {
        cause = as == STAGED_TARGET ? cause : errno;
        strcpy(name, base_of(staged->temporary));
        as = STAGED_TARGET;
    }
    if (staged->kept && strcmp(name, base_of(staged->temporary)) != 0)
        staged->twice = name_again(staged, name);
    staged->made = false;
    staged->place = place_of(staged, name);
    sync_folder(staged);
    if (as != STAGED_TARGET || (named && staged->place && strcmp(staged->place, staged->path) == 0))
        return APSP_OK;
    return refuse_name(staged, cause, error);
}

void staged_free(struct staged *staged)
{
    if (staged->made)
        leave(staged);
    if (staged->twice && !staged->kept && holds_name(staged))
        unlinkat(staged->folder, base_of(staged->temporary), 0);
    if (staged->path && staged->fd >= 0) {
        guard_remove(staged);
        close(staged->fd);
    }
    if (staged->path && staged->folder >= 0)
        close(staged->folder);
    free(staged->place);
    free(staged->temporary);
    free(staged->path);
    *staged = (struct staged){.fd = -1, .folder = -1};
}
