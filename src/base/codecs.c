/* The table of the kinds of compression: of each, what its library's own interface comes to. */
#include "base/unpack.h"

#include <stddef.h>

#define MEMORY_MOST (UINT64_C(256) << 20)

#if __has_include(<zlib.h>)
#include <zlib.h>

static struct {
    __typeof__(inflateInit2_) *begin;
    __typeof__(inflate) *step;
    __typeof__(inflateEnd) *end;
} gzip;

static bool gzip_begin(void *state)
{
    enum { GZIP = 16 };
    return gzip.begin(state, MAX_WBITS + GZIP, ZLIB_VERSION, (int)sizeof(z_stream)) == Z_OK;
}

static bool deflate_begin(void *state)
{
    return gzip.begin(state, -MAX_WBITS, ZLIB_VERSION, (int)sizeof(z_stream)) == Z_OK;
}

static enum unpack_state gzip_step(void *state, struct unpack_stream *stream)
{
    z_stream *z = state;
    z->next_in = stream->in;
    z->avail_in = (unsigned)stream->left;
    z->next_out = stream->out;
    z->avail_out = (unsigned)stream->room;
    int status = gzip.step(z, Z_NO_FLUSH);
    *stream =
        (struct unpack_stream){z->next_in, z->next_out, z->avail_in, z->avail_out, stream->last};
    return status == Z_OK || status == Z_BUF_ERROR ? UNPACK_MORE
           : status == Z_STREAM_END                ? UNPACK_ENDED
           : status == Z_MEM_ERROR                 ? UNPACK_MEMORY
                                                   : UNPACK_DAMAGED;
}

static void gzip_end(void *state)
{
    gzip.end(state);
}

static struct {
    __typeof__(compress2) *compress;
} zlib;

size_t deflate_bytes(void *out, size_t room, const void *data, size_t bytes, int level)
{
    uLongf length = room;
    return zlib.compress(out, &length, data, bytes, level) == Z_OK && length < room ? length : 0;
}

#define ZLIB_FUNCTIONS &zlib
#define GZIP_FUNCTIONS &gzip
#define GZIP           sizeof(z_stream), gzip_begin, gzip_step, gzip_end
#define DEFLATE        sizeof(z_stream), deflate_begin, gzip_step, gzip_end
#else
/* deflate_load has refused before. */
size_t deflate_bytes(void *out, size_t room, const void *data, size_t bytes, int level)
{
    (void)out, (void)room, (void)data, (void)bytes, (void)level;
    return 0;
}

#define ZLIB_FUNCTIONS NULL
#define GZIP_FUNCTIONS NULL
#define GZIP           0, NULL, NULL, NULL
#define DEFLATE        0, NULL, NULL, NULL
#endif

#if __has_include(<zstd.h>)
#include <zstd.h>
#include <zstd_errors.h>

static struct {
    __typeof__(ZSTD_createDStream) *begin;
    __typeof__(ZSTD_DCtx_setParameter) *set;
    __typeof__(ZSTD_decompressStream) *step;
    __typeof__(ZSTD_isError) *is_error;
    __typeof__(ZSTD_getErrorCode) *error;
    __typeof__(ZSTD_freeDStream) *end;
} zstd;

static bool zstd_begin(void *state)
{
    enum { WINDOW = 28 }; /* the logarithm of the limit of memory */
    _Static_assert(MEMORY_MOST == UINT64_C(1) << WINDOW, "the same limit for all");
    ZSTD_DStream *stream = zstd.begin();
    if (stream)
        zstd.set(stream, ZSTD_d_windowLogMax, WINDOW);
    return (*(ZSTD_DStream **)state = stream) != NULL;
}

static enum unpack_state zstd_step(void *state, struct unpack_stream *stream)
{
    ZSTD_inBuffer in = {stream->in, stream->left, 0};
    ZSTD_outBuffer out = {stream->out, stream->room, 0};
    size_t status = zstd.step(*(ZSTD_DStream **)state, &out, &in);
    stream->in += in.pos;
    stream->left -= in.pos;
    stream->out += out.pos;
    stream->room -= out.pos;
    if (zstd.is_error(status))
        return zstd.error(status) == ZSTD_error_frameParameter_windowTooLarge ? UNPACK_MEMORY
                                                                              : UNPACK_DAMAGED;
    return status == 0 ? UNPACK_ENDED : UNPACK_MORE;
}

static void zstd_end(void *state)
{
    zstd.end(*(ZSTD_DStream **)state);
}

#define ZSTD_FUNCTIONS &zstd
#define ZSTD           sizeof(ZSTD_DStream *), zstd_begin, zstd_step, zstd_end
#else
#define ZSTD_FUNCTIONS NULL
#define ZSTD           0, NULL, NULL, NULL
#endif

#if __has_include(<lzma.h>)
#include <lzma.h>

static struct {
    __typeof__(lzma_stream_decoder) *begin;
    __typeof__(lzma_code) *step;
    __typeof__(lzma_end) *end;
} xz;

