/* cgroup.c: limits of memory and processors in trees of control groups, under a root made for each
 * case. */
#include "unit.h"

#include "base/cgroup.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char root[] = "/tmp/apsp-cgroup-XXXXXX";

/* With the folders that it is in. */
static void put(const char *path, const char *text)
{
    char full[512];
    snprintf(full, sizeof full, "%s%s", root, path);
    for (char *slash = full + strlen(root) + 1; (slash = strchr(slash, '/')); *slash++ = '/') {
        *slash = '\0';
        mkdir(full, 0700);
    }
    FILE *file = fopen(full, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void put_place(const char *groups, const char *mounts)
{
    put("/proc/self/cgroup", groups);
    put("/proc/self/mountinfo", mounts);
}

#define V2 "30 23 0:26 / /sys/fs/cgroup rw,relatime shared:4 - cgroup2 cgroup2 rw,nsdelegate\n"
#define V1                                                                                         \
    "34 31 0:31 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n"                            \
    "35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"                            \
    "41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n"

static void nothing_says_nothing(void **state)
{
    (void)state;
    assert_true(cgroup_limit(root) == SIZE_MAX);
    put_place("0::/a\n", V2);
    assert_true(cgroup_limit(root) == SIZE_MAX);
    put("/sys/fs/cgroup/a/memory.max", "max\n");
    assert_true(cgroup_limit(root) == SIZE_MAX);
    put_place("nonsense\n::\n0::\n", "nonsense - \n - cgroup2\n");
    assert_true(cgroup_limit(root) == SIZE_MAX);
}

/* Whichever level has the least, and high as well as max. */
static void levels_of_version_2(void **state)
{
    (void)state;
    static const char *const levels[] = {"", "/a", "/a/b", "/a/b/c"};
    put_place("0::/a/b/c\n", V2);
    for (int least = 0; least < 4; least++)
        for (int high = 0; high < 2; high++) {
            for (int level = 0; level < 4; level++) {
                char path[128];
                snprintf(path, sizeof path, "/sys/fs/cgroup%s/memory.max", levels[level]);
                put(path, level == least && !high ? "1000\n" : "5000\n");
                snprintf(path, sizeof path, "/sys/fs/cgroup%s/memory.high", levels[level]);
                put(path, level == least && high ? "1000\n" : "max\n");
            }
            assert_int_equal(cgroup_limit(root), 1000);
        }
    put("/sys/fs/cgroup/a/other/memory.max", "1\n"); /* a neighbour's */
    assert_int_equal(cgroup_limit(root), 1000);
}

static void levels_of_version_1(void **state)
{
    (void)state;
    static const char *const levels[] = {"", "/a", "/a/b"};
    put_place("9:name=systemd:/x\n5:cpu,cpuacct:/x\n4:hugetlb,memory:/a/b\n0::/\n", V1);
    for (int least = 0; least < 3; least++) {
        for (int level = 0; level < 3; level++) {
            char path[128];
            snprintf(path, sizeof path, "/sys/fs/cgroup/memory%s/memory.limit_in_bytes",
                     levels[level]);
            put(path, level == least ? "2000\n" : "9223372036854771712\n");
        }
        assert_int_equal(cgroup_limit(root), 2000);
    }
    put("/sys/fs/cgroup/memory/a/b/memory.stat",
        "cache 7\nhierarchical_memory_limit 1500\nhierarchical_memsw_limit 1\n");
    assert_int_equal(cgroup_limit(root), 1500);
}

/* A container that sees its own part of the tree: with the host's path of it, with one of its own,
 * and with none. */
static void mounts_of_a_part(void **state)
{
    (void)state;
    static const char mount[] =
        "35 31 0:32 /docker/77 /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n";
    put_place("4:memory:/docker/77/in\n", mount);
    put("/sys/fs/cgroup/memory/memory.limit_in_bytes", "3000\n");
    put("/sys/fs/cgroup/memory/in/memory.limit_in_bytes", "2500\n");
    assert_int_equal(cgroup_limit(root), 2500);
    put_place("4:memory:/docker/77\n", mount);
    assert_int_equal(cgroup_limit(root), 3000);
    put_place("4:memory:/docker/778\n", mount);
    assert_int_equal(cgroup_limit(root), 3000);
    put_place("0::/../elsewhere\n", "30 23 0:26 /.. /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
    put("/sys/fs/cgroup/memory.max", "4000\n");
    assert_int_equal(cgroup_limit(root), 4000);
}

/* Quotas per period, rounded up to whole processors; whichever level has the least. */
static void quotas_of_version_2(void **state)
{
    (void)state;
    put_place("0::/a/b\n", V2);
    assert_true(cgroup_processors(root) == SIZE_MAX);
    put("/sys/fs/cgroup/a/b/cpu.max", "max 100000\n");
    assert_true(cgroup_processors(root) == SIZE_MAX);
    put("/sys/fs/cgroup/a/b/cpu.max", "400000 100000\n");
    assert_int_equal(cgroup_processors(root), 4);
    put("/sys/fs/cgroup/a/cpu.max", "125000 50000\n");
    assert_int_equal(cgroup_processors(root), 3);
    put("/sys/fs/cgroup/cpu.max", "10000 100000\n");
    assert_int_equal(cgroup_processors(root), 1);
    put("/sys/fs/cgroup/cpu.max", "100000 0\n");
    assert_int_equal(cgroup_processors(root), 3);
    put("/sys/fs/cgroup/cpu.max", "\n");
    assert_int_equal(cgroup_processors(root), 3);
    assert_true(cgroup_limit(root) == SIZE_MAX);
}

static void quotas_of_version_1(void **state)
{
    (void)state;
    put_place("5:cpuset:/y\n4:cpu,cpuacct:/a/b\n3:memory:/x\n0::/\n",
              "34 31 0:31 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n"
              "35 31 0:32 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n" V2);
    put("/sys/fs/cgroup/cpu,cpuacct/a/b/cpu.cfs_quota_us", "-1\n");
    put("/sys/fs/cgroup/cpu,cpuacct/a/b/cpu.cfs_period_us", "100000\n");
    assert_true(cgroup_processors(root) == SIZE_MAX);
    put("/sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_quota_us", "150000\n");
    put("/sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_period_us", "100000\n");
    assert_int_equal(cgroup_processors(root), 2);
    put("/sys/fs/cgroup/cpu,cpuacct/a/b/cpu.cfs_quota_us", "100000\n");
    assert_int_equal(cgroup_processors(root), 1);
}

static int make_root(void **state)
{
    (void)state;
    strcpy(root + strlen(root) - 6, "XXXXXX");
    return mkdtemp(root) ? 0 : 1;
}

static int drop_root(void **state)
{
    char command[64];
    (void)state;
    snprintf(command, sizeof command, "rm -r %s", root);
    return system(command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(nothing_says_nothing, make_root, drop_root),
        cmocka_unit_test_setup_teardown(levels_of_version_2, make_root, drop_root),
        cmocka_unit_test_setup_teardown(levels_of_version_1, make_root, drop_root),
        cmocka_unit_test_setup_teardown(mounts_of_a_part, make_root, drop_root),
        cmocka_unit_test_setup_teardown(quotas_of_version_2, make_root, drop_root),
        cmocka_unit_test_setup_teardown(quotas_of_version_1, make_root, drop_root),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
