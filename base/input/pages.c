/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/input/pages.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/platform.h"
#include "base/xalloc.h"

#ifndef __has_feature /* tells clang's sanitizers */
#define __has_feature(name) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) ||                               \
	__has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define IS_WATCHED 1 /* sanitizers know the heap, but do not follow mremap() */
#else
#define IS_WATCHED 0
#endif

#if PLATFORM_CAN_REMAP && !IS_WATCHED

enum {
	LARGE_PAGE = 2 << 20,
	LITTLE = 128 << 10, /* up to this it is on the heap: mapping costs more than a copy */
	LINE = 64,	    /* bytes of a cache line, which two owners must not share */
};

/* Rounds up to whole huge pages: only multiples are mapped, and moved, as such. */
static size_t mapped_size(size_t bytes)
{
	if (bytes > SIZE_MAX - LARGE_PAGE)
		xalloc_die();
	return bytes < LARGE_PAGE ? bytes : (bytes + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
}

static void *advise_huge(void *p, size_t bytes)
{
	if (p == MAP_FAILED)
		xalloc_die();
	/* The whole mapping, not only whole huge pages: advice for a part splits the mapping in
	 * two, which mremap() refuses. */
	platform_advise_large_pages(p, bytes);
	return p;
}

static void *map_pages(size_t bytes)
{
	void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return advise_huge(p, bytes);
}

static void *on_heap(size_t bytes)
{
	size_t lines = (bytes + LINE - 1) / LINE * LINE;
	void *p = aligned_alloc(LINE, lines);

	if (p == NULL)
		xalloc_die();
	return memset(p, 0, lines);
}

/* Copies memory that outgrows the heap or small pages. */
static void *copied_to_pages(void *p, size_t had, size_t bytes)
{
	void *larger = bytes <= LITTLE ? on_heap(bytes) : map_pages(bytes);

	if (had > 0)
		memcpy(larger, p, had);
	pages_free(p, had);
	return larger;
}

void *pages_grow(void *p, size_t had, size_t bytes)
{
	had = mapped_size(had);
	bytes = mapped_size(bytes);
	if (had <= LITTLE || (had < LARGE_PAGE && bytes >= LARGE_PAGE))
		return copied_to_pages(p, had, bytes);
	return advise_huge(platform_remap(p, had, bytes), bytes);
}

void pages_free(void *p, size_t bytes)
{
	if (bytes <= LITTLE)
		free(p);
	else
		(void)munmap(p, mapped_size(bytes));
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
