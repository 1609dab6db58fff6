/*
 * Random small graphs of every kind of weights, as whole jobs through apsp.h: whole and real, of
 * any sign, zero, parallel, disconnected, near the end of each type's range. Rank 0 compares every
 * file of distances with Bellman and Ford's, and every negative cycle with the edges; all rows are
 * certified too. Start it with any number of ranks: mpirun --oversubscribe -n RANKS
 * build/tests/run/test_types [GRAPHS [FIRST]]
 */
#include "unit.h"

#include "base/random.h"
#include "graph/generate.h"
#include "reference.h"
#include "run/run.h"
#include "shared_folder.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SMALL = 10, EDGES = 40, SCALE = 10 };

static struct comm *comm;
static size_t graphs = 400, first = 0; /* how many; the number of the first */
static size_t taken[DTYPE_COUNT], cycles, refusals, failures;

static uint64_t state_of_random;

static int64_t draw(int64_t low, int64_t high)
{
    return low + (int64_t)(random_next(&state_of_random) % (uint64_t)(high - low + 1));
}

/* A graph, and how it is to be run; the same on all ranks. */
struct trial {
    size_t number, n, m;
    bool real, too_wide; /* too_wide: no type holds its distances */
    struct edge edges[EDGES];
    const char *suffix, *dtype;
    char graph[96], distances[96], scale[96];
};

enum kind {
    LIGHT,
    NEAR_U16,
    NEAR_I32,
    NEAR_I64,
    SIGNED,
    SHIFTED,
    REAL,
    REAL_SIGNED,
    REAL_SHIFTED,
    KINDS
};

static int64_t draw_weight(enum kind kind)
{
    static const int64_t most[KINDS] = {[LIGHT] = 30,           [NEAR_U16] = 12000,
                                        [NEAR_I32] = 400000000, [NEAR_I64] = INT64_C(1) << 59,
                                        [SIGNED] = 20,          [SHIFTED] = 50,
                                        [REAL] = 1000,          [REAL_SIGNED] = 400,
                                        [REAL_SHIFTED] = 900};
    bool is_signed = kind == SIGNED || kind == REAL_SIGNED;
    return draw(0, 3) == 0 ? 0 : draw(is_signed ? -most[kind] / 8 : 0, most[kind]);
}

/* Adds potentials, which no cycle shows. */
static void shift(struct trial *trial, int64_t most)
{
    int64_t h[SMALL];
    for (size_t v = 0; v < trial->n; v++)
        h[v] = draw(-most, most);
    for (size_t e = 0; e < trial->m; e++)
        trial->edges[e].weight.whole += h[trial->edges[e].from] - h[trial->edges[e].to];
}

static void draw_trial(struct trial *trial, size_t number)
{
    static const char *const dtypes[] = {"u16", "i32", "i64", "f32", "f64"}, *const suffixes[] = {
                                                                                 ".bin", ".gr",
                                                                                 ".mtx"};
    state_of_random = number;
    enum kind kind = (enum kind)draw(0, KINDS - 1);
    *trial = (struct trial){.number = number,
                            .n = (size_t)draw(1, SMALL),
                            .m = (size_t)draw(0, draw(0, EDGES)),
                            .real = kind >= REAL};
    for (size_t e = 0; e < trial->m; e++)
        trial->edges[e] = (struct edge){(uint32_t)draw(0, (int64_t)trial->n - 1),
                                        (uint32_t)draw(0, (int64_t)trial->n - 1),
                                        {draw_weight(kind)}};
    if (kind == SHIFTED || kind == REAL_SHIFTED)
        shift(trial, draw(0, 1) ? 100 : 100000);
    /* Sums of eighths are exact: cycles of weight zero are just that for the reference too. */
    int64_t parts = kind == REAL && draw(0, 1) ? 10 : 8;
    for (size_t e = 0; e < trial->m && trial->real; e++)
        trial->edges[e].weight.real = (double)trial->edges[e].weight.whole / (double)parts;
    trial->suffix = trial->real || kind == NEAR_I64 ? ".mtx" : suffixes[draw(0, 2)];
    trial->dtype = draw(0, 2) ? "auto" : dtypes[draw(0, 4)];
    snprintf(trial->graph, sizeof trial->graph, "%s/graph%s", folder, trial->suffix);
    snprintf(trial->distances, sizeof trial->distances, "%s/distances.npy", folder);
    snprintf(trial->scale, sizeof trial->scale, "%s/distances.npy.scale", folder);
}

