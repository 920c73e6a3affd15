/* SPDX-License-Identifier: MIT */
/*
 * The library that `osprof record` preloads into programs: a wrapper for each call of calls.def
 * records how long the call takes, and changes nothing else.
 *
 * Arguments, result and errno are those of libc's function. The library allocates, opens and
 * locks nothing while the program runs: it maps all it needs before main() begins, and keeps no
 * descriptor open. If that fails, or the environment lacks RECORDING_PROFILE, calls go straight
 * to libc and nothing is recorded.
 */
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "collect/calls.h"
#include "collect/nesting.h"
#include "collect/osprof.h"
#include "collect/preload.h"
#include "collect/region.h"
#include "collect/single.h"
#include "collect/stack.h"
#include "collect/thread_entry.h"

#define EXPORT	  __attribute__((visibility("default")))
#define LIKELY(x) __builtin_expect(!!(x), 1)

struct recording recording;

/* --- libc's own functions -------------------------------------------------------------- */

static struct libc {
	/* Functions that are wrapped by hand, the most frequent ones next to the table's: a cache
	 * line that alternating calls share is more often still cached. */
	int (*openat64)(int fd, const char *path, int flags, ...);
	int (*openat)(int fd, const char *path, int flags, ...);
	int (*open64)(const char *path, int flags, ...);
	int (*open)(const char *path, int flags, ...);
#define OP(name)
#define CALL(on, type, name, parameters, arguments)	 type(*name) parameters;
#define ALIAS(on, op, type, name, parameters, arguments) type(*name) parameters;
#include "collect/calls.def"
#undef OP
#undef CALL
#undef ALIAS
	int (*fcntl)(int fd, int what, ...);
	int (*fcntl64)(int fd, int what, ...);
	int (*ioctl)(int fd, unsigned long what, ...);
	void *(*mremap)(void *p, size_t n, size_t size, int flags, ...);
	int (*vprintf)(const char *format, va_list args);
	int (*__vprintf_chk)(int flag, const char *format, va_list args);
	pid_t (*fork)(void);
	int (*posix_spawn)(pid_t *, const char *, const posix_spawn_file_actions_t *,
			   const posix_spawnattr_t *, char *const[], char *const[]);
	int (*posix_spawnp)(pid_t *, const char *, const posix_spawn_file_actions_t *,
			    const posix_spawnattr_t *, char *const[], char *const[]);
	int (*system)(const char *command);
	FILE *(*popen)(const char *command, const char *mode);
	int (*execve)(const char *path, char *const argv[], char *const envp[]);
	int (*execvpe)(const char *file, char *const argv[], char *const envp[]);
	int (*fexecve)(int fd, char *const argv[], char *const envp[]);
	int (*prctl)(int what, ...);
	int (*dlclose)(void *library);
	__attribute__((noreturn)) void (*_exit)(int status);
	__attribute__((noreturn)) void (*_Exit)(int status);
	__attribute__((noreturn)) void (*quick_exit)(int status);
} libc __attribute__((aligned(LINE)));

/* The address of a function pointer: dlsym()'s result is stored through it without a cast. */
#define FIND(name)                                                                                 \
	{                                                                                          \
#name, &libc.name                                                                  \
	}
static const struct {
	const char *name;
	void *to;
} found[] = {
#define OP(name)
#define CALL(on, type, name, parameters, arguments)	 FIND(name),
#define ALIAS(on, op, type, name, parameters, arguments) FIND(name),
#include "collect/calls.def"
#undef OP
#undef CALL
#undef ALIAS
	FIND(open),    FIND(open64),	  FIND(openat),	      FIND(openat64), FIND(fcntl),
	FIND(fcntl64), FIND(ioctl),	  FIND(mremap),	      FIND(vprintf),  FIND(__vprintf_chk),
	FIND(fork),    FIND(posix_spawn), FIND(posix_spawnp), FIND(system),   FIND(popen),
	FIND(execve),  FIND(execvpe),	  FIND(fexecve),      FIND(prctl),    FIND(dlclose),
	FIND(_exit),   FIND(_Exit),	  FIND(quick_exit),
};

