/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/pages.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/xalloc.h"

#ifndef __has_feature /* clang's way to tell */
#define __has_feature(name) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) ||                               \
	__has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define IS_WATCHED 1 /* by who knows the heap, but sees no pages move */
#else
#define IS_WATCHED 0
#endif

#if defined(MREMAP_MAYMOVE) && !IS_WATCHED

void *pages_grow(void *p, size_t had, size_t bytes)
{
	p = had > 0 ? mremap(p, had, bytes, MREMAP_MAYMOVE)
		    : mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED)
		xalloc_die();
#ifdef MADV_HUGEPAGE
	/* All of them, and not whole large pages only: what is advised in part is two mappings,
	 * which mremap() refuses. */
	(void)madvise(p, bytes, MADV_HUGEPAGE);
#endif
	return p;
}

void pages_free(void *p, size_t bytes)
{
	(void)munmap(p, bytes);
}

#else

void *pages_grow(void *p, size_t had, size_t bytes)
{
	p = xreallocarray(p, bytes, 1);
	memset((char *)p + had, 0, bytes - had);
	return p;
}

void pages_free(void *p, size_t bytes)
{
	(void)bytes;
	free(p);
}

#endif
