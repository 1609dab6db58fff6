/* The table of ways to come to ranks, the first that applies before the others. */
#include "comm/ways.h"

const struct comm_way *const comm_ways[] = {&comm_way_threads, &comm_way_mpi, &comm_way_solo, NULL};
