#include "base/zip.h"

#include "base/crc32.h"
#include "base/minmax.h"
#include "base/size.h"
#include "base/unpack.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#define SIZE_32 UINT32_MAX /* stands for one of 64 bits elsewhere */

enum { PIECE = SIZE_OF(1 << 16, 100) };
enum { STORED = 0, DEFLATED = 8, ENCRYPTED = 1, EXTRA_64 = 1 };

/* Bytes of the parts of an archive: its end, the end with 64 bits, the locator of that, an entry of
 * the directory, and the head of a member. The last two are without their names. */
enum {
    END_BYTES = 22,
    END64_BYTES = 56,
    LOCATOR_BYTES = 20,
    ENTRY_BYTES = 46,
    LOCAL_BYTES = 30,
    COMMENT_MAX = 65535
};

static unsigned load16(const unsigned char *at)
{
    uint16_t value;
    memcpy(&value, at, sizeof value);
    return le16toh(value);
}

static uint32_t load32(const unsigned char *at)
{
    uint32_t value;
    memcpy(&value, at, sizeof value);
    return le32toh(value);
}

static uint64_t load64(const unsigned char *at)
{
    uint64_t value;
    memcpy(&value, at, sizeof value);
    return le64toh(value);
}

static int zip_refuse(const struct file *file, size_t offset, const char *what,
                      struct apsp_error *error)
{
    return error_set(error, APSP_INPUT, "%s: byte %zu: %s", file->path, offset, what);
}

/* Whether bytes at that offset lie in the file. */
static bool is_inside(const struct file *file, size_t offset, size_t bytes)
{
    return offset <= file->bytes && bytes <= file->bytes - offset;
}

/* The directory, and how many members it has. */
struct directory {
    struct range where;
    size_t count;
};

/* Of an archive with 64-bit sizes, which the record before its end at `end` tells. */
static int find_wide(const struct file *file, size_t end, struct directory *directory,
                     struct apsp_error *error)
{
    unsigned char locator[LOCATOR_BYTES], record[END64_BYTES];
    if (end < LOCATOR_BYTES)
        return APSP_OK;
    if (file_read(file, end - LOCATOR_BYTES, locator, LOCATOR_BYTES, error) != APSP_OK)
        return error->code;
    if (memcmp(locator, "PK\6\7", 4) != 0)
        return APSP_OK;
    size_t at = load64(locator + 8);
    if (!is_inside(file, at, END64_BYTES))
        return zip_refuse(file, end - LOCATOR_BYTES + 8,
                          "the ZIP archive's end lies outside the file", error);
    if (file_read(file, at, record, END64_BYTES, error) != APSP_OK)
        return error->code;
    if (memcmp(record, "PK\6\6", 4) != 0)
        return zip_refuse(file, at, "the ZIP archive's end is not there", error);
    size_t bytes = load64(record + 40), offset = load64(record + 48);
    *directory = (struct directory){{offset, bytes}, load64(record + 32)};
    return APSP_OK;
}

/* The end of the archive, before a comment. */
static int find_directory(const struct file *file, struct directory *directory,
                          struct apsp_error *error)
{
    size_t most = END_BYTES + COMMENT_MAX, bytes = size_min(file->bytes, most), i = bytes;
    unsigned char *tail = malloc(bytes);
    if (!tail)
        return error_set(error, APSP_MEMORY, "%s: no memory to open it", file->path);
    if (file_read(file, file->bytes - bytes, tail, bytes, error) == APSP_OK) {
        for (i = bytes < END_BYTES ? 0 : bytes - END_BYTES + 1; i-- > 0;)
            if (memcmp(tail + i, "PK\5\6", 4) == 0)
                break;
        if (i == SIZE_MAX)
            zip_refuse(file, file->bytes, "the ZIP archive ends early: it has no directory", error);
        else
            *directory = (struct directory){{load32(tail + i + 16), load32(tail + i + 12)},
                                            load16(tail + i + 10)};
    }
    free(tail);
    if (error->code || find_wide(file, file->bytes - bytes + i, directory, error) != APSP_OK)
        return error->code;
    size_t offset = directory->where.lo, length = directory->where.hi;
    if (!is_inside(file, offset, length))
        return zip_refuse(file, file->bytes, "the ZIP archive's directory lies outside the file",
                          error);
    directory->where.hi += offset;
    return APSP_OK;
}

