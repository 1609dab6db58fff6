/*
 * Phase 3 with an inner loop that is narrower than the distances: could i64 go at the rate of i32,
 * and i32 at that of u16? `narrow_gpu [N]`: one round over N x N numbers with a pivot of 128, by
 * the product and by
 *
 * `u32`: unsigned, for twice the range of i32; no more than another minimum.
 *
 * `f64 whole`: whole numbers below 2^53 by the product's f64.
 *
 * `offsets`: the least value of each line of a panel is taken off, so that the rest is narrow where
 * the pivot is compact. Min_k of the narrow sums and the two offsets make the distance, and the
 * distances themselves are read at the end, 1 or 2 rows of a thread's 8 at a time.
 *
 * `filter`: min_k of sums without their low bits is a lower bound. Only distances above it are
 * relaxed again, with all bits. Any pivot will do.
 *
 * How compact pivots are, and how many distances rounds lower, `bench/spread.c` tells.
 *
 * Rates are relaxations of the round, whatever it took to do them; `panels` is what making the
 * narrow panels takes beside it, in ms. `improved` is the share of distances that the round lowers:
 * `offsets` stores these alone, `filter` relaxes them twice. The ceiling is that of the inner
 * loop's type (u32: of i32). Every result is compared with that of the product's i64.
 */
#include "ceiling_gpu.h"

#include "kernels/gpu/relax.cuh"

#include <cstdio>
#include <cstdlib>
#include <type_traits>

enum { K = GPU_TILE_MAX, REPEATS = 11, THREADS = 256, BATCH = 4 };

/* The sum of two infinities still fits without a sign. */
struct op_u32 : op_plain<uint32_t> {
    using single = op_u32;
    static constexpr value infinity = INT32_MAX;
    static __device__ __forceinline__ word step(word c, word a, word b)
    {
        return min(c, a + b);
    }
};

/* The large shape of launch.cu. */
template <class Op>
using large_shape = tile_shape<Op, 128, 128, 8, 8, 32, 2, 2, 8, 0, Op::lanes == 1 ? 8 : 32>;

/* What is finite in a narrow panel: sums of two are below infinity, which so stays apart. */
template <class Op> static __host__ __device__ constexpr int64_t narrow_limit(void)
{
    return ((int64_t)Op::infinity - 1) / 2;
}

template <class V> struct wide_matrix {
    V *d;
    const V *row_base, *col_base;   /* offsets: what was taken off the panels */
    const V *row_panel, *col_panel; /* filter: the panels with all bits */
    uint32_t panel_ld;
    int shift; /* bits that the narrow panels lack */
};

/* A thread's part of a tile whose distances are wider than its words: nothing is read at first. */
template <class S, class Wide> struct wide_tile {
    using word = typename S::word;
    using value = typename Wide::value;
    using matrix = wide_matrix<value>;
    static constexpr int unit = 16 / (int)sizeof(value), across = S::unit * S::lanes,
                         quads = across / unit;
    matrix all;
    uint32_t ld;
    struct tile_place row, col;

    __device__ __forceinline__ void load(word (&c)[S::tm][S::tn]) const
    {
#pragma unroll
        for (int i = 0; i < S::tm; i++)
#pragma unroll
            for (int j = 0; j < S::tn; j++)
                c[i][j] = S::op::spread(S::op::infinity);
    }

    /* Lane l of the g-th group of words of row i, counted through. */
    static __device__ __forceinline__ typename S::op::value narrow(const word (&c)[S::tn], int g,
                                                                   int l)
    {
        return S::op::lane(c[g * S::unit + l / S::lanes], l % S::lanes);
    }
    __device__ __forceinline__ quad<value> *quad_at(int i, int g, int q) const
    {
        uint32_t y = row.at + S::first_row() + S::row_of(i),
                 x = col.at + (S::first_col() + S::col_of(g * S::unit)) * S::lanes + q * unit;
        return (quad<value> *)(all.d + (uint64_t)y * ld + x);
    }
};

