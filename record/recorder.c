/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Records with a preloaded library (collect/preload.c). This process owns the memory of the
 * profile and all processes of the command share it, so that no counts are lost however they
 * end.
 */
#include "record/recorder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/platform.h"
#include "base/xalloc.h"
#include "collect/calls.h"
#include "collect/osprof.h"
#include "collect/stream.h"
#include "formats/format.h"
#include "profile/profile.h"
#include "record/call_log.h"
#include "record/install_paths.h"
#include "record/kernel_calls.h"
#include "record/kernel_recorder.h"
#include "record/nested_calls.h"
#include "record/program.h"
#include "record/recording.h"
#include "record/tracer.h"

enum {
	THREADS = 256,
	FUNCTIONS = 1024,
	PATH_ROOM = 64,
	RECORDS_ON_DEMAND = 1 << 18, /* 29 MB when all of them are used */
	RESOLUTION = 4, /* with buckets narrower than an octave, a 10 % change is visible */
};

/* The memory shared with the command, and the paths by which other processes find it. */
struct session {
	struct osprof *profile;
	struct ring calls;    /* head NULL: no per-call records */
	struct stream stream; /* head NULL: no call tree */
	int fd, calls_fd, stream_fd;
	char *library;
	char *functions; /* patterns, including the function whose tree is kept */
	char path[PATH_ROOM], calls_path[PATH_ROOM], stream_path[PATH_ROOM];
};

static bool report_failed(const char *what, struct diag *diag)
{
	diag_plain(diag, DIAG_NOT_RECORDABLE, "%s: %s", what, strerror(errno));
	return false;
}

static bool find_library(struct session *ret, struct diag *diag)
{
	ret->library = path_of_library("libosprof-record.so");
	if (ret->library == NULL) {
		diag_plain(diag, DIAG_NOT_RECORDABLE,
			   "libosprof-record.so is not installed with this program");
		return false;
	}
	if (strpbrk(ret->library, " :") != NULL) {
		diag_plain(diag, DIAG_NOT_RECORDABLE,
			   "%s: nothing can be preloaded by a path with a blank or a colon",
			   ret->library);
		return false;
	}
	return true;
}

static int share_memory(const char *name, char path[PATH_ROOM])
{
	int fd = platform_memory_file(name);

	(void)snprintf(path, PATH_ROOM, "/proc/%ld/fd/%d", (long)getpid(), fd);
	return fd;
}

/* Prevents resizing: other processes would crash if the memory were truncated. */
static void seal_size(int fd)
{
	(void)fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
}

static bool share_profile(struct session *session, const struct recording *how)
{
	const struct osprof_options options = {
		.resolution = how->resolution != 0 ? how->resolution : RESOLUTION,
		.system_clock = how->system_clock,
		.max_ops = N_RECORDED + (how->functions != NULL ? FUNCTIONS : 0),
		.max_threads = THREADS,
		.subtract_overhead = how->subtract,
		.by = how->by,
	};

	session->fd = share_memory("osprof", session->path);
	if (session->fd < 0)
		return false;
	session->profile = osprof_new_in(session->fd, &options);
	if (session->profile == NULL)
		return false;
	seal_size(session->fd);
	for (unsigned i = 0; i < N_RECORDED; i++)
		(void)osprof_op(session->profile, "", recorded_call_name(i));
	return true;
}

/* Without --calls no call is recorded until osprof watch --zoom asks for records; unused memory
 * costs nothing, and a failure to create the ring is ignored. */
static bool share_calls(struct session *session, const struct recording *how)
{
	uint64_t n = how->calls != 0 ? how->calls : RECORDS_ON_DEMAND;

	session->calls_fd = share_memory("osprof-calls", session->calls_path);
	if (session->calls_fd < 0 || ring_make(&session->calls, session->calls_fd, n, N_RECORDED,
					       osprof_start(session->profile)) != 0)
		return how->calls == 0;
	seal_size(session->calls_fd);
	for (unsigned i = 0; how->calls != 0 && i < N_RECORDED; i++)
		ring_want(&session->calls, i, RING_ALWAYS);
	return true;
}

static bool share_stream(struct session *session, const struct recording *how)
{
	const char *patterns = how->functions, *function = how->causes;
	size_t room;

	if (function == NULL)
		return true;
	room = strlen(patterns) + strlen(function) + 2;
	session->functions = xcalloc(room, 1);
	(void)snprintf(session->functions, room, "%s,%s", patterns, function);
	session->stream_fd = share_memory("osprof-nesting", session->stream_path);
	if (session->stream_fd < 0 || stream_make(&session->stream, session->stream_fd,
						  osprof_op(session->profile, "function", function),
						  osprof_start(session->profile)) != 0)
		return false;
	seal_size(session->stream_fd);
	return true;
}