static __attribute__((noinline, cold)) void find_all(void)
{
	for (size_t i = 0; i < sizeof(found) / sizeof(found[0]); i++)
		*(void **)found[i].to = dlsym(RTLD_NEXT, found[i].name);
}

/* Another library's constructor may make a call before start_recording(): finds all functions. */
static inline void find_in_time(void)
{
	if (!LIKELY(libc.read != NULL))
		find_all();
}

/* --- every call ---------------------------------------------------------------------------- */

static inline uint64_t time_now(void)
{
	return LIKELY(recording.has_counter) ? osprof_counter() : osprof_nanoseconds();
}

/* A thread's periodic work, done before a call. */
static __attribute__((noinline, cold)) void look_around(struct call_start *m, int op,
							struct thread_entry *entry)
{
	int none_were_wanted = recording.single_until == NULL;

	entry->next_look = measure_speed(m->profile);
	single_look();
	if (none_were_wanted && recording.single_until != NULL)
		single_begin(m, op);
}

/* Whether calls only need counting, by the cycle counter: the fast path. */
static int is_plain(const struct thread_entry *entry)
{
	return recording.has_counter && entry->n_ops >= N_RECORDED &&
	       !recording.functions_are_chosen &&
	       __atomic_load_n(&recording.single_until, __ATOMIC_RELAXED) == NULL;
}

static __attribute__((noinline, cold)) void begin_in_full(struct call_start *m, int op, int on)
{
	struct thread_entry *entry;

	m->entry = NULL;
	m->ring = NULL;
	m->on = on;
	m->profile = recording.profile;
	find_in_time();
	if (m->profile == NULL)
		return;
	entry = osprof_entry(m->profile);
	if (__atomic_load_n(&recording.single_until, __ATOMIC_RELAXED) != NULL)
		single_begin(m, op);
	m->start = time_now();
	if (m->start >= entry->next_look) {
		look_around(m, op, entry);
		entry->due = is_plain(entry) ? entry->next_look : 0;
		m->start = time_now();
	}
}

/* Begins a call on the fast path. Returns 0 if it must take the slow one: a thread's first call, a
 * call at which look_around() is due, and every call while more is done than counting. */
static inline int begin_call(struct call_start *m)
{
	uint64_t due;

	m->entry = osprof_entries[RECORDED_SLOT];
	due = m->entry->due;
	if (!LIKELY(due != 0))
		return 0;
	m->start = osprof_counter();
	return m->start < due;
}

/* In calls.def: what a call operates on, and how many bytes it asks for. */
#define SIZED(on, n) (start_.size = (int64_t)(n), (on))

