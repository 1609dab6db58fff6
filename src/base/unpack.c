#include "base/unpack.h"

#include "base/size.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE = SIZE_OF(1 << 18, 100), MAGIC_MOST = 8 };

struct unpacker {
    const struct codec *codec;
    const struct file *from;
    struct file *to;
    void *state;
    bool begun;
    size_t at, limit; /* read of `from`; bytes that `to` may have */
    struct unpack_stream stream;
    unsigned char in[PIECE], out[PIECE];
};

static const struct codec *find_codec(const struct file *file, struct apsp_error *error)
{
    char start[MAGIC_MOST] = {0};
    size_t have = file->bytes < MAGIC_MOST ? file->bytes : MAGIC_MOST;
    if (file_read(file, 0, start, have, error) != APSP_OK)
        return NULL;
    for (const struct codec *codec = codecs; codec->name; codec++)
        if (memcmp(start, codec->magic, strlen(codec->magic)) == 0)
            return codec;
    return NULL;
}

static int load(const struct codec *codec, const char *path, struct apsp_error *error)
{
    char what[40];
    snprintf(what, sizeof what, "a %s file", codec->name);
    return late_load(&codec->late, path, what, error);
}

static int refuse(const struct unpacker *unpacker, const char *what, struct apsp_error *error)
{
    return error_set(error, APSP_INPUT, "%s: byte %zu: the %s file %s", unpacker->from->path,
                     unpacker->at - unpacker->stream.left, unpacker->codec->name, what);
}

static int fill(struct unpacker *unpacker, struct apsp_error *error)
{
    size_t rest = unpacker->from->bytes - unpacker->at, bytes = rest < PIECE ? rest : PIECE;
    if (unpacker->stream.left > 0 || bytes == 0)
        return APSP_OK;
    if (file_read(unpacker->from, unpacker->at, unpacker->in, bytes, error) != APSP_OK)
        return error->code;
    unpacker->at += bytes;
    unpacker->stream.in = unpacker->in;
    unpacker->stream.left = bytes;
    unpacker->stream.last = bytes == rest;
    return APSP_OK;
}

static int put(struct unpacker *unpacker, struct apsp_error *error)
{
    size_t bytes = (size_t)(unpacker->stream.out - unpacker->out);
    char most[TEXT_NUMBER], own[TEXT_NUMBER];
    bool fits = bytes <= unpacker->limit - unpacker->to->bytes;
    if (!fits && unpacker->codec == &codec_deflate)
        return refuse(unpacker, "holds more bytes than its directory says", error);
    if (!fits)
        return error_set(
            error, APSP_INPUT,
            "%s: holds more than %s, the most that a file of %s may unpack to (1 GiB, or "
            "%d times the file): unpack it, and read what comes out",
            unpacker->from->path, text_bytes(most, unpacker->limit),
            text_bytes(own, unpacker->from->bytes), UNPACK_TIMES);
    return file_append(unpacker->to, unpacker->out, bytes, error);
}

/* One call of the library. A stream that has ended may be followed by another one. */
static int step(struct unpacker *unpacker, enum unpack_state *state, struct apsp_error *error)
{
    struct unpack_stream *stream = &unpacker->stream;
    const struct codec *codec = unpacker->codec;
    if (!unpacker->begun) {
        memset(unpacker->state, 0, codec->bytes);
        if (!codec->begin(unpacker->state))
            return error_set(error, APSP_MEMORY, "%s: no memory to unpack it",
                             unpacker->from->path);
        unpacker->begun = true;
    }
    stream->out = unpacker->out;
    stream->room = PIECE;
    size_t before = stream->left;
    *state = codec->step(unpacker->state, stream);
    if (*state == UNPACK_DAMAGED)
        return refuse(unpacker, "is damaged", error);
    if (*state == UNPACK_MEMORY)
        return refuse(unpacker,
                      "needs more than 256 MiB of memory to unpack, or more than is available",
                      error);
    if (*state == UNPACK_MORE && before == stream->left && stream->room == PIECE)
        return refuse(unpacker, "ends early", error);
    if (*state == UNPACK_ENDED) {
        codec->end(unpacker->state);
        unpacker->begun = false;
    }
    return put(unpacker, error);
}

/* Whether the file goes on after a stream; zeros that fill up a tape or a block are passed over. */
static bool goes_on(struct unpacker *unpacker, struct apsp_error *error)
{
    struct unpack_stream *stream = &unpacker->stream;
    while (fill(unpacker, error) == APSP_OK && stream->left > 0) {
        if (!unpacker->codec->padded || *stream->in)
            return true;
        stream->in++;
        stream->left--;
    }
    return false;
}

static int unpack(struct unpacker *unpacker, struct apsp_error *error)
{
    enum unpack_state state = UNPACK_MORE;
    while (!error->code && (state == UNPACK_MORE || goes_on(unpacker, error)))
        if (fill(unpacker, error) != APSP_OK || step(unpacker, &state, error) != APSP_OK)
            break;
    if (unpacker->begun)
        unpacker->codec->end(unpacker->state);
    return error->code;
}

size_t unpack_limit(const struct file *file)
{
    size_t times;
    if (__builtin_mul_overflow(file->bytes, (size_t)UNPACK_TIMES, &times))
        return SIZE_MAX;
    return times > UNPACK_ALWAYS ? times : UNPACK_ALWAYS;
}

/* From byte `at` of `from` on. */
static int unpack_to(struct file *to, const struct codec *codec, const struct file *from, size_t at,
                     size_t limit, struct apsp_error *error)
{
    struct unpacker *unpacker = calloc(1, sizeof *unpacker);
    void *state = malloc(codec->bytes);
    if (unpacker && state) {
        unpacker->codec = codec;
        unpacker->from = from;
        unpacker->to = to;
        unpacker->state = state;
        unpacker->at = at;
        unpacker->limit = limit;
        unpack(unpacker, error);
    } else {
        error_set(error, APSP_MEMORY, "%s: no memory to unpack it", from->path);
    }
    free(state);
    free(unpacker);
    return error->code;
}

int file_unpack(struct file *file, bool *unpacked, struct apsp_error *error)
{
    struct file packed = *file;
    const struct codec *codec = find_codec(file, error);
    *unpacked = codec != NULL;
    if (!codec || load(codec, file->path, error) != APSP_OK ||
        file_nameless(file, packed.path, error) != APSP_OK)
        return error->code;
    unpack_to(file, codec, &packed, 0, unpack_limit(&packed), error);
    file_close(&packed);
    return error->code;
}

int file_inflate(struct file *to, const struct file *from, struct range where, size_t bytes,
                 struct apsp_error *error)
{
    struct file packed = *from;
    packed.bytes = where.hi;
    if (load(&codec_deflate, from->path, error) != APSP_OK ||
        file_nameless(to, from->path, error) != APSP_OK ||
        unpack_to(to, &codec_deflate, &packed, where.lo, bytes, error) != APSP_OK)
        return error->code;
    if (to->bytes != bytes)
        return error_set(error, APSP_INPUT,
                         "%s: byte %zu: %zu bytes, where the ZIP file's directory says %zu",
                         from->path, where.lo, to->bytes, bytes);
    return APSP_OK;
}
