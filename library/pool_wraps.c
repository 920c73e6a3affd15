/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the library calls in place of the functions of libc and libzstd that obtain something and
 * give it back: library/meson.build names them to the linker (--wrap).  See library/pool.h.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <iconv.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include <zstd.h>

#include "library/pool.h"

#define WRAPPED(type, name, ...)                                                                   \
	type __real_##name(__VA_ARGS__);                                                           \
	type __wrap_##name(__VA_ARGS__);                                                           \
	type __wrap_##name(__VA_ARGS__)

/* --- memory --------------------------------------------------------------------------------------- */

static void *hold_memory(void *p)
{
	if (p != NULL)
		pool_hold(HELD_MEMORY, (uintptr_t)p, 0);
	return p;
}

WRAPPED(void *, malloc, size_t bytes)
{
	return pool_reserve() ? hold_memory(__real_malloc(bytes)) : NULL;
}

WRAPPED(void *, calloc, size_t count, size_t size)
{
	return pool_reserve() ? hold_memory(__real_calloc(count, size)) : NULL;
}

WRAPPED(void *, aligned_alloc, size_t alignment, size_t bytes)
{
	return pool_reserve() ? hold_memory(__real_aligned_alloc(alignment, bytes)) : NULL;
}

/* Notes the memory that took the place of p, if there is any. */
static void *hold_resized(uintptr_t p, void *resized)
{
	if (resized != NULL && p != 0)
		pool_forget(HELD_MEMORY, p);
	return hold_memory(resized);
}

WRAPPED(void *, realloc, void *p, size_t bytes)
{
	uintptr_t before = (uintptr_t)p;

	return pool_reserve() ? hold_resized(before, __real_realloc(p, bytes)) : NULL;
}

WRAPPED(void *, reallocarray, void *p, size_t count, size_t size)
{
	uintptr_t before = (uintptr_t)p;

	return pool_reserve() ? hold_resized(before, __real_reallocarray(p, count, size)) : NULL;
}

WRAPPED(void, free, void *p)
{
	if (p != NULL)
		pool_forget(HELD_MEMORY, (uintptr_t)p);
	__real_free(p);
}

void *unnoted_calloc(size_t count, size_t size)
{
	return __real_calloc(count, size);
}

void unnoted_free(void *p)
{
	__real_free(p);
}

/* --- mappings ------------------------------------------------------------------------------------- */

static void *hold_mapping(void *p, size_t bytes)
{
	if (p != MAP_FAILED)
		pool_hold(HELD_MAPPING, (uintptr_t)p, bytes);
	return p;
}

#define WRAPPED_MMAP(name)                                                                         \
	WRAPPED(void *, name, void *at, size_t bytes, int protection, int flags, int fd,           \
		off_t offset)                                                                      \
	{                                                                                          \
		return pool_reserve() ? hold_mapping(__real_##name(at, bytes, protection, flags,   \
								   fd, offset),                    \
						     bytes)                                        \
				      : MAP_FAILED;                                                \
	}
WRAPPED_MMAP(mmap)
WRAPPED_MMAP(mmap64)

WRAPPED(int, munmap, void *p, size_t bytes)
{
	pool_forget(HELD_MAPPING, (uintptr_t)p);
	return __real_munmap(p, bytes);
}

void *__real_mremap(void *p, size_t had, size_t bytes, int flags, ...);
void *__wrap_mremap(void *p, size_t had, size_t bytes, int flags, ...);
void *__wrap_mremap(void *p, size_t had, size_t bytes, int flags, ...)
{
	void *moved = __real_mremap(p, had, bytes, flags);

	if (moved != MAP_FAILED) /* there is room: that of p */
		pool_forget(HELD_MAPPING, (uintptr_t)p);
	return hold_mapping(moved, bytes);
}

/* --- files ---------------------------------------------------------------------------------------- */

static int hold_descriptor(int fd)
{
	if (fd >= 0)
		pool_hold(HELD_DESCRIPTOR, (uintptr_t)fd, 0);
	return fd;
}

