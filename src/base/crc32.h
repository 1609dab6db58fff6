/* The check sums of zip files (CRC-32 of ISO 3309), also of data whose pieces are known in any
 * order. */
#ifndef CRC32_H
#define CRC32_H

#include <stddef.h>
#include <stdint.h>

struct crc32 {
    uint32_t table[8][256];
};
void crc32_make(struct crc32 *crc);

uint32_t crc32_of(const struct crc32 *crc, const void *data, size_t bytes);

/* The contribution of a piece to the checksum of the whole, if so many bytes follow the piece. The
 * checksum of the whole is the exclusive or of all contributions. */
uint32_t crc32_before(uint32_t sum, size_t bytes);

#endif
