/*
 * Searches from many sources at once and from one, for every instruction set, width and type,
 * against a search with a queue from each source and against Bellman and Ford's algorithm.
 */
#include "unit.h"

#include "base/mem.h"
#include "base/random.h"
#include "make_csr.h"
#include "reference.h"
#include "sssp/corrector.h"
#include "sssp/folding.h"
#include "sssp/levels.h"
#include "sssp/searcher.h"
#include "sssp/shape.h"
#include "sssp/single.h"

#include <string.h>

static const struct device cores = {.ops = &device_cpu};

static const char *const isas[] = {"plain", "avx2", "avx512"};
enum { ISAS = sizeof isas / sizeof *isas, FAMILIES = 5, NONE = -1 };

/* A graph with what the engine makes of it. */
struct sample {
    size_t n, m;
    struct edge *edge;
    struct csr csr;
    struct engine_task task;
    struct network_weights weights;
    struct network network;
};

/* Random ones; a star both ways; a chain; two parts with loops and parallel edges; and a grid that
 * is closed to a torus, of which some edges lead back. */
static struct edge draw_edge(uint64_t *state, int family, uint32_t n, uint32_t e)
{
    uint32_t a = random_below(state, n), b = random_below(state, n), half = n / 2 + 1;
    switch (family) {
    case 0:
        return (struct edge){a, b, {0}};
    case 1:
        return e % 2 ? (struct edge){0, a, {0}} : (struct edge){a, 0, {0}};
    case 2:
        return (struct edge){e % n, (e + 1) % n, {0}};
    case 4:
        a = e % n, b = (a + (e / n == 1 ? 25 : 1)) % n;
        return e / n == 2 ? (struct edge){b, a, {0}} : (struct edge){a, b, {0}};
    default:
        return e % 2 ? (struct edge){a % half, b % half % 20, {0}} : (struct edge){a, a, {0}};
    }
}

static void make_sample(struct sample *sample, int family, enum dtype dtype, uint32_t heaviest)
{
    struct apsp_error error = {0};
    uint64_t state = (uint64_t)family + 1;
    const bool real = dtype_info[dtype].real;
    uint32_t n = family == 2 ? 300 : 700;
    *sample = (struct sample){.n = n, .m = family == 2 ? 2 * n / 3 : 3 * n};
    sample->edge = calloc(sample->m, sizeof *sample->edge);
    assert_non_null(sample->edge);
    for (uint32_t e = 0; e < sample->m; e++) {
        struct edge *edge = &sample->edge[e];
        *edge = draw_edge(&state, family, n, e);
        uint32_t weight = heaviest == 1 ? 3 : random_below(&state, heaviest);
        if (real)
            edge->weight.real = weight / 8.0;
        else
            edge->weight.whole = weight;
    }
    sample->csr = make_csr(n, real, sample->edge, sample->m);
    sample->task = (struct engine_task){.device = &cores,
                                        .n = n,
                                        .m = sample->m,
                                        .dtype = dtype,
                                        .output = dtype,
                                        .csr = &sample->csr};
    sample->weights = network_weights(&sample->task);
    assert_int_equal(network_make(&sample->network, &sample->task, &sample->weights, &error),
                     APSP_OK);
}

static void free_sample(struct sample *sample)
{
    network_free(&sample->network);
    csr_free(&sample->csr);
    free(sample->edge);
}

/* The arcs on a shortest path from each of so many vertices to each vertex; NONE: there is none. */
static int *search_with_queue(const struct sample *sample, const uint32_t *source, size_t count)
{
    const struct csr *csr = &sample->csr;
    int *level = malloc(count * sample->n * sizeof *level);
    uint32_t *queue = malloc(sample->n * sizeof *queue);
    assert_true(level && queue);
    for (size_t i = 0; i < count; i++) {
        int *row = level + i * sample->n;
        size_t first = 0, last = 0;
        for (size_t v = 0; v < sample->n; v++)
            row[v] = NONE;
        row[source[i]] = 0;
        for (queue[last++] = source[i]; first < last; first++)
            for (size_t e = csr->start[queue[first]]; e < csr->start[queue[first] + 1]; e++)
                if (row[csr->to[e]] == NONE) {
                    row[csr->to[e]] = row[queue[first]] + 1;
                    queue[last++] = csr->to[e];
                }
    }
    free(queue);
    return level;
}

