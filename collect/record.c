/* SPDX-License-Identifier: MIT */
/* Counting: which thread has which set of counters, and adding a call to it. */
#include "collect/region.h"

#include <errno.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

__thread struct seat osprof_seats[OSPROF_MAX_PROFILES] __attribute__((aligned(LINE)));

/* A profile's epoch in this process; a seat of another epoch is none. The page is wiped
 * in the child of any kind of fork, where no seat of the parent may be used. */
static uint64_t plain_epochs[OSPROF_MAX_PROFILES];
static uint64_t *epochs = plain_epochs;
static int in_use[OSPROF_MAX_PROFILES];
static struct capture *profiles[OSPROF_MAX_PROFILES];
static pthread_key_t at_thread_end;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void wipe_epochs(void)
{
	memset(epochs, 0, sizeof(plain_epochs));
}

static void leave_all(void *unused)
{
	(void)unused;
	for (int i = 0; i < OSPROF_MAX_PROFILES; i++) {
		struct capture *p = __atomic_load_n(&profiles[i], __ATOMIC_ACQUIRE);

		if (p != NULL)
			osprof_leave(&p->open);
	}
}

void *osprof_wiped_memory(size_t size, void (*wipe)(void))
{
	void *m = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

#ifdef MADV_WIPEONFORK
	if (m != MAP_FAILED && madvise(m, size, MADV_WIPEONFORK) == 0)
		return m;
#endif
	if (m != MAP_FAILED)
		(void)munmap(m, size);
	(void)pthread_atfork(NULL, NULL, wipe);
	return NULL;
}

static void set_up_process(void)
{
	uint64_t *wiped = osprof_wiped_memory(sizeof(plain_epochs), wipe_epochs);

	(void)pthread_key_create(&at_thread_end, leave_all);
	if (wiped != NULL)
		epochs = wiped;
}

static uint64_t fresh_epoch(void)
{
	return osprof_counter() | 1;
}

static inline uint64_t epoch_of(const struct capture *p)
{
	return __atomic_load_n(p->epoch, __ATOMIC_RELAXED);
}

static inline struct seat *seat_in(const struct capture *p)
{
	return &osprof_seats[p->slot];
}

static void make_label(const struct capture *p, char label[LABEL])
{
	const char *program = program_invocation_short_name;

	memset(label, 0, LABEL);
	if (p->region->by == OSPROF_BY_PROGRAM)
		(void)snprintf(label, LABEL, "%s", program);
	else if (p->region->by == OSPROF_BY_PROCESS)
		(void)snprintf(label, LABEL, "%.30s %ld", program, (long)getpid());
	else if (p->region->by == OSPROF_BY_THREAD)
		(void)snprintf(label, LABEL, "%.30s %ld %ld", program, (long)getpid(),
			       (long)syscall(SYS_gettid));
}

/* A label is written but once, by the first owner, before the set is in use. */
static int may_use(const struct set *s, const char *label)
{
	return !is_used(s) || strncmp(s->label, label, LABEL) == 0;
}

static void use(struct set *s)
{
	if (!is_used(s))
		__atomic_store_n(&s->used, 1, __ATOMIC_RELEASE);
}

static struct set *claim(const struct capture *p)
{
	char label[LABEL];

	make_label(p, label);
	for (unsigned i = 0; i + 1 < p->n_sets; i++) {
		struct set *s = set_at(p, i);
		uint32_t free_one = 0;

		if (__atomic_load_n(&s->owned, __ATOMIC_RELAXED) || !may_use(s, label) ||
		    !__atomic_compare_exchange_n(&s->owned, &free_one, 1, 0, __ATOMIC_ACQUIRE,
						 __ATOMIC_RELAXED))
			continue;
		if (may_use(s, label)) {
			if (!is_used(s))
				memcpy(s->label, label, LABEL);
			return s;
		}
		__atomic_store_n(&s->owned, 0, __ATOMIC_RELEASE);
	}
	return NULL;
}

static void __attribute__((noinline, cold)) sit_down(struct capture *p, struct seat *seat)
{
	int saved = errno;
	uint64_t epoch = 0, fresh = fresh_epoch();
	struct set *s = claim(p);

	if (__atomic_compare_exchange_n(&epochs[p->slot], &epoch, fresh, 0, __ATOMIC_RELAXED,
					__ATOMIC_RELAXED))
		epoch = fresh;
	seat->shared = s == NULL;
	seat->set = s != NULL ? s : set_at(p, p->n_sets - 1);
	use(seat->set);
	seat->epoch_now = p->epoch;
	seat->cell_size = p->cell_size;
	seat->subtracted = p->subtracted;
	seat->max_ops = p->max_ops;
	seat->resolution = p->resolution;
	if (p->resolution <= FEW_STEPS)
		memcpy(seat->step, p->step, p->resolution * sizeof(p->step[0]));
	seat->epoch = epoch;
	(void)pthread_setspecific(at_thread_end, epochs);
	errno = saved;
}

