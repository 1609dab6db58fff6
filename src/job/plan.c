/* What is settled before the first step: types, engine, memory. */
#include "job/job.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/words.h"
#include "files/staged.h"
#include "proof/search.h"
#include "rows/matrix.h"
#include "rows/sums.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { AUTO = -1 };

static bool is_auto(const char *name)
{
    return !name || strcmp(name, "auto") == 0;
}

/* The type of that name, one of `names`; AUTO for "auto" or none. */
static int type_of(struct job *job, const char *option, const char *name, const char *names)
{
    if (is_auto(name))
        return AUTO;
    if (words_find(names, name) < 0)
        words_refuse(&job->error, option, name, "auto", names);
    return dtype_find(name);
}

static bool is_narrow(const struct job *job)
{
    return job->options.request.output_type &&
           strcmp(job->options.request.output_type, "narrow") == 0;
}

/* That which the file of distances is to have, or AUTO: asked for, or named by a suffix. */
static int file_type(struct job *job)
{
    const struct run_options *options = &job->options;
    if (is_narrow(job))
        return AUTO;
    if (is_auto(options->request.output_type) && options->results.distances)
        return matrix_type_named(options->results.distances);
    return type_of(job, "--output-type", options->request.output_type, dtype_file_names());
}

/* Rows of f64 promise sums as exact as f64 makes them. */
static bool is_possible(const struct job *job, enum dtype output)
{
    enum dtype computed = job->proof.dtype;
    if (dtype_info[computed].real && (!dtype_info[output].real || output > computed))
        return false;
    return proof_holds_output(&job->proof, output);
}

static enum dtype narrowest_output(const struct job *job)
{
    static const enum dtype types[] = {DTYPE_U8, DTYPE_U16, DTYPE_I32, DTYPE_I64};
    for (size_t i = job->options.request.rows_later; i < sizeof types / sizeof *types;
         i++) /* u8 is of files alone */
        if (is_possible(job, types[i]))
            return types[i];
    return dtype_info[job->proof.dtype].output;
}

/* Names what stands against it. */
static void refuse_output(struct job *job, enum dtype asked)
{
    const char *name = dtype_info[asked].name, *path = job->graph.path,
               *asks = is_auto(job->options.request.output_type) ? "a file ." : "--output-type ";
    char limit[TEXT_NUMBER], bound[TEXT_NUMBER], scale[SCALE_TEXT], times[SCALE_TEXT + 8] = "";
    if (job->graph.scaled && scale_factor(job->graph.scale) != 1)
        snprintf(times, sizeof times, " times %s", scale_print(job->graph.scale, scale));
    if (job->proof.real || dtype_info[job->proof.dtype].real)
        error_set(&job->error, APSP_INPUT, "%s: %s%s does not hold what is computed as %s", path,
                  asks, name, dtype_info[job->proof.dtype].name);
    else if (dtype_info[asked].natural && job->proof.negative)
        error_set(&job->error, APSP_INPUT, "%s: %s%s: distances may be negative, since weights are",
                  path, asks, name);
    else
        error_set(&job->error, APSP_INPUT,
                  "%s: %s%s is exact below %s, and distances%s may reach %s", path, asks, name,
                  text_count(limit, dtype_info[asked].real ? (size_t)1 << dtype_info[asked].digits
                                                           : (size_t)dtype_info[asked].unreachable),
                  times, text_count(bound, (size_t)job->proof.bound.whole));
}

/* Of scaled weights rows are whole, whatever the files. */
static enum dtype rows_of(const struct job *job)
{
    enum dtype file = job->sink_task.file;
    return job->graph.scaled && dtype_info[file].real ? dtype_info[job->proof.dtype].output
                                                      : dtype_info[file].rows;
}

static bool is_file(const char *path)
{
    struct apsp_error ignored = {0};
    enum target_kind kind;
    return target_find(&kind, path, &ignored) == APSP_OK && kind == TARGET_FILE;
}

/* Files of whole numbers need what they are to be divided by, unless that is 1 and nothing else
 * stands there.
 */
static void name_scale(struct job *job)
{
    const char *path = job->options.results.distances;
    if (!path || job->comm->rank != 0 || !is_file(path))
        return;
    if (asprintf(&job->scale_path, "%s.scale", path) < 0) {
        job->scale_path = NULL;
        error_set(&job->error, APSP_MEMORY, "no memory for the name of a file");
        return;
    }
    if (sink_divisor(&job->sink_task) == 1 && access(job->scale_path, F_OK) != 0) {
        free(job->scale_path);
        job->scale_path = NULL;
        return;
    }
    staged_check(job->scale_path, options_inputs(&job->options).path, job->options.results.force,
                 &job->error);
}

