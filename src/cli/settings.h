/* Names of settings in messages of the commands: their options. */
#ifndef SETTINGS_H
#define SETTINGS_H

void settings_as_options(void);

#endif
