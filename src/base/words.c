/* Distances of words count letters that are put in, left out, replaced, or exchanged with the next
 * one: F. J. Damerau, "A technique for computer detection and correction of spelling errors",
 * Communications of the ACM 7, 1964, in the form that changes no place twice. */
#include "base/words.h"

#include "base/minmax.h"
#include "base/text.h"

#include <stdint.h>
#include <string.h>

enum { LONGEST = 32 };

static bool same(char a, char b)
{
    return text_lower(a) == text_lower(b);
}

/* Neither is longer than LONGEST. */
static size_t distance(const char *a, size_t rows, const char *b, size_t columns)
{
    size_t d[LONGEST + 1][LONGEST + 1];
    for (size_t i = 0; i <= rows; i++)
        for (size_t j = 0; j <= columns; j++) {
            d[i][j] = i + j;
            if (i == 0 || j == 0)
                continue;
            d[i][j] = size_min(size_min(d[i - 1][j], d[i][j - 1]) + 1,
                               d[i - 1][j - 1] + !same(a[i - 1], b[j - 1]));
            if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]))
                d[i][j] = size_min(d[i][j], d[i - 2][j - 2] + 1);
        }
    return d[rows][columns];
}

/* What other programs call the same. */
static const char *const synonyms[][2] = {{"byte", "u8"},
                                          {"uint8", "u8"},
                                          {"uint16", "u16"},
                                          {"int32", "i32"},
                                          {"int", "i32"},
                                          {"int64", "i64"},
                                          {"long", "i64"},
                                          {"float32", "f32"},
                                          {"single", "f32"},
                                          {"float64", "f64"},
                                          {"double", "f64"},
                                          {"float", "f64"},
                                          {"floyd", "dense"},
                                          {"warshall", "dense"},
                                          {"floyd-warshall", "dense"},
                                          {"fw", "dense"},
                                          {"dijkstra", "sssp"},
                                          {"bfs", "sssp"},
                                          {"johnson", "sssp"},
                                          {"dissection", "sparse"},
                                          {"csv", "list"},
                                          {"tsv", "list"},
                                          {"txt", "list"},
                                          {"edgelist", "list"},
                                          {"dimacs", "gr"},
                                          {"numpy", "npy"},
                                          {"scipy", "npz"},
                                          {"matrixmarket", "mtx"},
                                          {"matrix-market", "mtx"},
                                          {"matrix", "table"},
                                          {"adjacency", "table"},
                                          {"mm", "mtx"},
                                          {"xml", "graphml"},
                                          {"gephi", "gexf"},
                                          {"net", "pajek"},
                                          {"closeness", "out"},
                                          {"eccentricity", "out"},
                                          {"algorithm", "method"},
                                          {"engine", "method"},
                                          {"precision", "dtype"},
                                          {"jobs", "threads"},
                                          {"cores", "threads"},
                                          {"processes", "ranks"},
                                          {"np", "ranks"},
                                          {"overwrite", "force"},
                                          {"histogram", "plot"},
                                          {"labels", "label-key"},
                                          {"cuda", "gpu"},
                                          {"hip", "gpu"},
                                          {"nvidia", "gpu"},
                                          {"amd", "gpu"}};

static bool is_synonym(const char *word, const char *candidate, size_t length)
{
    for (size_t i = 0; i < sizeof synonyms / sizeof *synonyms; i++)
        if (text_alike(word, synonyms[i][0], SIZE_MAX) && strlen(synonyms[i][1]) == length &&
            memcmp(synonyms[i][1], candidate, length) == 0)
            return true;
    return false;
}

struct guess guess_start(const char *word)
{
    return (struct guess){.word = word, .distance = SIZE_MAX};
}

/* One letter may be wrong, or a third of them, and what follows two or more may be missing; unless
 * the candidate has another name. */
void guess_try(struct guess *guess, const char *candidate, size_t length)
{
    enum { LETTERS = 3, BEGINNING = 2 };
    const size_t typed = strlen(guess->word);
    if (typed == 0 || typed > LONGEST || length > LONGEST)
        return;
    const bool synonym = is_synonym(guess->word, candidate, length);
    size_t wrong = synonym ? 0 : distance(guess->word, typed, candidate, length);
    if (!synonym && typed >= BEGINNING && typed < length &&
        strncmp(guess->word, candidate, typed) == 0)
        wrong = 1;
    if (!synonym && (wrong >= guess->distance || (wrong > 1 && wrong > typed / LETTERS) ||
                     wrong >= size_min(typed, length)))
        return;
    guess->found = candidate;
    guess->length = (int)length;
    guess->distance = wrong;
}

char *guess_text(char text[TEXT_SHORT], const struct guess *guess, const char *dashes)
{
    text[0] = '\0';
    if (guess->found)
        snprintf(text, TEXT_SHORT, " (did you mean %s%.*s?)", dashes, guess->length, guess->found);
    return text;
}

/* What follows a word of a list: blanks may stand behind commas. */
static const char *next_word(const char *word, size_t length)
{
    word += length + (word[length] == ',');
    return word + strspn(word, " ");
}

char *words_hint(char text[TEXT_SHORT], const char *word, const char *names)
{
    struct guess guess = guess_start(word);
    for (size_t length; *names; names = next_word(names, length)) {
        length = strcspn(names, ",");
        guess_try(&guess, names, length);
    }
    return guess_text(text, &guess, "");
}

int words_find(const char *names, const char *word)
{
    for (int i = 0; *names; i++) {
        const size_t length = strcspn(names, ",");
        if (strlen(word) == length && memcmp(names, word, length) == 0)
            return i;
        names = next_word(names, length);
    }
    return -1;
}

int words_refuse(struct apsp_error *error, const char *option, const char *word, const char *extra,
                 const char *names)
{
    char all[TEXT_LINE], hint[TEXT_SHORT];
    snprintf(all, sizeof all, "%s%s%s", extra ? extra : "", extra ? ", " : "", names);
    return error_set(error, APSP_USAGE, "%s %s: not one of %s%s", option, word, all,
                     words_hint(hint, word, all));
}
