/*
 * For a source s, edges u -> v with D[u] + w = D[v] are tight, and make a graph without cycles
 * whose paths from s are the shortest paths. With C[v] of them to v, and the dependency of s on u
 *
 *     sum over tight u -> v of C[u] / C[v] * (1 + dependency of v),
 *
 * dependencies are what s adds to the betweenness. One pass over the vertices in the order of
 * memory finds the tight edges and lists them by their tails; all else is done on these lists. They
 * are taken in topological order (A. Kahn, "Topological sorting of large networks", Communications
 * of the ACM 5, 1962), which needs no sorting by distance, for C, and backwards for the
 * dependencies: these are C[u] times a sum of (1 + dependency of v) / C[v], which stands in the
 * place of C[v] by then. For stress, C[v] stands in the place of 1: each path counts, and not its
 * share of those of its pair (U. Brandes, "On variants of shortest-path betweenness centrality and
 * their generic computation", Social Networks 30, 2008).
 *
 * Load has the number of tight edges into v in the place of C[v], and 1 in that of C[u]: so
 * predecessors of v get equal parts of what it has (M. Newman, "Scientific collaboration networks.
 * II", Physical Review E 64, 2001).
 *
 * Numbers of paths may be beyond every type (scaled.h). Along a tight edge C cannot fall.
 *
 * The sums of floating-point rows were rounded in the order in which the engine made them. Edges
 * that are tight but for that are listed. The sums are made again, from the first edge to the last,
 * in topological order of these edges. The row only shows which edges cannot be tight.
 */
#include "rows/tight.h"

#include "base/mem.h"
#include "base/setting.h"
#include "base/typed.h"
#include "kernels/cpu/relax.h"
#include "proof/rounding.h"
#include "rows/count.h"
#include "rows/scaled.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static size_t tight_place(struct tight *tight, size_t n, size_t m, enum dtype dtype, bool edges,
                          void *base)
{
    struct mem_layout layout = {.base = base};
    mem_place(&layout, 1, sizeof *tight);
    tight->sum = mem_place(&layout, n, sizeof *tight->sum);
    tight->arc = mem_place(&layout, edges ? m : 0, sizeof *tight->arc);
    tight->id = mem_place(&layout, edges ? m : 0, sizeof *tight->id);
    tight->wanted = mem_place(&layout, n, sizeof *tight->wanted);
    tight->first = mem_place(&layout, n + 1, sizeof *tight->first);
    tight->next = mem_place(&layout, m, sizeof *tight->next);
    tight->order = mem_place(&layout, n, sizeof *tight->order);
    tight->node = mem_place(&layout, n, sizeof *tight->node);
    if (dtype == DTYPE_U16)
        tight->wide = mem_place(&layout, n, sizeof *tight->wide);
    if (dtype_info[dtype].real) {
        tight->limit = mem_place(&layout, n, sizeof *tight->limit);
        tight->distance = mem_place(&layout, n, sizeof *tight->distance);
        tight->step = mem_place(&layout, m, sizeof *tight->step);
    }
    if (!edges)
        tight->arc = NULL;
    return layout.bytes;
}

enum dtype tight_measure(enum dtype dtype)
{
    return dtype == DTYPE_U16 || dtype == DTYPE_I32 ? DTYPE_I32
           : dtype == DTYPE_I64                     ? DTYPE_I64
                                                    : DTYPE_F64;
}

/* Shortest paths are finite in number, and their edges have an order, where every weight is above
 * 0. */
static int check_weights(const struct certificate *certificate, const char *option,
                         struct apsp_error *error)
{
    const struct csr *edges = certificate->edges;
    for (size_t u = 0; u < edges->n; u++)
        for (size_t e = edges->start[u]; e < edges->start[u + 1]; e++)
            if (!(csr_real(edges, e) > 0))
                return error_set(
                    error, APSP_INPUT,
                    "%s: the edge from %s to %s has weight %.17g, and shortest paths are counted "
                    "where all are above 0",
                    option, LABEL(certificate->labels, u), LABEL(certificate->labels, edges->to[e]),
                    csr_real(edges, e) / scale_factor(certificate->scale));
    return APSP_OK;
}

