/*
 * MatrixMarket files (R. Boisvert, R. Pozo, K. Remington, "The Matrix Market Exchange Formats:
 * Initial Design", NISTIR 5935, 1996): a line `%%MatrixMarket matrix LAYOUT FIELD SYMMETRY`,
 * comments `% ...`, then where LAYOUT is coordinate a line `ROWS COLUMNS ENTRIES` and so many lines
 * `I J VALUE`, vertices from 1. An entry (I, J) is the edge I -> J; the value is its weight, and 1
 * where FIELD is pattern. An entry of a symmetric file is two edges, I -> J and J -> I, but for a
 * loop, which is one: how many edges it has shows when all are read. In a skew-symmetric file the
 * second one has the value below 0.
 *
 * Where LAYOUT is array, a line `ROWS COLUMNS`, then the value of every entry on a line of its own,
 * column by column; of a symmetric file from the diagonal on. Those that no_edge has are no
 * edges; by default 0, infinities and NaN, as in dense arrays of NumPy. Which entry a line is shows
 * when all before it are read. Of coordinates these are infinities and NaN, as in sparse arrays.
 */
#include "base/setting.h"
#include "base/text.h"
#include "graph/absent.h"
#include "graph/lines.h"

#include <math.h>

#include <string.h>

static const char mark[] = "%%MatrixMarket";

/* One word of the banner: what stands there in this program's files, in the order of the line. */
struct word {
    const char *what;
    const char *const *names; /* up to NULL */
};

static const char *const objects[] = {"matrix", NULL},
                         *const layouts[] = {"coordinate", "array", NULL},
                         *const kinds[] = {"integer", "real", "pattern", NULL},
                         *const symmetries[] = {"general", "symmetric", "skew-symmetric", NULL};

static const struct word words[] = {
    {"object", objects}, {"layout", layouts}, {"field", kinds}, {"symmetry", symmetries}};

enum { WORDS = sizeof words / sizeof *words, OBJECT = 0, LAYOUT, FIELD, SYMMETRY, SKEW = 2 };

struct mtx { /* graph->own */
    struct graph_file file;
    bool array, triangle; /* of an array the columns begin at the diagonal, */
    struct absent absent; /* and these values are those of no edges */
    bool skew;            /* entry (J, I) is that of (I, J) below 0 */
};

/* Of coordinates. */
struct reader {
    struct file_part part;
    bool has_twin; /* of a skew matrix: the entry on the other side comes next */
    struct edge twin;
};

/* Of an array. */
struct array_part {
    struct file_part part;
    size_t row, column; /* of the next entry */
};

static const struct graph_source array;

/* The number of the name, in any letter case, that is the token at `at`, or -1. */
static int find_name(const char *const *names, const unsigned char *at)
{
    size_t length = (size_t)(line_token_end(at) - at);
    for (int i = 0; names[i]; i++)
        if (strlen(names[i]) == length && text_alike(names[i], (const char *)at, length))
            return i;
    return -1;
}

static int refuse_word(const struct graph *graph, const struct line *line, const struct word *word,
                       const unsigned char *at, struct apsp_error *error)
{
    char what[200];
    snprintf(what, sizeof what, "the %s of a MatrixMarket file must be ", word->what);
    for (int i = 0; word->names[i]; i++) {
        strcat(what, i == 0 ? "" : word->names[i + 1] ? ", " : " or ");
        strcat(what, word->names[i]);
    }
    strcat(what, ", not");
    return line_refuse(graph, &(struct line){at, line->offset}, what, error);
}

