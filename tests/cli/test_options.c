/* option.c, options.c, number.c and launch.c: strict numbers, errors that name the option, what is
 * left to choose.
 */
#include "unit.h"

#include "base/number.h"
#include "base/setting.h"
#include "cli/launch.h"
#include "cli/options.h"
#include "run/options.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 32 };

static struct run_options options;
static struct apsp_error error;

/* Parses the words of a line, parted by blanks; "''" is an empty one. */
static int parse(const char *line)
{
    static char text[300], name[] = "apsp";
    char *argv[WORDS + 1] = {name}, *rest;
    int argc = 1;
    snprintf(text, sizeof text, "%s", line);
    for (char *word = strtok_r(text, " ", &rest); word && argc < WORDS;
         word = strtok_r(NULL, " ", &rest))
        argv[argc++] = strcmp(word, "''") == 0 ? strchr(word, '\0') : word;
    memset(&error, 0, sizeof error);
    return options_parse(&options, argc, argv, &error);
}

static void check_refused(const char *line, const char *word)
{
    if (parse(line) != APSP_USAGE || error.code != APSP_USAGE)
        fail_msg("'%s' is not refused", line);
    assert_null(strchr(error.text, '\n'));
    if (!strstr(error.text, word) || !strstr(error.text, "see apsp --help"))
        fail_msg("'%s' is not in: %s", word, error.text);
}

static void defaults(void **state)
{
    (void)state;
    assert_int_equal(parse("g"), APSP_OK);
    assert_string_equal(options.graph, "g");
    assert_null(options.results.distances);
    assert_null(options.json);
    assert_null(options.input.format);
    assert_string_equal(options.request.dtype, "auto");
    assert_string_equal(options.request.transport, "auto");
    assert_string_equal(options.request.method, "auto");
    assert_string_equal(options.request.output_type, "auto");
    assert_int_equal(options.request.device, APSP_DEVICE_AUTO);
    assert_int_equal(options.ranks + options.gpus + options.request.threads, 0);
    assert_int_equal(options.request.tile + options.results.verify, 0);
    assert_false(options.estimate || options.results.force || options.quiet || options.stop);
}

static void everything(void **state)
{
    (void)state;
    assert_int_equal(parse("--device gpu --gpus 2 --threads=3 --tile 96 g --dtype i32 --transport "
                           "mpi d --format gr"
                           " --verify=7 --json j --order o --save-order s"),
                     APSP_OK);
    assert_int_equal(options.request.device, APSP_DEVICE_GPU);
    assert_int_equal(options.gpus, 2);
    assert_int_equal(options.request.threads, 3);
    assert_int_equal(options.request.tile, 96);
    assert_int_equal(options.results.verify, 7);
    assert_string_equal(options.graph, "g");
    assert_string_equal(options.results.distances, "d");
    assert_string_equal(options.request.dtype, "i32");
    assert_string_equal(options.request.transport, "mpi");
    assert_string_equal(options.input.format, "gr");
    assert_string_equal(options.json, "j");
    assert_string_equal(options.request.order, "o");
    assert_string_equal(options.save_order, "s");

    assert_int_equal(parse("--estimate --force --quiet --verify g"), APSP_OK);
    assert_true(options.estimate && options.results.force && options.quiet &&
                !options.request.progress);
    assert_int_equal(options.results.verify, 64);
    assert_true(options.verify_more && options.results.seed == 0);
    assert_int_equal(parse("--verify=64 --seed 18446744073709551615 g"), APSP_OK);
    assert_true(options.results.verify == 64 && !options.verify_more &&
                options.results.seed == UINT64_MAX);
    assert_int_equal(parse("--seed 7 g"), APSP_USAGE);
    assert_int_equal(parse("--paranoid --verify=3 g"), APSP_USAGE);
    assert_int_equal(parse("--paranoid --verify g"), APSP_OK);
    assert_true(options.results.verify == APSP_VERIFY_ALL && !options.verify_more);
    assert_int_equal(parse("--verify=all --progress --quiet -- --g"), APSP_OK);
    assert_true(options.results.verify == APSP_VERIFY_ALL && options.request.progress);
    assert_string_equal(options.graph, "--g");
    assert_int_equal(parse("--progress g --no-progress"), APSP_OK);
    assert_false(options.request.progress);
}

static void ranks_and_gpus_name_the_device(void **state)
{
    (void)state;
    assert_int_equal(parse("--ranks 2 g"), APSP_OK);
    assert_int_equal(options.request.device, APSP_DEVICE_CPU);
    assert_int_equal(parse("--gpus 2 g"), APSP_OK);
    assert_int_equal(options.request.device, APSP_DEVICE_GPU);
    check_refused("--ranks 2 --gpus 2 g", "--ranks 2 and --gpus 2");
    check_refused("--gpus 2 --device cpu g", "--gpus 2 contradicts --device cpu");
    check_refused("--ranks 2 --device gpu g", "--ranks 2");
}