int tight_task_make(struct tight_task *task, struct arcs *arcs,
                    const struct certificate *certificate, enum dtype dtype, enum setting setting,
                    struct apsp_error *error)
{
    *task = (struct tight_task){.arcs = arcs,
                                .setting = setting,
                                .labels = certificate->labels,
                                .dtype = dtype,
                                .measure = tight_measure(dtype),
                                .fixed = fixed_for(certificate->edges->n)};
    if (dtype == DTYPE_F32)
        return error_set(error, APSP_USAGE,
                         "%s: f32 is too coarse to distinguish lengths; use %s f64",
                         setting_name(setting), SETTING(TYPE));
    return check_weights(certificate, setting_name(setting), error)
               ? error->code
               : arcs_make(arcs, certificate->edges, task->measure, error);
}

size_t tight_need(size_t n, size_t m, enum dtype dtype, bool edges)
{
    return tight_place(&(struct tight){0}, n, m, dtype, edges, NULL);
}

int tight_open(struct tight **out, const struct tight_task *task, struct apsp_error *error)
{
    const struct arcs *arcs = task->arcs;
    struct tight *tight = *out = mem_alloc(tight_need(arcs->n, arcs->m, task->dtype, task->edges));
    if (!tight)
        return error_set(error, APSP_MEMORY, "%s: no memory for the paths from a vertex",
                         setting_name(task->setting));
    tight_place(tight, arcs->n, arcs->m, task->dtype, task->edges, tight);
    return APSP_OK;
}

void tight_free(struct tight *tight)
{
    mem_free(tight);
}

/*
 * Lists the edges u -> v with row[u] + length IS limit[v]; no limit is above `most`. Which edge is
 * listed is hard to predict: each is written, and counts or is written over.
 */
#define FIND_TIGHT(name, T, IS, MORE)                                                              \
    static void name(const struct arcs *arcs, struct tight *tight, const T *row, const T *limit,   \
                     T most)                                                                       \
    {                                                                                              \
        const T *length = arcs->length;                                                            \
        uint32_t *next = tight->next;                                                              \
        size_t count = 0;                                                                          \
        for (size_t u = 0; u < arcs->n; u++) {                                                     \
            size_t begin = arcs->start[u], end = arcs->start[u + 1];                               \
            const T here = row[u], left = most - here;                                             \
            tight->first[u] = count;                                                               \
            if (begin == end || length[begin] > left)                                              \
                continue;                                                                          \
            for (size_t lo = begin; length[end - 1] > left;) {                                     \
                size_t middle = lo + (end - lo) / 2; /* lo fits, and end - 1 does not */           \
                if (length[middle] > left)                                                         \
                    end = middle;                                                                  \
                else                                                                               \
                    lo = middle;                                                                   \
            }                                                                                      \
            for (size_t e = begin; e < end; e++) {                                                 \
                uint32_t v = arcs->to[e];                                                          \
                next[count] = v;                                                                   \
                if (tight->arc)                                                                    \
                    tight->id[count] = e;                                                          \
                MORE;                                                                              \
                count += here + length[e] IS limit[v];                                             \
            }                                                                                      \
        }                                                                                          \
        tight->first[arcs->n] = count;                                                             \
    }

FIND_TIGHT(find_i32, int32_t, ==, (void)0)
FIND_TIGHT(find_i64, int64_t, ==, (void)0)
FIND_TIGHT(find_f64, double, <=, tight->step[count] = arcs->scaled[e])

/* What rounding in the engine and in the sums here, of at most n edges, may take from one another.
 */
static double raise_limits(struct tight *tight, const double *row, size_t n, double most)
{
    enum { SLACKS = 4 };
    const double share = SLACKS * rounding_slack(DTYPE_F64, n, 1, 0),
                 least = SLACKS * rounding_slack(DTYPE_F64, n, 0, 0);
    for (size_t v = 0; v < n; v++) {
        tight->limit[v] = row[v] + row[v] * share + least;
        tight->distance[v] = INFINITY;
    }
    return most + most * share + least;
}

/* The edges that are tight, but for rounding, go to the lists. */
static void find_tight(const struct tight_task *task, struct tight *tight, const void *row,
                       union value most)
{
    const struct arcs *arcs = task->arcs;
    switch (task->dtype) {
    case DTYPE_U16:
        for (size_t v = 0; v < arcs->n; v++)
            tight->wide[v] = ((const uint16_t *)row)[v];
        find_i32(arcs, tight, tight->wide, tight->wide, (int32_t)most.whole);
        return;
    case DTYPE_I32:
        find_i32(arcs, tight, row, row, (int32_t)most.whole);
        return;
    case DTYPE_I64:
        find_i64(arcs, tight, row, row, most.whole);
        return;
    default:
        find_f64(arcs, tight, row, tight->limit, raise_limits(tight, row, arcs->n, most.real));
    }
}

