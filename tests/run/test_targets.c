/*
 * Subsets of columns and chosen pairs, by whole jobs: every kind of file, engine and type, with
 * lists of sources and targets and without. Rank 0 reads each file and compares it, entry by entry,
 * with what Bellman and Ford's distances and a sort of each row give. mpirun --oversubscribe -n
 * RANKS build/tests/run/test_targets
 */
#include "ranks.h"
#include "unit.h"

#include "base/dtype.h"
#include "base/random.h"
#include "reference.h"
#include "run/run.h"
#include "shared_folder.h"

#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { N = 90, M = 260, ALL = N * N, FILE_MAX = 1 << 20 };
#define COUNT(array) (sizeof(array) / sizeof(array)[0])

struct found {
    size_t from, to; /* from 0 */
    double distance;
};

static _Thread_local struct comm *comm;
static _Thread_local struct edge edges[M];
static _Thread_local int64_t *right;
static _Thread_local char graph[96], path[96];
static const char sources[] = "7,90,3,20-40,1", targets[] = "88,2,50-70,7,1,41";
static const size_t source_list[] = {6,  89, 2,  19, 20, 21, 22, 23, 24, 25, 26, 27, 28,
                                     29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 0};
static const size_t target_list[] = {87, 1,  49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59,
                                     60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 6,  0,  40};

/* Clusters with few edges between them, so that much is unreachable, and potentials, so that
 * weights are negative. Many distances are equal. */
static void make_graph(int depth)
{
    uint64_t state = 11;
    bool cycle;
    FILE *file;
    snprintf(graph, sizeof graph, "%s/graph%d.gr", folder, depth);
    for (size_t e = 0; e < M; e++) {
        uint32_t from = random_below(&state, N), to = random_below(&state, e % 3 ? from + 1 : N);
        int64_t weight =
            (int64_t)random_below(&state, 5) + depth * ((int64_t)(from % 5) - (int64_t)(to % 5));
        edges[e] = (struct edge){from, to, {weight}};
    }
    free(right);
    right = reference_whole(N, edges, M, &cycle);
    assert_non_null(right);
    if (comm->rank == 0) {
        file = fopen(graph, "w");
        assert_non_null(file);
        fprintf(file, "p sp %d %d\n", N, M);
        for (size_t e = 0; e < M; e++)
            fprintf(file, "a %u %u %lld\n", edges[e].from + 1, edges[e].to + 1,
                    (long long)edges[e].weight.whole);
        assert_int_equal(fclose(file), 0);
    }
    comm_barrier(comm);
}

static int nearer(const void *a, const void *b)
{
    const struct found *x = a, *y = b;
    int order = (x->distance > y->distance) - (x->distance < y->distance);
    return order ? order : (x->to > y->to) - (x->to < y->to);
}

/* What the options ask for; returns how many. */
static size_t expect(struct found *found, const struct run_options *options)
{
    size_t rows = options->sources ? COUNT(source_list) : N, count = 0;
    size_t columns = options->targets ? COUNT(target_list) : N;
    for (size_t i = 0; i < rows; i++) {
        size_t from = options->sources ? source_list[i] : i, first = count;
        for (size_t j = 0; j < columns; j++) {
            size_t to = options->targets ? target_list[j] : j;
            int64_t distance = right[from * N + to];
            bool far = options->results.bounded && (double)distance > options->results.within;
            if (distance != INF_I64 && !far && (options->targets || from != to))
                found[count++] = (struct found){from, to, (double)distance};
        }
        if (options->results.nearest) {
            qsort(found + first, count - first, sizeof *found, nearer);
            count =
                count - first > options->results.nearest ? first + options->results.nearest : count;
        }
    }
    return count;
}

static size_t read_all(char *data)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t bytes = fread(data, 1, FILE_MAX, file);
    assert_true(bytes < FILE_MAX);
    data[bytes] = '\0';
    fclose(file);
    return bytes;
}

/* Lines of text below so many lines of a head. */
static size_t read_text(struct found *found, const char *data, const char *format, int head)
{
    size_t count = 0;
    for (; head > 0; head--)
        data = strchr(data, '\n') + 1;
    for (; *data; data = strchr(data, '\n') + 1) {
        struct found *next = &found[count++];
        assert_int_equal(sscanf(data, format, &next->from, &next->to, &next->distance), 3);
        next->from--;
        next->to--;
    }
    return count;
}

/* Bit by bit, where the program has tables. */
static uint32_t check_sum(const char *data, size_t bytes)
{
    uint32_t sum = ~0u;
    for (size_t i = 0; i < bytes; i++) {
        sum ^= (unsigned char)data[i];
        for (int bit = 0; bit < 8; bit++)
            sum = sum & 1 ? sum >> 1 ^ 0xedb88320u : sum >> 1;
    }
    return ~sum;
}

static uint64_t number(const char *at, int bytes)
{
    uint64_t value = 0;
    memcpy(&value, at, (size_t)bytes);
    return value;
}