void osprof_leave(struct osprof *open)
{
	struct capture *p = (struct capture *)open;
	struct seat *seat = seat_in(p);

	if (seat->epoch == 0 || seat->epoch != epoch_of(p))
		return;
	seat->epoch = 0;
	if (!seat->shared)
		__atomic_store_n(&seat->set->owned, 0, __ATOMIC_RELEASE);
}

int osprof_take_slot(void)
{
	(void)pthread_once(&once, set_up_process);
	for (int i = 0; i < OSPROF_MAX_PROFILES; i++) {
		int no = 0;

		if (__atomic_compare_exchange_n(&in_use[i], &no, 1, 0, __ATOMIC_ACQUIRE,
						__ATOMIC_RELAXED))
			return i;
	}
	return -1;
}

void osprof_release_slot(int slot)
{
	__atomic_store_n(&in_use[slot], 0, __ATOMIC_RELEASE);
}

void osprof_open(struct capture *p)
{
	p->epoch = &epochs[p->slot];
	__atomic_store_n(&profiles[p->slot], p, __ATOMIC_RELEASE);
	__atomic_store_n(&epochs[p->slot], fresh_epoch(), __ATOMIC_RELAXED);
}

void osprof_close(struct capture *p)
{
	__atomic_store_n(&profiles[p->slot], NULL, __ATOMIC_RELEASE);
	__atomic_store_n(&epochs[p->slot], 0, __ATOMIC_RELAXED);
}

/* --- counting ------------------------------------------------------------------------ */

/* One instruction, so that a signal handler of the same thread cannot come between. */
static inline void add_to_own(uint64_t *to, uint64_t v)
{
#ifdef __x86_64__
	__asm__ volatile("addq %1, %0" : "+m"(*to) : "er"(v) : "cc");
#else
	(void)__atomic_fetch_add(to, v, __ATOMIC_ACQ_REL);
#endif
}

static void add_shared(struct cell *c, size_t slot, uint64_t latency)
{
	(void)__atomic_fetch_add(&c->begun, 1, __ATOMIC_ACQ_REL);
	(void)__atomic_fetch_add(&c->total, latency, __ATOMIC_ACQ_REL);
	(void)__atomic_fetch_add(&c->slot[slot], 1, __ATOMIC_ACQ_REL);
	(void)__atomic_fetch_add(&c->ended, 1, __ATOMIC_ACQ_REL);
}

static inline unsigned octave_of(uint64_t latency)
{
	return OCTAVES - 1 - (unsigned)__builtin_clzll(latency);
}

/* Which part of its octave a latency is in: the last step that is not above it. */
static unsigned part_of(const struct capture *p, uint64_t latency)
{
	uint64_t v = latency << (OCTAVES - 1 - octave_of(latency));
	unsigned low = 0, high = p->resolution;

	while (high - low > 1) {
		unsigned middle = (low + high) / 2;

		if (p->step[middle] <= v)
			low = middle;
		else
			high = middle;
	}
	return low;
}

static size_t slot_of(const struct capture *p, uint64_t latency)
{
	if (latency == 0)
		return 0;
	return (size_t)octave_of(latency) * p->resolution + part_of(p, latency) + 1;
}

/* The same of few steps, which wait for none of each other. */
static inline size_t slot_by_seat(const struct seat *seat, uint64_t latency)
{
	unsigned octave, part = 0;
	uint64_t v;

	if (latency == 0)
		return 0;
	octave = octave_of(latency);
	v = latency << (OCTAVES - 1 - octave);
	for (unsigned k = 1; k < seat->resolution; k++)
		part += seat->step[k] <= v;
	return (size_t)octave * seat->resolution + part + 1;
}

static void lose(struct capture *p)
{
	if (p->region != NULL)
		(void)__atomic_fetch_add(&p->region->lost, 1, __ATOMIC_RELAXED);
}

static inline void add_own(struct cell *c, size_t slot, uint64_t latency)
{
	add_to_own(&c->begun, 1);
	add_to_own(&c->total, latency);
	add_to_own(&c->slot[slot], 1);
	add_to_own(&c->ended, 1);
}

/* The thread's first call, one of an operation that there is not, of a thread that found no set of
 * its own, or of a profile with many steps. */
static void __attribute__((noinline))
record_in_full(struct capture *p, struct seat *seat, int op, uint64_t latency)
{
	if ((unsigned)op >= p->max_ops) {
		lose(p);
		return;
	}
	if (seat->epoch == 0 || seat->epoch != epoch_of(p))
		sit_down(p, seat);
	if (seat->shared)
		add_shared(cell_of(p, seat->set, (unsigned)op), slot_of(p, latency), latency);
	else
		add_own(cell_of(p, seat->set, (unsigned)op), slot_of(p, latency), latency);
}

static inline int may_count(const struct seat *seat, int op)
{
	return seat->epoch != 0 &&
	       seat->epoch == __atomic_load_n(seat->epoch_now, __ATOMIC_RELAXED) && !seat->shared &&
	       (unsigned)op < seat->max_ops && seat->resolution <= FEW_STEPS;
}

