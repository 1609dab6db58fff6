/* Lists of edges: graphs that are known, written in many ways, and what is wrong with others; and
 * the names of vertices. */
#include "unit.h"

#include "graph/lists.h"

enum { M = 30000, N = 700 };

static void separators_are_found(void **state)
{
    (void)state;
    check("1 2 3\n2 1 4\n", 2, "1>2:3 2>1:4 ");
    check("  1 \t2\t 3  \n", 2, "1>2:3 ");
    check("1\t2\n2\t1\n", 2, "1>2:1 2>1:1 ");
    check("0,1,-3\n1 , 0 , 4\n", 2, "0>1:-3 1>0:4 ");
    check("1;2;3.5\n2;1;4\n", 2, "1>2:3.5 2>1:4 ");
    check("1|2|3e1\n", 2, "1>2:30 ");
    check("a b;c,d\nc,d;a b\n", 2, "a b>c,d:1 c,d>a b:1 ");
    check("New York,Los Angeles,3\n", 2, "New York>Los Angeles:3 ");
}

static void lines_may_have_any_dress(void **state)
{
    static const char none[] = "1 2\n3 1", mark[] = "\xef\xbb\xbf# first\r\n1,2\r\n";
    (void)state;
    check("# From To\n% more\n\n   \n1 2\n# in between\n2 1\n#", 2, "1>2:1 2>1:1 ");
    check_bytes(none, sizeof none - 1, 3, "1>2:1 3>1:1 ");
    check_bytes(mark, sizeof mark - 1, 2, "1>2:1 ");
    check("1,2\r\n2,1\r\n", 2, "1>2:1 2>1:1 ");
    check("\"a\",\"b, c\",3\n", 2, "a>b, c:3 ");
    check("\"say \"\"x\"\"\",b,\"3\"\n", 2, "say \"x\">b:3 ");
    check("\"a b\" c 3\n", 2, "a b>c:3 ");
}

static void headers_are_told_from_edges(void **state)
{
    (void)state;
    check("source,target\na,b\n", 2, "a>b:1 ");
    check("From\tTo\n5\t6\n", 2, "5>6:1 ");
    check("a,b,length\n1,2,3\n", 2, "1>2:3 ");
    check("left,right\n1,2\n", 2, "1>2:1 ");
    check("left,right\na,b\n", 4, "left>right:1 a>b:1 ");
    check("Id,Source,Target,Type,Weight\n9,a,b,Directed,2\n", 2, "a>b:2 ");
    check("weight target source\n3 a b\n", 2, "b>a:3 ");
    check("a,b,\xc3\xa9tapes\n1,2,3\n", 2, "1>2:1 ");
    check("start end 5\nend x 3\n", 3, "start>end:5 end>x:3 ");
    check("target source 5\n", 2, "target>source:5 ");
    options.columns = "1,2";
    check("to,from,note\na,b,c\n", 2, "a>b:1 ");
    options.columns = NULL;
}

/* A first line that is no edge and no header is not passed over. */
static void a_bad_first_line_is_no_header(void **state)
{
    (void)state;
    refuse("a b inf\nb c 2\n", ":1:|weight 'inf'");
    refuse("a b -Infinity\nb c 2\n", ":1:|weight '-Infinity'");
    refuse("a b NaN\nb c 2\n", ":1:|weight 'NaN'");
    refuse("a,b,\nb,c,2\n", ":1:|weight of the edge is missing");
    refuse("1 2 1e400\n2 3 1\n", ":1:|weight '1e400'");
    refuse("1 2 9999999999999999999999\n2 3 1\n", ":1:|weight '9999999999999999999999'|62 bits");
    refuse("1;2;0,5\n2;3;1\n", ":1:|weight '0,5'|decimal comma");
    refuse("from;to;weight\na;b;1.5\nb;c;2,5\n", ":3:|weight '2,5'|decimal comma");
    refuse("from,to,weight\na,b,\"1,000\"\n", ":2:|weight '1,000'|between thousands");
    refuse("sep=;\r\na;b;1.5\r\nb;c;x\r\n", ":3:|weight 'x'");
    refuse("start end inf\nend x 3\n", ":1:|weight 'inf'");
    refuse("1,2,x\n1,2,y\n", ":1:|weight 'x'");
    options.columns = "1,2,3";
    refuse("a b inf x\nb c 2 x\n", ":1:|weight 'inf'");
    options.columns = NULL;
}

