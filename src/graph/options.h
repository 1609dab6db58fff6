/* How a graph is to be read. */
#ifndef GRAPH_OPTIONS_H
#define GRAPH_OPTIONS_H

#include <stdbool.h>

/* All zero: as it is. Strings belong to the caller. */
struct graph_options {
    const char *format;  /* A source's name; NULL goes by the content, then by the suffix. */
    const char *columns; /* Columns of a list of edges, FROM,TO or FROM,TO,WEIGHT: numbers from 1 or
                            names of the header; NULL: they are found. */
    const char *oneway;  /* Column of a list that says in which direction an edge leads: its number
                            or name; NULL: none, or Gephi's Type. */
    const char *no_edge; /* Entries of a matrix that are no edges: 0,inf,nan; NULL: as the source
                            has it. */
    const char *weight_key; /* In GraphML and GML the attribute of edges that is their weight; NULL:
                               "weight". */
    const char *label_key;  /* In GraphML, GML, GEXF and JSON the attribute that names a vertex;
                               NULL:  as the format has it. */
    bool sorted;          /* Vertices with names are numbered in their order, not as they appear. */
    bool directed;        /* Edges lead as they are written alone, whatever the source says. */
    bool undirected;      /* Every edge leads back as well. */
    bool reverse;         /* Edges are reversed. */
    bool unweighted;      /* All weights are 1. */
    bool largest;         /* The largest strongly connected component alone. */
    bool hash;            /* graph->hasher is to be there. */
    const char *parallel; /* Which of parallel edges count: "min", "sum", or "error"; NULL: min. */
};

#endif
