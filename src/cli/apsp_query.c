/* The command `apsp-query`: single distances and shortest paths, from a file of distances and its graph. */
#include "base/number.h"
#include "base/standard.h"
#include "cli/query.h"
#include "graph/fields.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINE_MAX_BYTES = 8200 }; /* of a line of pairs */

struct command {
    const char *graph, *distances;
    struct subject_options subject;
    const char *pairs; /* path of a file of pairs, "-" for stdin */
    const char *pair[2];
    const char *from; /* the row that is asked for: all of it, or the nearest */
    size_t nearest;
    bool all, path, stop;
};

/* U and V are there, or what takes their place; on a terminal the rest is asked for. */
static int check_question(void *fields, struct apsp_error *error)
{
    const struct command *command = fields;
    if ((command->pairs || command->from) && command->pair[0])
        return error_set(error, APSP_USAGE, "'%s' is one argument too many", command->pair[0]);
    if ((command->all || command->nearest) && !command->from)
        return error_set(error, APSP_USAGE, "%s: --from U must say from where",
                         command->all ? "--all" : "--nearest");
    if (command->from &&
        (command->pairs || (command->all && command->nearest) || !(command->all || command->nearest)))
        return error_set(error, APSP_USAGE, "--from U takes either --all or --nearest K, and no --pairs");
    if (!command->pairs && !command->from && !command->pair[1] && (command->pair[0] || !isatty(STDIN_FILENO)))
        return error_set(error, APSP_USAGE, "%s is missing", command->pair[0] ? "V" : "U");
    return APSP_OK;
}

#define FIELD(name) offsetof(struct command, name)

static const struct option_row option_rows[] = {
    {OPTION_HEADING, .help = "options"},
    {OPTION_FLAG, "path", NULL, FIELD(path),
     .help = "a shortest path too, proved to be as long as the distance: exactly for whole numbers, for "
             "floating-point ones but for the rounding of sums"},
    {OPTION_TEXT, "pairs", "FILE", FIELD(pairs),
     .help = "every line of FILE is a pair `U V`, - is standard input; names that hold blanks are in double "
             "quotes, or a tab is between the two; pairs with the same U one after the other take the least "
             "time"},
    {OPTION_TEXT, "from", "U", FIELD(from), .help = "the row of U, as one of the following two says"},
    {OPTION_FLAG, "all", NULL, FIELD(all), .help = "every vertex that U reaches, but U itself"},
    {OPTION_U64, "nearest", "K", FIELD(nearest), 1, INT32_MAX,
     .help = "of these the K nearest, and of equally near ones those of the least numbers"},
    SUBJECT_OPTIONS(FIELD(subject)),
};

static const struct option_argument arguments[] = {{"GRAPH", .offset = FIELD(graph)},
                                                   {"DISTANCES", .offset = FIELD(distances)},
                                                   {"U", .offset = FIELD(pair[0])},
                                                   {"V", .offset = FIELD(pair[1])}};

static void print_formats(void)
{
    graph_source_print();
    distances_format_print();
}

static const struct option_program program = {
    .name = "apsp-query",
    .usage = "apsp-query [options] GRAPH DISTANCES [U V]\n"
             "apsp-query [options] --pairs FILE GRAPH DISTANCES\n"
             "apsp-query [options] --from U --all|--nearest K GRAPH DISTANCES",
    .about =
        "Prints the distance from vertex U to vertex V, and one shortest path. DISTANCES is what apsp, or "
        "somebody else, has written for GRAPH; only the entries that are asked for are read, but --path "
        "reads "
        "all of GRAPH and, for every U, its row. Vertices are called as in GRAPH: by their names, or by "
        "numbers, from 0 in edges32, npy and npz and from 1 in gr, mtx and metis. "
        "On a terminal, without U and V, it asks for them, line by line; `help` says what else there is.\n"
        "\n"
        "A pair gives one line: `U V DISTANCE`, or `U V unreachable`; with --path, "
        "`U V DISTANCE : U ... V`. --from has a line before them that begins with # and tells how vertices "
        "are called.",
    .exits =
        "0 done, 2 command line, 3 content of a file, 4 too little memory, 5 a file cannot be read, 8 an "
        "entry is no distance, or a row not that of GRAPH's distances",
    .examples = "apsp-query --path roads.gr distances.npy 17 4\n"
                "echo 17 4 | apsp-query --pairs - roads.gr distances.npy\n"
                "apsp-query --from LUX --nearest 5 flights.csv distances.npy",
    .print_list = print_formats,
    .rows = option_rows,
    .row_count = sizeof option_rows / sizeof *option_rows,
    .arguments = arguments,
    .argument_count = 4,
    .needed = 2,
    .stop = FIELD(stop),
    .check = check_question,
};

