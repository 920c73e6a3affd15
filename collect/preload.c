/* SPDX-License-Identifier: MIT */
/*
 * What `osprof record` preloads into programs: a wrapper for each call of calls.def, which
 * records how long it takes and changes nothing else.
 *
 * The arguments, the result and errno are those of libc's own function. Nothing is
 * allocated, opened or locked while a program runs: all that is needed is mapped before
 * its main() begins, and no descriptor is kept. Where that fails, and in programs that
 * are started without RECORDING_PROFILE, calls go to libc and nothing is recorded.
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

#define EXPORT	  __attribute__((visibility("default")))
#define LIKELY(x) __builtin_expect(!!(x), 1)

struct recording recording;

/* --- libc's own functions -------------------------------------------------------------- */

#define OP(name)
#define CALL(on, type, name, parameters, arguments)	 static type(*real_##name) parameters;
#define ALIAS(on, op, type, name, parameters, arguments) static type(*real_##name) parameters;
#include "collect/calls.def"
#undef OP
#undef CALL
#undef ALIAS

/* Those that are wrapped by hand below. */
static int (*real_open)(const char *path, int flags, ...);
static int (*real_open64)(const char *path, int flags, ...);
static int (*real_openat)(int fd, const char *path, int flags, ...);
static int (*real_openat64)(int fd, const char *path, int flags, ...);
static int (*real_fcntl)(int fd, int what, ...);
static int (*real_fcntl64)(int fd, int what, ...);
static int (*real_ioctl)(int fd, unsigned long what, ...);
static void *(*real_mremap)(void *p, size_t n, size_t size, int flags, ...);
static int (*real_vprintf)(const char *format, va_list args);
static int (*real___vprintf_chk)(int flag, const char *format, va_list args);
static pid_t (*real_fork)(void);
static int (*real_posix_spawn)(pid_t *, const char *, const posix_spawn_file_actions_t *,
			       const posix_spawnattr_t *, char *const[], char *const[]);
static int (*real_posix_spawnp)(pid_t *, const char *, const posix_spawn_file_actions_t *,
				const posix_spawnattr_t *, char *const[], char *const[]);
static int (*real_system)(const char *command);
static FILE *(*real_popen)(const char *command, const char *mode);
static int (*real_execve)(const char *path, char *const argv[], char *const envp[]);
static int (*real_execvpe)(const char *file, char *const argv[], char *const envp[]);
static int (*real_fexecve)(int fd, char *const argv[], char *const envp[]);
static int (*real_prctl)(int what, ...);
static int (*real_dlclose)(void *library);
static __attribute__((noreturn)) void (*real__exit)(int status);
static __attribute__((noreturn)) void (*real__Exit)(int status);
static __attribute__((noreturn)) void (*real_quick_exit)(int status);

/* The address of a function pointer, as bytes: no cast between kinds of pointers. */
#define REAL(name)                                                                                 \
	{                                                                                          \
#name, &real_##name                                                                \
	}
static const struct {
	const char *name;
	void *to;
} reals[] = {
#define OP(name)
#define CALL(on, type, name, parameters, arguments)	 REAL(name),
#define ALIAS(on, op, type, name, parameters, arguments) REAL(name),
#include "collect/calls.def"
#undef OP
#undef CALL
#undef ALIAS
	REAL(open),    REAL(open64),	  REAL(openat),	      REAL(openat64), REAL(fcntl),
	REAL(fcntl64), REAL(ioctl),	  REAL(mremap),	      REAL(vprintf),  REAL(__vprintf_chk),
	REAL(fork),    REAL(posix_spawn), REAL(posix_spawnp), REAL(system),   REAL(popen),
	REAL(execve),  REAL(execvpe),	  REAL(fexecve),      REAL(prctl),    REAL(dlclose),
	REAL(_exit),   REAL(_Exit),	  REAL(quick_exit),
};

static void find_all(void)
{
	for (size_t i = 0; i < sizeof(reals) / sizeof(reals[0]); i++)
		*(void **)reals[i].to = dlsym(RTLD_NEXT, reals[i].name);
}

