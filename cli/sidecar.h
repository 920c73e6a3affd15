/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Remarks beside a run, in a hidden file: FOLDER/.osprof-remarks of a folder,
 * .NAME.osprof-remarks of a file.
 */
#ifndef CLI_SIDECAR_H
#define CLI_SIDECAR_H

#include "analyze/remarks.h"

struct settings;

/* Where the remarks on what was named are kept: beside the last side's first operand;
 * NULL for standard input.  The caller frees it. */
char *sidecar_path(const struct settings *s);

/* What is kept there; an empty one where nothing is.  NULL when an error was reported. */
struct remarks *sidecar_load(const char *path, const struct settings *s, struct diag *diag);
MUST_CHECK bool sidecar_save(const char *path, const struct remarks *r, struct diag *diag);

#endif
