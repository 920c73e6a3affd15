/* SPDX-License-Identifier: MIT */
/* Creating a profile, sharing it, and naming its operations. */
#include "collect/region.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Computes the lower edge of bucket k of the octave [2^63, 2^64), 2^(63 + k/r), without libm. */
static void divide_octave(struct capture *p)
{
	long double r = p->resolution, root = 1 + 0.7L / r;

	for (int i = 0; i < 60; i++) { /* Newton on root^r = 2 */
		long double power = 1;

		for (unsigned k = 1; k < p->resolution; k++)
			power *= root;
		root -= (power * root - 2) / (r * power);
	}
	for (unsigned k = 0; k < p->resolution; k++) {
		long double power = 1, base = root;

		for (unsigned n = k; n > 0; n >>= 1, base *= base)
			power *= (n & 1) != 0 ? base : 1;
		p->step[k] = k == 0 ? 1ull << 63 : (uint64_t)(power * 0x1p63L) + 1;
	}
}

struct capture *osprof_capture(unsigned resolution, unsigned max_ops, unsigned n_sets)
{
	struct capture *p;
	size_t size;

	if (resolution < 1 || resolution > OSPROF_MAX_RESOLUTION || max_ops < 1 ||
	    max_ops > 1 << 16 || n_sets < 1 || n_sets > 1 << 16) {
		errno = EINVAL;
		return NULL;
	}
	size = (sizeof(*p) + resolution * sizeof(p->step[0]) + LINE - 1) / LINE * LINE;
	p = aligned_alloc(LINE, size);
	if (p == NULL)
		return NULL;
	memset(p, 0, size);
	p->slot = p->fd = -1;
	p->resolution = resolution;
	p->max_ops = max_ops;
	p->n_sets = n_sets;
	p->n_slots = OCTAVES * resolution + 1;
	p->cell_size =
		(sizeof(struct cell) + p->n_slots * sizeof(uint64_t) + LINE - 1) / LINE * LINE;
	p->set_size = sizeof(struct set) + max_ops * p->cell_size;
	p->size =
		sizeof(struct region) + max_ops * sizeof(struct name) + PAIRS * sizeof(struct pair);
	p->size = (p->size + LINE - 1) / LINE * LINE + n_sets * p->set_size;
	p->next_snapshot = UINT64_MAX;
	return p;
}

void osprof_lay_out(struct capture *p, void *region)
{
	p->region = region;
	p->name = (struct name *)(p->region + 1);
	p->pair = (struct pair *)(p->name + p->max_ops);
	p->sets = (char *)p->region + (p->size - p->n_sets * p->set_size);
}

/* As osprof_capture(), but for counting: with a slot and bucket edges. */
static struct capture *new_capture(unsigned resolution, unsigned max_ops, unsigned n_sets)
{
	struct capture *p = osprof_capture(resolution, max_ops, n_sets);

	if (p == NULL)
		return NULL;
	p->slot = osprof_take_slot();
	if (p->slot < 0) {
		free(p);
		errno = EMFILE;
		return NULL;
	}
	divide_octave(p);
	return p;
}

static int map_region(struct capture *p, int fd)
{
	void *m = mmap(NULL, p->size, PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_NORESERVE | (fd < 0 ? MAP_ANONYMOUS : 0), fd, 0);

	if (m == MAP_FAILED)
		return 0;
	osprof_lay_out(p, m);
	return osprof_open(p);
}

/* Tells readers in other processes that counting has ended. */
static void end_region(struct capture *p)
{
	if (p->slot >= 0 && p->region->owner == (uint64_t)getpid())
		__atomic_store_n(&p->region->ended, osprof_nanoseconds(), __ATOMIC_RELEASE);
}

void osprof_free(struct osprof *open)
{
	struct capture *p = (struct capture *)open;
	int saved = errno;

	if (p == NULL)
		return;
	if (p->slot >= 0)
		osprof_close(p);
	if (p->region != NULL) {
		end_region(p);
		(void)munmap(p->region, p->size);
	}
	osprof_forget(p);
	if (p->slot >= 0)
		osprof_release_slot(p->slot);
	if (p->fd >= 0)
		(void)close(p->fd);
	free(p->second);
	free(p);
	errno = saved;
}

static struct osprof *start_in(int fd, const struct osprof_options *o, int shared_file)
{
	struct capture *p = new_capture(o->resolution != 0 ? o->resolution : 1,
					o->max_ops != 0 ? o->max_ops : 256,
					(o->max_threads != 0 ? o->max_threads : 128) + 1);
	uint64_t hz = o->system_clock ? 0 : osprof_counter_rate();
	struct region *r;

	if (p == NULL)
		return NULL;
	/* Counters that another profile left in the file must not count as ours. */
	if ((shared_file && (ftruncate(fd, 0) != 0 || ftruncate(fd, (off_t)p->size) != 0)) ||
	    !map_region(p, fd)) {
		osprof_free(&p->open);
		return NULL;
	}
	r = p->region;
	*r = (struct region){ .version = VERSION,
			      .has_counter = hz != 0,
			      .hz = hz,
			      .resolution = p->resolution,
			      .max_ops = p->max_ops,
			      .n_sets = p->n_sets,
			      .by = o->by,
			      .size = p->size };
	p->open.has_counter = hz != 0;
	r->overhead = osprof_measure_overhead(&p->open);
	r->subtracted = p->subtracted = o->subtract_overhead ? r->overhead : 0;
	if (o->interval > 0) {
		p->sampled = 1;
		p->every = (uint64_t)(o->interval * (hz != 0 ? (double)hz : 1e9));
		p->next_snapshot = osprof_start(&p->open) + p->every;
	}
	r->began = osprof_nanoseconds();
	osprof_sign(r);
	return &p->open;
}

