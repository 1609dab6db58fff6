/*
 * The sssp engine on a GPU against cores, in one process: equal_cores [GRAPHS [SEED [N [FIRST]]]].
 * Small graphs of all families, types and weights, 1,000 unless told, of up to N vertices (default
 * 400), from number FIRST on.
 * Rows and statistics are equal byte for byte. Rows of a GPU come as a copy, as a table on the
 * device or as blocks there, by turns. Sums of reals have another order on a GPU: they, and
 * what follows from them, are equal to 1e-12 of the sum of the magnitudes of their terms, or to
 * 1e-6 in f32. Exit 77: there is no GPU.
 */
#include "apsp.h"
#include "base/random.h"
#include "graph/generate.h"
#include "kernels/device.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TYPES = APSP_F64 + 1, COUNTED = 15 };

static uint64_t state;
static unsigned solved[TYPES], refused, on_gpu;

static uint32_t draw(uint32_t least, uint32_t most)
{
    return least + random_below(&state, most - least + 1);
}

struct graph_arrays {
    size_t n, m;
    uint32_t *from, *to;
    int64_t *whole;
    double *real;
};

static void stop(const char *what, const char *why)
{
    printf("FAIL equal_cores: %s: %s\n", what, why);
    exit(1);
}

static void *room(size_t count, size_t bytes)
{
    void *memory = calloc(count + 1, bytes);
    if (!memory)
        stop("memory", "there is none");
    return memory;
}

/* Every third graph has equal weights, every third one large ones. */
static struct generate_plan draw_plan(uint32_t number, uint32_t most)
{
    static const int64_t heaviest[] = {1, 200, 3000000};
    int families = 0;
    while (generate_family_name(families))
        families++;
    struct generate_plan plan = {.family = generate_family_name((int)number % families),
                                 .n = draw(1, number % 4 ? most : most / 8 + 1),
                                 .m = GENERATE_BY_DEGREE,
                                 .seed = number + 1,
                                 .high = heaviest[draw(0, 2)]};
    plan.low = plan.high == 1 ? 1 : draw(0, 1);
    plan.potential = plan.high > 1 && draw(0, 3) == 0 ? 90 : 0;
    return plan;
}

/* Half of the graphs have all edges in both directions, if none is below 0. */
static void make_arrays(struct graph_arrays *arrays, const struct generate_plan *plan)
{
    struct generator *generator;
    struct apsp_error error;
    struct edge edge;
    if (generate_open(&generator, plan, &error))
        stop(plan->family, error.text);
    const size_t total = generate_total(generator);
    const bool both = plan->potential == 0 && draw(0, 1);
    *arrays = (struct graph_arrays){plan->n,
                                    0,
                                    room(2 * total, sizeof(uint32_t)),
                                    room(2 * total, sizeof(uint32_t)),
                                    room(2 * total, sizeof(int64_t)),
                                    room(2 * total, sizeof(double))};
    while (generate_next(generator, &edge, 1) == 1)
        for (int back = 0; back <= both; back++) {
            const size_t e = arrays->m++;
            arrays->from[e] = back ? edge.to : edge.from;
            arrays->to[e] = back ? edge.from : edge.to;
            arrays->whole[e] = edge.weight.whole;
            arrays->real[e] = (double)edge.weight.whole / 7;
        }
    generate_free(generator);
}

static void free_arrays(struct graph_arrays *arrays)
{
    free(arrays->from);
    free(arrays->to);
    free(arrays->whole);
    free(arrays->real);
}

/* The rows and statistics of one device. */
struct answer {
    int status;
    unsigned counted;
    enum apsp_type type; /* of rows */
    size_t bytes, each;  /* of the rows, and of a distance */
    void *rows;
    struct apsp_stats stats;
    bool gpu;
    char text[sizeof(((struct apsp_error *)NULL)->text)];
};

static int take_block(void *user, const struct apsp_block *block)
{
    const struct answer *answer = user;
    struct apsp_error error;
    const size_t each = answer->each, row = block->columns * each;
    for (size_t k = 0; k < block->count; k++) {
        const size_t place = block->source ? block->source[k] : block->first + k;
        if (apsp_device_read((char *)answer->rows + place * row,
                             (const char *)block->values + k * block->stride * each, row, NULL,
                             &error))
            stop("a block", error.text);
    }
    return 0;
}

