#include "cli/options_check.h"

#include "base/dtype.h"
#include "base/error.h"
#include "base/text.h"
#include "comm/comm.h"
#include "rows/matrix.h"
#include "rows/pairs.h"
#include "rows/reduction.h"

#include <string.h>
#include <unistd.h>

/* A file that says what its type is by its name has no other one. */
static int check_type(const struct run_options *options, struct apsp_error *error)
{
    const int asked = dtype_find(options->request.output_type),
              named =
                  options->results.distances ? matrix_type_named(options->results.distances) : -1;
    if (asked < 0 || named < 0 || asked == named)
        return APSP_OK;
    return error_set(
        error, APSP_USAGE, "--output-type %s: DISTANCES '%s' holds %s, as its name says",
        options->request.output_type, options->results.distances, dtype_info[named].name);
}

/* Pairs and subsets of columns are for DISTANCES alone, and pairs for some kinds of it. */
static int check_subset(const struct run_options *options, struct apsp_error *error)
{
    const char *name = options->results.nearest   ? "--nearest"
                       : options->results.bounded ? "--within"
                                                  : NULL;
    if (name ? !options->results.distances
             : options->targets && !options->results.distances && !options->results.betweenness &&
                   !options->results.path_counts && !options->results.access.path &&
                   !options->results.isochrones.path)
        return error_set(error, APSP_USAGE, "%s requires a file DISTANCES behind GRAPH%s",
                         name ? name : "--targets",
                         name ? "" : ", --betweenness, --path-counts, --access or --isochrones");
    const struct pairs_format *format = pairs_format_for(&options->results);
    if (name && (!format || format->whole))
        return error_set(error, APSP_USAGE,
                         "%s writes pairs, and DISTANCES '%s' is a matrix: name it one of %s, or a "
                         "pipe",
                         name, options->results.distances, pairs_suffixes());
    return APSP_OK;
}

/* The bytes of an array are not for a terminal. mpirun gives rank 0 one, whatever reads its output.
 */
static int check_terminal(const struct run_options *options, struct apsp_error *error)
{
    const char *path = options->results.distances;
    if (!path || strcmp(path, "-") != 0 || options->estimate ||
        pairs_format_for(&options->results) || comm_launched() || !isatty(STDOUT_FILENO))
        return APSP_OK;
    return error_set(
        error, APSP_USAGE,
        "DISTANCES '-' is binary, and standard output a terminal: redirect it, or name "
        "a file such as distances.csv");
}

/* Paths that count are those of --betweenness. */
static int check_between(const struct run_options *options, struct apsp_error *error)
{
    const struct results_between *between = &options->results.between;
    const char *name = between->edges     ? "--betweenness-edges"
                       : between->ends    ? "--betweenness-ends"
                       : between->stress  ? "--betweenness-stress"
                       : between->load    ? "--betweenness-load"
                       : between->limited ? "--betweenness-within"
                                          : NULL;
    if (between->stress && between->load)
        return error_set(error, APSP_USAGE,
                         "--betweenness-stress contradicts --betweenness-load: give one of them");
    if (name && !options->results.betweenness)
        return error_set(error, APSP_USAGE, "%s requires --betweenness", name);
    if (between->ends && between->edges && !text_has_suffix(options->results.betweenness, ".json"))
        return error_set(error, APSP_USAGE,
                         "--betweenness-ends is about vertices, which --betweenness-edges leaves "
                         "out: leave one out, or name --betweenness FILE.json, which has both");
    return APSP_OK;
}

static int check_diameter(const struct run_options *options, struct apsp_error *error)
{
    return options->results.alone && !options->results.diameter
               ? error_set(error, APSP_USAGE, "--diameter-alone requires --diameter FILE")
               : APSP_OK;
}

static int check_skim(const struct run_options *options, struct apsp_error *error)
{
    const struct results *results = &options->results;
    const struct pairs_format *format = pairs_format_for(results);
    if (!results->skim || (format && format->separator))
        return APSP_OK;
    return error_set(error, APSP_USAGE,
                     "--skim requires DISTANCES with a suffix .csv, .tsv or "
                     ".txt");
}

