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
static const struct synonyms {
    const char *meant, *words;
} synonyms[] = {
    /* values */
    {"u8", "byte,uint8"},
    {"u16", "uint16"},
    {"i32", "int32,int"},
    {"i64", "int64,long"},
    {"f32", "float32,single"},
    {"f64", "float64,double,float"},
    {"dense", "floyd,warshall,floyd-warshall,fw,complete,clique"},
    {"sssp", "dijkstra,bfs,johnson"},
    {"sparse", "dissection"},
    {"list", "csv,tsv,txt,edgelist"},
    {"gr", "dimacs"},
    {"npy", "numpy"},
    {"npz", "scipy"},
    {"mtx", "matrixmarket,matrix-market,mm"},
    {"table", "matrix,adjacency"},
    {"graphml", "xml"},
    {"gexf", "gephi"},
    {"pajek", "net"},
    {"gpu", "cuda,hip,nvidia,amd"},
    {"random", "erdos,erdos-renyi,er,gnp,gnm"},
    {"rmat", "kronecker,scale-free,power-law,barabasi,ba"},
    {"grid", "mesh,road,roads"},
    {"path", "chain,line"},
    /* options */
    {"method", "algorithm,alg,engine"},
    {"dtype", "precision"},
    {"threads", "jobs,cores,j,cpus,num-threads"},
    {"ranks", "processes,np,n,procs"},
    {"force", "overwrite"},
    {"quiet", "silent"},
    {"progress", "verbose"},
    {"json", "log"},
    {"plot", "histogram"},
    {"stats", "closeness,average,mean,eccentricity"},
    {"betweenness", "centrality"},
    {"label-key", "labels"},
    {"weight-key", "weights,w,attribute"},
    {"reverse", "transpose"},
    {"tile", "block-size,block"},
    {"sources", "from,src,origins"},
    {"targets", "to,dst,destinations"},
    {"nearest", "k,top,knn,neighbors,neighbours"},
    {"within", "max-distance,radius,limit"},
    {"verify", "check,validate"},
    {"estimate", "dry-run,memory"},
    {"rows", "verify,sample"},
    {"n", "nodes,vertices,size"},
    {"m", "edges"},
    {"d", "degree"},
    {"s", "seed"},
    {"w", "weights,weight"},
    {"o", "output,out,outfile"},
    /* arguments */
    {"GRAPH", "input,in,i,file,delimiter,delim,separator,sep,header"},
    {"DISTANCES", "output,out,outfile,o,csv,output-format"},
    {"FAMILY", "graph,type,model,kind"},
    {"V", "to,target"}};

static const char *next_word(const char *word, size_t length);

/* How far a word is from what other programs call the candidate. */
static size_t synonym_distance(const char *word, size_t typed, const char *candidate, size_t length)
{
    size_t least = SIZE_MAX;
    for (size_t i = 0; i < sizeof synonyms / sizeof *synonyms; i++) {
        const char *other = synonyms[i].words;
        if (strlen(synonyms[i].meant) != length ||
            memcmp(synonyms[i].meant, candidate, length) != 0)
            continue;
        for (size_t letters; *other; other = next_word(other, letters)) {
            letters = strcspn(other, ",");
            least = size_min(least, distance(word, typed, other, letters));
        }
    }
    return least;
}

struct guess guess_start(const char *word)
{
    return (struct guess){.word = word, .distance = SIZE_MAX};
}

/* One letter may be wrong, or a third of them, and what follows two or more may be missing. The
 * candidate may have another name, in which one letter may be wrong if it is long. */
void guess_try(struct guess *guess, const char *candidate, size_t length)
{
    enum { LETTERS = 3, BEGINNING = 2, LONG = 5 };
    const size_t typed = strlen(guess->word);
    if (typed == 0 || typed > LONGEST || length > LONGEST)
        return;
    const size_t other = synonym_distance(guess->word, typed, candidate, length);
    const bool synonym = other == 0 || (other == 1 && typed >= LONG);
    size_t wrong = synonym ? other : distance(guess->word, typed, candidate, length);
    if (!synonym && typed >= BEGINNING && typed < length &&
        strncmp(guess->word, candidate, typed) == 0)
        wrong = 1;
    if ((wrong > 0 && wrong >= guess->distance) ||
        (!synonym && ((wrong > 1 && wrong > typed / LETTERS) || wrong >= size_min(typed, length))))
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