/* No distance in files is larger; infinite beyond doubles. */
static double furthest(const struct job *job)
{
    const struct scale scale = job->graph.scaled ? job->graph.scale : (struct scale){0};
    return job->proof.real ? job->proof.bound.real
                           : (double)job->proof.bound.whole / scale_factor(scale);
}

static double most_of(enum dtype type)
{
    return type == DTYPE_F32 ? FLT_MAX : DBL_MAX;
}

static int choose_output(struct job *job, int asked)
{
    if (asked != AUTO && !is_possible(job, (enum dtype)asked))
        refuse_output(job, (enum dtype)asked);
    job->sink_task.file = asked != AUTO       ? (enum dtype)asked
                          : is_narrow(job)    ? narrowest_output(job)
                          : job->graph.scaled ? DTYPE_F64
                                              : dtype_info[job->proof.dtype].output;
    if (dtype_info[job->sink_task.file].real && !job->error.code &&
        furthest(job) > most_of(job->sink_task.file))
        error_set(&job->error, APSP_INPUT, "%s: %s holds distances up to %g, but they may reach %g",
                  job->graph.path, dtype_info[job->sink_task.file].name,
                  most_of(job->sink_task.file), furthest(job));
    job->task.output = rows_of(job);
    job->sink_task.scale = job->graph.scaled ? job->graph.scale : (struct scale){0};
    name_scale(job);
    return comm_agree(job->comm, &job->error);
}

/* Once they are in csr, where no engine that is left loads them. */
static void free_edges(struct job *job)
{
    bool loads = false;
    for (int i = 0; i < job->methods.count; i++)
        loads |= !job->methods.of[i].ops->wants_edges;
    if (!loads)
        edges_free(&job->edges);
}

/*
 * Sums along paths take a look at every edge, and a heap of vertices, for each row. Where nobody
 * asks for them they may take one part in so many of the solve, or as many visits as nobody
 * notices. A thread makes a visit in the time of so many relaxations in floating point of its own,
 * and of a GPU.
 */
enum { SUMS_SHARE = 33, FEW_VISITS = 1 << 21 };
#define CPU_RELAXATIONS 40.0
#define GPU_RELAXATIONS 15e3

/* What all engines that are left take at least. */
static double least_work(const struct job *job, double rows)
{
    double least = INFINITY;
    for (int i = 0; i < job->methods.count; i++) {
        const struct method *method = &job->methods.of[i];
        least = fmin(least, engine_relaxations(method->ops, &method->plan, rows));
    }
    return least;
}

static bool sums_are_cheap(const struct job *job)
{
    const double rows = (double)sink_rows(&job->sink_task),
                 visits = rows * sums_visits(job->graph.n, job->census.edges),
                 price =
                     *job->device.place ? GPU_RELAXATIONS / job->topology.threads : CPU_RELAXATIONS;
    return visits <= FEW_VISITS || visits * price * SUMS_SHARE <= least_work(job, rows);
}

/* Whether rows will be sums along paths, if they turn out to be rounded. The same on all ranks. */
static void choose_sums(struct job *job, bool real)
{
    const char *asked = job->options.request.sums;
    const bool *before = checkpoint_summed(job->checkpoint);
    job->summed = real && (!is_auto(asked) ? strcmp(asked, "path") == 0
                           : before        ? *before
                                           : sums_are_cheap(job));
    comm_broadcast(job->comm, &job->summed, sizeof job->summed, 0);
}

static int check_sums(struct job *job)
{
    const char *asked = job->options.request.sums;
    if (!is_auto(asked) && words_find(sums_names(), asked) < 0)
        words_refuse(&job->error, "--sums", asked, "auto", sums_names());
    return job->error.code;
}

/* Weights that are scaled may be real again: the edges are then wanted where they were not. */
static int prove_again(struct job *job, const struct proof_task *task, bool *rows)
{
    census_unscale(&job->census, &job->edges);
    choose_sums(job, true);
    bool more = !*rows && job->summed;
    *rows |= more;
    if (more) {
        csr_free(&job->csr);
        csr_load(&job->csr, &job->edges, true, &job->error);
    } else {
        csr_convert(&job->csr, job->graph.scale);
    }
    return job->error.code ? job->error.code : proof_make(&job->proof, task, &job->error);
}

