/* SPDX-License-Identifier: MIT */
/* The cycle counter: whether it can be used, its rate, and the cost of reading it. */
#include "collect/region.h"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined __x86_64__ || defined __i386__
#include <cpuid.h>
/* Alpine has the kernel's headers in a package of their own. */
#if __has_include(<linux/perf_event.h>)
#include <linux/perf_event.h>
#endif
#endif

#if defined __x86_64__ || defined __i386__
static int counter_is_invariant(void)
{
	unsigned a, b, c, d;

	return __get_cpuid(0x80000007, &a, &b, &c, &d) && (d >> 8 & 1);
}

/* Returns the rate that the kernel measured at boot, the same in every run. It is in the mapped
 * page of a performance event, which need not be enabled. 0: the kernel refused. */
static uint64_t stated_rate(void)
{
#ifdef PERF_FLAG_FD_CLOEXEC
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE,
					.size = sizeof(attr),
					.config = PERF_COUNT_SW_DUMMY,
					.disabled = 1,
					.exclude_kernel = 1 };
	const struct perf_event_mmap_page *page;
	size_t size = (size_t)sysconf(_SC_PAGESIZE);
	long fd = syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	uint64_t hz = 0;

	if (fd < 0)
		return 0;
	page = mmap(NULL, size, PROT_READ, MAP_SHARED, (int)fd, 0);
	if (page != MAP_FAILED) {
		if (page->cap_user_time && page->time_mult > 0)
			hz = (uint64_t)(1e9 / page->time_mult * (double)(1ull << page->time_shift));
		(void)munmap((void *)(uintptr_t)page, size);
	}
	(void)close((int)fd);
	return hz;
#else
	return 0;
#endif
}
#elif defined __aarch64__
static int counter_is_invariant(void)
{
	return 1;
}

static uint64_t stated_rate(void)
{
	uint64_t hz;

	__asm__ volatile("mrs %0, cntfrq_el0" : "=r"(hz));
	return hz;
}
#else
static int counter_is_invariant(void)
{
	return 0;
}

static uint64_t stated_rate(void)
{
	return 0;
}
#endif

struct clock_pair {
	uint64_t counter, ns;
};

/* Reads both clocks at one moment: the fastest of several reads, since a thread preempted between
 * the two would get a wrong rate. */
static struct clock_pair read_both(void)
{
	enum { READINGS = 8 };
	struct clock_pair best = { 0 };
	uint64_t min = UINT64_MAX;

	for (int i = 0; i < READINGS; i++) {
		uint64_t before = osprof_counter(), ns = osprof_nanoseconds();
		uint64_t gap = osprof_counter() - before;

		if (gap < min) {
			min = gap;
			best = (struct clock_pair){ before + gap / 2, ns };
		}
	}
	return best;
}

/* Measures cycles per second against the system clock, over some milliseconds. */
static uint64_t measured_rate(long ms)
{
	const struct timespec nap = { .tv_nsec = ms * 1000000 };
	struct clock_pair from = read_both(), to;

	(void)nanosleep(&nap, NULL);
	to = read_both();
	return (uint64_t)((double)(to.counter - from.counter) / (double)(to.ns - from.ns) * 1e9);
}

/* Returns 0 if the counter cannot be used: its rate varies, or is not the stated one. If no rate
 * is stated, it is measured, and rounded to 1 MHz so that runs agree. */
static uint64_t find_rate(void)
{
	enum { MHZ = 1000000, NAP = 1, LONG_NAP = 10, ATTEMPTS = 4 };
	uint64_t stated;

	if (!counter_is_invariant())
		return 0;
	stated = stated_rate();
	if (stated == 0)
		return (measured_rate(LONG_NAP) + MHZ / 2) / MHZ * MHZ;
	for (int i = 0; i < ATTEMPTS; i++) {
		double ratio = (double)measured_rate(NAP) / (double)stated;

		if (ratio > 0.98 && ratio < 1.02)
			return stated;
	}
	return 0;
}

/* Determined once per process: all its profiles have exactly the same rate, and can be merged. */
uint64_t osprof_counter_rate(void)
{
	static _Atomic int found;
	static _Atomic uint64_t rate;

	if (!found) {
		rate = find_rate();
		found = 1;
	}
	return rate;
}

/* Returns the median latency of an empty operation. */
uint64_t osprof_measure_overhead(const struct osprof *p)
{
	enum { ROUNDS = 1001, MAX = 2048 };
	uint16_t seen[MAX] = { 0 };
	int below = 0, i = 0;

	for (int k = 0; k < ROUNDS; k++) {
		uint64_t start = osprof_start(p), took = osprof_start(p) - start;

		seen[took < MAX ? took : MAX - 1]++;
	}
	while ((below += seen[i]) <= ROUNDS / 2)
		i++;
	return (uint64_t)i;
}
