/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "browse/watch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/input/input.h"
#include "base/json.h"
#include "base/out.h"
#include "base/xalloc.h"
#include "program/option_list.h"
#include "watch/status.h"
#include "watch/store/store.h"

/* What osprof watch prints, and the part of it that is not a whole line yet. */
struct printed {
	char *text; /* on the heap */
	size_t n, cap;
	size_t used;	     /* bytes of the lines that were returned */
	struct arena *arena; /* of the last event */
};

struct shown {
	struct arena *arena; /* of the names */
	struct settings settings;
};

struct browse_watch {
	const struct settings *settings;
	char *folder;
	bool ours;   /* the folder is temporary, and removed at the end */
	pid_t child; /* osprof watch; 0: not started */
	int out;     /* a pipe with its output; -1: none, or ended */
	struct shown shown[2];
	unsigned used;	  /* the one in use; browse_watch_next() fills the other */
	double end;	  /* end of the last interval returned */
	struct span last; /* the newest interval in the folder */
	struct watch_status status;
	bool has_status;
	double status_read; /* when the status was read, on the monotonic clock */
	int step;	    /* intervals to move by at the next call */
	size_t after;	    /* maximum intervals of the later side; 0: WATCH_AFTER, half of all */
	size_t compared;    /* intervals of the later side last time */
	bool paused;	    /* ignore newer intervals */
	bool again;	    /* return the same intervals again, divided otherwise */
	char title[120], brief[80]; /* what is compared with what */
	struct printed printed;
};

/* --- running osprof watch ------------------------------------------------------------------ */

/* Returns the osprof in the same folder as this program, else the one in PATH. */
static const char *osprof_path(char *room, size_t size)
{
	ssize_t n = readlink("/proc/self/exe", room, size - 1);
	char *slash;

	room[n > 0 ? n : 0] = '\0';
	slash = strrchr(room, '/');
	if (slash != NULL && (size_t)(slash - room) + sizeof("/osprof") <= size) {
		memcpy(slash, "/osprof", sizeof("/osprof"));
		if (access(room, X_OK) == 0)
			return room;
	}
	return "osprof";
}

/* Words of a command line. */
struct arguments {
	struct arena *arena;
	const char **v;
	size_t n, cap;
};

static void add_argument(struct arguments *to, const char *word)
{
	to->v = arena_grow(to->arena, to->v, &to->cap, to->n + 1, sizeof(*to->v));
	to->v[to->n++] = word;
}

/* Passes on the options that osprof watch has, too: how to read sources, length of intervals. */
static void add_options(struct arguments *to, const struct settings *s)
{
	for (size_t i = 0; i < s->n_given; i++) {
		const struct given_option *g = &s->given[i];

		if (option_of(COMMAND_watch, g->row->name) == NULL)
			continue;
		add_argument(to,
			     arena_printf(to->arena, "--%s%s%s", g->row->name,
					  g->arg != NULL ? "=" : "", g->arg != NULL ? g->arg : "")
				     .p);
	}
}

/* Returns the command line of osprof watch, terminated by NULL. */
static const char *const *arguments_of(const struct browse_watch *w, struct arena *a)
{
	const struct settings *s = w->settings;
	struct arguments args = { .arena = a };

	add_argument(&args, "osprof");
	add_argument(&args, "watch");
	add_argument(&args, "--keep");
	add_argument(&args, w->folder);
	add_argument(&args, "--format");
	add_argument(&args, "json");
	add_options(&args, s);
	add_argument(&args, "--");
	for (size_t i = 0; i < s->watch.n_watched; i++)
		add_argument(&args, s->watch.watched[i]);
	for (size_t i = 0; i < s->options.load.n_operands; i++)
		add_argument(&args, s->options.load.operand[i]);
	add_argument(&args, NULL);
	return args.v;
}

static void become_watch(const struct browse_watch *w, int out)
{
	const char *const *argv = arguments_of(w, arena_new());
	char room[4096];
	int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);

	if (nothing < 0 || dup2(nothing, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0 ||
	    dup2(out, STDERR_FILENO) < 0)
		_exit(127);
	/* Signals from the terminal's keys must not reach it. */
	(void)setsid();
	(void)execvp(osprof_path(room, sizeof(room)), (char *const *)(uintptr_t)argv);
	(void)dprintf(STDOUT_FILENO, "osprof cannot be run: %s\n", strerror(errno));
	_exit(127);
}

static bool start_watch(struct browse_watch *w, struct diag *diag)
{
	const char *tmp = getenv("TMPDIR");
	int ends[2];

	w->folder = xcalloc(4096, 1);
	(void)snprintf(w->folder, 4096, "%s/osprof-tui-XXXXXX", tmp != NULL && *tmp ? tmp : "/tmp");
	w->ours = mkdtemp(w->folder) != NULL;
	if (!w->ours || pipe2(ends, O_CLOEXEC) != 0) {
		diag_plain(diag, DIAG_OUTPUT_FAILED, "%s: %s", w->folder, strerror(errno));
		return false;
	}
	w->child = fork();
	if (w->child == 0)
		become_watch(w, ends[1]);
	(void)close(ends[1]);
	(void)fcntl(ends[0], F_SETFL, O_NONBLOCK);
	w->out = ends[0];
	if (w->child > 0)
		return true;
	w->child = 0;
	diag_plain(diag, DIAG_OUTPUT_FAILED, "osprof watch: %s", strerror(errno));
	return false;
}