/* By the directory at the end: the values of the member that is called so. */
static const char *find_member(const char *data, size_t bytes, const char *name, size_t *values)
{
    const char *end = data + bytes - 22, *locator = end - 20;
    assert_int_equal(number(end, 4), 0x06054b50);
    assert_int_equal(number(locator, 4), 0x07064b50);
    const char *last = data + number(locator + 8, 8), *entry = data + number(last + 48, 8);
    assert_int_equal(number(last, 4), 0x06064b50);
    assert_ptr_equal(entry + number(last + 40, 8), last);
    for (uint64_t k = number(last + 32, 8); k > 0; k--) {
        size_t length = number(entry + 28, 2);
        const char *extra = entry + 46 + length, *local = data + number(extra + 20, 8);
        const char *npy = local + 30 + number(local + 26, 2) + number(local + 28, 2);
        size_t size = number(extra + 4, 8);
        assert_int_equal(number(entry, 4), 0x02014b50);
        assert_int_equal(number(local, 4), 0x04034b50);
        assert_int_equal(number(entry + 16, 4), check_sum(npy, size));
        assert_int_equal(number(local + 14, 4), check_sum(npy, size));
        if (strncmp(entry + 46, name, length) == 0 && strlen(name) == length) {
            size_t head = 10 + number(npy + 8, 2);
            *values = size - head;
            return npy + head;
        }
        entry = extra + number(entry + 30, 2);
    }
    fail_msg("no member %s", name);
    return NULL;
}

static size_t read_npz(struct found *found, const char *data, size_t bytes)
{
    size_t rows, columns, values, count;
    const char *row = find_member(data, bytes, "row.npy", &rows);
    const char *column = find_member(data, bytes, "col.npy", &columns);
    const char *value = find_member(data, bytes, "data.npy", &values);
    assert_memory_equal(find_member(data, bytes, "format.npy", &count), "coo", 3);
    const char *shape = find_member(data, bytes, "shape.npy", &count);
    assert_true(number(shape, 8) == N && number(shape + 8, 8) == N);
    count = rows / 4;
    assert_int_equal(columns, rows);
    size_t each = count ? values / count : 0;
    for (size_t k = 0; k < count; k++) {
        int64_t whole = 0;
        double real = 0;
        memcpy(&whole, value + k * each, each);
        memcpy(&real, value + k * each, each);
        found[k] = (struct found){number(row + 4 * k, 4), number(column + 4 * k, 4),
                                  each == 8   ? real
                                  : each == 4 ? (double)(int32_t)whole
                                              : (double)whole};
    }
    return count;
}

/* A matrix of int32, which is the type of the runs that write one. */
static size_t read_matrix(struct found *found, const char *data, size_t bytes,
                          const struct run_options *options)
{
    size_t rows = options->sources ? COUNT(source_list) : N, count = 0;
    size_t columns = options->targets ? COUNT(target_list) : N, head = bytes - rows * columns * 4;
    assert_int_equal(head, strstr(path, ".npy") ? 128 : 0);
    for (size_t k = 0; k < rows * columns; k++) {
        size_t from = options->sources ? source_list[k / columns] : k / columns;
        size_t to = options->targets ? target_list[k % columns] : k % columns;
        int32_t value;
        memcpy(&value, data + head + 4 * k, 4);
        if (value != INF_I32 && (options->targets || from != to))
            found[count++] = (struct found){from, to, (double)value};
    }
    return count;
}

static void compare(const struct run_options *options)
{
    static struct found wanted[ALL], found[ALL];
    static char data[FILE_MAX];
    size_t bytes = read_all(data), count, expected = expect(wanted, options);
    if (strstr(path, ".csv"))
        count = read_text(found, data, "%zu,%zu,%lf", 1);
    else if (strstr(path, ".mtx"))
        count = read_text(found, data, "%zu %zu %lf", 2);
    else if (strstr(path, ".npz"))
        count = read_npz(found, data, bytes);
    else
        count = read_matrix(found, data, bytes, options);
    if (strstr(path, ".mtx")) {
        size_t rows, columns, entries;
        assert_int_equal(sscanf(strchr(data, '\n'), "%zu %zu %zu", &rows, &columns, &entries), 3);
        assert_true(rows == N && columns == N && entries == count);
    }
    assert_int_equal(count, expected);
    for (size_t k = 0; k < count; k++)
        if (found[k].from != wanted[k].from || found[k].to != wanted[k].to ||
            fabs(found[k].distance - wanted[k].distance) > 0)
            fail_msg("%s, pair %zu: %zu to %zu is %g, and %zu to %zu, %g is to be there", path, k,
                     found[k].from, found[k].to, found[k].distance, wanted[k].from, wanted[k].to,
                     wanted[k].distance);
}