static inline void count(const struct seat *seat, int op, uint64_t latency)
{
	add_own(cell_in(seat->set, seat->cell_size, (unsigned)op), slot_by_seat(seat, latency),
		latency);
}

static inline void record(struct capture *p, int op, uint64_t latency)
{
	struct seat *seat = seat_in(p);

	if (LIKELY(may_count(seat, op)))
		count(seat, op, latency);
	else
		record_in_full(p, seat, op, latency);
}

void osprof_add(struct osprof *open, int op, uint64_t latency)
{
	record((struct capture *)open, op, latency);
}

/* The time of the next snapshot has come: one thread takes it. */
static void __attribute__((noinline, cold)) snapshot_is_due(struct capture *p, uint64_t now)
{
	int saved = errno;

	__atomic_store_n(&p->next_snapshot, now + p->every, __ATOMIC_RELAXED);
	(void)osprof_snapshot(&p->open);
	errno = saved;
}

/* Counters of two processors may be a little apart. */
static inline uint64_t latency_of(uint64_t start, uint64_t now, uint64_t subtracted)
{
	uint64_t latency = now - start <= INT64_MAX ? now - start : 0;

	return latency > subtracted ? latency - subtracted : 0;
}

static inline uint64_t stop_at(struct osprof *open, int op, uint64_t start, uint64_t now)
{
	struct capture *p = (struct capture *)open;
	uint64_t latency = latency_of(start, now, p->subtracted);

	record(p, op, latency);
	if (!LIKELY(now < __atomic_load_n(&p->next_snapshot, __ATOMIC_RELAXED)))
		snapshot_is_due(p, now);
	return latency;
}

uint64_t osprof_stop_seated(struct osprof *open, struct seat *seat, int op, uint64_t start,
			    uint64_t now)
{
	struct capture *p = (struct capture *)open;
	uint64_t latency;

	if (LIKELY(may_count(seat, op))) {
		latency = latency_of(start, now, seat->subtracted);
		count(seat, op, latency);
	} else {
		latency = latency_of(start, now, p->subtracted);
		record_in_full(p, seat, op, latency);
	}
	return latency;
}

uint64_t osprof_stop(struct osprof *open, int op, uint64_t start)
{
	return stop_at(open, op, start, osprof_start(open));
}

uint64_t osprof_stop_at(struct osprof *open, int op, uint64_t start, uint64_t now)
{
	return stop_at(open, op, start, now);
}

/* --- calls within calls ---------------------------------------------------------------- */

void osprof_add_self(struct osprof *open, int op, uint64_t self, uint64_t inclusive)
{
	struct capture *p = (struct capture *)open;
	struct seat *seat = seat_in(p);
	struct cell *c;

	if ((unsigned)op >= p->max_ops || seat->epoch == 0 || seat->epoch != epoch_of(p))
		return;
	c = cell_of(p, seat->set, (unsigned)op);
	if (!LIKELY(!seat->shared)) {
		(void)__atomic_fetch_add(&c->self, self, __ATOMIC_RELAXED);
		(void)__atomic_fetch_add(&c->inclusive, inclusive, __ATOMIC_RELAXED);
		(void)__atomic_fetch_add(&c->n_self, 1, __ATOMIC_RELAXED);
		return;
	}
	add_to_own(&c->self, self);
	add_to_own(&c->inclusive, inclusive);
	add_to_own(&c->n_self, 1);
}

/* Where there is no room it is not known; self times are, all the same. */
static struct pair *find_pair(const struct capture *p, uint64_t key)
{
	enum { TRIES = 32 };
	uint64_t at = key * UINT64_C(0x9e3779b97f4a7c15) >> 32;

	for (unsigned i = 0; i < TRIES; i++) {
		struct pair *pair = &p->pair[(at + i) % PAIRS];
		uint64_t there = __atomic_load_n(&pair->key, __ATOMIC_RELAXED);

		if (there == 0 && __atomic_compare_exchange_n(&pair->key, &there, key, 0,
							      __ATOMIC_RELAXED, __ATOMIC_RELAXED))
			return pair;
		if (there == key)
			return pair;
	}
	return NULL;
}

void osprof_add_pair(struct osprof *open, int upper, int lower, int first, uint64_t latency)
{
	struct capture *p = (struct capture *)open;
	struct pair *pair;

	if ((unsigned)upper >= p->max_ops || (unsigned)lower >= p->max_ops)
		return;
	pair = find_pair(p, (uint64_t)(upper + 1) << 32 | (uint64_t)(lower + 1));
	if (pair == NULL)
		return;
	(void)__atomic_fetch_add(&pair->calls, 1, __ATOMIC_RELAXED);
	(void)__atomic_fetch_add(&pair->total, latency, __ATOMIC_RELAXED);
	if (first)
		(void)__atomic_fetch_add(&pair->reached, 1, __ATOMIC_RELAXED);
}