/* Sources of a batch, by their vertices and by their new numbers. */
struct batch {
    uint32_t vertex[BITS_MOST], number[BITS_MOST];
    size_t count;
};

static void draw_batch(struct batch *batch, const struct sample *sample, size_t width, size_t from)
{
    batch->count = 0;
    for (size_t k = from; k < sample->n && batch->count < width; k++) {
        batch->number[batch->count] = sample->network.order[k];
        batch->vertex[batch->count++] = sample->network.vertex[sample->network.order[k]];
    }
}

static size_t told[BITS_MOST];
static bool tell_pairs(void *self, size_t level, size_t count)
{
    (void)self;
    told[level] += count;
    return true;
}

/* Counts of rows and columns, and pairs of each level. */
static void check_counts(const struct sample *sample, const struct waves *waves,
                         const struct batch *batch, const int *right)
{
    size_t pairs[BITS_MOST] = {0};
    for (size_t v = 0; v < sample->n; v++) {
        size_t reached = 0, most = 0, number = sample->network.number[v];
        for (size_t i = 0; i < batch->count; i++)
            if (right[i * sample->n + v] != NONE) {
                size_t level = (size_t)right[i * sample->n + v];
                most = level > most ? level : most;
                pairs[level]++;
                reached++;
            }
        assert_int_equal(waves->reached[number], reached);
        assert_int_equal(waves->most[number], most * 3);
    }
    assert_memory_equal(pairs, told, sizeof pairs);
    for (size_t i = 0; i < batch->count; i++) {
        size_t reached = 0, sum = 0, most = 0;
        double harmonic = 0;
        for (size_t v = 0; v < sample->n; v++) {
            int level = right[i * sample->n + v];
            if (level == NONE)
                continue;
            reached++;
            sum += 3 * (size_t)level;
            most = 3 * (size_t)level > most ? 3 * (size_t)level : most;
            harmonic += level > 0 ? 1 / (3.0 * level) : 0;
        }
        assert_int_equal(waves->counts[i].reached, reached);
        assert_int_equal(waves->counts[i].sum.whole, sum);
        assert_int_equal(waves->counts[i].most.whole, most);
        assert_true(fabs(waves->counts[i].harmonic - harmonic) <= 1e-12 * harmonic);
    }
}

static void count_batch(const struct sample *sample, const struct batch *batch, size_t width,
                        const int *right)
{
    const struct waves_plan plan = {.width = width, .columns = true, .harmonic = true};
    const struct waves_listener listener = {NULL, tell_pairs};
    struct apsp_error error = {0};
    const struct waves_arcs arcs = shape_arcs(&sample->network);
    struct waves *waves;
    assert_int_equal(waves_open(&waves, &arcs, &plan, &error), APSP_OK);
    for (int twice = 0; twice < 2; twice++) { /* a batch leaves nothing to the next */
        memset(told, 0, sizeof told);
        assert_int_equal(waves_run(waves,
                                   &(struct waves_batch){.source = batch->number,
                                                         .count = batch->count,
                                                         .listener = &listener},
                                   &error),
                         APSP_OK);
        waves_scale(waves, batch->count, 3);
        check_counts(sample, waves, batch, right);
    }
    waves_free(waves);
}

/* Rows of every type, to 16 bits from others; sums of 0.1 differ from those of binary digits. */
static const struct levels_type row_types[] = {
    {DTYPE_I32, DTYPE_U16, {.whole = 3}},  {DTYPE_I32, DTYPE_I32, {.whole = 3}},
    {DTYPE_I64, DTYPE_I64, {.whole = 3}},  {DTYPE_F32, DTYPE_F32, {.real = 0.1}},
    {DTYPE_F64, DTYPE_F64, {.real = 0.1}}, {DTYPE_F64, DTYPE_F64, {.real = 0.375}},
    {DTYPE_I32, DTYPE_F32, {.whole = 3}}};
enum { ROW_TYPES = sizeof row_types / sizeof *row_types };

static double level_value(const struct levels_type *type, int level)
{
    double sum = 0;
    if (level == NONE)
        return dtype_info[type->output].real ? INFINITY
                                             : (double)dtype_info[type->output].unreachable;
    for (int k = 0; k < level; k++)
        sum = type->computed == DTYPE_F32   ? (double)((float)sum + (float)type->unit.real)
              : type->computed == DTYPE_F64 ? sum + type->unit.real
                                            : sum + (double)type->unit.whole;
    return sum;
}

