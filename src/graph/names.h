/*
 * The names of the vertices of a graph, if these are not consecutive numbers: texts of any bytes
 * but 0, each once, in the order of the vertices.
 */
#ifndef NAMES_H
#define NAMES_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct comm;

enum { NAMES_MAX = INT32_MAX };

struct names_slot { /* of a hash table; empty where vertex is NAMES_EMPTY */
    uint32_t vertex, hash;
    size_t start; /* of the name */
};

struct names {
    size_t count;
    size_t *start; /* of each in `text`, where 0 ends it */
    char *text;
    size_t used, room, starts; /* bytes of text, of those there are; room in start */
    struct names_slot *slot;   /* NULL on ranks that only print */
    size_t slots;              /* a power of two */
    bool numbers;              /* all are integers as they are printed, below 2^63 */
};

/* NULL without memory. */
struct names *names_new(void);
void names_free(struct names *names); /* NULL is allowed */

/* The vertex of that name: the next one, if the name is new. APSP_MEMORY, or APSP_INPUT beyond
 * NAMES_MAX, with a text that does not name the graph. */
int names_take(struct names *names, const char *text, size_t length, uint32_t *vertex,
               struct apsp_error *error);
/* False when there is no such name. */
bool names_find(const struct names *names, const char *text, size_t length, uint32_t *vertex);

/* A name that differs in the case of letters alone, or the only one that begins so; NULL without
 * one. */
const char *names_like(const struct names *names, const char *text);

/* For who will look for several names, which are anywhere in memory: asks for the place of each
 * before it waits for any. First of all of them, which gives their hashes, then for the texts that
 * are there. */
uint32_t names_ask(const struct names *names, const char *text, size_t length);
void names_ask_text(const struct names *names, uint32_t hash);

/* Numbers the vertices anew, in the order of their names: of numbers that of their values, else
 * that of the bytes. APSP_MEMORY. */
int names_sort(struct names *names, struct apsp_error *error);

/* Makes the table in which names are found. APSP_MEMORY. */
int names_index(struct names *names, struct apsp_error *error);

/* Rank 0's names to all ranks, which find none by its text before names_index; *names NULL is none.
 * Collective; ends in agreement: APSP_MEMORY. */
int names_share(struct names **names, struct comm *comm, struct apsp_error *error);

static inline const char *names_at(const struct names *names, size_t vertex)
{
    return names->text + names->start[vertex];
}

/* The labels of vertices: names, or without them numbers from `first` on. */
struct labels {
    size_t first;
    const struct names *names;
};

enum { LABEL_SHOWN = 48 };

/* All of it; numbers are put into text, and names are where they are. */
const char *label_text(struct labels labels, size_t vertex, char text[LABEL_SHOWN]);
/* For JSON: names as strings, numbers as they are. */
void label_print_json(FILE *out, struct labels labels, size_t vertex);
/* The same, of label_json_most bytes at most; returns where it ends. */
char *label_put_json(char *out, struct labels labels, size_t vertex);
size_t label_json_most(struct labels labels);
/* As a field of a table of comma-separated values, of label_csv_most bytes at most; returns where
 * it ends. */
char *label_put_csv(char *out, struct labels labels, size_t vertex);
size_t label_csv_most(struct labels labels);
/* For messages: printable, and cut where it is long. Returns text. */
char *label_show(struct labels labels, size_t vertex, char text[LABEL_SHOWN]);
#define LABEL(labels, vertex) label_show(labels, vertex, (char[LABEL_SHOWN]){0})
/* The vertex of n that is called so; false when there is none. */
bool label_find(struct labels labels, size_t n, const char *text, size_t *vertex);

#endif
