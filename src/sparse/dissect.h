/* Nested dissection in processes of its own. */
#ifndef DISSECT_H
#define DISSECT_H

#include "sparse/pattern.h"

/* As order_make(); without METIS there is no such function. */
int dissect_order(uint32_t *vertex, const struct pattern *pattern, int seed, int workers,
                  struct apsp_error *error);

#endif
