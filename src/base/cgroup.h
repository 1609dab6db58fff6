/* The resources that control groups leave a process. */
#ifndef CGROUP_H
#define CGROUP_H

#include <stddef.h>

/*
 * The least limit of memory, in bytes, of this process's control groups, of version 1 and 2, from
 * its own up to the root of what is mounted; SIZE_MAX without any. `root` is what /proc and /sys
 * are under: "", or a test's folder.
 */
size_t cgroup_limit(const char *root);

/* The same of their quotas of processor time, in processors, of which the last may be a part of
 * one; SIZE_MAX without any. */
size_t cgroup_processors(const char *root);

#endif
