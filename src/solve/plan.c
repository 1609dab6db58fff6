#include "solve/plan.h"

#include "base/mem.h"
#include "base/setting.h"
#include "base/words.h"
#include "graph/csr_rows.h"
#include "proof/search.h"
#include "rows/matrix.h"
#include "rows/sums.h"
#include "solve/estimate.h"
#include "solve/resume.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { AUTO = -1 };

static bool is_auto(const char *name)
{
    return !name || strcmp(name, "auto") == 0;
}

/* The type of that name, one of `names`; AUTO for "auto" or none. */
static int type_of(struct solver *solver, enum setting setting, const char *name, const char *names)
{
    if (is_auto(name))
        return AUTO;
    if (words_find(names, name) < 0)
        words_refuse(&solver->error, setting_name(setting), name, "auto", names);
    return dtype_find(name);
}

static bool is_narrow(const struct solver *solver)
{
    return solver->request.output_type && strcmp(solver->request.output_type, "narrow") == 0;
}

/* The type of the file of distances, or AUTO: asked for, or named by a suffix. */
static int file_type(struct solver *solver)
{
    const char *name = solver->request.output_type, *path = solver->given.results->distances;
    if (is_narrow(solver))
        return AUTO;
    if (is_auto(name) && path)
        return matrix_type_named(path);
    return type_of(solver, SETTING_OUTPUT, name, dtype_file_names());
}

/* Rows of f64 promise sums as exact as f64 makes them. */
static bool output_is_possible(const struct solver *solver, enum dtype output)
{
    enum dtype computed = solver->problem.proof.dtype;
    if (dtype_info[computed].real && (!dtype_info[output].real || output > computed))
        return false;
    return proof_holds_output(&solver->problem.proof, output);
}

static enum dtype output_narrowest(const struct solver *solver)
{
    static const enum dtype types[] = {DTYPE_U8, DTYPE_U16, DTYPE_I32, DTYPE_I64};
    for (size_t i = solver->request.rows_later; i < sizeof types / sizeof *types;
         i++) /* u8 is of files alone */
        if (output_is_possible(solver, types[i]))
            return types[i];
    return dtype_info[solver->problem.proof.dtype].output;
}

/* Names what stands against it. */
static void output_refuse(struct solver *solver, enum dtype asked)
{
    const char *name = dtype_info[asked].name, *path = solver->problem.graph.path;
    char asks[TEXT_SHORT] = "a file .", limit[TEXT_NUMBER], bound[TEXT_NUMBER], scale[SCALE_TEXT],
         times[SCALE_TEXT + 8] = "";
    if (!is_auto(solver->request.output_type))
        snprintf(asks, sizeof asks, "%s ", SETTING(OUTPUT));
    if (solver->problem.graph.scaled && scale_factor(solver->problem.graph.scale) != 1)
        snprintf(times, sizeof times, " times %s", scale_print(solver->problem.graph.scale, scale));
    if (solver->problem.proof.real || dtype_info[solver->problem.proof.dtype].real)
        error_set(&solver->error, APSP_INPUT, "%s: %s%s does not hold distances of type %s", path,
                  asks, name, dtype_info[solver->problem.proof.dtype].name);
    else if (dtype_info[asked].natural && solver->problem.proof.negative)
        error_set(&solver->error, APSP_INPUT,
                  "%s: %s%s: distances may be negative, since weights are", path, asks, name);
    else
        error_set(&solver->error, APSP_INPUT,
                  "%s: %s%s is exact below %s, and distances%s may reach %s", path, asks, name,
                  text_count(limit, dtype_info[asked].real ? (size_t)1 << dtype_info[asked].digits
                                                           : (size_t)dtype_info[asked].unreachable),
                  times, text_count(bound, (size_t)solver->problem.proof.bound.whole));
}

/* Rows of scaled weights are integers, whatever the files, and rows that are counted or compared
 * are as exact as they were computed. */