static int parse_banner(struct graph *graph, const struct line *line, struct apsp_error *error)
{
    static const char *const start[] = {mark, NULL};
    struct mtx *mtx = graph->own;
    int found[WORDS];
    if (!line->text || find_name(start, line->text) < 0)
        return line_refuse_at(graph, 0, "the first line must begin with '%%MatrixMarket'", error);
    const unsigned char *at = line_token_end(line->text);
    for (int i = 0; i < WORDS; i++) {
        at = line_skip_blanks(at);
        found[i] = find_name(words[i].names, at);
        if (found[i] < 0)
            return refuse_word(graph, line, &words[i], at, error);
        at = line_token_end(at);
    }
    at = line_skip_blanks(at);
    if (!line_is_end(at))
        return line_refuse(graph, &(struct line){at, line->offset},
                           "the first line has five words, after which follows", error);
    graph->real = mtx->file.real = strcmp(kinds[found[FIELD]], "real") == 0;
    mtx->file.unweighted = strcmp(kinds[found[FIELD]], "pattern") == 0;
    mtx->array = strcmp(layouts[found[LAYOUT]], "array") == 0;
    graph->undirected = mtx->triangle = strcmp(symmetries[found[SYMMETRY]], "symmetric") == 0;
    mtx->skew = found[SYMMETRY] == SKEW;
    if (mtx->skew && (mtx->array || mtx->file.unweighted))
        return line_refuse_at(graph, line->offset,
                              "a skew-symmetric matrix must have coordinates with values", error);
    if (mtx->array && mtx->file.unweighted)
        return line_refuse_at(graph, line->offset,
                              "the field of an array must be integer or real, not pattern", error);
    return APSP_OK;
}

static int parse_size(struct graph *graph, const struct line *line, struct apsp_error *error)
{
    static const struct line_field fields[] = {{"number of rows", 1, INT32_MAX, false},
                                               {"number of columns", 1, INT32_MAX, false},
                                               {"number of entries", 0, INT64_MAX / 32, false}};
    const bool is_array = ((const struct mtx *)graph->own)->array;
    const unsigned char *at = line->text;
    const int count = is_array ? 2 : 3;
    int64_t size[3];
    char what[100];
    for (int i = 0; at && i < count; i++)
        at = line_scan_whole(at, fields[i].low, fields[i].high, &size[i]);
    if (!at || !line_is_end(line_skip_blanks(at)))
        return line_refuse_fields(graph, line, line->text, fields, count, error);
    if (size[0] != size[1]) {
        snprintf(what, sizeof what, "the matrix of a graph must be square, not %lld x %lld",
                 (long long)size[0], (long long)size[1]);
        return line_refuse_at(graph, line->offset, what, error);
    }
    size_t n = graph->n = (size_t)size[0];
    graph->m = graph->records = !is_array           ? (size_t)size[2]
                                : graph->undirected ? n * (n + 1) / 2 /* n has 31 bits */
                                                    : n * n;
    if (((const struct mtx *)graph->own)->skew)
        graph->m *= 2; /* the number of entries has room for that */
    return APSP_OK;
}

static int refuse_entry(const struct graph *graph, const struct line *line,
                        struct apsp_error *error)
{
    const struct graph_file *file = graph->own;
    const struct line_field fields[] = {{"row", 1, (int64_t)graph->n, false},
                                        {"column", 1, (int64_t)graph->n, false},
                                        {"weight", -WEIGHT_MAX, WEIGHT_MAX, file->real}};
    return line_refuse_fields(graph, line, line->text, fields, file->unweighted ? 2 : 3, error);
}

/* As strtod reads and C and Python write them. */
static bool scan_special(const unsigned char *at, double *value)
{
    static const char *const names[] = {"inf", "infinity", "nan", NULL};
    bool negative = *at == '-';
    int found = find_name(names, at + (negative || *at == '+'));
    *value = found == 2 ? NAN : negative ? -INFINITY : INFINITY;
    return found >= 0;
}

static bool is_weight(union value value, bool real)
{
    return real ? isfinite(value.real) : value.whole >= -WEIGHT_MAX && value.whole <= WEIGHT_MAX;
}

