/* report.c: what is printed, character by character, and as JSON. */
#include "unit.h"

#include "run/report.h"

#include <cjson/cJSON.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

static struct report example(void)
{
    static char command[] = "apsp\0--json\0r\xe9.json";
    static char places[] = "rank 0: alpha, cores 0-3\nrank 1: beta, cores 4-7\n";
    return (struct report){
        .graph = "roads.gr",
        .vertices = 20000,
        .edges = 264275,
        .parallel = 1234,
        .loops = 1,
        .dtype = DTYPE_I32,
        .exact = true,
        .bound = {.whole = 4711000},
        .proof = 0.0125,
        .device = "cpu",
        .method = "dense",
        .solver = "158 rounds, tile 128, transport mpi",
        .reasons = "",
        .ranks = 2,
        .nodes = 1,
        .threads = 4,
        .writes = true,
        .places = places,
        .read = {"read", 0.5, 264275, "edges/s"},
        .build = {"build", 0.25, 264275, "edges/s"},
        .solve = {"solve", 80, 8e12, "relaxations/s"},
        .sink = {{"write", 1, 1.6e9, "B/s"}, {"verify", 2, 64, "rows/s"}},
        .sinks = 2,
        .engine = {.device = "avx2",
                   .exposed = 0.8,
                   .phases = 3,
                   .phase = {{"close", 0}, {"panels", 0}, {"bulk", 0}},
                   .facts = 3,
                   .fact = {{"tile", NULL, 128}, {"rounds", NULL, 158}, {"transport", "mpi", 0}}},
        .total = 100,
        .trace = {.begun = 1000000000,
                  .command = command,
                  .command_bytes = sizeof command,
                  .host = "alpha",
                  .library = "Some MPI v1",
                  .graph = {.hashed = true, .hash = {{0xab, [15] = 0xcd}}},
                  .made = {{.what = "distances",
                            .path = "out.npy",
                            .bytes = 128,
                            .hashed = true,
                            .hash = {{1}}},
                           {.what = "statistics", .path = "caf\xe9.csv", .bytes = 7}},
                  .files = 2},
        .verified = 64,
        .seed = 281474976710656};
}

static char *printed(const struct report *report)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    report_print(report, out);
    fclose(out);
    return text;
}

static void counts_have_commas(void **state)
{
    (void)state;
    char text[TEXT_NUMBER];
    assert_string_equal(text_count(text, 0), "0");
    assert_string_equal(text_count(text, 999), "999");
    assert_string_equal(text_count(text, 1000), "1,000");
    assert_string_equal(text_count(text, 2147483647), "2,147,483,647");
    assert_string_equal(text_count(text, SIZE_MAX), "18,446,744,073,709,551,615");
}

static void amounts_have_prefixes(void **state)
{
    (void)state;
    char text[TEXT_SHORT];
    assert_string_equal(text_amount(text, 0, "B"), "0.00 B");
    assert_string_equal(text_amount(text, 999.99, "rows/s"), "999.99 rows/s");
    assert_string_equal(text_amount(text, 999.995, "rows/s"), "1.00 k rows/s");
    assert_string_equal(text_amount(text, 999.999, "rows/s"), "1.00 k rows/s");
    assert_string_equal(text_amount(text, 1.6e9, "B/s"), "1.60 GB/s");
    assert_string_equal(text_amount(text, 27.8e9, "relaxations/s"), "27.80 G relaxations/s");
    assert_string_equal(text_amount(text, 5e18, "B"), "5000.00 PB");
}

static void verdicts_name_the_rows(void **state)
{
    (void)state;
    char text[TEXT_SHORT];
    assert_string_equal(text_verdict(text, 64, 20000), "PASSED, 64 of 20,000 rows");
    assert_string_equal(text_verdict(text, 3353, 3353), "PASSED, all 3,353 rows");
}

