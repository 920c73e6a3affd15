/* SPDX-License-Identifier: MIT */
/*
 * osprof.h: latency histograms of a program's own operations.
 *
 * After the aggregate_stats library of OSprof (Joukov et al., OSDI 2006, section 4):
 * a call costs two readings of the cycle counter and four additions to memory that
 * belongs to one thread. What comes out is text in the format of osprof(5).
 *
 *	struct osprof *p = osprof_new(NULL);
 *	int op = osprof_op(p, "", "parse");
 *
 *	uint64_t start = osprof_start(p);
 *	parse(file);
 *	osprof_stop(p, op, start);
 *
 *	osprof_save(p, "parse.osprof");
 *	osprof_free(p);
 *
 * or, with the macros at the end of this file and nothing to set up:
 *
 *	OSPROF_PRE(parse);
 *	parse(file);
 *	OSPROF_POST(parse);
 *
 * One header, one C file (osprof.c), no library but libc, C11 or C++11. A profile
 * is shared with the processes that are forked: they all count into it.
 *
 * Any number of threads may record at once, in signal handlers, too, and nothing is
 * lost. osprof_op() may be called at any time; the other functions are for one
 * thread at a time.
 */
#ifndef OSPROF_H
#define OSPROF_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
	OSPROF_MAX_RESOLUTION = 4096, /* buckets in each doubling of latency */
	OSPROF_MAX_PEAKS = 8,
	OSPROF_MAX_PROFILES = 8,  /* at one time in a process */
	OSPROF_MAX_MESSAGE = 240, /* bytes */
};

/* What the processes and threads that share a profile are distinguished by. */
enum osprof_by { OSPROF_TOGETHER, OSPROF_BY_PROGRAM, OSPROF_BY_PROCESS, OSPROF_BY_THREAD };

/* What is 0 has the value in brackets. */
struct osprof_options {
	unsigned resolution;   /* bucket b holds 2^(b/r) <= latency < 2^((b+1)/r) [1] */
	unsigned max_ops;      /* operations; what belongs to more is counted as lost [256] */
	unsigned max_threads;  /* at a time; more share slower counters, nothing is lost [128] */
	double interval;       /* seconds; a snapshot is taken as often [never] */
	int subtract_overhead; /* take what measuring costs off each latency [no] */
	int system_clock;      /* clock_gettime() even where there is a cycle counter [no] */
	enum osprof_by by;     /* each gets a layer of its own */
};

/* An open profile, the public part; osprof_free() frees it. */
struct osprof {
	int has_counter; /* latencies are in cycles; otherwise in nanoseconds */
};

/* Options may be NULL. Gives NULL and errno: EINVAL, ENOMEM, EMFILE when there are
 * OSPROF_MAX_PROFILES. Cycles are used where the counter runs at one rate on all
 * processors (an invariant TSC, the counter of aarch64). */
struct osprof *osprof_new(const struct osprof_options *options);
/* The same in the file fd, which becomes as large as needed, for processes that do
 * not descend from this one by fork alone. fd may be closed afterwards. */
struct osprof *osprof_new_in(int fd, const struct osprof_options *options);
/* A profile that another process made, to count into. NULL and errno. EINVAL: this is none;
 * EPROTONOSUPPORT: of another version; EBADMSG: damaged; ENODATA: cut off. */
struct osprof *osprof_attach(int fd);
void osprof_free(struct osprof *p); /* NULL is fine */
/* The calling thread's counters go to the next thread that wants some; it may go on
 * recording all the same. Happens by itself when a thread ends, and should before
 * exec and _exit. */
void osprof_leave(struct osprof *p);
/* Words for whoever shares the profile, 0 at first. */
enum { OSPROF_WORDS = 8 };
uint64_t *osprof_words(struct osprof *p);

/* --- from outside ------------------------------------------------------------------
 *
 * Another process looks at a profile while it is counted into, and may answer. */

/* A copy of the counters of the profile in the file fd, which is only read; fd may be closed
 * afterwards. For osprof_observe_again(), osprof_state() and the results below, not for
 * counting. NULL and errno, as osprof_attach(); EFBIG: more than 1 GiB of counters. */
struct osprof *osprof_observe(int fd);
/* Copies what was counted by now. 1: some counter were reset since the last time. -1 and
 * errno, as above; ESTALE: another profile was begun in the file. */
int osprof_observe_again(struct osprof *p);
/* Abandoned: whoever made it is gone and did not call osprof_free(). Its children may go on. */
enum osprof_state { OSPROF_RUNNING, OSPROF_ENDED, OSPROF_ABANDONED };
enum osprof_state osprof_state(const struct osprof *p);

/* One message that a process of the profile sent with osprof_send(), as it is received. */
struct osprof_message {
	uint64_t number;  /* from 0 on */
	uint64_t sent_at; /* osprof_nanoseconds() of the sender */
	uint64_t missed;  /* messages before this one that were overwritten */
	uint32_t size;
	char bytes[OSPROF_MAX_MESSAGE + 1]; /* any bytes; a NUL is put after them */
};
/* Takes the next message that was sent to this profile since osprof_new() or osprof_attach(),
 * where it suits the program: one load from memory while there is none. Each process that
 * shares the profile gets each message; the last 63 are kept. 1, or 0: there is none. */
