/* Digits of numbers, against the C library's: byte for byte what printf and the first of 15, 16 and
 * 17 digits that read back say. */
#include "unit.h"

#include "base/digits.h"
#include "base/random.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TRIALS = 200000, TEXT = 64 };

static double double_of(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void check(double value)
{
    static const int counts[] = {1, 3, 9, 15, 16, 17};
    char right[TEXT], text[TEXT];
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        snprintf(right, sizeof right, "%.*g", counts[i], value);
        *digits_real(text, value, counts[i]) = '\0';
        assert_string_equal(text, right);
    }
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(right, sizeof right, "%.*g", digits, value);
        if (strtod(right, NULL) == value)
            break;
    }
    *digits_shortest(text, value) = '\0';
    assert_string_equal(text, right);
    assert_true(strlen(text) < DIGITS_ROOM);
}

static void both(double value)
{
    check(value);
    check(-value);
    check(nextafter(value, 0));
    check(nextafter(value, INFINITY));
}

/* Of all sizes, and more of those that are usual. */
static void random_doubles(void **state)
{
    uint64_t seed = 1;
    (void)state;
    for (int trial = 0; trial < TRIALS; trial++) {
        const uint64_t bits = random_next(&seed), place = random_next(&seed) % 150;
        check(double_of(bits));
        check(double_of((bits & ((UINT64_C(1) << 52) - 1)) | (970 + place) << 52));
    }
}

/* Few decimals, quotients and halves between two decimals. */
static void short_ones(void **state)
{
    uint64_t seed = 7;
    (void)state;
    for (int trial = 0; trial < TRIALS; trial++) {
        const uint64_t bits = random_next(&seed);
        const double whole = (double)(bits >> (12 + bits % 50));
        check(whole / pow(10, (double)(bits % 23)));
        check(whole / (1 + (double)(bits % 1000003)));
        check(ldexp(whole, -(int)(bits % 60)));
        check((double)(float)(whole / 7));
    }
}

static void edges(void **state)
{
    (void)state;
    for (int power = -1080; power <= 1023; power++)
        both(ldexp(1, power));
    for (int power = -320; power <= 308; power++) {
        char text[TEXT];
        snprintf(text, sizeof text, "1e%d", power);
        both(strtod(text, NULL));
        snprintf(text, sizeof text, "9.9999999999999995e%d", power);
        both(strtod(text, NULL));
    }
    both(0.99999237060546875); /* half between two of 16 digits */
    both(0);
    check(INFINITY);
    check(NAN);
}

static void whole_numbers(void **state)
{
    char right[TEXT], text[TEXT];
    uint64_t seed = 3;
    (void)state;
    for (int trial = 0; trial < TRIALS; trial++) {
        const uint64_t word = random_next(&seed);
        const int64_t value = (int64_t)(trial < 64 ? UINT64_C(1) << trial : word) >> word % 64;
        snprintf(right, sizeof right, "%" PRId64, value);
        *digits_whole(text, value) = '\0';
        assert_string_equal(text, right);
        snprintf(right, sizeof right, "%" PRIu64, (uint64_t)value);
        *digits_natural(text, (uint64_t)value) = '\0';
        assert_string_equal(text, right);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_doubles),
                                       cmocka_unit_test(short_ones), cmocka_unit_test(edges),
                                       cmocka_unit_test(whole_numbers)};
    return cmocka_run_group_tests_name("digits", tests, NULL, NULL);
}
