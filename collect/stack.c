/* SPDX-License-Identifier: MIT */
/*
 * Finds which stack a position is on: the thread's own, the alternate signal stack, or another
 * one, such as a coroutine's.
 *
 * This runs in signal handlers and within malloc(), so it calls nothing of libc.
 */
#include "collect/stack.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The parser of a line of /proc/self/maps: "7ffc5a9e2000-7ffc5aa03000 rw-p ...". */
struct scan {
	uintptr_t number[2];
	int field; /* 0 or 1: the number being read; 2: the rest of the line */
};

static int digit_of(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Finds the mapping that the stack is in; it may grow down to the end of the one before. */
static void scan_char(struct scan *s, struct stack_home *home, char c)
{
	int digit = digit_of(c);

	if (c == '\n') {
		*s = (struct scan){ .field = 0 };
	} else if (s->field < 2 && digit >= 0) {
		s->number[s->field] = s->number[s->field] * 16 + (uintptr_t)digit;
	} else if (s->field < 2 && ++s->field == 2) {
		if (home->first >= s->number[0] && home->first < s->number[1])
			home->high = s->number[1];
		else
			home->low = s->number[1];
	}
}

/* If the stack cannot be found, no address counts as on it. */
static void find_home(struct stack_home *home)
{
	int fd = (int)syscall(SYS_openat, AT_FDCWD, "/proc/self/maps", O_RDONLY | O_CLOEXEC);
	struct scan scan = { .field = 0 };
	char text[1024];
	long n;

	while (fd >= 0 && home->high == 0 && (n = syscall(SYS_read, fd, text, sizeof(text))) > 0) {
		for (long i = 0; i < n && home->high == 0; i++)
			scan_char(&scan, home, text[i]);
	}
	if (fd >= 0)
		(void)syscall(SYS_close, fd);
	if (home->high == 0)
		home->low = home->high = 1;
}

static int is_within(const struct stack_home *home, uintptr_t at)
{
	return at >= home->low && at < home->high;
}

/* Whether a position is on the alternate signal stack. *ret_now: the thread is on it now. */
static int is_handler(uintptr_t at, int *ret_now)
{
	stack_t s;

	if (syscall(SYS_sigaltstack, NULL, &s) != 0 || (s.ss_flags & SS_DISABLE) != 0)
		return 0;
	*ret_now = (s.ss_flags & SS_ONSTACK) != 0;
	return at >= (uintptr_t)s.ss_sp && at < (uintptr_t)s.ss_sp + s.ss_size;
}

int stack_left(struct stack_home *home, uintptr_t was, uintptr_t now)
{
	int saved = errno, handles = 0, left;

	if (home->high == 0)
		find_home(home);
	if (is_within(home, was))
		left = is_within(home, now);
	else
		left = is_handler(was, &handles) && (!handles || is_handler(now, &handles));
	errno = saved;
	return left;
}
