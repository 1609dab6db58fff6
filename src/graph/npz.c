/*
 * Sparse matrices as scipy.sparse.save_npz writes them: a ZIP archive of arrays of NumPy. `format`
 * is csr, csc or coo, `shape` the size; csr and csc have `indptr`, `indices` and `data`, coo has
 * `row`, `col` and `data`. Entry (i, j) is the edge i -> j, vertices from 0. What is stored is an
 * edge, with a weight of 0 too, unless no_edge has it; by default that has infinities and NaN, as
 * scipy.sparse.csgraph reads such matrices.
 */
#include "base/zip.h"
#include "graph/absent.h"
#include "graph/numbers.h"
#include "graph/source.h"

#include <stdlib.h>
#include <string.h>

enum { ARRAYS = 3, CODE_MAX = 16 };
enum { FIRST, SECOND, DATA }; /* indptr or row, indices or col */
enum layout { CSR, CSC, COO, LAYOUTS };

static const char *const layouts[LAYOUTS] = {"csr", "csc", "coo"};

struct sparse { /* graph->own */
    struct zip zip;
    enum layout layout;
    struct absent absent;
    struct numbers array[ARRAYS];
};

struct reader {
    struct graph_part head;
    size_t row, end; /* of csr and csc: the row in hand, and where its entries end */
    struct numbers_stream stream[ARRAYS];
};

static int find_array(struct graph *graph, const char *name, struct numbers *numbers,
                      struct range *where, struct apsp_error *error)
{
    struct sparse *sparse = graph->own;
    char file[ZIP_NAME];
    snprintf(file, sizeof file, "%s.npy", name);
    const struct zip_member *member = zip_find(&sparse->zip, file);
    numbers->name = name;
    if (!member)
        return error_set(error, APSP_INPUT,
                         "%s: a ZIP archive without %s: it is not a sparse matrix of SciPy",
                         graph->path, file);
    return zip_extract(&sparse->zip, member, &numbers->file, where, error);
}

static int open_array(struct graph *graph, const char *name, struct numbers *numbers,
                      struct apsp_error *error)
{
    struct range where;
    if (find_array(graph, name, numbers, &where, error) == APSP_OK)
        numbers_open(numbers, where, 1, error);
    return error->code;
}

/* Text of no dimension, in bytes or in 32 bits a letter. */
static int read_layout(struct graph *graph, struct numbers *numbers, struct apsp_error *error)
{
    struct sparse *sparse = graph->own;
    unsigned char code[CODE_MAX];
    char name[CODE_MAX + 1] = "";
    struct range where;
    if (find_array(graph, "format", numbers, &where, error) != APSP_OK ||
        npy_read(&numbers->head, &numbers->file, where, error) != APSP_OK)
        return error->code;
    size_t bytes = where.hi - numbers->head.body, length = 0;
    bytes = bytes < CODE_MAX ? bytes : CODE_MAX;
    if (file_read(&numbers->file, numbers->head.body, code, bytes, error) != APSP_OK)
        return error->code;
    for (size_t i = 0; i < bytes; i++)
        if (code[i])
            name[length++] = code[i] > ' ' && code[i] < 127 ? (char)code[i] : '?';
    for (sparse->layout = CSR; sparse->layout < LAYOUTS; sparse->layout++)
        if (strcmp(name, layouts[sparse->layout]) == 0)
            return APSP_OK;
    return error_set(error, APSP_INPUT,
                     "%s: a sparse matrix of the format '%s', where csr, csc or coo is needed",
                     graph->path, name);
}

static int read_shape(struct graph *graph, struct numbers *numbers, struct apsp_error *error)
{
    struct numbers_stream stream;
    union value rows = {0}, columns = {0};
    if (open_array(graph, "shape", numbers, error) != APSP_OK)
        return error->code;
    numbers_begin(&stream, numbers, (struct range){0, numbers->count});
    if (numbers->count != 2 || numbers_real(numbers))
        return error_set(error, APSP_INPUT, "%s: the shape must be two integers", graph->path);
    if (numbers_next(&stream, &rows, error) != APSP_OK ||
        numbers_next(&stream, &columns, error) != APSP_OK)
        return error->code;
    if (rows.whole != columns.whole || rows.whole < 1 || rows.whole > INT32_MAX)
        return error_set(
            error, APSP_INPUT,
            "%s: the matrix of a graph must be square, of 1 to %d rows, not %lld x %lld",
            graph->path, INT32_MAX, (long long)rows.whole, (long long)columns.whole);
    graph->n = (size_t)rows.whole;
    return APSP_OK;
}

