#include "cli/ask.h"

#include "base/file.h"
#include "base/number.h"
#include "base/text.h"
#include "graph/fields.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_MAX_BYTES = 8200 };

/* What a line is made of. */
struct words {
    const char *where; /* begins messages */
    struct field field[FIELDS_MAX];
    int count;
};

static int find_vertex(const struct query *query, const struct words *line, int field,
                       size_t *vertex, struct apsp_error *error)
{
    line->field[field].text[line->field[field].length] = '\0';
    return graph_vertex(&query->subject.graph, (const char *)line->field[field].text, vertex,
                        APSP_INPUT, line->where, error);
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

static int cut_line(const struct query *query, char *text, struct words *line,
                    struct apsp_error *error)
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
        return error_set(error, APSP_INPUT,
                         "%sexpected a pair 'U V', with a blank or a tab between them",
                         line->where);
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
        return error_set(error, APSP_INPUT, "'%s' is not a number of vertices",
                         line->field[2].text);
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
        bool pair = called && line->count == 2 &&
                    label_find(graph_labels(&query->subject.graph), query->subject.graph.n,
                               verbs[i].name, &vertex);
        if (!called || pair)
            continue;
        return line->count == verbs[i].fields
                   ? verbs[i].act(query, line, error)
                   : error_set(error, APSP_INPUT, "it is `%s`", verbs[i].usage);
    }
    if (line->count == 0 || line->count == 2)
        return answer_line(query, line, error);
    return error_set(error, APSP_INPUT, "expected a pair `U V`; `help` lists the commands");
}

/* A line as fgets has it, which then ends with a line feed. */
static int check_line(char *text, FILE *file, const char *where, struct apsp_error *error)
{
    size_t length = strlen(text);
    if (length == 0 || (text[length - 1] != '\n' && !feof(file)))
        return error_set(error, APSP_INPUT, "%sexpected a line of at most %d bytes of text", where,
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
        const size_t length = strlen(text), mark = number == 1 ? text_mark(text, length) : 0;
        snprintf(where, sizeof where, "%.200s:%zu: ", name, number);
        if ((number == 1 && file_check_text(name, text, length, error) != APSP_OK) ||
            check_line(text, file, where, error) != APSP_OK ||
            cut_line(query, text + mark, &line, error) != APSP_OK ||
            answer_line(query, &line, error) != APSP_OK)
            return error->code;
    }
    return ferror(file) ? error_set(error, APSP_IO, "%s: cannot be read: %s", name, strerror(errno))
                        : APSP_OK;
}

int ask_terminal(struct query *query)
{
    char text[LINE_MAX_BYTES + 3];
    struct words line = {.where = ""};
    query_print_numbering(query, "");
    puts("U V gives a distance; help lists the commands.");
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

int ask_file(struct query *query, const char *path, struct apsp_error *error)
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