/* The order is all over the memory: what a vertex of it needs is asked for while others are in
 * hand. */
enum { AHEAD = 12 };
static inline void ask_for(const struct tight *tight, uint32_t u)
{
    __builtin_prefetch(&tight->node[u], 1);
    __builtin_prefetch(&tight->first[u]);
    __builtin_prefetch(&tight->sum[u], 1);
}

/*
 * Takes the vertices that s reaches in topological order, and counts paths; of load the last edges
 * of paths. Returns the number of these vertices. A right row has as many distances, unless edges
 * that are tight but for rounding make a cycle. Returns 0 where a sum equals one of its terms, and
 * so does not show the other.
 */
static inline __attribute__((always_inline)) size_t count_paths(struct tight *tight, size_t n,
                                                                uint32_t s, bool load, bool real)
{
    struct node *node = tight->node;
    size_t known = 0;
    bool hidden = false;
    memset(node, 0, n * sizeof *node);
    for (size_t e = 0; e < tight->first[n]; e++)
        node[tight->next[e]].waiting++;
    if (node[s].waiting > 0)
        return 0;
    node[s].part = 1;
    if (real)
        tight->distance[s] = 0;
    tight->order[known++] = s;
    for (size_t at = 0; at < known; at++) {
        uint32_t u = tight->order[at];
        if (at + AHEAD < known)
            ask_for(tight, tight->order[at + AHEAD]);
        scaled_raise(&node[u].part, &node[u].scale);
        const struct node from = load ? (struct node){.part = 1} : node[u];
        for (size_t e = tight->first[u]; e < tight->first[u + 1]; e++) {
            uint32_t v = tight->next[e];
            double sum = real ? tight->distance[u] + tight->step[e] : 0;
            hidden |= real && u != s && (sum == tight->step[e] || sum == tight->distance[u]);
            if (real && sum < tight->distance[v]) {
                tight->distance[v] = sum;
                node[v].part = from.part;
                node[v].scale = from.scale;
            } else if (!real || sum == tight->distance[v]) {
                scaled_add(&node[v].part, &node[v].scale, from.part, from.scale);
            }
            tight->order[known] = v; /* there is room: v waits, and so is not among them */
            known += --node[v].waiting == 0;
        }
    }
    return hidden ? 0 : known;
}

/* Whether paths may end at a vertex, of a row of s. */
static void find_wanted(const struct tight_task *task, struct tight *tight, const void *row)
{
    const bool real = dtype_info[task->dtype].real;
    const double most = task->within.real * (1 + rounding_slack(DTYPE_F64, task->arcs->n, 1, 0));
    for (size_t v = 0; v < task->arcs->n; v++) {
        const union value value = typed_get(task->dtype, row, v);
        const bool within = real ? value.real <= most : value.whole <= task->within.whole;
        tight->wanted[v] = (!task->target || task->target[v]) && (!task->limited || within);
    }
}

/* The sum of (wanted + dependency) / C over the heads of the tight edges out of u, in the scale of
 * u; edges have their part of it, times `factor`. */
static inline __attribute__((always_inline)) double
sum_after(const struct tight_task *task, struct tight *tight, uint32_t u, double factor, bool real)
{
    const struct node *node = tight->node, own = node[u];
    double sum = 0;
    for (size_t e = tight->first[u]; e < tight->first[u + 1]; e++) {
        const struct node *after = &node[tight->next[e]];
        if (real && tight->distance[u] + tight->step[e] != tight->distance[tight->next[e]])
            continue;
        const double part = scaled_part(after->part, after->scale - own.scale);
        sum += part;
        if (tight->arc)
            fixed_add(&task->fixed, &tight->arc[tight->id[e]], factor * part);
    }
    return sum;
}

