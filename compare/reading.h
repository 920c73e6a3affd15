/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A file while it is read, for whoever shows how far that has come. */
#ifndef COMPARE_READING_H
#define COMPARE_READING_H

#include "base/input_file.h"

/* A file that is being read. */
struct reading {
	struct input_watch watch;
	const char *path;
	double since; /* of the monotonic clock */
	struct reading *next;
};

/* Its functions are called for each file that is read, from any thread. */
struct reading_observer {
	/* The path is borrowed until the end. */
	void (*begin)(struct reading_observer *o, struct reading *r, const char *path);
	void (*end)(struct reading_observer *o, struct reading *r);
};

/* `o` NULL: nobody waits for it. */
static inline void reading_begin(struct reading_observer *o, struct reading *r, const char *path)
{
	*r = (struct reading){ .path = path };
	if (o != NULL)
		o->begin(o, r, path);
}

/* The file is closed; `r` is the caller's again. */
static inline void reading_end(struct reading_observer *o, struct reading *r)
{
	if (o != NULL)
		o->end(o, r);
}

#endif
