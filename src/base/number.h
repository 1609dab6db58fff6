/* Strict numbers from the command line, and the order of numbers. */
#ifndef NUMBER_H
#define NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* True if all of the text is one decimal number of low .. high, digits only; *value then holds it.
 */
bool number_parse(const char *text, uint64_t low, uint64_t high, uint64_t *value);

/*
 * True if all of the text is two decimal numbers with a colon between them, the first at most the
 * second: -3:5, 0.5:2.25. *decimals is the most digits that follow a point in either, 9 at most;
 * *first and *second are the numbers times 10^decimals, from -high to high.
 */
bool number_parse_range(const char *text, int64_t high, int64_t *first, int64_t *second,
                        int *decimals);

/* Compares two uint32_t for qsort: ascending. */
int number_order(const void *a, const void *b);

void number_sort(uint32_t *list, size_t count); /* ascending; few of them fast */

#endif
