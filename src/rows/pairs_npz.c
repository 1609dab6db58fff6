/*
 * Pairs as SciPy's sparse matrix of coordinates (scipy.sparse.save_npz): a zip file, nothing
 * compressed, of the arrays format, shape, row, col and data, each a .npy file. The records are
 * those of PKWARE's APPNOTE 6.3, with the sizes of its Zip64, so that there is no limit to think
 * of. What stands around the arrays is of the same length whatever the sums.
 */
#include "base/crc32.h"
#include "rows/convert.h"
#include "rows/npy.h"
#include "rows/pairs.h"

#include <stdio.h>
#include <string.h>

enum { ARRAYS = PAIRS_PARTS, SMALL = 2, MEMBERS = SMALL + ARRAYS, TEXT = 32 };
enum {
    LOCAL = 0x04034b50,
    CENTRAL = 0x02014b50,
    END_64 = 0x06064b50,
    LOCATOR = 0x07064b50,
    END = 0x06054b50,
    VERSION = 45,           /* of a reader that knows Zip64 */
    FIRST_DAY = 1 << 5 | 1, /* of 1980: files with the same pairs are the same */
};

struct member {
    const char *name;
    char head[MATRIX_HEAD_MAX]; /* of the .npy file, */
    size_t head_bytes;
    char small[TEXT]; /* and its data, unless that is a part's */
    size_t bytes, offset;
    uint32_t sum;
};

static size_t width(enum dtype dtype, int part)
{
    return part < 2 ? sizeof(uint32_t) : dtype_info[dtype].bytes;
}

/* The lowest bytes of a number. */
static char *put_number(char *out, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        *out++ = (char)(i < 8 ? value >> 8 * i & 255 : 0);
    return out;
}

static char *put_value(char *out, const struct sink_task *task, union value value)
{
    const enum dtype dtype = task->file;
    if (dtype_info[dtype].real && !dtype_info[task->dtype].real) {
        const struct packing packing = {DTYPE_I64, dtype, task->scale};
        convert_pack(&packing, &value.whole, out, 1);
        return out + dtype_info[dtype].bytes;
    }
    float single = (float)value.real;
    if (dtype == DTYPE_F32)
        memcpy(out, &single, sizeof single);
    else /* little-endian: the low bytes of an integer come first */
        memcpy(out, &value, dtype_info[dtype].bytes);
    return out + dtype_info[dtype].bytes;
}

static char *put(char *out, const struct sink_task *task, size_t source, const struct pair *pairs,
                 size_t count)
{
    for (size_t k = 0; k < count; k++)
        out = put_number(out, source, sizeof(uint32_t));
    for (size_t k = 0; k < count; k++)
        out = put_number(out, pairs[k].vertex, sizeof(uint32_t));
    for (size_t k = 0; k < count; k++)
        out = put_value(out, task, pairs[k].distance);
    return out;
}

static void name_member(struct member *member, const char *name, const char *type,
                        const char *shape)
{
    member->name = name;
    member->head_bytes = npy_head(member->head, type, shape);
}

static void keep_small(struct member *member, const void *data, size_t bytes)
{
    memcpy(member->small, data, bytes);
    member->bytes = bytes;
}

/* Before the member's array. */
static size_t local_bytes(const struct member *member)
{
    enum { RECORD = 30, SIZES = 20 };
    return RECORD + strlen(member->name) + SIZES;
}

static void add_up(struct member *members, const struct pairs_file *file)
{
    struct crc32 crc;
    crc32_make(&crc);
    for (int i = 0; i < MEMBERS; i++) {
        struct member *member = &members[i];
        uint32_t sum =
            i < SMALL ? crc32_of(&crc, member->small, member->bytes) : file->check[i - SMALL];
        member->sum =
            crc32_before(crc32_of(&crc, member->head, member->head_bytes), member->bytes) ^ sum;
    }
}

static void fill_members(struct member members[MEMBERS], const struct pairs_file *file)
{
    const int64_t n = (int64_t)file->task->n, sizes[] = {n, n};
    char shape[TEXT];
    snprintf(shape, sizeof shape, "(%zu,)", file->count);
    name_member(&members[0], "format.npy", "|S3", "()");
    keep_small(&members[0], "coo", 3);
    name_member(&members[1], "shape.npy", "<i8", "(2,)");
    keep_small(&members[1], sizes, sizeof sizes);
    name_member(&members[SMALL], "row.npy", "<i4", shape);
    name_member(&members[SMALL + 1], "col.npy", "<i4", shape);
    name_member(&members[SMALL + 2], "data.npy", npy_type(file->task->file), shape);
    size_t at = file->head[0];
    for (int i = 0; i < MEMBERS; i++) {
        struct member *member = &members[i];
        if (i >= SMALL)
            member->bytes = file->bytes[i - SMALL];
        member->offset = at;
        at += local_bytes(member) + member->head_bytes + member->bytes;
    }
    add_up(members, file);
}

