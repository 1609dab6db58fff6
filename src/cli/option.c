#include "cli/option.h"

#include "base/error.h"
#include "base/number.h"
#include "base/standard.h"
#include "base/words.h"
#include "cli/option_help.h"
#include "cli/settings.h"

#include <assert.h>
#include <errno.h>
#include <getopt.h>
#include <string.h>
#include <unistd.h>

/* What getopt_long returns: a letter, KEY_ROW and the number of a row with a long name, or one of
 * the rest.
 */
enum {
    KEY_HELP = 256,
    KEY_VERSION,
    KEY_COMPLETION,
    KEY_ROW,
    ROWS_MAX = 96,
    LETTER_HELP = 'h',
    LETTER_VERSION = 'V'
};

struct getopt_tables {
    struct option longs[2 * ROWS_MAX + 4]; /* Aliases come last. */
    int shown;                             /* The number of those that are none. */
    char letters[2 * ROWS_MAX + 4];
};

static int has_argument(const struct option_row *row)
{
    return !row->argument            ? no_argument
           : row->argument[0] == '[' ? optional_argument
                                     : required_argument;
}

static void fill_tables(struct getopt_tables *tables, const struct option_program *program)
{
    struct option *next = tables->longs;
    char *letter = tables->letters;
    assert(program->row_count <= ROWS_MAX);
    *tables = (struct getopt_tables){0};
    *letter++ = ':'; /* a missing argument is told from an unknown option */
    *letter++ = LETTER_HELP;
    *letter++ = LETTER_VERSION;
    *next++ = (struct option){"help", no_argument, NULL, KEY_HELP};
    *next++ = (struct option){"version", no_argument, NULL, KEY_VERSION};
    *next++ = (struct option){"completion", required_argument, NULL, KEY_COMPLETION};
    for (int i = 0; i < program->row_count; i++) {
        const char *name = program->rows[i].name, *argument = program->rows[i].argument;
        if (name && name[1]) {
            *next++ = (struct option){name, has_argument(&program->rows[i]), NULL, KEY_ROW + i};
        } else if (name) {
            *letter++ = name[0];
            if (argument)
                *letter++ = ':';
        }
    }
    tables->shown = (int)(next - tables->longs);
    for (int i = 0; i < program->row_count; i++)
        if (program->rows[i].alias)
            *next++ = (struct option){program->rows[i].alias, has_argument(&program->rows[i]), NULL,
                                      KEY_ROW + i};
}

static const struct option_row *find_row(const struct option_program *program, int key)
{
    const struct option_row *row = program->rows;
    if (key >= KEY_ROW)
        return row + (key - KEY_ROW);
    while (!row->name || row->name[0] != key || row->name[1])
        row++;
    return row;
}

static const char *option_dashes(const struct option_row *row)
{
    return row->name[1] ? "--" : "-";
}

static int take_name(const struct option_row *row, const char *text, const char **field,
                     struct apsp_error *error)
{
    char names[OPTION_NAMES], option[TEXT_SHORT];
    snprintf(option, sizeof option, "%s%s", option_dashes(row), row->name);
    if (words_find(option_names(names, row), text) < 0 && strchr(text, '.'))
        return error_set(error, APSP_USAGE,
                         "%s takes one of %s; files such as '%s' stand behind the options", option,
                         names, text);
    if (words_find(names, text) < 0)
        return words_refuse(error, option, text, row->extra, row->names());
    *field = text;
    return APSP_OK;
}

static int take_number(const struct option_row *row, const char *text, void *field,
                       struct apsp_error *error)
{
    uint64_t value = row->value;
    bool given = text || row->kind != OPTION_ROWS;
    if (row->kind == OPTION_ROWS && text && strcmp(text, "all") == 0)
        value = APSP_VERIFY_ALL;
    else if (given && !number_parse(text, row->low, row->high, &value))
        return error_set(error, APSP_USAGE, "%s%s: '%s' is %s an integer from %llu to %llu",
                         option_dashes(row), row->name, text,
                         row->kind == OPTION_ROWS ? "neither 'all' nor" : "not",
                         (unsigned long long)row->low, (unsigned long long)row->high);
    if (row->kind == OPTION_INT)
        *(int *)field = (int)value;
    else
        *(uint64_t *)field = value;
    return APSP_OK;
}