/* A value of coordinates, and whether it is that of an edge. */
static const unsigned char *scan_value(const struct mtx *mtx, const unsigned char *at,
                                       union value *value, bool *rough, bool *taken)
{
    const bool real = mtx->file.real;
    const unsigned char *end = real ? line_scan_real(at, &value->real, rough)
                                    : line_scan_whole(at, -INT64_MAX, INT64_MAX, &value->whole);
    at = line_skip_blanks(at);
    if (!end && real && scan_special(at, &value->real))
        end = line_token_end(at);
    *taken = end && !absent_has(&mtx->absent, real, *value);
    return *taken && !is_weight(*value, real) ? NULL : end;
}

static int parse_entry(const struct graph *graph, const struct line *line, struct edge *edge,
                       bool *rough, bool *taken, struct apsp_error *error)
{
    const struct mtx *mtx = graph->own;
    int64_t n = (int64_t)graph->n, from, to;
    const unsigned char *at = line_scan_whole(line->text, 1, n, &from);
    *taken = true;
    if (at)
        at = line_scan_whole(at, 1, n, &to);
    if (at && mtx->file.unweighted)
        edge->weight.whole = 1;
    else if (at)
        at = scan_value(mtx, at, &edge->weight, rough, taken);
    if (!at || !line_is_end(line_skip_blanks(at)))
        return refuse_entry(graph, line, error);
    edge->from = (uint32_t)(from - 1);
    edge->to = (uint32_t)(to - 1);
    return APSP_OK;
}

static int mtx_begin(struct graph_part *head, int index, int parts, struct apsp_error *error)
{
    ((struct reader *)head)->has_twin = false;
    return file_source_begin(head, index, parts, error);
}

/* The diagonal of a skew matrix is 0. */
static void make_twin(struct reader *reader, const struct edge *edge)
{
    reader->has_twin = edge->from != edge->to;
    reader->twin = (struct edge){edge->to, edge->from, edge->weight};
    if (((const struct mtx *)reader->part.graph->own)->file.real)
        reader->twin.weight.real = edge->weight.real == 0 ? 0 : -edge->weight.real;
    else
        reader->twin.weight.whole = -edge->weight.whole;
}

static int mtx_next(struct graph_part *head, struct edge *edges, size_t room, size_t *count,
                    struct apsp_error *error)
{
    struct reader *reader = (struct reader *)head;
    struct file_part *part = &reader->part;
    struct line line;
    if (line_begin(part, error) != APSP_OK)
        return error->code;
    while (*count < room) {
        struct edge *edge = &edges[*count];
        bool taken = reader->has_twin;
        if (taken)
            *edge = reader->twin;
        reader->has_twin = false;
        if (!taken) {
            if (line_next(part, "%", &line, error) != APSP_OK || !line.text ||
                parse_entry(part->graph, &line, edge, &head->rough, &taken, error) != APSP_OK)
                return error->code;
            head->records++;
            if (taken && ((const struct mtx *)part->graph->own)->skew)
                make_twin(reader, edge);
        }
        *count += taken;
    }
    return APSP_OK;
}

static int array_begin(struct graph_part *head, int index, int parts, struct apsp_error *error)
{
    struct array_part *part = (struct array_part *)head;
    (void)index;
    (void)parts;
    part->row = part->column = 0;
    return file_source_begin(head, 0, 1, error);
}

static int parse_value(const struct graph *graph, const struct line *line, union value *value,
                       bool *rough, struct apsp_error *error)
{
    const bool real = ((const struct mtx *)graph->own)->file.real;
    const struct line_field field = {"entry", -INT64_MAX, INT64_MAX, real};
    const unsigned char *at = line->text;
    if (!real)
        at = line_scan_whole(at, field.low, field.high, &value->whole);
    else if (scan_special(at, &value->real))
        at = line_token_end(at);
    else
        at = line_scan_real(at, &value->real, rough);
    return at && line_is_end(line_skip_blanks(at))
               ? APSP_OK
               : line_refuse_fields(graph, line, line->text, &field, 1, error);
}

