#include "rows/sources.h"

#include "base/mem.h"
#include "base/setting.h"
#include "base/text.h"
#include "graph/source.h"
#include "proof/certify.h"
#include "rows/results.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Bytes of a range, of a name, before them in a message. */
enum { NUMBER = 23, LONGEST = 4096, WHERE = 400 };

#define RANDOM "random:"

struct numbered {
    uint64_t number;
    uint32_t vertex;
};

struct reader {
    struct sources *sources;
    const struct graph *graph;
    const char *path; /* of the file; NULL: it is a list of the command line, */
    size_t line;      /* and where its reader is */
    const char *option;
    char where[WHERE];   /* of find_where */
    const char *between; /* what parts vertices, */
    size_t longest;      /* and their bytes, at most */
    enum apsp_status refusal;
    struct numbered
        *order; /* of vertices whose names are numbers, once a range has been asked for */
};

/* Where the reader is, for messages. */
static const char *find_where(struct reader *reader)
{
    if (reader->path)
        snprintf(reader->where, WHERE, "%s:%zu", reader->path, reader->line);
    else
        snprintf(reader->where, WHERE, "%s", reader->option);
    return reader->where;
}

static int add_vertex(struct reader *reader, size_t vertex, struct apsp_error *error)
{
    struct sources *sources = reader->sources;
    if (sources->place[vertex])
        return error_set(error, reader->refusal, "%s: vertex %s is listed twice",
                         find_where(reader), LABEL(graph_labels(reader->graph), vertex));
    sources->vertex[sources->count++] = (uint32_t)vertex;
    sources->place[vertex] = (uint32_t)sources->count;
    return APSP_OK;
}

static bool is_number(const char *text)
{
    return text[strspn(text, "0123456789-")] == '\0';
}

static int refuse_text(struct reader *reader, const char *text, struct apsp_error *error)
{
    const struct graph *graph = reader->graph;
    const char *file = reader->path ? "" : ", and there is no file of that name";
    if (graph->names)
        return error_set(error, reader->refusal,
                         "%s: '%s' is neither a vertex nor a range of vertices of %s%s",
                         find_where(reader), text, graph->path, file);
    return error_set(error, reader->refusal,
                     "%s: '%s' is neither a vertex nor a range of vertices: %s has %zu to %zu%s",
                     find_where(reader), text, graph->path, graph->first,
                     graph->first + graph->n - 1, is_number(text) ? "" : file);
}

/* "7" or "100-199". */
static bool scan_range(const char *text, uint64_t *from, uint64_t *to)
{
    char *end;
    errno = 0;
    *from = *to = strtoull(text, &end, 10);
    if (*end == '-' && end[1] >= '0' && end[1] <= '9')
        *to = strtoull(end + 1, &end, 10);
    return *text >= '0' && *text <= '9' && !*end && !errno && *from <= *to;
}

static int compare_numbers(const void *a, const void *b)
{
    const struct numbered *x = a, *y = b;
    return (x->number > y->number) - (x->number < y->number);
}

static int make_order(struct reader *reader, struct apsp_error *error)
{
    const struct names *names = reader->graph->names;
    reader->order = mem_alloc(mem_bytes(names->count, sizeof *reader->order));
    if (!reader->order)
        return error_set(error, APSP_MEMORY, "no memory for the order of %zu vertices",
                         names->count);
    for (size_t v = 0; v < names->count; v++)
        reader->order[v] = (struct numbered){strtoull(names_at(names, v), NULL, 10), (uint32_t)v};
    qsort(reader->order, names->count, sizeof *reader->order, compare_numbers);
    return APSP_OK;
}

/* Those of the range that there are, of a graph whose names are numbers. */
static int add_numbered(struct reader *reader, const char *text, struct apsp_error *error)
{
    uint64_t from, to;
    size_t count = reader->graph->names->count, low = 0, high = count;
    if (!scan_range(text, &from, &to))
        return refuse_text(reader, text, error);
    if (!reader->order && make_order(reader, error) != APSP_OK)
        return error->code;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (reader->order[middle].number < from)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == count || reader->order[low].number > to)
        return refuse_text(reader, text, error);
    for (; low < count && reader->order[low].number <= to; low++)
        if (add_vertex(reader, reader->order[low].vertex, error) != APSP_OK)
            return error->code;
    return APSP_OK;
}

/* A text in quotes, of which two stand for one, without them. */
static const char *unquote(char bare[LONGEST + 1], const char *text)
{
    size_t length = 0;
    for (text++; *text; text++) {
        if (*text == '"' && *++text != '"')
            break;
        bare[length++] = *text;
    }
    bare[length] = '\0';
    return bare;
}