/* What a line is made of. */
struct words {
    const char *where; /* begins messages */
    struct field field[FIELDS_MAX];
    int count;
};

static int find_vertex(const struct query *query, const struct words *line, int field, size_t *vertex,
                       struct apsp_error *error)
{
    line->field[field].text[line->field[field].length] = '\0';
    return graph_vertex(&query->subject.graph, (const char *)line->field[field].text, vertex, APSP_INPUT,
                        line->where, error);
}

/* The pair that begins at that field. */
static int take_pair(struct query *query, const struct words *line, int field, bool path,
                     struct apsp_error *error)
{
    size_t pair[2];
    if (find_vertex(query, line, field, &pair[0], error) != APSP_OK ||
        find_vertex(query, line, field + 1, &pair[1], error) != APSP_OK)
        return error->code;
    return query_pair(query, pair, path, error);
}

static int cut_line(const struct query *query, char *text, struct words *line, struct apsp_error *error)
{
    /* A name may hold blanks: a tab then stands between the two, or quotes round it. */
    bool tabs = query->subject.graph.names && strchr(text, '\t');
    line->count = fields_cut(tabs ? '\t' : 0, (unsigned char *)text, line->field);
    if (line->count >= 0)
        return APSP_OK;
    return error_set(error, APSP_INPUT, "%sa quote does not end with its name", line->where);
}

static int answer_line(struct query *query, struct words *line, struct apsp_error *error)
{
    if (line->count == 0)
        return APSP_OK;
    if (line->count != 2)
        return error_set(error, APSP_INPUT, "%sa line must be a pair 'U V'", line->where);
    return take_pair(query, line, 0, query->paths, error);
}

static int do_path(struct query *query, struct words *line, struct apsp_error *error)
{
    return take_pair(query, line, 1, true, error);
}

static int do_nearest(struct query *query, struct words *line, struct apsp_error *error)
{
    size_t u;
    uint64_t count;
    if (find_vertex(query, line, 1, &u, error) != APSP_OK)
        return error->code;
    line->field[2].text[line->field[2].length] = '\0';
    if (!number_parse((const char *)line->field[2].text, 1, INT32_MAX, &count))
        return error_set(error, APSP_INPUT, "'%s' is no number of vertices", line->field[2].text);
    return query_row(query, u, count, error);
}

static int do_all(struct query *query, struct words *line, struct apsp_error *error)
{
    size_t u;
    return find_vertex(query, line, 1, &u, error) ? error->code : query_row(query, u, 0, error);
}

static int do_help(struct query *query, struct words *line, struct apsp_error *error);

/* What may stand on a line beside a pair. */
static const struct verb {
    const char *name;
    int fields;
    const char *usage, *help;
    int (*act)(struct query *query, struct words *line, struct apsp_error *error);
} verbs[] = {
    {"path", 3, "path U V", "and a shortest path", do_path},
    {"nearest", 3, "nearest U K", "the K vertices that are the nearest to U", do_nearest},
    {"all", 2, "all U", "every vertex that U reaches", do_all},
    {"help", 1, "help", "this list", do_help},
};

static int do_help(struct query *query, struct words *line, struct apsp_error *error)
{
    (void)query;
    (void)line;
    printf("  %-12s %s\n", "U V", "the distance from U to V");
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
        printf("  %-12s %s\n", verbs[i].usage, verbs[i].help);
    puts("Names with blanks are in double quotes. Ctrl-D ends.");
    return error->code;
}

/* A pair of vertices goes before a word of the same name. */
static int answer_words(struct query *query, struct words *line, struct apsp_error *error)
{
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) {
        size_t length = strlen(verbs[i].name), vertex;
        bool called = line->count > 0 && line->field[0].length == length &&
                      memcmp(line->field[0].text, verbs[i].name, length) == 0;
        bool pair =
            called && line->count == 2 &&
            label_find(graph_labels(&query->subject.graph), query->subject.graph.n, verbs[i].name, &vertex);
        if (!called || pair)
            continue;
        return line->count == verbs[i].fields ? verbs[i].act(query, line, error)
                                              : error_set(error, APSP_INPUT, "it is `%s`", verbs[i].usage);
    }
    if (line->count == 0 || line->count == 2)
        return answer_line(query, line, error);
    return error_set(error, APSP_INPUT, "it is a pair `U V`; `help` says what else there is");
}

