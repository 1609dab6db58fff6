/* The nearest targets whose amounts reach a given sum. */
#ifndef PILE_H
#define PILE_H

#include <stdbool.h>
#include <stddef.h>

struct near { /* A target with an amount. */
    double distance, amount;
};

/* A heap, the furthest on top. */
struct pile {
    struct near *heap;
    size_t count, room;
    double amount, limit; /* Their amount; targets from `limit` on are not wanted any more. */
};

void pile_empty(struct pile *pile);
/* Adds a target, and removes those that the nearer ones make up `most` without. False: there is no
 * memory. */
bool pile_add(struct pile *pile, struct near near, double most);
/* After the last one: by distance. The least distance within which the amount is; infinite where
 * all of them are less. */
void pile_sort(struct pile *pile);
double pile_within(const struct pile *pile, double amount);

#endif
