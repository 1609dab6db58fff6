/* Counts of labels where they are, by source. Rows are read once, at the rate of the memory. */
#include "sssp/gpu/labels.cuh"

namespace
{

constexpr int THREADS = 256, BLOCKS = 8; /* of a multiprocessor */

/* Threads with the same part of a row add up what they have seen, first in each block. */
template <class Op>
__global__ void __launch_bounds__(THREADS) count_kernel(const struct gpu_labels labels)
{
    constexpr int each = part<Op>::words * Op::lanes, row = SIDE * each;
    __shared__ struct gpu_label_counts all;
    const size_t n = labels.arcs.n, rows = (size_t)gridDim.x * THREADS / SIDE;
    const int first = (int)threadIdx.x % SIDE * each;
    unsigned long long sum[each] = {};
    uint32_t reached[each] = {}, most[each] = {};
    for (int s = (int)threadIdx.x; s < row; s += THREADS) {
        all.sum[s] = 0;
        all.reached[s] = all.most[s] = 0;
    }
    for (size_t v = ((size_t)blockIdx.x * THREADS + threadIdx.x) / SIDE; v < n; v += rows) {
        const part<Op> here = *part_at<Op>(labels, (uint32_t)v);
#pragma unroll
        for (int i = 0; i < each; i++) {
            const uint32_t label = (uint32_t)Op::lane(here.at[i / Op::lanes], i % Op::lanes);
            const bool finite = label < (uint32_t)Op::infinity;
            reached[i] += finite;
            sum[i] += finite ? label : 0;
            most[i] = finite && label > most[i] ? label : most[i];
        }
    }
    __syncthreads();
    for (int i = 0; i < each; i++) {
        atomicAdd(&all.sum[first + i], sum[i]);
        atomicAdd(&all.reached[first + i], reached[i]);
        atomicMax(&all.most[first + i], most[i]);
    }
    __syncthreads();
    for (int s = (int)threadIdx.x; s < row; s += THREADS) {
        atomicAdd(&labels.counts->sum[s], all.sum[s]);
        atomicAdd(&labels.counts->reached[s], all.reached[s]);
        atomicMax(&labels.counts->most[s], all.most[s]);
    }
}

template <class Op> void count(const struct gpu_labels *labels, int processors, gpuStream_t stream)
{
    count_kernel<Op><<<(unsigned)processors * BLOCKS, THREADS, 0, stream>>>(*labels);
    GPU_CHECK(gpuGetLastError());
}

} // namespace

void gpu_labels_count(const struct gpu_labels *labels, enum dtype dtype, int processors,
                      gpuStream_t stream)
{
    GPU_CHECK(gpuMemsetAsync(labels->counts, 0, sizeof *labels->counts, stream));
    (dtype == DTYPE_U16 ? count<op_u16> : count<op_i32>)(labels, processors, stream);
}
