#include "base/counting.h"

#include "base/mem.h"

#include <string.h>

/* Threads pay from so many entries on, and up to so many. */
enum { FEW = 1 << 14, PARTS = 32 };

/* The counters stay below the entries in number. */
static int parts_of(size_t keys, size_t entries, int threads)
{
    size_t most = keys > 0 ? entries / keys + 1 : 1;
    int parts = threads < PARTS ? threads : PARTS;
    if (entries < FEW || parts < 1)
        return 1;
    return most < (size_t)parts ? (int)most : parts;
}

size_t counting_bytes(size_t keys, size_t entries, int threads)
{
    return mem_bytes(mem_bytes(keys, (size_t)parts_of(keys, entries, threads)), sizeof(size_t));
}

bool counting_open(struct counting *counting, size_t keys, size_t entries, int threads)
{
    *counting = (struct counting){.keys = keys, .parts = parts_of(keys, entries, threads)};
    counting->count = mem_alloc(counting_bytes(keys, entries, threads));
    return counting->count != NULL;
}

void counting_free(struct counting *counting)
{
    mem_free(counting->count);
    *counting = (struct counting){0};
}

void counting_clear(struct counting *counting)
{
#pragma omp parallel for num_threads(counting->parts)
    for (int p = 0; p < counting->parts; p++)
        memset(counting_part(counting, p), 0, counting->keys * sizeof *counting->count);
}

void counting_place(struct counting *counting, size_t *start)
{
    const size_t keys = counting->keys;
    start[0] = 0;
#pragma omp parallel for num_threads(counting->parts)
    for (size_t key = 0; key < keys; key++) {
        size_t sum = 0;
        for (int p = 0; p < counting->parts; p++)
            sum += counting_part(counting, p)[key];
        start[key + 1] = sum;
    }
    for (size_t key = 0; key < keys; key++)
        start[key + 1] += start[key];
#pragma omp parallel for num_threads(counting->parts)
    for (size_t key = 0; key < keys; key++) {
        size_t place = start[key];
        for (int p = 0; p < counting->parts; p++) {
            size_t *count = &counting_part(counting, p)[key], here = *count;
            *count = place;
            place += here;
        }
    }
}
