#include "base/dtype.h"

#include <float.h>
#include <string.h>

const struct dtype_info dtype_info[DTYPE_COUNT] = {
    [DTYPE_U16] = {"u16", sizeof(uint16_t), INF_U16, UINT16_MAX, false, DTYPE_I32, 0},
    [DTYPE_I32] = {"i32", sizeof(int32_t), INF_I32, INF_I32, false, DTYPE_I32, 0},
    [DTYPE_I64] = {"i64", sizeof(int64_t), INF_I64, INF_I64, false, DTYPE_I64, 0},
    [DTYPE_F32] = {"f32", sizeof(float), 0, 0, true, DTYPE_F32, FLT_MANT_DIG},
    [DTYPE_F64] = {"f64", sizeof(double), 0, 0, true, DTYPE_F64, DBL_MANT_DIG},
};

int dtype_find(const char *name)
{
    for (int i = 0; i < DTYPE_COUNT; i++)
        if (strcmp(dtype_info[i].name, name) == 0)
            return i;
    return -1;
}

const char *dtype_names(void)
{
    static char names[8 * DTYPE_COUNT];
    names[0] = '\0';
    for (int i = 0; i < DTYPE_COUNT; i++) {
        strcat(names, i > 0 ? ", " : "");
        strcat(names, dtype_info[i].name);
    }
    return names;
}
