/* The lists are first collected without repetition, then the whole is transposed, which leaves it
 * as it is, but sorted. */
#include "sparse/pattern.h"

#include "base/mem.h"

#define NO_VERTEX UINT32_MAX

/* Neighbours of v by the edges of one direction, to `to` or only counted. */
static size_t collect(const struct csr *csr, size_t v, uint32_t *mark, uint32_t *to)
{
    size_t count = 0;
    for (size_t e = csr->start[v]; e < csr->start[v + 1]; e++) {
        uint32_t u = csr->to[e];
        if (u == v || mark[u] == v)
            continue;
        mark[u] = (uint32_t)v;
        if (to)
            to[count] = u;
        count++;
    }
    return count;
}

static void collect_all(size_t *start, uint32_t *to, const struct csr *csr,
                        const struct csr *transposed, uint32_t *mark)
{
    for (size_t v = 0; v < csr->n; v++)
        mark[v] = NO_VERTEX;
    for (size_t v = 0; v < csr->n; v++) {
        size_t at = start[v];
        at += collect(csr, v, mark, to ? to + at : NULL);
        at += collect(transposed, v, mark, to ? to + at : NULL);
        start[v + 1] = at;
    }
}

static void sort_lists(struct pattern *pattern, const uint32_t *unsorted, size_t *next)
{
    for (size_t v = 0; v < pattern->n; v++)
        next[v] = pattern->start[v];
    for (size_t v = 0; v < pattern->n; v++)
        for (size_t e = pattern->start[v]; e < pattern->start[v + 1]; e++)
            pattern->to[next[unsorted[e]]++] = (uint32_t)v;
}

size_t pattern_bytes(size_t n, size_t neighbours)
{
    size_t all;
    mem_add(&all, mem_bytes(neighbours, sizeof(uint32_t)), mem_bytes(n + 1, sizeof(size_t)));
    return all;
}

size_t pattern_need(size_t n, size_t m)
{
    size_t all = mem_bytes(m, 4 * sizeof(uint32_t));
    mem_add(&all, all, mem_bytes(n + 1, 2 * sizeof(size_t) + sizeof(uint32_t)));
    return all;
}

int pattern_make(struct pattern *pattern, const struct csr *csr, const struct csr *transposed,
                 struct apsp_error *error)
{
    size_t n = csr->n;
    *pattern =
        (struct pattern){.n = n, .start = mem_alloc(mem_bytes(n + 1, sizeof *pattern->start))};
    uint32_t *mark = mem_alloc(mem_bytes(n, sizeof *mark)), *unsorted = NULL;
    size_t *next = mem_alloc(mem_bytes(n, sizeof *next));
    if (pattern->start && mark && next) {
        collect_all(pattern->start, NULL, csr, transposed, mark);
        unsorted = mem_alloc(mem_bytes(pattern->start[n], sizeof *unsorted));
        pattern->to = mem_alloc(mem_bytes(pattern->start[n], sizeof *pattern->to));
    }
    if (unsorted && pattern->to) {
        collect_all(pattern->start, unsorted, csr, transposed, mark);
        sort_lists(pattern, unsorted, next);
    } else {
        error_set(error, APSP_MEMORY, "no memory for the pattern of %zu vertices and %zu edges", n,
                  csr->m);
    }
    mem_free(next);
    mem_free(unsorted);
    mem_free(mark);
    return error->code;
}

void pattern_free(struct pattern *pattern)
{
    mem_free(pattern->to);
    mem_free(pattern->start);
    *pattern = (struct pattern){0};
}
