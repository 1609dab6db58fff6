#include "cli/options.h"

#include "base/dtype.h"
#include "base/error.h"
#include "base/text.h"
#include "base/words.h"
#include "cli/input.h"
#include "cli/outputs.h"
#include "dense/transport.h"
#include "rows/matrix.h"
#include "rows/pairs.h"
#include "rows/reduction.h"
#include "rows/sources.h"
#include "rows/sums.h"
#include "solve/engines.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { RANKS_MAX = 65536, GPUS_MAX = 1024, THREADS_MAX = 4096, TILE_MAX = 65536, VERIFY_ROWS = 64 };

#define VERIFY_SOME (APSP_VERIFY_ALL - 1) /* it is not said how many */

/* Of --checkpoint-every. */
struct minutes {
    double seconds;
    bool given;
};

/* The options, and what is not settled yet. */
struct line {
    struct run_options options;
    int bar;
    const char *resume;
    struct minutes every;
};

enum { BAR_AUTO, BAR_SHOW, BAR_HIDE };

static const char *device_names(void)
{
    return "auto, cpu, gpu"; /* as in enum apsp_device */
}

static int parse_device(const char *text, void *field, struct apsp_error *error)
{
    int device = words_find(device_names(), text);
    if (device < 0)
        return words_refuse(error, "--device", text, NULL, device_names());
    *(enum apsp_device *)field = (enum apsp_device)device;
    return APSP_OK;
}

static int parse_between(const char *text, void *field, struct apsp_error *error)
{
    struct results_between *between = field;
    char *end;
    between->within = strtod(text, &end);
    between->limited = true;
    if (!*text || *end || !isfinite(between->within))
        return error_set(error, APSP_USAGE, "--betweenness-within: '%s' is not a number", text);
    return APSP_OK;
}

static int parse_within(const char *text, void *field, struct apsp_error *error)
{
    struct results *results = field;
    char *end;
    results->within = strtod(text, &end);
    results->bounded = true;
    if (!*text || *end || !isfinite(results->within))
        return error_set(error, APSP_USAGE,
                         "--within: '%s' is not a number; it takes a distance in the unit of the "
                         "weights",
                         text);
    return APSP_OK;
}

static int parse_counted(const char *text, void *field, struct apsp_error *error)
{
    return reductions_parse("--count", text, field, error);
}

static int parse_minutes(const char *text, void *field, struct apsp_error *error)
{
    enum { MINUTE = 60 };
    char *end;
    double minutes = strtod(text, &end);
    if (!*text || *end || !isfinite(minutes) || minutes < 0)
        return error_set(error, APSP_USAGE,
                         "--checkpoint-every: '%s' is not a number of minutes, such as 30 or 0.5",
                         text);
    struct minutes *every = field;
    every->seconds = minutes * MINUTE;
    every->given = true;
    return APSP_OK;
}

#define FIELD(name) offsetof(struct line, options.name)

