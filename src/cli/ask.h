/* Questions to apsp-query, a line each: pairs of vertices by their names or numbers, names with
 * blanks in double quotes or behind a tab. */
#ifndef ASK_H
#define ASK_H

#include "cli/query.h"

/* Answers every line of the file, "-" being standard input, with paths where the query has them, up
 * to the first that is no pair. APSP_INPUT, APSP_IO, or what a query returns. */
int ask_file(struct query *query, const char *path, struct apsp_error *error);

/* As lines are typed, with words for more than pairs; what is wrong with one ends nothing. Returns
 * APSP_OK.
 */
int ask_terminal(struct query *query);

#endif
