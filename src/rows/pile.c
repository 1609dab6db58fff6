#include "rows/pile.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>

void pile_empty(struct pile *pile)
{
    pile->count = 0;
    pile->amount = 0;
    pile->limit = INFINITY;
}

/* Takes the furthest one from the pile, and puts `near` in its place. */
static void sink_down(struct near *heap, size_t count, struct near near)
{
    size_t i = 0;
    for (size_t down; (down = 2 * i + 1) < count; i = down) {
        down += down + 1 < count && heap[down + 1].distance > heap[down].distance;
        if (heap[down].distance <= near.distance)
            break;
        heap[i] = heap[down];
    }
    heap[i] = near;
}

bool pile_add(struct pile *pile, struct near near, double most)
{
    enum { LEAST = 64 };
    if (pile->count == pile->room) {
        const size_t room = pile->room ? 2 * pile->room : LEAST;
        struct near *heap = realloc(pile->heap, mem_bytes(room, sizeof *heap));
        if (!heap)
            return false;
        pile->heap = heap;
        pile->room = room;
    }
    size_t i = pile->count++;
    for (size_t up; i > 0 && pile->heap[up = (i - 1) / 2].distance < near.distance; i = up)
        pile->heap[i] = pile->heap[up];
    pile->heap[i] = near;
    pile->amount += near.amount;
    while (pile->amount - pile->heap[0].amount >= most) {
        pile->amount -= pile->heap[0].amount;
        pile->count--;
        sink_down(pile->heap, pile->count, pile->heap[pile->count]);
    }
    if (pile->amount >= most)
        pile->limit = pile->heap[0].distance;
    return true;
}

static int compare_near(const void *a, const void *b)
{
    const struct near *x = a, *y = b;
    return (x->distance > y->distance) - (x->distance < y->distance);
}

void pile_sort(struct pile *pile)
{
    qsort(pile->heap, pile->count, sizeof *pile->heap, compare_near);
}

double pile_within(const struct pile *pile, double amount)
{
    double sum = 0;
    for (size_t i = 0; i < pile->count; i++)
        if ((sum += pile->heap[i].amount) >= amount)
            return pile->heap[i].distance;
    return INFINITY;
}