static const struct option_row option_rows[] = {
    {OPTION_HEADING, .help = "where to run"},
    {OPTION_SPECIAL, "device", "auto|cpu|gpu", FIELD(request.device), .names = device_names,
     .parse = parse_device, .help = "what computes; auto takes a GPU if there is one",
     .otherwise = "auto"},
    {OPTION_INT, "ranks", "N", FIELD(ranks), 1, RANKS_MAX,
     .help = "without mpirun: run N ranks on the cores of this machine, as threads of one process, "
             "at most 64 or 4 a processor",
     .otherwise = "1"},
    {OPTION_INT, "gpus", "N", FIELD(gpus), 1, GPUS_MAX,
     .help = "without mpirun: run N ranks on this machine, as threads, each with a GPU"},
    {OPTION_FLAG, "share-gpus", NULL, FIELD(request.share_gpus),
     .help = "allow several ranks on one GPU",
     .otherwise = "exit 6 when a node has more ranks than GPUs"},
    {OPTION_INT, "ranks-per-node", "N", FIELD(ranks_per_node), 1, RANKS_MAX,
     .help = "for tests: treat every N ranks of a machine as a node of their own"},
    {OPTION_INT, "threads", "N", FIELD(request.threads), 1, THREADS_MAX,
     .help = "threads of each CPU rank", .otherwise = "the node's cores shared among its ranks"},

    {OPTION_HEADING, .help = "how to compute"},
    {OPTION_NAME, "method", "auto|NAME", FIELD(request.method), .names = engine_names,
     .extra = "auto", .help = "engine that solves",
     .otherwise = "auto, the one expected to be the fastest"},
    {OPTION_TEXT, "order", "FILE", FIELD(request.order),
     .help = "order in which the sparse engine eliminates vertices, as --save-order has written it "
             "for a graph "
             "with the same edges, whatever their weights; auto takes that engine then",
     .otherwise = "it is made"},
    {OPTION_U64, "tile", "B", FIELD(request.tile), 1, TILE_MAX,
     .help = "vertices of a pivot range, 1 to 65536", .otherwise = "chosen by device and n"},
    {OPTION_NAME, "dtype", "T", FIELD(request.dtype), .names = dtype_names, .extra = "auto",
     .help = "type of the distances",
     .otherwise = "auto, the narrowest that is proved exact, f64 for reals"},
    {OPTION_NAME, "sums", "auto|path|solver", FIELD(request.sums), .names = sums_names,
     .extra = "auto",
     .help = "distances of rounded reals: path, the sum of the weights along a shortest path from "
             "its first "
             "edge on, which takes a look at all edges a row; or solver, the sum in the order in "
             "which the "
             "engine came to it",
     .otherwise = "auto, path where that costs next to nothing: runs with other ranks, tiles or "
                  "engines may differ"},
    {OPTION_NAME, "transport", "T", FIELD(request.transport), .names = transport_names,
     .extra = "auto", .help = "how pivot rows travel between ranks",
     .otherwise = "auto; peer is for the GPUs of a node, direct for --ranks"},

    {OPTION_HEADING, .help = "files"},
    INPUT_OPTIONS(FIELD(input)),
    {OPTION_NAME, "output-type", "T", FIELD(request.output_type), .names = dtype_file_names,
     .extra = "auto, narrow", .help = "type of the distances in files",
     .otherwise =
         "auto, as the suffix of DISTANCES says, else as computed, u16 as i32; narrow is the "
         "narrowest that holds them all"},
    {OPTION_FLAG, "force", NULL, FIELD(results.force), .help = "replace output files that exist"},
    {OPTION_INT, "write-retry", "SECONDS", FIELD(write_retry), 0, INT32_MAX,
     .help = "how long a result waits for space where its disk or quota is full",
     .otherwise = "600"},
    {OPTION_TEXT, "predecessors", "FILE", FIELD(results.predecessors),
     .help = "write the vertex before j on a shortest path from i to j for all i, j: int32, row by "
             "row, "
             "from 0, -1 = none; .npy as above"},
    {OPTION_TEXT, "stats", "FILE", FIELD(results.stats),
     .help =
         "write of each vertex the largest distance from it (its out-eccentricity), the sum of the "
         "distances, how many vertices it reaches, itself among them, closeness, and what --count "
         "adds: "
         ".json, which has diameter, radius, centre, periphery, mean and more of all pairs too, "
         "else .csv"},
    {OPTION_SPECIAL, "count", "WHAT,..", FIELD(results.counted), .names = reductions_words,
     .parse = parse_counted,
     .help = "what --stats has besides: in (in-eccentricity, and how many reach the vertex), "
             "harmonic (sums of "
             "1 / distance, efficiency), histogram (of all distances, quantiles; .json), exact "
             "(quantiles "
             "exactly even where a bin of the histogram has several values, by more passes), or "
             "all; only what "
             "is asked for is paid for",
     .otherwise = "out"},
    {OPTION_TEXT, "plot", "FILE.svg", FIELD(results.plot),
     .help = "draw the histogram of all distances (needs gnuplot)"},
    {OPTION_TEXT, "betweenness", "FILE", FIELD(results.betweenness),
     .help = "write of each vertex the sum, over pairs of other vertices, of the part of their "
             "shortest paths "
             "that lead through it; once a pair where every edge leads back alike. Weights are to "
             "be above 0; "
             ".json, else .csv"},
    {OPTION_FLAG, "betweenness-edges", NULL, FIELD(results.between.edges),
     .help = "--betweenness has edges in place of vertices; a .json file has both"},
    {OPTION_FLAG, "betweenness-ends", NULL, FIELD(results.between.ends),
     .help = "paths count for their first and last vertices, too"},
    {OPTION_SPECIAL, "betweenness-within", "DISTANCE", FIELD(results.between),
     .parse = parse_between, .help = "only paths count that are not longer than that"},
    {OPTION_TEXT, "sources", "LIST|FILE|random:K", FIELD(sources),
     .help =
         "only the rows of these vertices, in this order: 4,7,100-199, or a file of such numbers; "
         "random:K is a sample of K vertices",
     .otherwise = "all"},
    {OPTION_TEXT, "targets", "LIST|FILE", FIELD(targets),
     .help = "only the distances to these vertices, in this order, in DISTANCES",
     .otherwise = "all"},
    {OPTION_U64, "nearest", "K", FIELD(results.nearest), 1, INT32_MAX,
     .help = "of the targets of each source those K that are the nearest to it, and of those that "
             "are equally "
             "near the ones of the least numbers; without --targets all vertices but the source "
             "itself; "
             "DISTANCES is .csv, .tsv, .txt, .mtx, .npz or a pipe"},
    {OPTION_SPECIAL, "within", "DISTANCE", FIELD(results), .parse = parse_within,
     .help = "the pairs that are not further apart than that, also of those of --nearest"},
    {OPTION_TEXT, "save-order", "FILE", FIELD(save_order),
     .help = "write the sparse engine's order, for --order; auto takes that engine then"},
    {OPTION_TEXT, "names", "FILE", FIELD(names),
     .help = "write what the vertices are called in GRAPH, one a line, in the order of the rows"},
    {OPTION_TEXT, "json", "FILE", FIELD(json), .help = "write the report to FILE as JSON"},

    {OPTION_HEADING, .help = "checkpoints"},
    {OPTION_TEXT, "checkpoint", "DIR", FIELD(checkpoint.folder),
     .help =
         "write what the run has come to, to two files in DIR by turns, also when SIGUSR1 asks for "
         "it, or a "
         "task of srun gets SIGTERM: the run then ends with 75. They are removed when all is done"},
    {OPTION_SPECIAL, "checkpoint-every", "MINUTES", offsetof(struct line, every),
     .parse = parse_minutes, .help = "how often; 0: when a signal asks for it", .otherwise = "30"},
    {OPTION_TEXT, "resume", "DIR", offsetof(struct line, resume),
     .help = "go on from the last checkpoint in DIR, on any ranks and device, and write the next "
             "ones there"},
    {OPTION_FLAG, "checkpoint-keep", NULL, FIELD(checkpoint.keep),
     .help = "leave the checkpoint where it is when all is done"},

    {OPTION_HEADING, .help = "checks"},
    {OPTION_ROWS, "verify", "[=ROWS|all]", FIELD(results.verify), 1, INT32_MAX, VERIFY_SOME,
     .help = "prove ROWS rows of the result, or all, right, as they are read back from DISTANCES; "
             "without "
             "ROWS all where that takes a tenth of the solve at most, else 64",
     .otherwise = "no check"},
    {OPTION_U64, "seed", "S", FIELD(results.seed), 1, UINT64_MAX,
     .help =
         "let --verify and --sources random:K choose the rows that a run with this seed has chosen",
     .otherwise = "a new one, which is printed"},
    {OPTION_FLAG, "paranoid", NULL, FIELD(request.paranoid),
     .help = "look for bits that turn round in memory while the dense engine solves, by sums of "
             "words, and "
             "prove all rows right, as --verify=all does"},
    {OPTION_FLAG, "estimate", NULL, FIELD(estimate),
     .help = "print the bytes and seconds that the run would take, and stop"},

    {OPTION_HEADING, .help = "what is printed"},
    {OPTION_FLAG, "quiet", NULL, FIELD(quiet),
     .help = "no report, and no progress bar unless --progress asks for it"},
    {OPTION_SET, "progress", NULL, offsetof(struct line, bar), .value = BAR_SHOW,
     .help = "show the progress bar on stderr", .otherwise = "where stderr is a terminal"},
    {OPTION_SET, "no-progress", NULL, offsetof(struct line, bar), .value = BAR_HIDE,
     .help = "show no progress bar"},
};

