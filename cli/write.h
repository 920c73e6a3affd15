/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writing a profile where --output, --to and --force say. */
#ifndef CLI_WRITE_H
#define CLI_WRITE_H

#include "cli/command.h"

struct profile;

/* Writes a profile where -o and --to say; the exit status of the command. */
enum exit_status write_profile(struct context *cx, const struct settings *s,
			       const struct profile *p);

#endif