static double value_at(const void *values, enum dtype dtype, size_t at)
{
    switch (dtype) {
    case DTYPE_U16:
        return ((const uint16_t *)values)[at];
    case DTYPE_I32:
        return ((const int32_t *)values)[at];
    case DTYPE_F32:
        return (double)((const float *)values)[at];
    case DTYPE_F64:
        return ((const double *)values)[at];
    default:
        return (double)((const int64_t *)values)[at];
    }
}

/* Some sources at a time, to so many vertices whose levels are those of row[vertex[c]]. */
static void check_rows(const struct waves *waves, const struct batch *batch,
                       const struct levels_type *type, const struct levels_rows *want,
                       const int *right, const uint32_t *vertex, size_t n)
{
    double value[BITS_MOST];
    struct levels levels = {0};
    struct apsp_error error = {0};
    for (size_t k = 0; k <= waves->levels; k++)
        value[k] = level_value(type, (int)k);
    assert_int_equal(levels_fill(&levels, waves->planes, waves->levels, type, &error), APSP_OK);
    assert_int_equal(levels_open(&levels, waves->planes, want->columns, batch->count, &error),
                     APSP_OK);
    for (size_t first = 0, count; first < batch->count; first += count) {
        struct levels_rows some = *want;
        count = batch->count - first < 32 ? batch->count - first : 32;
        some.first = first;
        some.count = count;
        levels_rows(&levels, waves, type->output, &some);
        for (size_t i = 0; i < count; i++)
            for (size_t c = 0; c < want->columns; c++) {
                int level = right[(first + i) * n + (vertex ? vertex[c] : c)];
                assert_true(value_at(want->rows, type->output, i * want->stride + c) ==
                            (level == NONE ? level_value(type, NONE) : value[level]));
            }
    }
    levels_free(&levels);
}

/* Rows to all vertices and to three of them, which may end the search early. */
static void make_rows(const struct sample *sample, const struct batch *batch, size_t width,
                      const int *right)
{
    static const uint32_t few_vertices[] = {5, 17, 0};
    const struct waves_plan plan = {.width = width, .levels = true};
    struct apsp_error error = {0};
    const struct waves_arcs arcs = shape_arcs(&sample->network);
    const size_t stride = (sample->n + 63) / 64 * 64;
    const uint32_t few[] = {sample->network.number[5], sample->network.number[17],
                            sample->network.number[0]};
    struct waves *waves;
    void *rows = calloc(64 * stride, sizeof(double));
    assert_non_null(rows);
    assert_int_equal(waves_open(&waves, &arcs, &plan, &error), APSP_OK);
    for (int some = 0; some < 2; some++) {
        const struct levels_rows want = {.column = some ? few : sample->network.number,
                                         .columns = some ? 3 : sample->n,
                                         .rows = rows,
                                         .stride = stride};
        struct waves_batch task = {.source = batch->number, .count = batch->count};
        if (some) {
            task.targets = few;
            task.target_count = want.columns;
        }
        assert_int_equal(waves_run(waves, &task, &error), APSP_OK);
        for (int type = 0; type < (width == BITS_LEAST ? ROW_TYPES : 1); type++)
            check_rows(waves, batch, &row_types[type], &want, right, some ? few_vertices : NULL,
                       sample->n);
    }
    waves_free(waves);
    free(rows);
}

static void bits_are_right(void **unused)
{
    static struct batch batch;
    (void)unused;
    for (int isa = 0; isa < ISAS; isa++)
        for (int family = 0; family < FAMILIES; family++) {
            struct sample sample;
            setenv("APSP_ISA", isas[isa], 1);
            make_sample(&sample, family, DTYPE_I32, 1);
            assert_true(sample.weights.equal && sample.weights.unit.whole == 3);
            for (size_t width = BITS_LEAST; width <= BITS_MOST; width *= 2) {
                assert_int_equal(bits_choose(width)->width, width);
                draw_batch(&batch, &sample, width, width == BITS_LEAST ? 130 : 0);
                int *right = search_with_queue(&sample, batch.vertex, batch.count);
                count_batch(&sample, &batch, width, right);
                make_rows(&sample, &batch, width, right);
                free(right);
            }
            free_sample(&sample);
        }
    unsetenv("APSP_ISA");
}