/* The mode is of no meaning where no file is made; where one is, it is there. */
#define WRAPPED_OPEN(name)                                                                         \
	int __real_##name(const char *path, int flags, ...);                                       \
	int __wrap_##name(const char *path, int flags, ...);                                       \
	int __wrap_##name(const char *path, int flags, ...)                                        \
	{                                                                                          \
		unsigned mode = 0;                                                                 \
		va_list ap;                                                                        \
                                                                                                   \
		va_start(ap, flags);                                                               \
		if ((flags & (O_CREAT | O_TMPFILE)) != 0)                                          \
			mode = va_arg(ap, unsigned);                                               \
		va_end(ap);                                                                        \
		return pool_reserve() ? hold_descriptor(__real_##name(path, flags, mode))          \
				      : (errno = ENOMEM, -1);                                      \
	}
WRAPPED_OPEN(open)
WRAPPED_OPEN(open64)

WRAPPED(int, close, int fd)
{
	pool_forget(HELD_DESCRIPTOR, (uintptr_t)fd);
	return __real_close(fd);
}

static FILE *hold_file(FILE *f)
{
	if (f != NULL)
		pool_hold(HELD_FILE, (uintptr_t)f, 0);
	return f;
}

WRAPPED(FILE *, fopen, const char *path, const char *mode)
{
	return pool_reserve() ? hold_file(__real_fopen(path, mode)) : NULL;
}

WRAPPED(FILE *, fopen64, const char *path, const char *mode)
{
	return pool_reserve() ? hold_file(__real_fopen64(path, mode)) : NULL;
}

WRAPPED(int, fclose, FILE *f)
{
	pool_forget(HELD_FILE, (uintptr_t)f);
	return __real_fclose(f);
}

WRAPPED(DIR *, opendir, const char *path)
{
	DIR *d = pool_reserve() ? __real_opendir(path) : NULL;

	if (d != NULL)
		pool_hold(HELD_FOLDER, (uintptr_t)d, 0);
	return d;
}

WRAPPED(int, closedir, DIR *d)
{
	pool_forget(HELD_FOLDER, (uintptr_t)d);
	return __real_closedir(d);
}

/* --- others --------------------------------------------------------------------------------------- */

WRAPPED(ZSTD_DStream *, ZSTD_createDStream, void)
{
	ZSTD_DStream *z = pool_reserve() ? __real_ZSTD_createDStream() : NULL;

	if (z != NULL)
		pool_hold(HELD_ZSTD, (uintptr_t)z, 0);
	return z;
}

WRAPPED(size_t, ZSTD_freeDStream, ZSTD_DStream *z)
{
	pool_forget(HELD_ZSTD, (uintptr_t)z);
	return __real_ZSTD_freeDStream(z);
}

WRAPPED(iconv_t, iconv_open, const char *to, const char *from)
{
	iconv_t converter = pool_reserve() ? __real_iconv_open(to, from) : (iconv_t)-1;

	if (converter != (iconv_t)-1)
		pool_hold(HELD_ICONV, (uintptr_t)converter, 0);
	return converter;
}

WRAPPED(int, iconv_close, iconv_t converter)
{
	pool_forget(HELD_ICONV, (uintptr_t)converter);
	return __real_iconv_close(converter);
}

WRAPPED(int, pthread_create, pthread_t *thread, const pthread_attr_t *attributes,
	void *(*body)(void *arg), void *arg)
{
	(void)thread;
	(void)attributes;
	(void)body;
	(void)arg;
	return EAGAIN;
}

void held_release(enum held_kind kind, uintptr_t thing, size_t bytes)
{
	switch (kind) {
	case HELD_MEMORY:
		__real_free((void *)thing);
		break;
	case HELD_MAPPING:
		(void)__real_munmap((void *)thing, bytes);
		break;
	case HELD_DESCRIPTOR:
		(void)__real_close((int)thing);
		break;
	case HELD_FILE:
		(void)__real_fclose((FILE *)thing);
		break;
	case HELD_FOLDER:
		(void)__real_closedir((DIR *)thing);
		break;
	case HELD_ZSTD:
		(void)__real_ZSTD_freeDStream((ZSTD_DStream *)thing);
		break;
	case HELD_ICONV:
		(void)__real_iconv_close((iconv_t)thing);
		break;
	}
}
