#include "proof/proof.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/setting.h"
#include "proof/better.h"
#include "proof/bound.h"
#include "proof/cycle.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

enum { AUTO = -1, SWEPT_MOST = 8 };

/* Rank 0's work. */
struct work {
    const struct proof_task *task;
    struct proof *proof;
    const char *reason; /* how the bound was found */
};

static const char by_weight[] = "(n-1) times the heaviest weight";
static const char by_maximum[] = "the largest difference of weights";
static const char by_reweighted[] = "(n-1) times the heaviest weight, reweighted";
static const char by_landmarks[] = "the landmarks of its components";

void proof_free(struct proof *proof)
{
    potential_free(&proof->potential);
    cycle_free(&proof->ring);
    free(proof->cycle);
    *proof = (struct proof){0};
}

static bool adds_up(const struct graph *graph)
{
    return algebra_combine(&graph->algebra) == COMBINE_SUM;
}

static union value bound_of(const struct graph *graph, bool real, union value most)
{
    if (!adds_up(graph))
        return most;
    if (real)
        return (union value){.real = (double)(graph->n - 1) * most.real};
    return (union value){.whole = bound_by_weight(graph->n, most.whole)};
}

static void bound_by_edges(struct work *work)
{
    struct proof *proof = work->proof;
    const struct csr *csr = work->task->csr;
    union value most = {0};
    for (size_t u = 0; u < csr->n; u++)
        for (size_t e = csr->start[u]; e < csr->start[u + 1]; e++) {
            union value weight = potential_value(&proof->potential, u, csr->to[e], csr->weight[e]);
            if (csr->real ? weight.real > most.real : weight.whole > most.whole)
                most = weight;
        }
    proof->bound = bound_of(work->task->graph, csr->real, most);
    work->reason = by_reweighted;
}

/* Whether weights may be real again where whole types are too narrow for them. */
static bool may_be_unfit(const struct proof_task *task)
{
    return task->graph->scaled && task->wanted == AUTO;
}

/* Potentials for negative weights, and the bound of what is left after them. */
static int reweight(struct work *work, struct apsp_error *error)
{
    struct proof *proof = work->proof;
    struct apsp_error own = {0};
    struct cycle cycle = {0};
    if (potential_find(&proof->potential, &cycle, work->task->csr, work->task->threads, &own))
        proof->unfit = own.code == APSP_INPUT && may_be_unfit(work->task);
    if (own.code && !proof->unfit)
        error_set(error, (enum apsp_status)own.code, "%s: %s", work->task->graph->path, own.text);
    else if (cycle.length > 0)
        cycle_refuse(work->proof, work->task->graph, &cycle, error);
    cycle_free(&cycle);
    if (error->code || proof->unfit)
        return error->code;
    proof->reach = potential_reach(&proof->potential);
    bound_by_edges(work);
    return APSP_OK;
}

/* The type holds every integer below this. */
static int64_t end_of(enum dtype type)
{
    return dtype_info[type].real ? INT64_C(1) << dtype_info[type].digits
                                 : dtype_info[type].unreachable;
}

/* Of files, for which a better bound may be sought than the type to compute in needs. */
static const enum dtype file_types[] = {DTYPE_U8, DTYPE_U16};
enum { FILE_TYPES = sizeof file_types / sizeof *file_types };

static bool may_have(const struct proof_task *task, enum dtype type)
{
    return !edge_scan_is_negative(task->scan) && (task->narrow || task->file == (int)type);
}

static int improve_by(struct work *work, int64_t enough, enum better_effort effort,
                      struct apsp_error *error)
{
    int64_t bound;
    const struct csr *csr = work->task->csr;
    if (work->proof->bound.whole < enough || !csr || !csr->start || effort == BETTER_NONE ||
        !adds_up(work->task->graph))
        return APSP_OK;
    if (better_find(&bound, work->task, &work->proof->potential, enough, effort, error) ==
            APSP_OK &&
        bound < work->proof->bound.whole) {
        work->proof->bound.whole = bound;
        work->reason = by_landmarks;
    }
    return error->code;
}

/* Not believed: the landmarks of that run are found again, and the search ends as soon as they show
 * as much. */
static int improve_to_known(struct work *work, struct apsp_error *error)
{
    const int64_t known = work->task->known, depth = potential_depth(&work->proof->potential);
    if (known <= depth)
        return APSP_OK;
    improve_by(work, known - depth + 1, better_first(work->task), error);
    return error->code ? error->code : improve_by(work, known - depth + 1, BETTER_LANDMARKS, error);
}

