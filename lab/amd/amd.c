/*
 * Choosing a tile for AMD's GPUs, of which a block has 64 KiB of local memory (LDS) and no more:
 * two pivot tiles of the factor have to fit, and should leave room for a second block.
 */
#include "amd.h"

#include <stdio.h>

static void on_paper(void)
{
    static const size_t factors[] = {32, 48, 64, 80, 90, 96};
    printf(
        "# LDS of two tiles of the factor, and how many blocks of a compute unit that leaves:\n#");
    for (size_t i = 0; i < sizeof factors / sizeof *factors; i++) {
        double kib = (double)(2 * factors[i] * factors[i] * sizeof(int)) / 1024;
        printf(" %zu: %.1f KiB, %d;", factors[i], kib, (int)(64 / kib));
    }
    printf("\n# the product takes pivots of 128 in slabs of 8 k: 16 KiB a block, three of which "
           "share a "
           "compute unit; "
           "8 x 8 values a thread read 64 bytes of LDS for 64 relaxations, and both operands lie "
           "k-major, so "
           "that no "
           "column is read and no bank asked twice (src/kernels/gpu/shapes.cuh)\n");
}

static const struct lab_step *const steps[] = {
#ifdef APSP_GPU
    &amd_32, &amd_48, &amd_64, &amd_80, &amd_90, &amd_product,
#endif
    0};

int main(int argc, char **argv)
{
    static const struct lab_experiment amd = {
        .name = "amd",
        .title = "Choosing a tile for AMD's GPUs",
        .unit = "T relaxations/s",
        .per_unit = 1e12,
        .kind = &lab_paths,
        .column = {"LDS KiB", "lanes a bank", "padded: lanes a bank", "occupancy"},
        .steps = steps,
        .preface = on_paper,
    };
    return lab_main(&amd, argc, argv);
}
