#include "graph/attributes.h"

#include "graph/columns.h"

#include <string.h>

/* Numbers under these names count edges, and are no attribute of any. */
static bool is_number_of_edge(const unsigned char *name, size_t length)
{
    const struct field field = {(unsigned char *)name, length};
    return fields_called(&field, "id", 2) || fields_called(&field, "key", 3);
}

bool attributes_want(const struct attributes *attributes, const unsigned char *name, size_t length)
{
    for (int i = 0; i < attributes->count; i++)
        if (attributes->of[i].length == length && memcmp(attributes->of[i].name, name, length) == 0)
            return false;
    return attributes->count < ATTRIBUTES_MAX && length > 0 && length <= ATTRIBUTE_NAME &&
           !is_number_of_edge(name, length);
}

void attributes_add(struct attributes *attributes, const unsigned char *name, size_t length,
                    struct field value)
{
    struct attribute *attribute = &attributes->of[attributes->count++];
    union value number;
    bool rough = false;
    value.text[value.length] = '\n';
    attribute->length = length;
    memcpy(attribute->name, name, length);
    attribute->number =
        value.length > 0 && fields_scan(&value, WEIGHT_MAX, &number, &rough) < FIELD_LARGE;
}

const struct attribute *attributes_tell(const struct attributes *attributes,
                                        char text[ATTRIBUTES_TEXT])
{
    const struct attribute *likely = NULL;
    bool weighs = false;
    size_t used = 0;
    *text = '\0';
    for (int i = 0; i < attributes->count; i++) {
        const struct attribute *attribute = &attributes->of[i];
        struct field name = {(unsigned char *)attribute->name, attribute->length};
        char shown[FIELD_SHOWN];
        if (!attribute->number)
            continue;
        if (!likely || (!weighs && columns_weigh(&name)))
            likely = attribute;
        weighs |= columns_weigh(&name);
        if (used + attribute->length + sizeof ", \"\"" <= ATTRIBUTES_TEXT)
            used += (size_t)snprintf(text + used, ATTRIBUTES_TEXT - used, "%s\"%s\"",
                                     used > 0 ? ", " : "", fields_show(&name, shown));
    }
    return likely;
}
