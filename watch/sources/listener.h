/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A listening socket at unix:PATH or tcp:HOST:PORT. */
#ifndef WATCH_SOURCES_LISTENER_H
#define WATCH_SOURCES_LISTENER_H

#include <stdbool.h>
#include <sys/stat.h>

#include "base/attr.h"
#include "watch/sources/address.h"

struct listener {
	struct address address;
	struct stat made; /* the Unix socket, to recognise another one of its name */
	int fd;
};

/* Listens at l->address.  A Unix socket is for this user and root only, and replaces one that
 * nobody listens on.  False: see errno. */
MUST_CHECK bool listener_open(struct listener *l);
/* Removes a Unix socket, unless another one has its name. */
void listener_close(struct listener *l);

#endif
