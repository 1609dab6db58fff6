/* Pairs in a file of a sink of its own. sink.h tells of each function. */
#ifndef SINK_PAIRS_H
#define SINK_PAIRS_H

#include "rows/pairs.h"

/* With these results in place of the sink's: the path of the pairs is their `distances`. */
struct sink_need sink_pairs_need(const struct sink_task *task, const struct results *results,
                                 const struct pairs_format *format, int lanes);
int sink_pairs_open(struct sink *sink, const struct results *results,
                    const struct pairs_format *format, struct apsp_error *error);
int sink_pairs_take(struct sink *sink, int lane, const struct block *block,
                    struct apsp_error *error);
int sink_pairs_merge(struct sink *sink, struct apsp_error *error);
void sink_pairs_close(struct sink *sink);

#endif