/* Below that numbers are the type's, and of scaled weights doubles too. */
static int64_t end_of_sums(const struct graph *graph, enum dtype type)
{
    int64_t end = dtype_info[type].infinity, limit = scale_limit(graph->scale);
    return graph->scaled && limit < end ? limit : end;
}

/* Seconds of solving in the narrowest type that this bound allows; infinite if there is none. */
static double solving(const struct proof_task *task, int64_t bound)
{
    for (enum dtype type = DTYPE_U16; type <= DTYPE_I64; type++)
        if (bound < end_of_sums(task->graph, type))
            return task->seconds[type];
    return INFINITY;
}

/* Of a bound that allows this type. Half the memory of the widest is worth some time by itself. */
static struct better_gain gain_of(const struct proof_task *task, int64_t bound, enum dtype type)
{
    const double now = solving(task, bound);
    const bool widest = bound >= end_of_sums(task->graph, DTYPE_I32);
    return (struct better_gain){now - task->seconds[type], widest ? now : 0};
}

/* Many edges are swept first. Shortest paths then have to save what is left, and are seldom a
 * SWEPT_MOST-th of those. */
static int improve_to(struct work *work, enum dtype type, struct apsp_error *error)
{
    const struct proof_task *task = work->task;
    const int64_t enough = end_of_sums(task->graph, type), *bound = &work->proof->bound.whole;
    enum better_effort effort = better_effort(task, gain_of(task, *bound, type));
    if (effort == BETTER_LANDMARKS && better_first(task) == BETTER_SWEEP) {
        if (improve_by(work, enough, BETTER_SWEEP, error))
            return error->code;
        effort = better_effort(task, gain_of(task, *bound, type));
        if (effort == BETTER_SWEEP || (task->wanted == AUTO && *bound / SWEPT_MOST >= enough))
            effort = BETTER_NONE;
    }
    return improve_by(work, enough, effort, error);
}

/* The largest number that may be given out, or INT64_MAX. */
static int64_t range_of(const struct proof *proof)
{
    int64_t sum;
    return __builtin_add_overflow(proof->bound.whole, potential_depth(&proof->potential), &sum)
               ? INT64_MAX
               : sum;
}

static bool holds(const struct work *work, enum dtype dtype)
{
    return work->proof->bound.whole < end_of_sums(work->task->graph, dtype) &&
           range_of(work->proof) < end_of_sums(work->task->graph, dtype_info[dtype].output);
}

static int refuse_whole(const struct work *work, struct apsp_error *error)
{
    enum dtype widest = work->task->wanted == AUTO ? DTYPE_I64 : (enum dtype)work->task->wanted;
    const struct proof *proof = work->proof;
    const bool any = work->task->wanted == AUTO;
    bool narrow = proof->bound.whole >= dtype_info[widest].infinity;
    const struct scale scale = work->task->graph->scale;
    char end[SCALE_TEXT], most[SCALE_TEXT];
    return error_set(
        error, APSP_INPUT, "%s: %s%s%s holds distances below %s, but they may reach %s%s, by %s%s",
        work->task->graph->path, any ? "the widest type" : SETTING(TYPE), any ? ", " : " ",
        dtype_info[widest].name,
        scale_text(scale,
                   (narrow ? dtype_info[widest] : dtype_info[dtype_info[widest].output]).infinity,
                   end),
        scale_text(scale, narrow ? proof->bound.whole : range_of(proof), most),
        (narrow ? proof->bound.whole : range_of(proof)) == INT64_MAX ? " or more" : "",
        work->reason, narrow ? "" : " and the potentials of negative weights");
}

/* Where files may be narrower than a bound shows that is good enough to compute with: that may take
 * as long as solving. */
static int improve_for_files(struct work *work, struct apsp_error *error)
{
    const struct proof_task *task = work->task;
    const struct better_gain gain = {task->seconds[work->proof->dtype], 0};
    for (size_t i = 0; i < FILE_TYPES && !error->code; i++)
        if (may_have(task, file_types[i]))
            improve_by(work, end_of(file_types[i]), better_effort(task, gain), error);
    return error->code;
}