/* A line as fgets has it, which then ends with a line feed. */
static int check_line(char *text, FILE *file, const char *where, struct apsp_error *error)
{
    size_t length = strlen(text);
    if (length == 0 || (text[length - 1] != '\n' && !feof(file)))
        return error_set(error, APSP_INPUT, "%sis no line of at most %d bytes of text", where,
                         LINE_MAX_BYTES);
    if (text[length - 1] != '\n')
        strcpy(text + length, "\n");
    return APSP_OK;
}

static int answer_lines(struct query *query, FILE *file, const char *name, struct apsp_error *error)
{
    char text[LINE_MAX_BYTES + 3], where[300];
    struct words line = {.where = where};
    for (size_t number = 1; fgets(text, sizeof text - 1, file); number++) {
        snprintf(where, sizeof where, "%.200s:%zu: ", name, number);
        if (check_line(text, file, where, error) != APSP_OK ||
            cut_line(query, text, &line, error) != APSP_OK || answer_line(query, &line, error) != APSP_OK)
            return error->code;
    }
    return ferror(file) ? error_set(error, APSP_IO, "%s: cannot be read: %s", name, strerror(errno))
                        : APSP_OK;
}

/* Line by line, as they are typed; what is wrong with one ends nothing. */
static int converse(struct query *query)
{
    char text[LINE_MAX_BYTES + 3];
    struct words line = {.where = ""};
    query_print_numbering(query, "");
    puts("U V gives a distance; help says what else there is.");
    for (;;) {
        struct apsp_error error = {0};
        fputs("> ", stdout);
        if (fflush(stdout) != 0 || !fgets(text, sizeof text - 1, stdin))
            break;
        if (check_line(text, stdin, "that ", &error) == APSP_OK &&
            cut_line(query, text, &line, &error) == APSP_OK)
            answer_words(query, &line, &error);
        fflush(stdout);
        if (error.code)
            fprintf(stderr, "%s\n", error.text);
    }
    putchar('\n');
    return APSP_OK;
}

static int answer_file(struct query *query, const char *path, struct apsp_error *error)
{
    bool standard = strcmp(path, "-") == 0;
    FILE *file = standard ? stdin : fopen(path, "re");
    if (!file)
        return error_set(error, APSP_IO, "%s: cannot open the pairs: %s", path, strerror(errno));
    answer_lines(query, file, standard ? "standard input" : path, error);
    if (!standard)
        fclose(file);
    return error->code;
}

static int answer_all(struct query *query, const struct command *command, struct apsp_error *error)
{
    const struct graph *graph = &query->subject.graph;
    size_t pair[2];
    if (command->pairs)
        return answer_file(query, command->pairs, error);
    if (!command->from && !command->pair[0])
        return converse(query);
    if (graph_vertex(graph, command->from ? command->from : command->pair[0], &pair[0], APSP_USAGE, "",
                     error) != APSP_OK)
        return error->code;
    if (command->from) {
        query_print_numbering(query, "# ");
        return query_row(query, pair[0], command->nearest, error);
    }
    return graph_vertex(graph, command->pair[1], &pair[1], APSP_USAGE, "", error)
               ? error->code
               : query_pair(query, pair, query->paths, error);
}

/* Only the edges tell whether whole distances are those of real weights. */
static int check_multiples(struct query *query, struct apsp_error *error)
{
    const struct subject *subject = &query->subject;
    return subject->graph.real && !subject->distances.real ? query_load(query, error) : APSP_OK;
}

static int run(const struct command *command, struct apsp_error *error)
{
    struct query query = {.paths = command->path, .from = SIZE_MAX, .of = SIZE_MAX};
    if (comm_solo(&query.subject.comm, error) == APSP_OK &&
        subject_open(&query.subject, command->graph, command->distances, &command->subject, error) ==
            APSP_OK &&
        check_multiples(&query, error) == APSP_OK &&
        (!command->path || query_prepare(&query, error) == APSP_OK))
        answer_all(&query, command, error);
    standard_flush(error);
    query_free(&query);
    return error->code;
}

static int query(int argc, char **argv)
{
    struct command command = {0};
    struct apsp_error error = {0};
    if (option_parse(&program, &command, argc, argv, &error) == APSP_OK && !command.stop)
        run(&command, &error);
    if (error.code)
        standard_tell("apsp-query", &error, "");
    return error.code;
}

int main(int argc, char **argv)
{
    return standard_run("apsp-query", query, argc, argv);
}
