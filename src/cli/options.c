#include "apsp.h"

#include "base/dtype.h"
#include "base/error.h"
#include "base/number.h"
#include "graph/graph.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SEE_HELP "; see apsp --help"

enum { RANKS_MAX = 65536, GPUS_MAX = 1024, THREADS_MAX = 4096, TILE_MAX = 65536, VERIFY_ROWS = 64 };

enum option_key {
    KEY_DEVICE = 256, /* above every character */
    KEY_RANKS,
    KEY_GPUS,
    KEY_RANKS_PER_NODE,
    KEY_SHARE_GPUS,
    KEY_THREADS,
    KEY_TILE,
    KEY_DTYPE,
    KEY_TRANSPORT,
    KEY_FORMAT,
    KEY_VERIFY,
    KEY_JSON,
    KEY_PREDECESSORS,
    KEY_ESTIMATE,
    KEY_FORCE,
    KEY_QUIET,
    KEY_PROGRESS,
    KEY_NO_PROGRESS,
    KEY_HELP,
    KEY_VERSION,
};

static const struct option long_options[] = {
    {"device", required_argument, NULL, KEY_DEVICE},
    {"ranks", required_argument, NULL, KEY_RANKS},
    {"gpus", required_argument, NULL, KEY_GPUS},
    {"ranks-per-node", required_argument, NULL, KEY_RANKS_PER_NODE},
    {"share-gpus", no_argument, NULL, KEY_SHARE_GPUS},
    {"threads", required_argument, NULL, KEY_THREADS},
    {"tile", required_argument, NULL, KEY_TILE},
    {"dtype", required_argument, NULL, KEY_DTYPE},
    {"transport", required_argument, NULL, KEY_TRANSPORT},
    {"format", required_argument, NULL, KEY_FORMAT},
    {"verify", optional_argument, NULL, KEY_VERIFY},
    {"json", required_argument, NULL, KEY_JSON},
    {"predecessors", required_argument, NULL, KEY_PREDECESSORS},
    {"estimate", no_argument, NULL, KEY_ESTIMATE},
    {"force", no_argument, NULL, KEY_FORCE},
    {"quiet", no_argument, NULL, KEY_QUIET},
    {"progress", no_argument, NULL, KEY_PROGRESS},
    {"no-progress", no_argument, NULL, KEY_NO_PROGRESS},
    {"help", no_argument, NULL, KEY_HELP},
    {"version", no_argument, NULL, KEY_VERSION},
    {NULL, 0, NULL, 0},
};

static const char help_start[] =
    "usage: apsp [options] GRAPH [DISTANCES]\n"
    "       mpirun [its options] apsp [options] GRAPH [DISTANCES]\n"
    "\n"
    "Computes all shortest distances of GRAPH exactly, over the ranks of an MPI job, and writes the n x n "
    "matrix\n"
    "to DISTANCES: an array of NumPy if the suffix is .npy, else little-endian int32, row by row, 1073741823 "
    "=\n"
    "unreachable. Without DISTANCES it only reports.\n"
    "\n"
    "where to run\n"
    "  --device auto|cpu|gpu  what computes; auto takes a GPU if there is one (default: auto)\n"
    "  --ranks N              without mpirun: start N ranks on the cores of this machine, at most 64 or 4 a "
    "processor\n"
    "                         (default: 1)\n"
    "  --gpus N               without mpirun: start N ranks on this machine, each with a GPU\n"
    "  --share-gpus           allow several ranks on one GPU (default: exit 6 when a node has more ranks "
    "than GPUs)\n"
    "  --ranks-per-node N     for tests: treat every N ranks of a machine as a node of their own\n"
    "  --threads N            threads of each CPU rank (default: the node's cores shared among its ranks)\n"
    "\n"
    "how to compute\n"
    "  --tile B               vertices of a pivot range, 1 to 65536 (default: chosen by device and n)\n"
    "  --dtype T              type of the distances; auto takes the narrowest that is proved exact, f64 for "
    "reals:\n"
    "                         auto";

static const char help_rest[] =
    " (default: auto)\n"
    "  --transport T          how pivot rows travel between ranks: auto, peer (GPUs of a node), mpi, host "
    "(default: auto)\n"
    "\n"
    "files\n"
    "  --format F             format of GRAPH: %s (default: by suffix, .gr, .mtx or else course)\n"
    "  --force                replace output files that exist\n"
    "  --predecessors FILE    write the vertex before j on a shortest path from i to j for all i, j: int32, "
    "row by "
    "row,\n"
    "                         from 0, -1 = none; .npy as above\n"
    "  --json FILE            write the report to FILE as JSON\n"
    "\n"
    "checks\n"
    "  --verify[=ROWS|all]    prove ROWS rows of the result, or all, right (ROWS default: 64; default: no "
    "check)\n"
    "  --estimate             print the bytes and seconds that the run would take, and stop\n"
    "\n"
    "what is printed\n"
    "  --quiet                no report, and no progress bar unless --progress asks for it\n"
    "  --progress             show the progress bar on stderr (default: where stderr is a terminal)\n"
    "  --no-progress          show no progress bar\n"
    "  --help, --version      print this, or the version, and stop\n"
    "\n"
    "exit codes: 0 done, 2 command line, 3 content of GRAPH, 4 too little memory, 5 file cannot be read or "
    "written,\n"
    "            6 GPU missing or failed, 7 MPI or another rank, 8 the result failed its proof, 9 GRAPH has "
    "a negative "
    "cycle\n"
    "\n"
    "examples:\n"
    "  apsp --ranks 2 --verify graph.gr distances.bin\n"
    "  mpirun -n 8 --hostfile hosts apsp --json report.json graph.bin distances.bin\n";