static void check_labels(const struct sample *sample, size_t pairs)
{
    static struct batch batch;
    const enum dtype dtype = sample->task.dtype;
    const bool real = dtype_info[dtype].real;
    const size_t width = corrector_width(dtype, pairs);
    struct apsp_error error = {0};
    struct corrector *corrector;
    bool cycle;
    void *right = real ? (void *)reference_real(sample->n, sample->edge, sample->m, &cycle)
                       : (void *)reference_whole(sample->n, sample->edge, sample->m, &cycle);
    draw_batch(&batch, sample, width, 1);
    assert_int_equal(corrector_open(&corrector, &sample->network, dtype, width, &error), APSP_OK);
    assert_false(corrector_run(corrector, batch.number, batch.count - 1,
                               &(struct corrector_limit){.passes = 1, .seconds = 9}));
    assert_true(corrector_run(corrector, batch.number, batch.count, NULL));
    for (size_t i = 0; i < batch.count; i++)
        for (size_t v = 0; v < sample->n; v++) {
            double found = value_at(corrector->rows, dtype, sample->network.number[v] * width + i),
                   wanted = value_at(right, real ? DTYPE_F64 : DTYPE_I64,
                                     batch.vertex[i] * sample->n + v);
            if (!real && wanted >= (double)INF_I64)
                wanted = (double)dtype_info[dtype].infinity;
            assert_true(found == wanted);
        }
    corrector_free(corrector);
    free(right);
}

static void labels_are_right(void **unused)
{
    (void)unused;
    for (int isa = 0; isa < ISAS; isa++)
        for (int family = 0; family < FAMILIES; family++)
            for (enum dtype dtype = DTYPE_U16; dtype < DTYPE_COUNT; dtype++) {
                struct sample sample;
                setenv("APSP_ISA", isas[isa], 1);
                make_sample(&sample, family, dtype, 60);
                assert_false(sample.weights.equal);
                for (size_t pairs = 1; pairs <= 4; pairs *= 2)
                    check_labels(&sample, pairs);
                free_sample(&sample);
            }
    unsetenv("APSP_ISA");
}

/* The distance from a source to each vertex by another algorithm, as a search tells it. */
static double right_at(const struct sample *sample, const void *right, size_t source, size_t v)
{
    const enum dtype dtype = sample->task.dtype;
    const bool real = dtype_info[dtype].real;
    double wanted = value_at(right, real ? DTYPE_F64 : DTYPE_I64, source * sample->n + v);
    return !real && wanted >= (double)INF_I64 ? (double)dtype_info[dtype].infinity : wanted;
}

/* Those found are in order, and all that are wanted are among them: those that are not too far, and
 * of these the nearest. The search ends with the interval of the last of these. */
static void check_near(const struct sample *sample, const struct single *single, size_t source,
                       const void *right)
{
    const struct single_request *request = &single->request;
    const enum dtype dtype = sample->task.dtype;
    const size_t columns = request->vertex ? request->count : sample->n,
                 nearest = request->near.nearest;
    const double most = dtype_info[dtype].real ? request->near.most.real
                                               : (double)request->near.most.whole,
                 interval = dtype_info[dtype].real ? 1 / single->heap.scale
                                                   : (double)(1 << single->heap.shift);
    double last = most;
    size_t at = 0;
    for (size_t k = 0; k < columns; k++) {
        const size_t v = request->vertex ? request->vertex[k] : k;
        const double wanted = right_at(sample, right, source, v);
        size_t nearer = 0;
        for (size_t j = 0; j < columns; j++)
            nearer +=
                right_at(sample, right, source, request->vertex ? request->vertex[j] : j) < wanted;
        const bool found = at < single->found_count && single->found[at] == v;
        if (wanted <= most && (nearest == 0 || nearer < nearest))
            assert_true(found);
        if (nearest > 0 && nearer == nearest - 1 && wanted < last)
            last = wanted;
        if (found)
            assert_true(wanted <= most && value_at(single->row, dtype, v) == wanted);
        at += found;
    }
    assert_int_equal(at, single->found_count);
    for (size_t k = 0; k < single->found_count; k++)
        assert_true(value_at(single->row, dtype, single->found[k]) <= last + interval);
}

/* Searches one at a time, of equal weights too; those that end at three targets, and those for
 * near vertices. Returns whether the network was folded for the first. With `lent` the arcs are
 * those of the CSR. */
