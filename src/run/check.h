/* The certificate of the rows in a run's file of distances. */
#ifndef RUN_CHECK_H
#define RUN_CHECK_H

#include "run/run.h"

/* Whether the rows to certify are read back from the file of distances: if distances/ reads the
 * format that the sink writes. */
bool check_is_read_back(const struct results *results);

/* Collective. How many rows are to be certified, where all of them may be: all if that costs little
 * beside solving, which took so many seconds on this rank. */
void check_settle(struct run *run, double seconds);
/* Collective; ends in agreement, APSP_REFUTED. Certifies rows of the complete file of distances,
 * where there is one that can be read back. */
int check_file(struct run *run);
/* The bytes that this takes beside the edges, of a struct run. */
size_t check_file_need(const void *run);

#endif
