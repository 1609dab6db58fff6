/* What every unit test includes: cmocka, with the headers that it needs before it. */
#ifndef UNIT_H
#define UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka.h comes last: it uses all of the above. */
#include <cmocka.h>

#endif