static int choose_whole(struct work *work, struct apsp_error *error)
{
    struct proof *proof = work->proof;
    if (work->task->wanted != AUTO && dtype_info[work->task->wanted].real) {
        proof->dtype = (enum dtype)work->task->wanted;
        return APSP_OK;
    }
    if (improve_to_known(work, error))
        return error->code;
    for (enum dtype type = DTYPE_U16; type <= DTYPE_I64; type++) {
        if (work->task->wanted != AUTO && type != (enum dtype)work->task->wanted)
            continue;
        if (improve_to(work, type, error))
            return error->code;
        proof->dtype = type;
        if (holds(work, type))
            return improve_for_files(work, error);
    }
    proof->unfit = may_be_unfit(work->task);
    if (proof->unfit)
        return APSP_OK;
    return refuse_whole(work, error);
}

/* Maxima of keys are not rounded where the type holds all keys. Only f64 has places of doubles. */
static int choose_maximum(const struct work *work, struct apsp_error *error)
{
    const struct proof *proof = work->proof;
    const struct graph *graph = work->task->graph;
    if (proof->real ? graph->algebra.map == ALGEBRA_SAME || proof->dtype == DTYPE_F64
                    : proof->bound.whole < end_of(proof->dtype))
        return APSP_OK;
    return error_set(error, APSP_INPUT, "%s: %s %s does not hold all values of %s %s", graph->path,
                     SETTING(TYPE), dtype_info[proof->dtype].name, SETTING(PATHS),
                     algebra_name(graph->algebra.kind));
}

/* A quarter of the type's range leaves room for sums of two and for potentials. */
static int choose_real(struct work *work, struct apsp_error *error)
{
    struct proof *proof = work->proof;
    proof->dtype = work->task->wanted == AUTO ? DTYPE_F64 : (enum dtype)work->task->wanted;
    double limit = (proof->dtype == DTYPE_F32 ? FLT_MAX : DBL_MAX) / 4;
    double bound = proof->real ? proof->bound.real : (double)proof->bound.whole;
    if (!dtype_info[proof->dtype].real)
        return error_set(error, APSP_INPUT,
                         "%s: the weights are floating-point numbers, but %s %s holds integers",
                         work->task->graph->path, SETTING(TYPE), dtype_info[proof->dtype].name);
    if (!adds_up(work->task->graph))
        return choose_maximum(work, error);
    if (bound <= limit && proof->reach <= limit)
        return APSP_OK;
    return error_set(error, APSP_INPUT,
                     "%s: %s holds distances up to %g, but they may reach %g, by %s",
                     work->task->graph->path, dtype_info[proof->dtype].name, limit,
                     fmax(bound, proof->reach), work->reason);
}

/* The bound is that of the distances. Binary fractions are integers of their scale, and
 * potentials may be. */
static bool is_exact(const struct work *work)
{
    const struct proof *proof = work->proof;
    const struct edge_scan *scan = work->task->scan;
    const struct potential *potential = &proof->potential;
    const int digits = dtype_info[proof->dtype].digits;
    const int bits = scan->scale.binary ? scan->scale.power : 0;
    if (!dtype_info[proof->dtype].real || !adds_up(work->task->graph))
        return true;
    if (!proof->real)
        return proof->bound.whole >> digits == 0;
    if (!scan->scales || (!scan->scale.binary && scan->scale.power > 0))
        return false;
    for (size_t v = 0; potential->h && v < potential->n; v++)
        if (potential->h[v].real != 0 && scale_lowest_bit(potential->h[v].real) < -bits)
            return false;
    return ldexp(proof->bound.real, bits) < ldexp(1, digits);
}

static int prove(struct work *work, struct apsp_error *error)
{
    struct proof *proof = work->proof;
    proof->bound = bound_of(work->task->graph, proof->real, work->task->scan->most);
    work->reason = adds_up(work->task->graph) ? by_weight : by_maximum;
    if (proof->negative && reweight(work, error))
        return error->code;
    if (!proof->real && !proof->unfit && choose_whole(work, error))
        return error->code;
    if (proof->unfit)
        return APSP_OK;
    if ((proof->real || dtype_info[proof->dtype].real) && choose_real(work, error))
        return error->code;
    if (proof->real) /* from here on of the distances, not of those between reweighted edges */
        proof->bound.real += proof->reach;
    else
        proof->bound.whole = range_of(proof);
    if (!dtype_info[proof->dtype].real && proof->bound.whole < work->task->known)
        proof->bound.whole = work->task->known;
    proof->negative |= work->task->graph->algebra.negative;
    if (work->task->graph->algebra.map == ALGEBRA_LOGARITHM)
        proof->bound.real = 1;
    proof->exact = is_exact(work);
    return APSP_OK;
}

