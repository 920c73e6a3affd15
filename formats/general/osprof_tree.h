/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The writing half of formats/general/osprof_tree.c. */
#ifndef FORMATS_GENERAL_OSPROF_TREE_H
#define FORMATS_GENERAL_OSPROF_TREE_H

struct call_tree;
struct out;

/* Writes everything that osprof causes needs of a tree. */
void osprof_tree_write(const struct call_tree *t, struct out *o);

#endif