/* Which columns are meant is said, or asked. */
static void columns_are_told(void **state)
{
    static const char *const cases[][3] = {
        {"1 2 3\n", "columns FROM=1, TO=2, WEIGHT=3, no header line", ""},
        {"1 2\n", "columns FROM=1, TO=2, weights 1, no header line", ""},
        {"cost,to,from\n1,2,3\n",
         "columns FROM=3 (from), TO=2 (to), WEIGHT=1 (cost), below a header line",
         "3 vertices, 1 of them without an edge: all numbers up to the largest count"},
        {"a,b,minutes\n1,2,3\n",
         "columns FROM=1 (a), TO=2 (b), WEIGHT=3 (minutes), below a header line", ""},
        {"id,source,target\n1,1,2\n",
         "columns FROM=2 (source), TO=3 (target), weights 1, below a header line",
         "weights are 1, since the name of column 1 (id) does not name a weight; reading.columns "
         "2,3,1 "
         "takes it"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct graph graph;
        struct apsp_error error = {0};
        put("list.csv", cases[i][0], strlen(cases[i][0]));
        assert_int_equal(graph_open(&graph, path, NULL, false, &error), APSP_OK);
        assert_string_equal(graph.about, cases[i][1]);
        assert_string_equal(graph.notes, cases[i][2]);
        graph_close(&graph);
    }
    refuse("from,to,name,minutes\na,b,c,3\n", ":1:|4 columns|reading.columns");
    options.columns = "1,1,2";
    refuse("1,2,3\n", ":1:|column 1 twice");
    options.columns = "from,to,to";
    refuse("from,to\n1,2\n", ":1:|column 2 twice");
    options.columns = NULL;
}

static void columns_are_chosen(void **state)
{
    (void)state;
    options.columns = "3,1";
    check("1,x,2,y\n", 2, "2>1:1 ");
    options.columns = "to,from,cost";
    check("from,to,x,cost\n1,2,a,4\n", 2, "2>1:4 ");
    options.columns = "2,1,3";
    check("from,to,x\n1,2,7\n", 2, "2>1:7 ");
    options.columns = "from,nowhere";
    refuse("from,to\n1,2\n", ":1:|column 'nowhere'|2 of the first");
    options.columns = "1";
    refuse("1,2\n", "FROM,TO,WEIGHT");
    options.columns = "1,2,3,4";
    refuse("1,2,3,4\n", "FROM,TO,WEIGHT");
    options.columns = "1,3";
    refuse("1,2\n", "column '3'");
    options.columns = NULL;
}

static void numbers_stay_where_half_are_used(void **state)
{
    (void)state;
    check("1 4\n", 4, "1>4:1 ");
    check("1 5\n", 2, "1>5:1 "); /* names now */
    check("0 3\n", 4, "0>3:1 ");
    check("0 4\n", 2, "0>4:1 ");
    check("007 7\n", 2, "007>7:1 ");
    check("-1 2\n", 2, "-1>2:1 ");
    check("9223372036854775807 9223372036854775808\n", 2,
          "9223372036854775807>9223372036854775808:1 ");
    check("123456789012345678901234567890 1\n", 2, "123456789012345678901234567890>1:1 ");
}

static void names_are_sorted_on_request(void **state)
{
    struct graph graph;
    struct apsp_error error = {0};
    size_t vertex = N;
    (void)state;
    put("list.csv", "900,70\n1000,8\n", 14);
    for (int sorted = 0; sorted < 2; sorted++) {
        static const char *const names[][4] = {{"900", "70", "1000", "8"},
                                               {"8", "70", "900", "1000"}};
        options.sorted = sorted;
        assert_int_equal(graph_open(&graph, path, &options, false, &error), APSP_OK);
        for (size_t v = 0; v < 4; v++) {
            assert_string_equal(name_of(&graph, v), names[sorted][v]);
            assert_int_equal(
                graph_vertex(&graph, names[sorted][v], &vertex, APSP_USAGE, "", &error), APSP_OK);
            assert_int_equal(vertex, v);
        }
        assert_non_null(graph.numbering);
        graph_close(&graph);
    }
    check("b c\na b\n", 3, "b>c:1 a>b:1 ");
    assert_int_equal(graph_open(&graph, path, &options, false, &error), APSP_OK);
    assert_string_equal(name_of(&graph, 0), "a");
    assert_int_equal(graph_vertex(&graph, "d", &vertex, APSP_USAGE, "here: ", &error), APSP_USAGE);
    assert_non_null(strstr(error.text, "here: 'd' is not a vertex of"));
    graph_close(&graph);
    options.sorted = false;
}

static void errors_are_named(void **state)
{
    (void)state;
    refuse("# nothing\n", ":2:|without an edge");
    refuse("from,to\n", "without an edge");
    refuse("1 2 3\n1 2\n", ":2:|2 fields|first line has 3");
    refuse("1 2\n1 2 3\n", ":2:|3 fields|first line has 2");
    refuse("1\n", ":1:|one column");
    refuse("1 2 3 4\n", ":1:|4 columns|reading.columns");
    refuse("from,to,cost\n1,2,y\n", ":2:|weight 'y'");
    refuse("1,2,3\n1,2,\n", ":2:|weight of the edge is missing");
    refuse("1,2,3\n1,2,nan\n", ":2:|weight 'nan'");
    refuse("1,2,3\n1,2,1e999\n", ":2:|weight '1e999'");
    refuse("1,2,3\n1,2,4611686018427387904\n", ":2:|weight '4611686018427387904'");
    refuse("1,2\n,2\n", ":2:|vertex ''|no name");
    refuse("1,2\n\"a,2\n", ":2:|quote");
    refuse("1,2\n\"a\"b,2\n", ":2:|quote");
    refuse("a,b\n\"x\001y\",b\n", ":2:|control");
    refuse("1 2 3,5\n", ":1:|decimal comma");
    refuse("1 2 3\r2 1 4\r", "byte 5|lines end in CR");
    static const char *const nul[] = {"1 2 x\n1 \0002 x\n", "1 2 x\n1 2 \0\n", "1 2 \0\n1 2 x\n"};
    options.columns = "1,2";
    for (size_t i = 0; i < sizeof nul / sizeof *nul; i++) {
        struct graph graph;
        struct apsp_error error = {0};
        put("bad.csv", nul[i], 12);
        assert_int_equal(graph_open(&graph, path, &options, false, &error), APSP_INPUT);
        assert_non_null(strstr(error.text, "is 0: this is not text"));
        graph_close(&graph);
    }
    options.columns = NULL;
}

/* A graph of random names is read as it was written, whatever the number of parts, and each name is
 * found. */
static void many_names_are_kept(void **state)
{
    static char text[M * 40], expected[M * 40], found[M * 40];
    char *at = text, *end = expected;
    unsigned short seed[3] = {1, 2, 3};
    (void)state;
    for (int e = 0; e < M; e++) {
        long u = nrand48(seed) % N, v = nrand48(seed) % N, w = nrand48(seed) % 1000 - 500;
        at += sprintf(at, "n%lx%c%ld %ld\n", u * 7919, e % 2 ? ' ' : '\t', v * 1000003, w);
        end += sprintf(end, "n%lx>%ld:%ld ", u * 7919, v * 1000003, w);
    }
    for (char *tab = text; (tab = strchr(tab, '\t'));)
        *tab = ' ';
    put("many", text, (size_t)(at - text));
    for (int parts = 1; parts <= 5; parts += 2) {
        struct graph graph;
        struct apsp_error error = {0};
        assert_int_equal(graph_open(&graph, path, NULL, false, &error), APSP_OK);
        print_edges(&graph, parts, found);
        assert_string_equal(found, expected);
        for (size_t v = 0; v < graph.n; v++) {
            size_t vertex = N;
            assert_true(label_find(graph_labels(&graph), graph.n, name_of(&graph, v), &vertex));
            assert_int_equal(vertex, v);
        }
        graph_close(&graph);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(separators_are_found),
        cmocka_unit_test(lines_may_have_any_dress),
        cmocka_unit_test(headers_are_told_from_edges),
        cmocka_unit_test(a_bad_first_line_is_no_header),
        cmocka_unit_test(columns_are_chosen),
        cmocka_unit_test(columns_are_told),
        cmocka_unit_test(numbers_stay_where_half_are_used),
        cmocka_unit_test(names_are_sorted_on_request),
        cmocka_unit_test(errors_are_named),
        cmocka_unit_test(many_names_are_kept),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
