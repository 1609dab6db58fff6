#include "cli/options.h"

#include "base/dtype.h"
#include "base/error.h"
#include "base/words.h"
#include "cli/input.h"
#include "cli/options_check.h"
#include "cli/outputs.h"
#include "dense/transport.h"
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
    if (!*text || *end || !isfinite(between->within) || between->within < 0)
        return error_set(error, APSP_USAGE,
                         "--betweenness-within: '%s' is not a number of at least 0", text);
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
     .parse = parse_device, .help = "device that computes; auto takes a GPU if there is one",
     .otherwise = "auto"},
    {OPTION_INT, "ranks", "N", FIELD(ranks), 1, RANKS_MAX,
     .help = "run N ranks as threads of one process, without mpirun; at most 64, or 4 a processor",
     .otherwise = "1"},
    {OPTION_INT, "gpus", "N", FIELD(gpus), 1, GPUS_MAX,
     .help = "run N ranks as threads of one process, each with a GPU, without mpirun"},
    {OPTION_FLAG, "share-gpus", NULL, FIELD(request.share_gpus),
     .help = "allow several ranks on one GPU",
     .otherwise = "exit 6 when a node has more ranks than GPUs"},
    {OPTION_INT, "ranks-per-node", "N", FIELD(ranks_per_node), 1, RANKS_MAX,
     .help = "for tests: treat every N ranks of a machine as a node"},
    {OPTION_INT, "threads", "N", FIELD(request.threads), 1, THREADS_MAX,
     .help = "threads of each CPU rank", .otherwise = "the node's cores shared among its ranks"},

    {OPTION_HEADING, .help = "how to compute"},
    {OPTION_NAME, "method", "auto|NAME", FIELD(request.method), .names = engine_names,
     .extra = "auto", .help = "engine that solves",
     .otherwise = "auto, the one expected to be the fastest"},
    PATHS_OPTION(FIELD(request.paths)),
    {OPTION_TEXT, "order", "FILE", FIELD(request.order),
     .help = "eliminate in this order, which --save-order has written for a graph with the same "
             "edges; weights may differ; auto takes the sparse engine",
     .otherwise = "it is made"},
    {OPTION_U64, "tile", "B", FIELD(request.tile), 1, TILE_MAX,
     .help = "vertices of a pivot range, 1 to 65536", .otherwise = "chosen by device and n"},
    {OPTION_NAME, "dtype", "T", FIELD(request.dtype), .names = dtype_names, .extra = "auto",
     .help = "type of the distances",
     .otherwise = "auto, the narrowest that is proved exact; f64 for floating point"},
    {OPTION_NAME, "sums", "auto|path|solver", FIELD(request.sums), .names = sums_names,
     .extra = "auto",
     .help =
         "rounded floating-point distances: path, the sum of the weights along a shortest path, "
         "which costs a look at all edges a row; or solver, the sum in the engine's order",
     .otherwise =
         "auto, path if that costs little: runs with other ranks, tiles or engines may differ"},
    {OPTION_NAME, "transport", "T", FIELD(request.transport), .names = transport_names,
     .extra = "auto", .help = "way of pivot rows between ranks",
     .otherwise = "auto; peer is for the GPUs of a node, direct for --ranks"},

    {OPTION_HEADING, .help = "files"},
    INPUT_OPTIONS(FIELD(input)),
    {OPTION_NAME, "output-type", "T", FIELD(request.output_type), .names = dtype_file_names,
     .extra = "auto, narrow", .help = "type of the distances in files",
     .otherwise = "auto, the type of the suffix of DISTANCES, else of the computation, i32 for "
                  "u16; narrow is the narrowest that holds them all"},
    {OPTION_FLAG, "force", NULL, FIELD(results.force), .help = "replace output files that exist"},
    {OPTION_INT, "write-retry", "SECONDS", FIELD(write_retry), 0, INT32_MAX,
     .help = "time that a file waits while its disk or quota is full", .otherwise = "600"},
    {OPTION_TEXT, "predecessors", "FILE", FIELD(results.predecessors), .stream = true,
     .help = "write the vertex before j on a shortest path from i to j for all i, j: int32, row by "
             "row, from 0, -1 = none; .npy as above"},
    {OPTION_TEXT, "path-counts", "FILE", FIELD(results.path_counts),
     .help = "write the number of shortest paths from i to j for all i, j: float64, exact up to "
             "2^53, 0 = none; .npy or .f64, or pairs as .csv, .tsv, .mtx or .npz. Weights must be "
             "above 0"},
    {OPTION_TEXT, "closure", "FILE", FIELD(results.closure),
     .help = "write which vertices each vertex reaches: a bit for each, row by row, the lowest bit "
             "of a byte first; .npy or .u8"},
    {OPTION_TEXT, "stats", "FILE", FIELD(results.stats), .stream = true,
     .help =
         "write for each vertex the largest distance from it, the sum of the distances, the "
         "number of vertices reached, closeness, and the counts of --count. With .json it adds "
         "diameter, radius and more of all pairs; .html is a page for a browser, with betweenness; "
         "else .csv"},
    {OPTION_SPECIAL, "count", "WHAT,..", FIELD(results.counted), .names = reductions_words,
     .parse = parse_counted,
     .help = "more counts of --stats, each at a cost: in (in-eccentricity, sources that reach it), "
             "harmonic (sums of 1 / distance, efficiency), histogram (quantiles too; .json), exact "
             "(exact quantiles, by more passes), or all",
     .otherwise = "out"},
    {OPTION_TEXT, "plot", "FILE.svg", FIELD(results.plot),
     .help = "draw the histogram of all distances, as SVG"},
    {OPTION_TEXT, "betweenness", "FILE", FIELD(results.betweenness), .stream = true,
     .help = "write the betweenness of each vertex; a pair counts once in an undirected graph. "
             "Weights must be above 0; .json, else .csv"},
    {OPTION_FLAG, "betweenness-edges", NULL, FIELD(results.between.edges),
     .help = "--betweenness has edges in place of vertices; a .json file has both"},
    {OPTION_FLAG, "betweenness-ends", NULL, FIELD(results.between.ends),
     .help = "paths count for their first and last vertices, too"},
    {OPTION_FLAG, "betweenness-stress", NULL, FIELD(results.between.stress),
     .help = "the number of shortest paths, in place of their share: stress"},
    {OPTION_FLAG, "betweenness-load", NULL, FIELD(results.between.load),
     .help = "load in place of betweenness: predecessors of a vertex have equal parts"},
    {OPTION_SPECIAL, "betweenness-within", "DISTANCE", FIELD(results.between),
     .parse = parse_between, .help = "only paths of at most this length count"},
    {OPTION_TEXT, "diameter", "FILE", FIELD(results.diameter), .stream = true,
     .help = "write diameter, radius, centre and periphery, by few searches; - is standard output; "
             ".csv has the eccentricity of each vertex, by few searches too"},
    {OPTION_FLAG, "diameter-alone", NULL, FIELD(results.alone),
     .help = "--diameter has the diameter alone, by fewer searches"},
    {OPTION_TEXT, "access", "FILE.csv", FIELD(results.access.path),
     .help = "write for each source the sums of the opportunities that it reaches, by --cutoffs "
             "and --decays, and the distances of --access-nearest"},
    {OPTION_TEXT, "opportunities", "FILE", FIELD(results.access.opportunities),
     .help = "opportunities of --access: a line of names, vertex,jobs,schools, and lines of a "
             "vertex and its amounts; vertices without a line have none",
     .otherwise = "1 at each vertex"},
    {OPTION_TEXT, "cutoffs", "DISTANCE,..", FIELD(results.access.cutoffs),
     .help = "--access adds up the opportunities within each of these distances, and --isochrones "
             "has the vertices"},
    {OPTION_TEXT, "decays", "DECAY,..", FIELD(results.access.decays),
     .help = "--access weighs opportunities by their distance d: step:T, linear:T (1 - d / T), "
             "exponential:S (exp(-d / S)), logistic:M:S (1 / (1 + exp((d - M) / S))), or "
             "table:FILE, lines of a distance and a weight"},
    {OPTION_TEXT, "access-nearest", "K,..", FIELD(results.access.nearest),
     .help = "--access has the least distance within which K opportunities are"},
    {OPTION_TEXT, "isochrones", "FILE", FIELD(results.isochrones.path),
     .help =
         "write for each source the vertices within each of the --cutoffs; .geojson, else .csv"},
    {OPTION_TEXT, "coordinates", "FILE", FIELD(results.isochrones.coordinates),
     .help = "places of the vertices for --isochrones: lines of a vertex, x and y, DIMACS .co, or "
             "GraphML whose nodes have x and y"},
    {OPTION_TEXT, "sources", "LIST|FILE|random:K", FIELD(sources),
     .help =
         "only the rows of these vertices, in this order: 4,7,100-199, or a file of such numbers; "
         "random:K is a sample of K vertices",
     .otherwise = "all"},
    {OPTION_TEXT, "targets", "LIST|FILE", FIELD(targets),
     .help = "only the distances to these vertices, in this order, in DISTANCES",
     .otherwise = "all"},
    {OPTION_U64, "nearest", "K", FIELD(results.nearest), 1, INT32_MAX,
     .help = "the K nearest targets of each source, and of equally near ones those with the "
             "smallest numbers; without --targets all vertices but the source; DISTANCES is .csv, "
             ".tsv, .txt, .mtx, .npz or a pipe"},
    {OPTION_SPECIAL, "within", "DISTANCE", FIELD(results), .parse = parse_within,
     .help = "only pairs at this distance or less, also among those of --nearest"},
    {OPTION_TEXT, "skim", "NAME[=FILE],..", FIELD(results.skim),
     .help = "add columns to pairs: the sums of these attributes of the edges along the path; of "
             "equally short paths that of the least first sum, then the next. NAME is a column of "
             "GRAPH or the weights of FILE; edges is their number; DISTANCES is .csv, .tsv or "
             ".txt"},
    {OPTION_TEXT, "save-order", "FILE", FIELD(save_order),
     .help = "write the sparse engine's order, for --order; auto takes that engine then"},
    {OPTION_TEXT, "names", "FILE", FIELD(names),
     .help = "write the names of the vertices in GRAPH, one a line, in the order of the rows"},
    {OPTION_TEXT, "json", "FILE", FIELD(json), .help = "write the report to FILE as JSON"},

    {OPTION_HEADING, .help = "checkpoints"},
    {OPTION_TEXT, "checkpoint", "DIR", FIELD(checkpoint.folder),
     .help =
         "write the state of the run to two files in DIR that alternate. SIGUSR1 does so too, and "
         "SIGTERM to a task of srun: the run then ends with 75. After success they are removed"},
    {OPTION_SPECIAL, "checkpoint-every", "MINUTES", offsetof(struct line, every),
     .parse = parse_minutes, .help = "interval; 0: only when a signal requests it",
     .otherwise = "30"},
    {OPTION_TEXT, "resume", "DIR", offsetof(struct line, resume),
     .help = "continue from the last checkpoint in DIR, on any ranks and device, and write the "
             "next ones there"},
    {OPTION_FLAG, "checkpoint-keep", NULL, FIELD(checkpoint.keep),
     .help = "leave the checkpoint after success"},

    {OPTION_HEADING, .help = "checks"},
    {OPTION_ROWS, "verify", "[=ROWS|all]", FIELD(results.verify), 1, INT32_MAX, VERIFY_SOME,
     .help = "prove ROWS rows of the result, or all, as they are read back from DISTANCES; without "
             "a number all rows if that takes at most a tenth of the solve, else 64",
     .otherwise = "no check"},
    {OPTION_U64, "seed", "S", FIELD(results.seed), 1, UINT64_MAX,
     .help = "let --verify and --sources random:K choose the rows of an earlier run with this seed",
     .otherwise = "a new one, which is printed"},
    {OPTION_FLAG, "paranoid", NULL, FIELD(request.paranoid),
     .help = "find bit flips in memory while the dense engine solves, by checksums, and prove all "
             "rows, as --verify=all does"},
    {OPTION_FLAG, "estimate", NULL, FIELD(estimate),
     .help = "print the bytes and seconds that the run would take, and stop"},

    {OPTION_HEADING, .help = "what is printed"},
    {OPTION_FLAG, "quiet", NULL, FIELD(quiet),
     .help = "no report, but lines on stderr of what may be misread; no progress bar without "
             "--progress"},
    {OPTION_SET, "progress", NULL, offsetof(struct line, bar), .value = BAR_SHOW,
     .help = "show the progress bar on stderr", .otherwise = "where stderr is a terminal"},
    {OPTION_SET, "no-progress", NULL, offsetof(struct line, bar), .value = BAR_HIDE,
     .help = "show no progress bar"},
};