/* Of a member that is read once. */
static int read_once(struct graph *graph,
                     int (*read)(struct graph *graph, struct numbers *numbers,
                                 struct apsp_error *error),
                     struct apsp_error *error)
{
    struct numbers numbers = {.file = {.fd = -1}};
    read(graph, &numbers, error);
    if (numbers.file.unnamed)
        file_close(&numbers.file);
    return error->code;
}

/* The places of rows begin at 0 and ascend; the last one is the number of entries. */
static int check_places(struct graph *graph, struct apsp_error *error)
{
    struct sparse *sparse = graph->own;
    const struct numbers *places = &sparse->array[FIRST];
    struct numbers_stream stream;
    union value place = {0};
    int64_t before = 0;
    if (places->count != graph->n + 1)
        return error_set(error, APSP_INPUT,
                         "%s: indptr has %zu entries, where %zu are needed for %zu rows",
                         graph->path, places->count, graph->n + 1, graph->n);
    numbers_begin(&stream, places, (struct range){0, places->count});
    for (size_t i = 0; i < places->count; i++) {
        if (numbers_next(&stream, &place, error) != APSP_OK)
            return error->code;
        if (place.whole < before || (i == 0 && place.whole != 0))
            return error_set(error, APSP_INPUT,
                             "%s: indptr[%zu] is %lld: it must begin with 0 and ascend",
                             graph->path, i, (long long)place.whole);
        before = place.whole;
    }
    graph->records = (size_t)before;
    return APSP_OK;
}

static int check_counts(struct graph *graph, struct apsp_error *error)
{
    struct sparse *sparse = graph->own;
    const struct numbers *array = sparse->array;
    for (int i = FIRST; i < DATA; i++)
        if (numbers_real(&array[i]))
            return error_set(error, APSP_INPUT, "%s: %s must be integers, not '%s'", graph->path,
                             array[i].name, array[i].head.type);
    graph->records = array[DATA].count;
    if (sparse->layout != COO && check_places(graph, error) != APSP_OK)
        return error->code;
    for (int i = sparse->layout == COO ? FIRST : SECOND; i < ARRAYS; i++)
        if (array[i].count < graph->records ||
            (sparse->layout == COO && array[i].count != graph->records))
            return error_set(error, APSP_INPUT, "%s: %s has %zu entries, where there are %zu",
                             graph->path, array[i].name, array[i].count, graph->records);
    return APSP_OK;
}

static int npz_open(struct graph *graph, struct apsp_error *error)
{
    struct sparse *sparse = graph->own = calloc(1, sizeof *sparse);
    if (!sparse)
        return error_set(error, APSP_MEMORY, "%s: no memory to open the graph", graph->path);
    if (absent_read(&sparse->absent, graph->options.no_edge, ABSENT_SPARSE, error) != APSP_OK ||
        zip_open(&sparse->zip, &graph->file, error) != APSP_OK ||
        read_once(graph, read_layout, error) != APSP_OK ||
        read_once(graph, read_shape, error) != APSP_OK)
        return error->code;
    bool coo = sparse->layout == COO;
    if (open_array(graph, coo ? "row" : "indptr", &sparse->array[FIRST], error) != APSP_OK ||
        open_array(graph, coo ? "col" : "indices", &sparse->array[SECOND], error) != APSP_OK ||
        open_array(graph, "data", &sparse->array[DATA], error) != APSP_OK ||
        check_counts(graph, error) != APSP_OK)
        return error->code;
    graph->m = graph->records;
    graph->real = numbers_real(&sparse->array[DATA]);
    graph->binary = true;
    for (int i = 0; i < ARRAYS; i++)
        graph->once |= sparse->array[i].file.unnamed;
    return APSP_OK;
}

static void npz_close(struct graph *graph)
{
    struct sparse *sparse = graph->own;
    for (int i = 0; sparse && i < ARRAYS; i++)
        if (sparse->array[i].file.unnamed)
            file_close(&sparse->array[i].file);
    free(sparse);
    graph->own = NULL;
}

/* The last row whose entries begin at `entry` or before. */
static int find_row(struct reader *reader, const struct sparse *sparse, size_t entry,
                    struct apsp_error *error)
{
    struct numbers_stream *places = &reader->stream[FIRST];
    size_t low = 0, high = reader->head.graph->n;
    union value place = {0};
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        numbers_begin(places, &sparse->array[FIRST], (struct range){middle, middle + 1});
        if (numbers_next(places, &place, error) != APSP_OK)
            return error->code;
        *((size_t)place.whole <= entry ? &low : &high) = middle;
    }
    reader->row = low;
    numbers_begin(places, &sparse->array[FIRST],
                  (struct range){low + 1, sparse->array[FIRST].count});
    if (numbers_next(places, &place, error) == APSP_OK)
        reader->end = (size_t)place.whole;
    return error->code;
}

