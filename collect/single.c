/* SPDX-License-Identifier: MIT */
/*
 * Reads the kernel's accounting of the thread before and after each call: four system calls,
 * and nothing that allocates, locks or blocks. Only for a call that blocked is it found out
 * what it waited for.
 */
#include "collect/single.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "collect/calls.h"
#include "collect/preload.h"
#include "collect/region.h"
#include "collect/slots.h"

struct ring *single_calls;
static struct ring attached;

/* --- processes and threads --------------------------------------------------------------- */

/* The identity of this process. The kernel zeroes it in the child of any kind of fork, which
 * fills it in when its first call begins. */
struct self {
	uint64_t epoch;
	uint32_t process;
	uint64_t *number; /* calls made, by operation */
	uint64_t own[N_RECORDED];
};
static struct self plain_self;
static struct self *self = &plain_self;

static __thread struct {
	uint64_t epoch;
	uint32_t thread;
} seen;

static void wipe_self(void)
{
	memset(self, 0, sizeof(*self));
}

static void learn_self(int replaced)
{
	uint64_t epoch = 0;

	self->process = (uint32_t)getpid();
	self->number = ring_numbers(&attached, self->process, replaced);
	if (self->number == NULL)
		self->number = self->own;
	(void)__atomic_compare_exchange_n(&self->epoch, &epoch, osprof_counter() | 1, 0,
					  __ATOMIC_RELEASE, __ATOMIC_RELAXED);
}

static void __attribute__((noinline, cold)) learn_thread(void)
{
	if (__atomic_load_n(&self->epoch, __ATOMIC_ACQUIRE) == 0)
		learn_self(0);
	seen.epoch = self->epoch;
	seen.thread = (uint32_t)syscall(SYS_gettid);
}

void single_before_exec(int yes)
{
	if (single_calls != NULL && (uint32_t)getpid() == self->process)
		ring_inherit(&attached, self->process, yes);
}

/* --- sites ------------------------------------------------------------------------------- */

/* By return address: the site, and in the higher bits the generation of the address space. */
enum { GENERATION = 1 << 16, GENERATIONS = 1 << 14 };
static struct slot sites[N_SLOTS];
static uint32_t generation;
static char program[sizeof(((struct ring_module *)0)->path)];

void single_forget_sites(void)
{
	(void)__atomic_add_fetch(&generation, 1, __ATOMIC_RELAXED);
}

/* A relative path starts at the directory that was current when the file was loaded, most likely
 * still the current one; a wrong guess shows in the inode. */
static void find_module(struct ring_module *m, const char *path)
{
	size_t n = sizeof(m->path);
	struct statx st;

	memset(m, 0, sizeof(*m));
	if (path[0] == '\0')
		path = program;
	else if (path[0] != '/' && strchr(path, '/') != NULL && syscall(SYS_getcwd, m->path, n) > 0)
		strncat(m->path, "/", n - strlen(m->path) - 1);
	strncat(m->path, path, n - strlen(m->path) - 1);
	if (syscall(SYS_statx, AT_FDCWD, m->path, 0, STATX_BASIC_STATS, &st) != 0)
		return;
	m->device = makedev(st.stx_dev_major, st.stx_dev_minor);
	m->inode = st.stx_ino;
	m->size = st.stx_size;
	m->seconds = st.stx_mtime.tv_sec;
}

/* Returns 0 for an address in no object file: code generated at run time. */
static uint32_t __attribute__((noinline, cold)) find_site(const void *address)
{
#ifdef DLFO_STRUCT_HAS_EH_DBASE
	struct dl_find_object found;
	struct ring_module module;
	void *call = (char *)(uintptr_t)address - 1;

	if (_dl_find_object(call, &found) != 0)
		return 0;
	find_module(&module, found.dlfo_link_map->l_name);
	return ring_site(&attached, &module, (uintptr_t)address - found.dlfo_link_map->l_addr);
#else
	(void)address;
	return 0;
#endif
}

static uint32_t site_of(const void *address)
{
	uint32_t now =
		(__atomic_load_n(&generation, __ATOMIC_RELAXED) % GENERATIONS + 1) * GENERATION;
	struct slot *slot = slot_of(sites, address);
	uint32_t known =
		slot != NULL ? (uint32_t)__atomic_load_n(&slot->number, __ATOMIC_RELAXED) : 0;

	if (LIKELY(known / GENERATION == now / GENERATION))
		return known % GENERATION;
	known = find_site(address);
	if (slot != NULL)
		__atomic_store_n(&slot->number, (int)(now + known), __ATOMIC_RELAXED);
	return known;
}

/* --- resources --------------------------------------------------------------------------- */

/* Identifies descriptors that are not files by the name that the kernel gives them. */
static enum resource anonymous_resource(int fd)
{
	static const struct {
		const char *name;
		enum resource resource;
	} kinds[] = {
		{ "anon_inode:[eventfd]", RESOURCE_EVENTFD },
		{ "anon_inode:[eventpoll]", RESOURCE_EPOLL },
		{ "anon_inode:[timerfd]", RESOURCE_TIMER },
		{ "anon_inode:[signalfd]", RESOURCE_SIGNAL },
		{ "anon_inode:inotify", RESOURCE_INOTIFY },
		{ "anon_inode:[pidfd]", RESOURCE_PROCESS },
	};
	char path[40], name[40];
	long n;

	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	n = syscall(SYS_readlinkat, AT_FDCWD, path, name, sizeof(name) - 1);
	name[n > 0 ? n : 0] = '\0';
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (strcmp(name, kinds[i].name) == 0)
			return kinds[i].resource;
	}
	return RESOURCE_DESCRIPTOR;
}

