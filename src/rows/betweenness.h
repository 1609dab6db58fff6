/*
 * Betweenness of the vertices: for each the sum, over pairs of other vertices, of the part of the
 * shortest paths between the two that lead through it; and of the edges. The contribution of a
 * vertex s as the beginning of paths comes from a row of distances and the edges (tight.h). If all
 * weights are equal, it comes from a search without a row (brandes.h, deep.h).
 *
 * The shortest of parallel edges counts, as one. In an undirected graph, where every edge leads
 * back with the same length, the two directions of a pair count once.
 *
 * Which paths are shortest: for integer lengths those whose sums are equal. This holds for
 * floating-point weights too, if one power of ten makes all of them integers and sums then fit 53
 * bits. Else sums are those that
 * float64 makes from the first edge to the last, whatever the row says within its rounding, and
 * equal if all their bits are.
 *
 * Stress is the number of these paths in place of their share (A. Shimbel, "Structural parameters
 * of communication networks", Bulletin of Mathematical Biophysics 15, 1953). Load sends a unit
 * from the end of each pair back to its beginning: a vertex passes on what it gets to its
 * predecessors, in equal parts (M. Newman, "Scientific collaboration networks. II", Physical Review
 * E 64, 2001). Both always have rows.
 *
 * Sums do not depend on the order of their terms (base/fixed.h): not on workers, ranks or engines.
 */
#ifndef BETWEENNESS_H
#define BETWEENNESS_H

#include "apsp.h"
#include "proof/certify.h"
#include "rows/block.h"
#include "rows/rows.h"

struct betweenness;
struct comm;

/* The paths that count. */
struct betweenness_plan {
    struct certificate certificate; /* Its edges are of no use to it afterwards. */
    enum dtype dtype;               /* The type of rows. */
    const uint32_t *target;         /* Paths end at these; NULL: at any vertex. */
    size_t targets;                 /* Number of targets. */
    struct results_between between; /* `edges`: vertices have one, too. */
    int gpu; /* Its number + 1: it searches where no rows are needed, and takes rows that it has, if
              * it can; 0: cores do. */
    int lanes;
};

/* All paths of a run, on the device of the rank. */
struct betweenness_plan betweenness_plan_of(const struct sink_task *task, int lanes);

/*
 * APSP_USAGE: rows are f32, too coarse to tell lengths apart; APSP_INPUT: a weight is not above 0;
 * APSP_MEMORY. Local. *out is NULL after an error.
 */
int betweenness_new(struct betweenness **out, const struct betweenness_plan *plan,
                    struct apsp_error *error);
void betweenness_free(struct betweenness *betweenness); /* NULL is allowed */

/* Whether it needs no rows: once there are the edges. */
bool betweenness_has_no_rows(const struct betweenness_plan *plan);

/* Bytes for n vertices and m edges at most; the plan's edges may not be there yet. */
size_t betweenness_need(size_t n, size_t m, const struct betweenness_plan *plan);

/* Whether rows may stay on a device; and its bytes for so many rows. */
bool betweenness_on_device(const struct betweenness_plan *plan);
size_t betweenness_device_need(size_t n, size_t m, const struct betweenness_plan *plan,
                               size_t rows);

/* If no rows are needed, *maker makes blocks of sources alone, for the vertices of an ascending
 * list (NULL: all), shared out among the ranks; else it stays as it is. */
int betweenness_maker(struct betweenness *betweenness, struct comm *comm, const size_t *list,
                      size_t count, struct rows_maker *maker, struct apsp_error *error);

/*
 * Adds what the rows of a block add to it; workers may do so at once. APSP_REFUTED: a row is wrong
 * (not all wrong rows are found); APSP_INPUT: real lengths are too different for their sums,
 * or numbers of paths too large for stress; APSP_MEMORY.
 */
int betweenness_take(struct betweenness *betweenness, int lane, const struct block *block,
                     struct apsp_error *error);

/* While no worker takes: the sums of this rank so far, of which the workers have none afterwards. A
 * caller may add to them. NULL after an error; APSP_MEMORY, APSP_DEVICE, and as betweenness_take.
 * Local. */
size_t *betweenness_sums(struct betweenness *betweenness, size_t *words, struct apsp_error *error);

/* Collective, once, after the last block: adds up workers and ranks. NULL when memory is short, on
 * any rank. */
double *betweenness_merge(struct betweenness *betweenness, struct comm *comm,
                          struct apsp_error *error);
/* After it, where edges are wanted: by tails and heads; of an undirected graph each edge from its
 * lower vertex. To be freed. NULL: no memory. */
struct apsp_edge_value *betweenness_edges(const struct betweenness *betweenness, size_t *count,
                                          struct apsp_error *error);

bool betweenness_is_directed(const struct betweenness *betweenness);
/* The factor that makes the value of a vertex, or of an edge, a share of all pairs: those without
 * the vertex; for edges, and if ends count, all. */
double betweenness_share(const struct betweenness *betweenness, bool edge);

#endif
