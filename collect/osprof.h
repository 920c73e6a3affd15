/* SPDX-License-Identifier: MIT */
/*
 * osprof.h: latency histograms of a program's own operations.
 *
 * The design follows the aggregate_stats library of OSprof (Joukov et al., OSDI 2006,
 * section 4): a call costs two reads of the cycle counter and four additions to memory
 * that belongs to one thread. The output is text in the format of osprof(5).
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
 * or, with the macros at the end of this file, which need no setup:
 *
 *	OSPROF_PRE(parse);
 *	parse(file);
 *	OSPROF_POST(parse);
 *
 * It is one header and one C file (osprof.c) in C11 or C++11, and needs only libc. Forked
 * processes share the profile: they all count into it.
 *
 * Any number of threads may record at once, also in signal handlers, and no call is
 * lost. osprof_op() may be called at any time; only one thread at a time may call the
 * other functions.
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

/* The version of this header: 10000 * major + 100 * minor + patch. */
#define OSPROF_CAPTURE_VERSION	   "0.2.0"
#define OSPROF_CAPTURE_VERSION_NUM 200

enum {
	OSPROF_MAX_RESOLUTION = 4096, /* buckets in each doubling of latency */
	OSPROF_MAX_PEAKS = 8,
	OSPROF_MAX_PROFILES = 8,  /* at one time in a process */
	OSPROF_MAX_MESSAGE = 240, /* bytes */
};

/* How the processes and threads that share a profile are distinguished. */
enum osprof_by { OSPROF_TOGETHER, OSPROF_BY_PROGRAM, OSPROF_BY_PROCESS, OSPROF_BY_THREAD };

/* A member that is 0 stands for the default in brackets. */
struct osprof_options {
	unsigned resolution;   /* bucket b holds 2^(b/r) <= latency < 2^((b+1)/r) [1] */
	unsigned max_ops;      /* operations; calls of any more are counted as lost [256] */
	unsigned max_threads;  /* at a time; any more share slower counters, losing none [128] */
	double interval;       /* seconds between automatic snapshots [none are taken] */
	int subtract_overhead; /* subtract the cost of measuring from each latency [no] */
	int system_clock;      /* use clock_gettime() even where there is a cycle counter [no] */
	enum osprof_by by;     /* give each program, process or thread a layer of its own [no] */
};

/* An open profile, the public part; osprof_free() frees it. */
struct osprof {
	int has_counter; /* latencies are in cycles; otherwise in nanoseconds */
};

/* Opens a new profile; NULL options are the defaults. Latencies are in cycles where the
 * counter runs at one rate on all processors (an invariant TSC, the counter of aarch64).
 * Returns NULL and sets errno to EINVAL, ENOMEM, or EMFILE when OSPROF_MAX_PROFILES are open. */
struct osprof *osprof_new(const struct osprof_options *options);
/* The same, but the counters lie in the file fd, which is resized to fit: other processes than
 * forked children can share the profile. fd may be closed afterwards. */
struct osprof *osprof_new_in(int fd, const struct osprof_options *options);
/* Opens the profile that another process made in the file fd, to count into it. Returns NULL
 * and sets errno to EINVAL (not a profile), EPROTONOSUPPORT (another version), EBADMSG
 * (damaged), or ENODATA (truncated). */
struct osprof *osprof_attach(int fd);
void osprof_free(struct osprof *p); /* NULL is fine */
/* Releases the calling thread's counters for another thread; the caller may go on recording.
 * Happens automatically when a thread ends; call it before exec and _exit. */
void osprof_leave(struct osprof *p);
/* Returns the OSPROF_WORDS words that all users of the profile share, for any use; initially 0. */
enum { OSPROF_WORDS = 8 };
uint64_t *osprof_words(struct osprof *p);

/* --- access from other processes ---------------------------------------------------
 *
 * Another process reads a profile while others count into it, and may send messages back. */

/* Copies the counters of the profile in the file fd, which is only read; fd may be closed
 * afterwards. The copy is for osprof_observe_again(), osprof_state() and the results below, not
 * for counting. Returns NULL and sets errno as osprof_attach(), or to EFBIG for more than 1 GiB
 * of counters. */
struct osprof *osprof_observe(int fd);
/* Brings the copy up to date. Returns 0, 1 if some counters were reset since the last copy, or -1
 * and errno, as above; ESTALE: another profile has been started in the file. */
int osprof_observe_again(struct osprof *p);
/* OSPROF_ABANDONED: the process that made the profile ended without osprof_free(); its children
 * may still be counting. */
enum osprof_state { OSPROF_RUNNING, OSPROF_ENDED, OSPROF_ABANDONED };
enum osprof_state osprof_state(const struct osprof *p);