static int npz_begin(struct graph_part *head, int index, int parts, struct apsp_error *error)
{
    struct reader *reader = (struct reader *)head;
    const struct sparse *sparse = head->graph->own;
    (void)index;
    (void)parts;
    for (int i = 0; i < ARRAYS; i++)
        numbers_begin(&reader->stream[i], &sparse->array[i], reader->head.left);
    if (sparse->layout == COO || range_length(reader->head.left) == 0)
        return APSP_OK;
    return find_row(reader, sparse, reader->head.left.lo, error);
}

static int refuse_vertex(const struct graph *graph, const struct numbers *numbers, size_t entry,
                         int64_t vertex, struct apsp_error *error)
{
    return error_set(error, APSP_INPUT, "%s: %s[%zu]: vertex %lld is not in 0 .. %zu", graph->path,
                     numbers->name, entry, (long long)vertex, graph->n - 1);
}

static int take_row(struct reader *reader, const struct sparse *sparse, uint32_t *row,
                    struct apsp_error *error)
{
    const struct graph *graph = reader->head.graph;
    struct numbers_stream *stream = &reader->stream[FIRST];
    union value value = {0};
    if (sparse->layout == COO) {
        if (numbers_next(stream, &value, error) != APSP_OK)
            return error->code;
        *row = (uint32_t)value.whole;
        return (uint64_t)value.whole < graph->n
                   ? APSP_OK
                   : refuse_vertex(graph, stream->numbers, reader->head.left.lo, value.whole,
                                   error);
    }
    while (reader->end <= reader->head.left.lo) {
        if (++reader->row >= graph->n)
            return graph_changed(graph, error);
        if (numbers_next(stream, &value, error) != APSP_OK)
            return error->code;
        reader->end = (size_t)value.whole;
    }
    *row = (uint32_t)reader->row;
    return APSP_OK;
}

/* The next entry; an edge, as *taken tells, unless it is absent. */
static int take_entry(struct reader *reader, struct edge *edge, bool *taken,
                      struct apsp_error *error)
{
    const struct graph *graph = reader->head.graph;
    const struct sparse *sparse = graph->own;
    const struct numbers *data = &sparse->array[DATA];
    char shown[NUMBERS_SHOWN];
    union value column = {0}, weight = {0};
    uint32_t row = 0;
    if (take_row(reader, sparse, &row, error) ||
        numbers_next(&reader->stream[SECOND], &column, error) ||
        numbers_next(&reader->stream[DATA], &weight, error))
        return error->code;
    if ((uint64_t)column.whole >= graph->n)
        return refuse_vertex(graph, &sparse->array[SECOND], reader->head.left.lo, column.whole,
                             error);
    *taken = !absent_has(&sparse->absent, numbers_real(data), weight);
    if (*taken && !numbers_is_weight(data, weight))
        return error_set(error, APSP_INPUT,
                         "%s: data[%zu]: %s is not a finite weight of at most 62 bits", graph->path,
                         reader->head.left.lo, numbers_show(data, weight, shown));
    uint32_t other = (uint32_t)column.whole;
    *edge = sparse->layout == CSC ? (struct edge){other, row, weight}
                                  : (struct edge){row, other, weight};
    reader->head.left.lo++;
    reader->head.records++;
    return APSP_OK;
}

static int npz_next(struct graph_part *head, struct edge *edges, size_t room, size_t *count,
                    struct apsp_error *error)
{
    struct reader *reader = (struct reader *)head;
    while (*count < room && range_length(reader->head.left) > 0) {
        bool taken;
        if (take_entry(reader, &edges[*count], &taken, error) != APSP_OK)
            return error->code;
        *count += taken;
    }
    return APSP_OK;
}

/* The first member of the archive is an array of NumPy. */
static enum graph_guess npz_guess(const struct graph_look *look)
{
    enum { NAME_LENGTH = 26, NAME = 30, SUFFIX = 4 };
    if (look->have < NAME || memcmp(look->text, "PK\3\4", 4) != 0)
        return GUESS_NO;
    size_t length = look->text[NAME_LENGTH] | (size_t)look->text[NAME_LENGTH + 1] << 8;
    bool found = length >= SUFFIX && NAME + length <= look->have &&
                 memcmp(look->text + NAME + length - SUFFIX, ".npy", SUFFIX) == 0;
    return found ? GUESS_SURE : GUESS_NO;
}

const struct graph_source graph_npz = {
    .name = "npz",
    .about =
        "sparse matrix of SciPy, by rows, columns or coordinates (csr, csc, coo); vertices from 0",
    .suffix = ".npz",
    .guess = npz_guess,
    .options = GRAPH_NO_EDGE,
    .binary = true,
    .reader = sizeof(struct reader),
    .open = npz_open,
    .close = npz_close,
    .begin = npz_begin,
    .next = npz_next};
