/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/xalloc.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/platform.h"

/* The one exception to "no global state": allocation functions have no context argument. */
static xalloc_hook_fn *die_hook;

void xalloc_set_hook(xalloc_hook_fn *hook)
{
	die_hook = hook;
}

/* Weak: a library that contains this code has its own. */
__attribute__((weak)) void xalloc_die(void)
{
	static const char message[] = "osprof: out of memory\n";

	if (die_hook != NULL)
		die_hook();
	if (write(STDERR_FILENO, message, sizeof(message) - 1) < 0) {
		/* Ignored: the program ends anyway. */
	}
	_exit(2);
}

void xalloc_keep(void)
{
	platform_tune_heap(1 << 30, INT_MAX);
	platform_use_one_heap();
}

void xalloc_give_back(void)
{
	enum { OF_ITS_OWN = 1 << 19, AT_THE_END = 1 << 22 };

	platform_tune_heap(OF_ITS_OWN, AT_THE_END);
}

/* For large memory that will be filled from its beginning: pages of 2 MiB, where the
 * system has them, cost one fault each instead of 512. */
static void xalloc_will_fill(void *p, size_t bytes)
{
	const uintptr_t page = 2 << 20, from = ((uintptr_t)p + page - 1) & ~(page - 1),
			to = ((uintptr_t)p + bytes) & ~(page - 1);

	if (to > from)
		platform_advise_large_pages((void *)from, to - from);
}

void *xcalloc(size_t count, size_t size)
{
	void *p = calloc(count > 0 ? count : 1, size > 0 ? size : 1);

	if (p == NULL)
		xalloc_die();
	return p;
}

void *xreallocarray(void *p, size_t count, size_t size)
{
	p = reallocarray(p, count > 0 ? count : 1, size > 0 ? size : 1);
	if (p == NULL)
		xalloc_die();
	return p;
}

void *xzeroed(size_t count, size_t size)
{
	void *p = xreallocarray(NULL, count, size);

	xalloc_will_fill(p, count * size);
	return memset(p, 0, count * size);
}

char *xmemdup(const char *p, size_t n)
{
	char *copy = xcalloc(n + 1, 1);

	if (n > 0)
		memcpy(copy, p, n);
	return copy;
}

char *xstrdup(const char *s)
{
	return xmemdup(s, strlen(s));
}

void *xgrow_more(void *p, size_t *cap, size_t need, size_t size)
{
	size_t wanted = *cap > 0 ? *cap : 8;

	while (wanted < need) {
		if (wanted > SIZE_MAX / 2)
			xalloc_die();
		wanted *= 2;
	}
	p = xreallocarray(p, wanted, size);
	xalloc_will_fill(p, wanted * size);
	*cap = wanted;
	return p;
}
