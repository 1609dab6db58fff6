#include "base/dtype.h"

#include <float.h>
#include <string.h>

const struct dtype_info dtype_info[DTYPE_ALL] = {
    [DTYPE_U16] = {"u16", sizeof(uint16_t), INF_U16, UINT16_MAX, false, true, DTYPE_I32, DTYPE_U16,
                   0},
    [DTYPE_I32] = {"i32", sizeof(int32_t), INF_I32, INF_I32, false, false, DTYPE_I32, DTYPE_I32, 0},
    [DTYPE_I64] = {"i64", sizeof(int64_t), INF_I64, INF_I64, false, false, DTYPE_I64, DTYPE_I64, 0},
    [DTYPE_F32] = {"f32", sizeof(float), 0, 0, true, false, DTYPE_F32, DTYPE_F32, FLT_MANT_DIG},
    [DTYPE_F64] = {"f64", sizeof(double), 0, 0, true, false, DTYPE_F64, DTYPE_F64, DBL_MANT_DIG},
    [DTYPE_U8] = {"u8", sizeof(uint8_t), 0, UINT8_MAX, false, true, DTYPE_U8, DTYPE_U16, 0},
};

int dtype_find(const char *name)
{
    for (int i = 0; i < DTYPE_ALL; i++)
        if (strcmp(dtype_info[i].name, name) == 0)
            return i;
    return -1;
}

/* Adds those from `first` to before `end`. */
static const char *add_names(char *names, int first, int end)
{
    for (int i = first; i < end; i++) {
        strcat(names, *names ? ", " : "");
        strcat(names, dtype_info[i].name);
    }
    return names;
}

const char *dtype_names(void)
{
    static _Thread_local char names[8 * DTYPE_ALL];
    names[0] = '\0';
    return add_names(names, 0, DTYPE_COUNT);
}

const char *dtype_file_names(void)
{
    static _Thread_local char names[8 * DTYPE_ALL];
    names[0] = '\0';
    add_names(names, DTYPE_COUNT, DTYPE_ALL);
    return add_names(names, 0, DTYPE_COUNT);
}
