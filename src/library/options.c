#include "library/options.h"

#include "base/algebra.h"
#include "base/dtype.h"
#include "base/error.h"
#include "base/minmax.h"
#include "base/setting.h"
#include "base/threads.h"
#include "base/words.h"
#include "library/library.h"

#include <string.h>

enum { THREADS_MAX = 4096, TILE_MAX = 65536 };

_Static_assert(APSP_U16 == DTYPE_U16 + 1 && APSP_F64 == DTYPE_F64 + 1, "the types have one order");

void apsp_options_reset(struct apsp_options *options, size_t size)
{
    memset(options, 0, size);
    options->size = size;
}

int options_take(void *own, size_t known, const void *given, const char *name,
                 struct apsp_error *error)
{
    size_t size;
    memset(own, 0, known);
    if (!given)
        return APSP_OK;
    memcpy(&size, given, sizeof size);
    if (size < sizeof size)
        return error_set(error, APSP_USAGE, "%s: apsp_%s_init has not been called", name, name);
    for (size_t i = known; i < size; i++)
        if (((const char *)given)[i])
            return error_set(error, APSP_USAGE, "%s: of a newer version than the library, %s", name,
                             APSP_VERSION);
    memcpy(own, given, size_min(size, known));
    return APSP_OK;
}

static int check_ranks(const struct apsp_options *options, struct apsp_error *error)
{
    const int ranks = options->gpus ? options->gpus : options->ranks, most = threads_ranks();
    if (options->ranks && options->gpus)
        return error_set(error, APSP_USAGE, "options: ranks %d and gpus %d: give one of them",
                         options->ranks, options->gpus);
    if (ranks < 0 || ranks > most)
        return error_set(error, APSP_USAGE,
                         "options: %d ranks, and there may be 0 to %d on the processors that this "
                         "process may use",
                         ranks, most);
    if (options->ranks && options->device == APSP_DEVICE_GPU)
        return error_set(error, APSP_USAGE, "options: ranks compute on the CPU; use gpus");
    if (options->gpus && options->device == APSP_DEVICE_CPU)
        return error_set(error, APSP_USAGE, "options: gpus contradict the device CPU");
    return APSP_OK;
}

static int check(const struct apsp_options *options, struct apsp_error *error)
{
    if (check_ranks(options, error))
        return error->code;
    if ((unsigned)options->device > APSP_DEVICE_GPU)
        return error_set(error, APSP_USAGE, "options: device %d is unknown", (int)options->device);
    if (options->threads < 0 || options->threads > THREADS_MAX)
        return error_set(error, APSP_USAGE, "options: %d threads, and there may be 0 to %d",
                         options->threads, THREADS_MAX);
    if (options->tile > TILE_MAX)
        return error_set(error, APSP_USAGE, "options: tile %zu, and it may be 0 to %d",
                         options->tile, TILE_MAX);
    if ((unsigned)options->type > APSP_F64)
        return error_set(error, APSP_USAGE, "options: type %d is not a type to compute in",
                         (int)options->type);
    if ((unsigned)options->output > APSP_F64 && options->output != APSP_NARROW)
        return error_set(error, APSP_USAGE, "options: output %d is not a type of rows",
                         (int)options->output);
    if (options->paths && words_find(algebra_names(), options->paths) < 0)
        return words_refuse(error, SETTING(PATHS), options->paths, NULL, algebra_names());
    if (options->paranoid && options->verify > 0 && options->verify != APSP_VERIFY_ALL)
        return error_set(error, APSP_USAGE,
                         "options: paranoid proves all rows right, and verify is %zu",
                         options->verify);
    return APSP_OK;
}

static const char *name_of(enum apsp_type type)
{
    return type == APSP_AUTO     ? "auto"
           : type == APSP_NARROW ? "narrow"
                                 : dtype_info[type - APSP_U16].name;
}

int options_translate(struct request *request, struct results *results,
                      const struct apsp_options *options, struct apsp_error *error)
{
    struct apsp_options own;
    *request = (struct request){0};
    *results = (struct results){0};
    if (options_take(&own, sizeof own, options, "options", error) || check(&own, error))
        return error->code;
    *request = (struct request){.device = own.ranks  ? APSP_DEVICE_CPU
                                          : own.gpus ? APSP_DEVICE_GPU
                                                     : own.device,
                                .share_gpus = own.share_gpus != 0,
                                .threads = own.threads,
                                .method = own.method,
                                .transport = own.transport ? own.transport : "auto",
                                .sums = own.sums ? own.sums : "auto",
                                .dtype = name_of(own.type),
                                .output_type = name_of(own.output),
                                .tile = own.tile,
                                .beside = own.beside,
                                .paranoid = own.paranoid != 0,
                                .rows_later = true,
                                .rows = own.rows,
                                .paths = own.paths,
                                .held = own.order ? own.order->content : NULL,
                                .held_bytes = own.order ? own.order->bytes : 0,
                                .tell = own.progress,
                                .listener = own.progress_user};
    results->verify = own.paranoid ? APSP_VERIFY_ALL : own.verify;
    return APSP_OK;
}

void options_aside(struct request *request)
{
    request->tell = NULL;
    request->beside = 0;
}

int options_ranks(const struct apsp_options *options, struct apsp_error *error)
{
    struct apsp_options own;
    if (options_take(&own, sizeof own, options, "options", error) || check(&own, error))
        return 0;
    return own.gpus ? own.gpus : own.ranks ? own.ranks : 1;
}
