#include "error.h"

#include <stdarg.h>

int error_set(struct apsp_error *error, enum apsp_status code, const char *format, ...)
{
    if (error->code == APSP_OK) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(error->text, sizeof error->text, format, arguments);
        va_end(arguments);
        error->code = code;
    }
    return error->code;
}
