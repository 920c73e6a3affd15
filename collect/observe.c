/* SPDX-License-Identifier: MIT */
/*
 * Reads the counters of another process while it counts.
 *
 * The file is read, never mapped: its owner may truncate it at any moment, and a mapping would
 * then fault. Values are checked in the copy before they are trusted.
 *
 * The copy is consistent without a lock: a cell is read until two reads in a row are equal and
 * no call is being added (`begun` equals `ended`). Counters only grow, so each of them had this
 * value from the first read to the second, and the copy is the cell at that time. Two reads of
 * the whole set settle all idle cells. If a cell never comes to rest, its buckets are taken as
 * they are; its total is then off by at most the calls made meanwhile.
 */
#include "collect/region.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	MAX_BYTES = 1 << 30,
	MAX_TRACKS = 1 << 24,
	NAPS = 400, /* in one reading: 0.2 s in all, however many cells are not at rest */
};

/* Returns 1, or 0 and errno; ENODATA at the end of the file. */
static int read_at(int fd, void *to, size_t size, uint64_t at)
{
	for (size_t done = 0; done < size;) {
		ssize_t n = pread(fd, (char *)to + done, size - done, (off_t)(at + done));

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			errno = n == 0 ? ENODATA : errno;
			return 0;
		}
		done += (size_t)n;
	}
	return 1;
}

/* Returns 1, or 0 and errno. */
static int read_header(int fd, struct region *ret)
{
	struct stat st;
	int wrong;

	memset(ret, 0, sizeof(*ret));
	if (fstat(fd, &st) != 0)
		return 0;
	if (!S_ISREG(st.st_mode)) {
		errno = EINVAL;
		return 0;
	}
	if ((uint64_t)st.st_size < sizeof(*ret)) {
		wrong = read_at(fd, ret, (size_t)st.st_size, 0)
				? osprof_check(ret, (uint64_t)st.st_size)
				: errno;
		errno = wrong == EBADMSG && st.st_size < (off_t)offsetof(struct region, ended)
				? ENODATA
				: wrong;
		return 0;
	}
	if (!read_at(fd, ret, sizeof(*ret), 0))
		return 0;
	wrong = osprof_check(ret, (uint64_t)st.st_size);
	errno = wrong;
	return wrong == 0;
}

/* --- cells ---------------------------------------------------------------------------- */

static uint64_t sum_of_slots(const struct capture *p, const struct cell *c)
{
	uint64_t sum = 0;

	for (size_t k = 0; k < p->n_slots; k++)
		sum += c->slot[k];
	return sum;
}

static int is_at_rest(const struct capture *p, const struct cell *a, const struct cell *b)
{
	return a->begun == a->ended && memcmp(a, b, p->cell_size) == 0;
}

/* Takes a cell that never came to rest by its buckets. Unfinished calls are those of threads that
 * were killed or preempted while they added one. */
static void settle_cell(const struct capture *p, struct cell *c, uint64_t unfinished)
{
	c->ended = sum_of_slots(p, c);
	c->begun = c->ended + unfinished;
	if (c->ended == 0)
		c->total = 0;
}

/* Reads a cell again until it is at rest. If two reads are equal while a call is being added, its
 * thread gets a little time to finish. Returns 0 and sets errno if the cell cannot be read. */
static int read_cell(struct capture *p, struct cell *now, struct cell *again, uint64_t at,
		     uint64_t *stuck)
{
	enum { TRIES = 1000 };
	const struct timespec nap = { .tv_nsec = 500000 };
	int same = 0;

	for (int i = 0; i < TRIES; i++) {
		if (!read_at(p->fd, again, p->cell_size, at))
			return 0;
		if (is_at_rest(p, now, again))
			return 1;
		same = memcmp(now, again, p->cell_size) == 0;
		if (same) {
			if (now->begun == *stuck || p->n_naps == 0)
				break;
			(void)nanosleep(&nap, NULL);
			p->n_naps--;
		}
		memcpy(now, again, p->cell_size);
	}
	*stuck = now->begun;
	settle_cell(p, now, same ? now->begun - now->ended : 0);
	return 1;
}

/* --- sets ----------------------------------------------------------------------------- */

static uint64_t offset_of(const struct capture *p, const void *inside)
{
	return (uint64_t)((const char *)inside - (const char *)p->region);
}

/* Returns one more than the highest operation that has a name. */
static unsigned named_ops(const struct capture *p)
{
	unsigned n = p->max_ops;

	while (n > 0 && p->name[n - 1].state != NAME_READY)
		n--;
	return n;
}