/* Reads the edges, and proves which type holds the distances, while the device starts. */
static int prove(struct job *job, int wanted, int output)
{
    double begun = clock_seconds();
    struct proof_task task = {.graph = &job->graph,
                              .census = &job->census,
                              .csr = &job->csr,
                              .wanted = wanted,
                              .file = output != AUTO && dtype_info[output].natural ? output : AUTO,
                              .narrow = is_narrow(job),
                              .known = checkpoint_bound(job->checkpoint),
                              .comm = job->comm,
                              .threads = job->topology.threads};
    job->edges = (struct edges){.graph = &job->graph,
                                .comm = job->comm,
                                .threads = job->topology.threads,
                                .summed = job->checkpoint != NULL,
                                .room = estimate_room(job)};
    if (census_take(&job->census, &job->edges, &job->error))
        return job->error.code;
    if (job->census.scales && (wanted == AUTO || !dtype_info[wanted].real))
        census_scale(&job->census, &job->edges);
    choose_sums(job, wanted == AUTO ? job->census.real : dtype_info[wanted].real);
    for (enum dtype type = DTYPE_U16; type <= DTYPE_I64 && proof_wants_seconds(&task); type++)
        task.seconds[type] = methods_seconds(job, type);
    bool rows = edges_are_wanted(job), proof = proof_wants_edges(&task);
    if (rows || proof) {
        mem_add(&job->proving, csr_need(job->graph.n, job->graph.m), edges_bytes(&job->edges));
        mem_add(&job->proving, job->proving, proof && job->comm->rank == 0 ? proof_need(&task) : 0);
    }
    if (estimate_check_proof(job) ||
        ((rows || proof) &&
         csr_load(&job->csr, &job->edges, rows || job->comm->rank == 0, &job->error)))
        return job->error.code;
    if (proof_make(&job->proof, &task, &job->error) ||
        (job->proof.unfit && prove_again(job, &task, &rows)))
        return job->error.code;
    job->summed = job->summed && !job->proof.exact;
    free_edges(job);
    if (!rows)
        csr_free(&job->csr);
    else if (dtype_info[job->proof.dtype].real) {
        csr_convert(&job->csr, (struct scale){0});
        search_order(&job->csr, &job->proof.potential, job->topology.threads);
    }
    job->report.read.seconds = job_since(job, begun);
    return APSP_OK;
}

/* Of those that there are the sinks may use a part. As in struct engine_task. */
static size_t rows_used(const struct job *job)
{
    size_t used = sinks_need(&job->sinks, 1).rows;
    bool part = used > 0 && used < sink_rows(&job->sink_task) && !job->options.request.rows_later;
    return part ? used : job->sources.count;
}

/* The certificate is that of the file, where distances/ reads what a sink writes. */
static bool is_read_back(const struct results *results)
{
    bool read = false;
    for (int i = 0; sink_table[i]; i++)
        read |= sink_table[i]->distances && sink_table[i]->path(results);
    return read && results->verify > 0;
}

static void start_task(struct job *job, int wanted)
{
    struct run_options *options = &job->options;
    options->results.read_back = is_read_back(&options->results);
    options->results.graph = options->graph;
    options->results.saved = options->checkpoint.folder != NULL;
    options->results.inputs = options_inputs(options);
    options->request.keep_order = options->save_order != NULL;
    job->sink_task = (struct sink_task){.results = &options->results,
                                        .comm = job->comm,
                                        .n = job->graph.n,
                                        .m = job->graph.m,
                                        .sources = job->sources.count ? &job->sources : NULL,
                                        .targets = job->targets.count ? &job->targets : NULL};
    sinks_choose(&job->sinks, &job->sink_task);
    job->task = (struct engine_task){.request = &options->request,
                                     .comm = job->comm,
                                     .device = &job->device,
                                     .threads = job->topology.threads,
                                     .n = job->graph.n,
                                     .m = job->graph.m,
                                     .dtype = wanted != AUTO ? (enum dtype)wanted : DTYPE_U16,
                                     .wish = rows_wish(&job->sinks, job->topology.threads),
                                     .sources = rows_used(job),
                                     .checkpoint = job->checkpoint,
                                     .closer = engine_for_matrix()};
    job->task.output = job->sink_task.dtype = job->sink_task.file =
        dtype_info[job->task.dtype].output;
    if (options->request.rows_later) {
        job->task.wish.any = true;
        job->task.wish.counts = 0;
        job->task.wish.on_host = true;
        job->task.wish.column = NULL;
        job->task.wish.lanes = job->task.threads;
    }
}

