/* The command `apsp-gen`: writes a made-up graph. */
#include "base/number.h"
#include "graph/generate.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#define SEE_HELP "; see apsp-gen --help"

struct command {
    struct generate_plan plan;
    const char *path;
    bool force, stop;
};

enum { KEY_FORCE = 256, KEY_POTENTIAL, KEY_HELP, KEY_VERSION };

static const struct option long_options[] = {
    {"force", no_argument, NULL, KEY_FORCE},
    {"potential", required_argument, NULL, KEY_POTENTIAL},
    {"help", no_argument, NULL, KEY_HELP},
    {"version", no_argument, NULL, KEY_VERSION},
    {NULL, 0, NULL, 0},
};

static void print_help(void)
{
    fputs("usage: apsp-gen FAMILY -n N [-d DEGREE | -m EDGES] [-s SEED] [-w LO:HI] [--potential P] -o FILE\n"
          "                [--force]\n"
          "\n"
          "Writes a directed graph, the same on every machine for the same arguments.\n"
          "\n"
          "families\n",
          stdout);
    for (int i = 0; generate_family_name(i); i++)
        printf("  %-14s %s\n", generate_family_name(i), generate_family_about(i));
    fputs(
        "\n"
        "options\n"
        "  -n N           vertices, 1 to 2147483647\n"
        "  -d DEGREE      random, rmat, disconnected, zero: N * DEGREE edges (default: 8)\n"
        "  -m EDGES       the same families: exactly so many edges\n"
        "  -s SEED        number that random choices start from (default: 1)\n"
        "  -w LO:HI       weights, whole numbers from LO to HI (default: 0:1000); with a point, as in\n"
        "                 -0.50:2.25, numbers of so many decimals. Those and negative ones take a FILE.mtx.\n"
        "                 Negative ones at random make negative cycles, most likely; --potential makes none\n"
        "  --potential P  with LO >= 0, FILE.mtx: every vertex has a random height of 0 to P, and a weight\n"
        "                 the height of its source, less that of its target, added: -P or more, no negative\n"
        "                 cycle\n"
        "  -o FILE        where to; text for the suffix .gr or .mtx, else the course's binary format\n"
        "  --force        replace FILE if it exists\n"
        "  --help, --version\n"
        "\n"
        "exit codes: 0 done, 2 command line, 4 too little memory, 5 file cannot be written\n"
        "\n"
        "examples:\n"
        "  apsp-gen grid -n 10000 -w 1:100 -o roads.gr\n"
        "  apsp-gen random -n 5000 -m 10723117 -s 21 -o c21.bin\n",
        stdout);
}

static int parse_number(const char *name, uint64_t low, uint64_t high, uint64_t *value,
                        struct apsp_error *error)
{
    if (number_parse(optarg, low, high, value))
        return APSP_OK;
    return error_set(error, APSP_USAGE, "%s: '%s' is not a whole number from %llu to %llu" SEE_HELP, name,
                     optarg, (unsigned long long)low, (unsigned long long)high);
}

static int parse_weights(struct generate_plan *plan, struct apsp_error *error)
{
    if (number_parse_range(optarg, INT32_MAX, &plan->low, &plan->high, &plan->decimals))
        return APSP_OK;
    return error_set(
        error, APSP_USAGE,
        "-w: '%s' is not LO:HI with LO <= HI, of at most %d and 9 decimals, a decimal point left "
        "out" SEE_HELP,
        optarg, INT32_MAX);
}

/* The potential is counted as the weights are. */
static int scale_potential(struct generate_plan *plan, struct apsp_error *error)
{
    int64_t given = plan->potential;
    if (given > 0 && plan->low < 0)
        return error_set(error, APSP_USAGE, "--potential %lld: LO of -w is below 0" SEE_HELP,
                         (long long)given);
    for (int i = 0; i < plan->decimals && plan->potential <= INT32_MAX; i++)
        plan->potential *= 10;
    if (plan->potential > INT32_MAX - plan->high)
        return error_set(error, APSP_USAGE,
                         "--potential %lld: P and HI of -w are more than %d together, a decimal point left "
                         "out" SEE_HELP,
                         (long long)given, INT32_MAX);
    return APSP_OK;
}

static int apply(struct command *command, int key, char **argv, struct apsp_error *error)
{
    struct generate_plan *plan = &command->plan;
    uint64_t potential = 0;
    switch (key) {
    case 'n':
        return parse_number("-n", 1, INT32_MAX, &plan->n, error);
    case 'd':
        return parse_number("-d", 1, INT32_MAX, &plan->degree, error);
    case 'm':
        return parse_number("-m", 0, INT64_MAX, &plan->m, error);
    case 's':
        return parse_number("-s", 0, UINT64_MAX, &plan->seed, error);
    case 'w':
        return parse_weights(plan, error);
    case 'o':
        command->path = optarg;
        return APSP_OK;
    case KEY_POTENTIAL:
        parse_number("--potential", 0, INT32_MAX, &potential, error);
        plan->potential = (int64_t)potential;
        return error->code;
    case KEY_FORCE:
        command->force = true;
        return APSP_OK;
    case ':':
        return error_set(error, APSP_USAGE, "option '%s' needs an argument" SEE_HELP, argv[optind - 1]);
    default:
        if (optopt > 0 && optopt < KEY_FORCE)
            return error_set(error, APSP_USAGE, "unknown option '-%c'" SEE_HELP, optopt);
        return error_set(error, APSP_USAGE, "unknown option '%s'" SEE_HELP, argv[optind - 1]);
    }
}

static int check(struct command *command, int count, char **families, struct apsp_error *error)
{
    if (count < 1)
        return error_set(error, APSP_USAGE, "no FAMILY is named" SEE_HELP);
    if (count > 1)
        return error_set(error, APSP_USAGE, "'%s' is one argument too many: FAMILY is all" SEE_HELP,
                         families[1]);
    if (command->plan.n == 0)
        return error_set(error, APSP_USAGE, "-n is missing" SEE_HELP);
    if (!command->path || !*command->path)
        return error_set(error, APSP_USAGE, "-o is missing" SEE_HELP);
    if (command->plan.m != GENERATE_BY_DEGREE && command->plan.degree > 0)
        return error_set(error, APSP_USAGE, "-m %zu and -d %zu: give one of them" SEE_HELP, command->plan.m,
                         command->plan.degree);
    command->plan.family = families[0];
    return scale_potential(&command->plan, error);
}

static int parse(struct command *command, int argc, char **argv, struct apsp_error *error)
{
    int key;
    opterr = 0;
    while ((key = getopt_long(argc, argv, ":n:d:m:s:w:o:", long_options, NULL)) != -1) {
        if (key == KEY_HELP || key == KEY_VERSION) {
            command->stop = true;
            if (key == KEY_HELP)
                print_help();
            else
                puts("apsp-gen " APSP_VERSION);
            return APSP_OK;
        }
        if (apply(command, key, argv, error) != APSP_OK)
            return error->code;
    }
    return check(command, argc - optind, argv + optind, error);
}

int main(int argc, char **argv)
{
    struct command command = {.plan = {.m = GENERATE_BY_DEGREE, .seed = 1, .high = 1000}};
    struct apsp_error error = {0};
    if (parse(&command, argc, argv, &error) == APSP_OK && !command.stop)
        generate_file(&command.plan, command.path, command.force, &error);
    if (error.code)
        fprintf(stderr, "apsp-gen: %s\n", error.text);
    return error.code;
}
