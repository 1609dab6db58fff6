/* A file of an order may hold anything: it is refused with one line, or is a permutation of the
 * vertices and gives the same bytes again. The pattern is a path of as many vertices as the first
 * byte says. */
#include "base/random.h"
#include "sparse/order_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

enum { MOST = 15 };

static void expect(bool holds)
{
    if (!holds)
        abort();
}

static struct pattern make_path(size_t n, size_t start[MOST + 1], uint32_t to[2 * MOST])
{
    size_t m = 0;
    for (size_t v = 0; v < n; v++) {
        start[v] = m;
        if (v > 0)
            to[m++] = (uint32_t)v - 1;
        if (v + 1 < n)
            to[m++] = (uint32_t)v + 1;
    }
    start[n] = m;
    return (struct pattern){.n = n, .start = start, .to = to};
}

/* The head's own hash, where the next byte wants it, so that what lies behind it is looked at. */
static size_t make_content(unsigned char *content, const struct pattern *pattern,
                           const uint8_t *data, size_t bytes)
{
    uint32_t none[MOST] = {0};
    size_t head = order_file_bytes(0);
    if (bytes == 0 || data[0] % 2 == 0) {
        memcpy(content, data, bytes);
        return bytes;
    }
    order_file_fill(content, none, pattern);
    memcpy(content + head, data + 1, bytes - 1);
    return head + bytes - 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    size_t start[MOST + 1], n = 1 + (bytes > 0 ? data[0] % MOST : 0), seen = 0;
    uint32_t to[2 * MOST], vertex[MOST];
    struct apsp_error error = {0};
    struct pattern pattern = make_path(n, start, to);
    unsigned char again[24 + 4 * MOST], *content = malloc(bytes + sizeof again);
    char path[40];
    int file = memfd_create("order", 0);
    expect(content != NULL);
    size_t length = make_content(content, &pattern, data + (bytes > 0), bytes - (bytes > 0));
    expect(file >= 0 && write(file, content, length) == (ssize_t)length);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    if (order_file_read(vertex, path, &pattern, &error) == APSP_OK) {
        for (size_t i = 0; i < n; i++)
            seen |= (size_t)1 << vertex[i];
        order_file_fill(again, vertex, &pattern);
        expect(seen == ((size_t)1 << n) - 1 && length == order_file_bytes(n) &&
               memcmp(again, content, length) == 0);
    } else {
        expect(error.text[0] && !strchr(error.text, '\n'));
    }
    close(file);
    free(content);
    return 0;
}
