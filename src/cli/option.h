/* Command lines from tables: one row is one option, and parsing, messages and --help come from it.
 */
#ifndef OPTION_H
#define OPTION_H

#include "apsp.h"

#include <stdbool.h>

enum option_kind {
    OPTION_HEADING, /* no option: help is the heading over the rows that follow */
    OPTION_FLAG,    /* bool: true */
    OPTION_SET,     /* int: `value` */
    OPTION_INT,     /* int: an integer of low .. high */
    OPTION_U64,     /* uint64_t or size_t: the same */
    OPTION_ROWS, /* size_t: the same, or APSP_VERIFY_ALL for "all", or `value` without an argument
                  */
    OPTION_TEXT, /* const char *: anything */
    OPTION_NAME, /* const char *: one of names() */
    OPTION_SPECIAL, /* whatever parse() makes of it */
};

struct option_row {
    enum option_kind kind;
    const char *name; /* --NAME; of one character: -N */
    const char
        *argument; /* as --help shows it; NULL: takes none; starts with '[': may be left out */
    size_t offset; /* of the field in the program's structure */
    uint64_t low, high, value;
    const char *(*names)(
        void); /* comma-separated, for --help too where the help does not tell them; NULL: none */
    const char *extra; /* names before those: "auto"; NULL: none */
    int (*parse)(const char *text, void *field, struct apsp_error *error);
    const char *help,
        *otherwise;    /* otherwise: the default, for --help; NULL: goes without saying */
    const char *alias; /* --ALIAS, an older name that no list shows; NULL: none */
    bool stream;       /* its argument is a file to write, and - standard output */
};

/* An argument without a dash, by its place. Its field is a const char *, left as it is if none is
 * given. */
struct option_argument {
    const char *name;
    size_t offset;
    const char *(*names)(void); /* what it is one of; NULL: a file, or anything */
    bool is_only_input;         /* it is a file that is there, and no other argument is */
    const char *about; /* what follows its name where a word like an option means it; NULL: none */
};

/* Texts for --help are wrapped; a newline in them is one. */
struct option_program {
    const char *name, *usage, *about, *exits, *examples;
    void (*print_list)(void); /* what --help shows before the options; NULL: nothing */
    const struct option_row *rows;
    const struct option_argument *arguments;
    int row_count, argument_count, needed; /* so many arguments must be there */
    const char *beyond; /* "; where other words belong", for one argument too many; NULL: nothing */
    size_t stop;        /* offset of a bool: --help or --version has been printed */
    /* Checks several options together; NULL: nothing. */
    int (*check)(void *fields, struct apsp_error *error);
};

/*
 * Sets the fields that argv names; the others keep their defaults. --help and --version print to
 * stdout and set the field `stop`. So does --completion bash or zsh, which --help does not list: it
 * prints the completion of the command line for that shell. Returns APSP_OK or APSP_USAGE with a
 * message that ends in "; see NAME --help".
 */
int option_parse(const struct option_program *program, void *fields, int argc, char **argv,
                 struct apsp_error *error);

#endif
