#include "graph/array.h"

#include "graph/source.h"

#include <math.h>

int array_check_whole(const struct apsp_array *array, size_t count, const char *what,
                      struct apsp_error *error)
{
    if (!array->data && count > 0)
        return error_set(error, APSP_USAGE, "%s: expected an array, found NULL", what);
    if (array->data && array->type != APSP_I32 && array->type != APSP_U32 &&
        array->type != APSP_I64 && array->type != APSP_U64)
        return error_set(error, APSP_USAGE,
                         "%s: type %d is not one of APSP_I32, _U32, _I64 and _U64", what,
                         (int)array->type);
    return APSP_OK;
}

int array_check_weight(const struct apsp_array *array, struct apsp_error *error)
{
    if (array->data && array->type != APSP_I32 && array->type != APSP_I64 && !array_is_real(array))
        return error_set(error, APSP_USAGE,
                         "weight: type %d is not one of APSP_I32, _I64, _F32 and _F64",
                         (int)array->type);
    return APSP_OK;
}

bool array_is_real(const struct apsp_array *array)
{
    return array->data && (array->type == APSP_F32 || array->type == APSP_F64);
}

uint64_t array_whole(const struct apsp_array *array, size_t i)
{
    switch (array->type) {
    case APSP_I32:
        return (uint64_t)((const int32_t *)array->data)[i];
    case APSP_U32:
        return ((const uint32_t *)array->data)[i];
    case APSP_I64:
        return (uint64_t)((const int64_t *)array->data)[i];
    default:
        return ((const uint64_t *)array->data)[i];
    }
}

int array_vertex(const struct graph *graph, const struct apsp_array *array, size_t e,
                 uint32_t *vertex, struct apsp_error *error)
{
    uint64_t v = array_whole(array, e);
    if (v >= graph->n)
        return error_set(error, APSP_INPUT, "%s: edge %zu: vertex %lld is not in 0 .. %zu",
                         graph->path, e, (long long)v, graph->n - 1);
    *vertex = (uint32_t)v;
    return APSP_OK;
}

union value array_value(const struct apsp_array *array, size_t i)
{
    if (!array->data)
        return (union value){.whole = 1};
    switch (array->type) {
    case APSP_I32:
        return (union value){.whole = ((const int32_t *)array->data)[i]};
    case APSP_I64:
        return (union value){.whole = ((const int64_t *)array->data)[i]};
    case APSP_F32:
        return (union value){.real = (double)((const float *)array->data)[i]};
    default:
        return (union value){.real = ((const double *)array->data)[i]};
    }
}

bool array_is_weight(const struct apsp_array *array, union value value)
{
    return array_is_real(array) ? isfinite(value.real)
                                : value.whole >= -WEIGHT_MAX && value.whole <= WEIGHT_MAX;
}

int array_weight(const struct graph *graph, const struct apsp_array *array, size_t e,
                 union value *weight, struct apsp_error *error)
{
    *weight = array_value(array, e);
    if (array_is_weight(array, *weight))
        return APSP_OK;
    if (array_is_real(array))
        return error_set(error, APSP_INPUT, "%s: edge %zu: weight %g is not finite", graph->path, e,
                         weight->real);
    return error_set(error, APSP_INPUT, "%s: edge %zu: weight %lld is not from %lld to %lld",
                     graph->path, e, (long long)weight->whole, -(long long)WEIGHT_MAX,
                     (long long)WEIGHT_MAX);
}

/* COPY(T) for the type of integers. */
#define ARRAY_INTEGERS(array, COPY)                                                                \
    switch ((array)->type) {                                                                       \
    case APSP_I32:                                                                                 \
        COPY(int32_t)                                                                              \
        break;                                                                                     \
    case APSP_U32:                                                                                 \
        COPY(uint32_t)                                                                             \
        break;                                                                                     \
    case APSP_I64:                                                                                 \
        COPY(int64_t)                                                                              \
        break;                                                                                     \
    default:                                                                                       \
        COPY(uint64_t)                                                                             \
    }

void array_copy_whole(const struct apsp_array *array, size_t count, size_t *out)
{
#define COPY(T)                                                                                    \
    for (size_t i = 0; i < count; i++)                                                             \
        out[i] = (size_t)((const T *)array->data)[i];
    ARRAY_INTEGERS(array, COPY)
#undef COPY
}

bool array_copy_vertices(const struct graph *graph, const struct apsp_array *array,
                         struct range range, uint32_t *out)
{
    uint64_t most = 0;
#define COPY(T)                                                                                    \
    for (size_t i = range.lo; i < range.hi; i++) {                                                 \
        const uint64_t v = (uint64_t)((const T *)array->data)[i];                                  \
        most = v > most ? v : most;                                                                \
        *out++ = (uint32_t)v;                                                                      \
    }
    ARRAY_INTEGERS(array, COPY)
#undef COPY
    return most < graph->n;
}

bool array_copy_weights(const struct apsp_array *array, struct range range, union value *out)
{
    bool good = true;
#define COPY(T, FIELD, GOOD)                                                                       \
    for (size_t i = range.lo; i < range.hi; i++) {                                                 \
        const T w = ((const T *)array->data)[i];                                                   \
        good &= GOOD;                                                                              \
        (out++)->FIELD = w;                                                                        \
    }
    if (!array->data)
        for (size_t i = range.lo; i < range.hi; i++)
            (out++)->whole = 1;
    else if (array->type == APSP_I32)
        COPY(int32_t, whole, true)
    else if (array->type == APSP_I64)
        COPY(int64_t, whole, (w >= -WEIGHT_MAX) & (w <= WEIGHT_MAX))
    else if (array->type == APSP_F32)
        COPY(float, real, isfinite(w))
    else
        COPY(double, real, isfinite(w))
#undef COPY
    return good;
}

int array_start(struct graph *graph, const struct graph_source *source, size_t n,
                struct apsp_error *error)
{
    graph_start(graph, source, "the graph in memory");
    graph->n = n;
    if (n < 1 || n > INT32_MAX)
        return error_set(error, APSP_INPUT, "%s: %zu vertices, and there must be 1 to %d",
                         graph->path, n, INT32_MAX);
    return APSP_OK;
}