#define BEGIN(op, m, on)                                                                           \
	do {                                                                                       \
		if (!LIKELY(begin_call(&(m)))) {                                                   \
			(m).size = NO_SIZE;                                                        \
			begin_in_full(&(m), RECORDED_##op, on);                                    \
		}                                                                                  \
	} while (0)

static __attribute__((noinline, cold)) void end_in_full(int op, const struct call_start *m,
							int64_t result, uintptr_t at,
							const void *site)
{
	uint64_t latency;

	if (m->profile == NULL)
		return;
	if (recording.functions_are_chosen)
		calls_left_at(at, m->start);
	if (nesting.head != NULL)
		nesting_call(op, m->start, osprof_start(m->profile));
	if (m->ring != NULL) {
		single_end(op, m, result, site);
		return;
	}
	latency = osprof_stop(m->profile, op, m->start);
	if (recording.functions_are_chosen)
		call_in_function(op, latency);
}

/* Ends a call in a child that was forked while it ran. */
static __attribute__((noinline, cold)) void end_elsewhere(int op, const struct call_start *m)
{
	if (recording.profile != NULL)
		(void)osprof_stop(recording.profile, op, m->start);
}

/* Counts the call by the cycle counter. Returns 0 if the entry was wiped, in the child of a fork.
 * Inlined into each wrapper: the kernel evicts the L1 cache between two calls, and contiguous code
 * is fetched faster. */
static inline __attribute__((always_inline)) int stop_call(const struct thread_entry *entry, int op,
							   uint64_t start)
{
	uint64_t now = osprof_counter();

	if (!LIKELY(entry->set != NULL))
		return 0;
	count(entry, op, latency_of(start, now, entry->subtracted));
	return 1;
}

/* A macro, so that the return address is that of the wrapper's caller. */
#define END(op, m, result)                                                                         \
	do {                                                                                       \
		if (!LIKELY((m).entry != NULL))                                                    \
			end_in_full(RECORDED_##op, &(m), SINGLE_RESULT(result), STACK_POSITION(),  \
				    __builtin_return_address(0));                                  \
		else if (!LIKELY(stop_call((m).entry, RECORDED_##op, (m).start)))                  \
			end_elsewhere(RECORDED_##op, &(m));                                        \
	} while (0)

static inline int descriptor_of(const FILE *f)
{
	return f->_fileno;
}

/* --- wrappers from the table ----------------------------------------------------------- */

#define WRAPPER(on, op, type, name, parameters, arguments)                                         \
	EXPORT type name parameters                                                                \
	{                                                                                          \
		struct call_start start_;                                                          \
		type result_;                                                                      \
                                                                                                   \
		BEGIN(op, start_, on);                                                             \
		result_ = libc.name arguments;                                                     \
		END(op, start_, result_);                                                          \
		return result_;                                                                    \
	}
#define OP(name)
#define CALL(on, type, name, parameters, arguments)                                                \
	WRAPPER(on, name, type, name, parameters, arguments)
#define ALIAS(on, op, type, name, parameters, arguments)                                           \
	EXPORT type name parameters;                                                               \
	WRAPPER(on, op, type, name, parameters, arguments)
#include "collect/calls.def"
#undef OP
#undef CALL
#undef ALIAS

/* --- variadic calls ---------------------------------------------------------------------- */

/* The mode is passed only if the file may be created. */
#define OPEN(op, name, parameters, ...)                                                            \
	EXPORT int name parameters                                                                 \
	{                                                                                          \
		mode_t mode = 0;                                                                   \
		struct call_start call_start;                                                      \
		int result;                                                                        \
                                                                                                   \
		if ((flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE) {                  \
			va_list args;                                                              \
                                                                                                   \
			va_start(args, flags);                                                     \
			mode = va_arg(args, mode_t);                                               \
			va_end(args);                                                              \
		}                                                                                  \
		BEGIN(op, call_start, ON_PATH);                                                    \
		result = libc.name(__VA_ARGS__, mode);                                             \
		END(op, call_start, result);                                                       \
		return result;                                                                     \
	}
OPEN(open, open, (const char *path, int flags, ...), path, flags)
OPEN(open, open64, (const char *path, int flags, ...), path, flags)
OPEN(openat, openat, (int fd, const char *path, int flags, ...), fd, path, flags)
OPEN(openat, openat64, (int fd, const char *path, int flags, ...), fd, path, flags)

static inline int waits_for_lock(int what)
{
	return what == F_SETLKW || what == F_OFD_SETLKW;
}

/* One more argument, an int or a pointer: it is in the same register either way, and the kernel
 * interprets it. */
#define CONTROL(on, op, name, type)                                                                \
	EXPORT int name(int fd, type what, ...)                                                    \
	{                                                                                          \
		va_list args;                                                                      \
		struct call_start call_start;                                                      \
		void *arg;                                                                         \
		int result;                                                                        \
                                                                                                   \
		va_start(args, what);                                                              \
		arg = va_arg(args, void *);                                                        \
		va_end(args);                                                                      \
		BEGIN(op, call_start, on);                                                         \
		result = libc.name(fd, what, arg);                                                 \
		END(op, call_start, result);                                                       \
		return result;                                                                     \
	}
CONTROL(waits_for_lock(what) ? ON_LOCK : fd, fcntl, fcntl, int)
CONTROL(waits_for_lock(what) ? ON_LOCK : fd, fcntl, fcntl64, int)
CONTROL(fd, ioctl, ioctl, unsigned long)

EXPORT void *mremap(void *p, size_t n, size_t size, int flags, ...)
{
	struct call_start call_start;
	void *to = NULL;

	if ((flags & MREMAP_FIXED) != 0) {
		va_list args;

		va_start(args, flags);
		to = va_arg(args, void *);
		va_end(args);
	}
	BEGIN(mremap, call_start, ON_MEMORY);
	p = libc.mremap(p, n, size, flags, to);
	END(mremap, call_start, p);
	return p;
}

#define PRINT(to, op, name, parameters, last, real, ...)                                           \
	EXPORT int name parameters;                                                                \
	EXPORT int name parameters                                                                 \
	{                                                                                          \
		va_list args;                                                                      \
		struct call_start call_start;                                                      \
		int result;                                                                        \
                                                                                                   \
		va_start(args, last);                                                              \
		BEGIN(op, call_start, descriptor_of(to));                                          \
		result = libc.real(__VA_ARGS__, args);                                             \
		END(op, call_start, result);                                                       \
		va_end(args);                                                                      \
		return result;                                                                     \
	}
PRINT(stdout, printf, printf, (const char *format, ...), format, vprintf, format)
PRINT(stdout, printf, __printf_chk, (int flag, const char *format, ...), format, __vprintf_chk,
      flag, format)
PRINT(f, fprintf, fprintf, (FILE * f, const char *format, ...), format, vfprintf, f, format)
PRINT(f, fprintf, __fprintf_chk, (FILE * f, int flag, const char *format, ...), format,
      __vfprintf_chk, f, flag, format)

/* --- starting programs ---------------------------------------------------------------------- */

static void count_started(int n)
{
	if (recording.profile != NULL)
		(void)__atomic_fetch_add(&osprof_words(recording.profile)[WORD_STARTED],
					 (uint64_t)n, __ATOMIC_RELAXED);
}

/* Only the parent records the fork; the child records its own calls. */
EXPORT pid_t fork(void)
{
	struct call_start call_start;
	pid_t child;

	BEGIN(fork, call_start, ON_PROCESS);
	child = libc.fork();
	if (child != 0)
		END(fork, call_start, child);
	return child;
}

#define SPAWN(name)                                                                                \
	EXPORT int name(pid_t *child, const char *path, const posix_spawn_file_actions_t *actions, \
			const posix_spawnattr_t *attributes, char *const argv[],                   \
			char *const envp[])                                                        \
	{                                                                                          \
		struct call_start call_start;                                                      \
		int result;                                                                        \
                                                                                                   \
		BEGIN(posix_spawn, call_start, ON_PROCESS);                                        \
		result = libc.name(child, path, actions, attributes, argv, envp);                  \
		END(posix_spawn, call_start, result);                                              \
		count_started(result == 0);                                                        \
		return result;                                                                     \
	}
SPAWN(posix_spawn)
SPAWN(posix_spawnp)

EXPORT int system(const char *command)
{
	struct call_start call_start;
	int result;

	BEGIN(system, call_start, ON_PROCESS);
	result = libc.system(command);
	END(system, call_start, result);
	count_started(command != NULL && result != -1);
	return result;
}

EXPORT FILE *popen(const char *command, const char *mode)
{
	struct call_start call_start;
	FILE *result;

	BEGIN(popen, call_start, ON_PROCESS);
	result = libc.popen(command, mode);
	END(popen, call_start, result);
	count_started(result != NULL);
	return result;
}

/* Before exec: releases the thread's counters. If exec fails, the next call takes some again. */
static void leave_thread(void)
{
	if (recording.profile != NULL)
		osprof_leave(recording.profile);
}

#define EXEC(name, parameters, real, ...)                                                          \
	EXPORT int name parameters                                                                 \
	{                                                                                          \
		int result;                                                                        \
                                                                                                   \
		find_in_time();                                                                    \
		leave_thread();                                                                    \
		single_before_exec(1);                                                             \
		count_started(1);                                                                  \
		result = libc.real(__VA_ARGS__);                                                   \
		count_started(-1);                                                                 \
		single_before_exec(0);                                                             \
		return result;                                                                     \
	}
EXEC(execve, (const char *path, char *const argv[], char *const envp[]), execve, path, argv, envp)
EXEC(execv, (const char *path, char *const argv[]), execve, path, argv, environ)
EXEC(execvpe, (const char *file, char *const argv[], char *const envp[]), execvpe, file, argv, envp)
EXEC(execvp, (const char *file, char *const argv[]), execvpe, file, argv, environ)
EXEC(fexecve, (int fd, char *const argv[], char *const envp[]), fexecve, fd, argv, envp)

/* Copies the list of arguments to an array on the stack, since the caller may be a child of vfork.
 * execle() has its environment after them. */
#define EXEC_LIST(name, call, environment)                                                         \
	EXPORT int name(const char *path, const char *arg, ...)                                    \
	{                                                                                          \
		const char *volatile first = arg; /* declared nonnull, yet may be NULL */          \
		size_t n = first != NULL;                                                          \
		va_list args;                                                                      \
                                                                                                   \
		va_start(args, arg);                                                               \
		while (n > 0 && va_arg(args, char *) != NULL)                                      \
			n++;                                                                       \
		va_end(args);                                                                      \
		char **argv = __builtin_alloca((n + 1) * sizeof(*argv));                           \
                                                                                                   \
		argv[0] = (char *)(uintptr_t)first;                                                \
		va_start(args, arg);                                                               \
		for (size_t i = 1; i <= n; i++)                                                    \
			argv[i] = va_arg(args, char *);                                            \
		char *const *envp = environment;                                                   \
		va_end(args);                                                                      \
		return call(path, argv, envp);                                                     \
	}
EXEC_LIST(execl, execve, environ)
EXEC_LIST(execlp, execvpe, environ)
EXEC_LIST(execle, execve, va_arg(args, char *const *))

#define EXIT(name)                                                                                 \
	EXPORT void name(int status)                                                               \
	{                                                                                          \
		find_in_time();                                                                    \
		leave_thread();                                                                    \
		libc.name(status);                                                                 \
	}
EXIT(_exit)
EXIT(_Exit)
EXIT(quick_exit)

/* --- calls that affect the recording ---------------------------------------------------------- */

/* A program that forbids itself to read the cycle counter cannot be recorded any longer; strict
 * seccomp forbids it, too. */
static int forbids_counter(int what, unsigned long value)
{
	return (what == PR_SET_SECCOMP && value == SECCOMP_MODE_STRICT) ||
	       (what == PR_SET_TSC && value == PR_TSC_SIGSEGV);
}

EXPORT int prctl(int what, ...)
{
	unsigned long arg[4];
	va_list args;

	va_start(args, what);
	for (int i = 0; i < 4; i++)
		arg[i] = va_arg(args, unsigned long);
	va_end(args);
	find_in_time();
	if (what == PR_SET_SECCOMP || what == PR_SET_NO_NEW_PRIVS)
		single_confine();
	if (recording.profile != NULL && forbids_counter(what, arg[0])) {
		osprof_add(recording.profile, -1, 0); /* what follows is lost */
		leave_thread();
		recording.profile = NULL;
	}
	return libc.prctl(what, arg[0], arg[1], arg[2], arg[3]);
}

/* Addresses may belong to another object file from now on. */
EXPORT int dlclose(void *library)
{
	int result;

	find_in_time();
	result = libc.dlclose(library);
	single_forget_sites();
	return result;
}

/* --- start and end ----------------------------------------------------------------------- */

__attribute__((constructor)) static void start_recording(void)
{
	const char *path = getenv(RECORDING_PROFILE);
	struct osprof *p;
	int fd;

	find_all();
	if (path == NULL)
		return;
	fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return;
	p = osprof_attach(fd);
	(void)close(fd);
	if (p == NULL)
		return;
	(void)__atomic_fetch_add(&osprof_words(p)[WORD_ATTACHED], 1, __ATOMIC_RELAXED);
	choose_functions(getenv(RECORDING_FUNCTIONS));
	if (getenv(RECORDING_CALLS) != NULL)
		single_attach(getenv(RECORDING_CALLS));
	if (getenv(RECORDING_NESTING) != NULL)
		nesting_attach(getenv(RECORDING_NESTING));
	recording.has_counter = p->has_counter;
	recording.profile = p;
}

__attribute__((destructor)) static void stop_recording(void)
{
	leave_thread();
}