static char *put_text(char *out, const void *text, size_t bytes)
{
    memcpy(out, text, bytes);
    return out + bytes;
}

/* What the records before a member and at the end have in common: the sizes are in the extra field.
 */
static char *put_common(char *out, const struct member *member, size_t extra)
{
    out = put_number(out, VERSION, 2);
    out = put_number(out, 0, 2 + 2 + 2); /* no flags, stored, no time */
    out = put_number(out, FIRST_DAY, 2);
    out = put_number(out, member->sum, 4);
    out = put_number(out, SIZE_MAX, 4 + 4);
    out = put_number(out, strlen(member->name), 2);
    return put_number(out, extra, 2);
}

static char *put_sizes(char *out, const struct member *member, size_t extra)
{
    out = put_number(out, 1, 2);
    out = put_number(out, extra - 4, 2);
    out = put_number(out, member->head_bytes + member->bytes, 8);
    return put_number(out, member->head_bytes + member->bytes, 8);
}

static char *put_local(char *out, const struct member *member)
{
    enum { EXTRA = 20 };
    out = put_number(out, LOCAL, 4);
    out = put_common(out, member, EXTRA);
    out = put_text(out, member->name, strlen(member->name));
    out = put_sizes(out, member, EXTRA);
    return put_text(out, member->head, member->head_bytes);
}

static char *put_central(char *out, const struct member *member)
{
    enum { EXTRA = 28 };
    out = put_number(out, CENTRAL, 4);
    out = put_number(out, VERSION, 2);
    out = put_common(out, member, EXTRA);
    out = put_number(out, 0, 2 + 2 + 2 + 4); /* no comment, first disk, no attributes */
    out = put_number(out, UINT32_MAX, 4);
    out = put_text(out, member->name, strlen(member->name));
    out = put_sizes(out, member, EXTRA);
    return put_number(out, member->offset, 8);
}

static char *put_end(char *out, size_t offset, size_t bytes)
{
    enum { REST = 44 }; /* bytes of the record that follow its length */
    out = put_number(out, END_64, 4);
    out = put_number(out, REST, 8);
    out = put_number(out, VERSION, 2);
    out = put_number(out, VERSION, 2);
    out = put_number(out, 0, 4 + 4);
    out = put_number(out, MEMBERS, 8);
    out = put_number(out, MEMBERS, 8);
    out = put_number(out, bytes, 8);
    out = put_number(out, offset, 8);
    out = put_number(out, LOCATOR, 4);
    out = put_number(out, 0, 4);
    out = put_number(out, offset + bytes, 8);
    out = put_number(out, 1, 4);
    out = put_number(out, END, 4);
    out = put_number(out, 0, 2 + 2);
    out = put_number(out, MEMBERS, 2);
    out = put_number(out, MEMBERS, 2);
    out = put_number(out, SIZE_MAX, 4 + 4);
    return put_number(out, 0, 2);
}

static size_t head(char out[PAIRS_HEAD_MAX], const struct pairs_file *file, int part)
{
    struct member members[MEMBERS];
    char *at = out;
    fill_members(members, file);
    for (int i = 0; part == 0 && i < SMALL; i++) {
        at = put_local(at, &members[i]);
        at = put_text(at, members[i].small, members[i].bytes);
    }
    if (part < ARRAYS)
        return (size_t)(put_local(at, &members[SMALL + part]) - out);
    for (int i = 0; i < MEMBERS; i++)
        at = put_central(at, &members[i]);
    return (size_t)(put_end(at, file->head[ARRAYS], (size_t)(at - out)) - out);
}

static size_t most(const struct sink_task *task)
{
    (void)task;
    return 2 * sizeof(uint32_t) + sizeof(union value);
}

const struct pairs_format pairs_npz = {.suffix = ".npz",
                                       .parts = ARRAYS,
                                       .checked = true,
                                       .most = most,
                                       .width = width,
                                       .put = put,
                                       .head = head};
