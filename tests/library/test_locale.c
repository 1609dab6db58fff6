/* The library in a process whose numbers have a decimal comma, as those of many programs with
 * windows do: it reads and writes points. */
#include "unit.h"

#include "apsp.h"
#include "folder.h"

#include <locale.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct apsp_error error;

#define OK(call)                                                                                   \
    do {                                                                                           \
        if ((call) != APSP_OK)                                                                     \
            fail_msg("%s: %s", #call, error.text);                                                 \
    } while (0)

/* Makes a locale with a comma, where this machine can, and takes it. */
static bool take_commas(void)
{
    char command[512], shown[8];
    snprintf(command, sizeof command, "localedef -i de_DE -f UTF-8 %s/de_DE.UTF-8 >%s/log 2>&1",
             folder, folder);
    if (system(command) != 0 || setenv("LOCPATH", folder, 1) != 0 ||
        !setlocale(LC_ALL, "de_DE.UTF-8"))
        return false;
    snprintf(shown, sizeof shown, "%.1f", 1.5);
    return strcmp(shown, "1,5") == 0;
}

static struct apsp_solution *solve(struct apsp_graph **graph, const char *text, const char *method)
{
    struct apsp_solution *solution;
    struct apsp_options options;
    apsp_options_init(&options);
    options.method = method;
    options.verify = APSP_VERIFY_ALL;
    OK(apsp_graph_bytes(graph, text, strlen(text), "mtx", &error));
    OK(apsp_solve(*graph, &options, &solution, &error));
    return solution;
}

static const char *const methods[] = {"sparse", "dense"};

/* Weights of few digits, which the library reads itself, and of more, which it does not. */
static void weights_are_read_with_points(void **state)
{
    static const char text[] = "%%MatrixMarket matrix coordinate real general\n"
                               "3 3 3\n1 2 1.123456789012345678\n2 3 0.25\n3 1 1e-300\n";
    (void)state;
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        double rows[9];
        struct apsp_graph *graph;
        struct apsp_solution *solution = solve(&graph, text, methods[m]);
        OK(apsp_rows(solution, NULL, 0, rows, 0, &error));
        assert_true(rows[1] == 1.123456789012345678);
        assert_true(rows[2] == 1.123456789012345678 + 0.25);
        assert_true(rows[6] == 1e-300);
        if (strcmp(methods[m], "sparse") == 0)
            assert_non_null(strstr(apsp_solution_facts(solution)->plan, "panels of 0.0 MiB"));
        apsp_solution_free(solution);
        apsp_graph_free(graph);
    }
}

/* Decimals, binary fractions and reals without a scale. */
static void sums_are_written_with_points(void **state)
{
    static const char *const weights[] = {"1.5", "0.1", "1.1234567890123456789"};
    static const double sums[] = {1.5, 0.1, 1.1234567890123456789};
    (void)state;
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++)
        for (size_t w = 0; w < sizeof weights / sizeof *weights; w++) {
            char text[128], *end;
            struct apsp_stats stats;
            struct apsp_graph *graph;
            snprintf(text, sizeof text,
                     "%%%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 %s\n",
                     weights[w]);
            struct apsp_solution *solution = solve(&graph, text, methods[m]);
            OK(apsp_find_stats(solution, APSP_STATS_OUT, &stats, &error));
            assert_null(strchr(stats.sum, ','));
            assert_null(strchr(stats.wiener, ','));
            assert_non_null(strchr(stats.sum, '.'));
            setlocale(LC_NUMERIC, "C");
            assert_true(strtod(stats.sum, &end) == sums[w] && *end == '\0');
            setlocale(LC_NUMERIC, "de_DE.UTF-8");
            apsp_stats_free(&stats);
            apsp_solution_free(solution);
            apsp_graph_free(graph);
        }
}

static void messages_have_points(void **state)
{
    static const char text[] = "%%MatrixMarket matrix coordinate real general\n"
                               "2 2 2\n1 2 0.5\n2 1 -1.75\n";
    struct apsp_graph *graph;
    struct apsp_solution *solution;
    (void)state;
    OK(apsp_graph_bytes(&graph, text, strlen(text), "mtx", &error));
    assert_int_equal(apsp_solve(graph, NULL, &solution, &error), APSP_CYCLE);
    if (!strstr(error.text, "-1.25"))
        fail_msg("%s", error.text);
    assert_string_equal(localeconv()->decimal_point, ","); /* The caller's locale stays. */
    apsp_graph_free(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weights_are_read_with_points),
        cmocka_unit_test(sums_are_written_with_points),
        cmocka_unit_test(messages_have_points),
    };
    int failed = 77;
    if (make_folder(NULL))
        return 1;
    if (take_commas())
        failed = cmocka_run_group_tests(tests, NULL, NULL);
    else
        puts("skip locale: no locale with a comma can be made here");
    setlocale(LC_ALL, "C");
    remove_folder(NULL);
    return failed;
}
