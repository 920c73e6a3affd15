/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "program/progress.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/escape.h"
#include "base/out.h"
#include "base/platform.h"
#include "base/xalloc.h"
#include "load/reading.h"
#include "program/environment.h"

enum {
	PATIENCE = 1, /* seconds before a line is shown */
	STEP_MS = 200,
	BAR = 20, /* columns */
	USUAL_COLUMNS = 80,
};

struct progress {
	struct reading_observer observer; /* first, so that a pointer to it can be cast */
	pthread_mutex_t lock;
	pthread_cond_t wake;
	pthread_t thread;
	bool on_terminal, has_thread, leaving;
	bool shown;		 /* the line is on the terminal */
	struct reading *reading; /* list in order of their start */
	double busy_since;	 /* start of the time without a pause in reading */
	double idle_since;
};

/* --- as text ---------------------------------------------------------------------------- */

/* The sum of all files being read. */
struct sum {
	size_t n;
	uint64_t taken, size; /* size 0: one of them is not known */
};

static struct sum sum_up(const struct progress *p)
{
	struct sum sum = { 0 };
	bool known = true;

	for (const struct reading *r = p->reading; r != NULL; r = r->next) {
		uint64_t size = atomic_load(&r->watch.size);

		sum.n++;
		sum.taken += atomic_load(&r->watch.taken);
		sum.size += size;
		known &= size > 0;
	}
	sum.size = known ? sum.size : 0;
	return sum;
}

/* At most 100, since a file may grow while it is read. */
static unsigned percent_of(const struct sum *s)
{
	return s->taken < s->size ? (unsigned)(100.0 * (double)s->taken / (double)s->size) : 100;
}

static void write_name(struct out *o, const struct reading *r, size_t n, size_t columns)
{
	const char *slash = strrchr(r->path, '/');
	struct str name = str_from(strcmp(r->path, "-") == 0 ? "standard input" : r->path);

	if (escape_terminal_width(name) > columns && slash != NULL)
		name = str_from(slash + 1);
	if (escape_terminal_width(name) > columns)
		name = STR("a file");
	escape_terminal(o, name);
	if (n > 1)
		out_printf(o, " and %zu more", n - 1);
}

static void write_bytes(struct out *o, double bytes)
{
	static const char *const unit[] = { "B", "kB", "MB", "GB", "TB" };
	size_t i = 0;

	for (; bytes >= 1000 && i + 1 < COUNT_OF(unit); i++)
		bytes /= 1000;
	out_printf(o, i > 0 && bytes < 100 ? "%.1f %s" : "%.0f %s", bytes, unit[i]);
}

static void write_bar(struct out *o, unsigned percent)
{
	size_t done = percent * BAR / 100;

	out_text(o, " [");
	out_repeat(o, '#', done);
	out_repeat(o, '.', BAR - done);
	out_char(o, ']');
}

/* Columns of everything but the name: "reading ", " and 12 more", "100 %" or bytes and their rate.
 */
enum { WORDS = 45 };

static void write_line(const struct progress *p, struct out *o, size_t columns, bool with_bar)
{
	const struct reading *first = p->reading;
	struct sum sum = sum_up(p);

	if (first == NULL)
		return;
	with_bar &= sum.size > 0 && columns >= WORDS + 2 * BAR;
	columns -= with_bar ? BAR : 0;
	write_name(o, first, sum.n, columns > WORDS ? columns - WORDS : 0);
	if (with_bar)
		write_bar(o, percent_of(&sum));
	out_char(o, ' ');
	if (sum.size > 0) {
		out_printf(o, "%3u %%", percent_of(&sum));
	} else {
		write_bytes(o, (double)sum.taken);
		out_text(o, ", ");
		write_bytes(o, (double)sum.taken / (clock_monotonic() - first->since + 1e-9));
		out_text(o, "/s");
	}
}

void progress_write(struct progress *p, struct out *o, size_t columns)
{
	if (p == NULL)
		return;
	(void)pthread_mutex_lock(&p->lock);
	write_line(p, o, columns, false);
	(void)pthread_mutex_unlock(&p->lock);
}

/* --- on the terminal -------------------------------------------------------------------- */

/* Writes directly, not through stderr, which another thread may be using. */
static void put_text(struct str text)
{
	if (write(STDERR_FILENO, text.p, text.n) < 0) {
		/* Ignored: the line is not essential. */
	}
}

