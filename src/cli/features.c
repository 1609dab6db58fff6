#include "cli/option_help.h"

#include "base/unpack.h"
#include "kernels/device.h"
#include "sparse/order.h"

#include <stdio.h>

#if __has_include(<expat.h>)
static const bool has_expat = true;
#else
static const bool has_expat = false;
#endif

static void print_item(const char *name, bool built, bool *first)
{
    if (built)
        printf("%s%s", *first ? " " : ", ", name);
    *first &= !built;
}

/* Libraries are loaded when they are needed: this is for which of them there was a header. */
void option_version(const struct option_program *program)
{
    bool first = true;
    printf("%s " APSP_VERSION "\ndevices:", program->name);
    for (int i = 0; devices[i]; i++)
        print_item(devices[i]->name, true, &first);
    fputs("\nbuilt for:", stdout);
    first = true;
    print_item("METIS", order_possible(), &first);
    for (const struct codec *codec = codecs; codec->name; codec++)
        print_item(codec->name, codec->late.functions != NULL, &first);
    print_item("expat", has_expat, &first);
    print_item("HDF5", true, &first);
    putchar('\n');
}
