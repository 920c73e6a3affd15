/* SPDX-License-Identifier: MIT */
/*
 * Messages to the processes that share a profile.
 *
 * A sender locks the file, fills the slot after the last message and then increments n_sent.
 * If it dies, the kernel releases the lock, and the unfinished message does not count. A
 * receiver needs no lock: it copies a slot, then reads n_sent to see whether the slot was
 * overwritten meanwhile.
 */
#include "collect/region.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

int osprof_message(struct osprof *open, struct osprof_message *ret)
{
	struct capture *p = (struct capture *)open;
	uint64_t words[OSPROF_MAX_MESSAGE / 8], next = p->n_known, sent = 0;

	if (p->region != NULL)
		sent = __atomic_load_n(&p->region->n_sent, __ATOMIC_ACQUIRE);
	while (next < sent) {
		const struct message *m;

		/* Message k is overwritten while there are k + MESSAGES of them. */
		if (sent - next >= MESSAGES)
			next = sent - (MESSAGES - 1);
		m = &p->region->message[next % MESSAGES];
		ret->sent_at = __atomic_load_n(&m->sent_at, __ATOMIC_RELAXED);
		ret->size = (uint32_t)__atomic_load_n(&m->size, __ATOMIC_RELAXED);
		for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
			words[i] = __atomic_load_n(&m->bytes[i], __ATOMIC_RELAXED);
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
		sent = __atomic_load_n(&p->region->n_sent, __ATOMIC_ACQUIRE);
		if (sent - next >= MESSAGES)
			continue;
		ret->size = ret->size <= OSPROF_MAX_MESSAGE ? ret->size : OSPROF_MAX_MESSAGE;
		memcpy(ret->bytes, words, ret->size);
		ret->bytes[ret->size] = '\0';
		ret->number = next;
		ret->missed = next - p->n_known;
		p->n_known = next + 1;
		return 1;
	}
	return 0;
}

/* Takes an open file description lock, which also excludes threads of the same process. Returns 0
 * and sets errno; EAGAIN: another sender has held the lock for a second. */
static int lock_file(int fd)
{
	enum { TRIES = 1000 };
	const struct timespec nap = { .tv_nsec = 1000000 };
	struct flock l = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

	for (int i = 0; i < TRIES; i++) {
		if (fcntl(fd, F_OFD_SETLK, &l) == 0)
			return 1;
		if (errno != EAGAIN && errno != EACCES)
			return 0;
		(void)nanosleep(&nap, NULL);
	}
	errno = EAGAIN;
	return 0;
}

static int write_at(int fd, const void *from, size_t size, size_t at)
{
	ssize_t n = pwrite(fd, from, size, (off_t)at);

	if (n >= 0 && (size_t)n != size)
		errno = EIO;
	return n >= 0 && (size_t)n == size;
}

static int send_locked(int fd, const struct message *m)
{
	struct region r;
	struct stat st;
	int wrong = ENODATA;

	memset(&r, 0, sizeof(r));
	if (fstat(fd, &st) != 0 || pread(fd, &r, sizeof(r), 0) < 0)
		return 0;
	wrong = osprof_check(&r, (uint64_t)st.st_size);
	if (wrong == 0 && r.ended != 0)
		wrong = EPIPE;
	if (wrong != 0) {
		errno = wrong;
		return 0;
	}
	if (!write_at(fd, m, sizeof(*m),
		      offsetof(struct region, message) +
			      (size_t)(r.n_sent % MESSAGES) * sizeof(*m)))
		return 0;
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	r.n_sent++;
	return write_at(fd, &r.n_sent, sizeof(r.n_sent), offsetof(struct region, n_sent));
}

int osprof_send(int fd, const void *bytes, size_t size)
{
	struct flock none = { .l_type = F_UNLCK, .l_whence = SEEK_SET };
	struct message m = { .sent_at = osprof_nanoseconds(), .size = size };
	int ok, saved;

	if (size > OSPROF_MAX_MESSAGE) {
		errno = EMSGSIZE;
		return -1;
	}
	memcpy(m.bytes, bytes, size);
	if (!lock_file(fd))
		return -1;
	ok = send_locked(fd, &m);
	saved = errno;
	(void)fcntl(fd, F_OFD_SETLK, &none);
	errno = saved;
	return ok ? 0 : -1;
}
