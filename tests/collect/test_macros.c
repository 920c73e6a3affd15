/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The macros, and the one file: a program that profiles its own calls, as a user would
 * write it, and reads what its child printed when it ended. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collect/osprof.h"

#define read(...) OSPROF_CALL(read, read(__VA_ARGS__))

static int twice(int n)
{
	OSPROF_PRE(twice);
	n *= 2;
	OSPROF_POST(twice);
	return n;
}

static void work(void)
{
	char byte;

	for (int i = 0; i < 5; i++)
		if (read(STDIN_FILENO, &byte, 0) != 0 || twice(i) != 2 * i)
			exit(2);
	/* A child counts into the same profile, and does not print it. */
	pid_t child = fork();
	if (child == 0)
		exit(twice(4) == 8 ? 0 : 2);
	if (waitpid(child, NULL, 0) != child)
		exit(2);
	exit(0);
}

static int holds(const char *text, const char *line)
{
	if (strstr(text, line) != NULL)
		return 1;
	(void)fprintf(stderr, "not printed: %s", line);
	return 0;
}

int main(void)
{
	static char text[1 << 16];
	size_t n;
	int ends[2], status;

	if (pipe(ends) != 0)
		return 2;
	pid_t child = fork();
	if (child == 0) {
		if (freopen("/dev/null", "r", stdin) == NULL || dup2(ends[1], STDOUT_FILENO) < 0)
			return 2;
		(void)unsetenv("OSPROF_OUTPUT");
		work();
	}
	(void)close(ends[1]);
	FILE *f = fdopen(ends[0], "r");
	n = fread(text, 1, sizeof(text) - 1, f);
	text[n] = '\0';
	if (waitpid(child, &status, 0) != child || status != 0)
		return 1;
	(void)fputs(text, stderr);
	return !(strncmp(text, "osprof 1\n", 9) == 0 && holds(text, "op read\n") &&
		 holds(text, "count 5\n") && holds(text, "op twice\n") &&
		 holds(text, "count 6\n") &&
		 strstr(strstr(text, "op read\n") + 1, "op read\n") == NULL);
}
