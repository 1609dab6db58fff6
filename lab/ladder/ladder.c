/* The ladder of optimisations: from three loops to the product, one idea at a time. */
#include "ladder.h"

static const struct lab_step *const steps[] = {&ladder_sequential,
                                               &ladder_openmp,
                                               &ladder_simd,
                                               &ladder_tiles,
                                               &ladder_product,
#ifdef APSP_GPU
                                               &ladder_global,
                                               &ladder_padded,
                                               &ladder_coalesced,
                                               &ladder_shared,
                                               &ladder_banks,
                                               &ladder_unrolled,
                                               &ladder_factor64,
                                               &ladder_factor78,
                                               &ladder_coarse64,
                                               &ladder_coarse78,
                                               &ladder_occupancy,
                                               &ladder_pinned,
                                               &ladder_registers,
                                               &ladder_kmajor,
                                               &ladder_async,
                                               &ladder_ahead,
                                               &ladder_u16,
#endif
                                               0};

int main(int argc, char **argv)
{
    static const struct lab_experiment ladder = {"ladder",
                                                 "The ladder of optimisations: all-pairs shortest paths",
                                                 "T relaxations/s",
                                                 1e12,
                                                 &lab_paths,
                                                 {"of ceiling", "occupancy"},
                                                 steps,
                                                 NULL};
    return lab_main(&ladder, argc, argv);
}
