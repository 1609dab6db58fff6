/* The command `apsp-query`: single distances and shortest paths, from a file of distances and its graph. */
#include "base/mem.h"
#include "cli/input.h"
#include "cli/subject.h"
#include "proof/predecessor.h"

#include <errno.h>
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_MAX_BYTES = 8200 }; /* of a line of pairs */

struct command {
    const char *graph, *distances;
    struct graph_options input;
    const char *pairs; /* path of a file of pairs, "-" for stdin; NULL: from and to are the only one */
    const char *pair[2];
    bool path, stop;
};

/* U and V are there unless --pairs is. */
static int check_pair(void *fields, struct apsp_error *error)
{
    const struct command *command = fields;
    if (command->pairs && command->pair[0])
        return error_set(error, APSP_USAGE, "'%s' is one argument too many", command->pair[0]);
    if (!command->pairs && !command->pair[1])
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
     .help = "every line of FILE is a pair `U V`, with a tab between names that hold blanks, `-` is standard "
             "input; pairs with the same U one after the "
             "other take the least time"},
    INPUT_OPTIONS(FIELD(input)),
};

static const struct option_argument arguments[] = {
    {"GRAPH", FIELD(graph)}, {"DISTANCES", FIELD(distances)}, {"U", FIELD(pair[0])}, {"V", FIELD(pair[1])}};

static const struct option_program program = {
    .name = "apsp-query",
    .usage = "apsp-query [options] GRAPH DISTANCES U V\n"
             "apsp-query [options] --pairs FILE GRAPH DISTANCES",
    .about =
        "Prints the distance from vertex U to vertex V, and one shortest path. DISTANCES is what apsp has "
        "written for GRAPH; only the entries that are asked for are read, but --path reads all of GRAPH "
        "and, for every U, its row. Vertices are called as in GRAPH.\n"
        "\n"
        "A pair gives one line: `U V DISTANCE`, or `U V unreachable`; with --path, "
        "`U V DISTANCE : U ... V`.",
    .exits =
        "0 done, 2 command line, 3 content of a file, 4 too little memory, 5 a file cannot be read, 8 an "
        "entry is no distance, or a row not that of GRAPH's distances",
    .examples = "apsp-query --path roads.gr distances.npy 17 4\n"
                "echo 17 4 | apsp-query --pairs - roads.gr distances.npy",
    .print_list = graph_source_print,
    .rows = option_rows,
    .row_count = sizeof option_rows / sizeof *option_rows,
    .arguments = arguments,
    .argument_count = 4,
    .needed = 2,
    .stop = FIELD(stop),
    .check = check_pair,
};

/* What answers are made from; the rest is of --path alone. */
struct query {
    const struct command *command;
    struct subject subject;
    struct predecessor_space *space;
    void *row;
    int32_t *tree; /* of row `from`, once one has been asked for */
    size_t from;
    uint32_t *path; /* backwards */
};

enum answer { DISTANCE, UNREACHABLE, IMPOSSIBLE };

/* What the value is, and its text; floating-point numbers get as many digits as tell them from their
 * neighbours. */
static enum answer show(char text[40], enum dtype dtype, const void *value)
{
    const int64_t infinity = dtype_info[dtype].unreachable;
    if (dtype_info[dtype].real) {
        float narrow = dtype == DTYPE_F32 ? *(const float *)value : 0;
        double number = dtype == DTYPE_F32 ? (double)narrow : *(const double *)value;
        int digits = dtype == DTYPE_F32 ? 6 : 15;
        do
            snprintf(text, 40, "%.*g", digits, number);
        while (digits++ < 17 &&
               (dtype == DTYPE_F32 ? strtof(text, NULL) != narrow : strtod(text, NULL) != number));
        return isfinite(number) ? DISTANCE : number > 0 ? UNREACHABLE : IMPOSSIBLE;
    }
    int64_t number = dtype == DTYPE_U16   ? *(const uint16_t *)value
                     : dtype == DTYPE_I32 ? *(const int32_t *)value
                                          : *(const int64_t *)value;
    snprintf(text, 40, "%lld", (long long)number);
    return number > infinity || number <= -infinity ? IMPOSSIBLE
           : number == infinity                     ? UNREACHABLE
                                                    : DISTANCE;
}

/* Makes query->tree that of vertex u. */
static int make_tree(struct query *query, size_t u, struct apsp_error *error)
{
    char why[CERTIFY_WHY];
    if (query->from == u)
        return APSP_OK;
    query->from = SIZE_MAX;
    if (matrix_read(&query->subject.distances, u, 0, query->subject.graph.n, query->row, error) != APSP_OK)
        return error->code;
    if (!predecessor_row(&query->subject.certificate, query->space, u, query->row, query->tree, why))
        return error_set(error, APSP_REFUTED, "%s: these are not the distances of %s: %s",
                         query->command->distances, query->command->graph, why);
    query->from = u;
    return APSP_OK;
}

static void print_path(struct query *query, size_t v)
{
    const struct labels labels = graph_labels(&query->subject.graph);
    char text[LABEL_SHOWN];
    size_t length = 0;
    for (int32_t at = (int32_t)v; at >= 0; at = query->tree[at])
        query->path[length++] = (uint32_t)at;
    fputs(" :", stdout);
    while (length > 0)
        printf(" %s", label_text(labels, query->path[--length], text));
}

