/*
 * Numbers as digits, for texts of millions of lines. Each function writes at `out`, without a
 * terminator, and returns where it ends: DIGITS_ROOM bytes at most. Decimal points are points.
 *
 * Numbers from 1e-15 to 1e17 are rounded by integers of 128 bits, which hold their digits and the
 * remainder exactly (Steele and White, How to print floating-point numbers accurately, PLDI 1990,
 * with integers of any length). The C library rounds the others.
 */
#ifndef DIGITS_H
#define DIGITS_H

#include <stdint.h>

enum { DIGITS_ROOM = 32, DIGITS_SHORT = 15, DIGITS_DOUBLE = 17 };

char *digits_natural(char *out, uint64_t value);
char *digits_whole(char *out, int64_t value);
/* As printf("%.*g"), of 1 to DIGITS_DOUBLE digits. */
char *digits_real(char *out, double value, int digits);
/* The same with the fewest of DIGITS_SHORT or more digits that read back as the value. */
char *digits_shortest(char *out, double value);

#endif
