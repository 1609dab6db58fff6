/*
 * A probe of a task: seconds of one source, and whether sources are better searched alone than side
 * by side. It is cut short where searches side by side cannot win.
 */
#ifndef PROBE_H
#define PROBE_H

#include "sssp/searcher.h"

struct probe {
    bool alone;
    double seconds; /* Seconds of one source and thread; a lower bound if it was cut short. */
};

/* The same on a device, whose searcher is open: seconds of one source side by side with others are
 * the device's. */
int probe_device(struct probe *probe, const struct searcher_case *its, struct searcher *searcher,
                 const struct network *forward, struct apsp_error *error);

/*
 * The networks lead to vertices, and from them: without vertices in the second, sources are not
 * searched alone. By a model the rank relaxes so many arcs a second. Local. APSP_MEMORY.
 */
int probe_run(struct probe *probe, const struct searcher_case *its, double rate,
              const struct network *network, const struct network *forward,
              struct apsp_error *error);

/* Seconds of one source that is searched alone. Local. APSP_MEMORY. */
int probe_alone(double *seconds, const struct searcher_case *its, const struct network *forward,
                struct apsp_error *error);

#endif
