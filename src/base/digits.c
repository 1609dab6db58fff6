#include "base/digits.h"

#include "base/minmax.h"
#include "base/plain.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

__extension__ typedef unsigned __int128 wide;

enum { FRACTION = 52, BIAS = 1075, FIVES_MOST = 31 };

static const uint64_t ten[] = {1e0, 1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,
                               1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17};

/* 5^power, up to FIVES_MOST. */
static wide five(int power)
{
    static const uint64_t low[] = {1, 5, 25, 125, 625, 3125, 15625, 78125},
                          high[] = {1, 390625, 152587890625, 59604644775390625};
    return (wide)high[power / 8] * low[power % 8];
}

/* A positive number times 10^(16 - exponent), which has 17 digits before the point: value / 2^shift
 * exactly. */
struct exact {
    wide value, step; /* to the next double */
    int shift, exponent;
    bool even, lowest; /* its significand; and that of a power of two */
};

/* False beyond the range. */
static bool expand(struct exact *exact, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    const uint64_t fraction = bits & ((UINT64_C(1) << FRACTION) - 1);
    const int raw = (int)(bits >> FRACTION & 2047), power = raw - BIAS;
    if (raw == 0 || raw == 2047)
        return false;
    exact->even = fraction % 2 == 0;
    exact->lowest = fraction == 0;
    /* the logarithm of a power of two at most the value: too low by one at most */
    exact->exponent = ((power + FRACTION) * 78913) >> 18;
    for (;; exact->exponent++) {
        const int tens = DIGITS_DOUBLE - 1 - exact->exponent, shift = -(power + tens);
        if (tens < 0 || tens > FIVES_MOST)
            return false;
        exact->shift = shift > 0 ? shift : 0;
        exact->step = five(tens) << (exact->shift - shift);
        exact->value = exact->step * (fraction | UINT64_C(1) << FRACTION);
        if (exact->value >> exact->shift < ten[DIGITS_DOUBLE])
            return true;
    }
}

/* The nearest number of so many digits, of two the even one. */
static uint64_t rounded(const struct exact *exact, int digits)
{
    const uint64_t unit = ten[DIGITS_DOUBLE - digits],
                   low = (uint64_t)(exact->value >> exact->shift) / unit;
    const wide whole = (wide)unit << exact->shift, rest = exact->value - low * whole;
    return low + (2 * rest > whole || (2 * rest == whole && low % 2 == 1));
}

/* Whether no double is nearer to that number. */
static bool reads_back(const struct exact *exact, uint64_t number, int digits)
{
    const wide given = (wide)(number * ten[DIGITS_DOUBLE - digits]) << exact->shift;
    const bool below = given < exact->value;
    const wide off = below ? exact->value - given : given - exact->value,
               most = exact->step >> (below && exact->lowest);
    return 2 * off < most || (2 * off == most && exact->even);
}

/* The value is number * 10^(exponent - digits + 1), and the number has so many digits, or one more.
 */
static char *lay_out(char *out, uint64_t number, int exponent, int digits)
{
    char text[DIGITS_ROOM];
    int length = (int)(digits_natural(text, number) - text);
    exponent += length - digits;
    while (length > 1 && text[length - 1] == '0')
        length--;
    if (exponent < -4 || exponent >= digits) {
        *out++ = text[0];
        if (length > 1)
            *out++ = '.';
        out = mempcpy(out, text + 1, (size_t)length - 1);
        *out++ = 'e';
        *out++ = exponent < 0 ? '-' : '+';
        const unsigned size = (unsigned)(exponent < 0 ? -exponent : exponent);
        *out++ = (char)('0' + size / 10);
        *out++ = (char)('0' + size % 10);
        return out;
    }
    if (exponent < 0) {
        out = mempcpy(out, "0.000", 1 - exponent);
        return mempcpy(out, text, (size_t)length);
    }
    const int before = exponent + 1, there = int_min(length, before);
    out = mempcpy(out, text, (size_t)there);
    for (int k = there; k < before; k++)
        *out++ = '0';
    if (length > before) {
        *out++ = '.';
        out = mempcpy(out, text + before, (size_t)(length - before));
    }
    return out;
}

char *digits_natural(char *out, uint64_t value)
{
    static const char pairs[] = "00010203040506070809101112131415161718192021222324"
                                "25262728293031323334353637383940414243444546474849"
                                "50515253545556575859606162636465666768697071727374"
                                "75767778798081828384858687888990919293949596979899";
    char digits[DIGITS_ROOM], *const end = digits + sizeof digits, *at = end;
    for (; value >= 100; value /= 100)
        memcpy(at -= 2, pairs + 2 * (value % 100), 2);
    if (value >= 10)
        memcpy(at -= 2, pairs + 2 * value, 2);
    else
        *--at = (char)('0' + value);
    return mempcpy(out, at, (size_t)(end - at));
}

char *digits_whole(char *out, int64_t value)
{
    if (value < 0)
        *out++ = '-';
    return digits_natural(out, value < 0 ? -(uint64_t)value : (uint64_t)value);
}

/* As many digits as say the value, from `digits` on up to `most`. */
static char *put(char *out, double value, int digits, int most)
{
    const double size = fabs(value);
    struct exact exact;
    if (size < (double)ten[digits] && size == (double)(uint64_t)size) {
        if (signbit(value))
            *out++ = '-';
        return digits_natural(out, (uint64_t)size);
    }
    if (!expand(&exact, size)) {
        char text[DIGITS_ROOM];
        int length;
        do
            length = plain_print(text, sizeof text, "%.*g", digits, value);
        while (digits++ < most && plain_double(text, NULL) != value);
        return mempcpy(out, text, (size_t)length);
    }
    uint64_t number = rounded(&exact, digits);
    for (; digits < most && !reads_back(&exact, number, digits); number = rounded(&exact, digits))
        digits++;
    if (signbit(value))
        *out++ = '-';
    return lay_out(out, number, exact.exponent, digits);
}

char *digits_real(char *out, double value, int digits)
{
    return put(out, value, digits, digits);
}

char *digits_shortest(char *out, double value)
{
    return put(out, value, DIGITS_SHORT, DIGITS_DOUBLE);
}
