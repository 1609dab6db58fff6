#include "base/hash.h"

#include "base/mem.h"
#include "base/size.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum {
    PORTION = SIZE_OF(1 << 18, 1 << 9)
}; /* stays in a core's cache between reading and hashing */

_Static_assert(sizeof(struct hash) == sizeof(XXH128_canonical_t), "the canonical form");

size_t hash_blocks(size_t bytes)
{
    return bytes / HASH_BLOCK + (bytes % HASH_BLOCK > 0);
}

static struct hash canonical(XXH128_hash_t value)
{
    struct hash hash;
    XXH128_canonical_t form;
    XXH128_canonicalFromHash(&form, value);
    memcpy(&hash, &form, sizeof hash);
    return hash;
}

static int hash_block(struct hash *hash, const struct file *file, size_t block,
                      unsigned char *portion, struct apsp_error *error)
{
    XXH3_state_t state;
    size_t at = block * HASH_BLOCK, rest = file->bytes - at,
           end = at + (rest < HASH_BLOCK ? rest : HASH_BLOCK);
    XXH3_INITSTATE(&state);
    XXH3_128bits_reset(&state);
    for (size_t length; at < end; at += length) {
        length = end - at < PORTION ? end - at : PORTION;
        if (file_read(file, at, portion, length, error) != APSP_OK)
            return error->code;
        XXH3_128bits_update(&state, portion, length);
    }
    *hash = canonical(XXH3_128bits_digest(&state));
    return APSP_OK;
}

int hash_range(struct hash *list, const struct file *file, struct range blocks, int threads,
               struct apsp_error *error)
{
#pragma omp parallel num_threads(threads) if (range_length(blocks) > 1)
    {
        struct apsp_error failure = {0};
        unsigned char *portion = malloc(PORTION);
        if (!portion)
            error_set(&failure, APSP_MEMORY, "%s: no memory to hash it", file->path);
#pragma omp for schedule(dynamic)
        for (size_t block = blocks.lo; block < blocks.hi; block++)
            if (!failure.code)
                hash_block(&list[block - blocks.lo], file, block, portion, &failure);
        free(portion);
        if (failure.code) {
#pragma omp critical(hash_error)
            error_set(error, failure.code, "%s", failure.text);
        }
    }
    return error->code;
}

struct hash hash_list(const struct hash *list, size_t count)
{
    return canonical(XXH3_128bits(list, count * sizeof *list));
}

int hash_file(struct hash *hash, const struct file *file, int threads, struct apsp_error *error)
{
    size_t blocks = hash_blocks(file->bytes);
    struct hash *list = malloc(mem_bytes(blocks + 1, sizeof *list));
    if (!list)
        return error_set(error, APSP_MEMORY, "%s: no memory to hash it", file->path);
    if (hash_range(list, file, (struct range){0, blocks}, threads, error) == APSP_OK)
        *hash = hash_list(list, blocks);
    free(list);
    return error->code;
}

struct hasher {
    struct file file;
    pthread_t thread;
    struct hash hash;
    struct apsp_error error;
    atomic_bool stop;
};

/* Block after block, so that it can be stopped. */
static void *hash_aside(void *self)
{
    struct hasher *hasher = self;
    size_t blocks = hash_blocks(hasher->file.bytes);
    struct hash *list = malloc(mem_bytes(blocks + 1, sizeof *list));
    if (!list)
        error_set(&hasher->error, APSP_MEMORY, "no memory");
    for (size_t block = 0; block < blocks && !hasher->stop && !hasher->error.code; block++)
        hash_range(&list[block], &hasher->file, (struct range){block, block + 1}, 1,
                   &hasher->error);
    if (!hasher->stop && !hasher->error.code)
        hasher->hash = hash_list(list, blocks);
    free(list);
    return NULL;
}

/* Signals are for the other threads. */
static bool start_thread(struct hasher *hasher)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool started = pthread_create(&hasher->thread, NULL, hash_aside, hasher) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

struct hasher *hash_start(const struct file *file)
{
    struct hasher *hasher = calloc(1, sizeof *hasher);
    int fd = hasher ? fcntl(file->fd, F_DUPFD_CLOEXEC, 0) : -1;
    if (fd >= 0) {
        hasher->file = *file;
        hasher->file.fd = fd;
        if (start_thread(hasher))
            return hasher;
        close(fd);
    }
    free(hasher);
    return NULL;
}

bool hash_end(struct hasher *hasher, struct hash *hash)
{
    if (!hasher)
        return false;
    pthread_join(hasher->thread, NULL);
    bool found = !hasher->stop && !hasher->error.code && file_is_same(&hasher->file);
    *hash = hasher->hash;
    close(hasher->file.fd);
    free(hasher);
    return found;
}

void hash_cancel(struct hasher *hasher)
{
    struct hash none;
    if (hasher)
        hasher->stop = true;
    hash_end(hasher, &none);
}

const char *hash_version(void)
{
    static _Thread_local char text[20];
    snprintf(text, sizeof text, "%d.%d.%d", XXH_VERSION_MAJOR, XXH_VERSION_MINOR,
             XXH_VERSION_RELEASE);
    return text;
}

uint64_t hash_row(const void *row, size_t bytes, size_t number)
{
    return XXH3_64bits_withSeed(row, bytes, number);
}

const char *hash_text(const struct hash *hash, char text[HASH_TEXT])
{
    for (size_t i = 0; i < sizeof hash->byte; i++)
        snprintf(text + 2 * i, HASH_TEXT - 2 * i, "%02x", hash->byte[i]);
    return text;
}
