/* SPDX-License-Identifier: MIT */
#include "collect/nesting.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "collect/region.h"

enum {
	PATIENCE = 10000, /* naps before giving up on the recorder */
	NAP = 100000,	  /* nanoseconds */
};

struct stream nesting;

/* Nonzero in use. The kernel wipes it in the child of any kind of fork, which must not use the
 * parent's chunks. */
static uint64_t plain_epoch;
static uint64_t *epoch = &plain_epoch;

static __thread struct {
	uint64_t epoch;
	struct stream_chunk *chunk; /* NULL: none */
	uint32_t hint, thread;
	uint32_t lost;	 /* events lost and not yet reported in a chunk */
	int inside;	 /* depth of the root function's outermost call; 0: not in one */
	int busy;	 /* in push_event(): a signal handler must not enter it */
	int reported;	 /* has had a chunk */
	uint64_t series; /* the ticket of its first chunk */
} own_thread;

static void wipe_epoch(void)
{
	*epoch = 0;
}

static void __attribute__((noinline, cold)) learn_epoch(void)
{
	uint64_t none = 0;

	(void)__atomic_compare_exchange_n(epoch, &none, osprof_counter() | 1, 0, __ATOMIC_RELAXED,
					  __ATOMIC_RELAXED);
	memset(&own_thread, 0, sizeof(own_thread));
	own_thread.epoch = __atomic_load_n(epoch, __ATOMIC_RELAXED);
	own_thread.thread = (uint32_t)syscall(SYS_gettid);
}

static inline int is_known(void)
{
	return own_thread.epoch != 0 &&
	       own_thread.epoch == __atomic_load_n(epoch, __ATOMIC_RELAXED);
}

/* --- chunks ---------------------------------------------------------------------------------- */

static void raise_high(uint32_t i)
{
	uint32_t high = __atomic_load_n(&nesting.head->high, __ATOMIC_RELAXED);

	while (high <= i && !__atomic_compare_exchange_n(&nesting.head->high, &high, i + 1, 1,
							 __ATOMIC_RELEASE, __ATOMIC_RELAXED))
		;
}

static struct stream_chunk *try_claim(void)
{
	for (uint32_t k = 0; k < STREAM_CHUNKS; k++) {
		uint32_t i = (own_thread.hint + k) % STREAM_CHUNKS, free_one = STREAM_FREE;
		struct stream_chunk *c = &nesting.chunk[i];

		if (__atomic_load_n(&c->state, __ATOMIC_RELAXED) != STREAM_FREE)
			continue;
		/* STREAM_TAKING until it has its new ticket: the recorder must not see an owned
		 * chunk with an old one. */
		if (!__atomic_compare_exchange_n(&c->state, &free_one, STREAM_TAKING, 0,
						 __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
			continue;
		own_thread.hint = i;
		c->n = 0;
		c->ticket = __atomic_fetch_add(&nesting.head->claimed, 1, __ATOMIC_ACQ_REL);
		c->process = (uint32_t)getpid();
		c->thread = own_thread.thread;
		if (!own_thread.reported)
			own_thread.series = c->ticket;
		c->series = own_thread.series;
		c->lost = own_thread.lost;
		own_thread.lost = 0;
		own_thread.reported = 1;
		__atomic_store_n(&c->state, STREAM_OWNED, __ATOMIC_RELEASE);
		raise_high(i);
		return c;
	}
	return NULL;
}

/* Waits for the recorder to free a chunk. Returns NULL once the recorder seems gone. */
static struct stream_chunk *__attribute__((noinline, cold)) claim_chunk(void)
{
	const struct timespec nap = { .tv_nsec = NAP };
	struct stream_chunk *c = try_claim();
	int saved = errno;

	for (int i = 0; c == NULL && i < PATIENCE; i++) {
		if (__atomic_load_n(&nesting.head->abandoned, __ATOMIC_RELAXED) != 0)
			break;
		(void)__atomic_fetch_add(&nesting.head->waited, 1, __ATOMIC_RELAXED);
		(void)syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &nap, NULL);
		c = try_claim();
	}
	if (c == NULL)
		__atomic_store_n(&nesting.head->abandoned, 1, __ATOMIC_RELAXED);
	errno = saved;
	return c;
}

static void give_chunk(struct stream_chunk *c)
{
	__atomic_store_n(&c->state, STREAM_FULL, __ATOMIC_RELEASE);
}

static void push_event(struct stream_event event)
{
	struct stream_chunk *c;

	if (own_thread.busy) {
		own_thread.lost++;
		return;
	}
	own_thread.busy = 1;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	c = own_thread.chunk;
	if (c != NULL && (c->n == STREAM_EVENTS || own_thread.lost > 0)) {
		give_chunk(c);
		c = NULL;
	}
	if (c == NULL)
		c = claim_chunk();
	own_thread.chunk = c;
	if (c == NULL) {
		own_thread.lost++;
	} else {
		c->event[c->n] = event;
		__atomic_store_n(&c->n, c->n + 1, __ATOMIC_RELEASE);
	}
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	own_thread.busy = 0;
}

/* --- calls ----------------------------------------------------------------------------------- */

/* An operation beyond max_ops has the number -1. */
static uint32_t number_of(int op)
{
	return (uint32_t)op & ~STREAM_LEAVE;
}

void nesting_enter(int op, uint64_t at, int depth)
{
	if (!LIKELY(is_known()))
		learn_epoch();
	if (own_thread.inside == 0) {
		if (op != nesting.head->root)
			return;
		own_thread.inside = depth;
	}
	push_event((struct stream_event){ .at = at, .op = number_of(op) });
}

void nesting_leave(int op, uint64_t at, int depth, int left)
{
	if (!is_known() || own_thread.inside == 0)
		return;
	push_event((struct stream_event){
		.at = at, .op = number_of(op) | STREAM_LEAVE, .left = left != 0 });
	if (depth <= own_thread.inside)
		own_thread.inside = 0;
}

void nesting_call(int op, uint64_t start, uint64_t end)
{
	if (!is_known() || own_thread.inside == 0)
		return;
	push_event((struct stream_event){ .at = start, .op = number_of(op) });
	push_event((struct stream_event){ .at = end, .op = number_of(op) | STREAM_LEAVE });
}

void nesting_end(void)
{
	if (nesting.head == NULL || !is_known() || own_thread.chunk == NULL)
		return;
	give_chunk(own_thread.chunk);
	memset(&own_thread, 0, sizeof(own_thread));
}

void nesting_attach(const char *path)
{
	int fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC);
	uint64_t *wiped;

	if (fd < 0)
		return;
	wiped = osprof_wiped_memory(sizeof(*wiped), wipe_epoch);
	if (wiped != NULL)
		epoch = wiped;
	(void)stream_map(&nesting, fd);
	(void)syscall(SYS_close, fd);
}
