/* Time distribution: the plain course program and the product, on the CPU and the GPU, from file to file. */
#include "phases.h"

#include "command.h"

#include <stdint.h>
#include <stdio.h>

double phases_read(const struct lab_problem *problem, int *d)
{
    const size_t n = problem->n;
    const char *path = lab_files(problem)->graph;
    double start = lab_now();
    FILE *file = fopen(path, "rb");
    int32_t head[2], edge[3];
    bool good = file && fread(head, sizeof head, 1, file) == 1 && (size_t)head[0] == n;
    for (size_t i = 0; i < n * n; i++)
        d[i] = i % (n + 1) == 0 ? 0 : LAB_FAR;
    for (int32_t e = 0; good && e < head[1]; e++) {
        good = fread(edge, sizeof edge, 1, file) == 1;
        d[(size_t)edge[0] * n + (size_t)edge[1]] = edge[2];
    }
    if (!good)
        lab_stop("cannot read the graph");
    fclose(file);
    return lab_now() - start;
}

double phases_write(const struct lab_problem *problem, const int *d)
{
    double start = lab_now();
    FILE *file = fopen(lab_files(problem)->result, "wb");
    if (!file || fwrite(d, problem->bytes, 1, file) != 1 || fclose(file))
        lab_stop("cannot write the result to the folder for temporary files");
    return lab_now() - start;
}

static const struct lab_step *const steps[] = {&phases_course, &phases_product,
#ifdef APSP_GPU
                                               &phases_course_gpu, &phases_product_gpu,
#endif
                                               0};

int main(int argc, char **argv)
{
    static const struct lab_experiment phases = {
        "phases",
        "Time distribution, in seconds, from file to file",
        "T relaxations/s",
        1e12,
        &lab_paths,
        {"reading", "to device", "phase 1", "phase 2", "phase 3", "communication", "from device", "writing"},
        steps,
        NULL};
    return lab_main(&phases, argc, argv);
}