static enum resource device_resource(unsigned major_number)
{
	enum { TTY = 4, TTY_ITSELF = 5, PTY = 136, LAST_PTY = 143 };

	return major_number == TTY || major_number == TTY_ITSELF ||
			       (major_number >= PTY && major_number <= LAST_PTY)
		       ? RESOURCE_TERMINAL
		       : RESOURCE_DEVICE;
}

static enum resource resource_of(int on)
{
	struct statx st;

	if (on == -1) /* the descriptor of a stream that has none */
		return RESOURCE_DESCRIPTOR;
	if (on < 0)
		return (enum resource)(-1 - on);
	if (syscall(SYS_statx, on, "", AT_EMPTY_PATH, STATX_TYPE, &st) != 0)
		return RESOURCE_DESCRIPTOR;
	switch (st.stx_mode & S_IFMT) {
	case S_IFREG:
		return RESOURCE_FILE;
	case S_IFDIR:
		return RESOURCE_DIRECTORY;
	case S_IFIFO:
		return RESOURCE_PIPE;
	case S_IFSOCK:
		return RESOURCE_SOCKET;
	case S_IFBLK:
		return RESOURCE_DEVICE;
	case S_IFCHR:
		return device_resource(st.stx_rdev_major);
	default:
		return anonymous_resource(on);
	}
}

/* --- calls ------------------------------------------------------------------------------- */

static void read_usage(struct usage *u)
{
	struct rusage r;

	memset(&r, 0, sizeof(r));
	(void)getrusage(RUSAGE_THREAD, &r);
	u->minor_faults = (uint64_t)r.ru_minflt;
	u->major_faults = (uint64_t)r.ru_majflt;
	u->voluntary = (uint64_t)r.ru_nvcsw;
	u->involuntary = (uint64_t)r.ru_nivcsw;
}

void single_look(void)
{
	const uint64_t *wanted = NULL;

	for (int op = 0; single_calls != NULL && op < N_RECORDED; op++) {
		if (__atomic_load_n(&attached.until[op], __ATOMIC_RELAXED) != 0)
			wanted = attached.until;
	}
	__atomic_store_n(&recording.single_until, wanted, __ATOMIC_RELAXED);
}

/* Records end at the requested time, since the process that asked for them may be gone. */
static int is_wanted(const uint64_t *untils, int op)
{
	uint64_t until = __atomic_load_n(&untils[op], __ATOMIC_RELAXED);

	if (LIKELY(until == RING_ALWAYS))
		return 1;
	if (until == 0)
		return 0;
	if (until >= osprof_nanoseconds())
		return 1;
	(void)__atomic_compare_exchange_n(&attached.until[op], &until, 0, 0, __ATOMIC_RELAXED,
					  __ATOMIC_RELAXED);
	return 0;
}

void single_begin(struct call_start *m, int op)
{
	const uint64_t *untils = __atomic_load_n(&recording.single_until, __ATOMIC_RELAXED);
	int saved = errno;

	if (untils == NULL || !is_wanted(untils, op)) {
		errno = saved;
		return;
	}
	if (!LIKELY(self->epoch != 0 && seen.epoch == self->epoch))
		learn_thread();
	m->ring = &attached;
	read_usage(&m->before);
	m->before.cpu = ring_cpu_time();
	errno = saved;
}

void single_end(int op, const struct call_start *m, int64_t result, const void *site)
{
	int saved = errno;
	uint64_t now = osprof_start(m->profile), cpu = single_calls != NULL ? ring_cpu_time() : 0;
	struct call_record c = { .start = m->start,
				 .op = (uint16_t)op,
				 .size = m->size,
				 .result = result == -1 ? -(int64_t)saved : result };
	struct usage after;

	c.latency = osprof_stop_at(m->profile, op, m->start, now);
	if (!LIKELY(!recording.functions_are_chosen))
		call_in_function(op, c.latency);
	if (!LIKELY(single_calls != NULL)) {
		errno = saved; /* single_confine() was called in the meantime */
		return;
	}
	read_usage(&after);
	c.cpu = cpu > m->before.cpu ? cpu - m->before.cpu : 0;
	c.number = __atomic_add_fetch(&self->number[op], 1, __ATOMIC_RELAXED);
	c.process = self->process;
	c.thread = seen.thread;
	c.site = site_of(site);
	c.minor_faults = (uint32_t)(after.minor_faults - m->before.minor_faults);
	c.major_faults = (uint32_t)(after.major_faults - m->before.major_faults);
	c.voluntary = (uint32_t)(after.voluntary - m->before.voluntary);
	c.involuntary = (uint32_t)(after.involuntary - m->before.involuntary);
	if (c.voluntary > 0)
		c.resource = (uint16_t)resource_of(m->on);
	ring_add(m->ring, &c);
	errno = saved;
}

/* --- start and end -------------------------------------------------------------------------- */

void single_confine(void)
{
	if (__atomic_exchange_n(&single_calls, NULL, __ATOMIC_RELAXED) != NULL)
		(void)__atomic_fetch_add(&attached.head->confined, 1, __ATOMIC_RELAXED);
	single_look();
}

void single_attach(const char *path)
{
	int fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC);
	struct self *wiped;

	if (fd < 0)
		return;
	if (ring_attach(&attached, fd) == 0 && attached.n_ops == N_RECORDED) {
		wiped = osprof_wiped_memory(sizeof(*wiped), wipe_self);
		if (wiped != NULL)
			self = wiped;
		(void)syscall(SYS_readlinkat, AT_FDCWD, "/proc/self/exe", program,
			      sizeof(program) - 1);
		learn_self(1);
		single_calls = &attached;
		single_look();
	}
	(void)syscall(SYS_close, fd);
}