/* Copies the counters of n operations. Sets *reset if one has fewer calls than before. */
static int read_set(struct capture *p, unsigned number, unsigned n, int *reset)
{
	struct set *s = set_at(p, number);
	struct cell *first = cell_of(p, s, 0);
	size_t size = n * p->cell_size;
	uint64_t at = offset_of(p, first);
	uint64_t *before = malloc((n + 1) * sizeof(*before));
	int ok = before != NULL;

	for (unsigned op = 0; ok && op < n; op++)
		before[op] = cell_of(p, s, op)->ended;
	ok = ok && read_at(p->fd, first, size, at) && read_at(p->fd, p->second, size, at);
	for (unsigned op = 0; ok && op < n; op++) {
		struct cell *now = cell_of(p, s, op);
		struct cell *again = (void *)(p->second + op * p->cell_size);
		struct track *t = &p->track[(size_t)number * p->max_ops + op];

		if (!is_at_rest(p, now, again))
			ok = read_cell(p, now, again, at + op * p->cell_size, &t->stuck);
		else if (sum_of_slots(p, now) != now->ended) /* damaged */
			settle_cell(p, now, 0);
		*reset |= now->ended < before[op];
	}
	free(before);
	return ok;
}

static int read_names(struct capture *p)
{
	if (!read_at(p->fd, p->name, p->max_ops * sizeof(*p->name), offset_of(p, p->name)) ||
	    !read_at(p->fd, p->pair, PAIRS * sizeof(*p->pair), offset_of(p, p->pair)))
		return 0;
	for (unsigned i = 0; i < p->max_ops; i++) {
		p->name[i].layer[sizeof(p->name->layer) - 1] = '\0';
		p->name[i].text[sizeof(p->name->text) - 1] = '\0';
	}
	return 1;
}

/* Grows the buffer for the second read to the size of a set. */
static int make_room(struct capture *p, unsigned n_used, unsigned n_ops)
{
	uint64_t size = (uint64_t)n_ops * p->cell_size;
	char *room = NULL;

	if (n_used > 0 && size > MAX_BYTES / n_used) {
		errno = EFBIG;
		return 0;
	}
	if (size < SIZE_MAX)
		room = realloc(p->second, (size_t)size + 1);
	if (room != NULL)
		p->second = room;
	return room != NULL;
}

static int read_counters(struct capture *p, int *reset)
{
	unsigned n_used = 0, n_ops;

	if (p->track == NULL)
		p->track = calloc((size_t)p->n_sets * p->max_ops, sizeof(*p->track));
	if (p->track == NULL || !read_names(p))
		return 0;
	for (unsigned i = 0; i < p->n_sets; i++) {
		struct set *s = set_at(p, i);

		if (!read_at(p->fd, s, sizeof(*s), offset_of(p, s)))
			return 0;
		n_used += s->used != 0;
	}
	n_ops = named_ops(p);
	if (!make_room(p, n_used, n_ops))
		return 0;
	p->n_naps = NAPS;
	for (unsigned i = 0; i < p->n_sets; i++) {
		if (set_at(p, i)->used != 0 && !read_set(p, i, n_ops, reset))
			return 0;
	}
	return 1;
}

/* --- an observer ---------------------------------------------------------------------- */

int osprof_observe_again(struct osprof *open)
{
	struct capture *p = (struct capture *)open;
	struct region now;
	int reset = 0;

	if (!read_header(p->fd, &now))
		return -1;
	if (now.seal != p->region->seal) {
		errno = ESTALE;
		return -1;
	}
	*p->region = now;
	return read_counters(p, &reset) ? reset : -1;
}

static struct capture *observer_of(const struct region *r, int fd)
{
	struct capture *p = osprof_capture(r->resolution, r->max_ops, r->n_sets);
	void *m;

	if (p == NULL || r->size != p->size) {
		errno = p == NULL && errno == ENOMEM ? ENOMEM : EBADMSG;
		free(p);
		return NULL;
	}
	if ((uint64_t)r->n_sets * r->max_ops > MAX_TRACKS) {
		free(p);
		errno = EFBIG;
		return NULL;
	}
	p->fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	m = mmap(NULL, p->size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
		 -1, 0);
	if (p->fd < 0 || m == MAP_FAILED) {
		osprof_free(&p->open);
		return NULL;
	}
	osprof_lay_out(p, m);
	p->open.has_counter = r->has_counter != 0;
	p->subtracted = r->subtracted;
	*p->region = *r;
	return p;
}

struct osprof *osprof_observe(int fd)
{
	struct region r;
	struct capture *p;

	if (!read_header(fd, &r))
		return NULL;
	p = observer_of(&r, fd);
	if (p != NULL && osprof_observe_again(&p->open) < 0) {
		osprof_free(&p->open);
		return NULL;
	}
	return p != NULL ? &p->open : NULL;
}
