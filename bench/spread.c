/*
 * What narrower inner loops (narrow_gpu.cu) would meet in a whole solve: `spread
 * random|grid|blocks|shuffled N`.
 *
 * `lowered` is the share of the distances that a round lowers, the mean of all rounds, and `a pair`
 * how often that is for a pair. A tile is compact for a range if in each of its lines of both
 * closed panels the finite values are at most that far apart; the last columns are the shares of
 * tiles, of all rounds, that are so for the largest distance, half of it, a quarter and so on: one
 * that is compact for 1/4 does with two bits less.
 *
 * Graphs: random of degree 8; a square grid row by row, in blocks of 8 x 16 that make a pivot each,
 * and in random order. Weights are 1..1000.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PIVOT = 128,
    ENDLESS = (1 << 30) - 1,
    DEGREE = 8,
    HALVINGS = 7,
    BLOCK_ROWS = 8,
    BLOCK_COLS = 16
};

struct solve {
    size_t n;
    int32_t *d, *rows, *cols; /* the matrix and the closed panels, both k-major */
    int32_t *spread[2];       /* of lines of row tiles and of column tiles, each round */
    double lowered;           /* sum over the rounds of shares */
};

static uint32_t random_next(void)
{
    static uint64_t z = 1;
    z = z * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(z >> 33);
}

static void edge(struct solve *s, size_t from, size_t to)
{
    int32_t weight = (int32_t)(random_next() % 1000) + 1, *at = s->d + from * s->n + to;
    *at = weight < *at ? weight : *at;
}

/* The number of a vertex of the grid. */
static size_t place(const char *kind, const uint32_t *order, size_t side, size_t y, size_t x)
{
    if (strcmp(kind, "shuffled") == 0)
        return order[y * side + x];
    if (strcmp(kind, "grid") == 0)
        return y * side + x;
    return (y / BLOCK_ROWS * (side / BLOCK_COLS) + x / BLOCK_COLS) * PIVOT +
           y % BLOCK_ROWS * BLOCK_COLS + x % BLOCK_COLS;
}

static void grid(struct solve *s, const char *kind, size_t side, const uint32_t *order)
{
    for (size_t y = 0; y < side; y++)
        for (size_t x = 0; x < side; x++)
            for (int down = 0; down < 2; down++) {
                size_t to_y = y + (down ? 1 : 0), to_x = x + (down ? 0 : 1);
                if (to_y == side || to_x == side)
                    continue;
                size_t a = place(kind, order, side, y, x), b = place(kind, order, side, to_y, to_x);
                edge(s, a, b);
                edge(s, b, a);
            }
}

static bool make(struct solve *s, const char *kind, size_t side)
{
    size_t n = s->n;
    for (size_t i = 0; i < n * n; i++)
        s->d[i] = i % (n + 1) == 0 ? 0 : ENDLESS;
    if (strcmp(kind, "random") == 0) {
        for (size_t e = 0; e < DEGREE * n; e++)
            edge(s, e / DEGREE, random_next() % n);
        return true;
    }
    uint32_t *order = malloc(n * sizeof *order);
    if (!order || (strcmp(kind, "grid") != 0 && strcmp(kind, "blocks") != 0 &&
                   strcmp(kind, "shuffled") != 0)) {
        free(order);
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        size_t j = random_next() % (i + 1);
        order[i] = order[j];
        order[j] = (uint32_t)i;
    }
    grid(s, kind, side, order);
    free(order);
    return true;
}

/* to[0..n) = min(to, by + from). */
static void relax(int32_t *restrict to, const int32_t *restrict from, int32_t by, size_t n)
{
    for (size_t j = 0; j < n; j++) {
        int32_t sum = by + from[j];
        to[j] = sum < to[j] ? sum : to[j];
    }
}

/* Closes pivot rows and columns in the matrix and copies them to the panels. */
static void close_panels(struct solve *s, size_t lo)
{
    size_t n = s->n;
    for (size_t k = lo; k < lo + PIVOT; k++)
        for (size_t i = lo; i < lo + PIVOT; i++)
            if (i != k)
                relax(s->d + i * n, s->d + k * n, s->d[i * n + k], n);
#pragma omp parallel for
    for (size_t i = 0; i < n; i++) {
        int32_t *row = s->d + i * n + lo;
        for (size_t k = 0; k < PIVOT && (i < lo || i >= lo + PIVOT); k++)
            relax(row, s->d + (lo + k) * n + lo, row[k], PIVOT);
    }
    for (size_t k = 0; k < PIVOT; k++) {
        memcpy(s->rows + k * n, s->d + (lo + k) * n, n * sizeof *s->rows);
        for (size_t i = 0; i < n; i++)
            s->cols[k * n + i] = s->d[i * n + lo + k];
    }
}