static void the_whole_report(void **state)
{
    (void)state;
    struct report report = example();
    char *text = printed(&report);
    assert_string_equal(text,
                        "# apsp " APSP_VERSION "\n"
                        "# graph      roads.gr\n"
                        "#            20,000 vertices, 264,275 edges, 1,234 parallel, 1 loop\n"
                        "# ranks      2 ranks on 1 node, 4 threads each\n"
                        "#   rank 0: alpha, cores 0-3\n"
                        "#   rank 1: beta, cores 4-7\n"
                        "# device     cpu, avx2\n"
                        "# solver     dense, 158 rounds, tile 128, transport mpi\n"
                        "# type       i32, proved in 0.0125 s: no distance exceeds 4,711,000\n"
                        "#\n"
                        "# phase                     seconds     share      rate\n"
                        "read                         0.5000     0.5 %    528.55 k edges/s\n"
                        "build                        0.2500     0.2 %      1.06 M edges/s\n"
                        "solve                       80.0000    80.0 %    100.00 G relaxations/s\n"
                        "communication exposed        0.8000     1.0 % of solve\n"
                        "write                        1.0000     1.0 %      1.60 GB/s\n"
                        "verify                       2.0000     2.0 %     32.00 rows/s\n"
                        "total                      100.0000   100.0 %\n"
                        "verify: PASSED, 64 of 20,000 rows; seed 281474976710656\n");
    free(text);
    report.verified = report.vertices;
    report.read_back = true;
    text = printed(&report);
    assert_non_null(strstr(text, "\nverify: PASSED, all 20,000 rows, read back from the file\n"));
    free(text);
}

static void what_did_not_happen_is_left_out(void **state)
{
    (void)state;
    struct report report = example();
    report.ranks = 1;
    report.places = NULL;
    report.verified = 0;
    report.sink[0].seconds = report.sink[1].seconds = report.engine.exposed = 0;
    char *text = printed(&report);
    assert_null(strstr(text, "write"));
    assert_null(strstr(text, "verify"));
    assert_null(strstr(text, "communication"));
    assert_null(strstr(text, "bulk"));
    free(text);
    report.engine.phase[2].seconds = 3;
    text = printed(&report);
    assert_non_null(strstr(text, "bulk"));
    assert_null(strstr(text, "close"));
    free(text);
}

static void types_tell_what_they_round(void **state)
{
    (void)state;
    static const struct {
        enum dtype dtype;
        bool real, exact;
        int64_t bound;
        double bound_real, reach;
        const char *line, *json;
    } lines[] = {
        {DTYPE_U16, false, true, 32766, 0, 0,
         "# type       u16, proved in 0.0125 s: no distance exceeds 32,766\n", "32766"},
        {DTYPE_I64, false, true, INF_I64 - 1, 0, 0,
         "i64, proved in 0.0125 s: no distance exceeds 4,611,686,018,427,387,902\n",
         "4611686018427387902"},
        {DTYPE_F32, false, true, 16777215, 0, 100,
         "f32, proved in 0.0125 s: no distance exceeds 16,777,215\n", "16777215"},
        {DTYPE_F32, false, false, 16777216, 0, 0,
         "f32, sums rounded to 24 bits, proved in 0.0125 s: no distance exceeds 16,777,216\n",
         "16777216"},
        {DTYPE_F32, true, false, 0, 7, 0,
         "f32, sums rounded to 24 bits, proved in 0.0125 s: no distance exceeds 7\n", "7"},
        {DTYPE_F64, true, false, 0, 1234.5, 0,
         "f64, sums rounded to 53 bits, proved in 0.0125 s: no distance exceeds 1234.5\n",
         "1234.5"},
        {DTYPE_F64, true, false, 0, 1234.5, 1000,
         "f64, sums rounded to 53 bits, absolute error about 2.2e-13 a sum by negative weights, "
         "proved in 0.0125 s: no distance exceeds 1234.5\n",
         "1234.5"},
        {DTYPE_F32, false, false, 16777216, 0, 16777216,
         "f32, sums rounded to 24 bits, absolute error about 2 a sum by negative weights, "
         "proved in 0.0125 s: no distance exceeds 16,777,216\n",
         "16777216"},
        {DTYPE_F64, true, true, 0, 1234.5, 1000,
         "f64, proved in 0.0125 s: no distance exceeds 1234.5\n", "1234.5"},
        {DTYPE_F64, false, false, INT64_MAX, 0, 0, "# type       f64, sums rounded to 53 bits\n",
         "null"},
    };
    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++) {
        struct report report = example();
        report.dtype = lines[k].dtype;
        report.real = lines[k].real;
        report.exact = lines[k].exact;
        if (report.real)
            report.bound.real = lines[k].bound_real;
        else
            report.bound.whole = lines[k].bound;
        report.reach = lines[k].reach;
        char *text = printed(&report), *json = report_json(&report), entry[60];
        snprintf(entry, sizeof entry, "\"bound\":\t%s,", lines[k].json);
        assert_non_null(strstr(text, lines[k].line));
        assert_non_null(strstr(json, entry));
        free(json);
        free(text);
    }
}