struct osprof *osprof_new(const struct osprof_options *options)
{
	return start_in(-1, options != NULL ? options : &(struct osprof_options){ 0 }, 0);
}

struct osprof *osprof_new_in(int fd, const struct osprof_options *options)
{
	return start_in(fd, options != NULL ? options : &(struct osprof_options){ 0 }, 1);
}

struct osprof *osprof_attach(int fd)
{
	struct region r;
	struct capture *p;
	struct stat st;
	int wrong = EINVAL;

	if (fstat(fd, &st) == 0 && pread(fd, &r, sizeof(r), 0) == (ssize_t)sizeof(r))
		wrong = osprof_check(&r, (uint64_t)st.st_size);
	if (wrong != 0) {
		errno = wrong;
		return NULL;
	}
	p = new_capture(r.resolution, r.max_ops, r.n_sets);
	if (p == NULL)
		return NULL;
	errno = EBADMSG;
	if (r.size != p->size || !map_region(p, fd)) {
		osprof_free(&p->open);
		return NULL;
	}
	p->open.has_counter = r.has_counter != 0;
	p->subtracted = r.subtracted;
	p->n_known = __atomic_load_n(&p->region->n_sent, __ATOMIC_ACQUIRE);
	return &p->open;
}

uint64_t *osprof_words(struct osprof *open)
{
	return ((struct capture *)open)->region->words;
}

uint64_t osprof_overhead(const struct osprof *open)
{
	return ((const struct capture *)open)->region->overhead;
}

uint64_t osprof_hz(const struct osprof *open)
{
	return ((const struct capture *)open)->region->hz;
}

/* A name is claimed, filled, and then shown; a process that dies in between wastes an entry. Two
 * threads may enter the same name at once; osprof_look() adds the two up. */
static int find_op(struct capture *p, const char *layer, const char *text, uint32_t plain)
{
	for (unsigned i = 0; i < p->max_ops; i++) {
		struct name *n = &p->name[i];
		uint32_t state = __atomic_load_n(&n->state, __ATOMIC_ACQUIRE);

		if (state == NAME_READY && is_named(n, layer, text))
			return (int)i;
		if (state != NAME_FREE ||
		    !__atomic_compare_exchange_n(&n->state, &state, NAME_BUSY, 0, __ATOMIC_ACQUIRE,
						 __ATOMIC_RELAXED))
			continue;
		memcpy(n->layer, layer, strnlen(layer, sizeof(n->layer) - 1));
		memcpy(n->text, text, strnlen(text, sizeof(n->text) - 1));
		n->plain = plain;
		__atomic_store_n(&n->state, NAME_READY, __ATOMIC_RELEASE);
		return (int)i;
	}
	return -1;
}

int osprof_op(struct osprof *open, const char *layer, const char *name)
{
	return find_op((struct capture *)open, layer, name, 0);
}

const char *osprof_name_of(const struct osprof *open, unsigned op)
{
	const struct capture *p = (const struct capture *)open;

	return op < p->max_ops && is_ready(&p->name[op]) ? p->name[op].text : NULL;
}

int osprof_peaks(struct osprof *open, struct osprof_peaks *ret, const char *layer, const char *name,
		 const uint64_t *limits, unsigned n)
{
	struct capture *p = (struct capture *)open;
	const char *unit = open->has_counter ? "cycles" : "ns";
	struct osprof_peaks peaks = { .n = n + 1 };

	if (n < 1 || n >= OSPROF_MAX_PEAKS) {
		errno = EINVAL;
		return -1;
	}
	for (unsigned i = 0; i <= n; i++) {
		char text[220];
		unsigned long long from = i > 0 ? limits[i - 1] : 0, to = i < n ? limits[i] : 0;

		if (i == 0)
			(void)snprintf(text, sizeof(text), "%s, below %llu %s", name, to, unit);
		else if (i < n)
			(void)snprintf(text, sizeof(text), "%s, %llu to %llu %s", name, from, to,
				       unit);
		else
			(void)snprintf(text, sizeof(text), "%s, from %llu %s", name, from, unit);
		if (i > 1 && limits[i - 1] <= limits[i - 2]) {
			errno = EINVAL;
			return -1;
		}
		peaks.limit[i] = i < n ? limits[i] : UINT64_MAX;
		peaks.op[i] = find_op(p, layer, text, 1);
	}
	*ret = peaks;
	return 0;
}

void osprof_value(struct osprof *open, const struct osprof_peaks *peaks, uint64_t latency,
		  uint64_t value)
{
	unsigned i = 0;

	while (i + 1 < peaks->n && latency >= peaks->limit[i])
		i++;
	osprof_add(open, peaks->op[i], value);
}