/* Rank 0's result to all ranks, who may be short of memory for it. */
static int share(struct proof *proof, size_t n, struct comm *comm, struct apsp_error *error)
{
    size_t bytes;
    union value *own = proof->potential.h;
    struct proof told = *proof;
    comm_broadcast(comm, &told, sizeof told, 0);
    if (comm->rank != 0) {
        *proof = told;
        proof->potential.h = NULL;
        proof->cycle = NULL;
    }
    if (!told.potential.h)
        return APSP_OK;
    mem_mul(&bytes, n, sizeof *own);
    if (comm->rank != 0) {
        own = proof->potential.h = mem_alloc(bytes);
        if (!own)
            error_set(error, APSP_MEMORY, "no memory for the potentials of %zu vertices on %s", n,
                      comm->host);
    }
    if (comm_agree(comm, error) == APSP_OK)
        comm_broadcast(comm, own, bytes, 0);
    return error->code;
}

/* Whether files may be narrower than that bound allows. */
static bool files_want(const struct proof_task *task, int64_t bound)
{
    bool want = false;
    for (size_t i = 0; i < FILE_TYPES; i++)
        want |= may_have(task, file_types[i]) && bound >= end_of(file_types[i]);
    return want;
}

/* Whether the narrowest types that may be taken are not settled by the heaviest weight; and what a
 * better bound gains then, at most. */
static bool is_open(const struct proof_task *task, struct better_gain *gain)
{
    bool whole = (task->wanted == AUTO || !dtype_info[task->wanted].real) && adds_up(task->graph);
    enum dtype narrowest = task->wanted == AUTO ? DTYPE_U16 : (enum dtype)task->wanted;
    int64_t bound = bound_of(task->graph, false, task->scan->most).whole;
    bool files = files_want(task, bound);
    *gain = gain_of(task, bound, narrowest);
    gain->saves += files ? task->seconds[narrowest] : 0;
    files |= task->known > 0 && bound > task->known;
    return whole && !task->scan->real && (bound >= dtype_info[narrowest].infinity || files);
}

static bool wants_landmark(const struct proof_task *task)
{
    struct better_gain gain;
    return is_open(task, &gain) && better_effort(task, gain) != BETTER_NONE;
}

bool proof_wants_seconds(const struct proof_task *task)
{
    struct better_gain gain;
    return task->wanted == AUTO && task->scan->edges > BETTER_FEW_EDGES && !better_is_idle(task) &&
           (is_open(task, &gain) || edge_scan_is_negative(task->scan));
}

size_t proof_need(const struct proof_task *task)
{
    size_t n = task->graph->n, m = task->scan->edges;
    size_t potentials =
        edge_scan_is_negative(task->scan) ? potential_need(n, m, task->graph->real) : 0;
    size_t landmarks = wants_landmark(task) ? better_need(task) : 0;
    return potentials > landmarks ? potentials : landmarks;
}

bool proof_wants_edges(const struct proof_task *task)
{
    bool wants = edge_scan_is_negative(task->scan) || wants_landmark(task);
    comm_broadcast(task->comm, &wants, sizeof wants, 0); /* nodes may have different memory */
    return wants;
}

int proof_make(struct proof *proof, const struct proof_task *task, struct apsp_error *error)
{
    struct work work = {.task = task, .proof = proof};
    double start = clock_seconds();
    *proof = (struct proof){.real = task->graph->real,
                            .scaled = task->graph->scaled,
                            .negative = edge_scan_is_negative(task->scan)};
    if (task->comm->rank == 0)
        prove(&work, error);
    proof->seconds = clock_seconds() - start;
    if (comm_agree(task->comm, error) || share(proof, task->graph->n, task->comm, error))
        return error->code;
    if (proof->unfit) {
        proof_free(proof);
        proof->unfit = true;
        return APSP_OK;
    }
    if (dtype_info[proof->dtype].real)
        potential_convert(&proof->potential);
    return APSP_OK;
}

bool proof_holds_output(const struct proof *proof, enum dtype output)
{
    if (dtype_info[output].real && (proof->real || proof->scaled))
        return true;
    if (proof->real)
        return false;
    if (proof->negative && dtype_info[output].natural)
        return false;
    return proof->bound.whole < end_of(output) &&
           (!dtype_info[proof->dtype].real || proof->bound.whole < end_of(proof->dtype));
}