static void write_binary(FILE *file, const struct trial *trial)
{
    int32_t header[] = {(int32_t)trial->n, (int32_t)trial->m};
    fwrite(header, sizeof header, 1, file);
    for (size_t e = 0; e < trial->m; e++) {
        const struct edge *edge = &trial->edges[e];
        int32_t triple[] = {(int32_t)edge->from, (int32_t)edge->to, (int32_t)edge->weight.whole};
        fwrite(triple, sizeof triple, 1, file);
    }
}

static void write_text(FILE *file, const struct trial *trial, bool market)
{
    if (market)
        fprintf(file, "%%%%MatrixMarket matrix coordinate %s general\n%zu %zu %zu\n",
                trial->real ? "real" : "integer", trial->n, trial->n, trial->m);
    else
        fprintf(file, "p sp %zu %zu\n", trial->n, trial->m);
    for (size_t e = 0; e < trial->m; e++) {
        const struct edge *edge = &trial->edges[e];
        fprintf(file, "%s%lu %lu ", market ? "" : "a ", edge->from + 1UL, edge->to + 1UL);
        if (trial->real)
            fprintf(file, "%.15g\n", edge->weight.real);
        else
            fprintf(file, "%lld\n", (long long)edge->weight.whole);
    }
}

static void write_graph(const struct trial *trial)
{
    FILE *file = fopen(trial->graph, "wb");
    assert_non_null(file);
    if (strcmp(trial->suffix, ".bin") == 0)
        write_binary(file, trial);
    else
        write_text(file, trial, strcmp(trial->suffix, ".mtx") == 0);
    assert_int_equal(fclose(file), 0);
}

static void complain(const struct trial *trial, const char *what)
{
    failures++;
    fprintf(stderr,
            "mpirun --oversubscribe -n %d build/tests/run/test_types 1 %zu (--dtype %s): %s\n",
            comm->ranks, trial->number, trial->dtype, what);
}

/* The values of a .npy file; the caller frees. */
static void *read_values(const struct trial *trial, size_t bytes)
{
    unsigned char head[10];
    char *values = malloc(bytes + 1);
    FILE *file = fopen(trial->distances, "rb");
    assert_non_null(values);
    bool right = file && fread(head, 1, sizeof head, file) == sizeof head &&
                 fseek(file, 10 + head[8] + 256 * head[9], SEEK_SET) == 0 &&
                 fread(values, 1, bytes + 1, file) == bytes;
    if (file)
        fclose(file);
    if (right)
        return values;
    free(values);
    return NULL;
}

/* Differences that rounding explains: none of sums that are exact, or those along paths of least
 * sums. */
static bool is_near(const struct run *run, double found, double right, enum dtype type)
{
    double unit = type == DTYPE_F32 ? 1e-6 : 1e-14, reach = run->solver->problem.proof.reach;
    if (run->solver->problem.proof.exact ||
        (run->solver->summed && run->solver->problem.proof.real &&
         !run->solver->problem.proof.negative))
        return found == (type == DTYPE_F32 ? (double)(float)right : right);
    return found == right || fabs(found - right) <= unit * (fabs(right) + 4 * reach);
}