/* Sizes that have no place in 32 bits follow each other in the extra fields. */
static bool take_wide(struct zip_member *member, const unsigned char *extra, size_t bytes)
{
    size_t *const sizes[] = {&member->bytes, &member->packed, &member->at};
    bool wide = member->bytes == SIZE_32 || member->packed == SIZE_32 || member->at == SIZE_32;
    while (wide && bytes >= 4) {
        size_t length = load16(extra + 2);
        if (length > bytes - 4)
            return false;
        if (load16(extra) == EXTRA_64) {
            size_t used = 0;
            for (int i = 0; i < 3; i++) {
                if (*sizes[i] != SIZE_32)
                    continue;
                if (length - used < 8)
                    return false;
                *sizes[i] = load64(extra + 4 + used);
                used += 8;
            }
            return true;
        }
        extra += 4 + length;
        bytes -= 4 + length;
    }
    return !wide;
}

/* An entry of the directory, of at most `room` bytes; returns how many it has, 0 if it is none. */
static size_t take_entry(const unsigned char *entry, size_t room, struct zip_member *member)
{
    if (room < ENTRY_BYTES || memcmp(entry, "PK\1\2", 4) != 0)
        return 0;
    size_t name = load16(entry + 28), extra = load16(entry + 30), comment = load16(entry + 32);
    size_t bytes = ENTRY_BYTES + name + extra + comment,
           kept = name < ZIP_NAME - 1 ? name : ZIP_NAME - 1;
    if (bytes > room)
        return 0;
    *member = (struct zip_member){.flags = load16(entry + 8),
                                  .method = load16(entry + 10),
                                  .check = load32(entry + 16),
                                  .packed = load32(entry + 20),
                                  .bytes = load32(entry + 24),
                                  .at = load32(entry + 42)};
    if (name < ZIP_NAME) /* others are not asked for */
        memcpy(member->name, entry + ENTRY_BYTES, kept);
    return take_wide(member, entry + ENTRY_BYTES + name, extra) ? bytes : 0;
}

static int read_entries(struct zip *zip, const struct directory *directory,
                        struct apsp_error *error)
{
    size_t bytes = range_length(directory->where), at = 0;
    unsigned char *entries = malloc(bytes + 1);
    if (!entries)
        return error_set(error, APSP_MEMORY, "%s: no memory to open it", zip->file->path);
    file_read(zip->file, directory->where.lo, entries, bytes, error);
    while (!error->code && zip->count < directory->count) {
        size_t length = take_entry(entries + at, bytes - at, &zip->member[zip->count]);
        if (length == 0)
            zip_refuse(zip->file, directory->where.lo + at,
                       "the ZIP archive's directory is damaged", error);
        at += length;
        zip->count += length > 0;
    }
    free(entries);
    return error->code;
}

int zip_open(struct zip *zip, const struct file *file, struct apsp_error *error)
{
    struct directory directory = {0};
    *zip = (struct zip){.file = file, .left = unpack_limit(file)};
    if (find_directory(file, &directory, error) != APSP_OK)
        return error->code;
    size_t bytes = range_length(directory.where);
    if (directory.count > ZIP_MEMBERS || bytes > ZIP_DIRECTORY)
        return error_set(
            error, APSP_INPUT,
            "%s: a ZIP archive of %zu members, with a directory of %zu bytes; %d and %d at most",
            file->path, directory.count, bytes, ZIP_MEMBERS, ZIP_DIRECTORY);
    return read_entries(zip, &directory, error);
}

