/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "watch/sources/address.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/un.h>

#include "base/diag.h"

static bool parse_unix(const char *path, struct address *ret, struct diag *diag)
{
	struct sockaddr_un at = { .sun_family = AF_UNIX };

	if (*path == '\0' || strlen(path) >= sizeof(at.sun_path)) {
		diag_plain(diag, DIAG_USAGE, "unix:%s: expected a path of at most %zu bytes", path,
			   sizeof(at.sun_path) - 1);
		return false;
	}
	memcpy(at.sun_path, path, strlen(path) + 1);
	*ret = (struct address){ .length = sizeof(at) };
	memcpy(&ret->at, &at, sizeof(at));
	return true;
}

/* "[::1]:80" or "localhost:80". */
static bool cut_port(const char *rest, char host[256], const char **ret_port)
{
	const char *colon = strrchr(rest, ':');
	size_t n = colon != NULL ? (size_t)(colon - rest) : 0;

	if (n == 0 || n >= 256 || colon[1] == '\0')
		return false;
	if (rest[0] == '[' && rest[n - 1] == ']') {
		rest++;
		n -= 2;
	}
	memcpy(host, rest, n);
	host[n] = '\0';
	*ret_port = colon + 1;
	return true;
}

static bool parse_tcp(const char *rest, struct address *ret, struct diag *diag)
{
	const struct addrinfo hints = { .ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM };
	struct addrinfo *found;
	char host[256];
	const char *port;
	int error;

	if (!cut_port(rest, host, &port)) {
		diag_plain(diag, DIAG_USAGE, "tcp:%s: expected tcp:HOST:PORT", rest);
		return false;
	}
	error = getaddrinfo(host, port, &hints, &found);
	if (error != 0) {
		diag_plain(diag, DIAG_USAGE, "tcp:%s: %s", rest, gai_strerror(error));
		return false;
	}
	*ret = (struct address){ .length = found->ai_addrlen };
	memcpy(&ret->at, found->ai_addr, found->ai_addrlen);
	freeaddrinfo(found);
	return true;
}

bool address_parse(const char *name, struct address *ret, struct diag *diag)
{
	if (strncmp(name, "unix:", 5) == 0)
		return parse_unix(name + 5, ret, diag);
	if (strncmp(name, "tcp:", 4) == 0)
		return parse_tcp(name + 4, ret, diag);
	diag_plain(diag, DIAG_USAGE, "%s: expected unix:PATH or tcp:HOST:PORT", name);
	return false;
}

bool address_is_local(const struct address *a)
{
	struct sockaddr_in four;
	struct sockaddr_in6 six;

	if (a->at.ss_family == AF_INET) {
		memcpy(&four, &a->at, sizeof(four));
		return ntohl(four.sin_addr.s_addr) >> 24 == 127;
	}
	if (a->at.ss_family == AF_INET6) {
		memcpy(&six, &a->at, sizeof(six));
		return IN6_IS_ADDR_LOOPBACK(&six.sin6_addr);
	}
	return a->at.ss_family == AF_UNIX;
}

void address_keep_alive(int fd)
{
	static const struct {
		int level, name, value;
	} option[] = {
		{ SOL_SOCKET, SO_KEEPALIVE, 1 },
		{ IPPROTO_TCP, TCP_KEEPIDLE, 60 }, /* seconds */
		{ IPPROTO_TCP, TCP_KEEPINTVL, 30 },
		{ IPPROTO_TCP, TCP_KEEPCNT, 4 },
		{ IPPROTO_TCP, TCP_USER_TIMEOUT,
		  180 * 1000 }, /* milliseconds of unacknowledged data */
	};

	/* Fails for Unix sockets, which need none of these. */
	for (size_t i = 0; i < COUNT_OF(option); i++)
		(void)setsockopt(fd, option[i].level, option[i].name, &option[i].value,
				 sizeof(option[i].value));
}