/* IN_FLIGHT: register rows whose distances are read before the first of them is used. */
template <class S, class Wide, int IN_FLIGHT> struct offset_tile : wide_tile<S, Wide> {
    using base = wide_tile<S, Wide>;
    using typename base::value, typename base::word;
    static constexpr int groups = S::tn / S::unit;

    __device__ __forceinline__ void store(const word (&c)[S::tm][S::tn]) const
    {
        value right[groups][base::across];
#pragma unroll
        for (int g = 0; g < groups; g++)
#pragma unroll
            for (int l = 0; l < base::across; l++)
                right[g][l] =
                    this->all.row_base[this->col.at +
                                       (S::first_col() + S::col_of(g * S::unit)) * S::lanes + l];
#pragma unroll
        for (int first = 0; first < S::tm; first += IN_FLIGHT) {
            quad<value> old[IN_FLIGHT][groups][base::quads];
            value left[IN_FLIGHT];
#pragma unroll
            for (int i = 0; i < IN_FLIGHT; i++) {
                left[i] = this->all.col_base[this->row.at + S::first_row() + S::row_of(first + i)];
#pragma unroll
                for (int g = 0; g < groups; g++)
#pragma unroll
                    for (int q = 0; q < base::quads; q++)
                        old[i][g][q] = *this->quad_at(first + i, g, q);
            }
#pragma unroll
            for (int i = 0; i < IN_FLIGHT; i++)
#pragma unroll
                for (int g = 0; g < groups; g++)
#pragma unroll
                    for (int q = 0; q < base::quads; q++)
                        if (lower(old[i][g][q], c[first + i], g, q, left[i], right[g]))
                            *this->quad_at(first + i, g, q) = old[i][g][q];
        }
    }

  private:
    static __device__ __forceinline__ bool lower(quad<value> &old, const word (&c)[S::tn], int g,
                                                 int q, value left,
                                                 const value (&right)[base::across])
    {
        bool is = false;
#pragma unroll
        for (int e = 0; e < base::unit; e++) {
            int l = q * base::unit + e;
            typename S::op::value least = base::narrow(c, g, l);
            value sum = left + right[l] + (value)least;
            if (least < S::op::infinity && sum < old.at[e]) {
                old.at[e] = sum;
                is = true;
            }
        }
        return is;
    }
};

