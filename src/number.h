/* Strict whole numbers from the command line. */
#ifndef NUMBER_H
#define NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/* True if all of the text is one decimal number of low .. high, digits only; *value then holds it. */
bool number_parse(const char *text, uint64_t low, uint64_t high, uint64_t *value);

/* The same for two numbers with a colon between them, the first at most the second. */
bool number_parse_range(const char *text, uint64_t low, uint64_t high, uint64_t *first, uint64_t *second);

#endif