/* The widest of the lines of one tile of a panel. */
static int32_t widest(const int32_t *panel, size_t n, size_t first)
{
    int32_t most = 0;
    for (size_t x = first; x < first + PIVOT; x++) {
        int32_t least = ENDLESS, largest = 0;
        for (size_t k = 0; k < PIVOT; k++) {
            int32_t v = panel[k * n + x];
            least = v < least ? v : least;
            largest = v < ENDLESS && v > largest ? v : largest;
        }
        most = largest - least > most ? largest - least : most;
    }
    return most;
}

static void round_of(struct solve *s, size_t r)
{
    size_t n = s->n, tiles = n / PIVOT, lowered = 0;
    close_panels(s, r * PIVOT);
    for (size_t t = 0; t < tiles; t++) {
        s->spread[0][r * tiles + t] = widest(s->cols, n, t * PIVOT);
        s->spread[1][r * tiles + t] = widest(s->rows, n, t * PIVOT);
    }
#pragma omp parallel for reduction(+ : lowered)
    for (size_t i = 0; i < n; i++) {
        int32_t *row = s->d + i * n, old[PIVOT];
        for (size_t j = 0; j < n; j += PIVOT) {
            memcpy(old, row + j, sizeof old);
            for (size_t k = 0; k < PIVOT; k++)
                relax(row + j, s->rows + k * n + j, s->cols[k * n + i], PIVOT);
            for (size_t x = 0; x < PIVOT; x++)
                lowered += row[j + x] < old[x];
        }
    }
    s->lowered += (double)lowered / ((double)n * (double)n);
}

static void report(const struct solve *s, const char *kind)
{
    size_t n = s->n, tiles = n / PIVOT;
    int32_t largest = 0;
    for (size_t i = 0; i < n * n; i++)
        largest = s->d[i] < ENDLESS && s->d[i] > largest ? s->d[i] : largest;
    printf("%-9s %6zu %9d %8.3f %8.2f", kind, n, largest, s->lowered / (double)tiles, s->lowered);
    for (int h = 0; h < HALVINGS; h++) {
        size_t compact = 0;
        for (size_t r = 0; r < tiles; r++) {
            size_t down = 0, across = 0;
            for (size_t t = 0; t < tiles; t++) {
                down += s->spread[0][r * tiles + t] <= largest >> h;
                across += s->spread[1][r * tiles + t] <= largest >> h;
            }
            compact += down * across;
        }
        printf(" %6.3f", (double)compact / ((double)tiles * (double)tiles * (double)tiles));
    }
    printf("\n");
}

int main(int argc, char **argv)
{
    size_t side = 16, wanted = argc == 3 ? strtoull(argv[2], NULL, 10) : 0;
    while ((side + 16) * (side + 16) <= wanted)
        side += 16; /* whole blocks, whole pivots */
    size_t n = side * side, tiles = n / PIVOT;
    struct solve s = {.n = n,
                      .d = malloc(n * n * sizeof *s.d),
                      .rows = malloc(PIVOT * n * sizeof *s.rows),
                      .cols = malloc(PIVOT * n * sizeof *s.cols),
                      .spread = {malloc(tiles * tiles * sizeof **s.spread),
                                 malloc(tiles * tiles * sizeof **s.spread)}};
    bool ready = wanted >= n && s.d && s.rows && s.cols && s.spread[0] && s.spread[1] &&
                 make(&s, argv[1], side);
    for (size_t r = 0; ready && r < tiles; r++)
        round_of(&s, r);
    if (ready) {
        printf("%-9s %6s %9s %8s %8s %6s %6s %6s %6s %6s %6s %6s\n", "#", "n", "largest", "lowered",
               "a pair", "1", "1/2", "1/4", "1/8", "1/16", "1/32", "1/64");
        report(&s, argv[1]);
    } else
        fprintf(stderr,
                "spread random|grid|blocks|shuffled N, N >= 256 and n^2 numbers of memory\n");
    free(s.d);
    free(s.rows);
    free(s.cols);
    free(s.spread[0]);
    free(s.spread[1]);
    return ready ? 0 : 2;
}
