/* text.c: sizes and times as people read them. */
#include "unit.h"

#include "base/text.h"

#include <math.h>

static void sizes(void **state)
{
    static const struct {
        size_t bytes;
        const char *text;
    } cases[] = {{0, "0 B"},
                 {1023, "1023 B"},
                 {1024, "1.00 KiB"},
                 {10 * 1024, "10.0 KiB"},
                 {1000 * 1024, "1000 KiB"},
                 {1024 * 1024 - 1, "1.00 MiB"},
                 {(size_t)3 << 29, "1.50 GiB"},
                 {(size_t)5 << 40, "5.00 TiB"},
                 {SIZE_MAX, "16.0 EiB"}};
    char text[TEXT_NUMBER];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(text_bytes(text, cases[i].bytes), cases[i].text);
}

static void times(void **state)
{
    static const struct {
        double seconds;
        const char *text;
    } cases[] = {{0, "0.00 us"},    {2.5e-6, "2.50 us"},   {0.00999, "9.99 ms"},
                 {0.25, "250 ms"},  {1, "1.00 s"},         {119, "119 s"},
                 {120, "2.00 min"}, {7199, "120 min"},     {7200, "2.00 h"},
                 {36000, "10.0 h"}, {71 * 3600, "71.0 h"}, {72 * 3600, "3.00 d"},
                 {1e9, "11574 d"},  {INFINITY, "unknown"}};
    char text[TEXT_NUMBER];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(text_seconds(text, cases[i].seconds), cases[i].text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sizes), cmocka_unit_test(times)};
    return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}
