/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A small HTTP server on the loopback device, for benchmarks of servers.
 *
 *	server PORT MICROSECONDS [SPREAD]
 *
 * Each connection has a thread, and each answer comes after a pause of MICROSECONDS
 * and a random time of up to SPREAD microseconds.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

static long pause_us, spread_us;

static void rest(unsigned *seed)
{
	long us = pause_us + (spread_us > 0 ? rand_r(seed) % spread_us : 0);
	struct timespec t = { us / 1000000, us % 1000000 * 1000 };
	if (us > 0)
		nanosleep(&t, NULL);
}

/* Answers one request. False: the client asked to close. */
static bool answer(int fd, const char *request, unsigned *seed)
{
	bool stay = strstr(request, "HTTP/1.1") != NULL ||
		    strcasestr(request, "connection: keep-alive") != NULL;
	if (strcasestr(request, "connection: close") != NULL)
		stay = false;
	char text[200];
	int n = snprintf(text, sizeof(text),
			 "HTTP/1.1 200 OK\r\nContent-Length: 6\r\nContent-Type: text/plain\r\n"
			 "Connection: %s\r\n\r\nhello\n",
			 stay ? "keep-alive" : "close");
	rest(seed);
	return write(fd, text, (size_t)n) == n && stay;
}

static void *serve(void *arg)
{
	int fd = (int)(intptr_t)arg;
	unsigned seed = (unsigned)fd;
	char request[4096];
	size_t have = 0;
	for (;;) {
		ssize_t n = read(fd, request + have, sizeof(request) - 1 - have);
		if (n <= 0)
			break;
		have += (size_t)n;
		request[have] = '\0';
		if (strstr(request, "\r\n\r\n") == NULL)
			continue;
		have = 0;
		if (!answer(fd, request, &seed))
			break;
	}
	close(fd);
	return NULL;
}

int main(int argc, char **argv)
{
	if (argc < 3)
		return 2;
	pause_us = atoi(argv[2]);
	spread_us = argc > 3 ? atoi(argv[3]) : 0;
	signal(SIGPIPE, SIG_IGN);
	int one = 1, fd = socket(AF_INET, SOCK_STREAM, 0);
	struct sockaddr_in at = { .sin_family = AF_INET,
				  .sin_port = htons((uint16_t)atoi(argv[1])),
				  .sin_addr = { htonl(INADDR_LOOPBACK) } };
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	if (bind(fd, (struct sockaddr *)&at, sizeof(at)) != 0 || listen(fd, 100) != 0) {
		perror("server");
		return 1;
	}
	for (;;) {
		int c = accept(fd, NULL, NULL);
		pthread_t t;
		if (c < 0)
			continue;
		setsockopt(c, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
		if (pthread_create(&t, NULL, serve, (void *)(intptr_t)c) != 0)
			close(c);
		else
			pthread_detach(t);
	}
}