static enum dtype rows_of(const struct solver *solver)
{
    const struct results *results = solver->given.results;
    const enum dtype file = solver->sink_task.file, computed = solver->problem.proof.dtype;
    const bool read = results->stats || results->plot || results->nearest || results->bounded ||
                      solver->problem.graph.algebra.map >= ALGEBRA_PLACES;
    return dtype_info[file].real &&
                   (solver->problem.graph.scaled || (read && dtype_info[computed].real))
               ? dtype_info[computed].output
               : dtype_info[file].rows;
}

/* No distance in files is larger; infinite beyond doubles. */
static double furthest(const struct solver *solver)
{
    const struct scale scale =
        solver->problem.graph.scaled ? solver->problem.graph.scale : (struct scale){0};
    return solver->problem.proof.real
               ? solver->problem.proof.bound.real
               : (double)solver->problem.proof.bound.whole / scale_factor(scale);
}

static double most_of(enum dtype type)
{
    return type == DTYPE_F32 ? FLT_MAX : DBL_MAX;
}

static int output_choose(struct solver *solver, int asked)
{
    if (asked != AUTO && !output_is_possible(solver, (enum dtype)asked))
        output_refuse(solver, (enum dtype)asked);
    solver->sink_task.file = asked != AUTO       ? (enum dtype)asked
                             : is_narrow(solver) ? output_narrowest(solver)
                             : solver->problem.graph.scaled
                                 ? DTYPE_F64
                                 : dtype_info[solver->problem.proof.dtype].output;
    if (dtype_info[solver->sink_task.file].real && !solver->error.code &&
        furthest(solver) > most_of(solver->sink_task.file))
        error_set(&solver->error, APSP_INPUT,
                  "%s: %s holds distances up to %g, but they may reach %g",
                  solver->problem.graph.path, dtype_info[solver->sink_task.file].name,
                  most_of(solver->sink_task.file), furthest(solver));
    solver->task.output = rows_of(solver);
    solver->sink_task.scale =
        solver->problem.graph.scaled ? solver->problem.graph.scale : (struct scale){0};
    return comm_agree(solver->comm, &solver->error);
}

/* Once they are in csr, where no engine that is left loads them. */
static void edges_free_early(struct solver *solver)
{
    bool loads = false;
    for (int i = 0; i < solver->methods.count; i++)
        loads |= !solver->methods.of[i].ops->wants_edges;
    if (!loads)
        edges_free(&solver->problem.edges);
}

/*
 * Sums along paths take a look at every edge, and a heap of vertices, for each row. Where they
 * are not asked for they may take one part in so many of the solve, or as many visits as pass
 * unnoticed. A thread makes a visit in the time of so many relaxations in floating point of its
 * own, and of a GPU.
 */
enum { SUMS_SHARE = 33, FEW_VISITS = 1 << 21 };
#define CPU_RELAXATIONS 40.0
#define GPU_RELAXATIONS 15e3

/* The least work of the engines that are left. */
static double least_work(const struct solver *solver, double rows)
{
    double least = INFINITY;
    for (int i = 0; i < solver->methods.count; i++) {
        const struct method *method = &solver->methods.of[i];
        least = fmin(least, engine_relaxations(method->ops, &method->plan, rows));
    }
    return least;
}

static bool sums_are_cheap(const struct solver *solver)
{
    const double rows = (double)sink_rows(&solver->sink_task),
                 visits = rows * sums_visits(solver->problem.graph.n, solver->problem.scan.edges),
                 price = *solver->device.place ? GPU_RELAXATIONS / solver->topology.threads
                                               : CPU_RELAXATIONS;
    return visits <= FEW_VISITS || visits * price * SUMS_SHARE <= least_work(solver, rows);
}

/* Whether rows will be sums along paths, if they turn out to be rounded. The same on all ranks. */
static void sums_choose(struct solver *solver, bool real)
{
    const char *asked = solver->request.sums;
    const bool *before = checkpoint_summed(solver->checkpoint);
    real &= solver->problem.graph.algebra.kind == ALGEBRA_SHORTEST;
    solver->summed = real && (!is_auto(asked) ? strcmp(asked, "path") == 0
                              : before        ? *before
                                              : sums_are_cheap(solver));
    comm_broadcast(solver->comm, &solver->summed, sizeof solver->summed, 0);
}