static void compare(const struct trial *trial, const struct run *run, const void *right)
{
    enum dtype computed = run->solver->task.dtype, type = run->solver->sink_task.file;
    const struct scale scale = run->solver->sink_task.scale;
    const bool scaled = run->solver->problem.graph.scaled;
    size_t entries = trial->n * trial->n;
    void *found = read_values(trial, entries * dtype_info[type].bytes);
    char what[160];
    if (!found) {
        complain(trial, "the file of distances is missing or has another size");
        return;
    }
    for (size_t k = 0; k < entries; k++) {
        double real = trial->real ? ((const double *)right)[k] : 0, got = 0;
        int64_t whole = trial->real ? 0 : ((const int64_t *)right)[k], got_whole = 0;
        if (type == DTYPE_U8)
            got_whole = ((uint8_t *)found)[k] == UINT8_MAX ? INF_I64 : ((uint8_t *)found)[k];
        else if (type == DTYPE_U16)
            got_whole = ((uint16_t *)found)[k] == UINT16_MAX ? INF_I64 : ((uint16_t *)found)[k];
        else if (type == DTYPE_I32)
            got_whole = ((int32_t *)found)[k] == INF_I32 ? INF_I64 : ((int32_t *)found)[k];
        else if (type == DTYPE_I64)
            got_whole = ((int64_t *)found)[k];
        else
            got = type == DTYPE_F32 ? (double)((float *)found)[k] : ((double *)found)[k];
        if (!trial->real && dtype_info[type].real)
            real = whole == INF_I64 ? INFINITY : (double)whole;
        if (scaled && isfinite(real)) { /* the reference may have rounded a sum of tenths */
            whole = scale_whole(scale, real);
            real = scale_value(scale, whole);
            real = type == DTYPE_F32 ? (double)(float)real : real;
        } else if (scaled) {
            whole = INF_I64;
        }
        if (dtype_info[type].real ? (scaled ? got == real : is_near(run, got, real, type))
                                  : got_whole == whole)
            continue;
        snprintf(what, sizeof what,
                 "%s: D[%zu][%zu] is %lld or %.17g, by Bellman and Ford %lld or %.17g",
                 dtype_info[computed].name, k / trial->n, k % trial->n, (long long)got_whole, got,
                 (long long)whole, real);
        complain(trial, what);
        break;
    }
    free(found);
}

/* Follows the printed cycle through the edges. */
static bool is_negative_cycle(const struct trial *trial, const char *text)
{
    unsigned long base = strcmp(trial->suffix, ".bin") != 0,
                  start = strtoul(text, (char **)(uintptr_t)&text, 10), u = start;
    int64_t whole = 0;
    double real = 0;
    while (strncmp(text, " -> ", 4) == 0) {
        unsigned long v = strtoul(text + 4, (char **)(uintptr_t)&text, 10);
        const struct edge *best = NULL;
        for (size_t e = 0; e < trial->m; e++) {
            const struct edge *edge = &trial->edges[e];
            if (edge->from + base == u && edge->to + base == v &&
                (!best || (trial->real ? edge->weight.real < best->weight.real
                                       : edge->weight.whole < best->weight.whole)))
                best = edge;
        }
        if (!best)
            return false;
        whole += trial->real ? 0 : best->weight.whole;
        real += trial->real ? best->weight.real : 0;
        u = v;
    }
    return *text == '\0' && u == start && (trial->real ? real < 0 : whole < 0);
}

/* Of reals by the largest scale that there may be. */
static int64_t largest_of(const struct trial *trial, const void *distances)
{
    int64_t largest = 0;
    for (size_t k = 0; k < trial->n * trial->n; k++) {
        double real = trial->real ? ((const double *)distances)[k] : 0;
        int64_t value = trial->real ? (isinf(real) ? INF_I64 : (int64_t)(real * SCALE))
                                    : ((const int64_t *)distances)[k];
        if (value < INF_I64 && value > largest)
            largest = value;
    }
    return largest;
}

/* Whether a distance is further from zero than the report's bound. */
static bool exceeds_bound(const struct trial *trial, const struct run *run, const void *distances)
{
    const struct proof *proof = &run->solver->problem.proof;
    double most = proof->real
                      ? proof->bound.real
                      : scale_value(run->solver->sink_task.scale, proof->bound.whole) * (1 + 1e-15);
    bool exceeds = false;
    for (size_t k = 0; k < trial->n * trial->n; k++) {
        double real = trial->real ? fabs(((const double *)distances)[k]) : INFINITY;
        int64_t whole = trial->real ? INF_I64 : llabs(((const int64_t *)distances)[k]);
        exceeds |= (!isinf(real) && real > most) || (whole < INF_I64 && whole > proof->bound.whole);
    }
    return exceeds;
}

static const char *output_type_of(const struct trial *trial)
{
    static const char *const names[] = {"auto", "narrow", "u16", "auto", "i32",
                                        "i64",  "u8",     "f32", "f64",  "narrow"};
    return names[trial->number * 7 % (sizeof names / sizeof *names)];
}

