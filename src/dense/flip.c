#include "dense/flip.h"

#include "base/random.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[SUM_AREAS] = {"strip", "raw", "row", "col"};

struct flip flip_plan(const struct schedule *schedule, int ranks, int rank)
{
    const char *request = getenv("APSP_FLIP"), *colon = request ? strchr(request, ':') : NULL;
    struct flip flip = {0};
    if (!colon)
        return flip;
    uint64_t state = strtoull(colon + 1, NULL, 10);
    const size_t length = (size_t)(colon - request);
    while (flip.area < SUM_AREAS &&
           (strlen(names[flip.area]) != length || memcmp(request, names[flip.area], length) != 0))
        flip.area++;
    bool here = random_next(&state) % (uint64_t)ranks == (uint64_t)rank;
    if (here && flip.area < SUM_AREAS)
        flip.when = &schedule->rounds[random_next(&state) % schedule->count];
    flip.place = random_next(&state);
    return flip;
}

static void copy_and_wait(struct backend *backend, void *to, const void *from)
{
    enum { MARK = 0 }; /* no transport is under way */
    backend->panel->copy(backend, BACKEND_AHEAD, to, from, 1);
    backend->panel->mark(backend, BACKEND_AHEAD, MARK);
    while (!backend->panel->reached(backend, MARK))
        sched_yield();
}

static void turn(const struct flip *flip, struct backend *backend, int slot,
                 const struct round *now)
{
    struct backend_area area = backend->round->area(backend, flip->area, slot, now->pivot);
    size_t bytes = area.rows * area.width, byte = bytes > 0 ? flip->place / 8 % bytes : 0;
    int bit = (int)(flip->place % 8);
    unsigned char value;
    if (bytes == 0)
        return;
    char *at = area.at + byte / area.width * area.pitch + byte % area.width;
    copy_and_wait(backend, &value, at);
    value ^= (unsigned char)(1 << bit);
    copy_and_wait(backend, at, &value);
    fprintf(stderr, "flip: %s, pivots from %zu, byte %zu, bit %d\n", names[flip->area],
            now->pivot.lo, byte, bit);
}

void flip_raw(const struct flip *flip, struct backend *backend, int slot, const struct round *now)
{
    if (flip->when == now && flip->area == SUM_RAW)
        turn(flip, backend, slot, now);
}

void flip_rest(const struct flip *flip, struct backend *backend, int slot, const struct round *now)
{
    if (flip->when == now && flip->area != SUM_RAW)
        turn(flip, backend, slot, now);
}
