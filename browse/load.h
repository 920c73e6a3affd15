/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the browser shows: read in a thread of its own, so that keys are answered. */
#ifndef BROWSE_LOAD_H
#define BROWSE_LOAD_H

#include <pthread.h>
#include <stdatomic.h>

#include "compare/compare.h"
#include "compare/known_times.h"
#include "tui/messages.h"
#include "tui/study.h"

/* One run or two sides, with all that a study borrows from. */
struct settings;

/* The runs that the browser shows, loaded; opened_free() frees them. */
struct opened {
	struct compared *compared; /* NULL: one run */
	struct loaded *single;	   /* NULL: two sides */
	struct arena *arena;	   /* the known times */
	struct known_times times;
	struct annotations *annotations; /* on one run; of two sides `compared` has them */
	char *sidecar;			 /* the same: where they are kept; NULL: nowhere */
	char *command;			 /* operands and options, as a shell takes them */
	struct file_stamp *stamp;
	size_t n_stamps;
};
void opened_free(struct opened *o); /* NULL is fine */

/* Whether one of its files is another one now than was read. */
bool opened_is_stale(const struct opened *o);
/* Where annotations are kept; NULL: nowhere. */
const char *opened_sidecar(const struct opened *o);
struct browsed opened_browsed(const struct opened *o, const struct settings *s);

/* The loading of runs in a thread of its own. */
struct opening {
	const struct settings *settings;
	struct messages messages; /* of the readers, rendered */
	struct opened *opened;	  /* NULL: it failed, or is not done */
	atomic_bool done;
	pthread_t thread;
	bool in_background; /* the thread was made */
};

/* Begins; with no thread to be had it is done when this returns. */
void opening_start(struct opening *o, const struct settings *s);
/* Waits so long; whether it is done. */
bool opening_wait(struct opening *o, int ms);
/* Once it is done: what was opened, or NULL with the reasons among the messages. */
struct opened *opening_finish(struct opening *o);

#endif
