/* Every unit test includes this file: cmocka, with the headers that it needs before it. */
#ifndef UNIT_H
#define UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
/* cmocka.h comes last: it uses all of the above. */
#include <cmocka.h>

/* CASE names the only case to run. It may have the wildcards * and ?. Programs of tests that are
 * not linked with cmocka include this file too. */
#pragma weak cmocka_set_test_filter
__attribute__((constructor)) static void unit_choose_case(void)
{
    const char *name = getenv("CASE");
    if (name && *name && cmocka_set_test_filter)
        cmocka_set_test_filter(name);
}

#endif
