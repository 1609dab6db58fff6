#include "base/error.h"
#include "library/batch.h"

#include <math.h>

/* Row i of a matrix, of which 0, infinity and NaN are no edges. */
#define LOAD_ROW(name, T)                                                                          \
    static void name(double *restrict to, const void *weight, size_t first, size_t n)              \
    {                                                                                              \
        const T *restrict from = (const T *)weight + first;                                        \
        for (size_t j = 0; j < n; j++) {                                                           \
            const double w = (double)from[j];                                                      \
            to[j] = w < INFINITY && w != 0 ? w : INFINITY;                                         \
        }                                                                                          \
    }
LOAD_ROW(load_i32, int32_t)
LOAD_ROW(load_i64, int64_t)
LOAD_ROW(load_f32, float)
LOAD_ROW(load_f64, double)

static double weight_at(enum apsp_type type, const void *weight, size_t k)
{
    switch (type) {
    case APSP_I32:
        return ((const int32_t *)weight)[k];
    case APSP_I64:
        return (double)((const int64_t *)weight)[k];
    case APSP_F32:
        return ((const float *)weight)[k];
    default:
        return ((const double *)weight)[k];
    }
}

static int load_edges(const struct apsp_batch_task *batch, const struct apsp_small *graph,
                      double *length, struct apsp_error *error)
{
    const size_t n = graph->vertices;
    for (size_t k = 0; k < n * n; k++)
        length[k] = INFINITY;
    for (size_t k = 0; k < graph->edges; k++) {
        const int32_t u = graph->from[k], v = graph->to[k];
        if (u < 0 || v < 0 || (size_t)u >= n || (size_t)v >= n)
            return error_set(error, APSP_INPUT, "edge %zu: vertex %d is not in 0 .. %zu", k,
                             u < 0 || (size_t)u >= n ? u : v, n - 1);
        const double w = graph->weight ? weight_at(batch->weight, graph->weight, k) : 1;
        if (isnan(w))
            return error_set(error, APSP_INPUT, "edge %zu: the weight is NaN", k);
        double *entry = length + (size_t)u * n + (size_t)v;
        *entry = w < *entry ? w : *entry;
    }
    return APSP_OK;
}

static void load_matrix(const struct apsp_batch_task *batch, const struct apsp_small *graph,
                        double *length)
{
    void (*load)(double *, const void *, size_t, size_t) = batch->weight == APSP_I32   ? load_i32
                                                           : batch->weight == APSP_I64 ? load_i64
                                                           : batch->weight == APSP_F32 ? load_f32
                                                                                       : load_f64;
    for (size_t i = 0; i < graph->vertices; i++)
        load(length + i * graph->vertices, graph->weight, i * graph->stride, graph->vertices);
}

static void lead_back(double *length, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++) {
            double *there = length + i * n + j, *back = length + j * n + i;
            *there = *back = *there < *back ? *there : *back;
        }
}

int batch_load(const struct apsp_batch_task *batch, const struct apsp_small *graph, double *length,
               struct apsp_error *error)
{
    const size_t n = graph->vertices;
    if (!graph->from)
        load_matrix(batch, graph, length);
    else if (load_edges(batch, graph, length, error))
        return error->code;
    for (size_t k = 0; batch->unweighted && k < n * n; k++)
        length[k] = length[k] < INFINITY ? 1 : INFINITY;
    if (batch->undirected)
        lead_back(length, n);
    for (size_t i = 0; i < n; i++) {
        if (length[i * n + i] < 0)
            return error_set(error, APSP_CYCLE, "the loop at vertex %zu is negative", i);
        length[i * n + i] = 0;
    }
    return APSP_OK;
}

/* Of some entries side by side, so that vectors can have them. */
enum { LANES = 8 };
struct lanes {
    double least[LANES], most[LANES], off[LANES];
};

static inline void scan_lanes(struct lanes *lanes, const double *length, size_t count)
{
    const double shift = 0x1.8p52; /* Sums with it lose what is behind the point. */
    for (size_t l = 0; l < count; l++) {
        const double w = length[l] < INFINITY ? length[l] : 0,
                     off = fabs(w - ((w + shift) - shift));
        lanes->least[l] = w < lanes->least[l] ? w : lanes->least[l];
        lanes->most[l] = w > lanes->most[l] ? w : lanes->most[l];
        lanes->off[l] = off > lanes->off[l] ? off : lanes->off[l];
    }
}

int batch_scan(const double *length, size_t n, struct batch_scan *scan, struct apsp_error *error)
{
    struct lanes lanes = {0};
    double least = 0, most = 0, off = 0;
    size_t k = 0;
    for (; k + LANES <= n * n; k += LANES)
        scan_lanes(&lanes, length + k, LANES);
    scan_lanes(&lanes, length + k, n * n - k);
    for (size_t l = 0; l < LANES; l++) {
        least = lanes.least[l] < least ? lanes.least[l] : least;
        most = lanes.most[l] > most ? lanes.most[l] : most;
        off = lanes.off[l] > off ? lanes.off[l] : off;
    }
    *scan = (struct batch_scan){least, most, off == 0 && most < 0x1p51 && least > -0x1p51};
    return isinf(least) ? error_set(error, APSP_INPUT, "a weight is -inf") : APSP_OK;
}

