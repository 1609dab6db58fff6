/*
 * A command line of apsp may be anything: it is refused with one line, or every field is set within
 * its limits, and the same line gives the same again. Arguments stand one a line.
 */
#include "cli/options.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

enum { WORDS = 40 };

static void expect(bool holds)
{
    if (!holds)
        abort();
}

/* What --help prints is of no interest. */
static bool prints(const char *word)
{
    return strncmp(word, "--h", 3) == 0 || strncmp(word, "--ve", 4) == 0;
}

static int parse(struct run_options *options, int argc, char **argv)
{
    char *copy[WORDS + 2];
    struct apsp_error error = {0};
    memcpy(copy, argv, ((size_t)argc + 1) * sizeof *argv); /* which is put in another order */
    *options = (struct run_options){0};
    int code = options_parse(options, argc, copy, &error);
    expect(code == error.code && (code == APSP_OK || code == APSP_USAGE));
    expect(!code || (error.text[0] && !strchr(error.text, '\n')));
    return code;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    char *argv[WORDS + 2] = {(char *)(uintptr_t) "apsp"}, *text = malloc(bytes + 1), *rest, *word;
    struct run_options options, again;
    int argc = 1;
    expect(text != NULL);
    memcpy(text, data, bytes);
    text[bytes] = '\0';
    for (word = strtok_r(text, "\n", &rest); word && argc <= WORDS;
         word = strtok_r(NULL, "\n", &rest))
        if (!prints(word))
            argv[argc++] = word;
    argv[argc] = NULL;
    int code = parse(&options, argc, argv);
    expect(parse(&again, argc, argv) == code);
    if (code == APSP_OK && !options.stop) {
        expect(options.graph && options.graph == again.graph &&
               options.request.tile == again.request.tile);
        expect(options.request.threads >= 0 && options.ranks >= 0 && options.gpus >= 0 &&
               options.ranks_per_node >= 0);
        expect(options.results.verify == again.results.verify &&
               options.results.seed == again.results.seed &&
               options.results.nearest == again.results.nearest);
    }
    free(text);
    return 0;
}