static const struct option_argument arguments[] = {
    {"GRAPH", .offset = FIELD(graph), .is_only_input = true, .about = INPUT_ABOUT},
    {"DISTANCES", .offset = FIELD(results.distances),
     .about = ", the file to write, comes after GRAPH; its suffix names the format"}};

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

/* What no single option shows. */
static int check_together(void *fields, struct apsp_error *error)
{
    struct run_options *options = &((struct line *)fields)->options;
    if (check_proof(options, error) || check_checkpoints(fields, error) ||
        options_check(options, error))
        return error->code;
    return outputs_check(options, error);
}

static const struct option_program program = {
    .name = "apsp",
    .usage = "apsp [options] GRAPH [DISTANCES]\n"
             "mpirun [its options] apsp [options] GRAPH [DISTANCES]",
    .about =
        "Computes all shortest distances of GRAPH exactly, over the ranks of an MPI job. It writes "
        "the n x n matrix to DISTANCES, row by row. The suffix .npy gives an array of NumPy, .h5 "
        "or .hdf5 HDF5, a type such as .u16 numbers of that type, any other suffix little-endian "
        "int32 with 1073741823 = unreachable. The suffix .csv, .tsv, .txt, .mtx or .npz gives "
        "pairs of vertices with their distances; .wide.csv or .wide.tsv a table with names. "
        "Without DISTANCES the report is printed only.\n"
        "GRAPH may be compressed by gzip, zstd, xz or bzip2, under any name. - is standard input. "
        "As an output it is standard output, and the report then goes to stderr.",
    .print_list = graph_source_print,
    .exits = "0 done, 2 command line, 3 content of GRAPH, 4 too little memory, 5 file cannot be "
             "read or written, 6 GPU, 7 MPI or another rank, 8 failed verification, 9 negative "
             "cycle, 75 checkpoint after a signal",
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

int options_parse_past(struct run_options *options, int argc, char **argv, struct apsp_error *error)
{
    struct option_argument past[] = {arguments[0], arguments[1]};
    struct option_program other = program;
    struct line line = {0};
    past[0].is_only_input = false;
    other.arguments = past;
    other.check = NULL;
    option_parse(&other, &line, argc, argv, error);
    *options = line.options;
    return error->code;
}

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
