/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Recording in the kernel: bpftrace with collect/kernel.bt. The command is a process that
 * waits until every probe is in place.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/out.h"
#include "base/xalloc.h"
#include "cli/places.h"
#include "cli/recorder.h"
#include "cli/settings.h"
#include "profile/names.h"
#include "profile/profile.h"

static const struct {
	long number;
	const char *name;
} syscalls[] = {
#define SYSCALL(name) { SYS_##name, #name },
#include "collect/syscalls.inc"
#undef SYSCALL
};

static const char ready[] = "ready\n";

static bool failed(const char *what, struct diag *diag)
{
	diag_plain(diag, DIAG_NOT_RECORDABLE, "%s: %s", what, strerror(errno));
	return false;
}

/* --- the command, which waits --------------------------------------------------------- */

/* Calls the kernel over and over, to be seen, until told to go. */
NORETURN static void wait_and_become(char *const *argv, volatile int *go,
				     const struct held_signals *held)
{
	const struct timespec nap = { .tv_nsec = 2000000 };

	signals_release(held);
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL); /* nobody would tell it to go */
	while (*go == 0)
		(void)nanosleep(&nap, NULL);
	(void)prctl(PR_SET_PDEATHSIG, 0);
	if (*go > 0)
		(void)execvp(argv[0], argv);
	*go = -errno;
	_exit(127);
}

/* --- bpftrace --------------------------------------------------------------------------- */

struct tracer {
	pid_t pid;
	int out; /* memory for what it prints */
	char *script;
};

/* The whole script: with --interval, every histogram is printed and begun anew. */
static char *make_script(const char *path, double interval, struct diag *diag)
{
	struct out *o = out_to_memory();
	struct input in;
	char *script = NULL;

	if (!input_open(&in, path, 1 << 20, diag)) {
		out_free(o);
		return NULL;
	}
	out_bytes(o, in.bytes);
	if (interval > 0)
		out_printf(o,
			   "interval:us:%.0f { print(@syscall); clear(@syscall); "
			   "print(@syscall_total); clear(@syscall_total); print(@block); "
			   "clear(@block); print(@block_total); clear(@block_total); }\n",
			   interval * 1e6);
	script = xcalloc(out_memory(o).n + 1, 1);
	memcpy(script, out_memory(o).p, out_memory(o).n);
	input_release(&in);
	out_free(o);
	return script;
}

NORETURN static void become_tracer(const struct tracer *t, pid_t child)
{
	char pid[24], number[24];

	(void)snprintf(pid, sizeof(pid), "%ld", (long)child);
	(void)snprintf(number, sizeof(number), "%ld", (long)SYS_execve);
	(void)setpgid(0, 0); /* a key of the terminal is for the command */
	(void)dup2(t->out, STDOUT_FILENO);
	(void)dup2(t->out, STDERR_FILENO);
	(void)execlp("bpftrace", "bpftrace", "-B", "none", "-e", t->script, pid, number,
		     (char *)NULL);
	dprintf(STDERR_FILENO, "bpftrace: %s\n", strerror(errno));
	_exit(127);
}

/* What was printed so far; on the heap, ends with NUL. */
static char *printed(const struct tracer *t, size_t *ret_n)
{
	struct stat st;
	char *text;
	ssize_t n;

	if (fstat(t->out, &st) != 0)
		st.st_size = 0;
	text = xcalloc((size_t)st.st_size + 1, 1);
	n = pread(t->out, text, (size_t)st.st_size, 0);
	*ret_n = n > 0 ? (size_t)n : 0;
	text[*ret_n] = '\0';
	return text;
}

/* The reason is the first thing that bpftrace said. */
static bool complain(const struct tracer *t, struct diag *diag)
{
	size_t n;
	char *text = printed(t, &n), *line = text + strspn(text, "\n");

	line[strcspn(line, "\n")] = '\0';
	diag_plain(diag, DIAG_NOT_RECORDABLE, "bpftrace: %s", n > 0 ? line : "ended at once");
	free(text);
	return false;
}

