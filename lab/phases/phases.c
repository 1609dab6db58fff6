/* Time distribution: the plain course program and the product, on the CPU and the GPU, from file to file. */
#include "phases.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct phases_files files;
static size_t written; /* the n of the graph's file */

static void remove_files(void)
{
    if (*files.graph) {
        unlink(files.graph);
        unlink(files.result);
    }
}

static void name_files(void)
{
    const char *folder = getenv("TMPDIR");
    if (*files.graph)
        return;
    if (snprintf(files.graph, sizeof files.graph, "%s/lab-%ld.bin", folder && *folder ? folder : "/tmp",
                 (long)getpid()) >= (int)sizeof files.graph)
        lab_stop("TMPDIR is too long a name");
    snprintf(files.result, sizeof files.result, "%s.d", files.graph);
    atexit(remove_files);
}

/* n, m, then the edges: 32-bit numbers. */
static void write_graph(const struct lab_problem *problem)
{
    const size_t n = problem->n;
    const int *d = problem->in[0];
    FILE *file = fopen(files.graph, "wb");
    int32_t head[2] = {(int32_t)n, 0};
    for (size_t i = 0; i < n * n; i++)
        head[1] += d[i] > 0 && d[i] < LAB_FAR;
    bool good = file && fwrite(head, sizeof head, 1, file) == 1;
    for (size_t i = 0; good && i < n * n; i++) {
        int32_t edge[3] = {(int32_t)(i / n), (int32_t)(i % n), d[i]};
        if (d[i] > 0 && d[i] < LAB_FAR)
            good = fwrite(edge, sizeof edge, 1, file) == 1;
    }
    if (!file || fclose(file) || !good)
        lab_stop("cannot write the graph to the folder for temporary files");
}

const struct phases_files *phases_files(const struct lab_problem *problem)
{
    name_files();
    if (written != problem->n)
        write_graph(problem);
    written = problem->n;
    return &files;
}

double phases_read(const struct lab_problem *problem, int *d)
{
    const size_t n = problem->n;
    const char *path = phases_files(problem)->graph;
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
    FILE *file = fopen(phases_files(problem)->result, "wb");
    if (!file || fwrite(d, problem->bytes, 1, file) != 1 || fclose(file))
        lab_stop("cannot write the result to the folder for temporary files");
    return lab_now() - start;
}

void phases_result(struct lab_problem *problem)
{
    FILE *file = fopen(phases_files(problem)->result, "rb");
    if (!file || fread(problem->out, problem->bytes, 1, file) != 1)
        lab_stop("cannot read the result");
    fclose(file);
}

static const struct lab_step *const steps[] = {&phases_course, &phases_product,
#ifdef APSP_GPU
                                               &phases_course_gpu, &phases_product_gpu,
#endif
                                               0};

int main(int argc, char **argv)
{
    static const struct lab_experiment phases = {"phases",
                                                 "Time distribution, in seconds, from file to file",
                                                 "T relaxations/s",
                                                 1e12,
                                                 &lab_paths,
                                                 {"reading", "to device", "phase 1", "phase 2", "phase 3",
                                                  "communication", "from device", "writing"},
                                                 steps};
    return lab_main(&phases, argc, argv);
}