/* Backwards along the order, adds the dependencies of its first vertex on the others. */
static inline __attribute__((always_inline)) void
add_dependencies(const struct tight_task *task, struct tight *tight, size_t known, bool real)
{
    struct node *node = tight->node;
    const bool some = task->target || task->limited;
    double ends = 0;
    for (size_t at = known; at-- > 1;) {
        uint32_t u = tight->order[at];
        if (at > AHEAD)
            ask_for(tight, tight->order[at - AHEAD]);
        const double own = node[u].part, factor = task->load ? 1 : own,
                     sum = sum_after(task, tight, u, factor, real),
                     wanted = some ? tight->wanted[u] : 1,
                     end = task->path > 0 ? wanted * own * task->path : wanted;
        fixed_add(&task->fixed, &tight->sum[u], factor * sum + (task->ends ? end : 0));
        node[u].part = task->load ? (end + sum) / own : end / own + sum;
        ends += end;
    }
    if (tight->arc && known > 0)
        sum_after(task, tight, tight->order[0], 1, real); /* one path leads to it */
    if (task->ends && known > 0)
        fixed_add(&task->fixed, &tight->sum[tight->order[0]], ends);
}

/* Whether numbers of paths that count one by one have room in sums. Those to other vertices than
 * ends add nothing. */
static int check_numbers(const struct tight_task *task, const struct tight *tight, size_t known,
                         struct apsp_error *error)
{
    const bool some = task->target || task->limited;
    for (size_t at = 0; task->path > 0 && at < known; at++) {
        const uint32_t v = tight->order[at];
        const struct node *node = &tight->node[v];
        if ((!some || tight->wanted[v]) && (node->scale > 0 || node->part * task->path > 1))
            return error_set(error, APSP_INPUT,
                             "%s: more than 2^%d shortest paths lead from %s to %s, too many to "
                             "add up; %s leaves long ones out",
                             SETTING(STRESS), -ilogb(task->path),
                             LABEL(task->labels, tight->order[0]), LABEL(task->labels, v),
                             SETTING(THROUGH_WITHIN));
    }
    return APSP_OK;
}

/* Returns how many vertices s reaches; 0 after an error. */
static size_t find_paths(const struct tight_task *task, struct tight *tight, size_t s,
                         const void *row, struct apsp_error *error)
{
    const size_t n = task->arcs->n;
    const struct row_counts counts =
        count_row(relax_choose(task->dtype, NULL), task->dtype, row, n);
    const bool real = task->measure == DTYPE_F64;
    find_tight(task, tight, row, counts.most);
    const size_t known = real ? count_paths(tight, n, (uint32_t)s, task->load, true)
                              : count_paths(tight, n, (uint32_t)s, task->load, false);
    if (known == counts.reached)
        return known;
    if (real)
        error_set(error, APSP_INPUT,
                  "%s: some weights are so small beside the distances from %s, of up to %g, that "
                  "rounding hides which paths are shortest",
                  setting_name(task->setting), LABEL(task->labels, s), counts.most.real);
    else
        error_set(error, APSP_REFUTED,
                  "%s: the distances are wrong: row %s has %zu distances, but shortest paths reach "
                  "%zu vertices",
                  setting_name(task->setting), LABEL(task->labels, s), counts.reached, known);
    return 0;
}

int tight_take(const struct tight_task *task, struct tight *tight, size_t s, const void *row,
               struct apsp_error *error)
{
    const size_t known = find_paths(task, tight, s, row, error);
    if (known > 0 && (task->target || task->limited))
        find_wanted(task, tight, row);
    if (known == 0 || check_numbers(task, tight, known, error))
        return error->code;
    if (task->measure == DTYPE_F64)
        add_dependencies(task, tight, known, true);
    else
        add_dependencies(task, tight, known, false);
    return APSP_OK;
}

int tight_count(const struct tight_task *task, struct tight *tight, size_t s, const void *row,
                const struct tight_counts *counts, struct apsp_error *error)
{
    if (find_paths(task, tight, s, row, error) == 0)
        return error->code;
    for (size_t j = 0; j < counts->columns; j++) {
        const size_t v = counts->column ? counts->column[j] : j;
        const struct node *node = &tight->node[v];
        if (node->scale > 1)
            return error_set(error, APSP_INPUT,
                             "%s: 2^1024 shortest paths or more lead from %s to %s, too many for "
                             "f64; %s leaves vertices out",
                             setting_name(task->setting), LABEL(task->labels, s),
                             LABEL(task->labels, v), SETTING(TARGETS));
        counts->value[j] = node->scale > 0 ? node->part * GREAT : node->part;
    }
    return APSP_OK;
}