static int sums_check(struct solver *solver)
{
    const char *asked = solver->request.sums;
    if (!is_auto(asked) && words_find(sums_names(), asked) < 0)
        words_refuse(&solver->error, SETTING(SUMS), asked, "auto", sums_names());
    return solver->error.code;
}

/* Refuses what has no meaning in the algebra. */
static int algebra_check(struct solver *solver)
{
    const struct results *results = solver->given.results;
    const enum algebra_kind kind = solver->problem.graph.algebra.kind;
    const bool down = kind == ALGEBRA_WIDEST || kind == ALGEBRA_RELIABLE,
               sums = solver->request.sums && strcmp(solver->request.sums, "path") == 0;
    const enum setting what = results->betweenness                     ? SETTING_BETWEENNESS
                              : results->path_counts                   ? SETTING_PATH_COUNTS
                              : results->diameter                      ? SETTING_DIAMETER
                              : down && results->access.path           ? SETTING_ACCESS
                              : down && results->isochrones.path       ? SETTING_ISOCHRONES
                              : down && results->nearest               ? SETTING_NEAREST
                              : down && results->bounded               ? SETTING_WITHIN
                              : sums                                   ? SETTING_SUMS_PATH
                              : results->counted & APSP_STATS_HARMONIC ? SETTING_COUNT_HARMONIC
                                                                       : SETTING_END;
    if (kind != ALGEBRA_SHORTEST && what != SETTING_END)
        error_set(&solver->error, APSP_USAGE, "%s %s: has no %s", SETTING(PATHS),
                  algebra_name(kind), setting_name(what));
    return solver->error.code;
}

/* Weights that are scaled may be real again: the edges are then wanted where they were not. */
static int types_prove_again(struct solver *solver, const struct proof_task *task, bool *rows)
{
    edge_scan_unscale(&solver->problem.scan, &solver->problem.edges);
    sums_choose(solver, true);
    bool more = !*rows && solver->summed;
    *rows |= more;
    if (more) {
        csr_free(&solver->problem.csr);
        csr_load(&solver->problem.csr, &solver->problem.edges, true, &solver->error);
    } else {
        csr_convert(&solver->problem.csr, solver->problem.graph.scale);
    }
    return solver->error.code ? solver->error.code
                              : proof_make(&solver->problem.proof, task, &solver->error);
}

/* The seconds of each type, if the proof wants them. */
static void types_take(struct solver *solver, struct proof_task *task)
{
    for (enum dtype type = DTYPE_U16; type <= DTYPE_I64 && proof_wants_seconds(task); type++)
        task->seconds[type] = methods_seconds(solver, type);
}

/* The edge scan. It makes the csr, too, if that is wanted, and the edges are rows already. */
static int types_read(struct solver *solver)
{
    struct problem *problem = &solver->problem;
    if (!edges_are_wanted(solver) || problem->edges.summed ||
        !csr_rows_are_there(&problem->graph, solver->comm))
        return edge_scan_take(&problem->scan, &problem->edges, &solver->error);
    solver->proving = csr_need(problem->graph.n, problem->graph.m);
    return estimate_check_proof(solver)
               ? solver->error.code
               : csr_rows_take(&problem->csr, &problem->scan, &problem->edges, &solver->error);
}

static void types_scale(struct solver *solver)
{
    edge_scan_scale(&solver->problem.scan, &solver->problem.edges);
    if (solver->problem.csr.start)
        csr_scale(&solver->problem.csr, solver->problem.scan.scale);
}

