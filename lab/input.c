#include "input.h"

#include "command.h"
#include "paths.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct edge {
    int32_t from, to, weight;
};

struct content { /* of the file */
    int32_t n, m;
    struct edge edge[];
};

double input_by_edges(const struct lab_problem *problem, int *d)
{
    const size_t n = problem->n;
    const char *path = lab_files(problem)->graph;
    double start = lab_now();
    FILE *file = fopen(path, "rb");
    struct content head;
    struct edge edge;
    bool good = file && fread(&head, sizeof head, 1, file) == 1 && (size_t)head.n == n;
    for (size_t i = 0; i < n * n; i++)
        d[i] = i % (n + 1) == 0 ? 0 : LAB_FAR;
    for (int32_t e = 0; good && e < head.m; e++) {
        good = fread(&edge, sizeof edge, 1, file) == 1;
        d[(size_t)edge.from * n + (size_t)edge.to] = edge.weight;
    }
    if (!good)
        lab_stop("cannot read the graph");
    fclose(file);
    return lab_now() - start;
}

/* NULL: there is none. */
static const struct content *map(const char *path, size_t *bytes)
{
    struct stat is;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    void *at = MAP_FAILED;
    if (file >= 0 && fstat(file, &is) == 0 && is.st_size >= (off_t)sizeof(struct content))
        at =
            mmap(NULL, *bytes = (size_t)is.st_size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, file, 0);
    if (file >= 0)
        close(file);
    return at == MAP_FAILED ? NULL : at;
}

double input_mapped(const struct lab_problem *problem, int *d)
{
    const size_t n = problem->n;
    const char *path = lab_files(problem)->graph;
    size_t bytes = 0;
    double start = lab_now();
    const struct content *file = map(path, &bytes);
    if (!file || (size_t)file->n != n ||
        bytes != sizeof *file + (size_t)file->m * sizeof(struct edge))
        lab_stop("cannot read the graph");
#pragma omp parallel
    {
#pragma omp for
        for (size_t i = 0; i < n * n; i++)
            d[i] = i % (n + 1) == 0 ? 0 : LAB_FAR;
#pragma omp for
        for (int32_t e = 0; e < file->m; e++)
            d[(size_t)file->edge[e].from * n + (size_t)file->edge[e].to] = file->edge[e].weight;
    }
    munmap((void *)file, bytes);
    return lab_now() - start;
}
