/* graph.c and the formats: what a file says is read, in any number of parts; what is wrong with one
 * is named.
 */
#include "unit.h"

#include "folder.h"
#include "graph/source.h"

#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { EDGES_MAX = 400000 };

static char path[sizeof folder + 20];
static struct edge edges[EDGES_MAX];

static void put_file(const char *name, const void *data, size_t bytes)
{
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, bytes, file), bytes);
    assert_int_equal(fclose(file), 0);
}

/* Options that name a format; valid until the next call. */
static const struct graph_options *named(const char *format)
{
    static struct graph_options options;
    options.format = format;
    return &options;
}

/* Reads the file at `path` in so many parts and pieces; returns the number of edges in edges[]. */
static size_t read_all(int parts, size_t room, struct apsp_error *error)
{
    struct graph graph;
    size_t total = 0, records = 0, count;
    if (graph_open(&graph, path, NULL, false, error) != APSP_OK)
        return 0;
    for (int i = 0; i < parts && error->code == APSP_OK; i++) {
        struct graph_part *part;
        assert_int_equal(graph_part_open(&part, &graph, i, parts, error), APSP_OK);
        do {
            size_t left = EDGES_MAX - total;
            assert_true(left > 0);
            graph_part_next(part, edges + total, room < left ? room : left, &count, error);
            total += count;
        } while (count > 0 && error->code == APSP_OK);
        records += graph_part_records(part);
        graph_part_free(part);
    }
    if (error->code == APSP_OK)
        graph_check_records(&graph, records, error);
    graph_close(&graph);
    return total;
}

/* The file is refused with that code and one line that holds all the words of `words` (parted by
 * '|'). */
static void check_refused(enum apsp_status code, const char *words)
{
    char list[200];
    for (int parts = 1; parts <= 3; parts++) {
        struct apsp_error error = {0};
        read_all(parts, 1000, &error);
        if (error.code != (int)code)
            fail_msg("%d parts: code %d, not %d: %s", parts, error.code, code, error.text);
        assert_null(strchr(error.text, '\n'));
        assert_non_null(strstr(error.text, path));
        snprintf(list, sizeof list, "%s", words);
        for (char *rest, *word = strtok_r(list, "|", &rest); word;
             word = strtok_r(NULL, "|", &rest))
            if (!strstr(error.text, word))
                fail_msg("'%s' is not in: %s", word, error.text);
    }
}

static void refuse_gr(const char *text, const char *words)
{
    put_file("bad.gr", text, strlen(text));
    check_refused(APSP_INPUT, words);
}

static void refuse_course(const int32_t *words, size_t bytes, const char *expected)
{
    uint32_t file[16] = {0};
    for (size_t i = 0; i < (bytes + 3) / 4; i++)
        file[i] = htole32((uint32_t)words[i]);
    put_file("bad.bin", file, bytes);
    check_refused(APSP_INPUT, expected);
}

static void edges32_errors_are_named(void **state)
{
    (void)state;
#define REFUSE(expected, bytes, ...)                                                               \
    refuse_course((const int32_t[]){__VA_ARGS__, 0, 0, 0, 0, 0, 0, 0, 0}, bytes, expected)
    REFUSE("byte 0|empty", 0, 0);
    REFUSE("byte 0|header takes 8|has 7", 7, 2, 1);
    REFUSE("byte 0|n = 0|at least 1", 8, 0, 0);
    REFUSE("byte 0|n = -5|at least 1", 8, -5, 0);
    REFUSE("byte 4|m = -1|at least 0", 8, 2, -1);
    REFUSE("byte 4|m = 2 |32 bytes|has 20", 20, 2, 2, 0, 1, 3);
    REFUSE("byte 4|m = 1 |20 bytes|has 13", 13, 2, 1, 0, 1, 3);
    REFUSE("byte 4|m = 2147483647|25769803772", 20, 2, INT32_MAX, 0, 1, 3);
    REFUSE("byte 20|3 bytes left over|m = 1 ", 23, 2, 1, 0, 1, 3, 0);
    REFUSE("byte 20|edge 1|source vertex 2|0 .. 1", 32, 2, 2, 0, 1, 3, 2, 0, 3);
    REFUSE("byte 24|edge 1|target vertex -1|0 .. 1", 32, 2, 2, 0, 1, 3, 1, -1, 3);
    REFUSE("other byte order n = 2, m = 1", 20, 0x02000000, 0x01000000, 0, 0x01000000, 0);
#undef REFUSE
}

