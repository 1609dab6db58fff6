/* Networks that are lines of text: for their sources alone. */
#ifndef NETWORK_LINES_H
#define NETWORK_LINES_H

#include "graph/network.h"

/* The source's reader of a line, which ends with a line feed: network_vertex and network_edge of
 * `item`, whose offset is that of the line. */
typedef int (*network_line)(void *self, struct graph *graph, const struct line *line,
                            struct network_item *item, struct apsp_error *error);

/* Gives all lines of the file that are neither blank nor begin with one of `comments` to `take`, in
 * their order. Returns the errors of `take`; APSP_IO, APSP_INPUT, APSP_MEMORY. */
int network_read_lines(struct graph *graph, const char *comments, void *self, network_line take,
                       struct apsp_error *error);

/* The next word of a line, which blanks end, as a text; false at the end of the line. */
bool network_take_word(const unsigned char **at, struct network_text *word);
/* The same; in double quotes it may hold blanks, and loses the quotes. */
bool network_take_quoted(const unsigned char **at, struct network_text *word);

#endif