static bool wait_until_ready(struct tracer *t, struct diag *diag)
{
	const struct timespec nap = { .tv_nsec = 5000000 };

	for (;;) {
		size_t n;
		char *text = printed(t, &n);
		bool is_ready = strstr(text, ready) != NULL;

		free(text);
		if (is_ready)
			return true;
		if (waitpid(t->pid, NULL, WNOHANG) == t->pid) {
			t->pid = -1;
			return complain(t, diag);
		}
		(void)nanosleep(&nap, NULL);
	}
}

static bool tracer_start(struct tracer *t, pid_t child, const struct held_signals *held,
			 struct diag *diag)
{
	t->out = memfd_create("bpftrace", MFD_CLOEXEC);
	if (t->out < 0)
		return failed("memory", diag);
	t->pid = fork();
	if (t->pid < 0)
		return failed("bpftrace", diag);
	if (t->pid == 0) {
		signals_release(held);
		become_tracer(t, child);
	}
	return wait_until_ready(t, diag);
}

/* An interrupt makes bpftrace print its maps and end. */
static void tracer_end(struct tracer *t)
{
	if (t->pid > 0) {
		(void)kill(t->pid, SIGINT);
		(void)waitpid(t->pid, NULL, 0);
	}
	t->pid = -1;
}

/* --- what came of it ---------------------------------------------------------------------- */

static struct names *name_syscalls(struct out *list, struct input *in, struct diag *diag)
{
	for (size_t i = 0; i < COUNT_OF(syscalls); i++)
		out_printf(list, "%ld %s\n", syscalls[i].number, syscalls[i].name);
	input_borrow(in, "system calls", out_memory(list).p, out_memory(list).n);
	return names_read(in, diag);
}

static struct profile *read_printed(const struct tracer *t, const char *name,
				    const struct settings *s, struct diag *diag)
{
	struct read_options options = { .build = { .unit = UNIT_NS,
						   .prints = PRINTS_CLEARED,
						   .interval = s->read.build.interval } };
	struct out *list = out_to_memory();
	struct input numbers, in;
	struct names *names = name_syscalls(list, &numbers, diag);
	struct profile *p = NULL;
	size_t n;
	char *text = printed(t, &n), *maps = strstr(text, ready);

	if (names != NULL && maps != NULL) {
		maps += sizeof(ready) - 1;
		options.build.names = names;
		input_borrow(&in, name, maps, n - (size_t)(maps - text));
		p = format_read(format_by_name(STR("bpftrace")), &in, &options, diag);
		input_release(&in);
	}
	names_free(names);
	input_release(&numbers);
	out_free(list);
	free(text);
	return p;
}

/* Both processes are there: the command goes. */
static bool run(struct recorded *ret, pid_t child, volatile int *go, struct tracer *t,
		char *const *argv, const struct settings *s, struct diag *diag)
{
	int status;

	*go = 1;
	status = wait_for_command(child, 0, NULL, NULL);
	tracer_end(t);
	if (*go < 0) {
		errno = -*go;
		return failed(argv[0], diag);
	}
	ret->status = status_of(status, argv[0], diag);
	ret->profile = read_printed(t, argv[0], s, diag);
	return ret->profile != NULL;
}

bool record_in_kernel(struct recorded *ret, char *const *argv, const struct settings *s,
		      struct diag *diag)
{
	char *path = place_of_helper("kernel.bt");
	volatile int *go =
		mmap(NULL, sizeof(*go), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	struct tracer t = { .pid = -1, .out = -1 };
	struct held_signals held;
	bool fine = false;
	pid_t child = -1;

	if (path == NULL)
		diag_plain(diag, DIAG_NOT_RECORDABLE, "kernel.bt is not beside this program");
	else if (go != MAP_FAILED)
		t.script = make_script(path, s->read.build.interval, diag);
	signals_hold(&held);
	if (t.script != NULL && (child = fork()) == 0)
		wait_and_become(argv, go, &held);
	if (child > 0) {
		fine = tracer_start(&t, child, &held, diag) &&
		       run(ret, child, go, &t, argv, s, diag);
		if (*go == 0) {
			*go = -1; /* nothing to be run */
			(void)waitpid(child, NULL, 0);
		}
	}
	tracer_end(&t);
	signals_release(&held);
	if (t.out >= 0)
		(void)close(t.out);
	if (go != MAP_FAILED)
		(void)munmap((void *)(uintptr_t)go, sizeof(*go));
	free(t.script);
	free(path);
	return fine;
}
