/* progress.c: the bar in terminals of all widths, which change; and lines where there is no
 * terminal. */
#include "unit.h"

#include "base/progress.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { ROOM = 2000 };

/* After so long that what the test itself takes does not show. */
#define STATE " 42 % round 84/200, 84.00 M relaxations/s, 38:21:35 left"

static int master, slave, standard;
static char text[ROOM];

static void set_width(int columns)
{
    const struct winsize size = {.ws_col = (unsigned short)columns, .ws_row = 24};
    assert_int_equal(ioctl(slave, TIOCSWINSZ, &size), 0);
}

static struct progress make_progress(void)
{
    struct progress progress = {
        .shown = true, .steps = 200, .work = 2e13, .step = "round", .unit = "relaxations/s"};
    progress_start(&progress);
    return progress;
}

/* What is printed of a step after so many more seconds; "" if nothing is. */
static const char *step_after(struct progress *progress, double seconds, size_t done, int from)
{
    progress->started -= seconds;
    progress->drawn -= seconds;
    assert_true(progress_step(progress, done));
    ssize_t length = read(from, text, ROOM - 1);
    text[length > 0 ? length : 0] = '\0';
    return text;
}

static void bars_fit(void **state)
{
    static const struct {
        int width;
        const char *has, *lacks;
    } cases[] = {
        {300, "] " STATE, "apsp"},
        {80, "\r[========            ]  42 % round 84/200, 84.00 M relaxations/s, 38:21:35 left",
         "apsp"},
        {60, "\r 42 % round 84/200, 84.00 M relaxations/s, 38:21:35 left", "["},
        {47, "\r 42 %, 84.00 M relaxations/s, 38:21:35 left", "round"},
        {36, "\r[=====       ]  42 %, 38:21:35 left", "relax"},
        {22, "\r 42 %, 38:21:35 left", "["},
        {10, "\r42 %, 38:", "["},
        {3, "\r42", "%"},
        {1, "\r\r", "4"}};
    struct progress progress = make_progress();
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) { /* of one run: the width changes */
        struct progress own = progress;
        set_width(cases[i].width);
        step_after(&own, 1e5, 84, master);
        assert_int_equal(text[0], '\r');
        assert_int_equal(strlen(text), cases[i].width + 1);
        assert_int_equal(text[cases[i].width], '\r');
        if (!strstr(text, cases[i].has))
            print_message("'%s' is not in '%s'\n", cases[i].has, text);
        assert_non_null(strstr(text, cases[i].has));
        assert_null(strstr(text, cases[i].lacks));
    }
}

static void bars_are_erased(void **state)
{
    struct progress progress = make_progress();
    (void)state;
    set_width(30);
    assert_string_equal(step_after(&progress, 0.01, 1, master), ""); /* ten a second */
    assert_int_equal(strlen(step_after(&progress, 1, 1, master)), 31);
    progress_end(&progress);
    assert_int_equal(read(master, text, ROOM), 31);
    assert_true(text[0] == '\r' && text[1] == ' ' && text[30] == '\r');
}

/* Without a terminal: after one second, two, four, and so on up to a minute between two. */
static void lines(void **state)
{
    int ends[2], count = 0;
    (void)state;
    assert_int_equal(pipe2(ends, O_NONBLOCK), 0);
    dup2(ends[1], STDERR_FILENO);
    struct progress progress = make_progress();
    assert_string_equal(step_after(&progress, 0.5, 1, ends[0]), "");
    assert_string_equal(step_after(&progress, 1e5, 84, ends[0]), "progress:" STATE "\n");
    progress.started = progress.drawn = progress.drawn + 1; /* anew */
    for (int i = 0; i < 1000; i++) {
        const char *line = step_after(&progress, 1, 84, ends[0]);
        count += *line != '\0';
        assert_true(!*line || strchr(line, '\n') == line + strlen(line) - 1);
    }
    assert_in_range(count, 20, 23);
    progress_end(&progress);
    assert_int_equal(read(ends[0], text, ROOM), -1);
    close(ends[0]);
    close(ends[1]);
}

static int open_terminal(void **state)
{
    (void)state;
    standard = dup(STDERR_FILENO);
    master = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
    if (master < 0 || grantpt(master) || unlockpt(master))
        return 1;
    slave = open(ptsname(master), O_RDWR | O_NOCTTY);
    return dup2(slave, STDERR_FILENO) < 0;
}

static int close_terminal(void **state)
{
    (void)state;
    dup2(standard, STDERR_FILENO);
    close(standard);
    close(slave);
    return close(master);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(bars_fit, open_terminal, close_terminal),
        cmocka_unit_test_setup_teardown(bars_are_erased, open_terminal, close_terminal),
        cmocka_unit_test_setup_teardown(lines, open_terminal, close_terminal),
    };
    return cmocka_run_group_tests_name("progress", tests, NULL, NULL);
}