/* Blanks before a name, as after a comma, belong to it only where there is one with them. */
static int add_name(struct reader *reader, const char *text, struct apsp_error *error)
{
    const struct graph *graph = reader->graph;
    char where[WHERE + 2], bare[LONGEST + 1];
    size_t vertex;
    if (label_find(graph_labels(graph), graph->n, text, &vertex))
        return add_vertex(reader, vertex, error);
    if (graph->names->numbers)
        return add_numbered(reader, text, error);
    text += strspn(text, " \t");
    if (*text == '"')
        text = unquote(bare, text);
    if (label_find(graph_labels(graph), graph->n, text, &vertex))
        return add_vertex(reader, vertex, error);
    snprintf(where, sizeof where, "%s: ", find_where(reader));
    graph_vertex(graph, text, &vertex, reader->refusal, where, error);
    const char *hint = reader->path                  ? NULL
                       : strpbrk(text, "./")         ? ", and there is no file of that name"
                       : strcmp(text, "random") == 0 ? "; random:K is a sample of K vertices"
                       : strpbrk(text, " ;|")        ? "; commas part the vertices of a list"
                                                     : NULL;
    if (hint) {
        const struct apsp_error cause = *error;
        *error = (struct apsp_error){0};
        error_set(error, cause.code, "%s%s", cause.text, hint);
    }
    return error->code;
}

static int add_text(struct reader *reader, const char *text, struct apsp_error *error)
{
    const struct graph *graph = reader->graph;
    const size_t first = graph->first, last = first + graph->n - 1;
    uint64_t from, to;
    if (graph->names)
        return add_name(reader, text, error);
    if (!scan_range(text, &from, &to) || from < first || to > last)
        return refuse_text(reader, text, error);
    for (size_t vertex = (size_t)from; vertex <= (size_t)to; vertex++)
        if (add_vertex(reader, vertex - first, error))
            return error->code;
    return APSP_OK;
}

/* All that stands there, from `next`, which returns EOF at the end. */
static int add_all(struct reader *reader, int (*next)(void *), void *from, struct apsp_error *error)
{
    char text[LONGEST + 1];
    size_t length = 0;
    int first = 0; /* that is no blank */
    bool quoted = false;
    for (int c = 0; c != EOF && !error->code;) {
        c = next(from);
        first = first || c == ' ' || c == '\t' ? first : c;
        quoted ^= c == '"' && first == '"' && !reader->path && reader->graph->names;
        bool ends = c == EOF || (c && !quoted && strchr(reader->between, c));
        if (!ends && length < reader->longest) {
            text[length++] = (char)c;
            if (reader->path && reader->line == 1 && text_mark(text, length) == length)
                length = 0;
            if (reader->path && reader->line == 1)
                file_check_text(reader->path, text, length, error);
            continue;
        }
        text[length] = '\0';
        if (!ends)
            error_set(error, reader->refusal, "%s: '%.40s...' is too long for a vertex or a range",
                      find_where(reader), text);
        else if (length > 0)
            add_text(reader, text, error);
        length = 0;
        first = 0;
        reader->line += c == '\n';
    }
    if (!error->code && reader->sources->count == 0)
        error_set(error, reader->refusal, "%s: names no vertex",
                  reader->path ? reader->path : reader->option);
    return error->code;
}

static int next_of_text(void *from)
{
    const char **at = from;
    return **at ? (unsigned char)*(*at)++ : EOF;
}

static int next_of_file(void *from)
{
    return fgetc(from);
}

/* A graph is no list of vertices: the option may have taken it from its place. */
static const char *hint_graph(const char *path)
{
    const struct graph_source *source = graph_source_suffixed(path);
    return source && strcmp(source->name, "list") != 0
               ? "; its suffix is that of a graph: is the list missing?"
               : "";
}

static int read_file(struct reader *reader, const char *path, struct apsp_error *error)
{
    FILE *file = fopen(path, "re");
    if (!file && errno == ENOENT)
        return error_set(error, APSP_IO,
                         "%s: '%s' is neither vertices, such as 4,7,100-199, nor a file that is "
                         "there",
                         reader->option, path);
    if (!file)
        return error_set(error, APSP_IO, "%s: cannot open the list of vertices: %s", path,
                         strerror(errno));
    struct apsp_error own = {0};
    reader->refusal = APSP_INPUT;
    reader->path = path;
    reader->line = 1;
    add_all(reader, next_of_file, file, &own);
    if (ferror(file))
        error_set(error, APSP_IO, "%s: cannot be read: %s", path, strerror(errno));
    else if (own.code)
        error_set(error, own.code, "%s%s", own.text, hint_graph(path));
    fclose(file);
    return error->code;
}

static bool are_numbers(const struct graph *graph)
{
    return !graph->names || graph->names->numbers;
}

/* Numbers and ranges of them, where those are what vertices are called. */
static bool is_numbers(const char *text)
{
    return *text && text[strspn(text, "0123456789,- \t")] == '\0';
}

/* Names may be anything: what begins with one is a list of them, and what is no file. */
static bool is_list(const char *text, const struct graph *graph)
{
    uint32_t vertex;
    if (are_numbers(graph))
        return is_numbers(text);
    return names_find(graph->names, text, strlen(text), &vertex) ||
           names_find(graph->names, text, strcspn(text, ","), &vertex) || access(text, F_OK) != 0;
}