static void gr_errors_are_named(void **state)
{
    (void)state;
    refuse_gr("c only\n\nc comments\n", ":4:|without a problem line");
    refuse_gr("c\na 1 2 3\np sp 2 1\n", ":2:|problem line|before 'a'");
    refuse_gr("p 2 1\na 1 2 3\n", ":1:|'p sp N M'");
    refuse_gr("psp 2 1\na 1 2 3\n", ":1:|'p sp N M'");
    refuse_gr("p sp 0 1\na 1 2 3\n", ":1:|vertices '0'|from 1 to 2147483647");
    refuse_gr("p sp 2147483648 1\na 1 2 3\n", ":1:|vertices '2147483648'|from 1 to 2147483647");
    refuse_gr("p sp 2\na 1 2 3\n", ":1:|number of arcs is missing");
    refuse_gr("p sp 2 -1\na 1 2 3\n", ":1:|arcs '-1'");
    refuse_gr("p sp 2 1 1\na 1 2 3\n", ":1:|'1' follows");
    refuse_gr("p sp 2 99999999999999999999\na 1 2 3\n", ":1:|arcs '99999999999999999999'");
    refuse_gr("p sp 2 1000\na 1 2 3\n", ":1:|promises 1000|at most 4");
    refuse_gr("p sp 2 1\np sp 2 1\na 1 2 3\n", ":2:|second problem line");
    refuse_gr("p sp 2 2\na 1 2 3\nc a long comment\n", "1 edges|promises 2");
    refuse_gr("p sp 2 1\na 1 2 3\na 2 1 3\na 1 2 3\n", "edges|promises 1");
    refuse_gr("p sp 2 1\nc\n\na 1 2\n", ":4:|weight is missing");
    refuse_gr("p sp 2 1\na 1 2\n", ":2:|weight is missing");
    refuse_gr("p sp 2 1\na", ":2:|source vertex is missing");
    refuse_gr("p sp 2 1\na\n         \n", ":2:|source vertex is missing");
    refuse_gr("p sp 2 1\na 1 2 3 4\n", ":2:|'4' follows");
    refuse_gr("p sp 2 1\na 0 2 3\n", ":2:|source vertex '0'|from 1 to 2");
    refuse_gr("p sp 2 1\na 1 3 3\n", ":2:|target vertex '3'|from 1 to 2");
    refuse_gr("p sp 2 1\na 1 2 -2147483648\n",
              ":2:|weight '-2147483648'|from -2147483647 to 2147483647");
    refuse_gr("p sp 2 1\na 1 2 - 3\n", ":2:|weight '-'");
    refuse_gr("p sp 2 1\na 1 2 --3\n", ":2:|weight '--3'");
    refuse_gr("p sp 2 1\na 1 2 +-3\n", ":2:|weight '+-3'");
    refuse_gr("p sp 2 1\na +1 2 3\n", ":2:|source vertex '+1'");
    refuse_gr("p sp 2 1\na 1 2 +2147483648\n", ":2:|weight '+2147483648'");
    refuse_gr("p sp 2 1\na -1 2 3\n", ":2:|source vertex '-1'|from 1 to 2");
    refuse_gr("p sp 2 1\na 1 2 2147483648\n",
              ":2:|weight '2147483648'|from -2147483647 to 2147483647");
    refuse_gr("p sp 2 1\na 1 2 99999999999999999999999\n", ":2:|weight '99999999999999999999999'");
    refuse_gr("p sp 2 1\na 1 two 3\n", ":2:|target vertex 'two'");
    refuse_gr("p sp 2 1\na 1 2 3.5\n", ":2:|weight '3.5'");
    refuse_gr("p sp 2 1\na 1 2 3\rx\n", ":2:|weight '3?x'");
    refuse_gr("p sp 2 1\nb 1 2 3\n", ":2:|neither|'b'");
    refuse_gr("p sp 2 1\nab 1 2 3\n", ":2:|neither|'ab'");
}

static void gr_without_text_is_refused(void **state)
{
    (void)state;
    put_file("bad.gr", "", 0);
    check_refused(APSP_INPUT, "empty");
#define REFUSE(text, words)                                                                        \
    (put_file("bad.gr", text, sizeof(text) - 1), check_refused(APSP_INPUT, words))
    REFUSE("p sp 2 1\na 1 2 3\0\n", ":2:|byte 16 is 0");
    REFUSE("p sp 2 1\nc a\0b\na 1 2 3\n", ":2:|byte 12 is 0");
    REFUSE("\0\0\0\0\0\0\0\0\0\0\0\0", ":1:|byte 0 is 0");
#undef REFUSE
}

