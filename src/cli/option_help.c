#include "cli/option_help.h"

#include "base/minmax.h"

#include <stdio.h>
#include <string.h>

enum { LINE_WIDTH = 100, INDENT = 2, HELP_MAX = 1000 };

static const char own_options[] = "-h, --help, -V, --version";

char *option_names(char text[OPTION_NAMES], const struct option_row *row)
{
    snprintf(text, OPTION_NAMES, "%s%s%s", row->extra ? row->extra : "", row->extra ? ", " : "",
             row->names ? row->names() : "");
    return text;
}

static int break_line(int column)
{
    printf("\n%*s", column, "");
    return column;
}

/* Prints the text from `column` on, where the cursor is, in lines that all start there. */
static void print_wrapped(const char *text, int column)
{
    for (int at = column; *text; text++) {
        int length = (int)strcspn(text, " \n");
        if (at > column && at + 1 + length > LINE_WIDTH)
            at = break_line(column);
        at += printf("%s%.*s", at > column ? " " : "", length, text);
        text += length;
        if (*text == '\n')
            at = break_line(column);
        if (!*text)
            break;
    }
    putchar('\n');
}

/* The option as --help shows it; returns its length. */
static int label(char text[LINE_WIDTH], const struct option_row *row)
{
    const char *argument = row->argument ? row->argument : "";
    return snprintf(text, LINE_WIDTH, "%s%s%s%s", row->name[1] ? "--" : "-", row->name,
                    *argument && *argument != '[' ? " " : "", argument);
}

static int label_width(const struct option_program *program)
{
    char text[LINE_WIDTH];
    int width = (int)strlen(own_options);
    for (int i = 0; i < program->row_count; i++) {
        int length = program->rows[i].name ? label(text, &program->rows[i]) : 0;
        width = int_max(length, width);
    }
    return width;
}

/* The texts of SPECIAL rows tell their names. */
static bool tells_names(const struct option_row *row)
{
    return row->names && row->kind != OPTION_SPECIAL;
}

static void print_row(const struct option_row *row, int width)
{
    char left[LINE_WIDTH], names[OPTION_NAMES], text[HELP_MAX];
    if (row->kind == OPTION_HEADING) {
        printf("\n%s\n", row->help);
        return;
    }
    label(left, row);
    snprintf(text, sizeof text, "%s%s%s%s%s%s", row->help, tells_names(row) ? ": " : "",
             tells_names(row) ? option_names(names, row) : "", row->otherwise ? " (default: " : "",
             row->otherwise ? row->otherwise : "", row->otherwise ? ")" : "");
    printf("%*s%-*s  ", INDENT, "", width, left);
    print_wrapped(text, INDENT + width + 2);
}

static void print_titled(const char *title, const char *text, int column)
{
    fputs(title, stdout);
    print_wrapped(text, column);
}

void option_help(const struct option_program *program)
{
    static const char usage[] = "usage: ", exits[] = "\nexit codes: ";
    int width = label_width(program);
    print_titled(usage, program->usage, (int)strlen(usage));
    print_titled("\n", program->about, 0);
    if (program->print_list)
        program->print_list();
    for (int i = 0; i < program->row_count; i++)
        print_row(&program->rows[i], width);
    printf("%*s%-*s  print this, or the version, and stop\n", INDENT, "", width, own_options);
    print_titled(exits, program->exits, (int)strlen(exits) - 1);
    print_titled("\nexamples:\n  ", program->examples, INDENT);
}
