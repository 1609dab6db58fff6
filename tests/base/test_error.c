/* error.c and the texts that it cleans: a message is one line, has its cause, and says nothing to a
 * terminal.
 */
#include "unit.h"

#include "base/error.h"
#include "base/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void no_memory_is_no_error_of_files(void **state)
{
    (void)state;
    assert_int_equal(error_status(ENOMEM), APSP_MEMORY);
    assert_int_equal(error_status(ENOSPC), APSP_IO);
}

static void the_first_error_stays(void **state)
{
    (void)state;
    struct apsp_error error = {0};
    assert_int_equal(error_set(&error, APSP_IO, "%s: %d", "a", 1), APSP_IO);
    assert_int_equal(error_set(&error, APSP_USAGE, "b"), APSP_IO);
    assert_string_equal(error.text, "a: 1");
}

/* Whatever its length: it fits, and has both ends. */
static void long_messages_keep_their_ends(void **state)
{
    (void)state;
    for (size_t length = 900; length < 9000; length = length < 1100 ? length + 1 : length + 997) {
        struct apsp_error error = {0};
        char *name = malloc(length + 1);
        assert_non_null(name);
        memset(name, 'x', length);
        name[length] = '\0';
        error_set(&error, APSP_IO, "begin %s: %s", name, "the cause");
        const size_t whole = strlen("begin : the cause") + length, got = strlen(error.text);
        assert_int_equal(got, whole < sizeof error.text ? whole : sizeof error.text - 1);
        assert_memory_equal(error.text, "begin x", 7);
        assert_string_equal(error.text + got - 12, "x: the cause");
        assert_int_equal(strstr(error.text, "x ... x") != NULL, whole >= sizeof error.text);
        free(name);
    }
}

static void control_characters_become_marks(void **state)
{
    static const struct {
        const char *from, *to;
    } texts[] = {
        {"", ""},
        {"plain", "plain"},
        {"a\033[31m\n\r\t\177z", "a?[31m????z"},
        {"\302\233x\302\200\302\237\302\240",
         "??x????\302\240"},                         /* C1 in UTF-8, and what follows it */
        {"\2331m\200\237\240\377", "?1m??\240\377"}, /* the same by themselves */
        {"\303\233 \342\202\233 \360\237\230\200",
         "\303\233 \342\202\233 \360\237\230\200"}, /* parts of others */
        {"\303", "\303"},                           /* a character that is cut */
    };
    (void)state;
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        struct apsp_error error = {0};
        char *printed;
        size_t bytes;
        FILE *out = open_memstream(&printed, &bytes);
        assert_non_null(out);
        text_print_clean(out, texts[k].from);
        assert_int_equal(fclose(out), 0);
        assert_string_equal(printed, texts[k].to);
        free(printed);
        error_set(&error, APSP_IO, "%s", texts[k].from);
        assert_string_equal(error.text, texts[k].to);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_error_stays),
        cmocka_unit_test(no_memory_is_no_error_of_files),
        cmocka_unit_test(long_messages_keep_their_ends),
        cmocka_unit_test(control_characters_become_marks),
    };
    return cmocka_run_group_tests_name("error", tests, NULL, NULL) != 0;
}
