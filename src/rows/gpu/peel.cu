#include "rows/gpu/tight.h"

#include "rows/gpu/fixed.cuh"
#include "rows/gpu/infinite.cuh"

namespace
{

enum {
    COUNTERS = 256, /* threads of a block that counts, */
    PEELERS = 512,  /* and of one that has a source; */
    FEW = 64,       /* so many of a small graph, */
    SMALL = 4096,   /* with fewer vertices than this */
    LONG = 32,      /* The list is one of a warp, if it has more arcs. */
    DEEP = 4096,    /* After so many levels, cores are faster, */
    NARROW = 8      /* if these have fewer vertices on average. */
};

/* A row of the block that a thread works on. */
template <class Row, class Length> struct view {
    const struct gpu_tight &tight;
    const Row *row;
    Row infinite;
    uint32_t source;
    double *part;
    uint32_t *waiting, *order, *level;

    __device__ view(const struct gpu_tight &tight, Row infinite, size_t k)
        : tight(tight), row((const Row *)tight.rows + k * tight.stride), infinite(infinite),
          source(tight.source[k]), part(tight.part + k * tight.n),
          waiting(tight.waiting + k * tight.n), order(tight.order + k * tight.n),
          level(tight.level + k * (tight.n + (size_t)1))
    {
    }
};

/* The threads of a block share these numbers. */
struct shared {
    uint32_t known;  /* Vertices in the order. */
    uint32_t beyond; /* Whether there are too many paths to one. */
    uint32_t ends;   /* Paths end at so many. */
};

/* Some arcs of a list: those of a thread, or of the lanes of a warp side by side. */
template <class Length> struct arcs {
    uint32_t vertex[FETCHES];
    bool back[FETCHES];  /* The arc is a tight one from the other end, */
    bool ahead[FETCHES]; /* or to it. */
};

template <bool TEAM> __device__ __forceinline__ uint64_t place_of(uint64_t e, int f)
{
    return TEAM ? e + (uint64_t)f * team_lanes + team_lane() : e + f;
}

/* The arcs from number e on, of a vertex at a distance. An infinite row never has a tight arc. */
template <bool TEAM, class Row, class Length>
__device__ __forceinline__ arcs<Length> read(const view<Row, Length> &view,
                                             const struct gpu_tight_lists &lists, Row here,
                                             uint64_t e, uint64_t end)
{
    const auto *list = (const gpu_tight_arc<Length> *)lists.arc;
    gpu_tight_arc<Length> arc[FETCHES];
    arcs<Length> arcs;
#pragma unroll
    for (int f = 0; f < FETCHES; f++)
        arc[f] = place_of<TEAM>(e, f) < end ? list[place_of<TEAM>(e, f)]
                                            : gpu_tight_arc<Length>{view.source, 0};
#pragma unroll
    for (int f = 0; f < FETCHES; f++) {
        const Row there = view.row[arc[f].vertex];
        const Length ahead = (Length)there - (Length)here;
        const bool is = arc[f].length > 0;
        arcs.vertex[f] = arc[f].vertex;
        arcs.ahead[f] = is && there < view.infinite && ahead == arc[f].length;
        arcs.back[f] = is && -ahead == arc[f].length;
    }
    return arcs;
}

/* Calls f(vertex, number) for the lanes of long lists, one after the other, by the whole warp. */
template <class F> __device__ __forceinline__ void for_long(bool is_long, uint32_t v, F f)
{
    for (team_mask mask = team_ballot(is_long); mask != 0;) {
        const int from = take_lowest(&mask);
        f(team_from(v, from), from);
        team_sync();
    }
}

template <class Row, class Length>
__device__ __forceinline__ bool is_long(const view<Row, Length> &view, uint32_t v)
{
    const uint64_t *in = view.tight.in.start, *out = view.tight.out.start;
    return in[v + 1] - in[v] > LONG || out[v + 1] - out[v] > LONG;
}

/* Calls f<TEAM>(vertex) for places `first` to before `end` of the order. */
template <class View, class F>
__device__ __forceinline__ void for_level(const View &view, uint32_t first, uint32_t end, F f)
{
    for (uint32_t i = first + threadIdx.x; i - team_lane() < end; i += blockDim.x) {
        const uint32_t v = i < end ? view.order[i] : 0;
        const bool wide = i < end && is_long(view, v);
        if (i < end && !wide)
            f.template operator()<false>(v);
        for_long(wide, v, [&](uint32_t other, int) { f.template operator()<true>(other); });
    }
}

template <bool TEAM, class Row, class Length>
__device__ uint32_t count_tails(const view<Row, Length> &view, uint32_t v)
{
    enum { STEP = TEAM ? FETCHES * team_lanes : FETCHES };
    const struct gpu_tight_lists &in = view.tight.in;
    uint32_t tails = 0;
    for (uint64_t e = in.start[v]; e < in.start[v + 1]; e += STEP) {
        const arcs<Length> arcs = read<TEAM>(view, in, view.row[v], e, in.start[v + 1]);
#pragma unroll
        for (int f = 0; f < FETCHES; f++)
            tails += arcs.back[f];
    }
    return TEAM ? team_sum(tails) : tails;
}

template <class Row, class Length>
__global__ void __launch_bounds__(COUNTERS)
    count_kernel(const struct gpu_tight tight, Row infinite, uint32_t blocks)
{
    const uint32_t k = blockIdx.x / blocks, v = blockIdx.x % blocks * COUNTERS + threadIdx.x;
    const view<Row, Length> view(tight, infinite, k);
    const bool finite = v < tight.n && view.row[v] < infinite, wide = finite && is_long(view, v);
    uint32_t tails = finite && !wide ? count_tails<false>(view, v) : 0;
    for_long(wide, v, [&](uint32_t other, int lane) {
        const uint32_t all = count_tails<true>(view, other);
        tails = lane == team_lane() ? all : tails;
    });
    const uint32_t reached = team_sum(finite ? 1 : 0);
    if (team_lane() == 0 && reached > 0)
        atomicAdd(tight.reached + k, reached);
    if (v < tight.n)
        view.waiting[v] = tails;
    if (v == view.source && tails > 0)
        tight.refused[k] = 1;
}

/* The tail is done. Heads that waited for it alone are the next level. */
template <class Row, class Length>
__device__ __forceinline__ void tell(const view<Row, Length> &view, struct shared &shared,
                                     const arcs<Length> &arcs)
{
    uint32_t left[FETCHES];
#pragma unroll
    for (int f = 0; f < FETCHES; f++)
        left[f] = arcs.ahead[f] ? atomicAdd(view.waiting + arcs.vertex[f], ~0u) : 0;
#pragma unroll
    for (int f = 0; f < FETCHES; f++)
        if (left[f] == 1)
            view.order[atomicAdd(&shared.known, 1u)] = arcs.vertex[f];
}

/* Counts the paths to a vertex whose tails are done. */
template <bool TEAM, class Row, class Length>
__device__ void reach(const view<Row, Length> &view, struct shared &shared, uint32_t v)
{
    enum { STEP = TEAM ? FETCHES * team_lanes : FETCHES };
    const struct gpu_tight_lists &in = view.tight.in, &out = view.tight.out;
    const bool both = in.arc == out.arc;
    const Row here = view.row[v];
    double sum = 0;
    for (uint64_t e = in.start[v], end = in.start[v + 1]; e < end; e += STEP) {
        const arcs<Length> arcs = read<TEAM>(view, in, here, e, end);
        double part[FETCHES];
#pragma unroll
        for (int f = 0; f < FETCHES; f++)
            part[f] = arcs.back[f] ? view.part[arcs.vertex[f]] : 0;
        if (both)
            tell(view, shared, arcs);
#pragma unroll
        for (int f = 0; f < FETCHES; f++)
            sum = add(sum, part[f]);
    }
    if (TEAM)
        sum = add_lanes(sum);
    sum = v == view.source ? 1 : sum;
    if (!TEAM || team_lane() == 0) {
        view.part[v] = sum;
        if (!(sum <= PATHS_MOST))
            shared.beyond = 1;
    }
    if (!both)
        for (uint64_t e = out.start[v], end = out.start[v + 1]; e < end; e += STEP)
            tell(view, shared, read<TEAM>(view, out, here, e, end));
}

/* Returns the number of levels; 0: they are for cores. */
template <class Row, class Length>
__device__ uint32_t go_forward(const view<Row, Length> &view, struct shared &shared)
{
    uint32_t levels = 0;
    for (uint32_t first = 0, end;; first = end, levels++) {
        __syncthreads();
        end = shared.known;
        if (threadIdx.x == 0)
            view.level[levels] = first;
        __syncthreads();
        if (first == end)
            return levels;
        if (levels >= DEEP && end / NARROW < levels)
            return 0;
        for_level(view, first, end, [&]<bool TEAM>(uint32_t v) { reach<TEAM>(view, shared, v); });
    }
}

__device__ __forceinline__ double from_lane_number(double value, int lane)
{
    const uint64_t bits = (uint64_t)__double_as_longlong(value);
    return __longlong_as_double(
        (long long)((uint64_t)team_from((uint32_t)(bits >> 32), lane) << 32 |
                    team_from((uint32_t)bits, lane)));
}

__device__ __forceinline__ void add_term(const struct fixed &fixed, struct fixed_sum *sum,
                                         double term)
{
    rounded terms = {};
    terms.add_term(fixed, term);
    if (term == 0)
        return;
    add_whole(&sum->coarse, terms.coarse, fixed.coarse_factor);
    add_whole(&sum->fine, terms.fine, fixed.fine_factor);
}

/* As sum_after of rows/tight.c: all lanes have it. */
template <bool TEAM, bool ARCS, class Row, class Length>
__device__ __forceinline__ double sum_after(const view<Row, Length> &view, uint32_t v, double own)
{
    enum { STEP = TEAM ? FETCHES * team_lanes : FETCHES };
    const struct gpu_tight_lists &out = view.tight.out;
    const Row here = view.row[v];
    double sum = 0;
    for (uint64_t e = out.start[v], end = out.start[v + 1]; e < end; e += STEP) {
        const arcs<Length> arcs = read<TEAM>(view, out, here, e, end);
        double part[FETCHES];
#pragma unroll
        for (int f = 0; f < FETCHES; f++)
            part[f] = arcs.ahead[f] ? view.part[arcs.vertex[f]] : 0;
#pragma unroll
        for (int f = 0; f < FETCHES; f++) {
            if (ARCS && arcs.ahead[f])
                add_term(view.tight.fixed, view.tight.arc + place_of<TEAM>(e, f),
                         multiply(own, part[f]));
            if (!TEAM)
                sum = add(sum, part[f]);
            for (team_mask mask = TEAM ? team_ballot(part[f] != 0) : 0; mask != 0;)
                sum = add(sum, from_lane_number(part[f], take_lowest(&mask)));
        }
    }
    return sum;
}

/* Adds the dependency on a vertex whose heads are done. Returns whether paths end there. */
template <bool TEAM, bool ARCS, class Row, class Length>
__device__ bool settle(const view<Row, Length> &view, uint32_t v)
{
    const struct gpu_tight &tight = view.tight;
    const double own = view.part[v], sum = sum_after<TEAM, ARCS>(view, v, own);
    if (v == view.source || (TEAM && team_lane() > 0))
        return false;
    const bool wanted = (!tight.target || tight.target[v]) &&
                        (!tight.limited || (int64_t)view.row[v] <= tight.within);
    const double end = wanted ? 1 : 0;
    add_term(tight.fixed, tight.sum + v, add(multiply(own, sum), tight.ends ? end : 0));
    view.part[v] = add(end / own, sum);
    return wanted;
}

template <bool ARCS, class Row, class Length>
__device__ void go_back(const view<Row, Length> &view, struct shared &shared, uint32_t levels)
{
    const uint32_t least = ARCS ? 0 : 1;
    uint32_t ends = 0;
    for (uint32_t level = levels, end = shared.known; level-- > least;) {
        const uint32_t first = view.level[level];
        __syncthreads();
        for_level(view, first, end,
                  [&]<bool TEAM>(uint32_t v) { ends += settle<TEAM, ARCS>(view, v); });
        end = first;
    }
    if (view.tight.ends && ends > 0)
        atomicAdd(&shared.ends, ends);
}

template <class Row, class Length, bool ARCS>
__global__ void __launch_bounds__(PEELERS) peel_kernel(const struct gpu_tight tight, Row infinite)
{
    __shared__ struct shared shared;
    const uint32_t k = blockIdx.x;
    const view<Row, Length> view(tight, infinite, k);
    if (tight.refused[k])
        return;
    if (threadIdx.x == 0) {
        shared.known = 1;
        shared.beyond = shared.ends = 0;
        view.order[0] = view.source;
    }
    const uint32_t levels = go_forward(view, shared);
    if (levels == 0 || shared.known != tight.reached[k] || shared.beyond) {
        if (threadIdx.x == 0)
            tight.refused[k] = 1;
        return;
    }
    go_back<ARCS>(view, shared, levels);
    __syncthreads();
    if (threadIdx.x == 0 && tight.ends)
        add_term(tight.fixed, tight.sum + view.source, shared.ends);
}

template <class Row, class Length> void take(const struct gpu_tight &tight, gpuStream_t stream)
{
    const uint32_t blocks = (tight.n + COUNTERS - 1) / COUNTERS,
                   threads = tight.n < SMALL ? FEW : PEELERS;
    const Row infinite = infinite_of<Row>(tight.dtype);
    const auto kernel =
        tight.arc ? peel_kernel<Row, Length, true> : peel_kernel<Row, Length, false>;
    const auto counter = count_kernel<Row, Length>;
    counter<<<blocks * tight.count, COUNTERS, 0, stream>>>(tight, infinite, blocks);
    GPU_CHECK(gpuGetLastError());
    kernel<<<tight.count, threads, 0, stream>>>(tight, infinite);
    GPU_CHECK(gpuGetLastError());
}

} // namespace

void gpu_tight_take(const struct gpu_tight *tight, gpuStream_t stream)
{
    if (tight->dtype == DTYPE_U16)
        take<uint16_t, int32_t>(*tight, stream);
    else if (tight->dtype == DTYPE_I32)
        take<int32_t, int32_t>(*tight, stream);
    else
        take<int64_t, int64_t>(*tight, stream);
}