static bool session_begin(struct session *ret, const struct recording *how, struct diag *diag)
{
	*ret = (struct session){ .fd = -1, .calls_fd = -1, .stream_fd = -1 };
	return find_library(ret, diag) &&
	       ((share_profile(ret, how) && share_calls(ret, how) && share_stream(ret, how)) ||
		report_failed("memory to share", diag));
}

static void session_end(struct session *s)
{
	osprof_free(s->profile);
	if (s->calls.head != NULL)
		ring_detach(&s->calls);
	if (s->fd >= 0)
		(void)close(s->fd);
	stream_unmap(&s->stream);
	if (s->calls_fd >= 0)
		(void)close(s->calls_fd);
	if (s->stream_fd >= 0)
		(void)close(s->stream_fd);
	free(s->library);
	free(s->functions);
}

/* --- the command -------------------------------------------------------------------- */

static void set_or_unset(const char *name, const char *value)
{
	if (value != NULL)
		(void)setenv(name, value, 1);
	else
		(void)unsetenv(name);
}

static void set_environment(const struct session *session, const struct recording *how)
{
	const char *others = getenv("LD_PRELOAD");
	size_t room = strlen(session->library) + (others != NULL ? strlen(others) : 0) + 2;
	char *preload = xcalloc(room, 1);

	(void)snprintf(preload, room, "%s%s%s", session->library,
		       others != NULL && others[0] != '\0' ? ":" : "",
		       others != NULL ? others : "");
	(void)setenv("LD_PRELOAD", preload, 1);
	(void)setenv(RECORDING_PROFILE, session->path, 1);
	set_or_unset(RECORDING_CALLS, session->calls.head != NULL ? session->calls_path : NULL);
	set_or_unset(RECORDING_NESTING, session->stream.head != NULL ? session->stream_path : NULL);
	set_or_unset(RECORDING_FUNCTIONS,
		     session->functions != NULL ? session->functions : how->functions);
	free(preload);
}

NORETURN static void become_command(char *const *argv, const struct session *session,
				    const struct recording *how, int report_fd)
{
	int why;

	set_environment(session, how);
	(void)execvp(argv[0], argv);
	why = errno;
	(void)!write(report_fd, &why, sizeof(why));
	_exit(127);
}

/* Starts the command. Returns its process, or -1 when an error was reported. */
static pid_t start_command(char *const *argv, const struct session *session,
			   const struct recording *how, const struct held_signals *held,
			   struct diag *diag)
{
	int ends[2], why = 0;
	pid_t child;

	if (pipe2(ends, O_CLOEXEC) != 0)
		return report_failed(argv[0], diag) - 1;
	child = fork();
	if (child == 0) {
		signals_release(held);
		become_command(argv, session, how, ends[1]);
	}
	(void)close(ends[1]);
	if (child < 0)
		(void)report_failed(argv[0], diag);
	else if (read(ends[0], &why, sizeof(why)) == (ssize_t)sizeof(why)) {
		(void)wait_for_command(child, 0, NULL, NULL);
		diag_plain(diag, DIAG_NOT_RECORDABLE, "%s: %s", argv[0], strerror(why));
		child = -1;
	}
	(void)close(ends[0]);
	return child;
}

static void snapshot_profile(void *profile)
{
	(void)osprof_snapshot(profile);
}

/* --- results ------------------------------------------------------------------------- */

static struct profile *read_session(const struct session *session, const char *name,
				    struct diag *diag)
{
	const struct read_options options = { .numbering = NUMBERING_UNKNOWN };
	struct profile *p = NULL;
	struct input in;
	char *text = NULL;
	size_t n = 0;
	FILE *f = open_memstream(&text, &n);

	if (f == NULL || osprof_print(session->profile, f) != 0 || fclose(f) != 0) {
		(void)report_failed(name, diag);
		return NULL;
	}
	input_borrow(&in, name, text, n);
	p = format_read(format_by_name(STR("osprof")), &in, &options, diag);
	input_release(&in);
	free(text);
	return p;
}

/* Reports what is missing; false when nothing was recorded. */
static bool check_whole(const struct session *session, const char *name, struct diag *diag)
{
	const uint64_t *words = osprof_words(session->profile);
	uint64_t started = words[WORD_STARTED], attached = words[WORD_ATTACHED];

	if (attached == 0 || osprof_count(session->profile) == 0) {
		diag_plain(diag, DIAG_NOT_RECORDABLE, "%s: %s", name,
			   attached == 0 ? "the recorder was not loaded into it"
					 : "it made no call that is recorded");
		return false;
	}
	if (attached < started)
		diag_plain(diag, DIAG_NOT_RECORDED,
			   "%llu of %llu programs that were started: statically linked, with other "
			   "rights, or started without LD_PRELOAD",
			   (unsigned long long)(started - attached), (unsigned long long)started);
	return true;
}