static void run(struct run_options *options, const char *suffix)
{
    static int (*const steps[])(struct run *) = {run_load, run_solve, run_rows, run_commit};
    struct apsp_error error = {0};
    struct run *run;
    int status;
    snprintf(path, sizeof path, "%s/out%s", folder, suffix);
    options->graph = graph;
    options->results.distances = path;
    options->request.device = APSP_DEVICE_CPU;
    options->results.force = options->quiet = true;
    options->request.threads = comm->ranks > 1 ? 1 : 2;
    status = run_make(&run, options, &error);
    for (size_t step = 0; !status && step < COUNT(steps); step++)
        status = steps[step](run);
    if (status)
        fail_msg("%s: %s", path, run->solver->error.text);
    run_free(run);
    if (comm->rank == 0)
        compare(options);
    comm_barrier(comm);
}

/* Engines, and the sparse one with a core of the later half. */
static const struct {
    const char *method, *kappa;
} ways[] = {{"dense", NULL}, {"sparse", "100000"}, {"sparse", "3"}};

static void take_way(size_t way)
{
    if (ways[way].kappa)
        setenv("APSP_KAPPA", ways[way].kappa, 1);
}

static void matrices_have_the_columns(void **state)
{
    (void)state;
    for (size_t k = 0; k < 2 * COUNT(ways) * 4; k++) {
        struct run_options options = {.request.method = ways[k % COUNT(ways)].method,
                                      .sources = k & 1 ? sources : NULL,
                                      .targets = k & 2 ? targets : NULL};
        take_way(k % COUNT(ways));
        make_graph(k & 4 ? 3 : 0);
        run(&options, k & 1 ? ".npy" : ".i32");
    }
}

static void pairs_are_those_asked_for(void **state)
{
    static const char *const suffixes[] = {".csv", ".mtx", ".npz"};
    (void)state;
    size_t step = comm->ranks > 3 ? 7 : 1; /* of many ranks a part of the cases will do */
    for (size_t k = 0; k < COUNT(suffixes) * COUNT(ways) * 16; k += step) {
        const char *suffix = suffixes[k % 3];
        struct run_options options = {.request.method = ways[k / 3 % 3].method,
                                      .sources = k / 9 & 1 ? sources : NULL,
                                      .targets = k / 9 & 2 ? targets : NULL,
                                      .results.nearest = k / 9 & 4 ? 3 : 0,
                                      .results.bounded = k / 9 & 8,
                                      .results.within = 5.5,
                                      .request.dtype = k & 1 ? "f64" : NULL};
        take_way(k / 3 % 3);
        make_graph(k & 2 ? 2 : 0);
        run(&options, suffix);
    }
}

/* A bound on all types, also far outside of them. */
static void bounds_hold_for_all_types(void **state)
{
    static const double within[] = {-1e300, -3, -0.5, 0, 0.5, 4, 65534, 65535, 1e10, 1e300};
    (void)state;
    take_way(1);
    for (size_t k = 0; k<5 * COUNT(within); k += comm->ranks> 3 ? 7 : 1) {
        int type = (int)(k % 5);
        struct run_options options = {.request.method = "sparse",
                                      .request.output_type = dtype_info[type].name,
                                      .request.dtype = type == DTYPE_F32   ? "f32"
                                                       : type == DTYPE_F64 ? "f64"
                                                                           : "auto",
                                      .results.bounded = true,
                                      .results.within = within[k / 5]};
        make_graph(type == DTYPE_U16 ? 0 : 2);
        run(&options, ".csv");
    }
}

/* With a sink that has every column, those of the others are picked from them. */
static void certified_rows_are_whole(void **state)
{
    static const char *const suffixes[] = {".csv", ".npy", ".npz"};
    (void)state;
    for (size_t k = 0; k < 6; k++) {
        struct run_options options = {.request.method = ways[k % 2].method,
                                      .sources = sources,
                                      .targets = targets,
                                      .results.verify = APSP_VERIFY_ALL};
        take_way(k % 2);
        make_graph(2);
        run(&options, suffixes[k / 2]);
    }
}

/* More nearest than there are, and one. */
static void any_number_may_be_nearest(void **state)
{
    static const size_t nearest[] = {1, 2, N - 2, N - 1, N, 100000};
    (void)state;
    make_graph(0);
    for (size_t k = 0; k < 2 * COUNT(nearest); k++) {
        struct run_options options = {.request.method = "sparse",
                                      .targets = k & 1 ? targets : NULL,
                                      .results.nearest = nearest[k / 2]};
        run(&options, ".csv");
    }
}

static int test(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matrices_have_the_columns), cmocka_unit_test(pairs_are_those_asked_for),
        cmocka_unit_test(bounds_hold_for_all_types), cmocka_unit_test(certified_rows_are_whole),
        cmocka_unit_test(any_number_may_be_nearest),
    };
    struct apsp_error error = {0};
    if (comm_init(&comm, 0, &error))
        return error.code;
    make_shared_folder(comm, "targets");
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    remove_shared_folder(comm);
    free(right);
    comm_free(comm);
    return failed;
}

int main(void)
{
    return ranks_main(test);
}
