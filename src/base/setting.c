#include "base/setting.h"

#define SETTING_NAME(id, name) [SETTING_##id] = (name),
static const char *const own[] = {SETTINGS(SETTING_NAME)};
static const char *const *names = own;

const char *setting_name(enum setting setting)
{
    return names[setting];
}

void setting_rename(const char *const *others)
{
    names = others;
}