static int take(const struct option_row *row, char *text, void *field, struct apsp_error *error)
{
    switch (row->kind) {
    case OPTION_HEADING:
        break;
    case OPTION_FLAG:
        *(bool *)field = true;
        break;
    case OPTION_SET:
        *(int *)field = (int)row->value;
        break;
    case OPTION_TEXT:
        *(const char **)field = text;
        break;
    case OPTION_NAME:
        return take_name(row, text, field, error);
    case OPTION_INT:
    case OPTION_U64:
    case OPTION_ROWS:
        return take_number(row, text, field, error);
    case OPTION_SPECIAL:
        return row->parse(text, field, error);
    }
    return APSP_OK;
}

/* What a word may mean that is no option: an option, or an argument that needs none. */
static struct guess guess_option(const struct option_program *program,
                                 const struct getopt_tables *tables, const char *word)
{
    struct guess guess = guess_start(word);
    for (const struct option *row = tables->longs; row < tables->longs + tables->shown; row++)
        guess_try(&guess, row->name, strlen(row->name));
    for (const struct option_row *row = program->rows; row < program->rows + program->row_count;
         row++)
        if (row->name && !row->name[1])
            guess_try(&guess, row->name, 1);
    for (int i = 0; i < program->argument_count; i++)
        if (program->arguments[i].about)
            guess_try(&guess, program->arguments[i].name, strlen(program->arguments[i].name));
    return guess;
}

static int refuse_guessed(const struct option_program *program, const char *text,
                          const struct guess *guess, struct apsp_error *error)
{
    char hint[TEXT_SHORT];
    for (int i = 0; i < program->argument_count; i++)
        if (guess->found == program->arguments[i].name)
            return error_set(error, APSP_USAGE, "unknown option '%s'; %s%s", text, guess->found,
                             program->arguments[i].about);
    return error_set(error, APSP_USAGE, "unknown option '%s'%s", text,
                     guess_text(hint, guess, guess->length > 1 ? "--" : "-"));
}

/* The name of an option in an argument, without dashes and value. */
static char *option_word(char word[TEXT_NUMBER], const char *text)
{
    const char *name = text + strspn(text, "-");
    snprintf(word, TEXT_NUMBER, "%.*s", (int)strcspn(name, "="), name);
    return word;
}

/* One that is no option, or, cut short, several. */
static int refuse_unknown(const struct option_program *program, const struct getopt_tables *tables,
                          const char *text, struct apsp_error *error)
{
    char word[TEXT_NUMBER], several[TEXT_LINE] = "";
    const struct guess guess = guess_option(program, tables, option_word(word, text));
    for (const struct option *row = tables->longs; row < tables->longs + tables->shown; row++) {
        const size_t used = strlen(several);
        if (strncmp(row->name, word, strlen(word)) == 0)
            snprintf(several + used, sizeof several - used, "%s--%s", used > 0 ? ", " : "",
                     row->name);
    }
    if (*word && guess.distance > 0 && strchr(several, ','))
        return error_set(error, APSP_USAGE, "option '%s' is ambiguous: %s", text, several);
    return refuse_guessed(program, text, &guess, error);
}

/* A letter that is no option: one that other programs have so, or those that begin with it, may be
 * meant. */
static int refuse_letter(const struct option_program *program, const struct getopt_tables *tables,
                         int letter, struct apsp_error *error)
{
    const char text[] = {'-', (char)letter, '\0'};
    char likely[TEXT_LINE] = "";
    const struct guess guess = guess_option(program, tables, text + 1);
    if (guess.found)
        return refuse_guessed(program, text, &guess, error);
    size_t used = 0;
    for (const struct option *row = tables->longs; row < tables->longs + tables->shown; row++)
        if (*row->name == letter && used + TEXT_SHORT < sizeof likely)
            used +=
                (size_t)snprintf(likely + used, sizeof likely - used, "%s--%s",
                                 used > 0 ? ", " : "; options that begin with it are ", row->name);
    return error_set(error, APSP_USAGE, "unknown option '%s'%s", text, likely);
}

