/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Annotations beside a run, in a hidden file: FOLDER/.osprof-annotations of a folder,
 * .NAME.osprof-annotations of a file.
 */
#ifndef COMPARE_SIDECAR_H
#define COMPARE_SIDECAR_H

#include "analyze/annotations.h"

struct request;

/* Where the annotations on what was named are kept: beside the last side's first operand;
 * NULL for standard input.  The caller frees it. */
char *sidecar_path(const struct request *q);

/* What is kept there; an empty one where nothing is.  NULL when an error was reported. */
struct annotations *sidecar_load(const char *path, const struct request *q, struct diag *diag);
MUST_CHECK bool sidecar_save(const char *path, const struct annotations *r, struct diag *diag);

#endif
