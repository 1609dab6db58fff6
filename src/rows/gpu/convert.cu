#include "rows/gpu/convert.h"

#include "rows/gpu/infinite.cuh"

enum { THREADS = 256 };

/* What one thread converts: as much as the wider of the types has in 16 bytes. */
template <class T, int COUNT> struct alignas(sizeof(T) * COUNT) pack {
    T at[COUNT];
};

template <class From, class To> struct work {
    using sum = std::conditional_t<std::is_floating_point_v<From>, double, int64_t>;
    static constexpr int count = 16 / (int)(sizeof(From) > sizeof(To) ? sizeof(From) : sizeof(To));
    using pack_from = pack<From, count>;
    using pack_to = pack<To, count>;
    const From *from;
    To *to;
    const sum *h; /* or NULL */
    size_t ld, to_ld, n, first;
    From infinity;
    To unreachable;
};

/* A block takes a piece of one row. Rows at `to` may begin anywhere. */
template <class W> static __global__ void convert_kernel(const W work)
{
    size_t j = ((size_t)blockIdx.x * blockDim.x + threadIdx.x) * W::count, i = blockIdx.y;
    if (j >= work.n)
        return;
    typename W::pack_from in = *(const typename W::pack_from *)(work.from + i * work.ld + j);
    typename W::pack_to out;
    auto *to = work.to + i * work.to_ld + j;
#pragma unroll
    for (int k = 0; k < W::count; k++) {
        typename W::sum value = (typename W::sum)in.at[k];
        if (work.h && j + k < work.n)
            value = value - work.h[work.first + i] + work.h[j + k];
        out.at[k] =
            in.at[k] == work.infinity ? work.unreachable : (decltype(work.unreachable))value;
    }
    if (j + W::count <= work.n && (uintptr_t)to % sizeof out == 0) {
        *(typename W::pack_to *)to = out;
        return;
    }
#pragma unroll
    for (int k = 0; k < W::count; k++)
        if (j + k < work.n)
            to[k] = out.at[k];
}

struct task {
    const struct conversion *conversion;
    struct range rows;
    const void *from;
    size_t ld;
    void *to;
    size_t to_ld;
    gpuStream_t stream;
};

template <class From, class To> static void convert(const struct task &task)
{
    using work_type = work<From, To>;
    const struct conversion &conversion = *task.conversion;
    const size_t across = (size_t)THREADS * work_type::count;
    work_type work = {};
    work.from = (const From *)task.from;
    work.to = (To *)task.to;
    work.h = (const typename work_type::sum *)conversion.potentials;
    work.ld = task.ld;
    work.to_ld = task.to_ld;
    work.n = conversion.n;
    work.first = task.rows.lo;
    work.infinity = infinite<From>(dtype_info[conversion.from].infinity);
    work.unreachable = infinite<To>(dtype_info[conversion.to].unreachable);
    dim3 grid((unsigned)((work.n + across - 1) / across), (unsigned)range_length(task.rows));
    convert_kernel<work_type><<<grid, THREADS, 0, task.stream>>>(work);
    GPU_CHECK(gpuGetLastError());
}

void gpu_convert(const struct conversion *conversion, struct range rows, const void *from,
                 size_t ld, void *to, size_t to_ld, gpuStream_t stream)
{
    static void (*const table[DTYPE_COUNT][DTYPE_COUNT])(const struct task &) =
        CONVERSIONS(convert);
    if (range_length(rows) > 0)
        table[conversion->from][conversion->to]({conversion, rows, from, ld, to, to_ld, stream});
}
