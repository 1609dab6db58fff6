/* Nested dissection in processes of its own. */
#ifndef DISSECT_H
#define DISSECT_H

#include "sparse/order.h"

/* As order_make(), of the last pattern->n steps of the progress; without METIS there is no such
 * function. */
int dissect_order(uint32_t *vertex, const struct pattern *pattern, const struct order_way *way,
                  struct apsp_error *error);

#endif
