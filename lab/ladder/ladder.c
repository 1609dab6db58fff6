/* The ladder of optimisations: from three loops to the product, one idea at a time. */
#include "ladder.h"

static const struct lab_step *const steps[] = {&ladder_sequential,
                                               &ladder_openmp,
                                               &ladder_simd,
                                               &ladder_tiles,
                                               &ladder_product,
                                               &ladder_apsp_cpu,
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
                                               &ladder_input,
                                               &ladder_registers,
                                               &ladder_kmajor,
                                               &ladder_async,
                                               &ladder_ahead,
                                               &ladder_apsp_i32,
                                               &ladder_u16,
                                               &ladder_apsp_u16,
#endif
                                               0};

static void derive(const struct lab_experiment *experiment, const struct lab_step *step,
                   struct lab_run *run)
{
    const double ceiling = lab_ceiling(step->gpu, run->bytes);
    if (ceiling > 0)
        run->column[LADDER_SHARE] = experiment->kind->work(run->n) / run->seconds / ceiling;
    run->column[LADDER_OCCUPANCY] = run->occupancy;
}

int main(int argc, char **argv)
{
    static const struct lab_experiment ladder = {
        .name = "ladder",
        .title = "The ladder of optimisations: all-pairs shortest paths",
        .unit = "T relaxations/s",
        .per_unit = 1e12,
        .kind = &lab_paths,
        .column = {"of ceiling", "occupancy", "reading s"},
        .steps = steps,
        .derive = derive,
    };
    return lab_main(&ladder, argc, argv);
}