/* A received message, sent by osprof_send(). */
struct osprof_message {
	uint64_t number;  /* counted from 0 */
	uint64_t sent_at; /* osprof_nanoseconds() when it was sent */
	uint64_t missed;  /* messages overwritten before this one was received */
	uint32_t size;
	char bytes[OSPROF_MAX_MESSAGE + 1]; /* any bytes, followed by a NUL */
};
/* Receives the next message sent to this profile since osprof_new() or osprof_attach(). Returns 1,
 * or 0 when there is none, which costs one load from memory. Each process that shares the profile
 * gets each message; the last 63 are kept. */
int osprof_message(struct osprof *p, struct osprof_message *ret);
/* Sends at most OSPROF_MAX_MESSAGE bytes to all processes that share the profile in the file fd,
 * which must be open for reading and writing. Messages are delivered in order and atomically.
 * Returns 0, or -1 and errno as osprof_attach(), or EMSGSIZE, EPIPE (the profile has ended),
 * EAGAIN (another sender has held the lock for a second), or EPERM (the file is sealed against
 * writing). */
int osprof_send(int fd, const void *bytes, size_t size);

/* Returns the number of an operation, counted from 0; the same layer and name give the same
 * number. Returns -1 when there are already max_ops; calls recorded under -1 are counted as lost.
 * Names are cut to 219 bytes, layers to 23. */
int osprof_op(struct osprof *p, const char *layer, const char *name);

/* Returns the current time in the unit of the profile, for osprof_stop(). */
static inline uint64_t osprof_start(const struct osprof *p);
/* Records the latency since `start` and returns it, in the unit of the profile. */
uint64_t osprof_stop(struct osprof *p, int op, uint64_t start);
/* Records a latency that the caller measured, in the unit of the profile. */
void osprof_add(struct osprof *p, int op, uint64_t latency);

/* --- values ------------------------------------------------------------------------
 *
 * Direct profile and value correlation (section 3.1): a value, such as a size, is counted in
 * a histogram of its own for each peak of the latency, which shows what causes the peak. */
struct osprof_peaks {
	unsigned n;
	int op[OSPROF_MAX_PEAKS];
	uint64_t limit[OSPROF_MAX_PEAKS];
};
/* Defines the peaks by n ascending latencies that separate them, 1 to OSPROF_MAX_PEAKS - 1. Each
 * peak is an operation called NAME, followed by its range of latencies. Returns 0, or -1 and
 * errno. */
int osprof_peaks(struct osprof *p, struct osprof_peaks *ret, const char *layer, const char *name,
		 const uint64_t *limits, unsigned n);
/* Counts `value` under the peak that `latency` is in. */
void osprof_value(struct osprof *p, const struct osprof_peaks *peaks, uint64_t latency,
		  uint64_t value);

/* --- results ----------------------------------------------------------------------- */

/* Ends an interval (section 3.1, profile sampling) and begins the next. With options.interval
 * the first thread that ends a call after the interval takes the snapshot. Returns 0, or -1 when
 * out of memory; the interval then goes on. */
int osprof_snapshot(struct osprof *p);
/* Returns the calls recorded so far by all threads, in all operations. */
uint64_t osprof_count(struct osprof *p);
/* Returns what reading the clock twice adds to each latency, as measured by osprof_new(), in the
 * unit of the profile. */
uint64_t osprof_overhead(const struct osprof *p);
/* Returns the counter's rate in cycles per second; 0: latencies are in nanoseconds. */
uint64_t osprof_hz(const struct osprof *p);
/* Write the profile as text of osprof(5). Return 0, or -1 and errno. */
int osprof_print(struct osprof *p, FILE *to);
int osprof_save(struct osprof *p, const char *path); /* written atomically */

/* --- the clock --------------------------------------------------------------------- */

/* Returns the time of CLOCK_MONOTONIC in nanoseconds. */
static inline uint64_t osprof_nanoseconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Returns the processor's cycle counter, or the time in nanoseconds where there is none. */
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
 * The macros record into one profile for the whole process. The first call creates it; it is
 * printed when the process that created it exits: to the file that the environment variable
 * OSPROF_OUTPUT names, else to standard output.
 *
 *	OSPROF_PRE(op); ... OSPROF_POST(op);	around statements, once in a block
 *	OSPROF_CALL(op, expression)		the value of the expression
 *
 * To profile all calls of a function in a source file, put this after its includes:
 *
 *	#define read(...) OSPROF_CALL(read, read(__VA_ARGS__))
 */
struct osprof *osprof_default(void); /* never NULL; records nothing if it could not be made */
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
