/* The entries of a matrix that are no edges: graph_options.no_edge. */
#ifndef ABSENT_H
#define ABSENT_H

#include "base/error.h"
#include "base/value.h"

enum { ABSENT_MAX = 8 };

struct absent {
    bool infinite, nan;
    int count;
    struct {
        int64_t whole;
        double real;
        bool is_whole;
    } value[ABSENT_MAX];
};

/* The default entries that are no edges, in dense and in sparse matrices, as in
 * scipy.sparse.csgraph. */
#define ABSENT_DENSE  "0,inf,nan"
#define ABSENT_SPARSE "inf,nan"

/* From a list such as 0,inf,nan; NULL: the other one. APSP_USAGE. */
int absent_read(struct absent *absent, const char *list, const char *otherwise,
                struct apsp_error *error);

bool absent_real(const struct absent *absent, double value);
bool absent_whole(const struct absent *absent, int64_t value);

static inline bool absent_has(const struct absent *absent, bool real, union value value)
{
    return real ? absent_real(absent, value.real) : absent_whole(absent, value.whole);
}

#endif
