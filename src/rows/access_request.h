/* The words of a struct results_access as a plan of access.h. */
#ifndef ACCESS_REQUEST_H
#define ACCESS_REQUEST_H

#include "rows/access.h"

struct access_request {
    struct access_plan plan;
    char **name;    /* Names of the kinds of amounts. */
    char **measure; /* Words of the decays and shares. */
    double *amount, *share;
    struct apsp_decay *decay;
};

/* Collective; ends in agreement. Rank 0 reads the files. APSP_USAGE: words; APSP_INPUT: a file;
 * APSP_IO, APSP_MEMORY. Free in any case. */
int access_request_read(struct access_request *request, const struct results_access *access,
                        const struct graph *graph, struct comm *comm, struct apsp_error *error);
void access_request_free(struct access_request *request);

/* Words with commas between; 0 of NULL. */
size_t access_count_words(const char *text);
/* The next word of cutoffs, a copy to free() in any case, and its distance. APSP_USAGE. */
int access_take_cutoff(const char **at, char **word, double *distance, struct apsp_error *error);

#endif
