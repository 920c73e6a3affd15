/* SPDX-License-Identifier: GPL-3.0-or-later */
/* unix:PATH and tcp:HOST:PORT. */
#ifndef WATCH_SOURCES_ADDRESS_H
#define WATCH_SOURCES_ADDRESS_H

#include <stdbool.h>
#include <sys/socket.h>

#include "base/attr.h"

struct diag;

/* The address of a socket. */
struct address {
	struct sockaddr_storage at;
	socklen_t length;
};

/* Parses a name, and looks up its host.  False: an error was reported. */
MUST_CHECK bool address_parse(const char *name, struct address *ret, struct diag *diag);
/* Whether only this host can connect to the address. */
bool address_is_local(const struct address *a);
/* Sets TCP timeouts: a connection to a host that does not answer ends after three minutes. */
void address_keep_alive(int fd);

#endif
