/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs bpftrace with a script of collect/. The process of the command waits until every probe is
 * attached. */
#include "record/tracer.h"

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
#include "base/input/input.h"
#include "base/input/input_file.h"
#include "base/out.h"
#include "base/xalloc.h"
#include "record/install_paths.h"

static const char ready[] = "ready\n";

/* The last clause of the script. Once it and the first one, in traced.bt, have fired for the
 * waiting process, all probes between them are attached. */
static const char ready_clause[] = "tracepoint:raw_syscalls:sys_exit /tid == $1 && @seen == 1/ "
				   "{ @seen = 2; printf(\"ready\\n\"); }\n";

/* With prints_lines: a line that we make bpftrace print at the end. */
static const char done[] = "done\n";
static const char done_clause[] = "tracepoint:raw_syscalls:sys_enter /pid == $5 && args->id == $6/ "
				  "{ printf(\"done\\n\"); }\n";

static bool report_failed(const char *what, struct diag *diag)
{
	diag_plain(diag, DIAG_NOT_RECORDABLE, "%s: %s", what, strerror(errno));
	return false;
}

/* --- the waiting command -------------------------------------------------------------- */

/* Makes system calls, so that bpftrace has events to print, until the parent sets *go. */
NORETURN static void wait_and_become(const struct trace *t, volatile int *go)
{
	const struct timespec nap = { .tv_nsec = 2000000 };

	signals_release(t->held);
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL); /* without the parent it would wait forever */
	if (t->prepare != NULL)
		t->prepare(t->ctx);
	while (*go == 0)
		(void)nanosleep(&nap, NULL);
	(void)prctl(PR_SET_PDEATHSIG, 0);
	if (*go > 0)
		(void)execvp(t->argv[0], t->argv);
	*go = -errno;
	_exit(127);
}

/* --- bpftrace --------------------------------------------------------------------------- */

struct tracer {
	pid_t pid;
	int out; /* a memfd that receives its output */
	char *script;
};

static bool add_script(struct out *o, const char *name, struct diag *diag)
{
	char *path = path_of_script(name);
	struct input in;
	bool ok = false;

	if (path == NULL) {
		diag_plain(diag, DIAG_NOT_RECORDABLE, "%s is not installed with this program",
			   name);
	} else if (input_open(&in, path, 1 << 20, diag)) {
		out_bytes(o, in.bytes);
		input_release(&in);
		ok = true;
	}
	free(path);
	return ok;
}

/* Returns the script, on the heap; NULL: an error was reported. */
static char *make_script(const struct trace *t, struct diag *diag)
{
	struct out *o = out_to_memory();
	char *script = NULL;

	if (add_script(o, "traced.bt", diag) && add_script(o, t->script, diag)) {
		out_text(o, t->more != NULL ? t->more : "");
		out_text(o, t->prints_lines ? done_clause : "");
		out_text(o, ready_clause);
		script = xcalloc(out_memory(o).n + 1, 1);
		memcpy(script, out_memory(o).p, out_memory(o).n);
	}
	out_free(o);
	return script;
}

/* Scripts get the numbers of these system calls as positional arguments. */
NORETURN static void become_tracer(const struct tracer *t, pid_t child)
{
	const long numbers[] = { (long)child,	    SYS_execve,	     SYS_getrusage,
				 SYS_clock_gettime, (long)getppid(), SYS_getppid };
	char arg[6][24];

	for (int i = 0; i < 6; i++)
		(void)snprintf(arg[i], sizeof(arg[i]), "%ld", numbers[i]);
	(void)setpgid(0, 0); /* signals from the terminal are for the command only */
	(void)dup2(t->out, STDOUT_FILENO);
	(void)dup2(t->out, STDERR_FILENO);
	(void)setenv("BPFTRACE_PERF_RB_PAGES", "1024", 0);
	(void)execlp("bpftrace", "bpftrace", "-B", "line", "-e", t->script, arg[0], arg[1], arg[2],
		     arg[3], arg[4], arg[5], (char *)NULL);
	dprintf(STDERR_FILENO, "%s\n",
		errno == ENOENT ? "no such program; `apt-get install bpftrace` installs it"
				: strerror(errno));
	_exit(127);
}

/* Returns the output so far, from offset `from`; on the heap, NUL-terminated. */
static char *printed_from(const struct tracer *t, size_t from, size_t *ret_n)
{
	struct stat st;
	size_t size = fstat(t->out, &st) == 0 && (size_t)st.st_size > from
			      ? (size_t)st.st_size - from
			      : 0;
	size_t got = 0;
	char *text = xcalloc(size + 1, 1);
	ssize_t n;

	while (got < size && (n = pread(t->out, text + got, size - got, (off_t)(from + got))) > 0)
		got += (size_t)n;
	*ret_n = got;
	return text;
}

static char *printed_text(const struct tracer *t, size_t *ret_n)
{
	return printed_from(t, 0, ret_n);
}

