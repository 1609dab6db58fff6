#include "rows/reduction.h"

#include "base/words.h"

#include <stdio.h>
#include <string.h>

/* A word stands for the rows that have it; the first one counts. */
static bool is_first(size_t k)
{
    for (size_t i = 0; i < k; i++)
        if (strcmp(reductions[i]->word, reductions[k]->word) == 0)
            return false;
    return true;
}

const char *reductions_words(void)
{
    static _Thread_local char words[TEXT_SHORT];
    size_t at = 0;
    for (size_t k = 0; reductions[k]; k++)
        if (is_first(k) && at < sizeof words)
            at += (size_t)snprintf(words + at, sizeof words - at, "%s, ", reductions[k]->word);
    if (at < sizeof words)
        snprintf(words + at, sizeof words - at, "all");
    return words;
}

unsigned reductions_bits(void)
{
    unsigned bits = 0;
    for (size_t k = 0; reductions[k]; k++)
        bits |= reductions[k]->counted;
    return bits;
}

static unsigned bits_of(const char *word)
{
    const bool all = strcmp(word, "all") == 0;
    unsigned bits = all ? REDUCTIONS_ALL : 0;
    for (size_t k = 0; reductions[k]; k++)
        if (all ? !reductions[k]->special : strcmp(reductions[k]->word, word) == 0)
            bits |= reductions[k]->counted;
    return bits;
}

static bool is_always_there(const char *word)
{
    for (size_t k = 0; reductions[k]; k++)
        if (reductions[k]->name && strcmp(reductions[k]->name, word) == 0)
            return reductions[k]->counted == APSP_STATS_OUT;
    return false;
}

int reductions_parse(const char *option, const char *words, unsigned *counted,
                     struct apsp_error *error)
{
    *counted = 0;
    for (size_t length; *words; words += length + (words[length] == ',')) {
        char word[TEXT_NUMBER];
        length = strcspn(words, ",");
        snprintf(word, sizeof word, "%.*s", (int)length, words);
        unsigned bits = bits_of(word);
        if (bits == 0 && is_always_there(word))
            return error_set(error, APSP_USAGE, "%s %s: this column is always there, leave it out",
                             option, word);
        if (bits == 0)
            return words_refuse(error, option, word, NULL, reductions_words());
        *counted |= bits;
    }
    return APSP_OK;
}

bool reduction_is_counted(const struct reduction *reduction, unsigned counted)
{
    return (reduction->counted & (counted | APSP_STATS_OUT)) == reduction->counted;
}

const struct reduction *reductions_column(unsigned counted, size_t k)
{
    for (size_t i = 0; reductions[i]; i++)
        if (reductions[i]->name && reduction_is_counted(reductions[i], counted) && k-- == 0)
            return reductions[i];
    return NULL;
}

const struct reduction *reductions_made(unsigned counted, size_t k)
{
    for (size_t i = 0; reductions[i]; i++)
        if (reductions[i]->row && reduction_is_counted(reductions[i], counted) && k-- == 0)
            return reductions[i];
    return NULL;
}
