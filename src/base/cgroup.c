/*
 * /proc/self/cgroup says which group the process is in, /proc/self/mountinfo where the groups are
 * to be seen. In a container that may be a part of the tree only: the mount's own root then comes
 * before the group's path, or, where the path has another beginning, the mount is the group. Limits
 * of the groups above are not to be seen, but version 1 tells those of memory as
 * hierarchical_memory_limit.
 */
#include "base/cgroup.h"

#include "base/minmax.h"
#include "base/plain.h"

#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct tree {
    const char *controller;
    bool old;                                /* version 1 */
    char group[PATH_MAX];                    /* of the process, from the root of the tree */
    char mounted[PATH_MAX], place[PATH_MAX]; /* which group of the tree is mounted, and where */
};

static FILE *open_under(const char *root, const char *path)
{
    char full[PATH_MAX];
    return snprintf(full, sizeof full, "%s%s", root, path) < PATH_MAX ? fopen(full, "re") : NULL;
}

/* The number after `key` at the beginning of a line of the file, or SIZE_MAX: "max" is none. */
static size_t read_number(const char *root, const char *folder, const char *name, const char *key)
{
    char path[PATH_MAX], line[256], *end;
    size_t number = SIZE_MAX, length = strlen(key);
    if (snprintf(path, sizeof path, "%s/%s", folder, name) >= PATH_MAX)
        return SIZE_MAX;
    FILE *file = open_under(root, path);
    while (file && number == SIZE_MAX && fgets(line, sizeof line, file)) {
        if (strncmp(line, key, length) != 0)
            continue;
        unsigned long long value = strtoull(line + length, &end, 10);
        if (end > line + length)
            number = (size_t)value;
    }
    if (file)
        fclose(file);
    return number;
}

/* Of one group, in the units of its controller. */
static size_t memory_of_group(const char *root, const struct tree *tree, const char *folder)
{
    if (tree->old)
        return size_min(read_number(root, folder, "memory.limit_in_bytes", ""),
                        read_number(root, folder, "memory.stat", "hierarchical_memory_limit "));
    return size_min(read_number(root, folder, "memory.max", ""),
                    read_number(root, folder, "memory.high", ""));
}

/* "QUOTA PERIOD" in microseconds, of version 1 in two files; "max" and -1 are no quota. */
static size_t milliprocessors_of_group(const char *root, const struct tree *tree,
                                       const char *folder)
{
    char path[PATH_MAX], text[64] = "";
    if (snprintf(path, sizeof path, "%s/%s", folder, tree->old ? "cpu.cfs_quota_us" : "cpu.max") >=
        PATH_MAX)
        return SIZE_MAX;
    FILE *file = open_under(root, path);
    if (file && !fgets(text, sizeof text, file))
        text[0] = '\0';
    if (file)
        fclose(file);
    char *end;
    const double quota = plain_double(text, &end);
    const double period = tree->old ? (double)read_number(root, folder, "cpu.cfs_period_us", "")
                                    : plain_double(end, NULL);
    return quota > 0 && period > 0 && quota < 1e9 * period ? (size_t)ceil(1000 * quota / period)
                                                           : SIZE_MAX;
}

typedef size_t limit_of_group(const char *root, const struct tree *tree, const char *folder);

/* Of the group and those above it, up to the mount. */
static size_t limit_of_tree(const char *root, const struct tree *tree, limit_of_group *of_group)
{
    char folder[2 * PATH_MAX];
    const char *group = tree->group;
    size_t mounted = strcmp(tree->mounted, "/") == 0 ? 0 : strlen(tree->mounted),
           top = strlen(tree->place), limit = SIZE_MAX;
    if (strncmp(group, tree->mounted, mounted) != 0 || (group[mounted] && group[mounted] != '/'))
        group = "";
    else
        group += mounted;
    snprintf(folder, sizeof folder, "%s%s", tree->place, group);
    for (char *slash = folder + strlen(folder); slash && slash >= folder + top;
         slash = strrchr(folder, '/')) {
        *slash = '\0';
        limit = size_min(limit, of_group(root, tree, folder));
    }
    return limit;
}

/* Whether the word is among the words of the list, with commas. */
static bool has_word(const char *list, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = list; (at = strstr(at, word)); at += length)
        if ((at == list || at[-1] == ',') && (at[length] == ',' || !at[length]))
            return true;
    return false;
}

/* The process's group in the tree of that version. */
static bool find_group(const char *root, struct tree *tree)
{
    char line[PATH_MAX + 256];
    FILE *file = open_under(root, "/proc/self/cgroup");
    bool found = false;
    while (file && !found && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        char *controllers = strchr(line, ':'),
             *path = controllers ? strchr(++controllers, ':') : NULL;
        if (!path)
            continue;
        *path++ = '\0';
        found = tree->old ? has_word(controllers, tree->controller) : !*controllers;
        if (found)
            snprintf(tree->group, sizeof tree->group, "%.*s", (int)sizeof tree->group - 1, path);
    }
    if (file)
        fclose(file);
    return found;
}

/* Where that tree is mounted: "ID PARENT DEVICE ROOT PLACE OPTIONS ... - TYPE SOURCE OPTIONS". */
static bool find_mount(const char *root, struct tree *tree)
{
    enum { LINE = 3 * PATH_MAX };
    char *line = malloc(LINE), type[64], options[512];
    FILE *file = line ? open_under(root, "/proc/self/mountinfo") : NULL;
    bool found = false;
    while (file && !found && fgets(line, LINE, file)) {
        const char *rest = strstr(line, " - ");
        found = rest && sscanf(rest, " - %63s %*s %511s", type, options) == 2 &&
                strcmp(type, tree->old ? "cgroup" : "cgroup2") == 0 &&
                (!tree->old || has_word(options, tree->controller)) &&
                sscanf(line, "%*s %*s %*s %4095s %4095s", tree->mounted, tree->place) == 2;
    }
    if (file)
        fclose(file);
    free(line);
    return found;
}

static size_t find_limit(const char *root, const char *controller, limit_of_group *of_group)
{
    struct tree *tree = calloc(1, sizeof *tree);
    size_t limit = SIZE_MAX;
    for (int old = 0; tree && old < 2; old++) {
        *tree = (struct tree){.controller = controller, .old = old};
        if (find_group(root, tree) && find_mount(root, tree))
            limit = size_min(limit, limit_of_tree(root, tree, of_group));
    }
    free(tree);
    return limit;
}

size_t cgroup_limit(const char *root)
{
    return find_limit(root, "memory", memory_of_group);
}

size_t cgroup_processors(const char *root)
{
    enum { MILLI = 1000 };
    const size_t milli = find_limit(root, "cpu", milliprocessors_of_group);
    return milli == SIZE_MAX ? SIZE_MAX : milli / MILLI + (milli % MILLI > 0);
}
