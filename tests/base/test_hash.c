/* hash.c: the hash of a file by parts and by threads is what its definition says, of one buffer. */
#include "unit.h"

#include "base/hash.h"
#include "folder.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { MOST = 2 * HASH_BLOCK + 12345 };

static unsigned char bytes[MOST];
static char path[sizeof folder + 10];

static void write_file(size_t count)
{
    uint64_t state = count;
    for (size_t i = 0; i < count; i++)
        bytes[i] = (unsigned char)((state = state * UINT64_C(6364136223846793005) + 1) >> 56);
    snprintf(path, sizeof path, "%s/file", folder);
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    assert_int_equal(fwrite(bytes, 1, count, out), count);
    assert_int_equal(fclose(out), 0);
}

static XXH128_canonical_t whole(const void *data, size_t count)
{
    XXH128_canonical_t form;
    XXH128_canonicalFromHash(&form, XXH3_128bits(data, count));
    return form;
}

static void hashes_are_those_of_the_blocks(void **state)
{
    static const size_t sizes[] = {0, 1, 1000, HASH_BLOCK - 1, HASH_BLOCK, HASH_BLOCK + 1, MOST};
    (void)state;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        struct apsp_error error = {0};
        struct file file;
        struct hash hash;
        XXH128_canonical_t list[3];
        size_t blocks = 0;
        write_file(sizes[k]);
        for (size_t at = 0; at < sizes[k]; at += HASH_BLOCK, blocks++)
            list[blocks] =
                whole(bytes + at, sizes[k] - at < HASH_BLOCK ? sizes[k] - at : HASH_BLOCK);
        XXH128_canonical_t right = whole(list, blocks * sizeof *list);
        assert_int_equal(file_open(&file, path, "the file", &error), APSP_OK);
        assert_int_equal(hash_blocks(file.bytes), blocks);
        for (int threads = 1; threads <= 3; threads++) {
            memset(&hash, 0, sizeof hash);
            assert_int_equal(hash_file(&hash, &file, threads, &error), APSP_OK);
            assert_memory_equal(&hash, &right, sizeof hash);
        }
        struct hasher *hasher = hash_start(&file);
        file_close(&file);
        assert_true(hash_end(hasher, &hash));
        assert_memory_equal(&hash, &right, sizeof hash);
    }
}

static void hashes_are_printed_as_others_do(void **state)
{
    char text[HASH_TEXT];
    struct hash hash;
    (void)state;
    for (size_t i = 0; i < sizeof hash.byte; i++)
        hash.byte[i] = (unsigned char)(i * 17);
    assert_string_equal(hash_text(&hash, text), "00112233445566778899aabbccddeeff");
}

static void files_that_change_have_none(void **state)
{
    struct apsp_error error = {0};
    struct file file;
    struct hash hash;
    struct timespec times[2] = {{.tv_sec = 1}, {.tv_sec = 1}};
    (void)state;
    for (int shorter = 0; shorter < 2; shorter++) {
        write_file(MOST);
        assert_int_equal(file_open(&file, path, "the file", &error), APSP_OK);
        if (shorter)
            assert_int_equal(truncate(path, HASH_BLOCK), 0);
        else
            assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
        assert_false(hash_end(hash_start(&file), &hash));
        file_close(&file);
    }
    assert_int_equal(file_open(&file, path, "the file", &error), APSP_OK);
    file.bytes = MOST;
    assert_int_equal(hash_file(&hash, &file, 2, &error), APSP_IO);
    hash_cancel(hash_start(&file));
    hash_cancel(NULL);
    file_close(&file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(hashes_are_those_of_the_blocks),
                                       cmocka_unit_test(hashes_are_printed_as_others_do),
                                       cmocka_unit_test(files_that_change_have_none)};
    return cmocka_run_group_tests_name("hash", tests, make_folder, remove_folder) != 0;
}
