/* Quotients that are rounded once, for cores and GPUs. */
#ifndef DIVIDE_H
#define DIVIDE_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#ifndef DIVIDE_PLACE
#define DIVIDE_PLACE static inline
#endif

/* The float nearest to the quotient of two integers that are doubles. The double is first rounded
 * to odd, which shows floats on which side of it the number is. */
DIVIDE_PLACE float divide_to_float(double a, double b)
{
    double quotient = a / b, rest = fma(-quotient, b, a);
    uint64_t bits;
    memcpy(&bits, &quotient, sizeof bits);
    if (rest != 0)
        bits = (bits - ((rest < 0) == (quotient > 0))) | 1;
    memcpy(&quotient, &bits, sizeof bits);
    return (float)quotient;
}

#endif