static int check_isochrones(const struct run_options *options, struct apsp_error *error)
{
    const struct results_isochrones *isochrones = &options->results.isochrones;
    if (isochrones->coordinates && !isochrones->path)
        return error_set(error, APSP_USAGE, "--coordinates requires --isochrones FILE");
    if (isochrones->path && !options->results.access.cutoffs)
        return error_set(error, APSP_USAGE, "--isochrones requires --cutoffs");
    if (isochrones->path && !isochrones->coordinates &&
        text_has_suffix(isochrones->path, ".geojson"))
        return error_set(error, APSP_USAGE, "--isochrones FILE.geojson requires --coordinates");
    return APSP_OK;
}

static int check_access(const struct run_options *options, struct apsp_error *error)
{
    const struct results_access *access = &options->results.access;
    const char *name = access->opportunities ? "--opportunities"
                       : access->decays      ? "--decays"
                       : access->nearest     ? "--access-nearest"
                                             : NULL;
    if (access->cutoffs && !access->path && !options->results.isochrones.path)
        return error_set(error, APSP_USAGE,
                         "--cutoffs requires --access FILE.csv or --isochrones FILE");
    if (name && !access->path)
        return error_set(error, APSP_USAGE, "%s requires --access FILE.csv", name);
    if (access->path && !access->cutoffs && !access->decays && !access->nearest)
        return error_set(error, APSP_USAGE,
                         "--access requires --cutoffs, --decays or --access-nearest");
    return APSP_OK;
}

static int check_counted(struct run_options *options, struct apsp_error *error)
{
    const bool all = options->results.counted & REDUCTIONS_ALL;
    options->results.counted &= ~REDUCTIONS_ALL;
    if (options->results.counted && !options->results.stats)
        return error_set(error, APSP_USAGE, "--count requires --stats FILE");
    if (options->results.counted & (APSP_STATS_HISTOGRAM | APSP_STATS_EXACT) && !all &&
        !text_has_suffix(options->results.stats, ".json"))
        return error_set(error, APSP_USAGE,
                         "--count histogram and exact require --stats FILE.json, found '%s'",
                         options->results.stats);
    return APSP_OK;
}

static int check_weights(const struct run_options *options, struct apsp_error *error)
{
    if (options->input.unweighted && options->input.weight_key)
        return error_set(error, APSP_USAGE,
                         "--weight-key %s contradicts --unweighted, which sets all weights to 1",
                         options->input.weight_key);
    return APSP_OK;
}

static int check_device(struct run_options *options, struct apsp_error *error)
{
    if (options->ranks && options->gpus)
        return error_set(error, APSP_USAGE, "--ranks %d and --gpus %d: give one of them",
                         options->ranks, options->gpus);
    if (options->gpus && options->request.device == APSP_DEVICE_CPU)
        return error_set(error, APSP_USAGE, "--gpus %d contradicts --device cpu", options->gpus);
    if (options->ranks && options->request.device == APSP_DEVICE_GPU)
        return error_set(error, APSP_USAGE,
                         "--ranks %d starts CPU ranks and contradicts --device gpu; use --gpus",
                         options->ranks);
    if (options->gpus)
        options->request.device = APSP_DEVICE_GPU;
    if (options->ranks)
        options->request.device = APSP_DEVICE_CPU;
    return APSP_OK;
}

int options_check(struct run_options *options, struct apsp_error *error)
{
    if (options->graph[0] == '\0')
        return error_set(error, APSP_USAGE, "the name of GRAPH is empty");
    return check_weights(options, error) || check_device(options, error) ||
                   check_type(options, error) || check_subset(options, error) ||
                   check_terminal(options, error) || check_between(options, error) ||
                   check_access(options, error) || check_isochrones(options, error) ||
                   check_diameter(options, error) || check_skim(options, error) ||
                   check_counted(options, error)
               ? error->code
               : APSP_OK;
}
