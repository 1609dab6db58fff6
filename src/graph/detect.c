/* Which source a file is for: by name, by content, by suffix; or what it looks like instead. */
#include "base/setting.h"
#include "base/text.h"
#include "base/unpack.h"
#include "base/words.h"
#include "graph/source.h"

#include <stdlib.h>
#include <string.h>

enum { SHOWN = 40 }; /* bytes of a first line that a message shows */

void graph_source_print(void)
{
    puts("\nformats of GRAPH, told by its content, else by its suffix");
    for (int i = 0; graph_sources[i]; i++)
        printf("  %-8s %s%s%s\n", graph_sources[i]->name, graph_sources[i]->about,
               graph_sources[i]->suffix ? ": " : "",
               graph_sources[i]->suffix ? graph_sources[i]->suffix : "");
}

static bool has_name(const struct graph_source *source, const char *name)
{
    return strcmp(source->name, name) == 0 || (source->alias && strcmp(source->alias, name) == 0);
}

const struct graph_source *graph_source_named(const char *name)
{
    for (int i = 0; graph_sources[i]; i++)
        if (has_name(graph_sources[i], name))
            return graph_sources[i];
    return NULL;
}

const struct graph_source *graph_source_suffixed(const char *path)
{
    for (int i = 0; graph_sources[i]; i++)
        if (graph_sources[i]->suffix && text_has_suffix(path, graph_sources[i]->suffix))
            return graph_sources[i];
    return NULL;
}

const unsigned char *graph_look_line(const struct graph_look *look, const char *comments)
{
    const unsigned char *at = look->text + text_start(look->text, look->have),
                        *end = look->text + look->have;
    while (at < end) {
        while (at < end && text_is_space(*at))
            at++;
        if (at < end && !(*at && strchr(comments, *at)))
            return at;
        while (at < end && *at != '\n')
            at++;
    }
    return NULL;
}

#define PAGE "a page of HTML"

/* Files of other kinds, by their first bytes. */
static const struct kind {
    const char *magic, *what;
    bool never; /* such a file is no graph, whatever its suffix says */
} kinds[] = {
    {"PK\x03\x04", "a ZIP archive", false},
    {"\x89HDF", "an HDF5 file", true},
    {"\x89PNG", "a PNG image", true},
    {"%PDF", "a PDF document", true},
    {"\x7f"
     "ELF",
     "a program", true},
    {"<!DOCTYPE html", PAGE, false},
    {"<!doctype html", PAGE, false},
    {"<html", PAGE, false},
    {"<", "XML or HTML", false},
    {"{", "JSON", false},
    {"[{", "JSON", false},
    {"[[", "JSON", false},
};

static const struct kind *find_kind(const struct graph_look *look)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (look->have >= strlen(kinds[i].magic) &&
            memcmp(look->text, kinds[i].magic, strlen(kinds[i].magic)) == 0)
            return &kinds[i];
    return NULL;
}

static void describe(const struct graph_look *look, char *text, size_t room)
{
    const struct kind *kind = find_kind(look);
    if (kind) {
        snprintf(text, room, "%s", kind->what);
        return;
    }
    const unsigned char *line = graph_look_line(look, "");
    if (!line || memchr(look->text, '\0', look->have)) {
        snprintf(text, room, "binary data of %zu bytes", look->bytes);
        return;
    }
    char shown[SHOWN + 1];
    size_t length = 0;
    for (; length < SHOWN && line + length < look->text + look->have && line[length] >= ' ';
         length++)
        shown[length] = (char)line[length];
    shown[length] = '\0';
    if (strncmp(shown, "graph ", 6) == 0 || strncmp(shown, "digraph ", 8) == 0 ||
        strncmp(shown, "strict ", 7) == 0) {
        snprintf(text, room, "a DOT file, from which gv2gml of Graphviz makes GML");
        return;
    }
    snprintf(text, room, "text that begins with '%s'", shown);
}

static int refuse(const struct graph *graph, const struct graph_look *look,
                  struct apsp_error *error)
{
    char what[2 * SHOWN];
    describe(look, what, sizeof what);
    return error_set(error, APSP_INPUT,
                     "%s: looks like %s, and is a graph in none of the formats %s, as far as its "
                     "beginning tells; %s names one",
                     graph->path, what, graph_source_names(), SETTING(FORMAT));
}

