#include "sparse/order_file.h"

#include "base/mem.h"
#include "base/setting.h"

#include <endian.h>
#include <inttypes.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

struct head {
    char magic[8];
    uint32_t version, n;
    uint64_t hash;
};

static const char magic[sizeof((struct head *)0)->magic] = {'a', 'p', 's', 'p', 'o', 'r', 'd', 'e'};

_Static_assert(sizeof(struct head) == 24 && sizeof(size_t) == 8,
               "hash and head are of bytes without gaps");

/* XXH3 (https://xxhash.com) of the lists, from that of their places as the seed. */
static uint64_t hash_of(const struct pattern *pattern)
{
    uint64_t places = XXH3_64bits(pattern->start, (pattern->n + 1) * sizeof *pattern->start);
    return XXH3_64bits_withSeed(pattern->to, pattern->start[pattern->n] * sizeof *pattern->to,
                                places);
}

static int check_head(const struct file *file, const struct head *head,
                      const struct pattern *pattern, struct apsp_error *error)
{
    uint64_t hash = le64toh(head->hash), own = hash_of(pattern);
    if (memcmp(head->magic, magic, sizeof magic) != 0)
        return error_set(error, APSP_INPUT, "%s: is not an order that apsp has written",
                         file->path);
    if (le32toh(head->version) != 1)
        return error_set(error, APSP_INPUT,
                         "%s: is an order of version %" PRIu32 ", and 1 can be read", file->path,
                         le32toh(head->version));
    if (le32toh(head->n) != pattern->n)
        return error_set(error, APSP_INPUT,
                         "%s: is an order of %" PRIu32 " vertices, and the graph has %zu",
                         file->path, le32toh(head->n), pattern->n);
    if (hash != own)
        return error_set(error, APSP_INPUT,
                         "%s: is the order of a graph with other edges: hash %016" PRIx64
                         ", and that of the graph is %016" PRIx64
                         "; where only the order of its lines differs, give %s to both runs",
                         file->path, hash, own, SETTING(SORT_NAMES));
    if (file->bytes != order_file_bytes(pattern->n))
        return error_set(error, APSP_INPUT,
                         "%s: has %zu bytes, and an order of %zu vertices has %zu", file->path,
                         file->bytes, pattern->n, order_file_bytes(pattern->n));
    return APSP_OK;
}

/* Brings the numbers into this machine's form. */
static int check_order(const struct file *file, uint32_t *vertex, size_t n,
                       struct apsp_error *error)
{
    bool *seen = mem_alloc(mem_bytes(n, sizeof *seen));
    if (!seen)
        return error_set(error, APSP_MEMORY, "%s: no memory to read an order of %zu vertices",
                         file->path, n);
    for (size_t i = 0; i < n && !error->code; i++) {
        vertex[i] = le32toh(vertex[i]);
        if (vertex[i] >= n)
            error_set(error, APSP_INPUT,
                      "%s: vertex %" PRIu32 " at position %zu, and the last one is %zu", file->path,
                      vertex[i], i, n - 1);
        else if (seen[vertex[i]])
            error_set(error, APSP_INPUT, "%s: vertex %" PRIu32 " at position %zu is listed twice",
                      file->path, vertex[i], i);
        else
            seen[vertex[i]] = true;
    }
    mem_free(seen);
    return error->code;
}

int order_file_take(uint32_t *vertex, const struct file *file, const struct pattern *pattern,
                    struct apsp_error *error)
{
    struct head head;
    size_t n = pattern->n;
    if (file->bytes < sizeof head)
        error_set(error, APSP_INPUT, "%s: is not an order that apsp has written: it has %zu bytes",
                  file->path, file->bytes);
    else if (file_read(file, 0, &head, sizeof head, error) == APSP_OK &&
             check_head(file, &head, pattern, error) == APSP_OK &&
             file_read(file, sizeof head, vertex, n * sizeof *vertex, error) == APSP_OK)
        check_order(file, vertex, n, error);
    return error->code;
}

int order_file_read(uint32_t *vertex, const char *path, const struct pattern *pattern,
                    struct apsp_error *error)
{
    struct file file;
    if (file_open(&file, path, "the order", error) == APSP_OK)
        order_file_take(vertex, &file, pattern, error);
    file_close(&file);
    return error->code;
}

size_t order_file_bytes(size_t n)
{
    size_t bytes = mem_bytes(n, sizeof(uint32_t));
    mem_add(&bytes, bytes, sizeof(struct head));
    return bytes;
}

void order_file_fill(void *content, const uint32_t *vertex, const struct pattern *pattern)
{
    struct head head = {.version = htole32(1),
                        .n = htole32((uint32_t)pattern->n),
                        .hash = htole64(hash_of(pattern))};
    uint32_t *to = (uint32_t *)((char *)content + sizeof head);
    memcpy(head.magic, magic, sizeof magic);
    memcpy(content, &head, sizeof head);
    for (size_t i = 0; i < pattern->n; i++)
        to[i] = htole32(vertex[i]);
}
