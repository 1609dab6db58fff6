/*
 * A stable counting sort by several threads. The entries come in parts, one for each thread, and a
 * part has a counter for every key. After counting_place each entry has its own place, which does
 * not depend on the number of parts.
 */
#ifndef COUNTING_H
#define COUNTING_H

#include <stdbool.h>
#include <stddef.h>

struct counting {
    size_t keys;
    int parts;
    size_t *count; /* Counters of each part: entries of a key, and later the next one's place. */
};

/* So many entries, by so many threads at the most. False: there is no memory. */
bool counting_open(struct counting *counting, size_t keys, size_t entries, int threads);
size_t counting_bytes(size_t keys, size_t entries, int threads);
void counting_free(struct counting *counting);

static inline size_t *counting_part(const struct counting *counting, int part)
{
    return counting->count + (size_t)part * counting->keys;
}

/* The keys of a part that are in the same part of `of` things. */
static inline size_t counting_begin(const struct counting *counting, size_t of, int part)
{
    return of / (size_t)counting->parts * (size_t)part +
           of % (size_t)counting->parts * (size_t)part / (size_t)counting->parts;
}

/* Writes where the entries of each key begin, to start[0 .. keys], and makes places of counts. */
void counting_place(struct counting *counting, size_t *start);

/* All counters are 0 again. */
void counting_clear(struct counting *counting);

#endif
