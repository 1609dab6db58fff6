#include "files/staged_name.h"

#include "base/minmax.h"
#include "base/random.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#define TEMPORARY ".apsp-tmp"

/* Plain fallback names, and those with random suffixes that follow them. */
enum { NUMBERED = 9, RANDOM = 9, NUMBER_LENGTH = 20 };

static const char *const endings[] = {[STAGED_KEPT] = ".kept", [STAGED_REFUTED] = ".refuted"};

bool staged_path_leads_to(const char *path, const struct stat *file)
{
    struct stat status;
    return stat(path, &status) == 0 && status.st_dev == file->st_dev &&
           status.st_ino == file->st_ino;
}

const char *staged_name_base(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

bool staged_name_is_temporary(const char *name)
{
    return *name == '.' && strlen(name) <= NAME_MAX && !strchr(name, '/') &&
           text_has_suffix(name, TEMPORARY);
}

uint64_t staged_name_hash(const char *text)
{
    uint64_t hash = 0;
    for (; *text; text++)
        hash = random_mix(hash ^ (unsigned char)*text);
    return hash;
}

char *staged_name_beside(const char *path, const char *mark)
{
    const char *base = staged_name_base(path);
    char *name, hash[20] = "";
    size_t length = strlen(base), around = 1 + strlen(mark) + strlen(TEMPORARY);
    if (length + around > NAME_MAX) {
        around += (size_t)snprintf(hash, sizeof hash, "-%016llx",
                                   (unsigned long long)staged_name_hash(base));
        length = NAME_MAX - around;
    }
    return asprintf(&name, "%.*s.%.*s%s%s" TEMPORARY, (int)(base - path), path, (int)length, base,
                    hash, mark) < 0
               ? NULL
               : name;
}

char *staged_name_temporary(const struct staged *staged, bool again)
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
        return staged_name_beside(staged->path, mark);
    return asprintf(&name, "%s/.%llx" TEMPORARY, folder && *folder ? folder : "/tmp", number) < 0
               ? NULL
               : name;
}

bool staged_name_is_held(const struct staged *staged)
{
    struct stat held, named;
    const char *name = staged_name_base(staged->temporary);
    return staged->fd >= 0 && fstat(staged->fd, &held) == 0 &&
           fstatat(staged->folder, name, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
           held.st_dev == named.st_dev && held.st_ino == named.st_ino;
}

/* The last resorts serve file systems without RENAME_NOREPLACE, and without hard links. */
bool staged_name_move(int folder, const char *from, const char *to)
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

/* As much of the base as a name has room for. In the folder of temporary files the name says which
 * program it is from. */
static void fallback_make(char name[NAME_MAX + 1], const struct staged *staged, enum staged_name as,
                          const char *number)
{
    const char *prefix = staged->kind == TARGET_FILE ? "" : "apsp-", *ending = endings[as],
               *base = staged->kind == TARGET_STDOUT ? "stdout" : staged_name_base(staged->path);
    size_t room = NAME_MAX - strlen(prefix) - strlen(ending) - strlen(number),
           length = strlen(base);
    char *end = mempcpy(stpcpy(name, prefix), base, size_min(length, room));
    stpcpy(stpcpy(end, ending), number);
}

static void fallback_number(char number[NUMBER_LENGTH], int tried)
{
    unsigned long long random = (unsigned)tried + 1U;
    char *end = number;
    if (tried >= NUMBERED && getrandom(&random, sizeof random, GRND_NONBLOCK) != sizeof random)
        random = (unsigned)tried;
    if (tried > 0)
        *end++ = '.';
    for (; tried > 0 && random > 0; random /= 16)
        *end++ = "0123456789abcdef"[random % 16];
    *end = '\0';
}

bool staged_name_fall_back(const struct staged *staged, enum staged_name as,
                           char name[NAME_MAX + 1])
{
    char number[NUMBER_LENGTH];
    for (int tried = 0; tried < NUMBERED + RANDOM; tried++) {
        fallback_number(number, tried);
        fallback_make(name, staged, as, number);
        if (staged_name_move(staged->folder, staged_name_base(staged->temporary), name))
            return true;
        if (errno != EEXIST)
            return false;
    }
    return false;
}