static double number(const cJSON *object, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    assert_true(cJSON_IsNumber(item));
    return item->valuedouble;
}

static const char *string(const cJSON *object, const char *name)
{
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, name));
    assert_non_null(text);
    return text;
}

/* The names of an object's members, in order. */
static void check_keys(const cJSON *object, const char *keys)
{
    char found[400] = "";
    const cJSON *item;
    cJSON_ArrayForEach(item, object)
    {
        strcat(found, item->string);
        strcat(found, " ");
    }
    assert_string_equal(found, keys);
}

static cJSON *parsed(const struct report *report)
{
    char *text = report_json(report);
    assert_non_null(text);
    assert_int_equal(text[strlen(text) - 1], '\n');
    cJSON *json = cJSON_Parse(text);
    assert_non_null(json);
    free(text);
    return json;
}

static void json_has_the_documented_keys(void **state)
{
    (void)state;
    struct report report = example();
    cJSON *json = parsed(&report);
    const cJSON *graph = cJSON_GetObjectItem(json, "graph"),
                *seconds = cJSON_GetObjectItem(json, "seconds");
    check_keys(json,
               "schema version status exit begun ended host command versions graph files dtype "
               "bound paths sums method tile "
               "rounds transport rows ranks nodes threads places device processor seconds "
               "relaxations_per_second verify ");
    check_keys(graph, "path hash vertices edges parallel loops ");
    check_keys(seconds, "read build solve write verify communication_exposed total ");
    check_keys(cJSON_GetObjectItem(json, "verify"), "rows status of seed ");
    assert_int_equal(number(json, "schema"), REPORT_SCHEMA);
    assert_string_equal(string(json, "version"), APSP_VERSION);
    assert_string_equal(string(graph, "path"), "roads.gr");
    assert_int_equal(number(graph, "edges"), 264275);
    assert_true(number(seconds, "solve") == 80);
    assert_true(number(json, "relaxations_per_second") == 1e11);
    assert_int_equal(number(cJSON_GetObjectItem(json, "verify"), "rows"), 64);
    assert_string_equal(string(cJSON_GetObjectItem(json, "verify"), "status"), "passed");
    assert_string_equal(string(cJSON_GetObjectItem(json, "verify"), "of"), "rows");
    assert_true(number(cJSON_GetObjectItem(json, "verify"), "seed") == 281474976710656);
    cJSON_Delete(json);
}

static void json_ties_files_to_the_run(void **state)
{
    (void)state;
    struct report report = example();
    cJSON *json = parsed(&report);
    const cJSON *files = cJSON_GetObjectItem(json, "files"),
                *command = cJSON_GetObjectItem(json, "command");
    check_keys(cJSON_GetObjectItem(json, "versions"), "system compiler mpi cjson xxhash ");
    assert_string_equal(string(json, "status"), "done");
    assert_int_equal(number(json, "exit"), 0);
    assert_string_equal(string(json, "begun"), "2001-09-09T01:46:40Z");
    assert_string_equal(string(cJSON_GetObjectItem(json, "graph"), "hash"),
                        "ab0000000000000000000000000000cd");
    assert_int_equal(cJSON_GetArraySize(command), 3);
    assert_string_equal(cJSON_GetArrayItem(command, 2)->valuestring, "r\xc3\xa9.json");
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(json, "places")), 2);
    assert_int_equal(cJSON_GetArraySize(files), 2);
    assert_string_equal(string(cJSON_GetArrayItem(files, 0), "hash"),
                        "01000000000000000000000000000000");
    assert_string_equal(string(cJSON_GetArrayItem(files, 0), "what"), "distances");
    assert_int_equal(number(cJSON_GetArrayItem(files, 0), "bytes"), 128);
    assert_string_equal(string(cJSON_GetArrayItem(files, 1), "path"), "caf\xc3\xa9.csv");
    assert_true(cJSON_IsNull(cJSON_GetObjectItem(cJSON_GetArrayItem(files, 1), "hash")));
    cJSON_Delete(json);
}

static void json_of_a_run_that_failed(void **state)
{
    (void)state;
    struct report report = example();
    report.trace.status = 5;
    report.trace.error = "out: no space";
    report.trace.detail = "; out.kept is complete";
    cJSON *json = parsed(&report);
    check_keys(json,
               "schema version status exit error begun ended host command versions graph files ");
    check_keys(cJSON_GetObjectItem(json, "graph"), "path hash ");
    assert_string_equal(string(json, "status"), "failed");
    assert_int_equal(number(json, "exit"), 5);
    assert_string_equal(string(json, "error"), "out: no space; out.kept is complete");
    cJSON_Delete(json);
}