/* A name that is cut short, and as it stands that of another thing: --out is not --output-type. */
static int check_short(const struct option_program *program, const struct getopt_tables *tables,
                       const struct option_row *row, const char *text, struct apsp_error *error)
{
    char word[TEXT_NUMBER];
    if (strncmp(text, "--", 2) != 0 ||
        strncmp(row->name, option_word(word, text), strlen(word)) != 0 ||
        strlen(row->name) == strlen(word))
        return APSP_OK;
    const struct guess guess = guess_option(program, tables, word);
    return guess.distance == 0 && guess.found != row->name
               ? refuse_guessed(program, text, &guess, error)
               : APSP_OK;
}

/* An option that getopt_long did not take: ':' or '?' as it returned. */
static int refuse(const struct option_program *program, const struct getopt_tables *tables,
                  int answer, char **argv, struct apsp_error *error)
{
    const char *text = argv[optind - 1];
    if (answer == ':')
        return error_set(error, APSP_USAGE, "option '%s' requires an argument", text);
    if (optopt >= KEY_HELP)
        return error_set(error, APSP_USAGE, "option '%s' takes no argument", text);
    if (optopt > 0)
        return refuse_letter(program, tables, optopt, error);
    return refuse_unknown(program, tables, text, error);
}

/* An argument that may be left out stands behind `=`: what looks like one after a blank, and is no
 * file, was meant to. */
static int check_apart(const struct option_row *row, const char *next, struct apsp_error *error)
{
    struct apsp_error not_one = {0};
    uint64_t ignored;
    if (!row->argument || row->argument[0] != '[' || !next || access(next, F_OK) == 0 ||
        take_number(row, next, &ignored, &not_one))
        return APSP_OK;
    return error_set(error, APSP_USAGE, "--%s %s: write --%s=%s, without a blank", row->name, next,
                     row->name, next);
}

/* A word behind an option that looks like the next option. */
static int check_next(const struct option_row *row, const char *word, struct apsp_error *error)
{
    return row->kind == OPTION_TEXT && word && strncmp(word, "--", 2) == 0
               ? error_set(error, APSP_USAGE, "option '%s%s' requires an argument, found '%s'",
                           option_dashes(row), row->name, word)
               : APSP_OK;
}

static void print(const struct option_program *program, int key, struct apsp_error *error)
{
    static char room[1 << 16]; /* all of it at once: a reader such as head may leave early */
    setvbuf(stdout, room, _IOFBF, sizeof room);
    if (key == KEY_COMPLETION) {
        option_complete(program, optarg, error);
        return;
    }
    if (key == KEY_VERSION || key == LETTER_VERSION)
        option_version(program);
    else
        option_help(program);
}

/* The last option that took the word behind it, which may be meant for an argument. */
struct taken {
    const struct option_row *row; /* NULL: none did */
    const char *word;
};

static bool is_lost(const char *path)
{
    return strcmp(path, "-") != 0 && access(path, F_OK) != 0 && errno == ENOENT;
}

/* What may be meant where the first argument is to be a file that is there, and is not. */
static int check_lost(const struct option_program *program, const struct taken *taken, int count,
                      char **words, struct apsp_error *error)
{
    const struct option_argument *arguments = program->arguments;
    if (!arguments[0].is_only_input || !is_lost(words[0]))
        return APSP_OK;
    if (strcmp(words[0], "help") == 0 || strcmp(words[0], "version") == 0)
        return error_set(error, APSP_USAGE, "%s '%s' is not there (did you mean --%s?)",
                         arguments[0].name, words[0], words[0]);
    if (count > 1 && access(words[1], F_OK) == 0)
        return error_set(error, APSP_USAGE,
                         "%s '%s' is not there, but %s '%s' is: do they have to change places?",
                         arguments[0].name, words[0], arguments[1].name, words[1]);
    if (taken->row && access(taken->word, F_OK) == 0)
        return error_set(
            error, APSP_USAGE, "%s '%s' is not there; '%s' was taken as the argument of %s%s",
            arguments[0].name, words[0], taken->word, option_dashes(taken->row), taken->row->name);
    return APSP_OK;
}

