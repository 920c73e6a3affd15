/* SPDX-License-Identifier: MIT */
/* The shared memory of the stream, and the recorder's side of it. */
#include "collect/stream.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { VERSION = 1, PAGE = 4096 };

static const char magic[8] = "ostream";

static const size_t size = PAGE + STREAM_CHUNKS * sizeof(struct stream_chunk);

int stream_map(struct stream *ret, int fd)
{
	struct stream_head *head;
	struct stat st;

	if (fstat(fd, &st) != 0)
		return -1;
	errno = EINVAL;
	if ((uint64_t)st.st_size != size)
		return -1;
	head = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
	if (head == MAP_FAILED)
		return -1;
	if (head->version != 0 &&
	    (memcmp(head->magic, magic, sizeof(magic)) != 0 || head->version != VERSION)) {
		(void)munmap(head, size);
		errno = EINVAL;
		return -1;
	}
	ret->head = head;
	ret->chunk = (void *)((char *)head + PAGE);
	return 0;
}

int stream_make(struct stream *ret, int fd, int root, uint64_t began)
{
	if (ftruncate(fd, (off_t)size) != 0 || stream_map(ret, fd) != 0)
		return -1;
	*ret->head = (struct stream_head){ .version = VERSION, .root = root, .began = began };
	memcpy(ret->head->magic, magic, sizeof(magic));
	return 0;
}

void stream_unmap(struct stream *s)
{
	if (s->head != NULL)
		(void)munmap(s->head, size);
	s->head = NULL;
}

/* --- the recorder's side ------------------------------------------------------------------- */

struct taken {
	uint64_t ticket;
	uint32_t chunk;
};

static int by_ticket(const void *a, const void *b)
{
	const struct taken *x = a, *y = b;

	return x->ticket < y->ticket ? -1 : x->ticket > y->ticket;
}

static int is_dead(uint32_t process)
{
	return syscall(SYS_kill, (pid_t)process, 0) != 0 && errno == ESRCH;
}

/* A thread claims a chunk only after its last one is full. So for each chunk claimed before the
 * search began, the thread's earlier chunks are found, too. */
unsigned stream_take(struct stream *s, int all,
		     void (*take)(void *ctx, const struct stream_chunk *c, uint32_t n), void *ctx)
{
	enum { CROWDED = STREAM_CHUNKS / 2 };
	static struct taken taken[STREAM_CHUNKS];
	uint64_t limit = __atomic_load_n(&s->head->claimed, __ATOMIC_ACQUIRE);
	uint32_t high = __atomic_load_n(&s->head->high, __ATOMIC_ACQUIRE);
	unsigned n = 0;

	for (uint32_t i = 0; i < high && i < STREAM_CHUNKS; i++) {
		const struct stream_chunk *c = &s->chunk[i];
		uint32_t state = __atomic_load_n(&c->state, __ATOMIC_ACQUIRE);

		if (state < STREAM_OWNED || (!all && c->ticket >= limit))
			continue;
		if (state == STREAM_FULL || all || (high > CROWDED && is_dead(c->process)))
			taken[n++] = (struct taken){ c->ticket, i };
	}
	qsort(taken, n, sizeof(taken[0]), by_ticket);
	for (unsigned i = 0; i < n; i++) {
		struct stream_chunk *c = &s->chunk[taken[i].chunk];
		uint32_t events = __atomic_load_n(&c->n, __ATOMIC_ACQUIRE);

		take(ctx, c, events < STREAM_EVENTS ? events : STREAM_EVENTS);
		__atomic_store_n(&c->state, STREAM_FREE, __ATOMIC_RELEASE);
	}
	__atomic_store_n(&s->head->abandoned, 0, __ATOMIC_RELAXED);
	return n;
}