static void bad_numbers(void **state)
{
    static const char *const names[] = {"ranks", "gpus", "threads", "tile", "verify"};
    static const char *const values[] = {"-1",
                                         "0",
                                         "+1",
                                         "1x",
                                         "x",
                                         "1.5",
                                         "0x10",
                                         "1e3",
                                         "4294967297",
                                         "18446744073709551617",
                                         "99999999999999999999"};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        for (size_t j = 0; j < sizeof values / sizeof *values; j++) {
            char line[100], option[20];
            snprintf(option, sizeof option, "--%s: '", names[i]);
            snprintf(line, sizeof line, "--%s=%s g", names[i], values[j]);
            check_refused(line, option);
            check_refused(line, " to ");
        }
    }
    check_refused("--tile '' g", "--tile: ''");
    check_refused("--verify= g", "--verify: ''");
    check_refused("--threads 4097 g", "from 1 to 4096");
}

static void bad_command_lines(void **state)
{
    (void)state;
    check_refused("", "GRAPH");
    check_refused("g d e", "'e'");
    check_refused("''", "name of GRAPH is empty");
    check_refused("g ''", "name of DISTANCES is empty");
    check_refused("--what g", "'--what'");
    check_refused("-x g", "'-x'");
    check_refused("--force=yes g", "'--force=yes'");
    check_refused("g --json", "'--json' requires an argument");
    check_refused("--force=yes g", "takes no argument");
    check_refused("--device tpu g",
                  "--device tpu: not one of auto, cpu, gpu (did you mean cpu?); see");
    check_refused("--device '' g", "--device : not one of auto, cpu, gpu; see");
    check_refused("g d --json d", "'d'");
    check_refused("--output-type i32 g d.f64", "DISTANCES 'd.f64' holds f64, as its name says");
    check_refused("--checkpoint '' g d", "the name of the folder for checkpoints is empty");
}

/* Names are checked as they are read, and the message has all that there are. */
static void names(void **state)
{
    static const char *const types[] = {"u16", "i32", "i64", "f32", "f64"};
    char line[80];
    (void)state;
    assert_int_equal(parse("--method dense --output-type narrow g"), APSP_OK);
    assert_string_equal(options.request.method, "dense");
    assert_string_equal(options.request.output_type, "narrow");
    assert_int_equal(parse("--method auto --output-type auto --dtype auto --transport host g"),
                     APSP_OK);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        snprintf(line, sizeof line, "--dtype %s --output-type=%s g", types[i], types[i]);
        assert_int_equal(parse(line), APSP_OK);
        assert_string_equal(options.request.dtype, types[i]);
        assert_string_equal(options.request.output_type, types[i]);
    }
    check_refused("--dtype i9 g", "--dtype i9: not one of auto, u16, i32, i64, f32, f64; see");
    check_refused("--dtype i3 g", "--dtype i3: not");
    check_refused("--dtype i32, g", "--dtype i32,: not");
    check_refused("--dtype '' g", "--dtype : not");
    check_refused("--dtype narrow g", "--dtype narrow: not");
    check_refused("--output-type I32 g", "--output-type I32: not one of auto, narrow, u8, u16, "
                                         "i32, i64, f32, f64 (did you mean i32?); see");
    check_refused("--output-type f640 g", "--output-type f640: not");
    check_refused("g --output-type", "'--output-type' requires an argument");
    check_refused("--method sparsest g", "--method sparsest: not one of auto, dense, sparse, "
                                         "spanning, sssp (did you mean sparse?); see");
    check_refused("--method= g", "--method : not");
    check_refused("--transport x g", "--transport x: not one of auto, ");
    check_refused("--transport x g", ", mpi, host; see");
}

/* What is near to what there is, and an argument that stands behind a blank. */
static void what_was_meant(void **state)
{
    static const char *const values[] = {"64", "all"};
    char line[80], words[80];
    (void)state;
    check_refused("--verfy g", "unknown option '--verfy' (did you mean --verify?); see");
    check_refused("--transprot=mpi g",
                  "unknown option '--transprot=mpi' (did you mean --transport?); see");
    check_refused("--ver g", "option '--ver' is ambiguous: --version, --verify; see");
    check_refused("--zzz g", "unknown option '--zzz'; see");
    check_refused("--count hist --stats s g", "all (did you mean histogram?); see");
    for (size_t i = 0; i < 2; i++) {
        snprintf(line, sizeof line, "--verify %s g d", values[i]);
        snprintf(words, sizeof words, "--verify %s: write --verify=%s, without a blank; see",
                 values[i], values[i]);
        check_refused(line, words);
    }
    assert_int_equal(parse("g --verify"), APSP_OK);
    assert_int_equal(parse("--verify g"), APSP_OK);
    assert_int_equal(parse("--verify 0 g"), APSP_OK); /* no number of rows */
    assert_string_equal(options.graph, "0");
    FILE *file = fopen("64", "wx");
    assert_non_null(file);
    fclose(file);
    assert_int_equal(parse("--verify 64 d"), APSP_OK); /* there is one */
    assert_string_equal(options.graph, "64");
    remove("64");
}

