/*
 * The levels of the longest search, as two searches see it. One goes back from a vertex that many
 * come to. The other goes forward from a vertex where that one ended, which is likely to be among
 * those that come to others late. On trees this is the longest of all (Handler 1973); on social and
 * road networks it mostly is, or lacks a few levels (Magnien, Latapy and Habib 2009).
 */
#ifndef DEPTH_H
#define DEPTH_H

#include "sssp/network.h"

/* The network, which network_make has made, has the arcs of that csr. 0: neither search has come to
 * a sixteenth of the vertices, or memory is short. */
size_t depth_look(const struct network *network, const struct csr *csr);

#endif