/* For each type: T as tiles have it, the integer of its width, and infinity. */
#define NARROW(name, T, INDEX, INF)                                                                \
    static void narrow_##name(const struct batch_task *task)                                       \
    {                                                                                              \
        const size_t n = task->n;                                                                  \
        for (size_t i = 0; i < n; i++) {                                                           \
            const double *restrict from = task->scratch->length + i * n;                           \
            T *restrict to = (T *)task->scratch->tile + i * task->pitch;                           \
            for (size_t j = 0; j < n; j++)                                                         \
                to[j] = from[j] < INFINITY ? (T)from[j] : INF;                                     \
            for (size_t j = n; j < task->pitch; j++)                                               \
                to[j] = INF;                                                                       \
            INDEX *restrict before = (INDEX *)task->scratch->before + i * task->pitch;             \
            for (size_t j = 0; task->graph->before && j < n; j++)                                  \
                before[j] = from[j] < INFINITY && i != j ? (INDEX)i : (INDEX)-1;                   \
        }                                                                                          \
    }                                                                                              \
    static void trees_##name(const struct batch_task *task, size_t room)                           \
    {                                                                                              \
        const int32_t none = task->batch->none;                                                    \
        for (size_t i = 0; i < task->n; i++) {                                                     \
            const INDEX *restrict from = (const INDEX *)task->scratch->before + i * task->pitch;   \
            int32_t *restrict to = task->graph->before + i * room;                                 \
            for (size_t j = 0; j < task->n; j++)                                                   \
                to[j] = from[j] == (INDEX)-1 ? none : (int32_t)from[j];                            \
        }                                                                                          \
    }

#define STORE(name, T, INF, OUT, LOST)                                                             \
    static void store_##name(const struct batch_task *task, size_t room)                           \
    {                                                                                              \
        for (size_t i = 0; i < task->n; i++) {                                                     \
            const T *restrict from = (const T *)task->scratch->tile + i * task->pitch;             \
            OUT *restrict to = (OUT *)task->graph->distances + i * room;                           \
            for (size_t j = 0; j < task->n; j++)                                                   \
                to[j] = from[j] < INF ? (OUT)from[j] : LOST;                                       \
        }                                                                                          \
    }

#define TYPE(name, T, INDEX, INF)                                                                  \
    NARROW(name, T, INDEX, INF)                                                                    \
    STORE(name##_i32, T, INF, int32_t, APSP_UNREACHABLE_I32)                                       \
    STORE(name##_f32, T, INF, float, INFINITY)                                                     \
    STORE(name##_f64, T, INF, double, INFINITY)
TYPE(u16, uint16_t, uint16_t, INF_U16)
TYPE(i32, int32_t, uint32_t, INF_I32)
TYPE(f64, double, uint64_t, INFINITY)

/* By the type of a tile. */
static const struct {
    void (*narrow)(const struct batch_task *task);
    void (*trees)(const struct batch_task *task, size_t room);
    void (*store[APSP_F64 + 1])(const struct batch_task *task, size_t room); /* by the output */
} steps[DTYPE_COUNT] = {
#define STEPS(name)                                                                                \
    {                                                                                              \
        narrow_##name, trees_##name,                                                               \
        {                                                                                          \
            [APSP_I32] = store_##name##_i32, [APSP_F32] = store_##name##_f32,                      \
            [APSP_F64] = store_##name##_f64                                                        \
        }                                                                                          \
    }
    [DTYPE_U16] = STEPS(u16), [DTYPE_I32] = STEPS(i32), [DTYPE_F64] = STEPS(f64)};

void batch_narrow(const struct batch_task *task, enum dtype type)
{
    steps[type].narrow(task);
}

bool batch_has_cycle(const struct batch_task *task)
{
    const double *tile = task->scratch->tile;
    for (size_t i = 0; i < task->n; i++)
        if (!(tile[i * task->pitch + i] >= 0))
            return true;
    return false;
}

/* What is beyond the vertices: of rows the rest, and the rows that are not there. */
#define PAD(to, room, n, value)                                                                    \
    for (size_t i = 0; i < (room); i++)                                                            \
        for (size_t j = i < (n) ? (n) : 0; j < (room); j++)                                        \
    (to)[i * (room) + j] = (value)

static void batch_pad(const struct batch_task *task, size_t room)
{
    const size_t n = task->n;
    if (task->batch->output == APSP_I32)
        PAD((int32_t *)task->graph->distances, room, n, APSP_UNREACHABLE_I32);
    else if (task->batch->output == APSP_F32)
        PAD((float *)task->graph->distances, room, n, INFINITY);
    else
        PAD((double *)task->graph->distances, room, n, INFINITY);
    if (task->graph->before)
        PAD(task->graph->before, room, n, task->batch->none);
}

void batch_store(const struct batch_task *task, enum dtype type)
{
    const size_t room = task->batch->room ? task->batch->room : task->n;
    steps[type].store[task->batch->output](task, room);
    if (task->graph->before)
        steps[type].trees(task, room);
    if (room > task->n)
        batch_pad(task, room);
}
