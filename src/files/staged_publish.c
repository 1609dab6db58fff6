/* The last name of a staged file, or the bytes of a stream. */
#include "base/setting.h"
#include "files/staged_name.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Makes the new name durable where the folder can be opened; the data are so already. */
static void staged_sync_folder(const struct staged *staged)
{
    int fd = openat(staged->folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        fsync(fd);
        close(fd);
    }
}

/* The file's name in the folder as that is called now; as it was called, if the path still leads
 * there. */
static char *staged_find_place(const struct staged *staged, const char *name)
{
    int length = (int)(staged_name_base(staged->path) - staged->path);
    char *there, link[40], folder[PATH_MAX];
    struct stat held;
    if (asprintf(&there, "%.*s%s", length, staged->path, name) < 0)
        return NULL;
    if (fstatat(staged->folder, name, &held, AT_SYMLINK_NOFOLLOW) == 0 &&
        staged_path_leads_to(there, &held))
        return there;
    snprintf(link, sizeof link, "/proc/self/fd/%d", staged->folder);
    ssize_t got = readlink(link, folder, sizeof folder - 1);
    if (got < 0)
        return there;
    free(there);
    folder[got] = '\0';
    return asprintf(&there, "%s/%s", folder, name) < 0 ? NULL : there;
}

static bool staged_take_target(const struct staged *staged)
{
    struct stat old;
    const char *from = staged_name_base(staged->temporary), *to = staged_name_base(staged->path);
    if (!staged->force)
        return staged_name_move(staged->folder, from, to);
    if (fstatat(staged->folder, to, &old, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(old.st_mode))
        fchmod(staged->fd, old.st_mode & 0777);
    return renameat(staged->folder, from, staged->folder, to) == 0;
}

/* Why it has not the name that it should have, for this errno, and where it is; for 0 its folder
 * has moved.
 */
static int staged_refuse_name(const struct staged *staged, int cause, struct apsp_error *error)
{
    const char *place = staged->place;
    if (!place)
        return error_set(error, APSP_MEMORY, "%s: no memory to find out where the complete file is",
                         staged->path);
    if (cause == EEXIST)
        return error_set(
            error, APSP_USAGE,
            "%s: appeared during the run, and only %s replaces it: the complete file is %s",
            staged->path, SETTING(FORCE), place);
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
    if (!staged_name_fall_back(staged, STAGED_KEPT, name))
        strcpy(name, staged_name_base(staged->temporary));
    staged->state = STAGED_NAMED;
    staged->place = staged_find_place(staged, name);
    return error_set(error, own.code, "%s: the complete file is %s", own.text,
                     staged->place ? staged->place : staged->temporary);
}

static int publish_alone(struct staged *staged, struct apsp_error *error)
{
    if (!staged_take_target(staged))
        return error_set(error, APSP_IO, "%s: %s", staged->path, strerror(errno));
    staged->state = STAGED_NAMED;
    staged_sync_folder(staged);
    return APSP_OK;
}

/* Or there it is: renaming a file to another name of its own does nothing. */
static bool staged_link_again(const struct staged *staged, const char *name)
{
    const char *temporary = staged_name_base(staged->temporary);
    return linkat(staged->folder, name, staged->folder, temporary, 0) == 0 ||
           staged_name_is_held(staged);
}

int staged_publish(struct staged *staged, enum staged_name as, struct apsp_error *error)
{
    char name[NAME_MAX + 1];
    if (!staged_name_is_held(staged))
        return error_set(error, APSP_IO, "%s: cannot be written: something else has replaced %s",
                         staged->path, staged->temporary);
    if (staged->kind != TARGET_FILE)
        return as == STAGED_TARGET ? publish_stream(staged, error) : APSP_OK;
    if (as == STAGED_ALONE)
        return publish_alone(staged, error);
    strcpy(name, staged_name_base(staged->path));
    bool named = as == STAGED_TARGET && staged_take_target(staged);
    int cause = named ? 0 : errno;
    if (!named && !staged_name_fall_back(staged, as == STAGED_TARGET ? STAGED_KEPT : as, name)) {
        cause = as == STAGED_TARGET ? cause : errno;
        strcpy(name, staged_name_base(staged->temporary));
        as = STAGED_TARGET;
    }
    const bool linked = staged->retained &&
                        strcmp(name, staged_name_base(staged->temporary)) != 0 &&
                        staged_link_again(staged, name);
    staged->state = linked ? STAGED_LINKED : STAGED_NAMED;
    staged->place = staged_find_place(staged, name);
    staged_sync_folder(staged);
    if (as != STAGED_TARGET || (named && staged->place && strcmp(staged->place, staged->path) == 0))
        return APSP_OK;
    return staged_refuse_name(staged, cause, error);
}
