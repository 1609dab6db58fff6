/* The blocking factor, by threads of a block: what phase 3 computes, and what it asks of both
 * memories. */
#include "factor.h"

int main(int argc, char **argv)
{
    const struct lab_step *steps[64] = {0};
#ifdef APSP_GPU
    for (int i = 0; i < factor_count; i++)
        steps[i] = &factor_steps[i];
#endif
    const struct lab_experiment factor = {
        .name = "factor",
        .title = "The blocking factor: phase 3 of all-pairs shortest paths",
        .unit = "T relaxations/s",
        .per_unit = 1e12,
        .kind = &lab_paths,
        .column = {"GOPS", "global load GB/s", "global store GB/s", "shared load GB/s",
                   "shared store GB/s", "occupancy"},
        .steps = steps,
    };
    return lab_main(&factor, argc, argv);
}