/* Tokens and comments longer than the buffer. */
static void gr_lines_are_bounded(void **state)
{
    (void)state;
    static char text[3 << 20];
    size_t start = (size_t)sprintf(text, "p sp 2 1\na 1 2 ");
    memset(text + start, '1', sizeof text - start);
    put_file("long.gr", text, sizeof text);
    check_refused(APSP_INPUT, ":2:|longer than 4096");

    memset(text, ' ', sizeof text);
    put_file("long.gr", text, sizeof text);
    check_refused(APSP_INPUT, ":1:|longer than 4096");

    const char *tail = "\np sp 2 1\nc\na 1 2 3";
    memset(text, 'c', sizeof text);
    memcpy(text + sizeof text - strlen(tail), tail, strlen(tail));
    put_file("long.gr", text, sizeof text);
    for (int parts = 1; parts <= 3; parts++) {
        struct apsp_error error = {0};
        assert_int_equal(read_all(parts, 10, &error), 1);
        assert_int_equal(error.code, APSP_OK);
    }
}

static void gr_accepts_what_is_allowed(void **state)
{
    (void)state;
    const char *text =
        "c first\r\n\r\n \t\r\np  sp\t3 4 \r\nc\r\na 1 2 -20\r\n\na\t2   3 2147483647\t \r\n"
        "  a 3 3 +007\ncomment\na 1 2 5";
    static const struct edge expected[] = {
        {0, 1, {-20}}, {1, 2, {INT32_MAX}}, {2, 2, {7}}, {0, 1, {5}}};
    put_file("good.gr", text, strlen(text));
    for (int parts = 1; parts <= 120; parts++) {
        struct apsp_error error = {0};
        size_t total = read_all(parts, 1 + (size_t)parts % 5, &error);
        assert_string_equal(error.text, "");
        assert_int_equal(total, 4);
        for (size_t i = 0; i < total; i++) {
            assert_int_equal(edges[i].from, expected[i].from);
            assert_int_equal(edges[i].to, expected[i].to);
            assert_int_equal(edges[i].weight.whole, expected[i].weight.whole);
        }
    }
}

static void refuse_mtx(const char *text, const char *words)
{
    put_file("bad.mtx", text, strlen(text));
    check_refused(APSP_INPUT, words);
}

#define BANNER "%%MatrixMarket matrix coordinate "

/* 2^64 and a little is not a little, however its digits come together. */
static void numbers_do_not_wrap(void **state)
{
    static const char *const large[] = {"4611686018427387903",  "18446744073709551616",
                                        "18446744073709551617", "184467440737095516170",
                                        "36893488147419103233", "-18446744073709551617"};
    (void)state;
    for (size_t k = 0; k < sizeof large / sizeof *large; k++) {
        char text[200], words[80];
        snprintf(words, sizeof words, "'%s'", large[k]);
        snprintf(text, sizeof text, "p sp 2 1\na 1 2 %s\n", large[k]);
        refuse_gr(text, words);
        snprintf(text, sizeof text, "p sp 2 1\na 1 %s 3\n", large[k]);
        refuse_gr(text, words);
        snprintf(text, sizeof text, "%s%s\n", BANNER "integer general\n2 2 1\n1 2 ", large[k]);
        refuse_mtx(text, words);
    }
}