int osprof_message(struct osprof *p, struct osprof_message *ret);
/* Sends at most OSPROF_MAX_MESSAGE bytes to all who share the profile in the file fd, which is
 * open for reading and writing. Messages come in order, and whole or not at all. 0, or -1 and
 * errno, as osprof_attach(); EMSGSIZE; EPIPE: it has ended; EAGAIN: somebody else is sending,
 * and has been for a second; EPERM: the file is sealed against writing. */
int osprof_send(int fd, const void *bytes, size_t size);

/* The number of an operation, from 0 on; the same for the same layer and name. -1 when
 * there are max_ops already: what is recorded under -1 is counted as lost.
 * Names have up to 219 bytes, layers up to 23; what is longer is cut. */
int osprof_op(struct osprof *p, const char *layer, const char *name);

/* The time now, in the unit of the profile: what osprof_stop() wants. */
static inline uint64_t osprof_start(const struct osprof *p);
/* Records the time since `start` and returns it, in cycles or nanoseconds. */
uint64_t osprof_stop(struct osprof *p, int op, uint64_t start);
/* Records a latency that was measured otherwise, in the same unit. */
void osprof_add(struct osprof *p, int op, uint64_t latency);

/* --- values ------------------------------------------------------------------------
 *
 * Direct profile and value correlation (section 3.1): a value, such as a size, is
 * counted apart for each peak of the latency, and so shows what makes a peak. */
struct osprof_peaks {
	unsigned n;
	int op[OSPROF_MAX_PEAKS];
	uint64_t limit[OSPROF_MAX_PEAKS];
};
/* Peaks are divided by n ascending latencies, 1 to OSPROF_MAX_PEAKS - 1. 0 or -1 and
 * errno. The operations are called NAME, and the latencies they are for. */
int osprof_peaks(struct osprof *p, struct osprof_peaks *ret, const char *layer, const char *name,
		 const uint64_t *limits, unsigned n);
void osprof_value(struct osprof *p, const struct osprof_peaks *peaks, uint64_t latency,
		  uint64_t value);

/* --- results ----------------------------------------------------------------------- */

/* Ends an interval (section 3.1, profile sampling) and begins the next. Taken by
 * itself where options.interval says so, by the thread whose call is the first after
 * its time. -1: out of memory; then the interval goes on. */
int osprof_snapshot(struct osprof *p);
/* Calls recorded so far, of all operations and threads. */
uint64_t osprof_count(struct osprof *p);
/* What reading the counter twice adds to each latency, in its unit: measured. */
uint64_t osprof_overhead(const struct osprof *p);
/* Cycles a second of the counter; 0: latencies are in nanoseconds. */
uint64_t osprof_hz(const struct osprof *p);
/* 0, or -1 and errno. */
int osprof_print(struct osprof *p, FILE *to);
int osprof_save(struct osprof *p, const char *path); /* whole or not at all */

/* --- the clock --------------------------------------------------------------------- */

/* The time of CLOCK_MONOTONIC, in nanoseconds. */
static inline uint64_t osprof_nanoseconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* The processor's own counter, in cycles. */
static inline uint64_t osprof_counter(void)
{
#if defined __x86_64__ || defined __i386__
	return __builtin_ia32_rdtsc();
#elif defined __aarch64__
	uint64_t count;

	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(count));
	return count;
#else
	return osprof_nanoseconds();
#endif
}

static inline uint64_t osprof_start(const struct osprof *p)
{
	return p->has_counter ? osprof_counter() : osprof_nanoseconds();
}

/* --- macros --------------------------------------------------------------------------
 *
 * They record into one profile of the process, made with the first call and printed
 * when the process that made it ends: to the file that OSPROF_OUTPUT names in the
 * environment, else to standard output.
 *
 *	OSPROF_PRE(op); ... OSPROF_POST(op);	around statements, once in a block
 *	OSPROF_CALL(op, expression)		the value of the expression
 *
 * To profile all calls of a function in a source file, put this after its includes:
 *
 *	#define read(...) OSPROF_CALL(read, read(__VA_ARGS__))
 */
struct osprof *osprof_default(void); /* never NULL, but may lack memory: then it is idle */
int osprof_default_op(int *kept, const char *name);

#define OSPROF_PRE(name)                                                                           \
	static int osprof_op_##name = -1;                                                          \
	int osprof_now_##name = osprof_default_op(&osprof_op_##name, #name);                       \
	uint64_t osprof_at_##name = osprof_start(osprof_default())
#define OSPROF_POST(name) ((void)osprof_stop(osprof_default(), osprof_now_##name, osprof_at_##name))
#define OSPROF_CALL(name, expression)                                                              \
	__extension__({                                                                            \
		OSPROF_PRE(name);                                                                  \
		__typeof__(expression) osprof_result_ = (expression);                              \
		OSPROF_POST(name);                                                                 \
		osprof_result_;                                                                    \
	})

#ifdef __cplusplus
}
#endif

#endif
