/*
 * LD_PRELOAD: the C library's functions, MPI's and cJSON's as the project's own code calls them,
 * any call of which can be made to fail (strike.h).
 */
#include "strike.h"

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/uio.h>

#define PUBLIC __attribute__((visibility("default")))

/* What dlsym allocates while it looks for an allocator is never freed. */
static void *early(size_t bytes)
{
    static _Alignas(64) char room[1 << 16];
    static _Atomic size_t used;
    size_t at = atomic_fetch_add(&used, (bytes + 63) / 64 * 64);
    return at + bytes <= sizeof room ? room + at : NULL;
}

static _Thread_local bool looking;

static void *next(const char *name)
{
    looking = true;
    void *found = dlsym(RTLD_NEXT, name);
    looking = false;
    return found;
}

#define REAL(name)                                                                                 \
    static void *real;                                                                             \
    if (!real)                                                                                     \
    real = next(#name)

#define SYMBOL(name, type, ...)                                                                    \
    PUBLIC type fault_##name(__VA_ARGS__) __asm__(#name);                                          \
    type fault_##name(__VA_ARGS__)

/* result: what a failure returns; with FIRST the call is made all the same. */
#define CALL(name, memory, first, result)                                                          \
    SYMBOL(name, long, WORDS)                                                                      \
    {                                                                                              \
        REAL(name);                                                                                \
        if (strike(#name, memory, HERE) != PASSES) {                                               \
            int cause = errno;                                                                     \
            if (first)                                                                             \
                ((any_function *)real)(PASSED);                                                    \
            errno = cause;                                                                         \
            return (result);                                                                       \
        }                                                                                          \
        return ((any_function *)real)(PASSED);                                                     \
    }

enum { MPI_OTHER = 16, STREAM_ERROR = 0x20 /* glibc's flag for ferror */ };

#define FAILING(name) CALL(name, false, false, -1)
#define CLOSING(name) CALL(name, false, true, -1)
#define NOTHING(name) CALL(name, false, false, 0)
#define COPYING(name) CALL(name, true, false, 0)
#define TELLING(name) CALL(name, false, false, cause)
#define MESSAGE(name) CALL(name, false, false, MPI_OTHER)
#define PARTING(name) CALL(name, false, true, MPI_OTHER)

/* Allocations, also of dlsym. */
#define ALLOCATING(name, bytes, parameters, ...)                                                   \
    SYMBOL(name, void *, parameters)                                                               \
    {                                                                                              \
        if (looking)                                                                               \
            return early(bytes);                                                                   \
        REAL(name);                                                                                \
        return strike(#name, true, HERE) != PASSES ? NULL                                          \
                                                   : ((void *(*)(parameters))real)(__VA_ARGS__);   \
    }
#define TWO size_t x, size_t y
#define ONE size_t x
ALLOCATING(malloc, x, ONE, x)
ALLOCATING(calloc, x *y, TWO, x, y)
ALLOCATING(aligned_alloc, y, TWO, x, y)
#define RESIZE void *x, size_t y
ALLOCATING(realloc, y, RESIZE, x, y)

COPYING(strdup)
COPYING(strndup)
COPYING(fopencookie)
COPYING(open_memstream)
NOTHING(realpath)

SYMBOL(vasprintf, int, char **text, const char *format, va_list arguments)
{
    REAL(vasprintf);
    return strike("vasprintf", true, HERE) != PASSES
               ? -1
               : ((int (*)(char **, const char *, va_list))real)(text, format, arguments);
}

SYMBOL(asprintf, int, char **text, const char *format, ...)
{
    static void *real;
    va_list arguments;
    if (!real)
        real = next("vasprintf");
    if (strike("asprintf", true, HERE) != PASSES)
        return -1;
    va_start(arguments, format);
    int length = ((int (*)(char **, const char *, va_list))real)(text, format, arguments);
    va_end(arguments);
    return length;
}

/* Memory and descriptors. */
FAILING(mmap)
FAILING(madvise)
FAILING(open)
FAILING(openat)
FAILING(mkostemp)
FAILING(memfd_create)
FAILING(pipe2)
FAILING(dup)
FAILING(dup2)
FAILING(fcntl)
FAILING(signalfd)
FAILING(socket)
FAILING(bind)
NOTHING(opendir)
NOTHING(fopen)
NOTHING(fdopen)

/* Bytes. */
#define MOVING(name, parameters, ...)                                                              \
    SYMBOL(name, ssize_t, parameters)                                                              \
    {                                                                                              \
        REAL(name);                                                                                \
        enum strike how = strike(#name, false, HERE);                                              \
        if (how == HALF && bytes > 1)                                                              \
            bytes /= 2;                                                                            \
        return how == FAILS ? -1 : ((ssize_t(*)(parameters))real)(__VA_ARGS__);                    \
    }
#define LINEAR     int file, const void *data, size_t bytes
#define POSITIONED int file, const void *data, size_t bytes, off_t offset
MOVING(read, LINEAR, file, data, bytes)
MOVING(write, LINEAR, file, data, bytes)
MOVING(pread, POSITIONED, file, data, bytes, offset)
MOVING(pwrite, POSITIONED, file, data, bytes, offset)

SYMBOL(pwritev, ssize_t, int file, const struct iovec *pieces, int count, off_t offset)
{
    REAL(pwritev);
    struct iovec first;
    enum strike how = strike("pwritev", false, HERE);
    if (how == FAILS)
        return -1;
    if (how == HALF && count > 0) {
        first = (struct iovec){pieces->iov_base, (pieces->iov_len + 1) / 2};
        pieces = &first;
        count = 1;
    }
    return ((ssize_t(*)(int, const struct iovec *, int, off_t))real)(file, pieces, count, offset);
}
NOTHING(readdir)
FAILING(readlink)

SYMBOL(fgets, char *, char *text, int room, FILE *stream)
{
    REAL(fgets);
    if (strike("fgets", false, HERE) == PASSES)
        return ((char *(*)(char *, int, FILE *))real)(text, room, stream);
    stream->_flags |= STREAM_ERROR;
    return NULL;
}

SYMBOL(fgetc, int, FILE *stream)
{
    REAL(fgetc);
    if (strike("fgetc", false, HERE) == PASSES)
        return ((int (*)(FILE *))real)(stream);
    stream->_flags |= STREAM_ERROR;
    return EOF;
}

SYMBOL(__isoc99_fscanf, int, FILE *from, const char *format, ...)
{
    static void *real;
    va_list arguments;
    if (!real)
        real = next("__isoc99_vfscanf");
    if (strike("fscanf", false, HERE) != PASSES) {
        from->_flags |= STREAM_ERROR;
        return EOF;
    }
    va_start(arguments, format);
    int found = ((int (*)(FILE *, const char *, va_list))real)(from, format, arguments);
    va_end(arguments);
    return found;
}
FAILING(lseek)
CLOSING(fclose)
SYMBOL(fflush, int, FILE *stream)
{
    REAL(fflush);
    int result = ((int (*)(FILE *))real)(stream);
    if (strike("fflush", false, HERE) == PASSES)
        return result;
    if (stream)
        stream->_flags |= STREAM_ERROR;
    return EOF;
}
CLOSING(close)
CLOSING(closedir)

/* Files and names. */
FAILING(fsync)
FAILING(ftruncate)
FAILING(fallocate)
FAILING(renameat)
FAILING(renameat2)
FAILING(linkat)
FAILING(unlink)
FAILING(unlinkat)
FAILING(mkdir)
FAILING(rmdir)
FAILING(flock)
FAILING(fchmod)
FAILING(access)
FAILING(stat)
FAILING(lstat)
FAILING(fstat)
FAILING(fstatat)
FAILING(fstatvfs)
FAILING(statvfs)
FAILING(getrandom)

/* Processes and threads. */
FAILING(fork)
FAILING(execvp)
FAILING(waitpid)
FAILING(poll)
FAILING(nanosleep)
FAILING(sem_timedwait)
FAILING(setpgid)
FAILING(setenv)
FAILING(getrlimit)
FAILING(setrlimit)
FAILING(sched_getaffinity)
FAILING(sched_setaffinity)
TELLING(pthread_create)
TELLING(posix_spawnp)

SYMBOL(dlopen, void *, const char *path, int how)
{
    REAL(dlopen);
    if (strike("dlopen", false, HERE) != PASSES)
        return ((void *(*)(const char *, int))real)("/nonexistent", how); /* for dlerror */
    void *library = ((void *(*)(const char *, int))real)(path, how);
    strike_modules();
    return library;
}

SYMBOL(sigaction, int, int number, const struct sigaction *now, struct sigaction *before)
{
    REAL(sigaction);
    static bool asked;
    const char *asks = getenv("APSP_FAULT_ASKS");
    int result =
        ((int (*)(int, const struct sigaction *, struct sigaction *))real)(number, now, before);
    if (asks && !asked && now && atoi(asks) == number && strike_program()) {
        asked = true;
        raise(number);
    }
    return result;
}

/* cJSON, where it is no part of the program. */
COPYING(cJSON_CreateObject)
COPYING(cJSON_CreateString)
COPYING(cJSON_AddArrayToObject)
COPYING(cJSON_AddBoolToObject)
COPYING(cJSON_AddNullToObject)
COPYING(cJSON_AddObjectToObject)
COPYING(cJSON_AddRawToObject)
COPYING(cJSON_AddStringToObject)
COPYING(cJSON_Print)
NOTHING(cJSON_ParseWithOpts)

SYMBOL(cJSON_AddNumberToObject, void *, void *object, const char *name, double number)
{
    REAL(cJSON_AddNumberToObject);
    return strike("cJSON_AddNumberToObject", true, HERE) != PASSES
               ? NULL
               : ((void *(*)(void *, const char *, double))real)(object, name, number);
}

/* MPI; the numbers of its errors are Open MPI's. */
MESSAGE(MPI_Allgather)
MESSAGE(MPI_Allreduce)
MESSAGE(MPI_Alltoall)
MESSAGE(MPI_Alltoallv)
MESSAGE(MPI_Barrier)
MESSAGE(MPI_Bcast)
MESSAGE(MPI_Comm_dup)
PARTING(MPI_Comm_free)
MESSAGE(MPI_Comm_rank)
MESSAGE(MPI_Comm_set_errhandler)
MESSAGE(MPI_Comm_size)
MESSAGE(MPI_Comm_split)
MESSAGE(MPI_Comm_split_type)
PARTING(MPI_Finalize)
MESSAGE(MPI_Gather)
MESSAGE(MPI_Iallreduce)
MESSAGE(MPI_Ibarrier)
MESSAGE(MPI_Ibcast)
MESSAGE(MPI_Init_thread)
MESSAGE(MPI_Test)
MESSAGE(MPI_Type_commit)
MESSAGE(MPI_Type_contiguous)
PARTING(MPI_Type_free)
MESSAGE(MPI_Wait)
MESSAGE(MPI_Win_allocate_shared)
PARTING(MPI_Win_free)
MESSAGE(MPI_Win_shared_query)