static void mtx_errors_are_named(void **state)
{
    (void)state;
    refuse_mtx("2 2 1\n1 2 3\n", ":1:|begin with '%%MatrixMarket'");
    refuse_mtx("% MatrixMarket matrix coordinate real general\n2 2 0\n",
               ":1:|begin with '%%MatrixMarket'");
    refuse_mtx("%%MatrixMarketmatrix coordinate real general\n2 2 0\n", ":1:|begin with");
    refuse_mtx("%%MatrixMarket vector coordinate real general\n2 2 0\n",
               ":1:|object|matrix|'vector'");
    refuse_mtx(BANNER "complex general\n2 2 1\n1 2 3 4\n",
               ":1:|field|integer, real or pattern|'complex'");
    refuse_mtx(BANNER "real hermitian\n2 2 1\n1 2 3\n",
               ":1:|symmetry|general, symmetric or skew-symmetric|'hermitian'");
    refuse_mtx(BANNER "pattern skew-symmetric\n2 2 1\n2 1\n", ":1:|skew-symmetric|with values");
    refuse_mtx(BANNER "real\n2 2 1\n1 2 3\n", ":1:|symmetry|''");
    refuse_mtx(BANNER "real general more\n2 2 1\n1 2 3\n", ":1:|five words|'more'");
    refuse_mtx(BANNER "real general\n%\n\n", ":4:|without a line 'ROWS COLUMNS ENTRIES'");
    refuse_mtx(BANNER "real general\n2 3 1\n1 2 3\n", ":2:|square|2 x 3");
    refuse_mtx(BANNER "real general\n0 0 0\n", ":2:|number of rows '0'|from 1 to 2147483647");
    refuse_mtx(BANNER "real general\n2147483648 2147483648 0\n", ":2:|number of rows '2147483648'");
    refuse_mtx(BANNER "real general\n2 2\n", ":2:|number of entries is missing");
    refuse_mtx(BANNER "real general\n2 2 -1\n", ":2:|number of entries '-1'");
    refuse_mtx(BANNER "real general\n2 2 1 1\n1 2 3\n", ":2:|'1' follows");
    refuse_mtx(BANNER "real general\n2 2 99\n1 2 3\n", ":2:|promises 99|at most 3");
    refuse_mtx(BANNER "real general\n2 2 2\n1 2 3\n% and no more\n", "1 edges|promises 2");
    refuse_mtx(BANNER "real general\n2 2 1\n1 2 3\n2 1 3\n1 2 3\n", "edges|promises 1");
    refuse_mtx(BANNER "real symmetric\n2 2 2\n1 2 3\n% and no more\n", "1 edges|promises 2");
    refuse_mtx(BANNER "real symmetric\n2 2 1\n1 2 3\n2 1 3\n1 1 3\n", "edges or more|promises 1");
    refuse_mtx(BANNER "real general\n2 2 1\n0 2 3\n", ":3:|row '0'|from 1 to 2");
    refuse_mtx(BANNER "real general\n2 2 1\n1 3 3\n", ":3:|column '3'|from 1 to 2");
    refuse_mtx(BANNER "real general\n2 2 1\n-1 2 3\n", ":3:|row '-1'");
    refuse_mtx(BANNER "real general\n2 2 1\n1 2 \n  ", ":3:|weight is missing");
    refuse_mtx(BANNER "integer general\n2 2 1\n1 2", ":3:|weight is missing");
    refuse_mtx(BANNER "integer general\n2 2 1\n1", ":3:|column is missing");
    refuse_mtx(BANNER "real general\n2 2 1\n1 2 3 4\n", ":3:|'4' follows");
    refuse_mtx(BANNER "pattern general\n2 2 1\n1 2 3\n", ":3:|'3' follows the last of 2 fields");
    refuse_mtx(BANNER "integer general\n2 2 1\n1 2 3.0\n", ":3:|weight '3.0' is not an integer");
    refuse_mtx(BANNER "integer general\n2 2 1\n1 2 -\n      ", ":3:|weight '-'");
    refuse_mtx(BANNER "integer general\n2 2 1\n1 2 4611686018427387903\n",
               ":3:|weight '4611686018427387903'|4611686018427387902");
    refuse_mtx(BANNER "integer general\n2 2 1\n1 2 -4611686018427387903\n",
               ":3:|weight '-4611686018427387903'");
    refuse_mtx(BANNER "integer general\n2 2 1\n1 2 99999999999999999999999999\n",
               ":3:|weight '99999");
    static const char *const bad[] = {"nan1", "in",  "--nan", "infi", "Infinite", "1e999", "-1e999",
                                      "0x10", "1d5", "1e",    "e5",   ".",        "-",     "+-1",
                                      "1..2", "1,5", "1e5x",  "--1",  "1_0"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char text[200], words[100];
        snprintf(text, sizeof text, "%sreal general\n2 2 1\n1 2 %s\n      ", BANNER, bad[i]);
        snprintf(words, sizeof words, ":3:|weight '%s' is not a finite decimal number", bad[i]);
        refuse_mtx(text, words);
    }
    static char text[100 + 5000] = BANNER "real general\n2 2 1\n1 2 ";
    memset(text + strlen(text), '1', 5000);
    refuse_mtx(text, ":3:|longer than 4096");
    put_file("bad.mtx", BANNER "real general\n2 2 1\n1 2 3\0\n",
             sizeof BANNER "real general\n2 2 1\n1 2 3\0\n" - 1);
    check_refused(APSP_INPUT, ":3:|is 0: this is not text");
}

/* `text` after the banner is read as exactly these edges, in any parts. */
static void check_mtx(const char *text, const struct edge *expected, size_t count, bool real)
{
    char file[600];
    snprintf(file, sizeof file, "%s%s", BANNER, text);
    put_file("good.mtx", file, strlen(file));
    for (int parts = 1; parts <= 120; parts++) {
        struct apsp_error error = {0};
        size_t total = read_all(parts, 1 + (size_t)parts % 5, &error);
        assert_string_equal(error.text, "");
        assert_int_equal(total, count);
        for (size_t i = 0; i < total; i++) {
            assert_int_equal(edges[i].from, expected[i].from);
            assert_int_equal(edges[i].to, expected[i].to);
            if (real) /* to the bit, so that the sign of 0 shows */
                assert_memory_equal(&edges[i].weight.real, &expected[i].weight.real,
                                    sizeof(double));
            else
                assert_true(edges[i].weight.whole == expected[i].weight.whole);
        }
    }
}

