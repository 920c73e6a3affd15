/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A program that profiles itself, to be read and spoken to while it runs.
 *
 *	counter FILE|-		into this file, or into memory that it keeps open
 *
 * Counts 3 calls of 1000 units under "batch 8", says that it is ready, and waits. On each
 * message "batch N" it counts one call under that name; on "end" it frees its profile, on
 * "die" it does not. What it hears it prints, and how many messages it missed.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "collect/osprof.h"

static int open_file(const char *path)
{
	return strcmp(path, "-") == 0 ? memfd_create("osprof", MFD_CLOEXEC)
				      : open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
}

/* What is reported as received has been counted. */
static int obey(struct osprof *p, const struct osprof_message *m)
{
	int ends = strcmp(m->bytes, "end") == 0, dies = strcmp(m->bytes, "die") == 0;

	if (!ends && !dies)
		osprof_add(p, osprof_op(p, "", m->bytes), 1000);
	printf("received %s, missed %llu\n", m->bytes, (unsigned long long)m->missed);
	(void)fflush(stdout);
	if (dies)
		_exit(0);
	return !ends;
}

int main(int argc, char **argv)
{
	const struct timespec nap = { .tv_nsec = 1000000 };
	struct osprof *p = osprof_new_in(open_file(argc > 1 ? argv[1] : "-"),
					 &(struct osprof_options){ .system_clock = 1 });
	struct osprof_message m;

	if (p == NULL)
		return 1;
	for (int i = 0; i < 3; i++)
		osprof_add(p, osprof_op(p, "", "batch 8"), 1000);
	printf("ready\n");
	(void)fflush(stdout);
	for (int i = 0; i < 30000; i++) {
		while (osprof_message(p, &m)) {
			if (!obey(p, &m)) {
				osprof_free(p);
				return 0;
			}
		}
		(void)nanosleep(&nap, NULL);
	}
	return 1;
}
