#include "dtype.h"

#include <string.h>

const struct dtype_info dtype_info[DTYPE_COUNT] = {
    [DTYPE_I32] = {"i32", sizeof(int32_t), INF_I32},
};

int dtype_find(const char *name)
{
    for (int i = 0; i < DTYPE_COUNT; i++)
        if (strcmp(dtype_info[i].name, name) == 0)
            return i;
    return -1;
}
