/*
 * One call of the project's own code fails on purpose. Its own calls are those that return to the
 * text of the program $APSP_FAULT_PROGRAM or of a library of the name libapsp*. Only the rank
 * $APSP_FAULT_RANK is affected ("none": a process that no launcher has started). A call site is the
 * function called and the innermost frames of that text.
 *
 * $APSP_FAULT_ASKS: a signal that comes to every process of the program, by itself, once it is
 * handled. $APSP_FAULT_NEVER: functions, separated by blanks, all calls of which fail with EINVAL
 * in the program. $APSP_FAULT_FULL: a function of which the first call in the program finds no
 * space. $APSP_FAULT_TEXT: a file of the addresses where the program's own code begins and ends,
 * where it holds libraries too. $APSP_FAULT_RECORD: a file that gets every site with its number of
 * calls, of children too (struct site). $APSP_FAULT: "SITE NUMBER CAUSE": call NUMBER (from 1) of
 * the site, in hexadecimal, fails with this errno; 0: transfers only half. SITE "memory" is all
 * that allocate. $APSP_FAULT_LOG then gets the function's name.
 */
#ifndef STRIKE_H
#define STRIKE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { FRAMES = 3, SITES = 1 << 13 };

/* Frames as the number of the module in the highest four bits, and the offset in its file; 0: none.
 */
struct site {
    _Atomic uint32_t key; /* 0: free */
    uint32_t frames[FRAMES];
    _Atomic uint32_t calls;
    char function[44];
};

enum strike { PASSES, FAILS, HALF };

/* Whether this call is the one; sets errno when it FAILS. `from` is where it returns to. */
enum strike strike(const char *function, bool memory, const void *from);

/* Whether this process is of that program. */
bool strike_program(void);

/* Looks again which libraries are there. */
void strike_modules(void);

/*
 * For functions whose arguments are not looked at: as many words are passed on as the longest list
 * of any has. Further arguments are not looked at either (System V's and ARM's conventions
 * of 64 bits; no floats).
 */
#define HERE __builtin_return_address(0)
#define WORDS                                                                                      \
    long a, long b, long c, long d, long e, long f, long g, long h, long i, long j, long k,        \
        long l, long m, long n, long o, long p
#define PASSED a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p

typedef long any_function(WORDS);

#endif
