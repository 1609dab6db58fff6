/*
 * The certificate of real rows by numbers: of rows as solvers make them, rounded, none is refused,
 * and with one entry 0.1 % off none passes. REALS right rows of each type, and ten times as many
 * wrong ones; 2,000 unless told. `make check-reals` takes 100,000. What f32 has below its normal
 * numbers is coarser than 0.1 % already in the weights: there rows are right ones.
 */
#include "unit.h"

#include "base/random.h"
#include "make_csr.h"
#include "proof/certify.h"
#include "proof/search.h"
#include "rounded.h"

#include <float.h>
#include <stdio.h>

enum { N_MOST = 1001, EDGES = 4 * N_MOST, REALS = 2000, WRONG = 10 };

static uint64_t state;
static char why[CERTIFY_WHY];

static uint32_t draw(uint32_t least, uint32_t most)
{
    return least + random_below(&state, most - least + 1);
}

static double draw_share(void)
{
    return (double)random_below(&state, 1U << 31) / 0x1p31;
}

/* Edges of a family, before they have weights; *n vertices. */
static size_t draw_edges(struct edge *edges, size_t *n)
{
    const uint32_t family = draw(0, 3), vertices = family == 0 ? draw(2, N_MOST) : draw(2, 60),
                   chords = draw(0, 1), width = draw(2, 8);
    size_t m = 0;
    for (uint32_t v = 0; v < vertices; v++) {
        const uint32_t next = (v + 1) % vertices, other = draw(0, vertices - 1);
        if (family == 0 && next > 0) { /* a path, with parallel edges and chords */
            edges[m++] = (struct edge){v, next, {0}};
            edges[m++] = (struct edge){v, next, {0}};
            if (chords && draw(0, 99) == 0)
                edges[m++] = (struct edge){v, other, {0}};
        } else if (family == 1) { /* any */
            edges[m++] = (struct edge){other, draw(0, vertices - 1), {0}};
            edges[m++] = (struct edge){v, other, {0}};
        } else if (family == 2) { /* a grid */
            edges[m++] = (struct edge){v, (v + width) % vertices, {0}};
            edges[m++] = (struct edge){v, next, {0}};
            edges[m++] = (struct edge){next, v, {0}};
        } else { /* a ring, and chords */
            edges[m++] = (struct edge){v, next, {0}};
            edges[m++] = (struct edge){next, other, {0}};
        }
    }
    *n = vertices;
    return m;
}

static double draw_weight(uint32_t kind, enum dtype type)
{
    switch (kind) {
    case 0:
        return draw_share();
    case 1: /* decimals, some of them 0 */
        return draw(0, 4) * draw(0, 400) / 100.0;
    case 2: /* of many sizes */
        return pow(10, 12 * draw_share() - 6);
    case 3: /* whole ones, and fractions */
        return draw(1, 1000) + (draw(0, 9) == 0 ? draw(1, 3) / 4.0 : 0);
    case 4: /* nearly equal */
        return 1 + draw_share() * 1e-6;
    default: /* among the smallest numbers */
        return (type == DTYPE_F32 ? 0x1p-149 : 0x1p-1074) * (1000 * draw_share());
    }
}

/* What is counted of a type. */
struct count {
    size_t right, refused, wrong, accepted, edges; /* the most on a path to a wrong entry */
};

struct trial {
    enum dtype type;
    struct csr graph;
    struct potential potential;
    struct certificate certificate;
    struct certify_space *space;
    struct count *count;
};

/* A graph of its own, with weights below 0 as potentials allow them. */
static void open_trial(struct trial *trial, bool shifted)
{
    static struct edge edges[EDGES];
    double shift[N_MOST];
    struct cycle cycle;
    struct apsp_error error = {0};
    size_t n, m = draw_edges(edges, &n);
    const uint32_t kind = draw(0, shifted ? 4 : 5);
    const bool exact =
        kind == 3; /* the rest gets a little more, lest a cycle of weight 0 be rounded below it */
    for (size_t v = 0; v < n; v++)
        shift[v] = !shifted ? 0 : exact ? draw(0, 2000) / 4.0 : draw_share() * 3;
    for (size_t e = 0; e < m; e++)
        edges[e].weight.real = draw_weight(kind, trial->type) + (shifted && !exact ? 1e-9 : 0) +
                               shift[edges[e].from] - shift[edges[e].to];
    trial->graph = make_csr(n, true, edges, m);
    assert_int_equal(potential_find(&trial->potential, &cycle, &trial->graph, 1, &error), APSP_OK);
    assert_int_equal(cycle.length, 0);
    if (!shifted)
        potential_free(&trial->potential);
    if (draw(0, 1))
        search_order(&trial->graph, &trial->potential, 1);
    trial->certificate =
        (struct certificate){.edges = &trial->graph, .potential = &trial->potential};
    trial->space = certify_space_new(n, trial->type);
    assert_non_null(trial->space);
}