static void marks_come_off(void **state)
{
    char name[] = "apsp", quoted[] = "--quoted", colon[] = "=:", empty[] = "=", option[] = "=--mca",
         bare[] = ":";
    char *plain[] = {name, colon, NULL}, *marked[] = {name, quoted, option, colon, empty, NULL};
    char *wrong[] = {name, quoted, colon, bare, NULL};
    int two = 2, five = 5, four = 4;
    (void)state;
    memset(&error, 0, sizeof error);
    assert_int_equal(launch_unquote(&two, plain, &error), APSP_OK);
    assert_string_equal(plain[1], "=:");
    assert_int_equal(launch_unquote(&five, marked, &error), APSP_OK);
    assert_int_equal(five, 4);
    assert_string_equal(marked[1], "--mca");
    assert_string_equal(marked[2], ":");
    assert_string_equal(marked[3], "");
    assert_null(marked[4]);
    assert_int_equal(launch_unquote(&four, wrong, &error), APSP_USAGE);
}

static int refused_ranks(int ranks, const char *option)
{
    memset(&error, 0, sizeof error);
    const int run = launch_ranks(ranks, option, &error);
    assert_int_equal(run, error.code || ranks < 2 ? 1 : ranks);
    return error.code;
}

static void more_ranks_than_the_machine_bears_are_refused(void **state)
{
    char numbers[80];
    int processors = omp_get_num_procs(), most = processors > 16 ? 4 * processors : 64;
    (void)state;
    if (launch_started())
        skip();
    for (int ranks = 0; ranks < 2; ranks++)
        assert_int_equal(refused_ranks(ranks, "ranks"), APSP_OK);
    assert_int_equal(refused_ranks(most, "ranks"), APSP_OK);
    assert_int_equal(refused_ranks(most + 1, "ranks"), APSP_USAGE);
    snprintf(numbers, sizeof numbers, "--ranks %d: at most %d on", most + 1, most);
    assert_non_null(strstr(error.text, numbers));
    assert_int_equal(refused_ranks(most + 1, "gpus"), APSP_USAGE);
    assert_non_null(strstr(error.text, "--gpus"));
}

/* After a command line, messages have the names of options that there are. */
static void settings_are_options(void **state)
{
    (void)state;
    assert_int_equal(parse("g"), APSP_OK);
    for (int i = 0; i < SETTING_END; i++) {
        const char *name = setting_name((enum setting)i);
        assert_non_null(name);
        if (i == SETTING_DISTANCES)
            assert_string_equal(name, "DISTANCES");
        else if (i == SETTING_SCALE || i == SETTING_UNREACHABLE) /* of apsp-verify */
            assert_string_equal(name, i == SETTING_SCALE ? "--scale" : "--unreachable");
        else if (strncmp(name, "--", 2) != 0 || parse(name) == APSP_OK ||
                 strstr(error.text, "unknown option"))
            fail_msg("'%s' is no option: %s", name, error.text);
    }
}

static void check_range(const char *text, int64_t first, int64_t second, int decimals)
{
    int64_t from, to;
    int digits;
    if (!number_parse_range(text, 1000, &from, &to, &digits) || from != first || to != second ||
        digits != decimals)
        fail_msg("'%s' is not read as it should be", text);
}

static void ranges(void **state)
{
    uint64_t number = 7;
    int64_t first = 7, second = 7;
    int decimals = 7;
    (void)state;
    check_range("0:1000", 0, 1000, 0);
    check_range("5:5", 5, 5, 0);
    check_range("-1000:-7", -1000, -7, 0);
    check_range("-0.5:2.25", -50, 225, 2);
    check_range("1:2.0", 10, 20, 1);
    check_range("0:0.000000001", 0, 1, 9);
    static const char *const bad[] = {
        "",     ":",    "1:",      ":1",     "2:1",      "1:1001",  "1-2",     "1:2:3",
        "1: 2", " 1:2", "+1:2",    "--1:2",  "-:2",      "-1001:1", "1.:2",    ".5:2",
        "0:-1", "1:2x", "1.1.1:2", "1e1:20", "0:10.001", "-1:1.5e", "-1:-1.5", "0.0000000001:1"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (number_parse_range(bad[i], 1000, &first, &second, &decimals))
            fail_msg("'%s' is taken for a range", bad[i]);
    assert_true(number_parse("18446744073709551615", 0, UINT64_MAX, &number));
    assert_true(number == UINT64_MAX);
    assert_false(number_parse("18446744073709551616", 0, UINT64_MAX, &number));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults),
        cmocka_unit_test(everything),
        cmocka_unit_test(ranks_and_gpus_name_the_device),
        cmocka_unit_test(bad_numbers),
        cmocka_unit_test(bad_command_lines),
        cmocka_unit_test(names),
        cmocka_unit_test(what_was_meant),
        cmocka_unit_test(settings_are_options),
        cmocka_unit_test(marks_come_off),
        cmocka_unit_test(more_ranks_than_the_machine_bears_are_refused),
        cmocka_unit_test(ranges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