const struct zip_member *zip_find(const struct zip *zip, const char *name)
{
    for (size_t i = 0; i < zip->count; i++)
        if (strcmp(zip->member[i].name, name) == 0)
            return &zip->member[i];
    return NULL;
}

/* Where the member's bytes are. Its own head has lengths of its own. */
static int find_content(const struct zip *zip, const struct zip_member *member, struct range *where,
                        struct apsp_error *error)
{
    unsigned char local[LOCAL_BYTES];
    const struct file *file = zip->file;
    if (!is_inside(file, member->at, LOCAL_BYTES))
        return zip_refuse(file, member->at, "a member of the ZIP archive begins outside the file",
                          error);
    if (file_read(file, member->at, local, LOCAL_BYTES, error) != APSP_OK)
        return error->code;
    if (memcmp(local, "PK\3\4", 4) != 0)
        return zip_refuse(file, member->at,
                          "a member of the ZIP archive is not where the directory says", error);
    size_t from = member->at + LOCAL_BYTES + load16(local + 26) + load16(local + 28);
    if (!is_inside(file, from, member->packed))
        return zip_refuse(file, member->at, "a member of the ZIP archive ends outside the file",
                          error);
    *where = (struct range){from, from + member->packed};
    return APSP_OK;
}

/* A fuzzer's changes would rarely get past it. */
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
enum { CHECKED = false };
#else
enum { CHECKED = true };
#endif

/* Whether the content is what went into the archive. */
static int check_content(const struct zip *zip, const struct zip_member *member,
                         const struct file *content, struct range where, struct apsp_error *error)
{
    unsigned char piece[PIECE];
    struct crc32 crc;
    uint32_t sum = 0;
    crc32_make(&crc);
    while (where.lo < where.hi) {
        size_t bytes = size_min(range_length(where), PIECE);
        if (file_read(content, where.lo, piece, bytes, error) != APSP_OK)
            return error->code;
        where.lo += bytes;
        sum ^= crc32_before(crc32_of(&crc, piece, bytes), range_length(where));
    }
    if (CHECKED && sum != member->check)
        return error_set(
            error, APSP_INPUT,
            "%s: byte %zu: member %s of the ZIP archive is damaged: its check sum is %08x, and by "
            "the directory %08x",
            zip->file->path, member->at, member->name, sum, member->check);
    return APSP_OK;
}

int zip_extract(struct zip *zip, const struct zip_member *member, struct file *content,
                struct range *where, struct apsp_error *error)
{
    if (member->flags & ENCRYPTED)
        return zip_refuse(zip->file, member->at, "a member of the ZIP archive is encrypted", error);
    if (member->method != STORED && member->method != DEFLATED)
        return zip_refuse(zip->file, member->at,
                          "a member of the ZIP archive is neither stored nor deflated", error);
    if (find_content(zip, member, where, error) != APSP_OK)
        return error->code;
    if (member->method == STORED && member->packed != member->bytes)
        return zip_refuse(zip->file, member->at, "a stored member of the ZIP archive has two sizes",
                          error);
    if (member->method == STORED) {
        *content = *zip->file;
        content->unnamed = false;
        return check_content(zip, member, content, *where, error);
    }
    if (member->bytes > zip->left)
        return error_set(error, APSP_INPUT,
                         "%s: member %s unpacks to %zu bytes, and with those before it to more "
                         "than the %zu that "
                         "a file of %zu may (1 GiB, or %d times the file)",
                         zip->file->path, member->name, member->bytes, unpack_limit(zip->file),
                         zip->file->bytes, UNPACK_TIMES);
    zip->left -= member->bytes;
    struct range packed = *where;
    *where = (struct range){0, member->bytes};
    if (file_inflate(content, zip->file, packed, member->bytes, error) != APSP_OK)
        return error->code;
    return check_content(zip, member, content, *where, error);
}