static void take_table(struct answer *answer, struct apsp_solution *solution)
{
    struct apsp_device_table table;
    struct apsp_error error;
    if (apsp_table_on_device(solution, NULL, NULL, &table, &error))
        stop("a table", error.text);
    const size_t bytes = table.rows * table.columns * answer->each;
    const struct apsp_device_memory memory[] = {{table.values, bytes, NULL},
                                                {table.values, bytes - 1, NULL},
                                                {(char *)table.values + 1, bytes, NULL}};
    for (int k = 0; bytes > 0 && k < 3; k++)
        if (apsp_table_into_device(solution, NULL, NULL, &memory[k], &error) !=
            (k == 0 ? APSP_OK : APSP_USAGE))
            stop("a table in the same memory", error.text);
    if (apsp_device_read(answer->rows, table.values, bytes, NULL, &error))
        stop("a table", error.text);
    apsp_device_table_free(&table);
}

static void take_rows(struct answer *answer, struct apsp_solution *solution, unsigned way)
{
    struct apsp_error error;
    if (answer->gpu && way == 0)
        take_table(answer, solution);
    else if (answer->gpu && way == 1) {
        if (apsp_blocks(solution, take_block, answer, APSP_ON_DEVICE, &error))
            stop("blocks", error.text);
    } else if (apsp_rows(solution, NULL, 0, answer->rows, 0, &error))
        stop("rows", error.text);
}

static void ask(struct answer *answer, struct apsp_graph *graph, enum apsp_type type,
                unsigned counted, unsigned way, enum apsp_device device)
{
    struct apsp_options options;
    struct apsp_solution *solution;
    struct apsp_error error;
    apsp_options_init(&options);
    options.method = "sssp";
    options.type = type;
    options.device = device;
    *answer = (struct answer){.status = apsp_solve(graph, &options, &solution, &error),
                              .counted = counted};
    memcpy(answer->text, error.text, sizeof answer->text);
    if (answer->status)
        return;
    const struct apsp_facts *facts = apsp_solution_facts(solution);
    const size_t n = facts->vertices;
    answer->type = facts->computed;
    answer->each = facts->type == APSP_U16                              ? 2
                   : facts->type == APSP_I32 || facts->type == APSP_F32 ? 4
                                                                        : 8;
    answer->gpu = strstr(facts->device, "multiprocessors") != NULL;
    answer->bytes = n * n * sizeof(int64_t);
    answer->rows = room(n * n, sizeof(int64_t));
    take_rows(answer, solution, way);
    if (apsp_find_stats(solution, counted, &answer->stats, &error))
        stop("statistics", error.text);
    solved[facts->computed]++;
    apsp_solution_free(solution);
}

static void free_answer(struct answer *answer)
{
    if (answer->status == APSP_OK)
        apsp_stats_free(&answer->stats);
    free(answer->rows);
}

static bool is_near(double a, double b, enum apsp_type type, double condition)
{
    return a == b || fabs(a - b) <= (type == APSP_F32 ? 1e-6 : 1e-12) * condition * fabs(a);
}

/* How much a sum loses because its terms cancel: the magnitudes of the terms, divided by that of
 * the sum. Terms are the real distances of row k, or their reciprocals. */
static double condition_of(const struct answer *a, size_t k, bool harmonic)
{
    const size_t n = a->stats.sources;
    double sum = 0, magnitudes = 0;
    for (size_t j = 0; a->stats.real && j < n; j++) {
        const size_t at = k * n + j;
        double d =
            a->each == 4 ? (double)((const float *)a->rows)[at] : ((const double *)a->rows)[at];
        if (!isfinite(d) || d == 0)
            continue;
        d = harmonic ? 1 / d : d;
        sum += d;
        magnitudes += fabs(d);
    }
    return magnitudes > fabs(sum) ? magnitudes / fabs(sum) : 1;
}

/* Sums of reals, and reciprocals, are rounded in the order of the terms. */
static bool is_rounded(const char *name, bool real)
{
    return strcmp(name, "harmonic") == 0 ||
           (real && (strcmp(name, "sum") == 0 || strcmp(name, "closeness") == 0));
}

static bool is_equal(const struct answer *a, const char *name, struct apsp_array x,
                     struct apsp_array y)
{
    const size_t count = a->stats.sources;
    if (!is_rounded(name, a->stats.real))
        return memcmp(x.data, y.data, count * sizeof(int64_t)) == 0;
    for (size_t k = 0; k < count; k++)
        if (!is_near(((const double *)x.data)[k], ((const double *)y.data)[k], a->type,
                     condition_of(a, k, strcmp(name, "harmonic") == 0)))
            return false;
    return true;
}

