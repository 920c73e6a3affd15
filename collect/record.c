/* SPDX-License-Identifier: MIT */
/* Counting: assigns sets of counters to threads, and adds calls to them. */
#include "collect/region.h"
#include "collect/thread_entry.h"

#include <errno.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The entry of threads without a set: all zeros, so that every call takes the slow path. */
static struct thread_entry nobody;

#define NOBODY &nobody
_Static_assert(OSPROF_MAX_PROFILES == 8, "each has an entry without a set at first");
__thread struct thread_entry *osprof_entries[OSPROF_MAX_PROFILES] __attribute__((aligned(LINE))) = {
	NOBODY, NOBODY, NOBODY, NOBODY, NOBODY, NOBODY, NOBODY, NOBODY,
};

/* The entries of each slot, as many as the largest profile in it had sets. They are never unmapped:
 * a thread may still point to an entry of a closed profile, and must see that it is not its own. */
static struct thread_entries {
	struct thread_entry *entry;
	unsigned n;
} entries[OSPROF_MAX_PROFILES];
static int in_use[OSPROF_MAX_PROFILES];
static struct capture *profiles[OSPROF_MAX_PROFILES];
static pthread_key_t at_thread_end;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void wipe_entries(void)
{
	for (int i = 0; i < OSPROF_MAX_PROFILES; i++) {
		if (entries[i].entry != NULL)
			memset(entries[i].entry, 0, entries[i].n * sizeof(struct thread_entry));
	}
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

	if (m == MAP_FAILED)
		return NULL;
#ifdef MADV_WIPEONFORK
	if (madvise(m, size, MADV_WIPEONFORK) == 0)
		return m;
#endif
	(void)pthread_atfork(NULL, NULL, wipe);
	return m;
}

static void set_up_process(void)
{
	(void)pthread_key_create(&at_thread_end, leave_all);
}

static inline struct thread_entry *entry_in(const struct capture *p)
{
	return osprof_entries[p->slot];
}

/* Returns the entry of the last set, which threads share that found no free one. */
static struct thread_entry *shared_entry(const struct capture *p)
{
	return &p->entries[p->n_sets - 1];
}

/* Atomic, since another thread may take the entry after this one's profile was closed. */
static inline int is_own(const struct thread_entry *entry)
{
	return __atomic_load_n(&entry->owner, __ATOMIC_RELAXED) == osprof_entries;
}

/* Atomic for the shared entry, where each thread stores the same set. */
static struct set *set_of(const struct thread_entry *entry)
{
	return __atomic_load_n(&entry->set, __ATOMIC_ACQUIRE);
}

static int has_entry(const struct capture *p, const struct thread_entry *entry)
{
	return is_own(entry) || (entry == shared_entry(p) && set_of(entry) != NULL);
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

/* The first owner writes the label, before the set is marked as used; it never changes again. */
static int may_use(const struct set *s, const char *label)
{
	return !is_used(s) || strncmp(s->label, label, LABEL) == 0;
}

static void use(struct set *s)
{
	if (!is_used(s))
		__atomic_store_n(&s->used, 1, __ATOMIC_RELEASE);
}

static struct thread_entry *claim_set(const struct capture *p)
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
			return &p->entries[i];
		}
		__atomic_store_n(&s->owned, 0, __ATOMIC_RELEASE);
	}
	return shared_entry(p);
}

/* Fills in what the fast path needs to count in this set. */
static void describe(struct thread_entry *entry, const struct capture *p)
{
	entry->cell_size = (uint32_t)p->cell_size;
	entry->subtracted = (uint32_t)p->subtracted;
	entry->resolution = p->resolution;
	for (unsigned k = 1; k < FEW_STEPS; k++)
		entry->step[k - 1] = k < p->resolution ? p->step[k] : UINT64_MAX;
	if (p->resolution <= FEW_STEPS && p->subtracted <= UINT32_MAX)
		entry->n_ops = p->max_ops;
	__atomic_store_n(&entry->owner, osprof_entries, __ATOMIC_RELAXED);
}

static struct thread_entry *__attribute__((noinline, cold)) claim_entry(struct capture *p)
{
	int saved = errno;
	struct thread_entry *entry = claim_set(p);
	struct set *s = set_at(p, (unsigned)(entry - p->entries));

	use(s);
	if (entry != shared_entry(p))
		describe(entry, p);
	__atomic_store_n(&entry->set, s, __ATOMIC_RELEASE);
	osprof_entries[p->slot] = entry;
	(void)pthread_setspecific(at_thread_end, profiles);
	errno = saved;
	return entry;
}

