/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lets an observer follow the files being read, to show progress. */
#ifndef LOAD_READING_H
#define LOAD_READING_H

#include "base/input/input_file.h"

/* A file that is being read. */
struct reading {
	struct input_watch watch;
	const char *path;
	double since; /* when reading began, by the monotonic clock */
	struct reading *next;
};

/* An observer; its functions are called for each file, from any thread. */
struct reading_observer {
	/* The path is borrowed until end() is called. */
	void (*begin)(struct reading_observer *o, struct reading *r, const char *path);
	void (*end)(struct reading_observer *o, struct reading *r);
	/* Set when all reading is to end with an error, at once. */
	atomic_bool cancelled;
};

/* Tells the observer that a file is being read; o may be NULL. */
static inline void reading_begin(struct reading_observer *o, struct reading *r, const char *path)
{
	*r = (struct reading){ .path = path };
	if (o == NULL)
		return;
	r->watch.cancelled = &o->cancelled;
	o->begin(o, r, path);
}

/* Tells the observer that the file is closed; it no longer uses `r`. */
static inline void reading_end(struct reading_observer *o, struct reading *r)
{
	if (o != NULL)
		o->end(o, r);
}

#endif
