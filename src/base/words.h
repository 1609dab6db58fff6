/* Words in lists such as "auto, cpu, gpu": finds a word, and suggests the nearest one if there is
 * no such word. */
#ifndef WORDS_H
#define WORDS_H

#include "base/error.h"
#include "base/text.h"

/* The candidate tried so far that is nearest to the word, if any is near. */
struct guess {
    const char *word;
    const char *found; /* NULL: none */
    int length;        /* of it */
    size_t distance;
};

struct guess guess_start(const char *word);
void guess_try(struct guess *guess, const char *candidate, size_t length);
/* " (did you mean DASHESFOUND?)", or ""; returns text. */
char *guess_text(char text[TEXT_SHORT], const struct guess *guess, const char *dashes);

/* The same of a list. */
char *words_hint(char text[TEXT_SHORT], const char *word, const char *names);

/* The place of a word in a list, or -1. */
int words_find(const char *names, const char *word);

/* APSP_USAGE: "OPTION WORD: not one of NAMES", with a guess; `extra` are names before those, or
 * NULL. */
int words_refuse(struct apsp_error *error, const char *option, const char *word, const char *extra,
                 const char *names);

#endif
