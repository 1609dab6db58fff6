/* Rows of the experiment: pivot tiles of the course's program, and the product's. */
#ifndef LAB_AMD_H
#define LAB_AMD_H

#include "paths.h"

#ifdef __cplusplus
extern "C" {
#endif

extern struct lab_step amd_32, amd_48, amd_64, amd_80, amd_90, amd_product;

#ifdef __cplusplus
}
#endif
#endif