static void mtx_accepts_what_is_allowed(void **state)
{
    (void)state;
    static const struct edge whole[] = {{0, 1, {0}},
                                        {1, 2, {-7}},
                                        {2, 2, {7}},
                                        {0, 1, {4611686018427387902}},
                                        {2, 0, {-4611686018427387902}}};
    check_mtx("integer general\r\n% one\r\n%\r\n\r\n 3\t3 5 \r\n1 2 0\r\n% two\n2\t 3   -7\t \n\n  "
              "3 3 +007\n1 2 "
              "4611686018427387902\n3 1 -4611686018427387902",
              whole, 5, false);
    static const struct edge real[] = {{0, 1, {.real = 0.5}},   {1, 0, {.real = -1e-300}},
                                       {1, 1, {.real = 0}},     {1, 2, {.real = 0}},
                                       {2, 0, {.real = 1e300}}, {0, 2, {.real = 3}}};
    check_mtx(
        "REAL General\n3 3 6\n1 2 +.5\n2 1 -1E-300\n2 2 -0.0\n2 3 -1e-999\n3 1 1.e+300\n1 3 3\n",
        real, 6, true);
    static const struct edge pattern[] = {{0, 1, {1}}, {1, 1, {1}}};
    check_mtx("pattern general\n2 2 2\n1 2\n2 2\n", pattern, 2, false);
    check_mtx("pattern general\n1 1 0\n% none\n", NULL, 0, false);
    static const struct edge both[] = {
        {1, 0, {3}}, {0, 1, {3}}, {1, 1, {4}}, {2, 0, {-5}}, {0, 2, {-5}}};
    check_mtx("integer symmetric\n3 3 3\n2 1 3\n2 2 4\n%\n3 1 -5", both, 5, false);
}

static void mtx_header_is_kept(void **state)
{
    (void)state;
    struct graph graph;
    struct apsp_error error = {0};
    const char *text =
        BANNER "real symmetric\n% three entries, one of them a loop\n4 4 3\n2 1 1\n3 3 1\n4 1 1\n";
    put_file("head.mtx", text, strlen(text));
    assert_int_equal(graph_open(&graph, path, NULL, false, &error), APSP_OK);
    assert_int_equal(graph.n, 4);
    assert_int_equal(graph.records, 3);
    assert_int_equal(graph.m, 6); /* until they are counted */
    assert_int_equal(graph.first, 1);
    assert_true(graph.real);
    graph_close(&graph);
}

/* Larger than a buffer, in parts that end anywhere: edge number i comes as number i. */
static void check_parts(size_t m)
{
    static const int parts[] = {1, 2, 3, 7, 64, 1000};
    for (size_t p = 0; p < sizeof parts / sizeof *parts; p++) {
        struct apsp_error error = {0};
        assert_int_equal(read_all(parts[p], 4099, &error), m);
        assert_int_equal(error.code, APSP_OK);
        for (size_t i = 0; i < m; i++)
            if (edges[i].from != i % 1000 || edges[i].to != i / 1000 ||
                edges[i].weight.whole != (int64_t)i)
                fail_msg("%d parts: edge %zu is %u %u %lld", parts[p], i, edges[i].from,
                         edges[i].to, (long long)edges[i].weight.whole);
    }
}

static void edges32_parts_hold_all_edges_in_order(void **state)
{
    (void)state;
    static uint32_t file[2 + 3 * 300001];
    uint32_t m = 300001;
    file[0] = htole32(1000);
    file[1] = htole32(m);
    for (uint32_t i = 0; i < m; i++) {
        file[2 + 3 * i] = htole32(i % 1000);
        file[3 + 3 * i] = htole32(i / 1000);
        file[4 + 3 * i] = htole32(i);
    }
    put_file("parts", file, sizeof file);
    check_parts(m);
}

static void gr_parts_hold_all_edges_in_order(void **state)
{
    (void)state;
    static char text[300001 * 24];
    size_t m = 300001, length = (size_t)sprintf(text, "p sp 1000 %zu\n", m);
    for (size_t i = 0; i < m; i++)
        length += (size_t)sprintf(text + length, "a %zu %zu %zu\n%s", i % 1000 + 1, i / 1000 + 1, i,
                                  i % 5 ? "" : "c\n");
    put_file("parts.gr", text, length);
    check_parts(m);
}

static void mtx_parts_hold_all_edges_in_order(void **state)
{
    (void)state;
    static char text[300001 * 24];
    size_t m = 300001,
           length = (size_t)sprintf(text, "%sinteger general\n1000 1000 %zu\n", BANNER, m);
    for (size_t i = 0; i < m; i++)
        length += (size_t)sprintf(text + length, "%zu %zu %zu\n%s", i % 1000 + 1, i / 1000 + 1, i,
                                  i % 5 ? "" : "%\n");
    put_file("parts.mtx", text, length);
    check_parts(m);
}