static int answer(struct query *query, size_t u, size_t v, struct apsp_error *error)
{
    union value value;
    char text[40];
    const struct labels labels = graph_labels(&query->subject.graph);
    char from[LABEL_SHOWN], to[LABEL_SHOWN];
    if (matrix_read(&query->subject.distances, u, v, 1, &value, error) != APSP_OK)
        return error->code;
    enum answer kind = show(text, query->subject.distances.dtype, &value);
    if (kind == IMPOSSIBLE)
        return error_set(error, APSP_REFUTED,
                         "%s: the entry of vertices %s and %s is %s, which is no distance",
                         query->command->distances, LABEL(labels, u), LABEL(labels, v), text);
    if (query->command->path && make_tree(query, u, error) != APSP_OK)
        return error->code;
    printf("%s %s %s", label_text(labels, u, from), label_text(labels, v, to),
           kind == DISTANCE ? text : "unreachable");
    if (query->command->path && kind == DISTANCE)
        print_path(query, v);
    putchar('\n');
    return APSP_OK;
}

static int answer_line(struct query *query, char *line, const char *where, struct apsp_error *error)
{
    /* A name may hold blanks: a tab then stands between the two. */
    bool tabs = query->subject.graph.names && strchr(line, '\t');
    const char *blanks = tabs ? "\t\r\n" : " \t\r\n";
    char *rest, *from = strtok_r(line, blanks, &rest), *to = strtok_r(NULL, blanks, &rest);
    const struct graph *graph = &query->subject.graph;
    size_t u, v;
    if (!from)
        return APSP_OK;
    if (!to || strtok_r(NULL, blanks, &rest))
        return error_set(error, APSP_INPUT, "%sa line must be a pair 'U V'", where);
    if (graph_vertex(graph, from, &u, APSP_INPUT, where, error) != APSP_OK ||
        graph_vertex(graph, to, &v, APSP_INPUT, where, error) != APSP_OK)
        return error->code;
    return answer(query, u, v, error);
}

static int answer_lines(struct query *query, FILE *file, const char *name, struct apsp_error *error)
{
    char line[LINE_MAX_BYTES + 2], where[300];
    for (size_t number = 1; fgets(line, sizeof line, file); number++) {
        size_t length = strlen(line);
        snprintf(where, sizeof where, "%.200s:%zu: ", name, number);
        if (length == 0 || (line[length - 1] != '\n' && !feof(file)))
            return error_set(error, APSP_INPUT, "%sis no line of at most %d bytes of text", where,
                             LINE_MAX_BYTES);
        if (answer_line(query, line, where, error) != APSP_OK)
            return error->code;
    }
    return ferror(file) ? error_set(error, APSP_IO, "%s: cannot be read: %s", name, strerror(errno))
                        : APSP_OK;
}

static int answer_all(struct query *query, struct apsp_error *error)
{
    const struct command *command = query->command;
    bool standard = command->pairs && strcmp(command->pairs, "-") == 0;
    size_t pair[2];
    if (!command->pairs) {
        for (int i = 0; i < 2; i++)
            if (graph_vertex(&query->subject.graph, command->pair[i], &pair[i], APSP_USAGE, "", error) !=
                APSP_OK)
                return error->code;
        return answer(query, pair[0], pair[1], error);
    }
    FILE *file = standard ? stdin : fopen(command->pairs, "re");
    if (!file)
        return error_set(error, APSP_IO, "%s: cannot open the pairs: %s", command->pairs, strerror(errno));
    answer_lines(query, file, standard ? "standard input" : command->pairs, error);
    if (!standard)
        fclose(file);
    return error->code;
}

static int prepare_paths(struct query *query, struct apsp_error *error)
{
    size_t n = query->subject.graph.n, need, rows;
    enum dtype dtype = query->subject.distances.dtype;
    mem_mul(&rows, n, dtype_info[dtype].bytes + sizeof *query->tree + sizeof *query->path);
    mem_add(&need, predecessor_need(n, dtype), rows);
    if (subject_load(&query->subject, need, omp_get_max_threads(), error))
        return error->code;
    query->row = malloc(n * dtype_info[dtype].bytes);
    query->tree = malloc(n * sizeof *query->tree);
    query->path = malloc(n * sizeof *query->path);
    query->space = predecessor_space_new(n, dtype);
    if (!query->row || !query->tree || !query->path || !query->space)
        error_set(error, APSP_MEMORY, "no memory for paths in a graph of %zu vertices", n);
    return error->code;
}

static int run(const struct command *command, struct apsp_error *error)
{
    struct query query = {.command = command, .from = SIZE_MAX};
    if (subject_open(&query.subject, command->graph, &command->input, command->distances, error) == APSP_OK &&
        (!command->path || prepare_paths(&query, error) == APSP_OK))
        answer_all(&query, error);
    if ((fflush(stdout) != 0 || ferror(stdout)) && !error->code)
        error_set(error, APSP_IO, "standard output: cannot be written: %s", strerror(errno));
    predecessor_space_free(query.space);
    free(query.path);
    free(query.tree);
    free(query.row);
    subject_free(&query.subject);
    return error->code;
}

int main(int argc, char **argv)
{
    struct command command = {0};
    struct apsp_error error = {0};
    if (option_parse(&program, &command, argc, argv, &error) == APSP_OK && !command.stop)
        run(&command, &error);
    if (error.code)
        fprintf(stderr, "apsp-query: %s\n", error.text);
    return error.code;
}
