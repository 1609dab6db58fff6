#include "topology.h"

#include <hwloc.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 64 }; /* 4,096 processing units */

struct place {
    unsigned long units[WORDS];
};

static struct place place_of(hwloc_const_bitmap_t set)
{
    struct place place = {{0}};
    hwloc_bitmap_to_ulongs(set, WORDS, place.units);
    return place;
}

/* mpirun binds to a core or a package unless told otherwise. A binding that nobody asked for is not kept. */
static bool is_default_binding(void)
{
    return getenv("OMPI_MCA_orte_bound_at_launch") && !getenv("OMPI_MCA_hwloc_base_binding_policy") &&
           !getenv("OMPI_MCA_rmaps_base_mapping_policy");
}

/* The processing units that the launcher left to this rank, alone or together with its node-mates. */
static hwloc_bitmap_t find_usable(hwloc_topology_t topology)
{
    hwloc_bitmap_t usable = hwloc_bitmap_alloc();
    if (is_default_binding() || hwloc_get_cpubind(topology, usable, HWLOC_CPUBIND_PROCESS) != 0)
        hwloc_bitmap_copy(usable, hwloc_topology_get_topology_cpuset(topology));
    hwloc_bitmap_and(usable, usable, hwloc_topology_get_allowed_cpuset(topology));
    return usable;
}

/* True when all ranks of the node have the same units, so that they must share them out. */
static bool is_shared(struct comm *comm, hwloc_const_bitmap_t usable)
{
    struct place mine = place_of(usable);
    struct place *all = calloc((size_t)comm->node_ranks, sizeof *all);
    bool same = true;
    if (!all)
        comm_abort(APSP_MEMORY, "no memory for the map of cores");
    comm_node_allgather(comm, &mine, sizeof mine, all);
    for (int i = 0; i < comm->node_ranks; i++)
        same &= memcmp(&all[i], &mine, sizeof mine) == 0;
    free(all);
    return same;
}

/* Keeps only this rank's share of the cores in `usable`; with more ranks than cores, one core each in turn.
 */
static void take_share(hwloc_topology_t topology, const struct comm *comm, hwloc_bitmap_t usable)
{
    int cores = hwloc_get_nbobjs_inside_cpuset_by_type(topology, usable, HWLOC_OBJ_CORE);
    int ranks = comm->node_ranks, rank = comm->node_rank;
    if (cores < 1)
        return;
    int first = cores >= ranks ? (int)((long)cores * rank / ranks) : rank % cores;
    int last = cores >= ranks ? (int)((long)cores * (rank + 1) / ranks) : first + 1;
    hwloc_bitmap_t share = hwloc_bitmap_alloc();
    for (int i = first; i < last; i++)
        hwloc_bitmap_or(share, share,
                        hwloc_get_obj_inside_cpuset_by_type(topology, usable, HWLOC_OBJ_CORE, i)->cpuset);
    hwloc_bitmap_and(usable, usable, share);
    hwloc_bitmap_free(share);
}

void topology_bind(struct topology *out, struct comm *comm, int threads)
{
    hwloc_topology_t topology;
    *out = (struct topology){.threads = threads > 0 ? threads : 1, .cores = "?"};
    if (hwloc_topology_init(&topology) != 0)
        comm_abort(APSP_MEMORY, "hwloc cannot start");
    if (hwloc_topology_load(topology) != 0)
        comm_abort(APSP_MEMORY, "hwloc cannot read the machine's topology");
    hwloc_bitmap_t usable = find_usable(topology);
    hwloc_bitmap_t all = hwloc_bitmap_dup(usable);
    if (is_shared(comm, usable))
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