static unsigned next_random(unsigned *state)
{
    *state = *state * 1664525U + 1013904223U;
    return *state >> 8;
}

/* Damages some bytes of a good file, again and again: one part and three agree on what it holds, or
 * both refuse. */
static void check_damaged(const char *name, const char *good, size_t bytes)
{
    static struct edge whole[100];
    unsigned random = 1;
    char bad[200];
    for (int i = 0; i < 1000; i++) {
        struct apsp_error one = {0}, three = {0};
        size_t length = bytes - (next_random(&random) % 4 ? 0 : next_random(&random) % bytes);
        memcpy(bad, good, bytes);
        for (unsigned k = next_random(&random) % 4; k > 0; k--)
            bad[next_random(&random) % bytes] =
                (char)(next_random(&random) % 3 ? good[next_random(&random) % bytes]
                                                : (int)next_random(&random));
        put_file(name, bad, length);
        size_t total = read_all(1, 7, &one);
        assert_in_range(total, 0, 100);
        memcpy(whole, edges, total * sizeof *edges);
        size_t again = read_all(3, 2, &three);
        assert_true(one.code == APSP_OK || one.code == APSP_INPUT);
        assert_int_equal(three.code, one.code);
        assert_null(strchr(one.text, '\n'));
        if (one.code == APSP_OK)
            assert_true(again == total && memcmp(whole, edges, total * sizeof *edges) == 0);
    }
}

static void damaged_files_are_read_alike_or_refused(void **state)
{
    static const char text[] =
        "c good\np sp 3 5\na 1 2 5\r\na 2 3 77\n\nc end\na 3 1 0\na 3 3 9\na 1 2 4\n";
    const uint32_t words[] = {3, 4, 0, 1, 5, 1, 2, 77, 2, 0, 0, 2, 2, 9};
    uint32_t file[sizeof words / sizeof *words];
    (void)state;
    static const char matrix[] =
        BANNER "integer symmetric\n%\n3 3 4\n1 1 5\r\n2 1 -7\n\n3 1 0\n3 2 4\n";
    static const char real[] =
        BANNER "real general\n%\n3 3 4\n1 1 5.5\r\n2 1 -7e1\n\n3 1 0\n3 2 4\n";
    check_damaged("damaged.mtx", matrix, sizeof matrix - 1);
    check_damaged("damaged.mtx", real, sizeof real - 1);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        file[i] = htole32(words[i]);
    check_damaged("damaged.gr", text, sizeof text - 1);
    check_damaged("damaged.bin", (const char *)file, sizeof file);
}

static void smallest_graphs(void **state)
{
    (void)state;
    static const uint32_t none[2] = {1, 0};
    struct apsp_error error = {0};
    uint32_t file[2] = {htole32(none[0]), htole32(none[1])};
    put_file("one", file, sizeof file);
    assert_int_equal(read_all(3, 10, &error), 0);
    assert_int_equal(error.code, APSP_OK);
    put_file("one.gr", "p sp 1 0", 8);
    assert_int_equal(read_all(3, 10, &error), 0);
    assert_int_equal(error.code, APSP_OK);
}

static void header_is_kept(void **state)
{
    (void)state;
    struct graph graph;
    struct apsp_error error = {0};
    put_file("head.gr", "p sp 5 1\na 1 5 3\n", 17);
    assert_int_equal(graph_open(&graph, path, NULL, false, &error), APSP_OK);
    assert_int_equal(graph.n, 5);
    assert_int_equal(graph.m, 1);
    assert_int_equal(graph.first, 1);
    graph_close(&graph);
    assert_int_equal(graph_open(&graph, path, named("edges32"), false, &error), APSP_INPUT);
    graph_close(&graph);
    assert_int_equal(graph_open(&graph, path, named("course"), false, &error),
                     APSP_INPUT); /* its old name */
    assert_null(strstr(graph_source_names(), "course"));
    graph_close(&graph);

    memset(&error, 0, sizeof error);
    assert_int_equal(graph_open(&graph, path, named("toml"), false, &error), APSP_USAGE);
    assert_non_null(strstr(error.text, "reading.format toml"));
    assert_non_null(strstr(error.text, graph_source_names()));
    graph_close(&graph);
}