template <class S, class Wide> struct filter_tile : wide_tile<S, Wide> {
    using base = wide_tile<S, Wide>;
    using typename base::value, typename base::word;
    static_assert(S::lanes == 1 && S::tm * S::tn == 64 && S::rows * S::cols * 2 <= S::shared,
                  "a bit a value");

    /* The block lists what may be lowered where the slabs were, and its threads share it out. */
    __device__ __forceinline__ void store(const word (&c)[S::tm][S::tn]) const
    {
        extern __shared__ __align__(16) unsigned char memory[];
        uint16_t *list = (uint16_t *)memory;
        __shared__ unsigned count;
        uint64_t open = candidates(c);
        __syncthreads();
        if (threadIdx.x == 0)
            count = 0;
        __syncthreads();
        unsigned at = open ? atomicAdd(&count, (unsigned)__popcll(open)) : 0;
        for (; open; open &= open - 1) {
            int bit = __ffsll((long long)open) - 1;
            list[at++] = (uint16_t)((S::first_row() + S::row_of(bit / S::tn)) * S::cols +
                                    S::first_col() + S::col_of(bit % S::tn));
        }
        __syncthreads();
        for (unsigned first = threadIdx.x; first < count; first += BATCH * S::threads)
            relax_exactly(list, first, count);
    }

  private:
    __device__ __forceinline__ uint64_t candidates(const word (&c)[S::tm][S::tn]) const
    {
        uint64_t open = 0;
#pragma unroll
        for (int i = 0; i < S::tm; i++)
#pragma unroll
            for (int g = 0; g < S::tn / S::unit; g++)
#pragma unroll
                for (int q = 0; q < base::quads; q++) {
                    quad<value> old = *this->quad_at(i, g, q);
#pragma unroll
                    for (int e = 0; e < base::unit; e++) {
                        int j = g * S::unit + q * base::unit + e;
                        if (c[i][j] < S::op::infinity &&
                            ((value)c[i][j] << this->all.shift) < old.at[e])
                            open |= (uint64_t)1 << (i * S::tn + j);
                    }
                }
        return open;
    }
    /* BATCH of the list at once, the last one again where it ends. */
    __device__ __forceinline__ void relax_exactly(const uint16_t *list, unsigned first,
                                                  unsigned count) const
    {
        uint32_t y[BATCH], x[BATCH];
        value least[BATCH];
#pragma unroll
        for (int e = 0; e < BATCH; e++) {
            unsigned entry = list[min(first + e * S::threads, count - 1)];
            y[e] = this->row.at + entry / S::cols;
            x[e] = this->col.at + entry % S::cols;
            least[e] = Wide::infinity;
        }
#pragma unroll 2
        for (uint32_t k = 0; k < K; k++)
#pragma unroll
            for (int e = 0; e < BATCH; e++)
                least[e] = Wide::step(least[e], this->all.col_panel[k * this->all.panel_ld + y[e]],
                                      this->all.row_panel[k * this->all.panel_ld + x[e]]);
#pragma unroll
        for (int e = 0; e < BATCH; e++) {
            value *at = this->all.d + ((uint64_t)y[e] * this->ld + x[e]);
            if (least[e] < *at)
                *at = least[e];
        }
    }
};

/* Narrow panels, a thread a line. Of 16 bits an operand of the column panel is there twice. */
template <class Op, bool SPREAD> struct narrow_panel {
    using entry = std::conditional_t<SPREAD, typename Op::word, typename Op::value>;
    static __device__ __forceinline__ entry of(typename Op::value v)
    {
        if constexpr (SPREAD)
            return Op::spread(v);
        else
            return v;
    }
};

template <class Op, class Wide, bool SPREAD>
static __global__ void offset_panel(const typename Wide::value *panel, uint32_t n,
                                    typename Wide::value *base,
                                    typename narrow_panel<Op, SPREAD>::entry *narrow, int *compact)
{
    using value = typename Wide::value;
    uint32_t x = blockIdx.x * THREADS + threadIdx.x;
    value least = Wide::infinity;
    if (x >= n)
        return;
#pragma unroll 8
    for (size_t k = 0; k < K; k++)
        least = min(least, panel[k * n + x]);
    base[x] = least < Wide::infinity ? least : 0;
#pragma unroll 8
    for (size_t k = 0; k < K; k++) {
        value v = panel[k * n + x];
        bool finite = v < Wide::infinity;
        if (finite && v - least > (value)narrow_limit<Op>())
            *compact = 0;
        narrow[k * n + x] =
            narrow_panel<Op, SPREAD>::of(finite ? (typename Op::value)(v - least) : Op::infinity);
    }
}

template <class Op, class Wide>
static __global__ void shift_panel(const typename Wide::value *panel, uint32_t n, int shift,
                                   typename Op::value *narrow)
{
    size_t at = (size_t)blockIdx.x * THREADS + threadIdx.x;
    if (at < (size_t)K * n)
        narrow[at] =
            panel[at] < Wide::infinity ? (typename Op::value)(panel[at] >> shift) : Op::infinity;
}

/* Numbers for a round: lines of a panel lie around their own 0 <= base < 2^bits, at most `spread`
 * above it.
 */
struct numbers {
    int bits;
    int64_t spread;
};

