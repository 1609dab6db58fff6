#include "dense/strip.h"

struct range strip_rows(size_t n, int ranks, int rank)
{
    return range_part((struct range){0, n}, (size_t)rank, (size_t)ranks);
}

int strip_owner(size_t n, int ranks, size_t row)
{
    size_t p = (size_t)ranks, each = n / p, more = n % p, head = (each + 1) * more;
    return (int)(row < head ? row / (each + 1) : more + (row - head) / each);
}
