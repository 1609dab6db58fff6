/* The results that are made of rows, and their files. */
#ifndef RESULTS_H
#define RESULTS_H

#include "files/staged.h"

#include <stdbool.h>
#include <stdint.h>

/* The paths of the betweenness. */
struct results_between {
    bool edges;    /* The file has the betweenness of edges. */
    bool ends;     /* Paths count for their ends, too. */
    bool stress;   /* Each path counts 1. */
    bool load;     /* Load, in place of betweenness. */
    bool limited;  /* Paths are no longer than */
    double within; /* this. */
};

struct access_request;
struct isochrones;
struct skims;

/* Accessibility, as the options have it. */
struct results_access {
    const char *path;          /* Path of the table. */
    const char *opportunities; /* Path of the amounts at vertices; NULL: 1 at each. */
    const char *cutoffs, *decays, *nearest;
    const struct access_request *request; /* All of these, read; the run's to say. */
};

/* The vertices within the cutoffs of accessibility. */
struct results_isochrones {
    const char *path;
    const char *coordinates;         /* Path of the places of vertices, or NULL. */
    const struct isochrones *wanted; /* All of these, read; the run's to say. */
};

/* Zero or NULL: it is not wanted. Strings belong to the caller. */
struct results {
    const char *distances;    /* Path of the distances. */
    const char *closure;      /* Path of the transitive closure. */
    const char *predecessors; /* Path of the matrix of predecessors. */
    const char *path_counts;  /* Path of the numbers of shortest paths. */
    const char *stats;        /* Path of the statistics of rows. */
    const char *betweenness;  /* Path of the betweenness of vertices. */
    struct results_between between;
    const char *diameter; /* Path of diameter, radius, centre and periphery. */
    bool each;            /* The diameter comes with the eccentricities of all vertices. */
    bool alone;           /* It comes without radius, centre and periphery. */
    struct results_access access;
    struct results_isochrones isochrones;
    const char *skim;          /* Attributes to add up along the paths of pairs. */
    const struct skims *skims; /* They, read; the run's to say. */
    const char *values;        /* The name of the values of pairs; NULL: they are distances. */
    const char *plot;          /* Path of a drawing of the statistics' histogram. */
    unsigned counted;          /* Further counts of the statistics (APSP_STATS_..). */
    size_t nearest;            /* Number of the nearest targets of each source; 0: all. */
    bool bounded;              /* Pairs are not further apart than `within`. */
    double within;
    size_t verify;     /* Rows to certify; APSP_VERIFY_ALL for all. */
    uint64_t seed;     /* Seed of their choice. */
    bool read_back;    /* Rows are read back from the file of distances; the run sets it. */
    bool force;        /* Existing files are replaced. */
    bool saved;        /* Checkpoints hold the results of the rows so far; the run sets it. */
    const char *graph; /* The graph's name, for files that tell it. */
    struct staged_inputs inputs;
};

#endif
