#include "graph/xml.h"

#include "base/late.h"

#include <stdlib.h>
#include <string.h>

const char *xml_attribute(const char *const *attributes, const char *name)
{
    for (; *attributes; attributes += 2)
        if (strcmp(attributes[0], name) == 0)
            return attributes[1];
    return NULL;
}

void xml_set_text(struct network_text *text, const char *value)
{
    text->there = false;
    if (!value)
        return;
    network_text_start(text);
    network_text_add(text, value, strlen(value));
}

static const char *const symbols[] = {"XML_ParserCreate_MM",
                                      "XML_ParserFree",
                                      "XML_SetUserData",
                                      "XML_SetElementHandler",
                                      "XML_SetCharacterDataHandler",
                                      "XML_SetStartDoctypeDeclHandler",
                                      "XML_Parse",
                                      "XML_StopParser",
                                      "XML_GetErrorCode",
                                      "XML_ErrorString",
                                      "XML_GetCurrentByteIndex",
                                      NULL};

#define LATE(functions)                                                                            \
    {                                                                                              \
        "libexpat.so.1", "libexpat1", "libexpat1-dev", symbols, functions                          \
    }

#if __has_include(<expat.h>)
#include <expat.h>
#include <malloc.h>

static struct {
    __typeof__(XML_ParserCreate_MM) *create;
    __typeof__(XML_ParserFree) *free;
    __typeof__(XML_SetUserData) *set_user;
    __typeof__(XML_SetElementHandler) *set_element;
    __typeof__(XML_SetCharacterDataHandler) *set_text;
    __typeof__(XML_SetStartDoctypeDeclHandler) *set_doctype;
    __typeof__(XML_Parse) *parse;
    __typeof__(XML_StopParser) *stop;
    __typeof__(XML_GetErrorCode) *code;
    __typeof__(XML_ErrorString) *describe;
    __typeof__(XML_GetCurrentByteIndex) *at;
} expat;

static const struct late late = LATE(&expat);

/* Bytes of a tag or a comment, which expat holds as a whole, and of all that it holds: it keeps
 * each name of an element or an attribute to the end. */
enum { TAG_MOST = 1 << 20, MEMORY_MOST = 1 << 26 };

static _Thread_local size_t held;  /* by the parser: a file is read by one thread */
static _Thread_local bool starved; /* there was no memory, within that limit */

static void *resize(void *old, size_t bytes)
{
    size_t before = malloc_usable_size(old);
    bool allowed = bytes <= MEMORY_MOST && held - before <= MEMORY_MOST - bytes;
    void *grown = allowed ? realloc(old, bytes) : NULL;
    starved |= allowed && !grown;
    if (grown)
        held += malloc_usable_size(grown) - before;
    return grown;
}

static void *allocate(size_t bytes)
{
    return resize(NULL, bytes);
}

static void release(void *memory)
{
    held -= malloc_usable_size(memory);
    free(memory);
}

size_t xml_offset(const struct xml *xml)
{
    return (size_t)expat.at(xml->parser);
}

void xml_refuse(struct xml *xml, const char *what)
{
    if (!xml->error->code)
        line_refuse_at(xml->graph, xml_offset(xml), what, xml->error);
}

/* After each element: no more is read once something is refused. */
static void stop_if_refused(struct xml *xml)
{
    if (xml->error->code)
        expat.stop(xml->parser, XML_FALSE);
}

static void on_start(void *self, const char *name, const char **attributes)
{
    struct xml *xml = self;
    if (xml->error->code)
        return;
    if (xml->depth + 1 == NETWORK_DEPTH) {
        xml_refuse(xml, "elements within one another deeper than 100");
    } else {
        const int element = xml->format->start(xml, name, (const char *const *)attributes);
        xml->within[++xml->depth] = element;
    }
    stop_if_refused(xml);
}

static void on_text(void *self, const char *text, int length)
{
    struct xml *xml = self;
    xml->format->text(xml, xml_outer(xml), text, (size_t)length);
}

static void on_end(void *self, const char *name)
{
    struct xml *xml = self;
    (void)name;
    if (xml->error->code)
        return;
    const int element = xml->within[xml->depth--];
    xml->format->end(xml, element);
    stop_if_refused(xml);
}

