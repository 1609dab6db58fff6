#include "comm/topology.h"
#include "base/fault.h"

#include <hwloc.h>
#include <hwloc/linux.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 64 }; /* 4,096 processing units */

struct units {
    unsigned long words[WORDS];
};

/* mpirun binds to a core or a package unless told otherwise. A binding that nobody asked for is not kept. */
static bool is_default_binding(void)
{
    return getenv("OMPI_MCA_orte_bound_at_launch") && !getenv("OMPI_MCA_hwloc_base_binding_policy") &&
           !getenv("OMPI_MCA_rmaps_base_mapping_policy");
}

/* The processing units that the launcher left to this rank, alone or together with others. */
static hwloc_bitmap_t find_usable(hwloc_topology_t topology)
{
    hwloc_bitmap_t usable = hwloc_bitmap_alloc();
    if (is_default_binding() || hwloc_get_cpubind(topology, usable, HWLOC_CPUBIND_PROCESS) != 0)
        hwloc_bitmap_copy(usable, hwloc_topology_get_topology_cpuset(topology));
    hwloc_bitmap_and(usable, usable, hwloc_topology_get_allowed_cpuset(topology));
    return usable;
}

/* Keeps the units near the device at that PCI address, if any of them are. */
static void keep_near(hwloc_bitmap_t usable, const char *pci)
{
    char path[128];
    hwloc_bitmap_t near = hwloc_bitmap_alloc();
    snprintf(path, sizeof path, "/sys/bus/pci/devices/%s/local_cpus", pci);
    if (hwloc_linux_read_path_as_cpumask(path, near) == 0 && hwloc_bitmap_intersects(usable, near))
        hwloc_bitmap_and(usable, usable, near);
    hwloc_bitmap_free(near);
}

/* Which of the machine's ranks with exactly these units this one is, and of how many. */
static void find_sharers(struct comm *comm, hwloc_const_bitmap_t usable, int *index, int *sharers)
{
    struct units mine = {{0}};
    struct units *all = calloc((size_t)comm->machine_ranks, sizeof *all);
    if (!all)
        fault(APSP_MEMORY, "no memory for the map of cores");
    hwloc_bitmap_to_ulongs(usable, WORDS, mine.words);
    comm_machine_allgather(comm, &mine, sizeof mine, all);
    *index = *sharers = 0;
    for (int i = 0; i < comm->machine_ranks; i++) {
        bool same = memcmp(&all[i], &mine, sizeof mine) == 0;
        *index += same && i < comm->machine_rank;
        *sharers += same;
    }
    free(all);
}

/* Keeps only this rank's share of the cores in `usable`; with more ranks than cores, one core each in turn.
 */
static void take_share(hwloc_topology_t topology, struct comm *comm, hwloc_bitmap_t usable)
{
    int index, sharers, cores = hwloc_get_nbobjs_inside_cpuset_by_type(topology, usable, HWLOC_OBJ_CORE);
    find_sharers(comm, usable, &index, &sharers);
    if (cores < 1)
        return;
    int first = cores >= sharers ? (int)((long)cores * index / sharers) : index % cores;
    int last = cores >= sharers ? (int)((long)cores * (index + 1) / sharers) : first + 1;
    hwloc_bitmap_t share = hwloc_bitmap_alloc();
    for (int i = first; i < last; i++)
        hwloc_bitmap_or(share, share,
                        hwloc_get_obj_inside_cpuset_by_type(topology, usable, HWLOC_OBJ_CORE, i)->cpuset);
    hwloc_bitmap_and(usable, usable, share);
    hwloc_bitmap_free(share);
}

void topology_bind(struct topology *out, struct comm *comm, const char *pci, int threads)
{
    hwloc_topology_t topology;
    *out = (struct topology){.threads = threads > 0 ? threads : 1, .cores = "?"};
    if (hwloc_topology_init(&topology) != 0)
        fault(APSP_MEMORY, "hwloc cannot start");
    if (hwloc_topology_load(topology) != 0)
        fault(APSP_MEMORY, "hwloc cannot read the machine's topology");
    hwloc_bitmap_t usable = find_usable(topology), all = hwloc_bitmap_dup(usable);
    if (pci[0])
        keep_near(usable, pci);
    take_share(topology, comm, usable);
    int cores = hwloc_get_nbobjs_inside_cpuset_by_type(topology, usable, HWLOC_OBJ_CORE);
    if (cores < 1)
        cores = hwloc_bitmap_weight(usable);
    if (threads > cores) /* more than the share: let them spread over all that there is */
        hwloc_bitmap_copy(usable, all);
    if (threads == 0 && cores > 0)
        out->threads = cores;
    hwloc_set_cpubind(topology, usable, HWLOC_CPUBIND_PROCESS);
    hwloc_bitmap_list_snprintf(out->cores, sizeof out->cores, usable);
    hwloc_bitmap_free(all);
    hwloc_bitmap_free(usable);
    hwloc_topology_destroy(topology);
}