static const struct option_argument arguments[] = {
    {"GRAPH", .offset = FIELD(graph), .is_only_input = true},
    {"DISTANCES", .offset = FIELD(results.distances)}};

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
             : options->targets && !options->results.distances && !options->results.betweenness)
        return error_set(error, APSP_USAGE, "%s requires a file DISTANCES behind GRAPH",
                         name ? name : "--targets");
    if (name && !pairs_format_for(&options->results))
        return error_set(error, APSP_USAGE,
                         "%s writes pairs, and DISTANCES '%s' is a matrix: name it one of %s, or a "
                         "pipe",
                         name, options->results.distances, pairs_suffixes());
    return APSP_OK;
}

/* Paths that count are those of --betweenness. */
static int check_between(const struct run_options *options, struct apsp_error *error)
{
    const struct results_between *between = &options->results.between;
    const char *name = between->edges     ? "--betweenness-edges"
                       : between->ends    ? "--betweenness-ends"
                       : between->limited ? "--betweenness-within"
                                          : NULL;
    return name && !options->results.betweenness
               ? error_set(error, APSP_USAGE, "%s requires --betweenness", name)
               : APSP_OK;
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

/* Of --verify; --paranoid proves all rows. */
static int check_proof(struct run_options *options, struct apsp_error *error)
{
    const bool some = options->results.verify > 0 && options->results.verify < VERIFY_SOME;
    if (options->request.paranoid && some)
        return error_set(error, APSP_USAGE,
                         "--verify=%zu contradicts --paranoid, which proves all rows right",
                         options->results.verify);
    if (options->results.seed && !options->results.verify && !sources_are_random(options->sources))
        return error_set(error, APSP_USAGE, "--seed requires --verify=ROWS or --sources random:K%s",
                         options->request.paranoid ? ": --paranoid proves all" : "");
    if (options->request.paranoid)
        options->results.verify = APSP_VERIFY_ALL;
    return APSP_OK;
}

/* A run that goes on from checkpoints writes the next ones beside them. */
static int check_checkpoints(struct line *line, struct apsp_error *error)
{
    struct run_options *options = &line->options;
    if (line->resume && options->checkpoint.folder &&
        strcmp(line->resume, options->checkpoint.folder) != 0)
        return error_set(error, APSP_USAGE, "--checkpoint %s and --resume %s are two folders",
                         options->checkpoint.folder, line->resume);
    options->checkpoint.resume = line->resume != NULL;
    if (line->resume)
        options->checkpoint.folder = line->resume;
    if (options->checkpoint.folder && !*options->checkpoint.folder)
        return error_set(error, APSP_USAGE, "the name of the folder for checkpoints is empty");
    if ((line->every.given || options->checkpoint.keep) && !options->checkpoint.folder)
        return error_set(error, APSP_USAGE, "%s requires --checkpoint DIR or --resume DIR",
                         line->every.given ? "--checkpoint-every" : "--checkpoint-keep");
    if (line->every.given)
        options->checkpoint.every = line->every.seconds;
    return APSP_OK;
}

/* What no single option shows. --ranks and --gpus name a device too. */
static int check_together(void *fields, struct apsp_error *error)
{
    struct run_options *options = &((struct line *)fields)->options;
    if (options->graph[0] == '\0')
        return error_set(error, APSP_USAGE, "the name of GRAPH is empty");
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
    if (check_proof(options, error) || check_checkpoints(fields, error) ||
        check_type(options, error) || check_subset(options, error) ||
        check_between(options, error) || check_counted(options, error))
        return error->code;
    return outputs_check(options, error);
}

static const struct option_program program = {
    .name = "apsp",
    .usage = "apsp [options] GRAPH [DISTANCES]\n"
             "mpirun [its options] apsp [options] GRAPH [DISTANCES]",
    .about =
        "Computes all shortest distances of GRAPH exactly, over the ranks of an MPI job, and "
        "writes the "
        "n x n matrix to DISTANCES, row by row: an array of NumPy if the suffix is .npy, bare "
        "numbers of the "
        "type that a suffix such as .u16 names, HDF5 if it is .h5 or .hdf5, else little-endian "
        "int32, "
        "1073741823 = "
        "unreachable. "
        "With the suffix .csv, .tsv, .txt, .mtx or .npz it is pairs of vertices and their "
        "distances instead. "
        "Without DISTANCES it only reports.\n"
        "GRAPH may be compressed by gzip, zstd, xz or bzip2, whatever its name. - is standard "
        "input, or as a "
        "file that is written standard output, and the report goes to stderr then.",
    .print_list = graph_source_print,
    .exits =
        "0 done, 2 command line, 3 content of GRAPH, 4 too little memory, 5 file cannot be read or "
        "written, 6 GPU missing or failed, 7 MPI or another rank, 8 the result failed its proof or "
        "memory "
        "changed by itself, 9 GRAPH has a negative cycle, 75 stopped by a signal with a checkpoint",
    .examples = "apsp --ranks 2 --verify graph.gr distances.bin\n"
                "mpirun -n 8 --hostfile hosts apsp --json report.json graph.bin distances.bin",
    .rows = option_rows,
    .row_count = sizeof option_rows / sizeof *option_rows,
    .arguments = arguments,
    .argument_count = 2,
    .needed = 1,
    .stop = FIELD(stop),
    .check = check_together,
};

int options_parse(struct run_options *options, int argc, char **argv, struct apsp_error *error)
{
    struct line line = {.options = {.write_retry = 600,
                                    .checkpoint.every = 30 * 60,
                                    .request = {.dtype = "auto",
                                                .output_type = "auto",
                                                .sums = "auto",
                                                .method = "auto",
                                                .transport = "auto"}}};
    option_parse(&program, &line, argc, argv, error);
    *options = line.options;
    options->verify_more = options->results.verify == VERIFY_SOME;
    if (options->verify_more)
        options->results.verify = VERIFY_ROWS;
    options->request.progress =
        line.bar == BAR_SHOW || (line.bar == BAR_AUTO && !options->quiet && isatty(STDERR_FILENO));
    return error->code;
}