/* Returns the log of per-call records, which takes over the ring. */
static struct call_log *read_calls(struct session *session, const struct recording *how)
{
	struct call_log *log;

	if (how->calls == 0)
		return NULL;
	log = call_log_read(&session->calls, osprof_hz(session->profile),
			    how->subtract ? osprof_overhead(session->profile) : 0);
	session->calls.head = NULL;
	log->unrecorded = osprof_words(session->profile)[WORD_ATTACHED] - log->ring.head->attached;
	return log;
}

/* --- running the command --------------------------------------------------------------- */

/* A run of the command, and its results. */
struct run {
	char *const *argv;
	const struct recording *how;
	struct session session;
	struct nested_calls *nested; /* NULL without --causes */
	struct held_signals held;
	int status;		   /* as returned by waitpid() */
	char *kernel;		   /* the output of calls.bt; NULL: not traced */
	struct instant between[2]; /* the start and end of tracing */
};

static bool run_plainly(struct run *r, struct diag *diag)
{
	pid_t child = start_command(r->argv, &r->session, r->how, &r->held, diag);

	if (child > 0)
		r->status = wait_for_command(child, r->how->interval, snapshot_profile,
					     r->session.profile);
	return child > 0;
}

static void prepare(void *run)
{
	const struct run *r = run;

	set_environment(&r->session, r->how);
}

/* The recording begins only now: attaching all probes takes a while. */
static void begin(void *run)
{
	struct run *r = run;

	r->between[0] = instant_now(r->session.profile);
	r->session.calls.head->began = r->between[0].counter;
}

static bool run_traced(struct run *r, struct diag *diag)
{
	const struct trace trace = { .argv = r->argv,
				     .script = "calls.bt",
				     .prints_lines = true,
				     .prepare = prepare,
				     .begin = begin,
				     .ctx = r,
				     .seconds = r->how->interval,
				     .tick = snapshot_profile,
				     .tick_ctx = r->session.profile,
				     .held = &r->held };
	struct traced traced = { .text = NULL };
	bool ok;

	ok = trace_command(&traced, &trace, diag);
	r->between[1] = instant_now(r->session.profile);
	r->status = traced.status;
	r->kernel = traced.text;
	return ok;
}

/* Fewer measurements cover too short a time. */
static const uint64_t min_speed_measurements = 4;

/* Returns the CPU speed in iterations per second of the recorder's loop; 0: not known. */
static double cpu_speed_of(struct osprof *p)
{
	const uint64_t *words = osprof_words(p);
	double hz = osprof_hz(p) > 0 ? (double)osprof_hz(p) : 1e9;

	if (words[WORD_SPEED_N] < min_speed_measurements || words[WORD_SPEED_TIME] == 0)
		return 0;
	return SPEED_STEPS * hz * (double)words[WORD_SPEED_N] / (double)words[WORD_SPEED_TIME];
}

static bool take_results(struct recorded *ret, struct run *r, struct diag *diag)
{
	ret->status = status_of(r->status, r->argv[0], diag);
	if (!check_whole(&r->session, r->argv[0], diag))
		return false;
	ret->profile = read_session(&r->session, r->argv[0], diag);
	if (ret->profile == NULL)
		return false;
	ret->profile->cpu_speed = cpu_speed_of(r->session.profile);
	ret->calls = read_calls(&r->session, r->how);
	if (ret->calls != NULL && r->kernel != NULL) {
		call_log_add_kernel(ret->calls, r->kernel, r->between);
		r->kernel = NULL;
	}
	return true;
}

bool record_command(struct recorded *ret, char *const *argv, const struct recording *how,
		    struct diag *diag)
{
	struct run r = { .argv = argv, .how = how };
	bool ok = false;

	if (how->kernel && how->calls == 0)
		return record_in_kernel(ret, argv, how, diag);
	if (!program_check(argv[0], diag))
		return false;
	if (session_begin(&r.session, how, diag)) {
		osprof_words(r.session.profile)[WORD_STARTED] = 1;
		signals_hold(&r.held);
		if (r.session.stream.head != NULL)
			r.nested = nested_calls_start(&r.session.stream, r.session.profile,
						      how->causes);
		ok = how->kernel ? run_traced(&r, diag) : run_plainly(&r, diag);
		if (r.nested != NULL)
			ret->tree = nested_calls_finish(r.nested, &ret->waited);
		ok = ok && take_results(ret, &r, diag);
		signals_release(&r.held);
	}
	free(r.kernel);
	session_end(&r.session);
	return ok;
}
