/*
 * Choosing a tile for AMD's GPUs, of which a block has 64 KiB of local memory (LDS) and no more. A wave of 64
 * reads its 32 banks in two halves; when 32 lanes read a column of a tile with rows of P words, lane i asks
 * bank i P mod 32, so that gcd(P, 32) lanes meet in one. The product takes pivots of 128 with slabs of 8 k,
 * so that 24 KiB are enough for three blocks of a compute unit (src/kernels/gpu/launch.cu), and both operands
 * lie k-major: no column is ever read.
 */
#include "amd.h"

#include <stdio.h>

static size_t common_divisor(size_t a, size_t b)
{
    while (b > 0) {
        size_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static void on_paper(void)
{
    printf("# lanes that meet in one bank when 32 of a wave read a column, by the words of a row:\n#");
    for (size_t pitch = 32; pitch <= 96; pitch++)
        printf(" %zu:%zu%s", pitch, common_divisor(pitch, 32), pitch % 16 == 15 ? "\n#" : "");
    printf("\n# LDS of two tiles of the factor, and how many blocks of a compute unit that leaves:\n#");
    for (size_t factor = 32; factor <= 96; factor += factor == 80 ? 10 : factor == 90 ? 6 : 16) {
        double kib = (double)(2 * factor * factor * sizeof(int)) / 1024;
        printf(" %zu: %.1f KiB, %d;", factor, kib, (int)(64 / kib));
    }
    printf("\n");
}

static const struct lab_step *const steps[] = {
#ifdef APSP_GPU
    &amd_32, &amd_48, &amd_64, &amd_80, &amd_90, &amd_product,
#endif
    0};

int main(int argc, char **argv)
{
    static const struct lab_experiment amd = {
        "amd",
        "Choosing a tile for AMD's GPUs",
        "T relaxations/s",
        1e12,
        &lab_paths,
        {"LDS KiB", "lanes a bank", "lanes a bank, padded", "occupancy"},
        steps,
        on_paper};
    return lab_main(&amd, argc, argv);
}