static void print_help(void)
{
    fputs(help_start, stdout);
    for (int i = 0; i < DTYPE_COUNT; i++)
        printf(", %s", dtype_info[i].name);
    printf(help_rest, graph_format_names());
}

/* Reads the number of option `name` into *value. */
static int parse_number(const char *name, const char *text, uint64_t high, uint64_t *value,
                        struct apsp_error *error)
{
    if (number_parse(text, 1, high, value))
        return APSP_OK;
    return error_set(error, APSP_USAGE, "--%s: '%s' is not a whole number from 1 to %llu" SEE_HELP, name,
                     text, (unsigned long long)high);
}

static int parse_int(const char *name, const char *text, int high, int *value, struct apsp_error *error)
{
    uint64_t number = 0;
    int status = parse_number(name, text, (uint64_t)high, &number, error);
    *value = (int)number;
    return status;
}

static int parse_verify(size_t *rows, const char *text, struct apsp_error *error)
{
    uint64_t number = VERIFY_ROWS;
    if (text && strcmp(text, "all") == 0) {
        *rows = APSP_VERIFY_ALL;
        return APSP_OK;
    }
    if (text && !number_parse(text, 1, INT32_MAX, &number))
        return error_set(error, APSP_USAGE,
                         "--verify: '%s' is neither 'all' nor a whole number from 1 to %d" SEE_HELP, text,
                         INT32_MAX);
    *rows = (size_t)number;
    return APSP_OK;
}

static int parse_device(enum apsp_device *device, const char *text, struct apsp_error *error)
{
    static const char *const names[] = {
        [APSP_DEVICE_AUTO] = "auto", [APSP_DEVICE_CPU] = "cpu", [APSP_DEVICE_GPU] = "gpu"};
    for (int i = 0; i < (int)(sizeof names / sizeof *names); i++) {
        if (strcmp(names[i], text) == 0) {
            *device = (enum apsp_device)i;
            return APSP_OK;
        }
    }
    return error_set(error, APSP_USAGE, "--device: '%s' is none of auto, cpu, gpu" SEE_HELP, text);
}

/* An option that getopt_long did not take: ':' or '?' as it returned. */
static int refuse_option(int answer, char **argv, struct apsp_error *error)
{
    const char *text = argv[optind - 1];
    if (answer == ':')
        return error_set(error, APSP_USAGE, "option '%s' needs an argument" SEE_HELP, text);
    if (optopt > 255)
        return error_set(error, APSP_USAGE, "option '%s' takes no argument" SEE_HELP, text);
    if (optopt > 0)
        return error_set(error, APSP_USAGE, "unknown option '-%c'" SEE_HELP, optopt);
    return error_set(error, APSP_USAGE, "unknown option '%s'" SEE_HELP, text);
}

static int apply_number(struct apsp_options *options, int key, struct apsp_error *error)
{
    uint64_t tile = 0;
    switch (key) {
    case KEY_RANKS:
        return parse_int("ranks", optarg, RANKS_MAX, &options->ranks, error);
    case KEY_GPUS:
        return parse_int("gpus", optarg, GPUS_MAX, &options->gpus, error);
    case KEY_RANKS_PER_NODE:
        return parse_int("ranks-per-node", optarg, RANKS_MAX, &options->ranks_per_node, error);
    case KEY_THREADS:
        return parse_int("threads", optarg, THREADS_MAX, &options->threads, error);
    default: /* KEY_TILE */
        parse_number("tile", optarg, TILE_MAX, &tile, error);
        options->tile = (size_t)tile;
        return error->code;
    }
}

/* Applies one option; *bar is 1, 0, or -1 while no option has said whether the progress bar is to be shown.
 */