/* Where entities are declared. */
static void on_doctype(void *self, const char *name, const char *system, const char *public,
                       int has_own)
{
    struct xml *xml = self;
    (void)name, (void)system, (void)public;
    if (!has_own)
        return;
    xml_refuse(xml, "a DTD of its own, which may declare entities that grow without limit");
    expat.stop(xml->parser, XML_FALSE);
}

/* One piece of the file. Tags that do not end within TAG_MOST are refused, so that expat keeps no
 * more. */
static int parse_piece(struct xml *xml, size_t at, size_t bytes, size_t *done)
{
    struct apsp_error *error = xml->error;
    const struct file *file = &xml->graph->file;
    char what[200];
    if (file_read(file, at, xml->buffer, bytes, error) != APSP_OK)
        return error->code;
    bool fine =
        expat.parse(xml->parser, (const char *)xml->buffer, (int)bytes, at + bytes == file->bytes);
    XML_Index index = expat.at(xml->parser);
    if (index > 0 && (size_t)index > *done)
        *done = (size_t)index;
    if (!fine && !error->code) {
        enum XML_Error code = expat.code(xml->parser);
        if (code == XML_ERROR_NO_MEMORY && starved)
            return error_set(error, APSP_MEMORY, "%s: no memory for expat", file->path);
        if (code == XML_ERROR_NO_MEMORY)
            snprintf(what, sizeof what, "expat takes more memory than %d bytes", MEMORY_MOST);
        else
            snprintf(what, sizeof what, "this is not XML: %s", expat.describe(code));
        xml_refuse(xml, what);
    }
    if (!error->code && at + bytes - *done > TAG_MOST + NETWORK_READ)
        line_refuse_at(xml->graph, *done, "a tag or a comment is longer than 1048576 bytes", error);
    return error->code;
}

static int parse(struct xml *xml)
{
    const size_t bytes = xml->graph->file.bytes;
    size_t done = 0;
    for (size_t at = 0; at < bytes;) {
        size_t piece = bytes - at < NETWORK_READ ? bytes - at : NETWORK_READ;
        if (parse_piece(xml, at, piece, &done) != APSP_OK)
            break;
        at += piece;
    }
    return xml->error->code;
}

int xml_read(struct xml *xml, struct graph *graph, const struct xml_format *format,
             struct apsp_error *error)
{
    const XML_Memory_Handling_Suite memory = {allocate, resize, release};
    held = 0;
    starved = false;
    XML_Parser parser = expat.create(NULL, &memory, "|");
    if (!parser)
        return error_set(error, APSP_MEMORY, "%s: no memory to open the graph", graph->path);
    xml->graph = graph;
    xml->error = error;
    xml->format = format;
    xml->parser = parser;
    expat.set_user(parser, xml);
    expat.set_element(parser, on_start, on_end);
    expat.set_text(parser, on_text);
    expat.set_doctype(parser, on_doctype);
    parse(xml);
    expat.free(parser);
    return error->code;
}
#else
static const struct late late = LATE(NULL);

/* late_load has refused before. */
int xml_read(struct xml *xml, struct graph *graph, const struct xml_format *format,
             struct apsp_error *error)
{
    (void)xml, (void)graph, (void)format;
    return error->code;
}

void xml_refuse(struct xml *xml, const char *what)
{
    (void)xml, (void)what;
}

size_t xml_offset(const struct xml *xml)
{
    (void)xml;
    return 0;
}
#endif

int xml_load(const char *path, const char *what, struct apsp_error *error)
{
    return late_load(&late, path, what, error);
}

int xml_open(struct graph *graph, const char *what,
             int (*read)(struct graph *graph, struct apsp_error *error), struct apsp_error *error)
{
    if (xml_load(graph->path, what, error) != APSP_OK)
        return error->code;
    return network_open(graph, read, error);
}

enum graph_guess xml_guess(const struct graph_look *look, const char *root)
{
    const unsigned char *line = graph_look_line(look, "");
    return line && *line == '<' &&
                   memmem(line, (size_t)(look->text + look->have - line), root, strlen(root))
               ? GUESS_SURE
               : GUESS_NO;
}
