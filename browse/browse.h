/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The browser's host: loads runs, writes files, runs the loop of keys and screens. */
#ifndef BROWSE_BROWSE_H
#define BROWSE_BROWSE_H

#include "program/command.h"

/* Whether keys can be read and a screen can be drawn. */
bool browse_has_terminal(void);
/* Opens the operands in the browser; returns when the user quits. */
enum exit_status browse(struct context *cx, const struct settings *s);
/* Prints the same as a table, if there is no terminal. */
enum exit_status browse_as_table(struct context *cx, const struct settings *s);

#endif