static __device__ uint64_t hash(uint64_t x)
{
    x = (x ^ x >> 32) * 0xd6e8feb86659fd93u;
    x = (x ^ x >> 32) * 0xd6e8feb86659fd93u;
    return x ^ x >> 32;
}

/* Entry k of line x; one of 64 is infinite, and one line of 256. */
template <class Op>
static __device__ typename Op::value number(struct numbers kind, int side, size_t x, size_t k)
{
    uint64_t line = hash(2 * x + (unsigned)side + 1), own = hash(line + k);
    if (line % 256 == 0 || own % 64 == 0)
        return Op::infinity;
    return (typename Op::value)((int64_t)(line >> 8 & (((uint64_t)1 << kind.bits) - 1)) +
                                (int64_t)((own >> 8) % ((uint64_t)kind.spread + 1)));
}

template <class Op, bool SPREAD>
static __global__ void make_panel(struct numbers kind, int side, uint32_t n,
                                  typename narrow_panel<Op, SPREAD>::entry *panel)
{
    size_t at = (size_t)blockIdx.x * THREADS + threadIdx.x;
    if (at < (size_t)K * n)
        panel[at] = narrow_panel<Op, SPREAD>::of(number<Op>(kind, side, at % n, at / n));
}

static __global__ void fill_infinite(int64_t *d, size_t count)
{
    size_t at = (size_t)blockIdx.x * THREADS + threadIdx.x;
    if (at < count)
        d[at] = INF_I64;
}

/* From what the round makes of infinity to a matrix of which it lowers one value in `every`, or
 * none. */
static __global__ void make_start(int64_t *d, size_t count, unsigned every)
{
    size_t at = (size_t)blockIdx.x * THREADS + threadIdx.x;
    if (at >= count)
        return;
    uint64_t own = hash(at + 12345);
    bool reached = d[at] < INF_I64;
    int64_t away = 1 + (int64_t)((own >> 8) % (uint64_t)(d[at] / 4 + 1));
    if (every && own % every == 0)
        d[at] = reached ? d[at] + away : INF_I64;
    else
        d[at] = reached ? max(d[at] - away, (int64_t)0) : (int64_t)(own >> 8 & 1023);
}

template <class Op>
static __global__ void convert(const int64_t *from, typename Op::value *to, size_t count)
{
    size_t at = (size_t)blockIdx.x * THREADS + threadIdx.x;
    if (at < count)
        to[at] = from[at] < INF_I64 ? (typename Op::value)from[at] : Op::infinity;
}

template <class Op>
static __global__ void compare(const int64_t *right, const typename Op::value *d, size_t count,
                               unsigned long long *wrong)
{
    size_t at = (size_t)blockIdx.x * THREADS + threadIdx.x;
    if (at < count && (right[at] < INF_I64 ? !(d[at] < Op::infinity) || (int64_t)d[at] != right[at]
                                           : d[at] < Op::infinity))
        atomicAdd(wrong, 1ull);
}

static unsigned blocks_for(size_t count)
{
    return (unsigned)((count + THREADS - 1) / THREADS);
}

/* Memory of the device that frees itself. */
template <class T> struct device_array {
    T *at;
    explicit device_array(size_t count)
    {
        GPU_CHECK(gpuMalloc((void **)&at, count * sizeof(T)));
    }
    ~device_array()
    {
        GPU_CHECK(gpuFree(at));
    }
    device_array(const device_array &) = delete;
};