static void show_line(struct progress *p)
{
	struct out *o = out_to_memory();
	unsigned width = platform_columns(STDERR_FILENO);

	out_text(o, "\rreading ");
	write_line(p, o, (width > 0 ? width : USUAL_COLUMNS) - 1, true);
	out_text(o, "\033[K");
	put_text(out_memory(o));
	out_free(o);
	p->shown = true;
}

static void hide_line(struct progress *p)
{
	if (p->shown)
		put_text(STR("\r\033[K"));
	p->shown = false;
}

static void wait_a_step(struct progress *p)
{
	struct timespec until;

	(void)clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_nsec += STEP_MS * 1000000;
	if (until.tv_nsec >= 1000000000) {
		until.tv_nsec -= 1000000000;
		until.tv_sec++;
	}
	(void)pthread_cond_timedwait(&p->wake, &p->lock, &until);
}

static void *show_steps(void *arg)
{
	struct progress *p = arg;

	(void)pthread_mutex_lock(&p->lock);
	while (!p->leaving) {
		if (p->reading == NULL)
			(void)pthread_cond_wait(&p->wake, &p->lock);
		else
			wait_a_step(p);
		if (p->reading != NULL && clock_monotonic() - p->busy_since > PATIENCE)
			show_line(p);
	}
	(void)pthread_mutex_unlock(&p->lock);
	return NULL;
}

/* --- files being read ------------------------------------------------------------------- */

static void begin(struct reading_observer *o, struct reading *r, const char *path)
{
	struct progress *p = (struct progress *)o;
	struct reading **last;

	(void)path;
	r->since = clock_monotonic();
	(void)pthread_mutex_lock(&p->lock);
	/* Many small files in a row count as one long read. */
	if (p->reading == NULL && r->since - p->idle_since > STEP_MS / 1000.0)
		p->busy_since = r->since;
	for (last = &p->reading; *last != NULL;)
		last = &(*last)->next;
	*last = r;
	if (p->on_terminal && !p->has_thread)
		p->has_thread = pthread_create(&p->thread, NULL, show_steps, p) == 0;
	(void)pthread_cond_signal(&p->wake);
	(void)pthread_mutex_unlock(&p->lock);
}

static void end(struct reading_observer *o, struct reading *r)
{
	struct progress *p = (struct progress *)o;
	struct reading **at;

	(void)pthread_mutex_lock(&p->lock);
	for (at = &p->reading; *at != r;)
		at = &(*at)->next;
	*at = r->next;
	if (p->reading == NULL) {
		p->idle_since = clock_monotonic();
		hide_line(p);
	}
	(void)pthread_mutex_unlock(&p->lock);
}

struct progress *progress_new(bool on_terminal)
{
	struct progress *p = xcalloc(1, sizeof(*p));
	pthread_condattr_t monotonic;

	p->observer = (struct reading_observer){ .begin = begin, .end = end };
	p->on_terminal = on_terminal;
	(void)pthread_mutex_init(&p->lock, NULL);
	(void)pthread_condattr_init(&monotonic);
	(void)pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	(void)pthread_cond_init(&p->wake, &monotonic);
	(void)pthread_condattr_destroy(&monotonic);
	return p;
}

void progress_free(struct progress *p)
{
	if (p == NULL)
		return;
	(void)pthread_mutex_lock(&p->lock);
	p->leaving = true;
	(void)pthread_cond_signal(&p->wake);
	(void)pthread_mutex_unlock(&p->lock);
	if (p->has_thread)
		(void)pthread_join(p->thread, NULL);
	hide_line(p);
	(void)pthread_cond_destroy(&p->wake);
	(void)pthread_mutex_destroy(&p->lock);
	free(p);
}

struct reading_observer *progress_observer(struct progress *p)
{
	return p != NULL ? &p->observer : NULL;
}

void progress_cancel(struct progress *p)
{
	if (p != NULL)
		atomic_store(&p->observer.cancelled, true);
}

void progress_pause(struct progress *p)
{
	if (p == NULL)
		return;
	(void)pthread_mutex_lock(&p->lock);
	hide_line(p);
}

void progress_go_on(struct progress *p)
{
	if (p != NULL)
		(void)pthread_mutex_unlock(&p->lock);
}
