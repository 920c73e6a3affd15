/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How far the reading of files has come, for whoever waits: in words for the browser, as a
 * line of its own on standard error for the commands.
 */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/input.h"
#include "base/input_file.h"

struct out;
struct progress;

/* One file that is being read. */
struct reading {
	struct input_watch watch;
	const char *path;
	double since; /* of the monotonic clock */
	struct reading *next;
};

/* `on_terminal`: when reading takes more than a second, a line on standard error says so,
 * from a thread of its own, and goes when reading ends. */
struct progress *progress_new(bool on_terminal);
void progress_free(struct progress *p); /* NULL is fine, here and below */

/* From any thread; the path is borrowed until the end. */
void progress_begin(struct progress *p, struct reading *r, const char *path);
void progress_end(struct progress *p, struct reading *r);

/* "raw.csv 43 %", of a pipe "standard input 12.3 MB, 1.2 MB/s", in at most `columns`;
 * nothing where nothing is read. */
void progress_write(struct progress *p, struct out *o, size_t columns);

/* While something else is printed on standard error, the line is away. */
void progress_pause(struct progress *p);
void progress_go_on(struct progress *p);

#endif