static void json_of_a_gpu_and_of_no_verification(void **state)
{
    (void)state;
    struct report report = example();
    report.verified = 0;
    report.solve.seconds = 0;
    report.engine.phase[2].seconds = 70;
    cJSON *json = parsed(&report);
    check_keys(cJSON_GetObjectItem(json, "seconds"),
               "read build solve write verify communication_exposed total close panels bulk ");
    assert_string_equal(string(cJSON_GetObjectItem(json, "verify"), "status"), "not run");
    assert_true(number(json, "relaxations_per_second") == 0);
    cJSON_Delete(json);
}

static void json_keeps_counts_and_paths(void **state)
{
    (void)state;
    struct report report = example();
    const char *const paths[][2] = {
        {"a\"b\\c\nd\t", "a\"b\\c\nd\t"},
        {"gr\xc3\xbc\xc3\x9f/\xe2\x82\xac/\xf0\x9f\x98\x80", NULL},
        {"caf\xe9.gr", "caf\xc3\xa9.gr"},
        {"\xc0\xaf\xed\xa0\x80\xf5", "\xc3\x80\xc2\xaf\xc3\xad\xc2\xa0\xc2\x80\xc3\xb5"},
        {"\xe2\x82", "\xc3\xa2\xc2\x82"},
        {"\xf4\x90\x80\x80", "\xc3\xb4\xc2\x90\xc2\x80\xc2\x80"},
        {"\xe0\x80\x80-\xf0\x80\x80\x80", "\xc3\xa0\xc2\x80\xc2\x80"
                                          "-\xc3\xb0\xc2\x80\xc2\x80\xc2\x80"},
    };
    report.edges = (size_t)1 << 53;
    report.parallel = ((size_t)1 << 53) - 1;
    for (size_t k = 0; k < sizeof paths / sizeof *paths; k++) {
        report.graph = paths[k][0];
        char *text = report_json(&report);
        assert_non_null(strstr(text, "9007199254740992"));
        assert_non_null(strstr(text, "9007199254740991"));
        cJSON *json = cJSON_Parse(text);
        assert_string_equal(string(cJSON_GetObjectItem(json, "graph"), "path"),
                            paths[k][paths[k][1] ? 1 : 0]);
        cJSON_Delete(json);
        free(text);
    }
}

/* Without sanitizers, which look for that themselves. */
static void json_gives_its_memory_back(void **state)
{
    (void)state;
    const struct report report = example();
    free(report_json(&report)); /* The C library keeps some of the first. */
    const size_t before = mallinfo2().uordblks;
    for (int k = 0; k < 10; k++)
        free(report_json(&report));
    assert_int_equal(mallinfo2().uordblks, before);
}

static long allocations; /* Before the one that fails. */

static void *failing_malloc(size_t bytes)
{
    return allocations-- == 0 ? NULL : malloc(bytes);
}

/* There is no report without a part of it. */
static void json_is_whole_or_not_there(void **state)
{
    (void)state;
    cJSON_Hooks hooks = {failing_malloc, free};
    const struct report report = example();
    long most = 0;
    char *text;
    cJSON_InitHooks(&hooks);
    do {
        allocations = most++;
        text = report_json(&report);
        assert_true((text == NULL) == (allocations < 0));
    } while (!text);
    free(text);
    cJSON_InitHooks(NULL);
    assert_in_range(most, 100, 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_have_commas),
        cmocka_unit_test(amounts_have_prefixes),
        cmocka_unit_test(verdicts_name_the_rows),
        cmocka_unit_test(the_whole_report),
        cmocka_unit_test(what_did_not_happen_is_left_out),
        cmocka_unit_test(types_tell_what_they_round),
        cmocka_unit_test(json_has_the_documented_keys),
        cmocka_unit_test(json_ties_files_to_the_run),
        cmocka_unit_test(json_of_a_run_that_failed),
        cmocka_unit_test(json_of_a_gpu_and_of_no_verification),
        cmocka_unit_test(json_keeps_counts_and_paths),
        cmocka_unit_test(json_gives_its_memory_back),
        cmocka_unit_test(json_is_whole_or_not_there),
    };
    return cmocka_run_group_tests_name("report", tests, NULL, NULL) != 0;
}
