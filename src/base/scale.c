#include "base/scale.h"

#include "base/digits.h"
#include "base/minmax.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const double scale_ten[SCALE_POWER + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                           1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                           1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

bool scale_of_factor(struct scale *scale, double factor)
{
    int exponent;
    for (int power = 0; power <= SCALE_POWER; power++)
        if (factor == scale_ten[power]) {
            *scale = (struct scale){false, power};
            return true;
        }
    const bool binary = frexp(factor, &exponent) == 0.5; /* 2^(exponent - 1) */
    *scale = (struct scale){true, exponent - 1};
    return binary && abs(exponent - 1) <= SCALE_BITS;
}

/* Halves are whole tenths; tenths are no binary fractions. */
bool scale_refines(struct scale fine, struct scale coarse)
{
    if (fine.binary && !coarse.binary)
        return coarse.power == 0 && fine.power >= 0;
    return fine.power >= coarse.power;
}

char *scale_put(char *out, struct scale scale, int64_t whole)
{
    char zeros[SCALE_TEXT], *start = zeros + SCALE_POWER;
    if (scale.binary)
        return digits_real(out, scale_value(scale, whole), DIGITS_DOUBLE);
    memset(zeros, '0', SCALE_POWER);
    const char *end = digits_natural(start, whole < 0 ? -(uint64_t)whole : (uint64_t)whole),
               *point = end - scale.power;
    if (whole < 0)
        *out++ = '-';
    start = start < point ? start : zeros + (point - zeros) - 1;
    out = mempcpy(out, start, (size_t)(point - start));
    while (end > point && end[-1] == '0')
        end--;
    if (end > point)
        *out++ = '.';
    return mempcpy(out, point, (size_t)(end - point));
}

char *scale_text(struct scale scale, int64_t whole, char text[SCALE_TEXT])
{
    *scale_put(text, scale, whole) = '\0';
    return text;
}

/* 10^p is 5^p 2^p, and 5^p has 52 bits at most. A quotient of doubles is rounded once. Else it is
 * 64 bits long, of which the last tells whether any follow: so it is rounded by its conversion. */
double scale_share(struct scale scale, scale_wide whole, size_t parts)
{
    __extension__ typedef unsigned __int128 wide;
    wide rest = whole < 0 ? -(wide)whole : (wide)whole, divisor = parts;
    int exponent = -scale.power;
    for (int i = 0; i < scale.power && !scale.binary; i++)
        divisor *= 5;
    if (rest >> DBL_MANT_DIG == 0 && divisor >> DBL_MANT_DIG == 0)
        return ldexp((double)whole / (double)divisor, exponent);
    wide quotient = rest / divisor;
    rest %= divisor;
    for (; quotient >> 63 == 0 && (quotient | rest) != 0; exponent--) {
        rest *= 2;
        quotient = 2 * quotient + (rest >= divisor);
        rest -= rest >= divisor ? divisor : 0;
    }
    for (; quotient >> 64 != 0; exponent++) {
        rest |= quotient & 1;
        quotient >>= 1;
    }
    double size = ldexp((double)((uint64_t)quotient | (rest != 0)), exponent);
    return whole < 0 ? -size : size;
}

char *scale_print(struct scale scale, char text[SCALE_TEXT])
{
    if (scale.binary)
        snprintf(text, SCALE_TEXT, "2^%d", scale.power);
    else
        snprintf(text, SCALE_TEXT, "%.0f", scale_ten[scale.power]);
    return text;
}

int scale_lowest_bit(double value)
{
    enum { FRACTION = 52, BIAS = 1075 };
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    uint64_t fraction = bits & ((UINT64_C(1) << FRACTION) - 1);
    int exponent = (int)(bits >> FRACTION & 2047);
    if (exponent > 0)
        fraction |= UINT64_C(1) << FRACTION;
    return (exponent > 0 ? exponent : 1) - BIAS + __builtin_ctzll(fraction);
}

/* Whether the value is the double nearest to a decimal of 15 digits, so many of them after the
 * point. */
static bool is_decimal(double value, int decimals)
{
    double whole = rint(value * scale_ten[decimals]);
    return fabs(whole) <= 1e15 && whole / scale_ten[decimals] == value;
}

void scale_find_any(struct scale_finder *finder, double value)
{
    if (value == 0 || finder->none)
        return;
    int lowest = scale_lowest_bit(value);
    if (!finder->any || lowest < finder->lowest)
        finder->lowest = lowest;
    finder->any = true;
    finder->most = fmax(finder->most, fabs(value));
    while (finder->text && !is_decimal(value, finder->decimals))
        if (++finder->decimals > SCALE_POWER || fabs(value) * scale_ten[finder->decimals] > 1e15) {
            finder->none = true;
            return;
        }
}

void scale_find_too(struct scale_finder *finder, const struct scale_finder *other)
{
    finder->none |= other->none;
    if (other->any && (!finder->any || other->lowest < finder->lowest))
        finder->lowest = other->lowest;
    finder->any |= other->any;
    finder->most = fmax(finder->most, other->most);
    finder->decimals = int_max(other->decimals, finder->decimals);
}

/* A decimal that is a binary fraction too has no fewer digits after the point than that has bits
 * there, and is no other number than its double. */
bool scale_found(const struct scale_finder *finder, struct scale *scale)
{
    int bits = finder->any ? -finder->lowest : 0;
    *scale = (struct scale){0};
    if (finder->none || (finder->text && finder->most * scale_ten[finder->decimals] > 1e15))
        return false;
    if (bits <= 0 && finder->most <= 0x1p53) /* they are whole */
        return true;
    if (finder->text && bits > finder->decimals) {
        scale->power = finder->decimals;
        return true;
    }
    *scale = (struct scale){true, bits};
    return abs(bits) <= SCALE_BITS && ldexp(finder->most, bits) <= 0x1p53;
}