static void close_trial(struct trial *trial)
{
    certify_space_free(trial->space);
    potential_free(&trial->potential);
    csr_free(&trial->graph);
}

static double get(enum dtype type, const void *row, size_t v)
{
    return type == DTYPE_F32 ? (double)((const float *)row)[v] : ((const double *)row)[v];
}

static void put(enum dtype type, void *row, size_t v, double value)
{
    if (type == DTYPE_F32)
        ((float *)row)[v] = (float)value;
    else
        ((double *)row)[v] = value;
}

static bool passes(const struct trial *trial, size_t i, const void *row, int32_t *tree)
{
    return certify_row(&trial->certificate, trial->space, i, row, tree, why);
}

static void make_wrong(const struct trial *trial, size_t i, void *row, const int32_t *tree)
{
    const uint32_t last = (uint32_t)trial->graph.n - 1, v = draw(0, 3) ? draw(0, last) : last;
    const double right = get(trial->type, row, v);
    size_t edges = 0;
    put(trial->type, row, v, right * (draw(0, 1) ? 1.001 : 0.999));
    if (isfinite(right) && right > (trial->type == DTYPE_F32 ? FLT_MIN : 0) &&
        get(trial->type, row, v) != right) {
        for (int32_t u = tree[v]; u >= 0; u = tree[u])
            edges++;
        trial->count->edges = edges > trial->count->edges ? edges : trial->count->edges;
        trial->count->wrong++;
        if (passes(trial, i, row, NULL)) {
            trial->count->accepted++;
            printf("accepted: row %zu of %zu, vertex %u, %.17g for %.17g over %zu edges\n", i,
                   trial->graph.n, v, get(trial->type, row, v), right, edges);
        }
    }
    put(trial->type, row, v, right);
}

static void try_graph(struct trial *trial, bool shifted)
{
    int32_t tree[N_MOST];
    open_trial(trial, shifted);
    const size_t n = trial->graph.n, bytes = n * dtype_info[trial->type].bytes;
    char *rows = rounded_rows(trial->type, &trial->graph, &trial->potential);
    for (size_t i = 0; i < n; i++) {
        trial->count->right++;
        if (!passes(trial, i, rows + i * bytes, tree)) {
            trial->count->refused++;
            printf("refused: %s\n", why);
        }
        for (int k = 0; k < WRONG && !shifted; k++)
            make_wrong(trial, i, rows + i * bytes, tree);
    }
    free(rows);
    close_trial(trial);
}

static void try_type(enum dtype type, bool shifted)
{
    const char *told = getenv("REALS");
    const size_t rows = told ? strtoul(told, NULL, 10) : REALS;
    struct count count = {0};
    struct trial trial = {.type = type, .count = &count};
    state = 14 + type;
    srand(14);
    while (count.right < rows || (!shifted && count.wrong < WRONG * rows))
        try_graph(&trial, shifted);
    printf("# %s%s: %zu right rows, %zu refused; %zu wrong ones, %zu accepted, with paths of up to "
           "%zu edges\n",
           dtype_info[type].name, shifted ? ", weights of any sign" : "", count.right,
           count.refused, count.wrong, count.accepted, count.edges);
    assert_int_equal(count.refused, 0);
    assert_int_equal(count.accepted, 0);
}

static void rows_of_f32(void **unused)
{
    (void)unused;
    try_type(DTYPE_F32, false);
}

static void rows_of_f64(void **unused)
{
    (void)unused;
    try_type(DTYPE_F64, false);
}

static void rows_of_f32_with_potentials(void **unused)
{
    (void)unused;
    try_type(DTYPE_F32, true);
}

static void rows_of_f64_with_potentials(void **unused)
{
    (void)unused;
    try_type(DTYPE_F64, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_of_f32),
        cmocka_unit_test(rows_of_f64),
        cmocka_unit_test(rows_of_f32_with_potentials),
        cmocka_unit_test(rows_of_f64_with_potentials),
    };
    return cmocka_run_group_tests_name("reals", tests, NULL, NULL) != 0;
}