static bool xz_begin(void *state)
{
    *(lzma_stream *)state = (lzma_stream)LZMA_STREAM_INIT;
    return xz.begin(state, MEMORY_MOST, LZMA_CONCATENATED) == LZMA_OK;
}

static enum unpack_state xz_step(void *state, struct unpack_stream *stream)
{
    lzma_stream *z = state;
    z->next_in = stream->in;
    z->avail_in = stream->left;
    z->next_out = stream->out;
    z->avail_out = stream->room;
    lzma_ret status = xz.step(z, stream->last ? LZMA_FINISH : LZMA_RUN);
    stream->in += stream->left - z->avail_in;
    *stream =
        (struct unpack_stream){stream->in, z->next_out, z->avail_in, z->avail_out, stream->last};
    return status == LZMA_OK || status == LZMA_BUF_ERROR               ? UNPACK_MORE
           : status == LZMA_STREAM_END                                 ? UNPACK_ENDED
           : status == LZMA_MEM_ERROR || status == LZMA_MEMLIMIT_ERROR ? UNPACK_MEMORY
                                                                       : UNPACK_DAMAGED;
}

static void xz_end(void *state)
{
    xz.end(state);
}

#define XZ_FUNCTIONS &xz
#define XZ           sizeof(lzma_stream), xz_begin, xz_step, xz_end
#else
#define XZ_FUNCTIONS NULL
#define XZ           0, NULL, NULL, NULL
#endif

#if __has_include(<bzlib.h>)
#include <bzlib.h>

static struct {
    __typeof__(BZ2_bzDecompressInit) *begin;
    __typeof__(BZ2_bzDecompress) *step;
    __typeof__(BZ2_bzDecompressEnd) *end;
} bzip2;

static bool bzip2_begin(void *state)
{
    return bzip2.begin(state, 0, 0) == BZ_OK;
}

static enum unpack_state bzip2_step(void *state, struct unpack_stream *stream)
{
    bz_stream *z = state;
    z->next_in = (char *)stream->in;
    z->avail_in = (unsigned)stream->left;
    z->next_out = (char *)stream->out;
    z->avail_out = (unsigned)stream->room;
    int status = bzip2.step(z);
    *stream = (struct unpack_stream){(unsigned char *)z->next_in, (unsigned char *)z->next_out,
                                     z->avail_in, z->avail_out, stream->last};
    return status == BZ_OK           ? UNPACK_MORE
           : status == BZ_STREAM_END ? UNPACK_ENDED
           : status == BZ_MEM_ERROR  ? UNPACK_MEMORY
                                     : UNPACK_DAMAGED;
}

static void bzip2_end(void *state)
{
    bzip2.end(state);
}

#define BZIP2_FUNCTIONS &bzip2
#define BZIP2           sizeof(bz_stream), bzip2_begin, bzip2_step, bzip2_end
#else
#define BZIP2_FUNCTIONS NULL
#define BZIP2           0, NULL, NULL, NULL
#endif

static const char *const gzip_symbols[] = {"inflateInit2_", "inflate", "inflateEnd", NULL};
static const char *const zstd_symbols[] = {"ZSTD_createDStream",
                                           "ZSTD_DCtx_setParameter",
                                           "ZSTD_decompressStream",
                                           "ZSTD_isError",
                                           "ZSTD_getErrorCode",
                                           "ZSTD_freeDStream",
                                           NULL};
static const char *const xz_symbols[] = {"lzma_stream_decoder", "lzma_code", "lzma_end", NULL};
static const char *const bzip2_symbols[] = {"BZ2_bzDecompressInit", "BZ2_bzDecompress",
                                            "BZ2_bzDecompressEnd", NULL};

const struct codec codecs[] = {
    {"gzip",
     "\x1f\x8b\x08",
     {"libz.so.1", "zlib1g", "zlib1g-dev", gzip_symbols, GZIP_FUNCTIONS},
     GZIP,
     true},
    {"zstd",
     "\x28\xb5\x2f\xfd",
     {"libzstd.so.1", "libzstd1", "libzstd-dev", zstd_symbols, ZSTD_FUNCTIONS},
     ZSTD,
     false},
    {"xz",
     "\xfd\x37zXZ",
     {"liblzma.so.5", "liblzma5", "liblzma-dev", xz_symbols, XZ_FUNCTIONS},
     XZ,
     false},
    {"bzip2",
     "BZh",
     {"libbz2.so.1.0", "libbz2-1.0", "libbz2-dev", bzip2_symbols, BZIP2_FUNCTIONS},
     BZIP2,
     false},
    {.name = NULL},
};

/* In a ZIP archive, whose directory has what would tell it. */
const struct codec codec_deflate = {
    "ZIP", "", {"libz.so.1", "zlib1g", "zlib1g-dev", gzip_symbols, GZIP_FUNCTIONS}, DEFLATE, false};

int deflate_load(const char *path, const char *what, struct apsp_error *error)
{
    static const char *const compress_symbols[] = {"compress2", NULL};
    static const struct late late = {"libz.so.1", "zlib1g", "zlib1g-dev", compress_symbols,
                                     ZLIB_FUNCTIONS};
    return late_load(&late, path, what, error);
}