/* The edge that an entry is, if it is one. */
static int take_entry(struct array_part *part, const struct line *line, struct edge *edge,
                      bool *taken, struct apsp_error *error)
{
    const struct graph *graph = part->part.graph;
    const struct mtx *mtx = graph->own;
    if (part->column == graph->n)
        return line_refuse(graph, line, "after the last entry of the array comes", error);
    if (parse_value(graph, line, &edge->weight, &part->part.head.rough, error) != APSP_OK)
        return error->code;
    edge->from = (uint32_t)part->row++;
    edge->to = (uint32_t)part->column;
    if (part->row == graph->n) {
        part->column++;
        part->row = mtx->triangle ? part->column : 0;
    }
    *taken = !absent_has(&mtx->absent, mtx->file.real, edge->weight);
    return !*taken || is_weight(edge->weight, mtx->file.real)
               ? APSP_OK
               : line_refuse(graph, line, "expected a finite weight of at most 62 bits, found",
                             error);
}

static int array_next(struct graph_part *head, struct edge *edges, size_t room, size_t *count,
                      struct apsp_error *error)
{
    struct array_part *part = (struct array_part *)head;
    struct line line;
    char what[100];
    while (*count < room) {
        bool taken = false;
        if (line_next(&part->part, "%", &line, error) != APSP_OK)
            return error->code;
        if (!line.text && head->records < part->part.graph->records) {
            snprintf(what, sizeof what, "the file ends after %zu of %zu entries", head->records,
                     part->part.graph->records);
            return line_refuse_at(part->part.graph, part->part.graph->bytes, what, error);
        }
        if (!line.text || take_entry(part, &line, &edges[*count], &taken, error) != APSP_OK)
            return error->code;
        *count += taken;
        head->records++;
    }
    return APSP_OK;
}

static int find_size(struct file_part *part, struct graph *graph, struct apsp_error *error)
{
    struct line line;
    if (line_next(part, "", &line, error) != APSP_OK ||
        parse_banner(graph, &line, error) != APSP_OK ||
        line_next(part, "%", &line, error) != APSP_OK)
        return error->code;
    if (!line.text)
        return line_refuse_at(graph, graph->bytes,
                              ((const struct mtx *)graph->own)->array
                                  ? "the file ends without a line 'ROWS COLUMNS'"
                                  : "the file ends without a line 'ROWS COLUMNS ENTRIES'",
                              error);
    if (parse_size(graph, &line, error) != APSP_OK)
        return error->code;
    return line_body(part, graph, &line, error);
}

static int mtx_open(struct graph *graph, struct apsp_error *error)
{
    if (line_open(graph, sizeof(struct mtx), find_size, error) != APSP_OK)
        return error->code;
    struct mtx *mtx = graph->own;
    if (mtx->file.unweighted && graph->options.no_edge)
        return error_set(error, APSP_USAGE, "%s: %s is a pattern, without values", SETTING(NO_EDGE),
                         graph->path);
    if (mtx->array)
        graph->source = &array;
    return absent_read(&mtx->absent, graph->options.no_edge,
                       mtx->array ? ABSENT_DENSE : ABSENT_SPARSE, error);
}

static enum graph_guess mtx_guess(const struct graph_look *look)
{
    bool found =
        look->have >= strlen(mark) && text_alike((const char *)look->text, mark, strlen(mark));
    return found ? GUESS_SURE : GUESS_NO;
}

const struct graph_source graph_mtx = {
    .name = "mtx",
    .about = "MatrixMarket text: coordinates with weights or without, or arrays; vertices from 1",
    .suffix = ".mtx",
    .options = GRAPH_NO_EDGE,
    .guess = mtx_guess,
    .reader = sizeof(struct reader),
    .open = mtx_open,
    .close = graph_free_own,
    .begin = mtx_begin,
    .next = mtx_next,
    .line = line_last};

/* What mtx becomes, once it is open: in no table. */
static const struct graph_source array = {.name = "mtx",
                                          .sequential = true,
                                          .reader = sizeof(struct array_part),
                                          .close = graph_free_own,
                                          .begin = array_begin,
                                          .next = array_next};
