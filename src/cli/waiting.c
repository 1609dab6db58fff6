/*
 * How OpenMP's threads wait for work. libgomp's spin for milliseconds, and libomp's for 200 ms.
 * That takes the core from others on a shared machine, most of all from the thread that they wait
 * for. Here they sleep soon, but not at once: to wake up takes longer than the gap between two
 * steps of a solve.
 *
 * libgomp reads its environment before main(), so this code runs earlier still. The Makefile links
 * programs with the archive of libgomp, since a shared library would start first. Settings of the
 * user stay.
 */
#include <stdlib.h>

enum { FIRST = 101 }; /* of the priorities that are not reserved */

__attribute__((constructor(FIRST))) static void wait_in_sleep(void)
{
    if (getenv("OMP_WAIT_POLICY"))
        return;
    setenv("GOMP_SPINCOUNT", "3000", 0); /* 0.1 to 0.2 ms */
    setenv("KMP_BLOCKTIME", "1", 0);     /* ms: 0 would be at once */
}
