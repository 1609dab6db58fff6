/*
 * Eight bytes at a time, by a table for each (M. Kounavis and F. Berry, ISCC 2005). Sums are
 * polynomials over GF(2), the highest bit the coefficient of 1: bytes that follow multiply by x^8
 * each, as zlib's crc32_combine has it (M. Adler).
 */
#include "base/crc32.h"

#include <string.h>

#define POLYNOMIAL 0xedb88320u
#define ONE        0x80000000u
#define X_8        0x00800000u

void crc32_make(struct crc32 *crc)
{
    for (uint32_t byte = 0; byte < 256; byte++) {
        uint32_t sum = byte;
        for (int bit = 0; bit < 8; bit++)
            sum = sum & 1 ? sum >> 1 ^ POLYNOMIAL : sum >> 1;
        crc->table[0][byte] = sum;
    }
    for (int k = 1; k < 8; k++)
        for (int byte = 0; byte < 256; byte++) {
            uint32_t sum = crc->table[k - 1][byte];
            crc->table[k][byte] = sum >> 8 ^ crc->table[0][sum & 255];
        }
}

uint32_t crc32_of(const struct crc32 *crc, const void *data, size_t bytes)
{
    const unsigned char *at = data;
    uint32_t sum = ~0u;
    for (; bytes >= 8; bytes -= 8, at += 8) {
        uint64_t word;
        memcpy(&word, at, sizeof word);
        word ^= sum;
        sum = 0;
        for (int k = 0; k < 8; k++)
            sum ^= crc->table[7 - k][word >> 8 * k & 255];
    }
    for (; bytes > 0; bytes--, at++)
        sum = sum >> 8 ^ crc->table[0][(sum ^ *at) & 255];
    return ~sum;
}

static uint32_t multiply(uint32_t a, uint32_t b)
{
    uint32_t product = 0;
    for (; a; a <<= 1) {
        product ^= a & ONE ? b : 0;
        b = b & 1 ? b >> 1 ^ POLYNOMIAL : b >> 1;
    }
    return product;
}

uint32_t crc32_before(uint32_t sum, size_t bytes)
{
    uint32_t power = ONE, square = X_8;
    for (; bytes > 0; bytes >>= 1, square = multiply(square, square))
        power = bytes & 1 ? multiply(power, square) : power;
    return multiply(power, sum);
}
