/* words.c: a word with one slip of the pen finds the word that was meant; one that is far from all
 * finds none. */
#include "unit.h"

#include "base/words.h"

#include <stdio.h>
#include <string.h>

static const char names[] = "verify, predecessors, betweenness, largest-component, save-order";
static const char *const list[] = {"verify", "predecessors", "betweenness", "largest-component",
                                   "save-order"};
enum { WORDS = sizeof list / sizeof *list };

static void check_hint(const char *word, const char *meant)
{
    char hint[TEXT_SHORT], expected[TEXT_SHORT] = "";
    if (meant)
        snprintf(expected, sizeof expected, " (did you mean %s?)", meant);
    if (strcmp(words_hint(hint, word, names), expected) != 0)
        fail_msg("'%s' gives '%s', not '%s'", word, hint, expected);
}

/* At every place a letter left out, put in, replaced, or exchanged with the next. */
static void one_slip(void **state)
{
    (void)state;
    for (int i = 0; i < WORDS; i++)
        for (size_t at = 0, length = strlen(list[i]); at < length; at++) {
            char word[64];
            snprintf(word, sizeof word, "%.*s%s", (int)at, list[i], list[i] + at + 1);
            check_hint(word, list[i]);
            snprintf(word, sizeof word, "%.*sq%s", (int)at, list[i], list[i] + at);
            check_hint(word, list[i]);
            strcpy(word, list[i]);
            word[at] = 'Q';
            check_hint(word, list[i]);
            if (at + 1 == length)
                continue;
            word[at] = list[i][at + 1];
            word[at + 1] = list[i][at];
            check_hint(word, list[i]);
        }
}

static void what_is_near_and_what_is_not(void **state)
{
    char hint[TEXT_SHORT], longest[200] = "";
    (void)state;
    check_hint("VERIFY", "verify");
    check_hint("pred", "predecessors");
    check_hint("save_order", "save-order");
    check_hint("vrefy", NULL);
    check_hint("vreiyf", "verify"); /* two exchanges */
    check_hint("", NULL);
    check_hint("x", NULL);
    check_hint("floyd", NULL);
    check_hint("order", NULL);
    memset(longest, 'v', sizeof longest - 1);
    check_hint(longest, NULL);
    assert_string_equal(words_hint(hint, "i33", "u16, i32, i64"), " (did you mean i32?)");
    assert_string_equal(words_hint(hint, "zz", "gr, ab"), "");
    assert_string_equal(words_hint(hint, "x", ""), "");
}

static void places_in_lists(void **state)
{
    (void)state;
    for (int i = 0; i < WORDS; i++)
        assert_int_equal(words_find(names, list[i]), i);
    assert_int_equal(words_find(names, "verif"), -1);
    assert_int_equal(words_find(names, "verify,"), -1);
    assert_int_equal(words_find(names, ""), -1);
    assert_int_equal(words_find("min,sum,error", "error"), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(one_slip),
                                       cmocka_unit_test(what_is_near_and_what_is_not),
                                       cmocka_unit_test(places_in_lists)};
    return cmocka_run_group_tests_name("words", tests, NULL, NULL);
}