/* Reports the first line that bpftrace printed. */
static bool report_errors(const struct tracer *t, struct diag *diag)
{
	size_t n;
	char *text = printed_text(t, &n), *line = text + strspn(text, "\n");

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
		char *text = printed_text(t, &n);
		bool is_ready = strstr(text, ready) != NULL;

		free(text);
		if (is_ready)
			return true;
		if (waitpid(t->pid, NULL, WNOHANG) == t->pid) {
			t->pid = -1;
			return report_errors(t, diag);
		}
		(void)nanosleep(&nap, NULL);
	}
}

static bool tracer_start(struct tracer *t, pid_t child, const struct held_signals *held,
			 struct diag *diag)
{
	t->out = memfd_create("bpftrace", MFD_CLOEXEC);
	if (t->out < 0)
		return report_failed("memory", diag);
	t->pid = fork();
	if (t->pid < 0)
		return report_failed("bpftrace", diag);
	if (t->pid == 0) {
		signals_release(held);
		become_tracer(t, child);
	}
	return wait_until_ready(t, diag);
}

/* Counts how often `done` was printed after *from, and advances *from past what was searched. */
static unsigned count_done(const struct tracer *t, size_t *from)
{
	const size_t cut = sizeof(done) - 2; /* longest incomplete `done` at the end */
	size_t n, past = 0;
	char *text = printed_from(t, *from, &n);
	unsigned count = 0;

	for (char *at = text; (at = strstr(at, done)) != NULL; count++) {
		at += sizeof(done) - 1;
		past = (size_t)(at - text);
	}
	*from += n > past + cut ? n - cut : past;
	free(text);
	return count;
}

/* On SIGINT bpftrace discards events that it has not printed yet. It reads the processors'
 * buffers in turn: once it prints a `done` that was requested after an earlier one was seen, it
 * has read all of them. */
static void wait_for_lines(struct tracer *t)
{
	const struct timespec nap = { .tv_nsec = 5000000 };
	struct stat st;
	size_t from = fstat(t->out, &st) == 0 ? (size_t)st.st_size : 0;
	unsigned asked = 0, seen = 0, before = 0; /* before: `asked` when one was first seen */

	while (seen == 0 || seen <= before) {
		(void)syscall(SYS_getppid);
		asked++;
		(void)nanosleep(&nap, NULL);
		if (waitpid(t->pid, NULL, WNOHANG) == t->pid) {
			t->pid = -1;
			return;
		}
		seen += count_done(t, &from);
		if (before == 0 && seen > 0)
			before = asked;
	}
}

/* SIGINT makes bpftrace print its maps and exit. It is lost when bpftrace is not waiting for
 * events, and so sent repeatedly. */
static void tracer_end(struct tracer *t)
{
	enum { NAPS = 200 }; /* a second */
	const struct timespec nap = { .tv_nsec = 5000000 };

	for (unsigned naps = 0; t->pid > 0; naps++) {
		if (naps % NAPS == 0)
			(void)kill(t->pid, SIGINT);
		if (waitpid(t->pid, NULL, WNOHANG) != 0)
			t->pid = -1;
		else
			(void)nanosleep(&nap, NULL);
	}
}

/* --- the traced command ------------------------------------------------------------------- */

/* Takes the output after the `ready` line. */
static void take_text(const struct tracer *t, struct traced *ret)
{
	char *text = printed_text(t, &ret->n), *after = strstr(text, ready);
	size_t before = after != NULL ? (size_t)(after - text) + sizeof(ready) - 1 : ret->n;

	ret->n -= before;
	memmove(text, text + before, ret->n + 1);
	ret->text = text;
}

/* Runs the command once both processes are ready. */
static bool run_traced(struct traced *ret, const struct trace *t, struct tracer *tracer,
		       pid_t child, volatile int *go, struct diag *diag)
{
	if (t->begin != NULL)
		t->begin(t->ctx);
	*go = 1;
	ret->status = wait_for_command(child, t->seconds, t->tick, t->tick_ctx);
	if (t->prints_lines)
		wait_for_lines(tracer);
	tracer_end(tracer);
	if (*go < 0) {
		errno = -*go;
		return report_failed(t->argv[0], diag);
	}
	take_text(tracer, ret);
	return true;
}

bool trace_command(struct traced *ret, const struct trace *t, struct diag *diag)
{
	volatile int *go =
		mmap(NULL, sizeof(*go), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	struct tracer tracer = { .pid = -1, .out = -1 };
	bool ok = false;
	pid_t child = -1;

	if (go == MAP_FAILED)
		return report_failed("memory", diag);
	tracer.script = make_script(t, diag);
	if (tracer.script != NULL && (child = fork()) == 0)
		wait_and_become(t, go);
	if (child > 0) {
		ok = tracer_start(&tracer, child, t->held, diag) &&
		     run_traced(ret, t, &tracer, child, go, diag);
		if (*go == 0) {
			*go = -1; /* tells the child to exit */
			(void)waitpid(child, NULL, 0);
		}
	}
	tracer_end(&tracer);
	if (tracer.out >= 0)
		(void)close(tracer.out);
	(void)munmap((void *)(uintptr_t)go, sizeof(*go));
	free(tracer.script);
	return ok;
}