/* The error that an argument is missing, since an option took the word. */
static int lack(const struct option_argument *argument, const struct taken *taken,
                struct apsp_error *error)
{
    const struct option_row *row = taken->row;
    char hint[TEXT_SHORT] = "";
    if (row->stream)
        snprintf(hint, sizeof hint, "; %s%s - %s writes to standard output", option_dashes(row),
                 row->name, argument->name);
    return error_set(error, APSP_USAGE, "%s is missing; '%s' was taken as the argument of %s%s%s",
                     argument->name, taken->word, option_dashes(row), row->name, hint);
}

static int take_arguments(const struct option_program *program, const struct taken *taken,
                          char *fields, int count, char **words, struct apsp_error *error)
{
    const struct option_argument *arguments = program->arguments;
    if (count < program->needed && taken->row && access(taken->word, F_OK) == 0)
        return lack(&arguments[count], taken, error);
    if (count < program->needed)
        return error_set(error, APSP_USAGE, "%s is missing", arguments[count].name);
    if (count > program->argument_count && taken->row && access(taken->word, F_OK) != 0)
        return error_set(
            error, APSP_USAGE,
            "'%s' is one argument too many; %s%s took '%s' alone: words of a list have "
            "commas between them",
            words[program->argument_count], option_dashes(taken->row), taken->row->name,
            taken->word);
    if (count > 0 && count <= program->argument_count &&
        check_lost(program, taken, count, words, error))
        return error->code;
    if (count > program->argument_count)
        return error_set(error, APSP_USAGE, "'%s' is one argument too many%s",
                         words[program->argument_count], program->beyond ? program->beyond : "");
    for (int i = 0; i < count; i++)
        *(const char **)(void *)(fields + arguments[i].offset) = words[i];
    return program->check ? program->check(fields, error) : APSP_OK;
}

static int take_line(const struct option_program *program, char *fields, int argc, char **argv,
                     struct apsp_error *error)
{
    struct getopt_tables tables;
    struct taken taken = {NULL, NULL};
    int key;
    fill_tables(&tables, program);
    optind = 0; /* start afresh: there may have been another parse */
    opterr = 0;
    while ((key = getopt_long(argc, argv, tables.letters, tables.longs, NULL)) != -1) {
        if (key == LETTER_HELP || key == LETTER_VERSION || (key >= KEY_HELP && key < KEY_ROW)) {
            print(program, key, error);
            *(bool *)(fields + program->stop) = true;
            return standard_flush(error);
        }
        if (key == '?' || key == ':')
            return refuse(program, &tables, key, argv, error);
        const struct option_row *row = find_row(program, key);
        const bool apart = optarg == argv[optind - 1];
        if (check_short(program, &tables, row, argv[optind - 1 - apart], error) ||
            (!optarg && check_apart(row, argv[optind], error)) ||
            (apart && check_next(row, optarg, error)))
            return error->code;
        if (take(row, optarg, fields + row->offset, error) != APSP_OK)
            return error->code;
        if (row->kind == OPTION_TEXT && apart)
            taken = (struct taken){row, optarg};
    }
    return take_arguments(program, &taken, fields, argc - optind, argv + optind, error);
}

int option_parse(const struct option_program *program, void *fields, int argc, char **argv,
                 struct apsp_error *error)
{
    settings_as_options();
    if (take_line(program, fields, argc, argv, error) == APSP_USAGE) {
        const struct apsp_error cause = *error;
        *error = (struct apsp_error){0};
        error_set(error, cause.code, "%s; see %s --help", cause.text, program->name);
    }
    return error->code;
}
