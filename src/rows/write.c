#include "rows/write.h"

#include "base/size.h"
#include "files/space.h"

#include <errno.h>
#include <limits.h>
#include <sys/uio.h>

enum { PIECES = SIZE_OF(1024, 3) };
_Static_assert((int)PIECES <= IOV_MAX, "one call of pwritev");

int write_rows_at(struct staged *staged, const struct output_rows *from, size_t offset)
{
    const bool dense = from->stride == from->bytes;
    const size_t row = dense ? from->rows * from->bytes : from->bytes,
                 rows = dense ? 1 : from->rows;
    struct iovec pieces[PIECES];
    bool waits = false;
    for (size_t done = 0, all = row * rows; done < all;) {
        size_t first = done / row, skip = done % row;
        int count = 0;
        for (size_t r = first; r < rows && count < PIECES; r++, count++)
            pieces[count] = (struct iovec){(char *)(uintptr_t)from->at + r * from->stride, row};
        pieces[0].iov_base = (char *)pieces[0].iov_base + skip;
        pieces[0].iov_len -= skip;
        ssize_t put = pwritev(staged->fd, pieces, count, (off_t)(offset + done));
        int cause = put == 0 ? EIO : errno;
        if (put <= 0 && cause != EINTR && !space_wait(&staged->space, cause, &waits))
            return cause;
        done += put > 0 ? (size_t)put : 0;
    }
    space_found(&staged->space, &waits);
    return 0;
}

int write_bytes_at(struct staged *staged, const void *data, size_t bytes, size_t offset)
{
    const struct output_rows all = {data, 1, bytes, bytes};
    return write_rows_at(staged, &all, offset);
}
