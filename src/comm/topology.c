/*
 * Linux itself tells the cores, in /sys: hwloc would load all its plugins first, OpenCL's and X11's
 * among them, which takes longer than a small graph.
 */
#include "comm/topology.h"
#include "base/fault.h"
#include "base/minmax.h"
#include "base/text.h"
#include "base/threads.h"

#include <dirent.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

enum { SETS = 4, UNITS = SETS * CPU_SETSIZE };

/* Processing units, which are cores or the threads of cores. */
struct units {
    cpu_set_t sets[SETS];
};

/* Those of a core that this rank may use. */
struct core {
    int package, first;
    struct units units;
};

static bool has(const struct units *units, int unit)
{
    return CPU_ISSET_S((size_t)unit, sizeof units->sets, units->sets);
}

static void add(struct units *units, int unit)
{
    CPU_SET_S((size_t)unit, sizeof units->sets, units->sets);
}

static int count_units(const struct units *units)
{
    return CPU_COUNT_S(sizeof units->sets, units->sets);
}

static void keep(struct units *units, const struct units *among)
{
    CPU_AND_S(sizeof units->sets, units->sets, units->sets, among->sets);
}

/* A list such as "0-3,8" in a file; none when there is no such file. */
static struct units read_list(const char *path)
{
    struct units units = {0};
    FILE *file = fopen(path, "re");
    int low, high;
    while (file && fscanf(file, "%d", &low) == 1) {
        if (fscanf(file, "-%d", &high) != 1)
            high = low;
        for (int i = low; i >= 0 && i <= high && i < UNITS; i++)
            add(&units, i);
        if (fgetc(file) != ',')
            break;
    }
    if (file)
        fclose(file);
    return units;
}

static int read_number(const char *path)
{
    int number = 0;
    FILE *file = fopen(path, "re");
    if (file && fscanf(file, "%d", &number) != 1)
        number = 0;
    if (file)
        fclose(file);
    return number;
}

static void write_list(const struct units *units, char *text, size_t bytes)
{
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < UNITS && used < bytes; i++) {
        int last = i;
        if (!has(units, i))
            continue;
        while (last + 1 < UNITS && has(units, last + 1))
            last++;
        used += (size_t)snprintf(text + used, bytes - used, used ? ",%d" : "%d", i);
        if (last > i && used < bytes)
            used += (size_t)snprintf(text + used, bytes - used, "-%d", last);
        i = last;
    }
}

/* mpirun binds to a core or a package unless told otherwise. A binding that was not requested is
 * dropped. */
static bool is_default_binding(void)
{
    return getenv("OMPI_MCA_orte_bound_at_launch") &&
           !getenv("OMPI_MCA_hwloc_base_binding_policy") &&
           !getenv("OMPI_MCA_rmaps_base_mapping_policy");
}

/* The units that the launcher left to this rank, alone or together with others. */
static struct units find_usable(void)
{
    struct units all, usable = {0};
    memset(&all, 0xff, sizeof all);
    if (is_default_binding()) /* the kernel leaves out what is not allowed */
        sched_setaffinity(0, sizeof all.sets, all.sets);
    sched_getaffinity(0, sizeof usable.sets, usable.sets);
    return usable;
}

/* Keeps the units near the device at that PCI address, if any of them are. */
static void keep_near(struct units *usable, const char *pci)
{
    char path[128];
    snprintf(path, sizeof path, "/sys/bus/pci/devices/%s/local_cpulist", pci);
    struct units near = read_list(path);
    keep(&near, usable);
    if (count_units(&near) > 0)
        *usable = near;
}

static int compare_cores(const void *a, const void *b)
{
    const struct core *x = a, *y = b;
    return x->package != y->package ? (x->package > y->package) - (x->package < y->package)
                                    : (x->first > y->first) - (x->first < y->first);
}

/* The usable cores, package by package, in `cores`, which has room for all units; returns their
 * number. */
