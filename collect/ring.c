/* SPDX-License-Identifier: MIT */
#include "collect/ring.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { VERSION = 3, LINE = 64 };

static const char magic[8] = "oscalls";

struct ring_slot {
	uint64_t mark; /* 0: never used; 2i + 1: claim i is being written; 2i + 2: complete */
	struct call_record call;
};

struct ring_process {
	uint32_t id; /* 0: free */
	uint32_t handed_on;
};

/* --- the memory -------------------------------------------------------------------------- */

/* Returns the number of system call filters (seccomp) on this process. */
static uint32_t count_filters(void)
{
	static const char key[] = "\nSeccomp_filters:\t";
	char text[4096];
	long fd = syscall(SYS_openat, AT_FDCWD, "/proc/self/status", O_RDONLY | O_CLOEXEC), n;
	uint32_t count = 0;
	const char *at;

	if (fd < 0)
		return 0;
	n = syscall(SYS_read, fd, text, sizeof(text) - 1);
	(void)syscall(SYS_close, fd);
	text[n > 0 ? n : 0] = '\0';
	at = strstr(text, key);
	for (at = at != NULL ? at + sizeof(key) - 1 : ""; *at >= '0' && *at <= '9'; at++)
		count = count * 10 + (uint32_t)(*at - '0');
	return count;
}

static size_t in_lines(size_t size)
{
	return (size + LINE - 1) / LINE * LINE;
}

/* Computes r->size and, unless base is NULL, the pointers to the parts. */
static void lay_out(struct ring *r, char *base)
{
	const size_t parts[] = { sizeof(*r->head),
				 RING_PROCESSES * sizeof(*r->process),
				 (size_t)RING_PROCESSES * r->n_ops * sizeof(*r->number),
				 r->n_ops * sizeof(*r->until),
				 RING_MODULES * sizeof(*r->module),
				 RING_SITES * sizeof(*r->site),
				 r->n_records * sizeof(*r->slot) };
	size_t at[sizeof(parts) / sizeof(parts[0])];

	r->size = 0;
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		at[i] = r->size;
		r->size += in_lines(parts[i]);
	}
	if (base == NULL)
		return;
	r->head = (void *)(base + at[0]);
	r->process = (void *)(base + at[1]);
	r->number = (void *)(base + at[2]);
	r->until = (void *)(base + at[3]);
	r->module = (void *)(base + at[4]);
	r->site = (void *)(base + at[5]);
	r->slot = (void *)(base + at[6]);
}

static int map_ring(struct ring *r, int fd)
{
	void *m = mmap(NULL, r->size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);

	if (m == MAP_FAILED)
		return -1;
	lay_out(r, m);
	return 0;
}

/* Returns the median time between two reads of the CPU time, in nanoseconds. */
static uint64_t measure_overhead(void)
{
	enum { ROUNDS = 1001, STEP = 8, MAX = 4096 }; /* steps of 8 ns */
	uint16_t seen[MAX] = { 0 };
	unsigned below = 0, i = 0;

	for (int k = 0; k < ROUNDS; k++) {
		uint64_t start = ring_cpu_time(), took = (ring_cpu_time() - start) / STEP;

		seen[took < MAX ? took : MAX - 1]++;
	}
	while ((below += seen[i]) <= ROUNDS / 2)
		i++;
	return (uint64_t)i * STEP;
}

int ring_make(struct ring *ret, int fd, uint64_t n_records, uint32_t n_ops, uint64_t began)
{
	struct ring r = { .n_records = n_records, .n_ops = n_ops };

	lay_out(&r, NULL);
	if (ftruncate(fd, (off_t)r.size) != 0 || map_ring(&r, fd) != 0)
		return -1;
	*r.head = (struct ring_head){ .version = VERSION,
				      .n_ops = n_ops,
				      .n_records = n_records,
				      .began = began,
				      .cpu_overhead = measure_overhead(),
				      .n_filters = count_filters() };
	memcpy(r.head->magic, magic, sizeof(magic));
	*ret = r;
	return 0;
}

int ring_attach(struct ring *ret, int fd)
{
	struct ring_head head;
	struct ring r;
	struct stat st;

	errno = EINVAL;
	if (pread(fd, &head, sizeof(head), 0) != (ssize_t)sizeof(head) || fstat(fd, &st) != 0 ||
	    memcmp(head.magic, magic, sizeof(magic)) != 0)
		return -1;
	errno = EPROTONOSUPPORT;
	if (head.version != VERSION)
		return -1;
	errno = EINVAL;
	r = (struct ring){ .n_records = head.n_records, .n_ops = head.n_ops };
	lay_out(&r, NULL);
	if ((uint64_t)st.st_size != r.size || map_ring(&r, fd) != 0)
		return -1;
	if (count_filters() > head.n_filters) {
		ring_detach(&r);
		errno = EPERM;
		return -1;
	}
	(void)__atomic_fetch_add(&r.head->attached, 1, __ATOMIC_RELAXED);
	*ret = r;
	return 0;
}

void ring_detach(struct ring *r)
{
	(void)munmap(r->head, r->size);
}

/* --- records ------------------------------------------------------------------------------- */

/* If another writer is in the slot, for an earlier or already for a later round, the slot is left
 * to it and this record is lost. */
void ring_add(struct ring *r, const struct call_record *c)
{
	uint64_t i = __atomic_fetch_add(&r->head->claimed, 1, __ATOMIC_RELAXED);
	struct ring_slot *to = &r->slot[i % r->n_records];
	uint64_t seen = __atomic_load_n(&to->mark, __ATOMIC_RELAXED);

	if ((seen & 1) != 0 || seen > 2 * i ||
	    !__atomic_compare_exchange_n(&to->mark, &seen, 2 * i + 1, 0, __ATOMIC_ACQ_REL,
					 __ATOMIC_RELAXED))
		return;
	to->call = *c;
	__atomic_store_n(&to->mark, 2 * i + 2, __ATOMIC_RELEASE);
}

