#include "base/error.h"

#include <stdarg.h>

int error_set(struct apsp_error *error, enum apsp_status code, const char *format, ...)
{
    if (error->code == APSP_OK) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(error->text, sizeof error->text, format, arguments);
        va_end(arguments);
        for (char *c = error->text; *c; c++) /* file names may hold anything, a message is one line */
            if ((unsigned char)*c < ' ')
                *c = '?';
        error->code = code;
    }
    return error->code;
}