static bool is_folder(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

struct browse_watch *browse_watch_new(const struct settings *s, struct diag *diag)
{
	struct browse_watch *w = xcalloc(1, sizeof(*w));
	bool one = s->watch.n_watched + s->options.load.n_operands == 1;

	w->settings = s;
	w->out = -1;
	if (one && is_folder(s->watch.watched[0])) {
		w->folder = xstrdup(s->watch.watched[0]);
		return w;
	}
	if (start_watch(w, diag))
		return w;
	browse_watch_free(w);
	return NULL;
}

static void remove_folder(const char *folder)
{
	DIR *d = opendir(folder);
	struct dirent *e;

	while (d != NULL && (e = readdir(d)) != NULL)
		(void)unlinkat(dirfd(d), e->d_name, 0);
	if (d != NULL)
		(void)closedir(d);
	(void)rmdir(folder);
}

void browse_watch_free(struct browse_watch *w)
{
	if (w == NULL)
		return;
	if (w->child > 0) {
		(void)kill(w->child, SIGTERM);
		(void)waitpid(w->child, NULL, 0);
	}
	if (w->out >= 0)
		(void)close(w->out);
	if (w->ours)
		remove_folder(w->folder);
	for (int i = 0; i < 2; i++)
		arena_free(w->shown[i].arena);
	free(w->printed.text);
	arena_free(w->printed.arena);
	free(w->folder);
	free(w);
}

/* --- intervals ------------------------------------------------------------------------------ */

/* Keeps only intervals of the usual length: the first and the last are mostly partial, and old
 * ones are merged into longer ones. */
static size_t leave_parts_out(struct kept_interval *k, size_t n)
{
	double length;
	size_t kept = 0;

	if (n == 0)
		return 0;
	length = k[n > 2 ? n - 2 : n - 1].span.end - k[n > 2 ? n - 2 : n - 1].span.start;
	for (size_t i = 0; i < n; i++) {
		if (fabs(k[i].span.end - k[i].span.start - length) < 0.001)
			k[kept++] = k[i];
	}
	return kept;
}

static void say_title(struct browse_watch *w, size_t before, size_t after)
{
	time_t seconds = (time_t)w->end;
	char time[32];
	struct tm tm;

	(void)gmtime_r(&seconds, &tm);
	(void)strftime(time, sizeof(time), "%H:%M:%S", &tm);
	(void)snprintf(w->title, sizeof(w->title),
		       "%zu interval%s against the %zu before, to %s UTC%s", after,
		       after == 1 ? "" : "s", before, time, w->paused ? ", paused" : "");
	(void)snprintf(w->brief, sizeof(w->brief), "%zu against %zu to %s%s", after, before, time,
		       w->paused ? ", paused" : "");
}

/* Returns how many of the n intervals to use: all, or while paused up to the one shown. */
static size_t last_shown(const struct browse_watch *w, const struct kept_interval *k, size_t n)
{
	size_t at = 0;

	if (!w->paused || n == 0)
		return n;
	while (at + 1 < n && k[at].span.end < w->end - 0.001)
		at++;
	if (w->step < 0)
		at -= at < (size_t)-w->step ? at : (size_t)-w->step;
	else
		at += n - 1 - at < (size_t)w->step ? n - 1 - at : (size_t)w->step;
	return at + 1;
}

void browse_watch_pause(struct browse_watch *w)
{
	w->paused = !w->paused;
	w->again = true;
	w->step = 0;
}

void browse_watch_step(struct browse_watch *w, int by)
{
	w->paused = true;
	w->step += by;
}

void browse_watch_widen(struct browse_watch *w, int by)
{
	w->after = w->after > 0 ? w->after : w->compared;
	if (by < 0 ? w->after > 1 : w->after < WATCH_BEFORE)
		w->after += by;
	w->again = true;
}

/* Resets the options for reading: osprof watch has applied them, and its files are osprof(5). */
static void read_what_is_kept(struct load_options *q)
{
	const struct load_options usual = load_options_default();
	unsigned resolution = q->read.resolution;

	q->from = NULL;
	q->names_path = NULL;
	q->read = usual.read;
	q->read.resolution = resolution;
}

const struct settings *browse_watch_next(struct browse_watch *w)
{
	struct diag diag = { .emit = NULL };
	struct shown *next = &w->shown[1 - w->used];
	struct arena *a = arena_new();
	struct kept_interval *k;
	size_t n = 0, after, before;

	if (store_list(w->folder, a, &k, &n, &diag)) {
		n = leave_parts_out(k, n);
		if (n > 0)
			w->last = k[n - 1].span;
		n = last_shown(w, k, n);
	}
	w->step = 0;
	if (n == 0 || (!w->again && (w->paused ? fabs(k[n - 1].span.end - w->end) < 0.001
					       : k[n - 1].span.end <= w->end))) {
		arena_free(a);
		return NULL;
	}
	w->again = false;
	arena_free(next->arena);
	next->arena = a;
	w->end = k[n - 1].span.end;
	after = n / 2 < WATCH_AFTER ? n / 2 : WATCH_AFTER;
	if (w->after > 0)
		after = w->after < n ? w->after : n - 1;
	w->compared = after;
	before = n - after < WATCH_BEFORE ? n - after : WATCH_BEFORE;
	next->settings = *w->settings;
	if (w->ours)
		read_what_is_kept(&next->settings.options.load);
	next->settings.options.load.operand = arena_make(a, char *, n);
	for (size_t i = 0; i < before + after; i++)
		next->settings.options.load.operand[i] =
			(char *)(uintptr_t)k[n - before - after + i].path;
	next->settings.options.load.n_operands = before + after;
	next->settings.options.load.n_before = before;
	next->settings.options.load.separated = after > 0;
	say_title(w, before, after);
	return &next->settings;
}

void browse_watch_use(struct browse_watch *w, const struct settings *s)
{
	if (s == NULL || s == &w->shown[1 - w->used].settings)
		w->used = 1 - w->used;
}

const char *browse_watch_title(const struct browse_watch *w)
{
	return w->title;
}

/* --- status -------------------------------------------------------------------------------- */

static double seconds_of(clockid_t clock)
{
	struct timespec t;

	(void)clock_gettime(clock, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Derives a status from the intervals' names if the folder has none: it is of another version, or
 * a copy. */
static struct watch_status status_by_names(const struct browse_watch *w)
{
	return (struct watch_status){ .watching = true,
				      .time = w->last.end,
				      .every = w->last.end - w->last.start,
				      .end = w->last.end };
}

void browse_watch_status(struct browse_watch *w, struct out *o)
{
	static const double read_every = 1;
	double since = seconds_of(CLOCK_MONOTONIC);
	struct watch_status s;

	if (w->status_read == 0 || since - w->status_read >= read_every) {
		w->has_status = watch_status_read(w->folder, &w->status);
		w->status_read = since;
	}
	s = w->has_status ? w->status : status_by_names(w);
	/* If it was killed, the status file does not say that it ended. */
	if (browse_watch_ended(w))
		s.watching = false;
	watch_status_say(o, &s, seconds_of(CLOCK_REALTIME), "\n");
	if (!w->has_status)
		out_text(o, "\nlosses unknown");
	out_printf(o, "\n%s\t%s\n", w->title, w->brief);
}

/* --- its output ---------------------------------------------------------------------------- */

/* Appends what was printed since; closes the pipe at its end. */
static void read_printed(struct browse_watch *w)
{
	struct printed *p = &w->printed;
	ssize_t n;

	if (p->used > 0)
		memmove(p->text, p->text + p->used, p->n - p->used);
	p->n -= p->used;
	p->used = 0;
	if (w->out < 0)
		return;
	p->text = xgrow(p->text, &p->cap, p->n + PIPE_BUF, 1);
	n = read(w->out, p->text + p->n, p->cap - p->n);
	p->n += n > 0 ? (size_t)n : 0;
	if (n == 0) {
		(void)close(w->out);
		w->out = -1;
	}
}

/* Returns the next whole line, without its end; empty if there is none. */
static struct str next_line(struct printed *p)
{
	size_t at = p->used;
	const char *end = p->n > at ? memchr(p->text + at, '\n', p->n - at) : NULL;

	if (end == NULL)
		return STR("");
	p->used = (size_t)(end + 1 - p->text);
	return (struct str){ p->text + at, (size_t)(end - p->text) - at };
}

/* Reads a line of osprof.watch/1.  What is none is a message. */
static struct watch_line event_of(struct str line, struct arena *a)
{
	struct str event = STR(""), text = STR("");
	const struct json_member members[] = {
		JSON_STRING("event", &event),
		JSON_STRING("text", &text),
	};
	struct diag silent = { .emit = NULL };
	struct input in;
	struct json j;
	bool ok;

	input_borrow(&in, "osprof watch", line.p, line.n);
	json_start(&j, cursor_on(&in), a, &silent);
	ok = json_members(&j, members, COUNT_OF(members)) && json_end(&j);
	input_release(&in);
	if (!ok)
		return (struct watch_line){ line, SEV_NOTE };
	return (struct watch_line){ text, str_eq(event, STR("alarm")) ? SEV_WARNING : SEV_NOTE };
}

struct watch_line browse_watch_line(struct browse_watch *w)
{
	struct printed *p = &w->printed;
	struct watch_line found = { STR(""), SEV_NOTE };
	struct str line;

	arena_free(p->arena);
	p->arena = arena_new();
	while (found.text.n == 0) {
		line = next_line(p);
		if (line.n == 0)
			read_printed(w);
		if (line.n == 0 && (line = next_line(p)).n == 0)
			break;
		found = event_of(line, p->arena);
	}
	return found;
}

bool browse_watch_ended(const struct browse_watch *w)
{
	return w->ours && w->out < 0;
}
