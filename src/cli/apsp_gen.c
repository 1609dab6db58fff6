/* The command `apsp-gen`: writes a made-up graph. */
#include "base/error.h"
#include "base/number.h"
#include "base/standard.h"
#include "cli/option.h"
#include "graph/generate.h"

struct command {
    struct generate_plan plan;
    const char *path;
    bool force, stop;
};

static void print_families(void)
{
    puts("\nfamilies");
    for (int i = 0; generate_family_name(i); i++)
        printf("  %-14s %s\n", generate_family_name(i), generate_family_about(i));
}

static int parse_weights(const char *text, void *field, struct apsp_error *error)
{
    struct generate_plan *plan = field;
    if (number_parse_range(text, INT32_MAX, &plan->low, &plan->high, &plan->decimals))
        return APSP_OK;
    return error_set(
        error, APSP_USAGE,
        "-w %s: expected LO:HI with LO <= HI, such as 1:100 or 0.50:2.25, of at most %d "
        "and 9 decimals, a decimal point left out",
        text, INT32_MAX);
}

/* The potential is counted as the weights are. */
static int scale_potential(struct generate_plan *plan, struct apsp_error *error)
{
    int64_t given = plan->potential;
    if (given > 0 && plan->low < 0)
        return error_set(error, APSP_USAGE, "--potential %lld: LO of -w is below 0",
                         (long long)given);
    for (int i = 0; i < plan->decimals && plan->potential <= INT32_MAX; i++)
        plan->potential *= 10;
    if (plan->potential > INT32_MAX - plan->high)
        return error_set(
            error, APSP_USAGE,
            "--potential %lld: P and HI of -w are more than %d together, a decimal point left "
            "out",
            (long long)given, INT32_MAX);
    return APSP_OK;
}

static int check(void *fields, struct apsp_error *error)
{
    struct command *command = fields;
    struct generate_plan *plan = &command->plan;
    if (plan->n == 0)
        return error_set(error, APSP_USAGE, "-n N, the number of vertices, is missing");
    if (!command->path || !*command->path)
        return error_set(error, APSP_USAGE, "-o FILE, the graph to write, is missing");
    if (plan->m != GENERATE_BY_DEGREE && plan->degree > 0)
        return error_set(error, APSP_USAGE, "-m %zu and -d %zu: give one of them", plan->m,
                         plan->degree);
    return scale_potential(plan, error);
}

#define FIELD(name) offsetof(struct command, name)

static const struct option_row option_rows[] = {
    {OPTION_HEADING, .help = "options"},
    {OPTION_U64, "n", "N", FIELD(plan.n), 1, INT32_MAX, .help = "vertices, 1 to 2147483647"},
    {OPTION_U64, "d", "DEGREE", FIELD(plan.degree), 1, INT32_MAX,
     .help = "random, rmat, disconnected, zero: N * DEGREE edges", .otherwise = "8"},
    {OPTION_U64, "m", "EDGES", FIELD(plan.m), 0, INT64_MAX,
     .help = "the same families: exactly so many edges"},
    {OPTION_U64, "s", "SEED", FIELD(plan.seed), 0, UINT64_MAX,
     .help = "number that random choices start from", .otherwise = "1"},
    {OPTION_SPECIAL, "w", "LO:HI", FIELD(plan), .parse = parse_weights,
     .help = "weights, integers from LO to HI (default: 0:1000); with a point, as in "
             "-0.50:2.25, numbers "
             "of so many decimals. Those and negative ones take a FILE.mtx. Negative ones at "
             "random make "
             "negative cycles, most likely; --potential makes none"},
    {OPTION_U64, "potential", "P", FIELD(plan.potential), 0, INT32_MAX,
     .help = "with LO >= 0, FILE.mtx: every vertex has a random height of 0 to P, and a weight the "
             "height of "
             "its source, less that of its target, added: -P or more, no negative cycle"},
    {OPTION_TEXT, "o", "FILE", FIELD(path),
     .help = "where to; text for the suffix .gr or .mtx, else edges32, a binary format"},
    {OPTION_FLAG, "force", NULL, FIELD(force), .help = "replace FILE if it exists"},
};

static const struct option_argument arguments[] = {{"FAMILY", .offset = FIELD(plan.family),
                                                    .names = generate_family_names,
                                                    .about = ", such as grid, needs no option"}};

static const struct option_program program = {
    .name = "apsp-gen",
    .usage = "apsp-gen FAMILY -n N [-d DEGREE | -m EDGES] [-s SEED] [-w LO:HI] [--potential P] -o "
             "FILE [--force]",
    .about = "Writes a directed graph, the same on every machine for the same arguments.",
    .exits = "0 done, 2 command line, 4 too little memory, 5 file cannot be written",
    .examples = "apsp-gen grid -n 10000 -w 1:100 -o roads.gr\n"
                "apsp-gen random -n 5000 -m 10723117 -s 21 -o c21.bin",
    .print_list = print_families,
    .rows = option_rows,
    .row_count = sizeof option_rows / sizeof *option_rows,
    .arguments = arguments,
    .argument_count = 1,
    .needed = 1,
    .beyond = "; -n N is the number of vertices, -o FILE the graph to write",
    .stop = FIELD(stop),
    .check = check,
};

static int generate(int argc, char **argv)
{
    struct command command = {.plan = {.m = GENERATE_BY_DEGREE, .seed = 1, .high = 1000}};
    struct apsp_error error = {0};
    if (option_parse(&program, &command, argc, argv, &error) == APSP_OK && !command.stop)
        generate_file(&command.plan, command.path, command.force, &error);
    if (error.code)
        standard_tell("apsp-gen", &error, "");
    return error.code;
}

int main(int argc, char **argv)
{
    return standard_run("apsp-gen", generate, argc, argv);
}