/* The source that is surest of the file; *guess tells how sure. */
static const struct graph_source *guess_source(const struct graph_look *look,
                                               enum graph_guess *guess)
{
    const struct graph_source *best = NULL;
    *guess = GUESS_NO;
    for (int i = 0; graph_sources[i]; i++) {
        enum graph_guess now = graph_sources[i]->guess ? graph_sources[i]->guess(look) : GUESS_NO;
        if (now > *guess) {
            *guess = now;
            best = graph_sources[i];
        }
    }
    return best;
}

static int look_at(struct graph *graph, struct graph_look *look, unsigned char *text,
                   struct apsp_error *error)
{
    graph->bytes = graph->file.bytes;
    *look = (struct graph_look){text, graph->bytes < LOOK_BYTES ? graph->bytes : LOOK_BYTES,
                                graph->bytes};
    if (graph->bytes == 0)
        return error_set(error, APSP_INPUT, "%s: byte 0: the file is empty", graph->path);
    return file_read(&graph->file, 0, text, look->have, error);
}

/* The suffix of a compressed file is what comes before that of its compression. */
static const struct graph_source *find_by_suffix(const struct graph *graph, bool unpacked)
{
    char *path = strdup(graph->path), *dot = path ? strrchr(path, '.') : NULL;
    if (unpacked && dot)
        *dot = '\0';
    const struct graph_source *source = path ? graph_source_suffixed(path) : NULL;
    free(path);
    return source;
}

/* Plainly of another kind than the suffix says. A page is what a server sends in place of a file
 * that it does not have. */
static bool is_other(const struct graph_source *source, const struct graph_look *look)
{
    const struct kind *kind = find_kind(look);
    return kind && (kind->never || strcmp(kind->what, PAGE) == 0 ||
                    (!source->binary && memchr(look->text, '\0', look->have)));
}

/* A pointer stands in the place of a large file that Git LFS has not fetched. */
static int refuse_pointer(const struct graph *graph, const struct graph_look *look,
                          struct apsp_error *error)
{
    static const char pointer[] = "version https://git-lfs.github.com/spec/";
    if (look->have < strlen(pointer) || memcmp(look->text, pointer, strlen(pointer)) != 0)
        return APSP_OK;
    return error_set(
        error, APSP_INPUT,
        "%s: is a pointer of Git LFS, and not the file itself: git lfs pull fetches it",
        graph->path);
}

/* What is compressed is unpacked, once, unless it is a graph as it is. */
static int detect(struct graph *graph, unsigned char *text, struct apsp_error *error)
{
    struct graph_look look;
    enum graph_guess guess;
    bool unpacked = false;
    if (look_at(graph, &look, text, error) != APSP_OK ||
        refuse_pointer(graph, &look, error) != APSP_OK)
        return error->code;
    const struct graph_source *likely = guess_source(&look, &guess);
    if (guess != GUESS_SURE && file_unpack(&graph->file, &unpacked, error) != APSP_OK)
        return error->code;
    if (unpacked) {
        graph->once = true;
        if (look_at(graph, &look, text, error) != APSP_OK)
            return error->code;
        likely = guess_source(&look, &guess);
    }
    if (guess != GUESS_SURE && file_check_text(graph->path, text, look.have, error) != APSP_OK)
        return error->code;
    if (graph->options.format)
        return APSP_OK;
    graph->source = guess == GUESS_SURE ? likely : find_by_suffix(graph, unpacked);
    if (!graph->source)
        graph->source = likely;
    return graph->source && !is_other(graph->source, &look) ? APSP_OK : refuse(graph, &look, error);
}

int graph_detect(struct graph *graph, struct apsp_error *error)
{
    const char *name = graph->options.format;
    if (name && !(graph->source = graph_source_named(name)))
        return words_refuse(error, SETTING(FORMAT), name, NULL, graph_source_names());
    unsigned char *text = malloc(LOOK_BYTES);
    if (!text)
        return error_set(error, APSP_MEMORY, "%s: no memory to open the graph", graph->path);
    const struct graph_source *named = graph->source;
    graph->source = NULL;
    if (detect(graph, text, error) == APSP_OK && name)
        graph->source = named;
    free(text);
    return error->code;
}