/* The first column that differs. */
static const char *find_column(const struct answer *a, const struct answer *b)
{
    struct apsp_array x, y;
    const char *name;
    for (size_t k = 0; (name = apsp_stats_name(a->counted, k)) != NULL; k++)
        if (apsp_stats_column(&a->stats, name, &x, NULL) ||
            apsp_stats_column(&b->stats, name, &y, NULL) || !is_equal(a, name, x, y))
            return name;
    return NULL;
}

static const char *find_difference(const struct answer *a, const struct answer *b)
{
    if (a->status != b->status)
        return a->status ? a->text : b->text;
    if (a->status)
        return NULL;
    if (memcmp(a->rows, b->rows, a->bytes) != 0)
        return "rows";
    if (find_column(a, b))
        return find_column(a, b);
    if (a->stats.real ? !is_near(strtod(a->stats.sum, NULL), strtod(b->stats.sum, NULL), a->type, 1)
                      : strcmp(a->stats.sum, b->stats.sum) != 0)
        return "the sum of all";
    if (a->stats.pairs != b->stats.pairs || a->stats.bins != b->stats.bins)
        return "sums";
    for (size_t k = 0; k < a->stats.bins; k++)
        if (a->stats.bin[k].pairs != b->stats.bin[k].pairs)
            return "the histogram";
    return NULL;
}

/* Types go round; reals get weights that no power of ten makes whole. Every other graph has sums
 * and eccentricities alone, which the device counts in labels. */
static bool try_graph(uint32_t number, uint32_t most, uint32_t first)
{
    const struct generate_plan plan = draw_plan(number, most);
    const enum apsp_type type = (enum apsp_type)(number / 3 % TYPES);
    const unsigned counted = number % 2 ? COUNTED : APSP_STATS_OUT;
    struct graph_arrays arrays;
    struct apsp_graph *graph;
    struct apsp_error error;
    struct answer cores, gpu;
    make_arrays(&arrays, &plan);
    if (number < first) {
        free_arrays(&arrays);
        return true;
    }
    const bool real = type == APSP_F64 || type == APSP_F32;
    const struct apsp_edges edges = {
        arrays.n,
        arrays.m,
        {arrays.from, APSP_U32},
        {arrays.to, APSP_U32},
        real ? (struct apsp_array){arrays.real, APSP_F64}
             : (struct apsp_array){arrays.whole, APSP_I64},
    };
    if (apsp_graph_edges(&graph, &edges, &error))
        stop("a graph", error.text);
    ask(&cores, graph, type, counted, 0, APSP_DEVICE_CPU);
    ask(&gpu, graph, type, counted, number / 2 % 3, APSP_DEVICE_GPU);
    const char *what = find_difference(&cores, &gpu);
    if (what)
        printf("FAIL equal_cores: graph %u (%s, n %zu, weights %lld to %lld, type %d): %s\n",
               number, plan.family, plan.n, (long long)plan.low, (long long)plan.high, (int)type,
               what);
    refused += cores.status != APSP_OK;
    on_gpu += gpu.gpu;
    free_answer(&cores);
    free_answer(&gpu);
    apsp_graph_free(graph);
    free_arrays(&arrays);
    return what == NULL;
}

int main(int argc, char **argv)
{
    const uint32_t graphs = argc > 1 ? (uint32_t)atoi(argv[1]) : 1000,
                   most = argc > 3 ? (uint32_t)atoi(argv[3]) : 400,
                   first = argc > 4 ? (uint32_t)atoi(argv[4]) : 0;
    unsigned wrong = 0;
    state = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    if (device_gpu.count() == 0) {
        printf("skip equal_cores: no GPU\n");
        return 77;
    }
    setenv("APSP_PROBE", "none", 1); /* It would find that small graphs are for cores. */
    for (uint32_t number = 0; number < graphs; number++)
        wrong += !try_graph(number, most, first);
    printf("# of %u graphs %u were on the GPU, and %u impossible in their type; solves in", graphs,
           on_gpu, refused);
    for (int type = APSP_U16; type < TYPES; type++)
        printf(" %u", solved[type]);
    printf(" (u16, i32, i64, f32, f64)\n");
    for (int type = APSP_U16; type < TYPES; type++)
        wrong += first == 0 && solved[type] == 0;
    wrong += first == 0 && on_gpu < graphs / 2;
    printf("%s equal_cores: %u graphs, %u wrong\n", wrong ? "FAIL" : "ok", graphs, wrong);
    return wrong > 0;
}
