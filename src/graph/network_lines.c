#include "graph/network_lines.h"

#include "base/text.h"

#include <stdlib.h>

static bool take_text(const unsigned char *start, const unsigned char *end,
                      struct network_text *word)
{
    network_text_start(word);
    network_text_add(word, (const char *)start, (size_t)(end - start));
    return true;
}

bool network_take_word(const unsigned char **at, struct network_text *word)
{
    const unsigned char *start = line_skip_blanks(*at);
    *at = line_token_end(start);
    return word->there = *at > start && take_text(start, *at, word);
}

bool network_take_quoted(const unsigned char **at, struct network_text *word)
{
    const unsigned char *start = line_skip_blanks(*at), *end = start + 1;
    while (*start == '"' && !line_is_end(end) && *end != '"')
        end++;
    if (*start != '"' || *end != '"')
        return network_take_word(at, word);
    *at = end + 1;
    return take_text(start + 1, end, word);
}

static int no_memory(const struct graph *graph, struct apsp_error *error)
{
    return error_set(error, APSP_MEMORY, "%s: no memory to open the graph", graph->path);
}

static int read_part(struct file_part *part, const char *comments, void *self, network_line take,
                     struct graph *graph, struct apsp_error *error)
{
    struct network_item *item = calloc(1, sizeof *item);
    struct line line;
    if (!item)
        return no_memory(graph, error);
    while (line_next(part, comments, &line, error) == APSP_OK && line.text) {
        item->offset = line.offset;
        if (take(self, graph, &line, item, error) != APSP_OK)
            break;
    }
    free(item);
    return error->code;
}

int network_read_lines(struct graph *graph, const char *comments, void *self, network_line take,
                       struct apsp_error *error)
{
    struct file_part *part = calloc(1, sizeof *part);
    unsigned char mark[TEXT_MARK];
    const size_t have = graph->file.bytes < sizeof mark ? graph->file.bytes : sizeof mark;
    if (part && file_read(&graph->file, 0, mark, have, error) == APSP_OK) {
        const struct graph_file whole = {.body = text_mark(mark, have)};
        part->graph = graph;
        part->file = &whole;
        part->lo = part->at = whole.body;
        part->hi = graph->file.bytes;
        read_part(part, comments, self, take, graph, error);
    } else if (!part) {
        no_memory(graph, error);
    }
    free(part);
    return error->code;
}
