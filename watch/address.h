/* SPDX-License-Identifier: GPL-3.0-or-later */
/* unix:PATH and tcp:HOST:PORT. */
#ifndef WATCH_ADDRESS_H
#define WATCH_ADDRESS_H

#include <stdbool.h>
#include <sys/socket.h>

#include "base/attr.h"

struct diag;

/* Where frames are sent, or listened for: a path, or a host and a port. */
struct address {
	struct sockaddr_storage at;
	socklen_t length;
};

/* What a name stands for; HOST is looked up.  False when an error was reported. */
MUST_CHECK bool address_parse(const char *name, struct address *ret, struct diag *diag);
/* Whether only this host can connect to it. */
bool address_is_local(const struct address *a);
/* A host that is gone without a word ends the connection, after three minutes. */
void address_keep_alive(int fd);

#endif