/* What the proof has shown is the engine's task, and the sinks'. */
static void complete_task(struct job *job)
{
    job->task.dtype = job->proof.dtype;
    job->task.m = job->sink_task.m = job->graph.m;
    job->task.csr = edges_are_wanted(job) ? &job->csr : NULL;
    job->task.potential = &job->proof.potential;
    job->task.shifted = job->proof.potential.h != NULL;
    if (job->summed)
        sums_wish(&job->task.wish, job->task.threads);
    job->sink_task.dtype = job->task.output;
    job->sink_task.bound = job->proof.bound;
    if (dtype_info[job->task.output].real && !job->proof.real)
        job->sink_task.bound.real = (double)job->proof.bound.whole;
    job->sink_task.negative = job->proof.negative;
    job->sink_task.certificate = (struct certificate){.edges = &job->csr,
                                                      .potential = &job->proof.potential,
                                                      .labels = graph_labels(&job->graph),
                                                      .scale = job->sink_task.scale};
}

/* Of what becomes of rows, and of which. */
static uint64_t hash_results(const struct job *job)
{
    const struct results *results = &job->options.results;
    const struct sources *const lists[] = {&job->sources, &job->targets};
    const unsigned what[] = {job->sink_task.file, job->summed, results->counted,
                             results->plot != NULL};
    uint64_t hash = checkpoint_mix(0, what, sizeof what);
    for (int s = 0; s < job->sinks.count; s++) {
        const struct sink_ops *ops = job->sinks.at[s].ops;
        const char *path = ops->path ? ops->path(results) : NULL,
                   *base = path ? strrchr(path, '/') : NULL,
                   *suffix = path ? strrchr(base ? base : path, '.') : NULL;
        hash = checkpoint_mix(hash, ops->name, strlen(ops->name));
        hash = checkpoint_mix(hash, suffix, suffix ? strlen(suffix) : 0);
    }
    for (int l = 0; l < 2; l++)
        hash = checkpoint_mix(hash, lists[l]->vertex, lists[l]->count * sizeof *lists[l]->vertex);
    return hash;
}

/* Whether a checkpoint is of this graph, and of what has been proved of it. */
static int match_checkpoint(struct job *job)
{
    enum { UNDIRECTED = 1, REVERSED = 2, UNWEIGHTED = 4 };
    const struct graph *graph = &job->graph;
    const uint64_t made = graph->undirected * UNDIRECTED | graph->reversed * REVERSED |
                          graph->unweighted * UNWEIGHTED;
    if (!job->checkpoint)
        return APSP_OK;
    job->saved = (struct checkpoint_rows){.comm = job->comm, .threads = job->topology.threads};
    const struct checkpoint_subject subject = {.n = graph->n,
                                               .m = graph->m,
                                               .edges = job->census.sum + made,
                                               .dtype = job->proof.dtype,
                                               .scale = job->sink_task.scale,
                                               .potentials = checkpoint_hash(&job->proof.potential),
                                               .rows = hash_results(job),
                                               .summed = job->summed,
                                               .bound =
                                                   job->proof.real ? 0 : job->proof.bound.whole};
    if (checkpoint_match(job->checkpoint, &subject, &job->error) ||
        checkpoint_rows_find(&job->saved, job->checkpoint, &job->error))
        return job->error.code;
    job->task.kept = job->saved.kept;
    job->task.kept_bytes = job->saved.kept_bytes;
    return APSP_OK;
}

/* What cannot fit in the narrowest type is refused before the edges are read, the rest when the
 * type is known. */
int plan_make(struct job *job)
{
    int wanted = type_of(job, "--dtype", job->options.request.dtype, dtype_names());
    int output = file_type(job);
    check_sums(job);
    if (comm_agree(job->comm, &job->error) ||
        sources_read(&job->sources, job->options.sources, &job->graph, job->comm, &job->error) ||
        sources_read(&job->targets, job->options.targets, &job->graph, job->comm, &job->error))
        return job->error.code;
    job->options.lists[0] = job->sources.file;
    job->options.lists[1] = job->targets.file;
    start_task(job, wanted);
    if (sinks_confirm(&job->sinks, &job->error) || methods_open(job) ||
        (!job->options.estimate && estimate_check(job)) || prove(job, wanted, output) ||
        choose_output(job, output))
        return job->error.code;
    complete_task(job);
    if (match_checkpoint(job) || methods_settle(job))
        return job->error.code;
    if (job->checkpoint && !job->engine->ops->save)
        job->sink_task.folder = job->options.checkpoint.folder;
    free_edges(job);
    if (!edges_are_wanted(job)) {
        csr_free(&job->csr);
        job->task.csr = NULL;
    }
    return job->options.estimate ? APSP_OK : estimate_check(job);
}
