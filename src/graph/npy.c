/*
 * Square arrays of NumPy: entry (i, j) is the edge i -> j, vertices from 0, unless no_edge has
 * it; by default that has 0, infinities and NaN, as scipy.sparse.csgraph reads dense matrices.
 * Values lie row by row or column by column.
 */
#include "graph/absent.h"
#include "graph/numbers.h"
#include "graph/source.h"

#include <stdlib.h>
#include <string.h>

struct dense { /* graph->own */
    struct absent absent;
    struct numbers numbers;
};

struct reader {
    struct graph_part head;
    size_t major, minor; /* the next one's place: in a file by rows row and column */
    struct numbers_stream stream;
};

static int npy_open(struct graph *graph, struct apsp_error *error)
{
    struct dense *dense = graph->own = calloc(1, sizeof *dense);
    if (!dense)
        return error_set(error, APSP_MEMORY, "%s: no memory to open the graph", graph->path);
    struct numbers *numbers = &dense->numbers;
    numbers->name = "the array";
    numbers->file = graph->file;
    if (absent_read(&dense->absent, graph->options.no_edge, ABSENT_DENSE, error) != APSP_OK ||
        numbers_open(numbers, (struct range){0, graph->bytes}, 2, error) != APSP_OK)
        return error->code;
    size_t rows = numbers->head.shape[0], columns = numbers->head.shape[1];
    if (rows != columns || rows < 1 || rows > INT32_MAX)
        return error_set(error, APSP_INPUT,
                         "%s: the matrix of a graph must be square, of 1 to %d rows, not %zu x "
                         "%zu%s",
                         graph->path, INT32_MAX, rows, columns,
                         columns == 2 || columns == 3
                             ? "; numpy.savetxt makes a list of edges, which may be read"
                             : "");
    graph->n = rows;
    graph->m = graph->records = numbers->count;
    graph->real = numbers_real(numbers);
    graph->binary = true;
    return APSP_OK;
}

static int npy_begin(struct graph_part *head, int index, int parts, struct apsp_error *error)
{
    struct reader *reader = (struct reader *)head;
    const struct graph *graph = head->graph;
    (void)index;
    (void)parts;
    (void)error;
    reader->major = head->left.lo / graph->n;
    reader->minor = head->left.lo % graph->n;
    numbers_begin(&reader->stream, &((const struct dense *)graph->own)->numbers, head->left);
    return APSP_OK;
}

static int npy_next(struct graph_part *head, struct edge *edges, size_t room, size_t *count,
                    struct apsp_error *error)
{
    struct reader *reader = (struct reader *)head;
    const struct dense *dense = head->graph->own;
    const struct numbers *numbers = &dense->numbers;
    char shown[NUMBERS_SHOWN];
    union value weight = {0};
    for (; *count < room && range_length(head->left) > 0; head->left.lo++, head->records++) {
        if (numbers_next(&reader->stream, &weight, error) != APSP_OK)
            return error->code;
        bool by_columns = numbers->head.columns;
        uint32_t from = (uint32_t)(by_columns ? reader->minor : reader->major),
                 to = (uint32_t)(by_columns ? reader->major : reader->minor);
        if (++reader->minor == head->graph->n) {
            reader->minor = 0;
            reader->major++;
        }
        if (absent_has(&dense->absent, numbers_real(numbers), weight))
            continue;
        if (!numbers_is_weight(numbers, weight))
            return error_set(error, APSP_INPUT,
                             "%s: entry (%u, %u): %s is not a finite weight of at most 62 bits",
                             head->graph->path, from, to, numbers_show(numbers, weight, shown));
        edges[(*count)++] = (struct edge){from, to, weight};
    }
    return APSP_OK;
}

static enum graph_guess npy_guess(const struct graph_look *look)
{
    size_t length = strlen(NPY_MAGIC);
    return look->have > length && memcmp(look->text, NPY_MAGIC, length) == 0 ? GUESS_SURE
                                                                             : GUESS_NO;
}

const struct graph_source graph_npy = {.name = "npy",
                                       .about =
                                           "square array of NumPy, of any numbers; vertices from 0",
                                       .suffix = ".npy",
                                       .guess = npy_guess,
                                       .options = GRAPH_NO_EDGE,
                                       .binary = true,
                                       .reader = sizeof(struct reader),
                                       .open = npy_open,
                                       .close = graph_free_own,
                                       .begin = npy_begin,
                                       .next = npy_next};
