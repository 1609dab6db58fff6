/* Lists of edges: what the names of columns, a first line and comments say of them. */
#include "unit.h"

#include "graph/lists.h"

/* Below a header a third column is the weight if its name says so, or the option does. */
static void a_weight_is_named(void **state)
{
    static const char *const weighing[] = {
        "w",         "Weight",    "LENGTH", "dist",        "travel_time",   "minutes",
        "km",        "value",     "cost",   "edge_weight", "distance (km)", "Duration[s]",
        "path-cost", "Gewicht_w", NULL};
    static const char *const others[] = {"index", "id",         "year",    "timestamp",  "n",
                                         "typew", "start_time", "lengthy", "overweight", NULL};
    char text[100];
    (void)state;
    for (int by_words = 0; by_words < 2; by_words++) {
        const char *ends = by_words ? "source,target" : "u,v";
        for (size_t i = 0; weighing[i]; i++) {
            snprintf(text, sizeof text, "%s,%s\n1,2,3\n", ends, weighing[i]);
            check(text, 2, strcmp(weighing[i], "Gewicht_w") == 0 ? "1>2:1 " : "1>2:3 ");
        }
        for (size_t i = 0; others[i]; i++) {
            snprintf(text, sizeof text, "%s,%s\n1,2,3\n", ends, others[i]);
            check(text, 2, "1>2:1 ");
        }
    }
    check("index,source,target\n0,a,b\n", 2, "a>b:1 ");
    check("source,target,type\na,b,road\n", 2, "a>b:1 ");
    options.columns = "source,target,year";
    check("source,target,year\n1,2,3\n", 2, "1>2:3 ");
    options.columns = "1,2";
    check("1,2,3\n", 2, "1>2:1 ");
    options.columns = NULL;
}

/* A first column that has no name counts the lines: pandas and R write it. */
static void an_index_is_passed_over(void **state)
{
    (void)state;
    check(",source,target\n0,a,b\n1,b,c\n", 3, "a>b:1 b>c:1 ");
    check(",target,weight,source\n0,a,7,b\n", 2, "b>a:7 ");
    check("\"\",\"from\",\"to\",\"km\"\n\"1\",\"a\",\"b\",2.5\n", 2, "a>b:2.5 ");
    check(",from,to,year\n0,a,b,1999\n", 2, "a>b:1 ");
    check(";u;v\n0;a;b\n", 2, "a>b:1 ");
    check(",u,v,cost\n0,a,b,4\n", 2, "a>b:4 ");
    check(",to,weight\na,b,2\n", 2, "a>b:2 "); /* as the index of a series */
    refuse(",u,v,year\n0,a,b,4\n", ":1:|4 columns|reading.columns");
    refuse(",b,3\na,b,2\n", ":1:|vertex ''|no name");
    refuse(",b\na,b\n", ":1:|vertex ''|no name");
}

/* The words are in a note on that list; "": there is none. */
static void check_note(const char *text, const char *words)
{
    struct graph graph;
    struct apsp_error error = {0};
    put("list.csv", text, strlen(text));
    assert_int_equal(graph_open(&graph, path, &options, false, &error), APSP_OK);
    if (*words ? !strstr(graph.notes, words) : *graph.notes)
        fail_msg("'%s' is not in: %s", words, graph.notes);
    graph_close(&graph);
}