/* Whether rows of the type that was asked for were wrongly refused: far below its end, as the bound
 * may be too. */
static bool holds_output(const struct trial *trial, const void *distances)
{
    const char *name = output_type_of(trial);
    bool computed_real = strcmp(trial->dtype, "f32") == 0 || strcmp(trial->dtype, "f64") == 0;
    if (dtype_info[dtype_find(name)].real)
        return trial->real && (strcmp(name, "f32") == 0 || strcmp(trial->dtype, "f32") != 0);
    return !computed_real && !dtype_info[dtype_find(name)].natural &&
           largest_of(trial, distances) < 100000;
}

static bool is_narrowest(const struct run *run)
{
    if (dtype_info[run->solver->task.dtype].real)
        return run->solver->sink_task.file == dtype_info[run->solver->task.dtype].output;
    for (int type = 0; type < DTYPE_ALL; type++)
        if (dtype_info[type].bytes < dtype_info[run->solver->sink_task.file].bytes &&
            !dtype_info[type].real &&
            proof_holds_output(&run->solver->problem.proof, (enum dtype)type))
            return false;
    return true;
}

/* On rank 0, after the run. */
static void judge(const struct trial *trial, const struct run *run, int status)
{
    bool cycle;
    void *right = trial->real ? (void *)reference_real(trial->n, trial->edges, trial->m, &cycle)
                              : (void *)reference_whole(trial->n, trial->edges, trial->m, &cycle);
    const char *text = run->solver->error.text;
    int wanted = dtype_find(trial->dtype);
    assert_non_null(right);
    if (trial->too_wide) {
        if (status != APSP_INPUT)
            complain(trial, "was not refused");
    } else if (status == APSP_CYCLE) {
        cycles++;
        if (!cycle || !is_negative_cycle(trial, run_detail(run)))
            complain(trial, text);
    } else if (status == APSP_INPUT && strstr(text, "options.output")) {
        refusals++;
        if (holds_output(trial, right))
            complain(trial, text);
    } else if (status == APSP_INPUT && wanted >= 0) { /* too narrow a type */
        refusals++;
        if (dtype_info[wanted].real || (wanted > DTYPE_U16 && largest_of(trial, right) < 100000))
            complain(trial, text);
    } else if (status) {
        complain(trial, text);
    } else if (cycle) {
        complain(trial, "a negative cycle was not found");
    } else {
        taken[run->solver->task.dtype]++;
        if (wanted >= 0 && (enum dtype)wanted != run->solver->task.dtype)
            complain(trial, "the run took another type");
        if (exceeds_bound(trial, run, right))
            complain(trial, "a distance exceeds the bound");
        if (strcmp(output_type_of(trial), "narrow") == 0 && !is_narrowest(run))
            complain(trial, "the file has not the narrowest type");
        compare(trial, run, right);
    }
    free(right);
}

static void run_trial(const struct trial *trial)
{
    static int (*const steps[])(struct run *) = {run_load, run_solve, run_rows, run_commit};
    struct run_options options = {.graph = trial->graph,
                                  .results.distances = trial->distances,
                                  .request.dtype = trial->dtype,
                                  .request.sums = trial->number % 5 ? "auto" : "solver",
                                  .request.output_type = output_type_of(trial),
                                  .request.tile = (size_t)(trial->number % 5),
                                  .request.threads = 1,
                                  .results.verify = APSP_VERIFY_ALL,
                                  .quiet = true};
    struct apsp_error error = {0};
    struct run *run = NULL;
    if (comm->rank == 0)
        write_graph(trial);
    comm_barrier(comm);
    int status = run_make(&run, &options, &error);
    assert_non_null(run);
    for (size_t step = 0; !status && step < sizeof steps / sizeof *steps; step++)
        status = steps[step](run);
    size_t others = comm_sum(comm, status == 0);
    if (comm->rank == 0) {
        if (others != (status ? 0 : (size_t)comm->ranks))
            complain(trial, "the ranks did not agree");
        judge(trial, run, status);
        unlink(trial->graph);
        unlink(trial->distances);
        unlink(trial->scale);
    }
    run_free(run);
}

/* After the last collective call of a test; rank 0 knows of all failures. */
static void end_test(void)
{
    size_t count = failures;
    failures = 0;
    assert_int_equal(count, 0);
}

