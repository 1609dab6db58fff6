#include "graph/list_head.h"

#include "base/setting.h"
#include "base/text.h"
#include "graph/fields.h"

#include <stdlib.h>
#include <string.h>

/* The next word of a line; goes beyond it. */
static struct field take_word(unsigned char **at)
{
    struct field word = {*at + (line_skip_blanks(*at) - *at), 0};
    word.length = (size_t)(line_token_end(word.text) - word.text);
    *at = word.text + word.length;
    return word;
}

static bool is_one_of(const struct field *word, const char *const *names)
{
    while (*names && !fields_called(word, *names, strlen(*names)))
        names++;
    return *names;
}

/* The kinds of weights that KONECT's first line names. */
static const char *const konect[] = {"unweighted",  "positive", "posweighted",   "signed",
                                     "multisigned", "weighted", "multiweighted", "multiposweighted",
                                     "dynamic",     NULL};

/* A comment of one line, from its mark on. */
static void read_comment(unsigned char *at, struct list_head *head, bool *bipartite)
{
    static const char *const graphs[] = {"graph", "network", "graph:", "network:", "", NULL};
    const unsigned char mark = *at++;
    struct field one = take_word(&at), two = take_word(&at);
    if (fields_called(&one, "undirected", strlen("undirected")))
        head->undirected |= is_one_of(&two, graphs);
    if (mark != '%' || !is_one_of(&two, konect))
        return;
    head->undirected |= fields_called(&one, "sym", strlen("sym"));
    *bipartite |= fields_called(&one, "bip", strlen("bip"));
}

/* Whole lines of comments; a line feed ends each. */
static void read_comments(unsigned char *text, size_t bytes, struct list_head *head,
                          bool *bipartite)
{
    for (unsigned char *at = text, *end; (end = memchr(at, '\n', bytes - (size_t)(at - text)));
         at = end + 1) {
        unsigned char *mark = at + (line_skip_blanks(at) - at);
        if (*mark == '#' || *mark == '%')
            read_comment(mark, head, bipartite);
    }
}

int list_head_read(struct list_head *head, const struct graph *graph, size_t end,
                   const unsigned char *first, struct apsp_error *error)
{
    const size_t bytes = end < LOOK_BYTES ? end : LOOK_BYTES;
    unsigned char *text = malloc(bytes + 1);
    bool bipartite = false;
    *head = (struct list_head){0};
    if (!text)
        return error_set(error, APSP_MEMORY, "%s: no memory to open the graph", graph->path);
    if (file_read(&graph->file, 0, text, bytes, error) == APSP_OK)
        read_comments(text, bytes, head, &bipartite);
    free(text);
    if (error->code || graph->options.columns)
        return error->code;
    if (bipartite) {
        char what[TEXT_LINE];
        snprintf(
            what, sizeof what,
            "a bipartite graph of KONECT, whose columns number different vertices: letters before "
            "the numbers of one column tell them apart; %s 1,2 takes equal numbers for one vertex",
            SETTING(COLUMNS));
        return line_refuse_at(graph, 0, what, error);
    }
    first = line_scan_whole(first, 1, NAMES_MAX, &head->vertices);
    first = first ? line_scan_whole(first, 1, INT64_MAX / 32, &head->edges) : NULL;
    head->counted = first && line_is_end(line_skip_blanks(first));
    return APSP_OK;
}