static void only_regular_files_are_read(void **state)
{
    (void)state;
    snprintf(path, sizeof path, "%s/none", folder);
    check_refused(APSP_IO, strerror(ENOENT));
    snprintf(path, sizeof path, "%s", folder);
    check_refused(APSP_IO, "a directory");
    snprintf(path, sizeof path, "/dev/null");
    check_refused(APSP_IO, "a device");
    snprintf(path, sizeof path, "%s/pipe", folder);
    assert_int_equal(mkfifo(path, 0600), 0);
    check_refused(APSP_IO, "a pipe");
    if (geteuid() != 0) {
        put_file("locked", "12345678", 8);
        assert_int_equal(chmod(path, 0), 0);
        check_refused(APSP_IO, strerror(EACCES));
    }
}

/* The file, which has a name without a suffix, is of the format; or refused, and the message names
 * all words.
 */
static void check_detected(const char *format, const void *data, size_t bytes)
{
    struct graph graph;
    struct apsp_error error = {0};
    put_file("nameless", data, bytes);
    assert_int_equal(graph_open(&graph, path, NULL, false, &error), APSP_OK);
    assert_string_equal(graph.source->name, format);
    graph_close(&graph);
}

static void check_unknown(const void *data, size_t bytes, const char *words)
{
    put_file("nameless", data, bytes);
    check_refused(APSP_INPUT, words);
    check_refused(APSP_INPUT, graph_source_names());
}

static void formats_are_detected(void **state)
{
    static const char gr[] = "c comment\n\np sp 2 1\na 1 2 3\n",
                      mtx[] = BANNER "pattern general\n2 2 0\n";
    uint32_t words[] = {htole32(2), htole32(1), 0, htole32(1), htole32(3)};
    struct graph graph;
    struct apsp_error error = {0};
    (void)state;
    check_detected("gr", gr, sizeof gr - 1);
    check_detected("mtx", mtx, sizeof mtx - 1);
    check_detected("edges32", words, sizeof words);
    check_unknown(words, sizeof words - 1, "binary data of 19 bytes");
    check_unknown("PK\3\4xxxx", 8, "ZIP archive");
    put_file("nameless", "\x93NUMPY\1\0", 8);
    check_refused(APSP_INPUT, "this is not a .npy file");
    check_unknown("\x89HDF\r\n", 6, "HDF5");
    check_unknown("<?xml version='1.0'?>", 21, "XML");
    put_file("nameless", "\xff\xfe\x31\0", 4);
    check_refused(APSP_INPUT, "UTF-16");
    put_file("nameless", "\xff\xfe\0\0\x31\0\0\0", 8);
    check_refused(APSP_INPUT, "UTF-32");
    words[0] = htole32(0xfeff); /* begins as such a text does */
    check_detected("edges32", words, sizeof words);
    check_unknown("  strange  things here, is it?\n1 2\n", 35,
                  "text that begins with 'strange  things here");
    put_file("really.csv",
             "\xff\xfe"
             "1\0 \0"
             "2\0\n\0",
             10);
    check_refused(APSP_INPUT, "UTF-16");
    put_file("really.gr", "PK\3\4\0\0\0\0", 9);
    check_refused(APSP_INPUT, "ZIP archive");
    put_file("really.bin", gr, sizeof gr - 1); /* a suffix may lie */
    assert_int_equal(graph_open(&graph, path, NULL, false, &error), APSP_OK);
    assert_string_equal(graph.source->name, "gr");
    graph_close(&graph);
}

/* Opens a pipe into which a process of its own writes, in pieces, the first one after a while; and
 * reads all edges twice. */
static void check_pipe(const char *format, const char *text, size_t bytes, size_t m)
{
    int ends[2], status;
    struct graph graph;
    struct apsp_error error = {0};
    assert_int_equal(pipe(ends), 0);
    pid_t writer = fork();
    assert_true(writer >= 0);
    for (size_t done = 0; writer == 0 && done < bytes;) {
        usleep(done == 0 ? 50000 : 1000);
        ssize_t put = write(ends[1], text + done, bytes - done < 70000 ? bytes - done : 70000);
        if (put < 0)
            _exit(1);
        done += (size_t)put;
    }
    if (writer == 0)
        _exit(0);
    close(ends[1]);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    assert_int_equal(graph_open(&graph, path, named(format), true, &error), APSP_OK);
    assert_int_equal(waitpid(writer, &status, 0), writer);
    assert_int_equal(status, 0);
    for (int pass = 0; pass < 2; pass++) {
        size_t total = 0, count;
        for (int i = 0; i < 3; i++) {
            struct graph_part *part;
            assert_int_equal(graph_part_open(&part, &graph, i, 3, &error), APSP_OK);
            do {
                assert_int_equal(graph_part_next(part, edges, EDGES_MAX, &count, &error), APSP_OK);
                for (size_t e = 0; e < count; e++)
                    assert_int_equal(edges[e].weight.whole, total + e);
                total += count;
            } while (count > 0);
            graph_part_free(part);
        }
        assert_int_equal(total, m);
    }
    graph_close(&graph);
    close(ends[0]);
}