static void random_graphs_are_right(void **state)
{
    (void)state;
    for (size_t number = first; number < first + graphs; number++) {
        struct trial trial;
        draw_trial(&trial, number * 8 + (size_t)comm->ranks);
        run_trial(&trial);
    }
    if (comm->rank == 0)
        print_message(
            "%zu graphs on %d ranks: %zu u16, %zu i32, %zu i64, %zu f32, %zu f64, %zu negative "
            "cycles, %zu refused types\n",
            graphs, comm->ranks, taken[DTYPE_U16], taken[DTYPE_I32], taken[DTYPE_I64],
            taken[DTYPE_F32], taken[DTYPE_F64], cycles, refusals);
    end_test();
}

/* Paths of two edges, whose bound is their length: the last length of each type, and the next. */
static void each_type_ends_where_it_must(void **state)
{
    static const struct {
        int64_t length;
        int dtype; /* or -1: none holds it */
    } ends[] = {{32766, DTYPE_U16},   {32767, DTYPE_I32},       {INF_I32 - 1, DTYPE_I32},
                {INF_I32, DTYPE_I64}, {INF_I64 - 1, DTYPE_I64}, {INF_I64, -1}};
    (void)state;
    for (size_t k = 0; k < sizeof ends / sizeof *ends; k++) {
        struct trial trial = {
            .n = 3, .m = 2, .suffix = ".mtx", .dtype = "auto", .too_wide = ends[k].dtype < 0};
        size_t before = ends[k].dtype >= 0 ? taken[ends[k].dtype] : 0;
        trial.edges[0] = (struct edge){2, 0, {7}};
        trial.edges[1] = (struct edge){0, 1, {ends[k].length - 7}};
        snprintf(trial.graph, sizeof trial.graph, "%s/path.mtx", folder);
        snprintf(trial.distances, sizeof trial.distances, "%s/path.npy", folder);
        run_trial(&trial);
        if (comm->rank == 0 && !trial.too_wide && taken[ends[k].dtype] != before + 1)
            complain(&trial, "another type");
    }
    end_test();
}

/* Of a graph with many edges, for which a narrow type is proved where that takes less than it
 * saves. */
static enum dtype type_of_many(size_t n)
{
    enum { MANY = 2200000, HEAVIEST = 1000000 };
    const struct generate_plan plan = {
        .family = "random", .n = n, .m = MANY, .low = 1, .high = HEAVIEST};
    struct apsp_error error = {0};
    struct run *run = NULL;
    char path[96];
    snprintf(path, sizeof path, "%s/many.bin", folder);
    if (comm->rank == 0)
        assert_int_equal(generate_file(&plan, path, true, &error), APSP_OK);
    comm_barrier(comm);
    struct run_options options = {.graph = path,
                                  .request.device = APSP_DEVICE_CPU,
                                  .request.threads = 1,
                                  .estimate = true,
                                  .quiet = true};
    assert_int_equal(run_make(&run, &options, &error), APSP_OK);
    enum dtype type = run->solver->task.dtype;
    run_free(run);
    if (comm->rank == 0)
        unlink(path);
    return type;
}

/* By the heaviest weight i64 and i32; the largest distances are some 10^4 in the first, 10^3 in the
 * other. */
static void types_are_proved_where_it_pays(void **state)
{
    (void)state;
    assert_in_range(type_of_many(6000), DTYPE_U16, DTYPE_I32);
    assert_int_equal(type_of_many(100), DTYPE_I32);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_graphs_are_right),
        cmocka_unit_test(each_type_ends_where_it_must),
        cmocka_unit_test(types_are_proved_where_it_pays),
    };
    struct apsp_error error = {0};
    if (argc > 1)
        graphs = strtoul(argv[1], NULL, 10);
    if (argc > 2)
        first = strtoul(argv[2], NULL, 10) / 8;
    if (comm_init(&comm, 0, &error)) {
        fprintf(stderr, "%s\n", error.text);
        return error.code;
    }
    make_shared_folder(comm, "types");
    int status = cmocka_run_group_tests_name("types", tests, NULL, NULL) != 0;
    remove_shared_folder(comm);
    comm_free(comm);
    comm_finish();
    return status;
}
