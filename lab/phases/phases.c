/* Time distribution: the plain course program and the product, on the CPU and the GPU, from file to
 * file. */
#include "phases.h"

#include "command.h"

#include <stdio.h>

double phases_write(const struct lab_problem *problem, const int *d)
{
    double start = lab_now();
    FILE *file = fopen(lab_files(problem)->result, "wb");
    if (!file || fwrite(d, problem->bytes, 1, file) != 1 || fclose(file))
        lab_stop("cannot write the result to the folder for temporary files");
    return lab_now() - start;
}

static const struct lab_step *const steps[] = {&phases_course,
                                               &phases_product,
#ifdef APSP_GPU
                                               &phases_course_gpu,
                                               &phases_product_gpu,
                                               &phases_product_gpus,
#endif
                                               0};

static void overlaps(void)
{
    printf("# the product relaxes phases 1 and 2 of a round beside phase 3 of the one before, so "
           "that they "
           "add up to more than its solve, and copies rows from the device while it writes them\n");
}

int main(int argc, char **argv)
{
    static const struct lab_experiment phases = {
        .name = "phases",
        .title = "Time distribution, in seconds, from file to file",
        .unit = "T relaxations/s",
        .per_unit = 1e12,
        .kind = &lab_paths,
        .column = {"reading", "to device", "phase 1", "phase 2", "phase 3", "communication",
                   "from device", "writing"},
        .steps = steps,
        .preface = overlaps,
    };
    return lab_main(&phases, argc, argv);
}