/* A call before our own start, by another library's: everything is found now. */
#define FIND(name)                                                                                 \
	do {                                                                                       \
		if (!LIKELY(real_##name != NULL))                                                  \
			find_all();                                                                \
	} while (0)

/* --- speed of the processor ---------------------------------------------------------------- */

/* A thread measures it before a call when so long (cycles or ns) has passed, which costs less than
 * 0.03 % of its time; its first ones more often, as short programs need them: 0.4 %. */
static const uint64_t speed_period = 1 << 22, speed_first_period = 1 << 18;
static const unsigned n_speed_first = 64;
/* One that takes longer was interrupted. */
static const uint64_t speed_longest = 16 * SPEED_STEPS;

/* When it is to be measured again. */
static uint64_t measure_speed(struct osprof *p)
{
	static __thread unsigned n_measured;
	uint64_t start = osprof_start(p), now;
	uint64_t *words = osprof_words(p);

	for (unsigned i = 0; i < SPEED_STEPS; i++)
		__asm__ volatile("" : "+r"(i));
	now = osprof_start(p);
	if (now - start < speed_longest) {
		(void)__atomic_fetch_add(&words[WORD_SPEED_TIME], now - start, __ATOMIC_RELAXED);
		(void)__atomic_fetch_add(&words[WORD_SPEED_N], 1, __ATOMIC_RELAXED);
	}
	if (n_measured < n_speed_first)
		n_measured++;
	return now + (n_measured < n_speed_first ? speed_first_period : speed_period);
}

/* --- every call ---------------------------------------------------------------------------- */

/* What a thread does now and then, before a call. */
static __attribute__((noinline, cold)) void look_around(struct moment *m, int op)
{
	int none_were_wanted = recording.single_until == NULL;

	osprof_seats[recording.slot].due = measure_speed(m->profile);
	single_look();
	if (none_were_wanted && recording.single_until != NULL)
		single_begin(m, op);
	m->start = osprof_start(m->profile);
}

static inline uint64_t time_now(void)
{
	return LIKELY(recording.has_counter) ? osprof_counter() : osprof_nanoseconds();
}

static inline struct seat *own_seat(void)
{
	return &osprof_seats[recording.slot];
}

static inline void begin(struct moment *m, int op)
{
	m->profile = recording.profile;
	m->ring = NULL;
	if (!LIKELY(m->profile != NULL))
		return;
	if (!LIKELY(__atomic_load_n(&recording.single_until, __ATOMIC_RELAXED) == NULL))
		single_begin(m, op);
	m->start = time_now();
	if (!LIKELY(m->start < own_seat()->due))
		look_around(m, op);
}

/* Functions are profiled, too, or this call leaves a record. */
static __attribute__((noinline, cold)) void end_in_full(int op, const struct moment *m, int on,
							int64_t result, uintptr_t at,
							const void *site)
{
	uint64_t latency;

	if (recording.functions_are_chosen)
		calls_left_at(at, m->start);
	if (nesting.head != NULL)
		nesting_call(op, m->start, osprof_start(m->profile));
	if (m->ring != NULL) {
		single_end(op, m, on, result, site);
		return;
	}
	latency = osprof_stop(m->profile, op, m->start);
	if (recording.functions_are_chosen)
		call_in_function(op, latency);
}

/* What a call returned; of a pointer whether it is one. */
static inline int64_t signed_result(int64_t v)
{
	return v;
}

static inline int64_t size_result(uint64_t v)
{
	return (int64_t)v;
}

static inline int64_t pointer_result(const volatile void *p)
{
	return (intptr_t)p == -1 ? -1 : p != NULL;
}

#define RESULT(v)                                                                                  \
	_Generic((v), int                                                                          \
		 : signed_result, long                                                             \
		 : signed_result, unsigned                                                         \
		 : size_result, unsigned long                                                      \
		 : size_result, default                                                            \
		 : pointer_result)(v)

/* In calls.def: what a call is about, and how many bytes it asks for. */
#define SIZED(on, n) (moment_.size = (int64_t)(n), (on))

/* The wrapper's own caller is the site. */
#define END(op, m, on, result)                                                                     \
	do {                                                                                       \
		if (!LIKELY((m).profile != NULL))                                                  \
			break;                                                                     \
		if (LIKELY((m).ring == NULL && !recording.functions_are_chosen))                   \
			(void)osprof_stop_seated((m).profile, own_seat(), RECORDED_##op,           \
						 (m).start, time_now());                           \
		else                                                                               \
			end_in_full(RECORDED_##op, &(m), on, RESULT(result), STACK_POSITION(),     \
				    __builtin_return_address(0));                                  \
	} while (0)

static inline int descriptor_of(const FILE *f)
{
	return f->_fileno;
}

/* --- wrappers by the table ------------------------------------------------------------- */

#define WRAPPER(on, op, type, name, parameters, arguments)                                         \
	EXPORT type name parameters                                                                \
	{                                                                                          \
		struct moment moment_;                                                             \
		type result_;                                                                      \
                                                                                                   \
		FIND(name);                                                                        \
		begin(&moment_, RECORDED_##op);                                                    \
		result_ = real_##name arguments;                                                   \
		END(op, moment_, on, result_);                                                     \
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

/* The mode is there only where a file may be made. */
#define OPEN(op, name, parameters, ...)                                                            \
	EXPORT int name parameters                                                                 \
	{                                                                                          \
		mode_t mode = 0;                                                                   \
		struct moment moment;                                                              \
		int result;                                                                        \
                                                                                                   \
		if ((flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE) {                  \
			va_list args;                                                              \
                                                                                                   \
			va_start(args, flags);                                                     \
			mode = va_arg(args, mode_t);                                               \
			va_end(args);                                                              \
		}                                                                                  \
		FIND(name);                                                                        \
		begin(&moment, RECORDED_##op);                                                     \
		result = real_##name(__VA_ARGS__, mode);                                           \
		END(op, moment, ON_PATH, result);                                                  \
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

/* One more argument, an int or a pointer: the same register either way, which the kernel
 * reads as it sees fit. */
#define CONTROL(on, op, name, type)                                                                \
	EXPORT int name(int fd, type what, ...)                                                    \
	{                                                                                          \
		va_list args;                                                                      \
		struct moment moment;                                                              \
		void *arg;                                                                         \
		int result;                                                                        \
                                                                                                   \
		va_start(args, what);                                                              \
		arg = va_arg(args, void *);                                                        \
		va_end(args);                                                                      \
		FIND(name);                                                                        \
		begin(&moment, RECORDED_##op);                                                     \
		result = real_##name(fd, what, arg);                                               \
		END(op, moment, on, result);                                                       \
		return result;                                                                     \
	}
CONTROL(waits_for_lock(what) ? ON_LOCK : fd, fcntl, fcntl, int)
CONTROL(waits_for_lock(what) ? ON_LOCK : fd, fcntl, fcntl64, int)
CONTROL(fd, ioctl, ioctl, unsigned long)

EXPORT void *mremap(void *p, size_t n, size_t size, int flags, ...)
{
	struct moment moment;
	void *to = NULL;

	if ((flags & MREMAP_FIXED) != 0) {
		va_list args;

		va_start(args, flags);
		to = va_arg(args, void *);
		va_end(args);
	}
	FIND(mremap);
	begin(&moment, RECORDED_mremap);
	p = real_mremap(p, n, size, flags, to);
	END(mremap, moment, ON_MEMORY, p);
	return p;
}

#define PRINT(to, op, name, parameters, last, real, ...)                                           \
	EXPORT int name parameters;                                                                \
	EXPORT int name parameters                                                                 \
	{                                                                                          \
		va_list args;                                                                      \
		struct moment moment;                                                              \
		int result;                                                                        \
                                                                                                   \
		FIND(real);                                                                        \
		va_start(args, last);                                                              \
		begin(&moment, RECORDED_##op);                                                     \
		result = real_##real(__VA_ARGS__, args);                                           \
		END(op, moment, descriptor_of(to), result);                                        \
		va_end(args);                                                                      \
		return result;                                                                     \
	}
PRINT(stdout, printf, printf, (const char *format, ...), format, vprintf, format)
PRINT(stdout, printf, __printf_chk, (int flag, const char *format, ...), format, __vprintf_chk,
      flag, format)
PRINT(f, fprintf, fprintf, (FILE * f, const char *format, ...), format, vfprintf, f, format)
PRINT(f, fprintf, __fprintf_chk, (FILE * f, int flag, const char *format, ...), format,
      __vfprintf_chk, f, flag, format)

/* --- programs that are started -------------------------------------------------------------- */

static void count_started(int n)
{
	if (recording.profile != NULL)
		(void)__atomic_fetch_add(&osprof_words(recording.profile)[WORD_STARTED],
					 (uint64_t)n, __ATOMIC_RELAXED);
}

/* The child records its own calls, and not that it was forked. */
EXPORT pid_t fork(void)
{
	struct moment moment;
	pid_t child;

	FIND(fork);
	begin(&moment, RECORDED_fork);
	child = real_fork();
	if (child != 0)
		END(fork, moment, ON_PROCESS, child);
	return child;
}

#define SPAWN(name)                                                                                \
	EXPORT int name(pid_t *child, const char *path, const posix_spawn_file_actions_t *actions, \
			const posix_spawnattr_t *attributes, char *const argv[],                   \
			char *const envp[])                                                        \
	{                                                                                          \
		struct moment moment;                                                              \
		int result;                                                                        \
                                                                                                   \
		FIND(name);                                                                        \
		begin(&moment, RECORDED_posix_spawn);                                              \
		result = real_##name(child, path, actions, attributes, argv, envp);                \
		END(posix_spawn, moment, ON_PROCESS, result);                                      \
		count_started(result == 0);                                                        \
		return result;                                                                     \
	}
SPAWN(posix_spawn)
SPAWN(posix_spawnp)

EXPORT int system(const char *command)
{
	struct moment moment;
	int result;

	FIND(system);
	begin(&moment, RECORDED_system);
	result = real_system(command);
	END(system, moment, ON_PROCESS, result);
	count_started(command != NULL && result != -1);
	return result;
}

EXPORT FILE *popen(const char *command, const char *mode)
{
	struct moment moment;
	FILE *result;

	FIND(popen);
	begin(&moment, RECORDED_popen);
	result = real_popen(command, mode);
	END(popen, moment, ON_PROCESS, result);
	count_started(result != NULL);
	return result;
}

/* A program that is replaced hands its counters on. If it is not, it takes some again. */
static void leave(void)
{
	if (recording.profile != NULL)
		osprof_leave(recording.profile);
}

#define EXEC(name, parameters, real, ...)                                                          \
	EXPORT int name parameters                                                                 \
	{                                                                                          \
		int result;                                                                        \
                                                                                                   \
		FIND(real);                                                                        \
		leave();                                                                           \
		single_hand_on(1);                                                                 \
		count_started(1);                                                                  \
		result = real_##real(__VA_ARGS__);                                                 \
		count_started(-1);                                                                 \
		single_hand_on(0);                                                                 \
		return result;                                                                     \
	}
EXEC(execve, (const char *path, char *const argv[], char *const envp[]), execve, path, argv, envp)
EXEC(execv, (const char *path, char *const argv[]), execve, path, argv, environ)
EXEC(execvpe, (const char *file, char *const argv[], char *const envp[]), execvpe, file, argv, envp)
EXEC(execvp, (const char *file, char *const argv[]), execvpe, file, argv, environ)
EXEC(fexecve, (int fd, char *const argv[], char *const envp[]), fexecve, fd, argv, envp)

/* Arguments in a list, made an array on the stack, since the caller may be a child of
 * vfork. execle() has its environment after them. */
#define EXEC_LIST(name, call, environment)                                                         \
	EXPORT int name(const char *path, const char *arg, ...)                                    \
	{                                                                                          \
		const char *volatile first = arg; /* declared to be none, and yet may be NULL */   \
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
		FIND(name);                                                                        \
		leave();                                                                           \
		real_##name(status);                                                               \
	}
EXIT(_exit)
EXIT(_Exit)
EXIT(quick_exit)

/* --- what recording has to know of ------------------------------------------------------------ */

/* Who forbids itself to read the counter is not recorded any more; that is one of the
 * things that the strict kind of seccomp does. */
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
	FIND(prctl);
	if (what == PR_SET_SECCOMP || what == PR_SET_NO_NEW_PRIVS)
		single_confine();
	if (recording.profile != NULL && forbids_counter(what, arg[0])) {
		osprof_add(recording.profile, -1, 0); /* what follows is lost */
		leave();
		recording.profile = NULL;
	}
	return real_prctl(what, arg[0], arg[1], arg[2], arg[3]);
}

/* Addresses may belong to another object file from now on. */
EXPORT int dlclose(void *library)
{
	int result;

	FIND(dlclose);
	result = real_dlclose(library);
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
	recording.slot = ((struct capture *)p)->slot;
	recording.profile = p;
}

__attribute__((destructor)) static void stop_recording(void)
{
	leave();
}