static int by_value(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* The median of `repeats` launches in milliseconds, `before` not counted. */
template <class Before, class Launch> static double median_ms(Before before, Launch launch)
{
    float ms[REPEATS];
    gpuEvent_t from, to;
    GPU_CHECK(gpuEventCreate(&from));
    GPU_CHECK(gpuEventCreate(&to));
    for (float &each : ms) {
        before();
        GPU_CHECK(gpuEventRecord(from, 0));
        launch();
        GPU_CHECK(gpuEventRecord(to, 0));
        GPU_CHECK(gpuGetLastError());
        GPU_CHECK(gpuEventSynchronize(to));
        GPU_CHECK(gpuEventElapsedTime(&each, from, to));
    }
    GPU_CHECK(gpuEventDestroy(from));
    GPU_CHECK(gpuEventDestroy(to));
    qsort(ms, REPEATS, sizeof *ms, by_value);
    return ms[REPEATS / 2];
}

static unsigned long long wrong_total;

/* A round's matrix before and after, in 64 bits. */
struct round_case {
    uint32_t n;
    struct numbers kind;
    unsigned every;
    device_array<int64_t> start, right;

    size_t count() const
    {
        return (size_t)n * n;
    }
    round_case(uint32_t side, struct numbers k, unsigned e)
        : n(side), kind(k), every(e), start(count()), right(count())
    {
        fill_infinite<<<blocks_for(count()), THREADS>>>(start.at, count());
        relax(start.at);
        make_start<<<blocks_for(count()), THREADS>>>(start.at, count(), every);
        GPU_CHECK(
            gpuMemcpy(right.at, start.at, count() * sizeof(int64_t), gpuMemcpyDeviceToDevice));
        relax(right.at);
    }
    template <class Op> void restore(typename Op::value *d) const
    {
        convert<Op><<<blocks_for(count()), THREADS>>>(start.at, d, count());
    }
    template <class Op>
    void report(const char *what, enum dtype inner, const typename Op::value *d, double ms,
                double panels) const
    {
        device_array<unsigned long long> counter(1);
        unsigned long long wrong;
        GPU_CHECK(gpuMemset(counter.at, 0, sizeof wrong));
        compare<Op><<<blocks_for(count()), THREADS>>>(right.at, d, count(), counter.at);
        GPU_CHECK(gpuMemcpy(&wrong, counter.at, sizeof wrong, gpuMemcpyDeviceToHost));
        wrong_total += wrong;
        double rate = (double)count() * (int)K / (1e-3 * ms), ceiling = ceiling_gpu(inner);
        char share[16] = "0";
        if (every)
            snprintf(share, sizeof share, "1/%u", every);
        printf("%-22s %8s %9.3f %8.3f %8.2f %8.2f %6.3f %s\n", what, share, ms, panels, rate / 1e12,
               ceiling / 1e12, rate / ceiling, wrong ? "WRONG" : "right");
        fflush(stdout);
    }

  private:
    void relax(int64_t *d) const;
};

/* The product's phase 3 with panels of its type. */
template <class Op> struct product_round {
    uint32_t n;
    device_array<typename Op::value> row;
    device_array<typename Op::word> col;
    struct gpu_kernels kernels;
    int processors = 0;

    product_round(enum dtype dtype, uint32_t side, struct numbers kind)
        : n(side), row((size_t)K * side), col((size_t)K * side), kernels(gpu_kernels_of(dtype))
    {
        make_panel<Op, false><<<blocks_for((size_t)K * n), THREADS>>>(kind, 0, n, row.at);
        make_panel<Op, true><<<blocks_for((size_t)K * n), THREADS>>>(kind, 1, n, col.at);
        GPU_CHECK(gpuDeviceGetAttribute(&processors, gpuAttributeProcessors, 0));
        GPU_CHECK(kernels.prepare());
    }
    void relax(typename Op::value *d) const
    {
        struct gpu_round round = {};
        struct ranges all = ranges_of({0, n});
        round.pivot = {0, K};
        round.d = d;
        round.row = row.at;
        round.col = col.at;
        round.ld = round.row_ld = round.col_ld = n;
        round.depth = K;
        kernels.relax(&round, &all, &all, processors, 0);
    }
};

void round_case::relax(int64_t *d) const
{
    product_round<op_i64>(DTYPE_I64, n, kind).relax(d);
}

template <class Op>
static void bench_product(const struct round_case &given, const char *what, enum dtype dtype)
{
    product_round<Op> round(dtype, given.n, given.kind);
    device_array<typename Op::value> d(given.count());
    double ms = median_ms([&] { given.restore<Op>(d.at); }, [&] { round.relax(d.at); });
    given.report<Op>(what, dtype, d.at, ms, 0);
}

template <class S, class Tile> static void prepare(void)
{
    GPU_CHECK(gpuFuncSetAttribute((const void *)relax_kernel<S, Tile>, gpuFuncMaxSharedMemory,
                                  (int)S::shared));
}

/* Any other tile, with panels of n columns. */
template <class S, class Tile>
static void launch(const typename Tile::matrix &d, const typename S::word *row,
                   const typename S::word *col, uint32_t n)
{
    struct ranges all = ranges_of({0, n});
    relax_work<typename S::op, typename Tile::matrix> work = {};
    work.d = d;
    work.row = row;
    work.col = col;
    work.ld = work.col_ld = n;
    work.row_ld = n / S::lanes;
    work.slab_bytes = S::depth * sizeof(typename S::word);
    work.slabs = K / S::depth;
    work.down = tiling_make(&all, 0, S::rows);
    work.right = tiling_make(&all, 0, S::values_across);
    dim3 grid((unsigned)work.right.tiles, (unsigned)work.down.tiles);
    relax_kernel<S, Tile><<<grid, S::threads, S::shared>>>(work);
}

static void bench_u32(const struct round_case &given)
{
    using S = large_shape<op_u32>;
    device_array<uint32_t> d(given.count()), row((size_t)K * given.n), col((size_t)K * given.n);
    make_panel<op_u32, false>
        <<<blocks_for((size_t)K * given.n), THREADS>>>(given.kind, 0, given.n, row.at);
    make_panel<op_u32, true>
        <<<blocks_for((size_t)K * given.n), THREADS>>>(given.kind, 1, given.n, col.at);
    prepare<S, matrix_tile<S>>();
    double ms = median_ms([&] { given.restore<op_u32>(d.at); },
                          [&] { launch<S, matrix_tile<S>>(d.at, row.at, col.at, given.n); });
    given.report<op_u32>("u32", DTYPE_I32, d.at, ms, 0);
}

/* Wide panels and their narrow ones. */
template <class Op, class Wide> struct wide_round {
    uint32_t n;
    device_array<typename Wide::value> row, col, row_base, col_base;
    device_array<typename Op::value> narrow_row;
    device_array<typename Op::word> narrow_col;
    device_array<int> compact;

    wide_round(uint32_t side, struct numbers kind)
        : n(side), row((size_t)K * n), col((size_t)K * n), row_base(n), col_base(n),
          narrow_row((size_t)K * n), narrow_col((size_t)K * n), compact(1)
    {
        make_panel<Wide, false><<<blocks_for((size_t)K * n), THREADS>>>(kind, 0, n, row.at);
        make_panel<Wide, false><<<blocks_for((size_t)K * n), THREADS>>>(kind, 1, n, col.at);
        GPU_CHECK(gpuMemset(compact.at, 1, sizeof(int)));
    }
    void take_off() const
    {
        offset_panel<Op, Wide, false>
            <<<blocks_for(n), THREADS>>>(row.at, n, row_base.at, narrow_row.at, compact.at);
        offset_panel<Op, Wide, true>
            <<<blocks_for(n), THREADS>>>(col.at, n, col_base.at, narrow_col.at, compact.at);
    }
    void shift(int by) const
    {
        shift_panel<Op, Wide><<<blocks_for((size_t)K * n), THREADS>>>(row.at, n, by, narrow_row.at);
        shift_panel<Op, Wide><<<blocks_for((size_t)K * n), THREADS>>>(col.at, n, by, narrow_col.at);
    }
    template <class S, class Tile> void relax(typename Wide::value *d, int shift) const
    {
        typename Tile::matrix matrix = {d, row_base.at, col_base.at, row.at, col.at, n, shift};
        launch<S, Tile>(matrix, (const typename Op::word *)narrow_row.at, narrow_col.at, n);
    }
    bool fits() const
    {
        int is;
        GPU_CHECK(gpuMemcpy(&is, compact.at, sizeof is, gpuMemcpyDeviceToHost));
        return is != 0;
    }
};

template <class Op, class Wide, int IN_FLIGHT>
static void bench_offsets(const struct round_case &given, const char *what, enum dtype inner)
{
    using S = large_shape<Op>;
    using tile = offset_tile<S, Wide, IN_FLIGHT>;
    wide_round<Op, Wide> round(given.n, given.kind);
    device_array<typename Wide::value> d(given.count());
    double panels = median_ms([] {}, [&] { round.take_off(); });
    if (!round.fits()) {
        printf("%s: the pivot is not compact\n", what);
        exit(1);
    }
    prepare<S, tile>();
    double ms = median_ms([&] { given.restore<Wide>(d.at); },
                          [&] { round.template relax<S, tile>(d.at, 0); });
    given.report<Wide>(what, inner, d.at, ms, panels);
}

static void bench_filter(const struct round_case &given)
{
    using S = large_shape<op_u32>;
    using tile = filter_tile<S, op_i64>;
    wide_round<op_u32, op_i64> round(given.n, given.kind);
    device_array<int64_t> d(given.count());
    int shift =
        given.kind.bits + 1 > 30 ? given.kind.bits + 1 - 30 : 0; /* sums stay below infinity */
    double panels = median_ms([] {}, [&] { round.shift(shift); });
    prepare<S, tile>();
    double ms =
        median_ms([&] { given.restore<op_i64>(d.at); }, [&] { round.relax<S, tile>(d.at, shift); });
    given.report<op_i64>("i64 filter u32", DTYPE_I32, d.at, ms, panels);
}

int main(int argc, char **argv)
{
    uint32_t n =
        argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) / 256 * 256 : 16384; /* whole tiles */
    int devices = 0;
    if (gpuGetDeviceCount(&devices) != gpuSuccess || devices == 0) {
        printf("skip: no GPU\n");
        return 77;
    }
    gpuDeviceProp properties;
    GPU_CHECK(gpuGetDeviceProperties(&properties, 0));
    printf("# %s, n = %u, pivot of %d\n%-22s %8s %9s %8s %8s %8s %6s\n", properties.name, n, K, "#",
           "improved", "ms", "panels", "T/s", "ceiling", "ratio");
    {
        struct round_case given(n, {12, 8191}, 16);
        bench_product<op_u16>(given, "u16", DTYPE_U16);
    }
    for (unsigned every : {0u, 16u, 1u}) {
        struct round_case given(n, {28, narrow_limit<op_u16>()}, every);
        bench_product<op_i32>(given, "i32", DTYPE_I32);
        bench_offsets<op_u16, op_i32, 1>(given, "i32 offsets u16, 1", DTYPE_U16);
        bench_offsets<op_u16, op_i32, 2>(given, "i32 offsets u16, 2", DTYPE_U16);
    }
    {
        struct round_case given(n, {29, 1 << 20}, 16);
        bench_u32(given);
    }
    for (unsigned every : {0u, 64u, 16u, 4u, 1u}) {
        struct round_case given(n, {40, narrow_limit<op_u32>()}, every);
        bench_product<op_i64>(given, "i64", DTYPE_I64);
        bench_product<op_f64>(given, "f64 whole", DTYPE_F64);
        bench_offsets<op_u32, op_i64, 1>(given, "i64 offsets u32, 1", DTYPE_I32);
        bench_offsets<op_u32, op_i64, 2>(given, "i64 offsets u32, 2", DTYPE_I32);
        bench_filter(given);
    }
    return wrong_total > 0;
}