/* Reads the edges, and proves which type holds the distances, while the device starts. */
static int types_prove(struct solver *solver, int wanted, int output)
{
    double begun = clock_seconds();
    struct proof_task task = {.graph = &solver->problem.graph,
                              .scan = &solver->problem.scan,
                              .csr = &solver->problem.csr,
                              .wanted = wanted,
                              .file = output != AUTO && dtype_info[output].natural ? output : AUTO,
                              .narrow = is_narrow(solver),
                              .rows = solver->task.sources,
                              .known = checkpoint_bound(solver->checkpoint),
                              .comm = solver->comm,
                              .threads = solver->topology.threads};
    solver->problem.edges = (struct edges){.graph = &solver->problem.graph,
                                           .comm = solver->comm,
                                           .threads = solver->topology.threads,
                                           .summed = solver->checkpoint != NULL,
                                           .room = estimate_room(solver)};
    if (types_read(solver))
        return solver->error.code;
    if (edge_scan_may_scale(&solver->problem.scan, &solver->problem.graph.algebra) &&
        (wanted == AUTO || !dtype_info[wanted].real))
        types_scale(solver);
    if (edge_scan_key(&solver->problem.scan, &solver->problem.edges, &solver->error))
        return solver->error.code;
    sums_choose(solver, wanted == AUTO ? solver->problem.scan.real : dtype_info[wanted].real);
    solver->task.uneven = true;
    types_take(solver, &task);
    bool rows = edges_are_wanted(solver), proof = proof_wants_edges(&task);
    bool loads = (rows || proof) && !solver->problem.csr.start;
    if (rows || proof) {
        mem_add(&solver->proving, csr_need(solver->problem.graph.n, solver->problem.graph.m),
                edges_bytes(&solver->problem.edges));
        mem_add(&solver->proving, solver->proving, csr_loading(&solver->problem.edges));
        mem_add(&solver->proving, solver->proving,
                proof && solver->comm->rank == 0 ? proof_need(&task) : 0);
    }
    if (estimate_check_proof(solver) ||
        (loads && csr_load(&solver->problem.csr, &solver->problem.edges,
                           rows || solver->comm->rank == 0, &solver->error)))
        return solver->error.code;
    if (rows && proof) {
        methods_see(solver);
        types_take(solver, &task);
    }
    if (proof_make(&solver->problem.proof, &task, &solver->error) ||
        (solver->problem.proof.unfit && types_prove_again(solver, &task, &rows)))
        return solver->error.code;
    solver->summed = solver->summed && !solver->problem.proof.exact;
    edges_free_early(solver);
    if (!rows)
        csr_free(&solver->problem.csr);
    else if (dtype_info[solver->problem.proof.dtype].real) {
        csr_convert(&solver->problem.csr, (struct scale){0});
        search_order(&solver->problem.csr, &solver->problem.proof.potential,
                     solver->topology.threads);
    }
    solver->times.read = solver_since(solver, begun);
    return APSP_OK;
}

/* Gives the engine's task the rows that the sinks use. */
static void use_rows(struct solver *solver)
{
    const struct sink_need need = sinks_need(&solver->sinks, 1);
    const size_t later = solver->request.rows, used = need.no_rows ? 1 : need.rows;
    const bool part = used > 0 && used < sink_rows(&solver->sink_task);
    solver->task.no_rows = need.no_rows && !solver->request.rows_later;
    if (solver->request.rows_later)
        solver->task.sources = later < solver->sink_task.n ? later : 0;
    else
        solver->task.sources = part ? used : solver->sources->count;
}

