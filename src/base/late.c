#include "base/late.h"

#include <dlfcn.h>
#include <string.h>

int late_load(const struct late *late, const char *path, const char *what, struct apsp_error *error)
{
    if (!late->functions)
        return error_set(error, APSP_IO,
                         "%s: is %s, which this program was built without: build it with the package %s, or "
                         "convert the file",
                         path, what, late->headers);
    void *library = dlopen(late->library, RTLD_NOW | RTLD_LOCAL); /* stays */
    for (size_t i = 0; late->symbols[i]; i++) {
        void *symbol = library ? dlsym(library, late->symbols[i]) : NULL;
        if (!symbol)
            return error_set(error, APSP_IO,
                             "%s: is %s, for which the library %s is needed: install the package %s", path,
                             what, late->library, late->package);
        memcpy((char *)late->functions + i * sizeof symbol, &symbol, sizeof symbol);
    }
    return APSP_OK;
}
