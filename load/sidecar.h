/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Loads and saves the annotations of a run, in a hidden file beside it: FOLDER/.osprof-annotations
 * for a folder, .NAME.osprof-annotations for a file.
 */
#ifndef LOAD_SIDECAR_H
#define LOAD_SIDECAR_H

#include "analyze/rank/annotations.h"

struct load_options;

/* Returns the path of the annotations, beside the first operand of the last side; NULL for
 * standard input and memory.  The caller frees it. */
char *sidecar_path(const struct load_options *q);

/* Loads annotations; empty if path is NULL or there is no such file.  NULL when an error was
 * reported. */
struct annotations *sidecar_load(const char *path, const struct load_options *q, struct diag *diag);
MUST_CHECK bool sidecar_save(const char *path, const struct annotations *r, struct diag *diag);

#endif
