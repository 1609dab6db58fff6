/* The directions of the edges of a list: those that a column tells for each line, and what is said
 * of all. */
#include "base/setting.h"
#include "graph/list_lines.h"

#include "base/text.h"
#include "base/words.h"

#include <string.h>

enum { WAY_ALONG, WAY_BACK, WAY_BOTH };

/* In which direction the edge of a line leads. Of Gephi's Type all but Undirected is Directed. */
static int take_direction(const struct graph *graph, const struct list_entry *entry, int *way,
                          struct apsp_error *error)
{
    static const char *const words[] = {[WAY_ALONG] =
                                            "yes, true, 1, y, t, oneway, along, forward, directed",
                                        [WAY_BACK] = "-1, reverse, back, backward",
                                        [WAY_BOTH] = "no, false, 0, n, f, both, undirected, 0.0"};
    const struct field *field = &entry->direction;
    char word[TEXT_NUMBER] = "";
    for (size_t i = 0; i < field->length && i + 1 < sizeof word; i++)
        word[i] = text_lower((char)field->text[i]);
    if (!((const struct list *)graph->own)->shape.oneway) {
        *way = strcmp(word, "undirected") == 0 ? WAY_BOTH : WAY_ALONG;
        return APSP_OK;
    }
    for (*way = WAY_ALONG; *way <= WAY_BOTH; ++*way)
        if (words_find(words[*way], word) >= 0)
            return APSP_OK;
    *way = WAY_BOTH;
    if (field->length == 0)
        return APSP_OK;
    snprintf(word, sizeof word, "%s:", SETTING(ONEWAY));
    return fields_refuse(&(struct place){graph, entry->offset}, word, field,
                         "is none of yes, no, 1, 0 and -1", error);
}

int list_count_direction(struct graph *graph, const struct list_entry *entry,
                         struct apsp_error *error)
{
    struct list *list = graph->own;
    int way = WAY_ALONG;
    if (take_direction(graph, entry, &way, error) != APSP_OK)
        return error->code;
    list->both += way == WAY_BOTH;
    list->back += way == WAY_BACK;
    return APSP_OK;
}

void list_settle_direction(struct graph *graph)
{
    struct list *list = graph->own;
    const struct graph_options *options = &graph->options;
    if (options->directed || options->undirected)
        return;
    if (list->back > 0 || (list->both > 0 && list->both < graph->records)) {
        list->mixed = true;
        graph->m += list->both;
        graph_note(graph, "edges that lead both ways: %zu, back: %zu, as written: %zu", list->both,
                   list->back, graph->records - list->both - list->back);
    } else if (list->both > 0 || list->head.undirected) {
        graph->undirected = true;
        graph_note(graph, "edges lead both ways, as %s%s says; %s takes them as they are written",
                   list->shape.oneway ? "the column of "
                   : list->both > 0   ? "the column Type"
                                      : "a comment",
                   list->shape.oneway ? SETTING(ONEWAY) : "", SETTING(DIRECTED));
    } else if (list->shape.direction < 0) {
        returns_note(list->returns, graph);
    }
}

int list_direct_edge(struct list_reader *reader, const struct list_entry *entry, struct edge *edge,
                     struct apsp_error *error)
{
    const struct edge back = {edge->to, edge->from, edge->weight};
    int way = WAY_ALONG;
    if (take_direction(reader->part.graph, entry, &way, error) != APSP_OK)
        return error->code;
    reader->has_twin = way == WAY_BOTH && edge->from != edge->to;
    reader->twin = back;
    if (way == WAY_BACK)
        *edge = back;
    return APSP_OK;
}
