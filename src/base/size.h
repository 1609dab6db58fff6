/*
 * Sizes at which work is cut into pieces: the first is the program's. A build with SMALL=1 takes
 * the second, so that small inputs cross every one of them (`make small`).
 */
#ifndef SIZE_H
#define SIZE_H

#ifdef APSP_SMALL
#define SIZE_OF(usual, small) (small)
#else
#define SIZE_OF(usual, small) (usual)
#endif

#endif