static bool check_single(const struct sample *sample, const void *right, bool lent)
{
    static const uint32_t targets[] = {7, 0, 250};
    const enum dtype dtype = sample->task.dtype;
    const bool real = dtype_info[dtype].real;
    struct network forward;
    struct network_weights weights = sample->weights;
    struct apsp_error error = {0};
    weights.lent = lent;
    assert_int_equal(network_forward(&forward, &sample->task, &weights, &error), APSP_OK);
    assert_true((forward.from == sample->task.csr->to) == lent);
    for (int way = 0; way < 8; way++) {
        const double most = way & 2 ? 25.5 : real ? 1e300 : 30000;
        const struct single_request request = {
            .vertex = way & 1 ? targets : NULL,
            .count = way & 1 ? 3 : 0,
            .near = {.asked = way >= 2,
                     .nearest = way & 4 ? 2 : 0,
                     .most = real ? (union value){.real = most}
                                  : (union value){.whole = (int64_t)most}}};
        struct single *single;
        assert_int_equal(
            single_open(&single, &forward, dtype, sample->weights.unit, &request, &error), APSP_OK);
        for (uint32_t source = 0; source < 20; source++) {
            assert_int_equal(single_from(single, source, &error), APSP_OK);
            if (request.near.asked)
                check_near(sample, single, source, right);
            for (size_t k = 0; !request.near.asked && k < (way & 1 ? 3 : sample->n); k++) {
                const size_t v = way & 1 ? targets[k] : k;
                assert_true(value_at(single->row, dtype, v) == right_at(sample, right, source, v));
            }
        }
        single_close(single);
    }
    const bool folded = forward.folding != NULL;
    assert_true(!folded || forward.folding->core < sample->n);
    network_free(&forward);
    return folded;
}

static void single_is_right(void **unused)
{
    int folded = 0; /* random graphs, the chain and the grid, in u16 and i32 */
    int lent = 0;
    (void)unused;
    for (int family = 0; family < FAMILIES; family++)
        for (enum dtype dtype = DTYPE_U16; dtype < DTYPE_COUNT; dtype++)
            for (uint32_t heaviest = 1; heaviest < 100; heaviest += 59) {
                struct sample sample;
                bool cycle;
                make_sample(&sample, family, dtype, heaviest);
                void *right =
                    dtype_info[dtype].real
                        ? (void *)reference_real(sample.n, sample.edge, sample.m, &cycle)
                        : (void *)reference_whole(sample.n, sample.edge, sample.m, &cycle);
                folded += check_single(&sample, right, false);
                if (network_may_lend(&sample.task, &sample.weights)) {
                    assert_false(check_single(&sample, right, true));
                    lent++;
                }
                free(right);
                free_sample(&sample);
            }
    assert_int_equal(folded, 6);
    assert_true(lent > 0);
}

/* Loops and parallel arcs are gone, the least weight of those is there, and the order of sources
 * has each once. */
static void network_is_right(void **unused)
{
    const struct edge edge[] = {{0, 1, {.whole = 5}}, {0, 1, {.whole = 2}}, {1, 1, {.whole = 0}},
                                {2, 0, {.whole = 7}}, {0, 1, {.whole = 9}}, {2, 0, {.whole = 7}}};
    struct csr csr = make_csr(4, false, edge, 6);
    struct engine_task task = {
        .device = &cores, .n = 4, .m = 6, .dtype = DTYPE_U16, .output = DTYPE_U16, .csr = &csr};
    struct network_weights weights = network_weights(&task);
    struct network network;
    struct apsp_error error = {0};
    bool seen[4] = {false};
    (void)unused;
    assert_false(weights.equal);
    assert_int_equal(network_make(&network, &task, &weights, &error), APSP_OK);
    assert_int_equal(network.arcs, 2);
    assert_int_equal(network.parallel, 3);
    uint32_t one = network.number[1], zero = network.number[0];
    assert_int_equal(network.start[one + 1] - network.start[one], 1);
    assert_int_equal(network.from[network.start[one]], zero);
    assert_int_equal(((uint16_t *)network.weight)[network.start[one]], 2);
    assert_int_equal(((uint16_t *)network.weight)[network.start[zero]], 7);
    for (size_t k = 0; k < 4; k++) {
        assert_false(seen[network.order[k]]);
        seen[network.order[k]] = true;
    }
    network_free(&network);
    csr_free(&csr);
}

