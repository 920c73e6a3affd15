/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loads what the browser shows, in a thread of its own, so that keys still work. */
#ifndef BROWSE_LOAD_H
#define BROWSE_LOAD_H

#include <pthread.h>
#include <stdatomic.h>

#include "compare/compare.h"
#include "load/known_times.h"
#include "tui/messages.h"
#include "tui/studies/study.h"

/* One run or two sides, with everything that the browser borrows. */
struct settings;

/* The runs that the browser shows, loaded; opened_free() frees them. */
struct opened {
	struct compared *compared; /* NULL: one run */
	struct loaded *single;	   /* NULL: two sides */
	struct arena *arena;	   /* the known times */
	struct known_times times;
	struct annotations *annotations; /* of one run; for two sides `compared` has them */
	char *sidecar;			 /* of one run: the annotations' file; NULL: none */
	char *command;			 /* options and operands, quoted for a shell */
	struct file_stamp *stamp;
	size_t n_stamps;
};
void opened_free(struct opened *o); /* NULL is fine */

/* Whether one of the files has changed since it was read. */
bool opened_is_stale(const struct opened *o);
/* Returns the path of the annotations' file; NULL: none. */
const char *opened_sidecar(const struct opened *o);
struct browsed opened_browsed(const struct opened *o, const struct settings *s);

/* The loading of runs in a thread of its own. */
struct opening {
	const struct settings *settings;
	struct messages messages; /* rendered messages of the readers */
	struct opened *opened;	  /* NULL: it failed, or is not done */
	atomic_bool done;
	pthread_t thread;
	bool in_background; /* the thread was started */
};
/* Starts loading; if no thread can be started, loads before it returns. */
void opening_start(struct opening *o, const struct settings *s);
/* Waits for at most so long; returns whether loading is done. */
bool opening_wait(struct opening *o, int ms);
/* Waits until loading is done.  Returns what was opened, or NULL; the messages tell why. */
struct opened *opening_finish(struct opening *o);

#endif
