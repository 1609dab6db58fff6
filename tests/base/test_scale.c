/* Scales of decimals and of binary fractions, against whole numbers and strtod. */
#include "unit.h"

#include "base/scale.h"
#include "graph/lines.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static int64_t random_bits(int bits)
{
    uint64_t word = 0;
    for (int i = 0; i < 5; i++)
        word = word << 15 ^ (uint64_t)rand();
    return (int64_t)(word >> (64 - bits));
}

/* The least number of digits after the point of k / 10^places. */
static int places_of(int64_t k, int places)
{
    for (; places > 0 && k % 10 == 0; places--)
        k /= 10;
    return k ? places : 0;
}

static void decimals_become_whole(void **state)
{
    (void)state;
    srand(1);
    for (int trial = 0; trial < 20000; trial++) {
        enum { N = 4 };
        struct scale_finder finder = {.text = true}, halves[2] = {{.text = true}, {.text = true}};
        int64_t k[N], most = 0;
        int places[N], wanted = 0;
        double value[N];
        for (int i = 0; i < N; i++) {
            char text[64];
            k[i] = random_bits(1 + rand() % 30) * (rand() % 2 ? 1 : -1);
            places[i] = rand() % 8;
            snprintf(text, sizeof text, "%" PRId64 "e-%d", k[i], places[i]);
            value[i] = strtod(text, NULL);
            int own = places_of(k[i], places[i]);
            wanted = own > wanted ? own : wanted;
            scale_find(&finder, value[i]);
            scale_find(&halves[i % 2], value[i]);
        }
        scale_find_too(&halves[0], &halves[1]);
        struct scale scale, same;
        for (int i = 0; i < N; i++) {
            int64_t whole = llabs(k[i]);
            for (int p = places[i]; p < wanted; p++)
                whole *= 10;
            for (int p = wanted; p < places[i]; p++)
                whole /= 10;
            most = whole > most ? whole : most;
        }
        if (most > INT64_C(1000000000000000)) {
            assert_false(scale_found(&finder, &scale));
            continue;
        }
        assert_true(scale_found(&finder, &scale));
        assert_true(scale_found(&halves[0], &same));
        assert_int_equal(scale.binary, same.binary);
        assert_int_equal(scale.power, same.power);
        if (!scale.binary)
            assert_int_equal(scale.power, wanted);
        for (int i = 0; i < N; i++) {
            int64_t whole = scale_whole(scale, value[i]);
            char text[SCALE_TEXT];
            assert_true(scale_value(scale, whole) == value[i]);
            assert_true(strtod(scale_text(scale, whole, text), NULL) == value[i]);
            /* whole / scale is k / 10^places: without division */
            if (!scale.binary) {
                __extension__ __int128 left = whole, right = k[i];
                for (int p = 0; p < places[i]; p++)
                    left *= 10;
                for (int p = 0; p < scale.power; p++)
                    right *= 10;
                assert_true(left == right);
            }
        }
    }
}

/* As the C library prints them, zeros behind the point left out. */
static void texts_are_digits_with_a_point(void **state)
{
    (void)state;
    srand(2);
    for (int trial = 0; trial < 20000; trial++) {
        const int power = trial % (SCALE_POWER + 1), bits = 1 + rand() % 63;
        const int64_t whole = trial < 23 ? INT64_MIN : random_bits(bits) * (rand() % 2 ? 1 : -1);
        char digits[SCALE_TEXT], right[SCALE_TEXT + 2], text[SCALE_TEXT];
        const uint64_t size = whole < 0 ? -(uint64_t)whole : (uint64_t)whole;
        const int length = snprintf(digits, sizeof digits, "%0*" PRIu64, power + 1, size);
        snprintf(right, sizeof right, "%s%.*s.%s", whole < 0 ? "-" : "", length - power, digits,
                 digits + length - power);
        for (size_t end = strlen(right); right[end - 1] == '0' || right[end - 1] == '.'; end--) {
            const bool point = right[end - 1] == '.';
            right[end - 1] = '\0';
            if (point)
                break;
        }
        assert_string_equal(scale_text((struct scale){.power = power}, whole, text), right);
    }
}