/* So many edges are sorted by threads: in their order, and into one network whatever their number.
 */
static void threads_sort_alike(void **unused)
{
    enum { N = 700, M = 60000 };
    static struct edge edge[M];
    static size_t next[N];
    uint64_t state = 5;
    struct apsp_error error = {0};
    (void)unused;
    for (uint32_t e = 0; e < M; e++) {
        const uint32_t to = random_below(&state, N);
        edge[e] = (struct edge){random_below(&state, N) * to / N, to, {.whole = 1 + e}};
    }
    struct csr csr = make_csr(N, false, edge, M);
    memcpy(next, csr.start, sizeof next);
    for (uint32_t e = 0; e < M; e++)
        if (edge[e].from != edge[e].to)
            assert_int_equal(csr.weight[next[edge[e].from]++].whole, 1 + e);
    for (uint32_t v = 0; v < N; v++)
        assert_int_equal(next[v], csr.start[v + 1]);
    for (enum dtype dtype = DTYPE_U16; dtype <= DTYPE_I64; dtype++) {
        struct network first = {0}, network;
        struct engine_task task = {.device = &cores,
                                   .n = N,
                                   .m = M,
                                   .dtype = dtype,
                                   .output = dtype,
                                   .csr = &csr,
                                   .threads = 1};
        for (; task.threads < 9; task.threads += 7) {
            const struct network_weights weights = network_weights(&task);
            assert_int_equal(network_make(&network, &task, &weights, &error), APSP_OK);
            if (task.threads == 1) {
                first = network;
                continue;
            }
            assert_int_equal(network.arcs, first.arcs);
            assert_int_equal(network.parallel, first.parallel);
            assert_memory_equal(network.start, first.start, (N + 1) * sizeof *first.start);
            assert_memory_equal(network.from, first.from, first.arcs * sizeof *first.from);
            assert_memory_equal(network.weight, first.weight, first.arcs * dtype_info[dtype].bytes);
            assert_memory_equal(network.order, first.order, N * sizeof *first.order);
            network_free(&network);
        }
        network_free(&first);
    }
    csr_free(&csr);
}

static uint32_t *no_pairs(void *unused, int lane, size_t more)
{
    (void)unused, (void)lane, (void)more;
    return NULL;
}

/* A histogram without memory ends a search with an error, not with counts that are too small. */
static void short_histograms_fail(void **unused)
{
    (void)unused;
    for (uint32_t heaviest = 1; heaviest < 20; heaviest += 18) { /* Equal weights, and not. */
        struct apsp_error error = {0};
        struct sample sample;
        struct comm *comm;
        struct searcher *searcher;
        struct block block;
        assert_int_equal(comm_solo(&comm, &error), APSP_OK);
        make_sample(&sample, 0, DTYPE_I32, heaviest);
        sample.task.comm = comm;
        sample.task.threads = 1;
        sample.task.rows_request.counts = APSP_STATS_OUT | APSP_STATS_HISTOGRAM;
        const struct searcher_case its = {.task = &sample.task,
                                          .weights = &sample.weights,
                                          .sources = sample.n,
                                          .counts = sample.task.rows_request.counts};
        assert_int_equal(
            searcher_cpu.open(&searcher, &sample.task, &sample.network, &sample.weights, &error),
            APSP_OK);
        searcher->group = searcher_cpu.width(&its);
        const struct searcher_request request = {
            .source = sample.network.order,
            .sources = sample.n,
            .counts = sample.task.rows_request.counts,
            .histogram = {.bins = count_bins(false, (union value){.whole = 1 << 20}, false),
                          .pairs = no_pairs},
            .column = sample.network.number,
            .columns = sample.n,
            .lanes = 1};
        assert_int_equal(searcher_cpu.start(searcher, &request, &error), APSP_OK);
        assert_false(searcher_cpu.next(searcher, 0, &block, &error));
        assert_int_equal(error.code, APSP_MEMORY);
        searcher_cpu.free(searcher);
        comm_free(comm);
        free_sample(&sample);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_sort_alike), cmocka_unit_test(network_is_right),
        cmocka_unit_test(bits_are_right),     cmocka_unit_test(labels_are_right),
        cmocka_unit_test(single_is_right),    cmocka_unit_test(short_histograms_fail)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
