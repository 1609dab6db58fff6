/* The options of all commands that read a graph: rows for their tables. */
#ifndef INPUT_H
#define INPUT_H

#include "cli/option.h"
#include "graph/graph.h"
#include "graph/options.h"

#define INPUT_FIELD(at, name) ((at) + offsetof(struct graph_options, name))

/* For the argument GRAPH (struct option_argument). */
#define INPUT_ABOUT                                                                                \
    ", the file to read, comes after the options; its format and delimiter are detected"

/* `at` is the offset of the struct graph_options. */
/* clang-format off */
#define INPUT_OPTIONS(at) \
    {OPTION_TEXT, "format", "F", INPUT_FIELD(at, format), .names = graph_source_names, \
     .help = "format of GRAPH", .otherwise = "by its content, else its suffix"}, \
    {OPTION_TEXT, "columns", "FROM,TO[,WEIGHT]", INPUT_FIELD(at, columns), \
     .help = "columns of a list of edges, by numbers from 1 or by the names in its first line", \
     .otherwise = "detected"}, \
    {OPTION_TEXT, "oneway", "COLUMN", INPUT_FIELD(at, oneway), \
     .help = "column of a list of edges with the direction of each: yes, true or 1, as written; " \
             "no, false, 0 or nothing, both; -1 or reverse, back", \
     .otherwise = "the column Type, where Gephi has written one"}, \
    {OPTION_TEXT, "no-edge", "LIST", INPUT_FIELD(at, no_edge), \
     .help = "entries of a matrix, or weights of a list, that are no edges: 0,inf,nan,-1", \
     .otherwise = "0,inf,nan; of a sparse matrix inf,nan; of a list none"}, \
    {OPTION_TEXT, "weight-key", "NAME", INPUT_FIELD(at, weight_key), \
     .help = "attribute of edges with their weight, in GML, GraphML, GEXF, JSON, dicts and " \
             "lists; apsp takes several: am,pm is a run for each, with results NAME.am.csv", \
     .otherwise = "weight; edges without it have weight 1"}, \
    {OPTION_TEXT, "label-key", "NAME", INPUT_FIELD(at, label_key), \
     .help = "attribute of vertices with their names, in GML, GraphML, GEXF and JSON", \
     .otherwise = "label, in GraphML the id"}, \
    {OPTION_FLAG, "sort-names", NULL, INPUT_FIELD(at, sorted), \
     .help = "number vertices with names in the order of the names", \
     .otherwise = "in the order of appearance"}, \
    {OPTION_FLAG, "directed", NULL, INPUT_FIELD(at, directed), \
     .help = "take each edge in the written direction only, even if GRAPH is undirected"}, \
    {OPTION_FLAG, "undirected", NULL, INPUT_FIELD(at, undirected), \
     .help = "add the reverse of every edge"}, \
    {OPTION_FLAG, "reverse", NULL, INPUT_FIELD(at, reverse), .help = "reverse every edge"}, \
    {OPTION_FLAG, "unweighted", NULL, INPUT_FIELD(at, unweighted), \
     .help = "give every edge weight 1"}, \
    {OPTION_NAME, "multi-edges", "min|sum|error", INPUT_FIELD(at, parallel), \
     .names = graph_parallel_names, \
     .help = "weight of parallel edges: of the lightest, or their sum; or an error", \
     .otherwise = "min", .alias = "parallel"}, \
    {OPTION_FLAG, "largest-component", NULL, INPUT_FIELD(at, largest), \
     .help = "take the largest strongly connected component alone"}

/* `at` is the offset of the name. */
#define PATHS_OPTION(at) \
    {OPTION_NAME, "paths", "WHAT", at, .names = algebra_names, \
     .help = "value of a path: shortest, the sum of its weights; bottleneck, the largest, to be " \
             "small; widest, the smallest, to be large; reliable, their product, to be large", \
     .otherwise = "shortest"}
/* clang-format on */

#endif
