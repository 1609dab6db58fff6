/*
 * On paper: lane i asks bank i P mod 32 for rows of P words, so that gcd(P, 32) lanes meet in one,
 * and wait for each other. A wave of 64 reads in two halves: it is the same for AMD's GPUs as for
 * NVIDIA's. Rows of an odd number of words are free of conflicts.
 */
#include "banks.h"

#include <stdint.h>
#include <stdio.h>

int banks_meet(int pitch)
{
    int a = pitch, b = BANKS;
    while (b > 0) {
        int rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static bool make(struct lab_problem *problem)
{
    uint32_t *in = problem->in[0] = lab_alloc(BANKS * BANKS, sizeof *in);
    problem->bytes = BANKS * sizeof(uint32_t);
    problem->out = lab_alloc(BANKS, sizeof(uint32_t));
    uint32_t *right = problem->right = lab_alloc(BANKS, sizeof *right);
    for (uint32_t i = 0; i < BANKS; i++) {
        right[i] = 0;
        for (uint32_t k = 0; k < BANKS; k++) {
            in[i * BANKS + k] = i * 31 + k * 7;
            right[i] += (uint32_t)problem->n * in[i * BANKS + k];
        }
    }
    return true;
}

static size_t wrong(const struct lab_problem *problem)
{
    return lab_differ(problem, sizeof(uint32_t));
}

static double reads(size_t n)
{
    return (double)n * BANKS * BANKS_THREADS * BANKS_BLOCKS;
}

static void on_paper(void)
{
    printf("# lanes that meet in one bank, on paper, by the words of a row:\n#");
    for (int pitch = 32; pitch <= 96; pitch++)
        printf(" %d:%d%s", pitch, banks_meet(pitch), pitch % 16 == 15 ? "\n#" : "");
    printf("\n");
}

int main(int argc, char **argv)
{
    const struct lab_step *steps[80] = {0};
    static const struct lab_kind kind = {make, wrong, reads};
#ifdef APSP_GPU
    for (int i = 0; i < banks_count; i++)
        steps[i] = &banks_steps[i];
#endif
    const struct lab_experiment banks = {
        .name = "banks",
        .title = "Bank conflicts of a column's read, for AMD's GPUs and NVIDIA's",
        .unit = "G reads/s",
        .per_unit = 1e9,
        .kind = &kind,
        .column = {"lanes a bank", "times pitch 33"},
        .steps = steps,
        .preface = on_paper,
    };
    return lab_main(&banks, argc, argv);
}
