/* How an elimination tree is cut into nodes, against a plain search for the next child. */
#include "unit.h"

#include "base/random.h"
#include "sparse/etree.h"

#include <stdlib.h>

enum { ALPHA = 16, N = 80 };

static uint64_t state_of_random = 3;

static uint32_t draw(uint32_t low, uint32_t high)
{
    return low + random_below(&state_of_random, high - low + 1);
}

struct sample {
    size_t n;
    uint32_t parent[N], count[N], core;
    bool inside[N];
};

/* Of v, the child to be looked at after `after`, or v: the largest count comes first, then the
 * last. */
static uint32_t next_child(const struct sample *sample, uint32_t v, uint32_t after)
{
    const uint32_t *count = sample->count;
    uint32_t next = v;
    for (uint32_t c = 0; c < v; c++) {
        bool left =
            after == v || count[c] < count[after] || (count[c] == count[after] && c < after);
        if (sample->parent[c] == v && left && (next == v || count[c] >= count[next]))
            next = c;
    }
    return next;
}

static void cut_plainly(uint32_t *last, const struct sample *sample)
{
    uint32_t size[N];
    for (uint32_t v = 0; v < sample->n; v++) {
        last[v] = sample->inside[v] ? sample->core : v;
        size[v] = 1;
        for (uint32_t c = v; !sample->inside[v] && (c = next_child(sample, v, c)) != v;) {
            int64_t more = (int64_t)size[c] * ((int64_t)sample->count[v] - sample->count[c]);
            if (size[c] + size[v] > NODE_MAX || more > ALPHA * (int64_t)sample->count[c])
                continue;
            size[v] += size[c];
            for (uint32_t u = 0, old = c; u < v; u++)
                last[u] = last[u] == old ? v : last[u];
        }
    }
}

/* Many parents have many children of few counts, and the last vertices are the core in some. */
static struct sample make_sample(void)
{
    struct sample sample = {.n = draw(1, N)};
    uint32_t n = (uint32_t)sample.n, most = draw(0, draw(0, 30)), near = draw(1, N),
             first = n - draw(0, n / 4);
    for (uint32_t v = 0; v < n; v++) {
        uint32_t beyond = n - 1 - v;
        bool root = beyond == 0 || draw(0, 40) == 0;
        sample.parent[v] = root ? NO_PARENT : draw(v + 1, beyond < near ? n - 1 : v + near);
        sample.count[v] = draw(0, beyond < most ? beyond : most);
        sample.inside[v] = v >= first;
        sample.core = n - 1;
    }
    return sample;
}

static void cuts_of_random_trees(void **state)
{
    (void)state;
    for (int trial = 0; trial < 20000; trial++) {
        struct sample sample = make_sample();
        uint32_t last[N], right[N], scratch[3 * N];
        etree_cut(last, sample.parent, sample.count, sample.inside, sample.n, scratch);
        cut_plainly(right, &sample);
        assert_memory_equal(last, right, sample.n * sizeof *last);
    }
}

/* Most vertices hang below one, each with fewer later neighbours than the one before: to look for
 * the place of each among its siblings takes minutes. */
static void cut_of_a_star(void **state)
{
    enum { LEAVES = 300000, PATH = 1000, ALL = LEAVES + PATH };
    uint32_t *parent = malloc(ALL * sizeof *parent), *count = malloc(ALL * sizeof *count),
             *last = malloc(ALL * sizeof *last), *scratch = malloc(3 * ALL * sizeof *scratch);
    bool *inside = calloc(ALL, sizeof *inside);
    size_t joined = 0;
    (void)state;
    assert_true(parent && count && last && scratch && inside);
    for (uint32_t v = 0; v < ALL; v++) {
        parent[v] = v < LEAVES ? LEAVES : v + 1 < ALL ? v + 1 : NO_PARENT;
        count[v] = v < LEAVES ? PATH - (uint32_t)((uint64_t)v * PATH / LEAVES) : ALL - 1 - v;
    }
    etree_cut(last, parent, count, inside, ALL, scratch);
    for (uint32_t v = 0; v < LEAVES; v++) /* those of the largest count, from the last back */
        joined += last[v] != v && last[v] == last[LEAVES] && v < LEAVES / PATH &&
                  v + NODE_MAX > LEAVES / PATH;
    assert_int_equal(joined, NODE_MAX - 1);
    free(inside);
    free(scratch);
    free(last);
    free(count);
    free(parent);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cuts_of_random_trees),
        cmocka_unit_test(cut_of_a_star),
    };
    return cmocka_run_group_tests_name("etree", tests, NULL, NULL) != 0;
}
