/*
 * Scripts that complete a command line in bash and zsh, from the tables that --help is made of.
 * bash splits words at `=` as well as at blanks, unless the user has set COMP_WORDBREAKS. The
 * script handles both cases.
 */
#include "base/words.h"
#include "cli/option_help.h"

#include <stdio.h>
#include <string.h>

static const char own_longs[] = "--help --version";

static const char *dashes(const char *name)
{
    return name[1] ? "--" : "-";
}

static bool is_optional(const struct option_row *row)
{
    return row->argument && row->argument[0] == '[';
}

/* "all" of "[=ROWS|all]": what an argument may be by itself has small letters. */
static void print_alternatives(const char *argument)
{
    static const char small[] = "abcdefghijklmnopqrstuvwxyz0123456789-";
    for (size_t length; *argument; argument += length + (argument[length] != '\0')) {
        length = strspn(argument, small);
        const bool whole = length > 0 && (!argument[length] || strchr("|]", argument[length]));
        if (whole)
            printf(" %.*s", (int)length, argument);
        else
            length = strcspn(argument, "|[=");
    }
}

/* The words of a list, with a blank before each. */
static void print_names(const char *names)
{
    for (; *names; names++)
        if (*names == ',')
            names += strspn(names, ", ") - 1, putchar(' ');
        else
            putchar(*names);
}

/* Words that the argument may be, with a blank before each. */
static void print_words(const struct option_row *row)
{
    char names[OPTION_NAMES];
    if (row->names || row->extra) {
        putchar(' ');
        print_names(option_names(names, row));
    } else {
        print_alternatives(row->argument);
    }
}

static bool takes_file(const struct option_row *row)
{
    return strstr(row->argument, "FILE") != NULL;
}

/* The program's name as a shell function's. */
static void print_function(const struct option_program *program)
{
    putchar('_');
    for (const char *at = program->name; *at; at++)
        putchar(*at == '-' ? '_' : *at);
}

static void print_options(const struct option_program *program)
{
    for (int i = 0; i < program->row_count; i++)
        if (program->rows[i].name)
            printf("%s%s ", dashes(program->rows[i].name), program->rows[i].name);
    fputs(own_longs, stdout);
}

/* An argument that may be left out comes behind `=` alone. */
static void print_bash_case(const struct option_row *row)
{
    const char *dash = dashes(row->name);
    if (is_optional(row))
        printf("    =%s%s)", dash, row->name);
    else
        printf("    %s%s | =%s%s)", dash, row->name, dash, row->name);
    fputs(" words='", stdout);
    print_words(row);
    printf("' files=%s ;;\n", takes_file(row) ? "1" : "");
}

static void print_bash(const struct option_program *program)
{
    const char *(*names)(void) = program->arguments[0].names;
    printf("# Completion of %s in bash; made by %s --completion bash.\n", program->name,
           program->name);
    print_function(program);
    puts("()\n{\n"
         "    local current=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD-1]} start= "
         "words= "
         "files= file\n"
         "    if [[ $current == = ]]; then\n"
         "        current= option==$option\n"
         "    elif [[ $option == = ]]; then\n"
         "        option==${COMP_WORDS[COMP_CWORD-2]}\n"
         "    elif [[ $current == --*=* ]]; then\n"
         "        start=${current%%=*}= option==${current%%=*} current=${current#*=}\n"
         "    fi\n"
         "    case $option in");
    for (int i = 0; i < program->row_count; i++)
        if (program->rows[i].argument)
            print_bash_case(&program->rows[i]);
    fputs("    *)\n"
          "        if [[ $current == -?* ]]; then\n"
          "            words='",
          stdout);
    print_options(program);
    fputs("'\n        else\n            ", stdout);
    if (names) {
        fputs("words='", stdout);
        print_names(names());
        puts("'");
    } else {
        puts("files=1");
    }
    puts("        fi ;;\n"
         "    esac\n"
         "    if [[ $words && $current == *,* ]]; then\n"
         "        start=$start${current%,*}, current=${current##*,}\n"
         "    fi\n"
         "    COMPREPLY=($(compgen -P \"$start\" -W \"$words\" -- \"$current\"))\n"
         "    if [[ $files ]]; then\n"
         "        compopt -o filenames 2>/dev/null\n"
         "        while IFS= read -r file; do\n"
         "            COMPREPLY+=(\"$start$file\")\n"
         "        done < <(compgen -f -- \"$current\")\n"
         "    fi\n"
         "}");
    fputs("complete -F ", stdout);
    print_function(program);
    printf(" %s\n", program->name);
}

/* In single quotes, up to where a help goes into details; what has a meaning of its own is marked.
 */
static void print_quoted(const char *text, const char *marked)
{
    for (const char *at = text; *at && !strchr(";\n(", *at); at++)
        if (*at == '\'')
            fputs("'\\''", stdout);
        else
            printf(strchr(marked, *at) ? "\\%c" : "%c", *at);
}

static void print_zsh_action(const char *argument, const struct option_row *row)
{
    putchar(':');
    print_quoted(argument, ":");
    putchar(':');
    if (takes_file(row)) {
        fputs("_files", stdout);
    } else {
        fputs("(", stdout);
        print_words(row);
        fputs(" )", stdout);
    }
}

static void print_zsh_row(const struct option_row *row)
{
    printf("    '%s%s", dashes(row->name), row->name);
    if (row->argument)
        fputs(is_optional(row) ? "=-" : row->name[1] ? "=" : "+", stdout);
    putchar('[');
    print_quoted(row->help, "[]");
    putchar(']');
    if (is_optional(row))
        putchar(':');
    if (row->argument)
        print_zsh_action(row->argument, row);
    puts("' \\");
}

static void print_zsh(const struct option_program *program)
{
    printf("#compdef %s\n# Completion of %s in zsh; made by %s --completion zsh.\n_arguments \\\n",
           program->name, program->name, program->name);
    for (int i = 0; i < program->row_count; i++)
        if (program->rows[i].name)
            print_zsh_row(&program->rows[i]);
    puts("    '(- *)'{-h,--help}'[print the options, and stop]' \\\n"
         "    '(- *)--version[print the version, and stop]' \\");
    for (int i = 0; i < program->argument_count; i++) {
        const struct option_argument *argument = &program->arguments[i];
        printf("    '%d:%s%s:", i + 1, i < program->needed ? "" : ":", argument->name);
        if (argument->names) {
            fputs("( ", stdout);
            print_names(argument->names());
            fputs(" )", stdout);
        } else {
            fputs("_files", stdout);
        }
        printf("'%s\n", i + 1 < program->argument_count ? " \\" : "");
    }
}

int option_complete(const struct option_program *program, const char *shell,
                    struct apsp_error *error)
{
    if (strcmp(shell, "bash") == 0)
        print_bash(program);
    else if (strcmp(shell, "zsh") == 0)
        print_zsh(program);
    else
        words_refuse(error, "--completion", shell, NULL, "bash, zsh");
    return error->code;
}