static int copy_marked(const struct ring_slot *at, uint64_t mark, struct call_record *ret)
{
	*ret = at->call;
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	return __atomic_load_n(&at->mark, __ATOMIC_RELAXED) == mark;
}

int ring_get(const struct ring *r, uint64_t i, struct call_record *ret)
{
	const struct ring_slot *at = &r->slot[i];
	uint64_t mark = __atomic_load_n(&at->mark, __ATOMIC_ACQUIRE);

	return mark != 0 && (mark & 1) == 0 && copy_marked(at, mark, ret);
}

int ring_get_claimed(const struct ring *r, uint64_t i, struct call_record *ret)
{
	const struct ring_slot *at = &r->slot[i % r->n_records];

	return __atomic_load_n(&at->mark, __ATOMIC_ACQUIRE) == 2 * i + 2 &&
	       copy_marked(at, 2 * i + 2, ret);
}

void ring_want(struct ring *r, unsigned op, uint64_t until)
{
	uint64_t seen = __atomic_load_n(&r->until[op], __ATOMIC_RELAXED);

	while (seen < until && !__atomic_compare_exchange_n(&r->until[op], &seen, until, 0,
							    __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		;
}

/* --- sites ----------------------------------------------------------------------------------- */

/* Claims a free entry, to be filled and then shown; if the process dies in between, the entry is
 * wasted. */
static int take_entry(uint32_t *state)
{
	uint32_t free_one = RING_FREE;

	return __atomic_compare_exchange_n(state, &free_one, RING_BUSY, 0, __ATOMIC_ACQUIRE,
					   __ATOMIC_RELAXED);
}

static void show_entry(uint32_t *state)
{
	__atomic_store_n(state, RING_READY, __ATOMIC_RELEASE);
}

static int is_ready(const uint32_t *state)
{
	return __atomic_load_n(state, __ATOMIC_ACQUIRE) == RING_READY;
}

static int is_same(const struct ring_module *a, const struct ring_module *b)
{
	return a->device == b->device && a->inode == b->inode && a->size == b->size &&
	       a->seconds == b->seconds && strncmp(a->path, b->path, sizeof(a->path)) == 0;
}

/* Returns -1 when there is no room. Two threads may enter the same module at once: no harm. */
static int module_of(struct ring *r, const struct ring_module *wanted)
{
	for (int i = 0; i < RING_MODULES; i++) {
		struct ring_module *m = &r->module[i];

		if (is_ready(&m->state) && is_same(m, wanted))
			return i;
		if (!take_entry(&m->state))
			continue;
		memcpy((char *)m + sizeof(m->state), (const char *)wanted + sizeof(m->state),
		       sizeof(*m) - sizeof(m->state));
		show_entry(&m->state);
		return i;
	}
	return -1;
}

uint32_t ring_site(struct ring *r, const struct ring_module *wanted, uint64_t offset)
{
	int module = module_of(r, wanted);
	uint64_t i = (offset ^ (uint64_t)(unsigned)module << 40) * 0x9e3779b97f4a7c15u >> 50;

	if (module < 0)
		return 0;
	for (uint32_t tries = 0; tries < RING_SITES; tries++, i = (i + 1) % RING_SITES) {
		struct ring_site *s = &r->site[i];

		if (is_ready(&s->state) && s->module == (uint32_t)module && s->offset == offset)
			return (uint32_t)i + 1;
		if (!take_entry(&s->state))
			continue;
		s->module = (uint32_t)module;
		s->offset = offset;
		show_entry(&s->state);
		return (uint32_t)i + 1;
	}
	return 0;
}

/* --- processes --------------------------------------------------------------------------- */

static int find_process(const struct ring *r, uint32_t id)
{
	for (int i = 0; i < RING_PROCESSES; i++) {
		if (__atomic_load_n(&r->process[i].id, __ATOMIC_ACQUIRE) == id)
			return i;
	}
	return -1;
}

/* Claims an entry for a process: a free one, or that of a process that has ended. */
static int settle_entry(struct ring *r, uint32_t id)
{
	for (int i = 0; i < RING_PROCESSES; i++) {
		uint32_t there = 0;

		if (__atomic_compare_exchange_n(&r->process[i].id, &there, id, 0, __ATOMIC_ACQ_REL,
						__ATOMIC_ACQUIRE))
			return i;
	}
	for (int i = 0; i < RING_PROCESSES; i++) {
		uint32_t there = __atomic_load_n(&r->process[i].id, __ATOMIC_ACQUIRE);

		if (syscall(SYS_kill, (pid_t)there, 0) != 0 && errno == ESRCH &&
		    __atomic_compare_exchange_n(&r->process[i].id, &there, id, 0, __ATOMIC_ACQ_REL,
						__ATOMIC_ACQUIRE))
			return i;
	}
	return -1;
}

uint64_t *ring_numbers(struct ring *r, uint32_t process, int replaced)
{
	int i = find_process(r, process), goes_on;

	if (i < 0)
		i = settle_entry(r, process);
	if (i < 0)
		return NULL;
	goes_on = replaced && r->process[i].handed_on;
	r->process[i].handed_on = 0;
	if (!goes_on)
		memset(r->number + (size_t)i * r->n_ops, 0, r->n_ops * sizeof(*r->number));
	return r->number + (size_t)i * r->n_ops;
}

void ring_inherit(struct ring *r, uint32_t process, int yes)
{
	int i = find_process(r, process);

	if (i >= 0)
		r->process[i].handed_on = (uint32_t)yes;
}