static int find_cores(const struct units *usable, struct core *cores)
{
    struct units left = *usable;
    int count = 0;
    for (int i = 0; i < UNITS; i++) {
        char path[128];
        struct core *core = &cores[count];
        if (!has(&left, i))
            continue;
        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list",
                 i);
        core->units = read_list(path);
        add(&core->units, i);
        keep(&core->units, &left);
        CPU_XOR_S(sizeof left.sets, left.sets, left.sets, core->units.sets);
        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/topology/physical_package_id",
                 i);
        core->package = read_number(path);
        core->first = i;
        count++;
    }
    qsort(cores, (size_t)count, sizeof *cores, compare_cores);
    return count;
}

/* Which of the machine's ranks with exactly these units this one is, and of how many. */
static void find_sharers(struct comm *comm, const struct units *usable, int *index, int *sharers)
{
    struct units *all = calloc((size_t)comm->machine_ranks, sizeof *all);
    if (!all)
        fault(APSP_MEMORY, "no memory for the map of cores");
    comm_machine_allgather(comm, usable, sizeof *usable, all);
    *index = *sharers = 0;
    for (int i = 0; i < comm->machine_ranks; i++) {
        bool same = memcmp(&all[i], usable, sizeof *usable) == 0;
        *index += same && i < comm->machine_rank;
        *sharers += same;
    }
    free(all);
}

/* Keeps only this rank's share of the cores in `usable`; with more ranks than cores, one core each
 * in turn. Returns the number of cores in it. */
static int take_share(struct comm *comm, struct units *usable)
{
    struct core *cores = calloc((size_t)count_units(usable) + 1, sizeof *cores);
    int index, sharers;
    if (!cores)
        fault(APSP_MEMORY, "no memory for the map of cores");
    int count = find_cores(usable, cores);
    find_sharers(comm, usable, &index, &sharers);
    bool enough = count == 0 || count >= sharers;
    int first = enough ? (int)((long)count * index / sharers) : index % count;
    int last = enough ? (int)((long)count * (index + 1) / sharers) : first + 1;
    memset(usable, 0, sizeof *usable);
    for (int i = first; i < last; i++)
        CPU_OR_S(sizeof usable->sets, usable->sets, usable->sets, cores[i].units.sets);
    free(cores);
    return last - first;
}

/* This rank's threads, where other threads of the process are other ranks. */
static void bind_team(const struct units *units, int threads)
{
#pragma omp parallel num_threads(threads) if (threads > 1)
    sched_setaffinity(0, sizeof units->sets, units->sets);
}

/* All threads of this process. */
static void bind_process(const struct units *units)
{
    DIR *tasks = opendir("/proc/self/task");
    if (!tasks)
        sched_setaffinity(0, sizeof units->sets, units->sets);
    for (struct dirent *task; tasks && (task = readdir(tasks));)
        if (text_is_digit(task->d_name[0]))
            sched_setaffinity((pid_t)strtol(task->d_name, NULL, 10), sizeof units->sets,
                              units->sets);
    if (tasks)
        closedir(tasks);
}

/* This rank's part of what the quotas of control groups leave to all ranks of the machine; at least
 * one. */
static int share_of_quota(const struct comm *comm)
{
    const long quota = threads_quota(),
               mine = quota * (comm->machine_rank + 1) / comm->machine_ranks -
                      quota * comm->machine_rank / comm->machine_ranks;
    return mine > 0 ? (int)mine : 1;
}

void topology_bind(struct topology *out, struct comm *comm, const char *pci, int threads)
{
    enum { PER_PROCESSOR = 4 }; /* more threads would wait for one another alone */
    const int most = PER_PROCESSOR * threads_machine();
    struct units usable = find_usable(), all = usable;
    threads = int_min(threads, most);
    *out = (struct topology){.threads = threads > 0 ? threads : 1};
    if (pci[0])
        keep_near(&usable, pci);
    int cores = take_share(comm, &usable);
    if (threads > cores) /* more than the share: let them spread over all that there is */
        usable = all;
    if (threads == 0 && cores > 0)
        out->threads = int_min(cores, int_min(threads_most(), share_of_quota(comm)));
    if (comm->threads)
        bind_team(&usable, out->threads);
    else
        bind_process(&usable);
    write_list(&usable, out->cores, sizeof out->cores);
    if (!out->cores[0])
        strcpy(out->cores, "?");
}
