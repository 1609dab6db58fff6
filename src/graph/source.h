/*
 * A source of edges; for sources and graph.c alone. One row of the table in sources.c is
 * one source, and one file. A source gives the size of the graph when it is opened. It can then be
 * read any number of times, in parts at once or, if it cannot be cut, by one reader at a time. Its
 * file is open already (graph->file), and is a regular one, whatever it was before, or memory.
 */
#ifndef SOURCE_H
#define SOURCE_H

#include "base/range.h"
#include "graph/graph.h"

/* The head of a source's reader of one part. */
struct graph_part {
    const struct graph *graph;
    size_t records;    /* read so far, of those that the source promises; `next` counts them */
    struct range left; /* of those, for a source that finds them by number: `next` raises lo */
    bool empty;        /* of a source that cannot be cut: another part has all edges */
    bool
        has_twin; /* of an undirected graph: the other direction of the last edge is to come next */
    struct edge twin;
    bool rough;   /* as graph->rough, found while reading */
    uint64_t sum; /* of what `next` has given, in any order: other edges have another one */
};

/* The beginning of a file, by which its format is told. */
struct graph_look {
    const unsigned char *text;
    size_t have;  /* bytes at `text`: all of a file that is no longer than LOOK_BYTES */
    size_t bytes; /* of the file */
};

enum { LOOK_BYTES = 1 << 16 };

/* Whether a file is of a format: a source that is sure has it whatever its suffix, one that holds
 * it for possible if no source has the suffix. */
enum graph_guess { GUESS_NO, GUESS_POSSIBLE, GUESS_SURE };

/* Options that are not for every source. */
enum graph_option {
    GRAPH_COLUMNS = 1,
    GRAPH_NO_EDGE = 2,
    GRAPH_WEIGHT_KEY = 4,
    GRAPH_LABEL_KEY = 8
};

struct graph_source {
    const char *name;
    const char *about;  /* a line of help */
    const char *alias;  /* another name, which no list shows; or NULL */
    const char *suffix; /* those of its paths, with blanks between them; NULL: none */
    enum graph_guess (*guess)(const struct graph_look *look); /* NULL: by name or suffix alone */
    unsigned options; /* of those above, all that it takes */
    bool binary;      /* no text: any bytes may stand at its beginning */
    bool sequential;  /* cannot be cut: part 0 has all edges, and one reader reads at a time */
    size_t reader;    /* bytes of a reader, which begins with a struct graph_part; 0: that alone */

    /*
     * Reads the header, and fills n, m, records, first, real, undirected and own, and names if
     * there are some. It sets two_way if it is, and bytes if that is not about the size of the
     * file. The number m counts edges as `next` gives them. The caller applies the options and adds
     * the other direction of undirected edges. In any case graph_close calls close.
     */
    int (*open)(struct graph *graph, struct apsp_error *error);
    void (*close)(struct graph *graph);

    /* Starts at the beginning of part `index` of `parts`; of the reader only the head is set
     * before. NULL: nothing else is to be set. `end`, which may be NULL, is called in any case. */
    int (*begin)(struct graph_part *part, int index, int parts, struct apsp_error *error);
    /* Fills edges[0..room) with the next edges of the part; *count, 0 before, stays 0 at its end.
     * Vertices are checked, weights are as in the source, loops are passed on. */
    int (*next)(struct graph_part *part, struct edge *edges, size_t room, size_t *count,
                struct apsp_error *error);
    /* The line of the edge that `next`, with room for one, gave last. NULL: edges have no lines. */
    size_t (*line)(const struct graph_part *part);
    void (*end)(struct graph_part *part);
};

/* All sources, up to NULL: sources.c. */
extern const struct graph_source *const graph_sources[];

/* The source of that name, or of the path's suffix; NULL when there is none. */
const struct graph_source *graph_source_named(const char *name);
const struct graph_source *graph_source_suffixed(const char *path);

/* Chooses the source of an open file. APSP_USAGE, APSP_IO, APSP_INPUT: which names what the file
 * looks like, and the formats that there are. */
int graph_detect(struct graph *graph, struct apsp_error *error);
/* The first line of a text that is neither blank nor starts with one of `comments`, at its first
 * byte that is no blank; NULL when it is not within the look. */
const unsigned char *graph_look_line(const struct graph_look *look, const char *comments);

/* The function `close` of a source whose `own` is one piece of memory. */
void graph_free_own(struct graph *graph);

/* Lets graph_open and graph_arrays begin. */
void graph_start(struct graph *graph, const struct graph_source *source, const char *path);

#endif
