#include "sssp/gpu/pull.cuh"

namespace
{

enum {
    BLOCKS = 8, /* of a multiprocessor */
    COUNT_THREADS = 512,
    COUNT_BLOCKS = 2,
    PLANES = 17,         /* of the counters of a thread, */
    COUNT_MOST = 1 << 16 /* which takes so many rows at most */
};

__device__ __forceinline__ uint32_t majority(uint32_t a, uint32_t b, uint32_t c)
{
    return (a & b) | (c & (a | b));
}

/* Digits of the number of ones in each place of the words that a thread has seen. */
struct counter {
    uint32_t plane[PLANES];

    /* Four words: carries of weight 2 and 4 meet the planes of these. */
    __device__ __forceinline__ void add(const uint32_t (&word)[FETCHES])
    {
        const uint32_t ones = word[0] ^ word[1] ^ word[2],
                       twos = majority(word[0], word[1], word[2]),
                       more = majority(ones, word[3], plane[0]);
        plane[0] ^= ones ^ word[3];
        uint32_t carry = majority(twos, more, plane[1]);
        plane[1] ^= twos ^ more;
#pragma unroll
        for (int p = 2; p < PLANES; p++) {
            const uint32_t over = plane[p] & carry;
            plane[p] ^= carry;
            carry = over;
        }
    }
    /* The number of the place. */
    __device__ __forceinline__ uint32_t count(int bit) const
    {
        uint32_t sum = 0;
#pragma unroll
        for (int p = 0; p < PLANES; p++)
            sum += (plane[p] >> bit & 1) << p;
        return sum;
    }
};

/* A thread has a column of words of the rows that were found. */
template <int ROW>
__global__ void __launch_bounds__(COUNT_THREADS) count_kernel(const struct level_work work)
{
    constexpr int SLOTS = COUNT_THREADS / ROW;
    __shared__ uint32_t got[32][ROW];
    const struct gpu_waves &waves = work.waves;
    const uint32_t sets = (waves.arcs.n + 31) / 32, word = threadIdx.x % ROW;
    if (waves.counts->alive[work.k] == 0)
        return;
    for (int i = (int)threadIdx.x; i < 32 * ROW; i += COUNT_THREADS)
        got[i / ROW][i % ROW] = 0;
    struct counter counter = {};
    for (uint32_t s = blockIdx.x * SLOTS + threadIdx.x / ROW; s < sets; s += gridDim.x * SLOTS) {
        uint32_t set = waves.set[1][s];
        while (set != 0) {
            uint32_t bits[FETCHES];
#pragma unroll
            for (int f = 0; f < FETCHES; f++) {
                const size_t v = (size_t)s * 32 + (size_t)(set != 0 ? __ffs((int)set) - 1 : 0);
                bits[f] =
                    set != 0 ? load_once((const part<1> *)waves.next + v * ROW + word).at[0] : 0;
                set &= set - 1;
            }
            counter.add(bits);
        }
    }
    __syncthreads();
    for (int bit = 0; bit < 32; bit++) {
        const uint32_t sum = counter.count(bit);
        if (sum > 0)
            atomicAdd(&got[bit][word], sum);
    }
    __syncthreads();
    uint32_t *to = waves.counts->got + (size_t)work.k * ROW * 32;
    for (int i = (int)threadIdx.x; i < 32 * ROW; i += COUNT_THREADS)
        if (got[i / ROW][i % ROW] > 0)
            atomicAdd(to + i, got[i / ROW][i % ROW]);
}

__global__ void __launch_bounds__(THREADS) clear_kernel(const struct gpu_waves waves)
{
    const uint32_t n = waves.arcs.n, sets = (n + 31) / 32;
    const uint32_t thread = blockIdx.x * THREADS + threadIdx.x, threads = gridDim.x * THREADS;
    for (uint32_t i = thread; i < sets; i += threads) {
        waves.open[i] = waves.arcs.light[i];
        waves.fresh[i] = ~0u;
        waves.set[0][i] = waves.set[1][i] = 0;
    }
    for (uint32_t i = thread; i < waves.arcs.heavies; i += threads)
        waves.full[i] = 0;
    for (uint32_t i = thread; waves.reached && i < n; i += threads) {
        waves.reached[i] = 0;
        waves.most[i] = 0;
    }
}

/* A source has come to itself. */
template <int ROW>
__global__ void __launch_bounds__(THREADS) sources_kernel(const struct gpu_waves waves)
{
    constexpr int WORDS = words_of<ROW>;
    const uint32_t source = (blockIdx.x * THREADS + threadIdx.x) / team_lanes;
    if (source >= waves.count)
        return;
    const uint32_t v = waves.source[source];
    part_of<ROW> own, left;
#pragma unroll
    for (int i = 0; i < WORDS; i++) {
        const uint32_t word = (uint32_t)(team_lane() * WORDS + i);
        own.at[i] = word == source / 32 ? 1u << source % 32 : 0;
        left.at[i] = bits_of(waves.count, word) & ~own.at[i];
    }
    *part_at<ROW>(waves.front, v) = own;
    *part_at<ROW>(waves.missing, v) = left;
    for (uint32_t p = 0; waves.plane && p < waves.planes; p++)
        *part_at<ROW>(waves.plane, (size_t)p * waves.arcs.n + v) = {};
    if (team_lane() > 0)
        return;
    atomicOr(waves.set[0] + v / 32, 1u << v % 32);
    atomicAnd(waves.fresh + v / 32, ~(1u << v % 32));
    if (waves.reached)
        waves.reached[v] = 1;
}

template <int ROW> void begin(const struct gpu_waves *waves, int processors, gpuStream_t stream)
{
    const unsigned each = THREADS / team_lanes;
    clear_kernel<<<(unsigned)processors, THREADS, 0, stream>>>(*waves);
    GPU_CHECK(gpuGetLastError());
    sources_kernel<ROW><<<(waves->count + each - 1) / each, THREADS, 0, stream>>>(*waves);
    GPU_CHECK(gpuGetLastError());
}

unsigned at_most(size_t blocks, size_t most)
{
    return (unsigned)(blocks < most ? blocks : most);
}

template <int ROW> void run_level(const struct level_work &work, int processors, gpuStream_t stream)
{
    constexpr size_t teams = THREADS / team_lanes, slots = COUNT_THREADS / ROW, each = 512;
    const size_t n = work.waves.arcs.n, most = (size_t)processors;
    const unsigned pulls = at_most((n + work.waves.arcs.segments) / teams + 1, most * BLOCKS);
    unsigned counts = at_most(n / (slots * each) + 1, most * COUNT_BLOCKS);
    if (counts < n / (slots * COUNT_MOST) + 1)
        counts = (unsigned)(n / (slots * COUNT_MOST) + 1);
    pull_kernel<ROW><<<pulls, THREADS, 0, stream>>>(work);
    GPU_CHECK(gpuGetLastError());
    if (work.waves.plane)
        return;
    count_kernel<ROW><<<counts, COUNT_THREADS, 0, stream>>>(work);
    GPU_CHECK(gpuGetLastError());
}

struct kernels {
    size_t row;
    void (*begin)(const struct gpu_waves *waves, int processors, gpuStream_t stream);
    void (*level)(const struct level_work &work, int processors, gpuStream_t stream);
};

const struct kernels *find(size_t row)
{
    static const struct kernels table[] = {
#ifndef __HIP__ /* whose warps may have 64 lanes */
        {GPU_WAVES_LEAST, begin<GPU_WAVES_LEAST>, run_level<GPU_WAVES_LEAST>},
#endif
        {64, begin<64>, run_level<64>},
        {GPU_WAVES_MOST, begin<GPU_WAVES_MOST>, run_level<GPU_WAVES_MOST>},
    };
    for (const struct kernels &kernels : table)
        if (kernels.row == row)
            return &kernels;
    return NULL;
}

} // namespace

bool gpu_waves_takes(size_t row)
{
    return find(row) != NULL;
}

void gpu_waves_begin(const struct gpu_waves *waves, int processors, gpuStream_t stream)
{
    find(waves->row)->begin(waves, processors, stream);
}

void gpu_waves_level(struct gpu_waves *waves, uint32_t level, uint32_t k, int processors,
                     gpuStream_t stream)
{
    find(waves->row)->level({*waves, level, k}, processors, stream);
    uint32_t *front = waves->front, *done = waves->set[0];
    waves->front = waves->next;
    waves->next = front;
    waves->set[0] = waves->set[1];
    waves->set[1] = waves->set[2];
    waves->set[2] = done;
}