static void pipes_are_copied(void **state)
{
    enum { M = 20000 };
    static char text[M * 20];
    static uint32_t words[2 + 3 * M];
    int length = snprintf(text, sizeof text, "p sp 1000 %d\n", M);
    (void)state;
    words[0] = htole32(1000);
    words[1] = htole32(M);
    for (size_t e = 0; e < M; e++) {
        length += sprintf(text + length, "a %zu 1 %zu\n", e % 1000 + 1, e);
        words[2 + 3 * e] = htole32((uint32_t)(e % 1000));
        words[4 + 3 * e] = htole32((uint32_t)e);
    }
    check_pipe("gr", text, (size_t)length, M);
    check_pipe("edges32", (const char *)words, sizeof words, M);
    check_pipe("mtx", BANNER "pattern general\n2 2 0\n",
               sizeof BANNER "pattern general\n2 2 0\n" - 1, 0);
}

/* Nothing waits for a writer to come; and what is no pipe is as it is without `stream`. */
static void pipes_without_a_writer_are_refused(void **state)
{
    struct graph graph;
    struct apsp_error error = {0};
    (void)state;
    snprintf(path, sizeof path, "%s/lonely", folder);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_int_equal(graph_open(&graph, path, NULL, true, &error), APSP_IO);
    assert_non_null(strstr(error.text, "a pipe"));
    assert_non_null(strstr(error.text, path));
    error = (struct apsp_error){0};
    assert_int_equal(graph_open(&graph, folder, NULL, true, &error), APSP_IO);
    assert_non_null(strstr(error.text, "a directory"));
    error = (struct apsp_error){0};
    put_file("plain.gr", "p sp 5 1\na 1 5 3\n", 17);
    assert_int_equal(graph_open(&graph, path, NULL, true, &error), APSP_OK);
    graph_close(&graph);
}

/* The folder for the copy is the user's choice. */
static void copies_go_to_tmpdir(void **state)
{
    struct graph graph;
    struct apsp_error error = {0};
    int ends[2];
    (void)state;
    assert_int_equal(pipe(ends), 0);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    assert_int_equal(write(ends[1], "p sp 1 0", 8), 8);
    close(ends[1]);
    setenv("TMPDIR", "/nowhere", 1);
    assert_int_equal(graph_open(&graph, path, named("gr"), true, &error), APSP_IO);
    assert_non_null(strstr(error.text, "/nowhere"));
    unsetenv("TMPDIR");
    close(ends[0]);
}

static void shrunken_file_is_an_io_error(void **state)
{
    (void)state;
    struct graph graph;
    struct apsp_error error = {0};
    size_t count;
    put_file("shrunk.gr", "p sp 5 1\na 1 5 3\n", 17);
    assert_int_equal(graph_open(&graph, path, NULL, false, &error), APSP_OK);
    assert_int_equal(truncate(path, 12), 0);
    struct graph_part *part;
    assert_int_equal(graph_part_open(&part, &graph, 0, 1, &error), APSP_OK);
    assert_int_equal(graph_part_next(part, edges, 10, &count, &error), APSP_IO);
    assert_non_null(strstr(error.text, "byte 12"));
    assert_non_null(strstr(error.text, "17 bytes"));
    graph_part_free(part);
    graph_close(&graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edges32_errors_are_named),
        cmocka_unit_test(numbers_do_not_wrap),
        cmocka_unit_test(gr_errors_are_named),
        cmocka_unit_test(gr_without_text_is_refused),
        cmocka_unit_test(gr_lines_are_bounded),
        cmocka_unit_test(gr_accepts_what_is_allowed),
        cmocka_unit_test(mtx_errors_are_named),
        cmocka_unit_test(mtx_accepts_what_is_allowed),
        cmocka_unit_test(mtx_header_is_kept),
        cmocka_unit_test(mtx_parts_hold_all_edges_in_order),
        cmocka_unit_test(edges32_parts_hold_all_edges_in_order),
        cmocka_unit_test(gr_parts_hold_all_edges_in_order),
        cmocka_unit_test(damaged_files_are_read_alike_or_refused),
        cmocka_unit_test(smallest_graphs),
        cmocka_unit_test(header_is_kept),
        cmocka_unit_test(formats_are_detected),
        cmocka_unit_test(only_regular_files_are_read),
        cmocka_unit_test(pipes_are_copied),
        cmocka_unit_test(pipes_without_a_writer_are_refused),
        cmocka_unit_test(copies_go_to_tmpdir),
        cmocka_unit_test(shrunken_file_is_an_io_error),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