/* All of it is one, commas too. */
static bool is_name(const char *text, const struct graph *graph)
{
    uint32_t vertex;
    return graph->names && names_find(graph->names, text, strlen(text), &vertex);
}

static const char *between(const struct graph *graph, bool list)
{
    return are_numbers(graph) ? " ,\t\r\n" : list ? "," : "\r\n";
}

static int open_sources(struct sources *sources, size_t n, struct apsp_error *error)
{
    sources->vertex = mem_alloc(mem_bytes(n, sizeof *sources->vertex));
    sources->place = mem_alloc(mem_bytes(n, sizeof *sources->place));
    if (!sources->vertex || !sources->place)
        return error_set(error, APSP_MEMORY, "no memory for a list of vertices");
    return APSP_OK;
}

/* In ascending order, too. */
static int sort(struct sources *sources, size_t n, struct apsp_error *error)
{
    size_t kept = 0;
    sources->sorted = mem_alloc(mem_bytes(sources->count, sizeof *sources->sorted));
    if (!sources->sorted)
        return error_set(error, APSP_MEMORY, "no memory for a list of vertices");
    for (size_t v = 0; v < n; v++)
        if (sources->place[v])
            sources->sorted[kept++] = v;
    return APSP_OK;
}

int sources_take(struct sources *sources, const uint32_t *list, size_t count, size_t n,
                 const char *name, struct apsp_error *error)
{
    *sources = (struct sources){0};
    if (!list || open_sources(sources, n, error))
        return error->code;
    for (size_t k = 0; k < count; k++) {
        if (list[k] >= n)
            return error_set(error, APSP_USAGE, "%s[%zu]: vertex %u is not in 0 .. %zu", name, k,
                             list[k], n - 1);
        if (sources->place[list[k]])
            return error_set(error, APSP_USAGE, "%s[%zu]: vertex %u is listed twice", name, k,
                             list[k]);
        sources->vertex[sources->count++] = list[k];
        sources->place[list[k]] = (uint32_t)sources->count;
    }
    return sort(sources, n, error);
}

/* Rank 0's list to all ranks. */
static int share(struct sources *sources, size_t n, struct comm *comm, struct apsp_error *error)
{
    comm_broadcast(comm, &sources->count, sizeof sources->count, 0);
    comm_broadcast(comm, sources->vertex, sources->count * sizeof *sources->vertex, 0);
    for (size_t k = 0; k < sources->count; k++)
        sources->place[sources->vertex[k]] = (uint32_t)(k + 1);
    sort(sources, n, error);
    return comm_agree(comm, error);
}

int sources_read(struct sources *sources, const char *option, const char *text,
                 const struct graph *graph, struct comm *comm, struct apsp_error *error)
{
    *sources = (struct sources){0};
    if (!text)
        return APSP_OK;
    const bool list = is_list(text, graph);
    sources->file = !list;
    struct reader reader = {.sources = sources,
                            .graph = graph,
                            .option = option,
                            .between = is_name(text, graph) ? "" : between(graph, list),
                            .longest = graph->names ? LONGEST : NUMBER,
                            .refusal = APSP_USAGE};
    if (open_sources(sources, graph->n, error) == APSP_OK && comm->rank == 0) {
        if (list)
            add_all(&reader, next_of_text, &text, error);
        else
            read_file(&reader, text, error);
    }
    mem_free(reader.order);
    return comm_agree(comm, error) ? error->code : share(sources, graph->n, comm, error);
}

bool sources_are_random(const char *text)
{
    return text && strncmp(text, RANDOM, strlen(RANDOM)) == 0;
}

static int choose(struct sources *sources, const char *text, uint64_t seed, size_t n,
                  struct apsp_error *error)
{
    uint64_t count, to;
    if (!scan_range(text + strlen(RANDOM), &count, &to) || count != to || count == 0 || count > n)
        return error_set(error, APSP_USAGE, "%s %s: expected a number from 1 to %zu",
                         SETTING(SOURCES), text, n);
    size_t *chosen = malloc((size_t)count * sizeof *chosen);
    if (!chosen)
        return error_set(error, APSP_MEMORY, "no memory for a list of vertices");
    sources->random = true;
    sources->count = certify_choose(chosen, (size_t)count, n, seed);
    for (size_t k = 0; k < sources->count; k++)
        sources->vertex[k] = (uint32_t)chosen[k];
    free(chosen);
    return APSP_OK;
}

int sources_choose(struct sources *sources, const char *text, uint64_t seed,
                   const struct graph *graph, struct comm *comm, struct apsp_error *error)
{
    *sources = (struct sources){0};
    if (open_sources(sources, graph->n, error) == APSP_OK)
        choose(sources, text, seed, graph->n, error);
    return comm_agree(comm, error) ? error->code : share(sources, graph->n, comm, error);
}

void sources_free(struct sources *sources)
{
    mem_free(sources->sorted);
    mem_free(sources->place);
    mem_free(sources->vertex);
    *sources = (struct sources){0};
}
