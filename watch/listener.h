/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A socket that others connect to, at unix:PATH or tcp:HOST:PORT. */
#ifndef WATCH_LISTENER_H
#define WATCH_LISTENER_H

#include <stdbool.h>
#include <sys/stat.h>

#include "base/attr.h"
#include "watch/address.h"

/* Where it is; of a Unix socket also what it was when it was made, to see when another one gets
 * its name. */
struct listener {
	struct address address;
	struct stat made;
	int fd;
};

/* Listens at l->address; a Unix socket is for this user and root alone, and takes the place of one
 * that nobody listens on any more.  False, and errno: it cannot. */
MUST_CHECK bool listener_open(struct listener *l);
/* Removes a Unix socket, unless another one has its name by now. */
void listener_close(struct listener *l);

#endif
