/*
 * Reductions: what is computed of rows without keeping them. A row of the table in reductions.c
 * makes a word to ask for it, a bit of apsp_find_stats, and a column that files of statistics,
 * apsp_stats_column and the Python package give by its name. Steps and merges are those of
 * kernels/reduce.h, which rows on cores and on GPUs share with the engines that count on their way.
 */
#ifndef REDUCTION_H
#define REDUCTION_H

#include "apsp.h"
#include "rows/count.h"

struct stats_counts;

enum reduction_type {
    REDUCTION_COUNT,    /* A number of vertices. */
    REDUCTION_DISTANCE, /* A distance, of the type of rows and in the caller's unit. */
    REDUCTION_SUM,      /* A sum of distances, which may be beyond 64 bits. */
    REDUCTION_REAL,     /* A double, whatever the type of rows. */
};

/* The integer of a sum that has more than 63 bits; the real one holds its value. */
#define REDUCTION_BEYOND INT64_MIN

struct reduction {
    const char *word;         /* The word that asks for it. */
    unsigned counted;         /* The bits that the word stands for (APSP_STATS_..). */
    bool special;             /* The word `all` leaves it out. */
    const char *name;         /* The column; NULL: it has none, as it is not one of vertices. */
    enum reduction_type type; /* The type of the column. */
    /* The value of row k, from the counts of all ranks. NULL: it is made from `row`. */
    struct apsp_value (*finish)(const struct stats_counts *counts, size_t k);
    /* The value of a row of n distances, which is on the host then; of type REDUCTION_REAL. NULL:
     * engines and accumulators count it. */
    double (*row)(enum dtype dtype, const void *row, size_t n);
    int power; /* The value of `row` is of this power of the unit of distances. */
};

/* All there are, up to NULL. Columns have this order, and words that of their first rows. */
extern const struct reduction *const reductions[];

/* The words that ask for reductions: with commas, as words_find takes them. */
const char *reductions_words(void);
/* The bits of words with commas between, and REDUCTIONS_ALL where `all` is one of them; `option`
 * names them in the error. APSP_USAGE. */
#define REDUCTIONS_ALL (1U << 31)
int reductions_parse(const char *option, const char *words, unsigned *counted,
                     struct apsp_error *error);
/* All bits that there are. */
unsigned reductions_bits(void);
/* Whether it is asked for. */
bool reduction_is_counted(const struct reduction *reduction, unsigned counted);
/* The one of number k that has a column among those that are counted; NULL: there are fewer. */
const struct reduction *reductions_column(unsigned counted, size_t k);
/* The one of number k whose values come from `row` among those that are counted, or NULL. */
const struct reduction *reductions_made(unsigned counted, size_t k);

#endif
