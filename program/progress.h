/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Shows the progress of reading files: as text for the browser, or as a line on standard error
 * for the commands.
 */
#ifndef PROGRAM_PROGRESS_H
#define PROGRAM_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

struct out;
struct progress;
struct reading_observer;

/* `on_terminal`: if reading takes more than a second, a thread shows a line on standard error
 * until reading ends. */
struct progress *progress_new(bool on_terminal);
void progress_free(struct progress *p); /* NULL is fine, here and below */

/* Returns the observer to be called for each file that is read; NULL if p is. */
struct reading_observer *progress_observer(struct progress *p);

/* Writes "raw.csv 43 %", or for a pipe "standard input 12.3 MB, 1.2 MB/s", in at most `columns`;
 * nothing if no file is being read. */
void progress_write(struct progress *p, struct out *o, size_t columns);

/* Ends the reading of all files with errors, from any thread. */
void progress_cancel(struct progress *p);

/* Hide the line while something else is printed on standard error, and show it again. */
void progress_pause(struct progress *p);
void progress_go_on(struct progress *p);

#endif