struct thread_entry *osprof_entry(struct osprof *open)
{
	struct capture *p = (struct capture *)open;
	struct thread_entry *entry = entry_in(p);

	return has_entry(p, entry) ? entry : claim_entry(p);
}

void osprof_leave(struct osprof *open)
{
	struct capture *p = (struct capture *)open;
	struct thread_entry *entry = entry_in(p);
	struct set *s = set_of(entry);

	osprof_entries[p->slot] = NOBODY;
	if (!is_own(entry))
		return;
	memset(entry, 0, sizeof(*entry));
	__atomic_store_n(&s->owned, 0, __ATOMIC_RELEASE);
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

int osprof_open(struct capture *p)
{
	struct thread_entries *of = &entries[p->slot];

	if (of->n < p->n_sets) {
		unsigned n = of->n * 2 > p->n_sets ? of->n * 2 : p->n_sets;
		struct thread_entry *entry = osprof_wiped_memory(n * sizeof(*entry), wipe_entries);

		if (entry == NULL)
			return 0;
		*of = (struct thread_entries){ entry, n };
	}
	p->entries = of->entry;
	__atomic_store_n(&profiles[p->slot], p, __ATOMIC_RELEASE);
	return 1;
}

void osprof_close(struct capture *p)
{
	__atomic_store_n(&profiles[p->slot], NULL, __ATOMIC_RELEASE);
	if (p->entries != NULL)
		memset(p->entries, 0, p->n_sets * sizeof(*p->entries));
}

/* --- counting ------------------------------------------------------------------------ */

static void add_shared(struct cell *c, size_t slot, uint64_t latency)
{
	(void)__atomic_fetch_add(&c->begun, 1, __ATOMIC_ACQ_REL);
	(void)__atomic_fetch_add(&c->total, latency, __ATOMIC_ACQ_REL);
	(void)__atomic_fetch_add(&c->slot[slot], 1, __ATOMIC_ACQ_REL);
	(void)__atomic_fetch_add(&c->ended, 1, __ATOMIC_ACQ_REL);
}

/* Returns which bucket of its octave a latency is in: the last whose lower edge is not above it. */
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

static void lose(struct capture *p)
{
	if (p->region != NULL)
		(void)__atomic_fetch_add(&p->region->lost, 1, __ATOMIC_RELAXED);
}

/* The slow path: a thread's first call, an unknown operation, a thread without a set of its own,
 * or a profile of high resolution. */
static void __attribute__((noinline)) record_in_full(struct capture *p, int op, uint64_t latency)
{
	const struct thread_entry *entry;

	if ((unsigned)op >= p->max_ops) {
		lose(p);
		return;
	}
	entry = osprof_entry(&p->open);
	if (entry == shared_entry(p))
		add_shared(cell_of(p, set_of(entry), (unsigned)op), slot_of(p, latency), latency);
	else
		add_own(cell_of(p, set_of(entry), (unsigned)op), slot_of(p, latency), latency);
}

static inline void record(struct capture *p, int op, uint64_t latency)
{
	const struct thread_entry *entry = entry_in(p);

	if (LIKELY(is_own(entry) && (unsigned)op < entry->n_ops))
		count(entry, op, latency);
	else
		record_in_full(p, op, latency);
}

void osprof_add(struct osprof *open, int op, uint64_t latency)
{
	record((struct capture *)open, op, latency);
}

/* The next snapshot is due: this thread takes it. */
static void __attribute__((noinline, cold)) snapshot_is_due(struct capture *p, uint64_t now)
{
	int saved = errno;

	__atomic_store_n(&p->next_snapshot, now + p->every, __ATOMIC_RELAXED);
	(void)osprof_snapshot(&p->open);
	errno = saved;
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
	const struct thread_entry *entry = entry_in(p);
	struct cell *c;

	if ((unsigned)op >= p->max_ops || !has_entry(p, entry))
		return;
	c = cell_of(p, set_of(entry), (unsigned)op);
	if (!LIKELY(entry != shared_entry(p))) {
		(void)__atomic_fetch_add(&c->self, self, __ATOMIC_RELAXED);
		(void)__atomic_fetch_add(&c->inclusive, inclusive, __ATOMIC_RELAXED);
		(void)__atomic_fetch_add(&c->n_self, 1, __ATOMIC_RELAXED);
		return;
	}
	add_to_own(&c->self, self);
	add_to_own(&c->inclusive, inclusive);
	add_to_own(&c->n_self, 1);
}

/* Returns NULL when there is no room: the pair is then not counted, but self times still are. */
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
