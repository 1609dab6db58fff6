/*
 * Every edge is put into the lists of both of its ends, unless there is one that leads back and a
 * glance finds it. Then the lists are sorted, and what they have twice is left out. So the pattern
 * does not depend on who put what where.
 */
#include "sparse/pattern.h"

#include "base/mem.h"
#include "base/number.h"

#include <string.h>

enum {
    GLANCE = 64,  /* Edges of a vertex that are looked at for one that leads back. */
    CHUNK = 4096, /* vertices of a task */
    WORD = 64,    /* bits */
    PART = 1024,  /* A list with more than this part of all vertices is sorted by bits. */
};

struct making {
    const struct csr *csr;
    int threads;
    size_t *start;
    uint32_t *to;
    uint32_t *more; /* For each vertex: neighbours by edges to it alone, and later all of them. */
    uint64_t *bits; /* A bit for each vertex; all 0. For one thread at a time. */
};

static bool leads_back(const struct csr *csr, size_t from, size_t to)
{
    const size_t first = csr->start[from], end = csr->start[from + 1];
    if (end - first > GLANCE)
        return false;
    for (size_t e = first; e < end; e++)
        if (csr->to[e] == to)
            return true;
    return false;
}

static uint32_t add(uint32_t *counter, uint32_t what)
{
    uint32_t old;
#pragma omp atomic capture
    {
        old = *counter;
        *counter += what;
    }
    return old;
}

/* Counts the neighbours of a vertex at start[v + 1], and of others in `more`. */
static void count_edges(struct making *making, size_t v)
{
    const struct csr *csr = making->csr;
    size_t own = 0;
    for (size_t e = csr->start[v]; e < csr->start[v + 1]; e++) {
        uint32_t u = csr->to[e];
        if (u == v)
            continue;
        own++;
        if (!leads_back(csr, u, v))
            add(&making->more[u], 1);
    }
    making->start[v + 1] = own;
}

/* The heads of v's own edges come first in its list. Leaves 0 in `more`. */
static void place_edges(struct making *making, size_t v)
{
    const struct csr *csr = making->csr;
    size_t at = making->start[v];
    for (size_t e = csr->start[v]; e < csr->start[v + 1]; e++) {
        uint32_t u = csr->to[e];
        if (u == v)
            continue;
        making->to[at++] = u;
        if (!leads_back(csr, u, v))
            making->to[making->start[u + 1] - add(&making->more[u], UINT32_MAX)] = (uint32_t)v;
    }
}

/* By a bit for each vertex; without repetition. */
static size_t sort_many(const struct making *making, uint32_t *list, size_t count)
{
    uint64_t *bits = making->bits;
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        bits[list[i] / WORD] |= 1ULL << list[i] % WORD;
    for (size_t w = 0; w <= making->csr->n / WORD; w++) {
        for (uint64_t left = bits[w]; left > 0; left &= left - 1)
            list[kept++] = (uint32_t)(w * WORD) + (uint32_t)__builtin_ctzll(left);
        bits[w] = 0;
    }
    return kept;
}

static size_t sort_few(uint32_t *list, size_t count)
{
    size_t kept = 0;
    number_sort(list, count);
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || list[kept - 1] != list[i])
            list[kept++] = list[i];
    return kept;
}

/* Returns how many neighbours v has. */
static size_t sort_list(const struct making *making, size_t v)
{
    const size_t first = making->start[v], count = making->start[v + 1] - first;
    size_t kept;
    if (count <= GLANCE || count <= making->csr->n / PART)
        return sort_few(making->to + first, count);
#pragma omp critical(pattern_sort_many)
    kept = sort_many(making, making->to + first, count);
    return kept;
}

/* Returns how many entries are left. */
static size_t sort_lists(struct making *making)
{
    size_t all = 0;
#pragma omp parallel for num_threads(making->threads) schedule(dynamic, CHUNK) reduction(+ : all)
    for (size_t v = 0; v < making->csr->n; v++) {
        const size_t kept = sort_list(making, v);
        making->more[v] = (uint32_t)kept;
        all += kept;
    }
    return all;
}

/* Takes the lists together. */
static bool close_gaps(struct making *making, size_t all)
{
    const size_t n = making->csr->n;
    size_t *start = mem_alloc(mem_bytes(n + 1, sizeof *start));
    uint32_t *to = mem_alloc(mem_bytes(all, sizeof *to));
    const bool good = start && to;
    for (size_t v = 0; good && v < n; v++)
        start[v + 1] = start[v] + making->more[v];
#pragma omp parallel for num_threads(making->threads) schedule(dynamic, CHUNK) if (good)
    for (size_t v = 0; v < (good ? n : 0); v++)
        memcpy(to + start[v], making->to + making->start[v], making->more[v] * sizeof *to);
    mem_free(good ? making->start : start);
    mem_free(good ? making->to : to);
    if (good) {
        making->start = start;
        making->to = to;
    }
    return good;
}

static bool make_lists(struct making *making)
{
    const size_t n = making->csr->n;
#pragma omp parallel for num_threads(making->threads) schedule(dynamic, CHUNK)
    for (size_t v = 0; v < n; v++)
        count_edges(making, v);
    for (size_t v = 0; v < n; v++)
        making->start[v + 1] += making->start[v] + making->more[v];
    making->to = mem_alloc(mem_bytes(making->start[n], sizeof *making->to));
    if (!making->to)
        return false;
#pragma omp parallel for num_threads(making->threads) schedule(dynamic, CHUNK)
    for (size_t v = 0; v < n; v++)
        place_edges(making, v);
    const size_t all = sort_lists(making);
    return all == making->start[n] || close_gaps(making, all);
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
    mem_add(&all, all, mem_bytes(n + 1, 2 * sizeof(size_t) + sizeof(uint32_t) + sizeof(char)));
    return all;
}

int pattern_make(struct pattern *pattern, const struct csr *csr, int threads,
                 struct apsp_error *error)
{
    const size_t n = csr->n;
    struct making making = {.csr = csr, .threads = n > CHUNK ? threads : 1};
    making.start = mem_alloc(mem_bytes(n + 1, sizeof *making.start));
    making.more = mem_alloc(mem_bytes(n, sizeof *making.more));
    making.bits = mem_alloc(mem_bytes(n / WORD + 1, sizeof *making.bits));
    if (!making.start || !making.more || !making.bits || !make_lists(&making))
        error_set(error, APSP_MEMORY, "no memory for the pattern of %zu vertices and %zu edges", n,
                  csr->m);
    *pattern = (struct pattern){n, making.start, making.to};
    mem_free(making.bits);
    mem_free(making.more);
    return error->code;
}

void pattern_free(struct pattern *pattern)
{
    mem_free(pattern->to);
    mem_free(pattern->start);
    *pattern = (struct pattern){0};
}