static void task_start(struct solver *solver, int wanted)
{
    const struct request *request = &solver->request;
    solver->sink_task = (struct sink_task){
        .results = solver->given.results,
        .comm = solver->comm,
        .n = solver->problem.graph.n,
        .m = solver->problem.graph.m,
        .sources = solver->sources->count ? solver->sources : NULL,
        .targets = solver->targets->count ? solver->targets : NULL,
        .threads = solver->topology.threads,
        .gpu = solver->device.ops == &device_cpu ? 0 : solver->device.number + 1};
    sinks_choose(&solver->sinks, &solver->sink_task);
    solver->task =
        (struct engine_task){.request = request,
                             .comm = solver->comm,
                             .device = &solver->device,
                             .threads = solver->topology.threads,
                             .n = solver->problem.graph.n,
                             .m = solver->problem.graph.m,
                             .dtype = wanted != AUTO ? (enum dtype)wanted : DTYPE_U16,
                             .combine = algebra_combine(&solver->problem.graph.algebra),
                             .rows_request = rows_request(&solver->sinks, solver->topology.threads),
                             .checkpoint = solver->checkpoint,
                             .kept = request->held,
                             .kept_bytes = request->held_bytes,
                             .closer = engine_for_matrix()};
    use_rows(solver);
    solver->task.output = solver->sink_task.dtype = solver->sink_task.file =
        dtype_info[solver->task.dtype].output;
    if (request->rows_later) {
        solver->task.rows_request.any = true;
        solver->task.rows_request.counts = 0;
        solver->task.rows_request.on_host = true;
        solver->task.rows_request.column = NULL;
        solver->task.rows_request.near.asked = false;
        solver->task.rows_request.lanes = solver->task.threads;
    }
}

/* Completes the engine's task, and the sinks', by the proof. */
static void task_complete(struct solver *solver)
{
    solver->task.dtype = solver->problem.proof.dtype;
    solver->task.m = solver->sink_task.m = solver->problem.graph.m;
    solver->task.csr = edges_are_wanted(solver) ? &solver->problem.csr : NULL;
    solver->task.potential = &solver->problem.proof.potential;
    solver->task.shifted = solver->problem.proof.potential.h != NULL;
    solver->sink_task.summed = solver->summed;
    solver->sink_task.algebra = solver->problem.graph.algebra;
    solver->sink_task.dtype = solver->task.output;
    const struct rows_request request = rows_request(&solver->sinks, solver->task.threads);
    if (solver->task.rows_request.near.asked)
        solver->task.rows_request.near = request.near;
    solver->task.rows_request.on_device = request.on_device; /* by the type */
    solver->task.rows_request.on_host |= request.on_host;
    solver->task.rows_request.near.asked &= !solver->far;
    sums_request(&solver->task.rows_request, &solver->sink_task, solver->task.threads);
    solver->sink_task.bound = solver->problem.proof.bound;
    if (dtype_info[solver->task.output].real && !solver->problem.proof.real)
        solver->sink_task.bound.real = (double)solver->problem.proof.bound.whole;
    solver->sink_task.negative = solver->problem.proof.negative;
    solver->sink_task.certificate =
        (struct certificate){.edges = &solver->problem.csr,
                             .potential = &solver->problem.proof.potential,
                             .labels = graph_labels(&solver->problem.graph),
                             .scale = solver->sink_task.scale};
    if (solver->sinks.count == 1) /* the edges may show that it needs no rows */
        use_rows(solver);
}

/* A task that cannot fit in the narrowest type is refused before the edges are read, the rest when
 * the type is known. */
int plan_make(struct solver *solver)
{
    const bool plan_only = solver->given.plan_only;
    int wanted = type_of(solver, SETTING_TYPE, solver->request.dtype, dtype_names());
    int output = file_type(solver);
    sums_check(solver);
    algebra_check(solver);
    if (comm_agree(solver->comm, &solver->error))
        return solver->error.code;
    task_start(solver, wanted);
    if (sinks_confirm(&solver->sinks, &solver->error) || methods_open(solver) ||
        (!plan_only && estimate_check(solver)) || types_prove(solver, wanted, output) ||
        output_choose(solver, output))
        return solver->error.code;
    task_complete(solver);
    if (resume_find(solver) || methods_settle(solver))
        return solver->error.code;
    if (solver->checkpoint && !solver->engine->ops->save)
        solver->sink_task.folder = solver->given.checkpoint->folder;
    edges_free_early(solver);
    if (!edges_are_wanted(solver)) {
        csr_free(&solver->problem.csr);
        solver->task.csr = NULL;
    }
    return plan_only ? APSP_OK : estimate_check(solver);
}