static int apply(struct apsp_options *options, int key, int *bar, struct apsp_error *error)
{
    switch (key) {
    case KEY_DEVICE:
        return parse_device(&options->device, optarg, error);
    case KEY_DTYPE:
        options->dtype = optarg;
        return APSP_OK;
    case KEY_TRANSPORT:
        options->transport = optarg;
        return APSP_OK;
    case KEY_FORMAT:
        options->format = optarg;
        return APSP_OK;
    case KEY_JSON:
        options->json = optarg;
        return APSP_OK;
    case KEY_PREDECESSORS:
        options->predecessors = optarg;
        return APSP_OK;
    case KEY_VERIFY:
        return parse_verify(&options->verify, optarg, error);
    case KEY_SHARE_GPUS:
        options->share_gpus = true;
        return APSP_OK;
    case KEY_ESTIMATE:
        options->estimate = true;
        return APSP_OK;
    case KEY_FORCE:
        options->force = true;
        return APSP_OK;
    case KEY_QUIET:
        options->quiet = true;
        return APSP_OK;
    case KEY_PROGRESS:
    case KEY_NO_PROGRESS:
        *bar = key == KEY_PROGRESS;
        return APSP_OK;
    default:
        return apply_number(options, key, error);
    }
}

/* Status of the folder in which the file is, or is to be. */
static bool find_folder(const char *path, struct stat *status)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
    bool found = folder && stat(folder, status) == 0;
    free(folder);
    return found;
}

/* Whether the two paths, of files that may not exist, are one name in one folder. */
static bool same_place(const char *a, const char *b)
{
    const char *slash_a = strrchr(a, '/'), *slash_b = strrchr(b, '/');
    struct stat folder_a, folder_b;
    if (strcmp(slash_a ? slash_a + 1 : a, slash_b ? slash_b + 1 : b) != 0)
        return false;
    return strcmp(a, b) == 0 || (find_folder(a, &folder_a) && find_folder(b, &folder_b) &&
                                 folder_a.st_dev == folder_b.st_dev && folder_a.st_ino == folder_b.st_ino);
}

static int check_outputs(const struct apsp_options *options, struct apsp_error *error)
{
    const struct {
        const char *name, *path;
    } files[] = {{"DISTANCES", options->distances},
                 {"--predecessors", options->predecessors},
                 {"--json", options->json}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        if (files[i].path && !*files[i].path)
            return error_set(error, APSP_USAGE, "the name of %s is empty" SEE_HELP, files[i].name);
        for (size_t k = 0; k < i && files[i].path; k++)
            if (files[k].path && same_place(files[k].path, files[i].path))
                return error_set(error, APSP_USAGE, "%s '%s' and %s '%s' are the same file" SEE_HELP,
                                 files[k].name, files[k].path, files[i].name, files[i].path);
    }
    return APSP_OK;
}

/* What no single option shows. --ranks and --gpus name a device too. */
static int check_together(struct apsp_options *options, struct apsp_error *error)
{
    if (options->ranks && options->gpus)
        return error_set(error, APSP_USAGE, "--ranks %d and --gpus %d: give one of them" SEE_HELP,
                         options->ranks, options->gpus);
    if (options->gpus && options->device == APSP_DEVICE_CPU)
        return error_set(error, APSP_USAGE, "--gpus %d contradicts --device cpu" SEE_HELP, options->gpus);
    if (options->ranks && options->device == APSP_DEVICE_GPU)
        return error_set(error, APSP_USAGE,
                         "--ranks %d starts CPU ranks and contradicts --device gpu; use --gpus" SEE_HELP,
                         options->ranks);
    if (options->gpus)
        options->device = APSP_DEVICE_GPU;
    if (options->ranks)
        options->device = APSP_DEVICE_CPU;
    return check_outputs(options, error);
}

static int take_paths(struct apsp_options *options, int count, char **paths, struct apsp_error *error)
{
    if (count < 1)
        return error_set(error, APSP_USAGE, "no GRAPH is named: apsp [options] GRAPH [DISTANCES]" SEE_HELP);
    if (count > 2)
        return error_set(error, APSP_USAGE,
                         "'%s' is one argument too many: at most GRAPH and DISTANCES" SEE_HELP, paths[2]);
    if (paths[0][0] == '\0')
        return error_set(error, APSP_USAGE, "the name of GRAPH is empty" SEE_HELP);
    options->graph = paths[0];
    options->distances = count > 1 ? paths[1] : NULL;
    return APSP_OK;
}

int apsp_options_parse(struct apsp_options *options, int argc, char **argv, struct apsp_error *error)
{
    int bar = -1, key;
    *options = (struct apsp_options){.dtype = "auto", .transport = "auto"};
    optind = 0; /* start afresh: there may have been another parse */
    opterr = 0;
    while ((key = getopt_long(argc, argv, ":", long_options, NULL)) != -1) {
        if (key == KEY_HELP || key == KEY_VERSION) {
            options->stop = true;
            if (key == KEY_HELP)
                print_help();
            else
                puts("apsp " APSP_VERSION);
            return APSP_OK;
        }
        if (key == '?' || key == ':')
            return refuse_option(key, argv, error);
        if (apply(options, key, &bar, error) != APSP_OK)
            return error->code;
    }
    if (take_paths(options, argc - optind, argv + optind, error) != APSP_OK ||
        check_together(options, error) != APSP_OK)
        return error->code;
    options->progress = bar >= 0 ? bar == 1 : !options->quiet && isatty(STDERR_FILENO);
    return APSP_OK;
}
