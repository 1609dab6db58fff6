/* The command `apsp-query`: single distances and shortest paths, from a file of distances and its
 * graph. */
#include "base/standard.h"
#include "cli/ask.h"
#include "cli/reported.h"

#include <unistd.h>

struct command {
    const char *graph, *distances;
    struct subject_options subject;
    const char *report;
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
        return error_set(error, APSP_USAGE, "'%s' is one argument too many: %s has the vertices",
                         command->pair[0], command->pairs ? "--pairs" : "--from");
    if ((command->all || command->nearest) && !command->from)
        return error_set(error, APSP_USAGE, "%s requires --from U",
                         command->all ? "--all" : "--nearest");
    if (command->from && (command->pairs || (command->all && command->nearest) ||
                          !(command->all || command->nearest)))
        return error_set(error, APSP_USAGE,
                         "--from U requires either --all or --nearest K, and excludes --pairs");
    if (!command->pairs && !command->from && !command->pair[1] && command->pair[0] &&
        access(command->distances, F_OK) != 0)
        return error_set(error, APSP_USAGE,
                         "DISTANCES '%s' is not there: it comes after GRAPH, and U and V after it",
                         command->distances);
    if (!command->pairs && !command->from && !command->pair[1] &&
        (command->pair[0] || !isatty(STDIN_FILENO)))
        return command->pair[0]
                   ? error_set(error, APSP_USAGE,
                               "the second vertex, V, is missing; '%s' was taken as the first, U",
                               command->pair[0])
                   : error_set(error, APSP_USAGE, "the first vertex, U, is missing");
    return APSP_OK;
}

#define FIELD(name) offsetof(struct command, name)

static const struct option_row option_rows[] = {
    {OPTION_HEADING, .help = "options"},
    {OPTION_FLAG, "path", NULL, FIELD(path),
     .help = "a shortest path too, of proved length: exact for integers, within rounding for "
             "floating point"},
    {OPTION_TEXT, "pairs", "FILE", FIELD(pairs),
     .help = "every line of FILE is a pair `U V`, and - is standard input. Names with blanks are "
             "in double quotes, or a tab is between the two"},
    {OPTION_TEXT, "from", "U", FIELD(from),
     .help = "the row of U, as one of the following two says"},
    {OPTION_FLAG, "all", NULL, FIELD(all), .help = "every vertex that U reaches, but U itself"},
    {OPTION_U64, "nearest", "K", FIELD(nearest), 1, INT32_MAX,
     .help = "of these the K nearest, and of equally near ones those of the least numbers"},
    {OPTION_TEXT, "report", "FILE", FIELD(report),
     .help = "read GRAPH with the options of the run whose report (apsp --json) this is"},
    SUBJECT_OPTIONS(FIELD(subject)),
};

static const struct option_argument arguments[] = {
    {"GRAPH", .offset = FIELD(graph), .about = INPUT_ABOUT},
    {"DISTANCES", .offset = FIELD(distances)},
    {"U", .offset = FIELD(pair[0])},
    {"V", .offset = FIELD(pair[1]), .about = " comes after GRAPH, DISTANCES and U"}};

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
    .about = "Prints the distance from vertex U to vertex V, and one shortest path. DISTANCES is a "
             "file of apsp or another program for GRAPH. Only the requested entries are read. "
             "--path reads all of GRAPH and, for every U, its row. Vertices have the names of "
             "GRAPH, or numbers, from 0 in edges32, npy and npz and from 1 in gr, mtx and metis. "
             "On a terminal, without U and V, it reads pairs line by line; `help` lists the "
             "commands.\n"
             "\n"
             "A pair gives one line: `U V DISTANCE`, or `U V unreachable`; with --path, "
             "`U V DISTANCE : U ... V`. With --from a line before them begins with # and says what "
             "vertices are called.",
    .exits = "0 done, 2 command line, 3 content of a file, 4 too little memory, 5 a file cannot be "
             "read, 8 an entry is not a distance, or a row does not fit GRAPH",
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

static int answer_all(struct query *query, const struct command *command, struct apsp_error *error)
{
    const struct graph *graph = &query->subject.graph;
    size_t pair[2];
    if (command->pairs)
        return ask_file(query, command->pairs, error);
    if (!command->from && !command->pair[0])
        return ask_terminal(query);
    if (graph_vertex(graph, command->from ? command->from : command->pair[0], &pair[0], APSP_USAGE,
                     "", error) != APSP_OK)
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
    struct subject_options options = command->subject;
    cJSON *report = NULL;
    if ((!command->report ||
         reported_options(&options, command->report, &report, error) == APSP_OK) &&
        comm_solo(&query.subject.comm, error) == APSP_OK &&
        subject_open(&query.subject, command->graph, command->distances, &options, error) ==
            APSP_OK &&
        check_multiples(&query, error) == APSP_OK &&
        (!command->path || query_prepare(&query, error) == APSP_OK))
        answer_all(&query, command, error);
    standard_flush(error);
    query_free(&query);
    cJSON_Delete(report);
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
