/* relay.c: what passes and what is kept, however it is cut. */
#include "unit.h"

#include "cli/relay.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define RULE "--------------------------------------------------------------------------\n"

static char passed[20000];
static struct relay relay;

/* In pieces of so many bytes. */
static void relay_text(const char *text, size_t each)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    relay = (struct relay){.to = ends[1]};
    for (size_t at = 0, all = strlen(text); at < all; at += each)
        relay_take(&relay, text + at, each < all - at ? each : all - at);
    relay_end(&relay);
    close(ends[1]);
    ssize_t got = read(ends[0], passed, sizeof passed - 1);
    passed[got > 0 ? got : 0] = '\0';
    close(ends[0]);
}

static void check(const char *text, const char *passes, const char *words, bool said)
{
    for (size_t each = 1; each < 100; each += 7) {
        relay_text(text, each);
        assert_string_equal(passed, passes);
        assert_string_equal(relay.words, words);
        assert_int_equal(relay.said, said);
    }
}

static void lines_pass(void **state)
{
    (void)state;
    check("", "", "", false);
    check("one\n\n--two\n-\n----------\nthe apsp: end",
          "one\n\n--two\n-\n----------\nthe apsp: end", "", false);
    check("apsp: no\n", "apsp: no\n", "", true);
    check("\r[===   ] 3\r   \rapsp: no\n", "\r[===   ] 3\r   \rapsp: no\n", "", true);
    check("\r[===   ] 3\rapsp: no\n", "\r[===   ] 3\r\napsp: no\n", "", true); /* the bar stands */
    check("\r 42 %  \r[=] 3\r\rapsp: no\n", "\r 42 %  \r[=] 3\r\r\napsp: no\n", "", true);
    check("a", "a", "", false);
    check("aps", "aps", "", false);
    check("apsp-verify: no\napsp-verify\n", "apsp-verify: no\napsp-verify\n", "", true);
}

static void blocks_are_kept(void **state)
{
    (void)state;
    check("a\n" RULE "It is\n  so.\n" RULE "b\n", "a\nb\n", "It is so.", false);
    check(RULE "one\n" RULE RULE "two\n" RULE, "", "one two", false);
    check(RULE "and never ends\n", "", "and never ends", false);
    check(RULE "of itself\napsp: no\nmore\n" RULE, "apsp: no\n", "of itself more", true);
}

/* A rank's line may be cut where a block comes. */
static void blocks_begin_within_lines(void **state)
{
    (void)state;
    check("a -- b" RULE "It is\n" RULE " c\n", "a -- b c\n", "It is", false);
    check("a\rb" RULE "It is\n" RULE "apsp: no\n", "a\rb\napsp: no\n", "It is", true);
    check("a" RULE "It is\n" RULE RULE "so\n" RULE, "a", "It is so", false);
    assert_true(relay_is_open(&relay));
    check("a" RULE "It is\n" RULE "b-\n", "ab-\n", "It is", false);
    assert_false(relay_is_open(&relay));
}

static void no_length_is_too_much(void **state)
{
    static char text[6000], same[6000];
    (void)state;
    memset(text, '-', sizeof text - 1);
    check(text, text, "", false);
    memset(text, 'x', sizeof text - 1);
    check(text, text, "", false);
    memcpy(same, text, sizeof same);
    memcpy(text, RULE, strlen(RULE));
    relay_text(text, 50);
    assert_string_equal(passed, "");
    assert_int_equal(strlen(relay.words), sizeof relay.words - 1);
}

/* Who listens may go. */
static void nobody_listens(void **state)
{
    (void)state;
    relay = (struct relay){.to = open("/dev/full", O_WRONLY)};
    relay_take(&relay, "apsp: no\n", 9);
    relay_end(&relay);
    assert_true(relay.said);
    close(relay.to);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_pass),
        cmocka_unit_test(blocks_are_kept),
        cmocka_unit_test(blocks_begin_within_lines),
        cmocka_unit_test(no_length_is_too_much),
        cmocka_unit_test(nobody_listens),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