static void fractions_of_two_stay_small(void **state)
{
    (void)state;
    struct {
        double value[2];
        bool text, found;
        struct scale scale;
    } cases[] = {
        {{0.25, 7.5}, true, true, {true, 2}},
        {{0.25, 7.5}, false, true, {true, 2}},
        {{0.25, 0.1}, true, true, {false, 2}},
        {{0.25, 0.1}, false, true, {true, 55}},
        {{3, -1000}, true, true, {false, 0}},
        {{3, -1000}, false, true, {false, 0}},
        {{0, 0}, true, true, {false, 0}},
        {{0.1, 1e15}, true, false, {false, 0}},
        {{0.1, 1e14}, true, true, {false, 1}},
        {{0x1p-30, 0x1p30}, false, false, {false, 0}},
        {{0x1p-20, 0x1p30}, false, true, {true, 20}},
        {{0x1p60, 0x3p70}, false, true, {true, -60}},
        {{5e-324, 0}, false, false, {false, 0}},
        {{1e-22, 3e-22}, true, true, {false, 22}},
        {{1e-23, 3e-22}, true, false, {false, 0}},
        {{0x1p53, 1}, false, true, {false, 0}},
        {{0x1p54, 1}, false, false, {false, 0}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct scale_finder finder = {.text = cases[i].text};
        struct scale scale;
        scale_find(&finder, cases[i].value[0]);
        scale_find(&finder, cases[i].value[1]);
        if (scale_found(&finder, &scale) != cases[i].found)
            fail_msg("case %zu", i);
        if (cases[i].found &&
            (scale.binary != cases[i].scale.binary || scale.power != cases[i].scale.power))
            fail_msg("case %zu: scale %d, %d", i, scale.binary, scale.power);
    }
}

static void texts_are_exact(void **state)
{
    (void)state;
    char text[SCALE_TEXT];
    const struct scale hundredths = {false, 2}, eighths = {true, 3}, one = {0};
    assert_string_equal(scale_text(hundredths, 1234, text), "12.34");
    assert_string_equal(scale_text(hundredths, -5, text), "-0.05");
    assert_string_equal(scale_text(hundredths, 500, text), "5");
    assert_string_equal(scale_text(hundredths, 510, text), "5.1");
    assert_string_equal(scale_text(hundredths, 0, text), "0");
    assert_string_equal(scale_text(eighths, -3, text), "-0.375");
    assert_string_equal(scale_text(one, INT64_MIN + 1, text), "-9223372036854775807");
    assert_string_equal(scale_text((struct scale){false, 22}, 1, text), "0.0000000000000000000001");
    assert_string_equal(scale_print(hundredths, text), "100");
    assert_string_equal(scale_print(eighths, text), "2^3");
}

/* What strtod makes of a text of these characters alone, if it takes all of it. */
static bool reference(const char *text, double *value)
{
    char *rest;
    *value = strtod(text, &rest);
    if (rest == text || *rest || !isfinite(*value))
        return false;
    *value = *value == 0 ? 0 : *value;
    return true;
}

static void texts_are_read_as_strtod_reads_them(void **state)
{
    static const char some[] = "00123456789..-+eE";
    (void)state;
    srand(2);
    for (int trial = 0; trial < 300000; trial++) {
        char text[40], line[48];
        size_t length = 1 + (size_t)rand() % 12;
        double right, value;
        bool rough = false;
        if (trial % 2) {
            for (size_t i = 0; i < length; i++)
                text[i] = some[(size_t)rand() % (sizeof some - 1)];
            text[length] = '\0';
        } else {
            snprintf(text, sizeof text, "%s%" PRId64 ".%0*d%s%d", rand() % 2 ? "-" : "",
                     random_bits(1 + rand() % 50), rand() % 9, rand() % 1000, rand() % 2 ? "e" : "",
                     rand() % 2 ? rand() % 60 - 30 : rand() % 700 - 350);
        }
        snprintf(line, sizeof line, " %s\n", text);
        const unsigned char *end = line_scan_real((const unsigned char *)line, &value, &rough);
        bool takes = reference(text, &right);
        if ((end != NULL) != takes ||
            (takes && (memcmp(&value, &right, sizeof value) != 0 || *end != '\n')))
            fail_msg("'%s'", text);
    }
}

static void many_digits_are_rough(void **state)
{
    static const struct {
        const char *text;
        bool rough;
    } cases[] = {{"0.1\n", false},
                 {"000123456789012345\n", false},
                 {"1234567890123450000\n", false},
                 {"0.00000123456789012345\n", false},
                 {"1234567890123456\n", true},
                 {"0.1000000000000000055511151231257827\n", true},
                 {"100000000000000000001e-20\n", true},
                 {"1.00000000000000000000000000\n", false},
                 {"1e300\n", false}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double value;
        bool rough = false;
        assert_non_null(line_scan_real((const unsigned char *)cases[i].text, &value, &rough));
        if (rough != cases[i].rough)
            fail_msg("%s", cases[i].text);
    }
}

static void factors_are_scales(void **state)
{
    (void)state;
    struct scale scale;
    for (int power = 0; power <= SCALE_POWER; power++) {
        assert_true(scale_of_factor(&scale, scale_ten[power]));
        assert_true(!scale.binary && scale.power == power);
    }
    for (int power = -SCALE_BITS; power <= SCALE_BITS; power++) {
        assert_true(scale_of_factor(&scale, ldexp(1, power)));
        assert_true(scale_factor(scale) == ldexp(1, power));
    }
    static const double none[] = {0, -1, -10, 3, 20, 1e23, 0.1, NAN, INFINITY, 0x1p1001, 0x1.8p3};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        assert_false(scale_of_factor(&scale, none[i]));
}

/* What is whole by one is whole by another if their quotient is. */
static void scales_refine_scales(void **state)
{
    (void)state;
    for (int i = 0; i < 400; i++) {
        const struct scale fine = {i & 1, i / 4 % 10 - (i & 1 ? 5 : 0)},
                           coarse = {i >> 1 & 1, i / 40 - (i & 2 ? 5 : 0)};
        const double quotient = scale_factor(fine) / scale_factor(coarse);
        assert_int_equal(scale_refines(fine, coarse), quotient >= 1 && rint(quotient) == quotient);
    }
}

/* The digits of a sum; the caller frees. */
static char *digits_of(scale_wide whole)
{
    char *text = calloc(1, 64), *at = text + 62;
    assert_non_null(text);
    scale_wide rest = whole < 0 ? -whole : whole;
    do
        *--at = (char)('0' + (int)(rest % 10));
    while (rest /= 10);
    if (whole < 0)
        *--at = '-';
    memmove(text, at, strlen(at) + 1);
    return text;
}

/* Quotients by powers of ten and of two are numbers that strtod reads; others show on which side
 * they are. */
static void shares_are_rounded_once(void **state)
{
    (void)state;
    srand(3);
    for (int trial = 0; trial < 200000; trial++) {
        int bits = 1 + rand() % 62, more = rand() % 64, tens = rand() % 19,
            power = rand() % (SCALE_POWER + 1);
        scale_wide whole = (scale_wide)random_bits(bits) << more | random_bits(more + 1) >> 1;
        char text[80], *digits;
        size_t parts = 1;
        whole = rand() % 2 ? whole : -whole;
        digits = digits_of(whole);
        for (int i = 0; i < tens; i++)
            parts *= 10;
        snprintf(text, sizeof text, "%se-%d", digits, power + tens);
        assert_true(scale_share((struct scale){false, power}, whole, parts) == strtod(text, NULL));
        power = rand() % 2000 - 1000;
        double nearest = ldexp(strtod(digits, NULL), -power - tens);
        assert_true(scale_share((struct scale){true, power}, whole, (size_t)1 << tens) == nearest);
        free(digits);
    }
    /* Thirds: 2^54 + 3 halves is between two doubles, and a third more is above the middle. */
    assert_true(scale_share((struct scale){0}, (scale_wide)3 * 0x40000000000002, 3) == 0x1p54);
    assert_true(scale_share((struct scale){0}, (scale_wide)3 * 0x40000000000002 + 1, 3) ==
                0x1p54 + 4);
    assert_true(scale_share((struct scale){0}, (scale_wide)3 * 0x40000000000002 - 1, 3) == 0x1p54);
    assert_true(scale_share((struct scale){false, 1}, 6, 3) == 0.2);
    assert_true(scale_share((struct scale){false, 22}, 1, ((size_t)1 << 62) - 1) == 0x1p-62 / 1e22);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decimals_become_whole),
        cmocka_unit_test(texts_are_digits_with_a_point),
        cmocka_unit_test(fractions_of_two_stay_small),
        cmocka_unit_test(texts_are_exact),
        cmocka_unit_test(texts_are_read_as_strtod_reads_them),
        cmocka_unit_test(many_digits_are_rough),
        cmocka_unit_test(shares_are_rounded_once),
        cmocka_unit_test(factors_are_scales),
        cmocka_unit_test(scales_refine_scales),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
