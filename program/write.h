/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes a profile as --output, --to and --force ask for. */
#ifndef PROGRAM_WRITE_H
#define PROGRAM_WRITE_H

#include "program/command.h"

struct profile;

/* Writes a profile by -o, --to and --force; returns the exit status of the command. */
enum exit_status write_profile(struct context *cx, const struct settings *s,
			       const struct profile *p);

#endif