/* A first line of counts is no edge, if the counts are right. */
static void a_first_line_may_count(void **state)
{
    (void)state;
    check("4 3\n1 2\n2 3\n3 4\n", 4, "1>2:1 2>3:1 3>4:1 ");
    check("# n m\n4 3\n# from to\n0 1\n1 2\n2 3\n", 4, "0>1:1 1>2:1 2>3:1 ");
    check("6\t2\n1\t2\n5\t4\n", 6, "1>2:1 5>4:1 ");
    check("9 2\n0 1\n1 2\n", 9, "0>1:1 1>2:1 ");
    check("3 2\n100 2000\n2000 30000\n", 3, "100>2000:1 2000>30000:1 ");
    check("4 3\n1 2 9\n2 3 -1\n3 4 0.5", 4, "1>2:9 2>3:-1 3>4:0.5 ");
    check("2 1\n1 2 5\n", 2, "1>2:5 ");
    /* others are edges */
    check("2 1\n1 2\n", 2, "2>1:1 1>2:1 ");
    check("3 2\n0 1\n3 2\n", 4, "3>2:1 0>1:1 3>2:1 ");
    check("3 2\n2 4\n4 3\n", 4, "3>2:1 2>4:1 4>3:1 ");
    check("4 2\n1 2\n2 3\n3 4\n", 4, "4>2:1 1>2:1 2>3:1 3>4:1 ");
    check("4 4\n1 2\n2 3\n3 4\n", 4, "4>4:1 1>2:1 2>3:1 3>4:1 ");
    check("2 2\na b\nb a\n", 3, "2>2:1 a>b:1 b>a:1 ");
    check("4,3\n1,2\n2,3\n3,4\n", 4, "4>3:1 1>2:1 2>3:1 3>4:1 ");
    refuse("4 2\n1 2 9\n2 3 9\n3 4 9\n", ":2:|3 fields|first line has 2");
    refuse("4 3\n1 2\n2 3 x\n3 4\n", ":3:|3 fields|first line has 2");
    check_note("1234 2\n1 2\n1 3\n",
               "the first line counts 1,234 vertices and 2 edges; reading.columns 1,2 takes it");
    check_note("4 3\n1 2 9\n2 3 9\n3 4 9\n", "the first line counts 4 vertices and 3 edges");
    options.columns = "1,2";
    check("4 3\n1 2\n2 3\n3 4\n", 4, "4>3:1 1>2:1 2>3:1 3>4:1 ");
    check_note("4 3\n1 2\n2 3\n3 4\n", "");
    options.columns = NULL;
}

static void unused_numbers_are_told(void **state)
{
    (void)state;
    check_note("1 2\n3 1\n", "");
    check_note("10 1\n2 3\n4 5\n7 7\n", "10 vertices, 3 of them without an edge");
    check_note("0 5\n2 0\n",
               "6 vertices, 3 of them without an edge: all numbers up to the largest");
    check_note("a 5\n2 a\n", "");
    check_note("2000 2\n5 6\n6 7\n", "2,000 vertices, 1,997 of them without an edge");
}

/* A comment of SNAP or KONECT, or Gephi's column, says that edges lead both ways. */
static void directions_are_stated(void **state)
{
    static const char *const both[] = {
        "# Undirected graph (each unordered pair once): x.txt\n# more\n1 2\n2 2\n",
        "%  undirected network\n1 2\n2 2\n",
        "# first\r\n#UNDIRECTED\r\n1 2\r\n2 2\r\n",
        "% sym unweighted\n1 2\n2 2\n",
        "Source,Target,Type\n1,2,Undirected\n2,2,undirected\n",
        "Id,type,Source,Target,Weight\n7,Undirected,1,2,1\n7,Undirected,2,2,1\n"};
    static const char *const one[] = {
        "# Directed graph\n1 2\n2 2\n",        "# Undirected edges are there twice\n1 2\n2 2\n",
        "# not undirected graph\n1 2\n2 2\n",  "% asym positive\n1 2\n2 2\n",
        "# sym positive\n1 2\n2 2\n",          "% sym bols\n1 2\n2 2\n",
        "1 2\n# Undirected graph\n2 2\n",      "Source,Target,Type\n1,2,Directed\n2,2,Directed\n",
        "Source,Target,Type\n1,2,road\n2,2,\n"};
    (void)state;
    for (size_t i = 0; i < sizeof both / sizeof *both; i++) {
        check(both[i], 2, "1>2:1 2>1:1 2>2:1 ");
        check_note(both[i],
                   i < 4 ? "as a comment says; reading.directed" : "as the column Type says");
        options.directed = true;
        check(both[i], 2, "1>2:1 2>2:1 ");
        check_note(both[i], "");
        options.directed = false;
        options.undirected = true;
        check(both[i], 2, "1>2:1 2>1:1 2>2:1 ");
        check_note(both[i], "");
        options.undirected = false;
    }
    for (size_t i = 0; i < sizeof one / sizeof *one; i++) {
        check(one[i], 2, "1>2:1 2>2:1 ");
        check_note(one[i], "");
    }
    check("Source,Target,Type\n1,2,Directed\n2,3,Undirected\n2,2,undirected\n", 3,
          "1>2:1 2>3:1 3>2:1 2>2:1 ");
    refuse("% bip unweighted\n1 2\n2 1\n", ":1:|bipartite|reading.columns 1,2");
    options.columns = "1,2";
    check("% bip unweighted\n1 2\n2 1\n", 2, "1>2:1 2>1:1 ");
    options.columns = NULL;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_weight_is_named),      cmocka_unit_test(an_index_is_passed_over),
        cmocka_unit_test(a_first_line_may_count), cmocka_unit_test(unused_numbers_are_told),
        cmocka_unit_test(directions_are_stated),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
