/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "watch/watcher.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/out.h"
#include "base/xalloc.h"
#include "profile/merge.h"
#include "watch/explain_alarm.h"
#include "watch/parts.h"
#include "watch/reach.h"
#include "watch/recent.h"
#include "watch/report.h"
#include "watch/status.h"

enum {
	TIDY_EVERY = 30, /* intervals */
	MAX_OPEN = 4096, /* intervals at once, where calls count when they began */
};

/* An interval that has not ended. */
struct open_interval {
	long long number; /* its start over its length */
	struct profile *sum;
	uint64_t missing; /* refused lines and gaps while it was open: it may lack them */
	bool arrived;	  /* has calls without a start time, which count when they arrive */
};

struct watcher {
	struct watcher_options options;
	struct reporter reporter;
	struct diag *diag;
	alarm_hook *hook;
	void *ctx;
	struct watch *judge;
	struct recent recent;
	size_t pushed;		    /* intervals that the judge and `recent` had */
	struct profile *sum;	    /* by when calls arrived; NULL: nothing came */
	struct open_interval *open; /* by when they began; ascending */
	size_t n_open, cap_open;
	long long closed; /* intervals up to here are over */
	bool any_closed;
	uint64_t intervals, incomplete, alarms, late, new_load;
	uint64_t missed;  /* lines that were refused and gaps, of all sources, until now */
	uint64_t missing; /* of them, those that no interval has yet */
	double end;	  /* of the last interval */
	bool failed, quiet, kept;
};

struct watcher *watcher_new(const struct watcher_options *options, struct out *out,
			    struct diag *diag, alarm_hook *hook, void *ctx)
{
	struct watcher *w = xcalloc(1, sizeof(*w));

	w->options = *options;
	w->options.rules.interval = options->every;
	w->reporter = (struct reporter){ .out = out,
					 .json = options->json,
					 .markdown = options->markdown };
	w->diag = diag;
	w->hook = hook;
	w->ctx = ctx;
	w->judge = watch_new(&w->options.rules);
	return w;
}

void watcher_free(struct watcher *w)
{
	if (w == NULL)
		return;
	for (size_t i = 0; i < w->n_open; i++)
		profile_free(w->open[i].sum);
	free(w->open);
	profile_free(w->sum);
	recent_release(&w->recent);
	watch_free(w->judge);
	reporter_release(&w->reporter);
	free(w);
}

/* --- judging ------------------------------------------------------------------------------ */

/* Prints an alarm, and tells the hook and the handlers. */
static void report_new_alarm(struct watcher *w, const struct reported_alarm *alarm)
{
	w->alarms++;
	if (w->hook != NULL) {
		struct out *line = out_to_memory();

		alarm_json(line, alarm, w->reporter.sequence);
		w->hook(w->ctx, out_memory(line));
		out_free(line);
	}
	report_alarm(&w->reporter, alarm);
	if (w->options.alarm != NULL)
		w->options.alarm(w->options.each_ctx, alarm->event, alarm->time);
}

static void report_event(struct watcher *w, const struct watch_event *e, double time)
{
	struct reported_alarm reported = { .event = e,
					   .time = time,
					   .watched = (double)w->pushed * w->options.every };
	struct arena *a;

	if (e->what == WATCH_APPEARED) {
		report_appeared(&w->reporter, e, time);
		return;
	}
	if (e->what != WATCH_ALARM && e->what != WATCH_POSSIBLE) {
		report_resolved(&w->reporter, e, time);
		return;
	}
	a = arena_new();
	reported.since = time - (double)(e->since + 1) * w->options.every;
	explain_alarm(a, &reported, &w->recent,
		      w->pushed - 1 - (e->since < w->pushed ? e->since : 0), &w->options.rules);
	if (e->what == WATCH_ALARM)
		report_new_alarm(w, &reported);
	else
		report_alarm(&w->reporter, &reported);
	arena_free(a);
}

/* Judges an interval.  Takes ownership of p, whose operations are in order. */
static void judge_interval(struct watcher *w, struct profile *p, double time, bool complete)
{
	const struct watch_event *event;
	size_t n;

	watch_push(w->judge, p, complete, &event, &n);
	w->new_load += !w->quiet && watch_load_is_new(w->judge);
	recent_push(&w->recent, p);
	w->pushed++;
	for (size_t i = 0; i < n && !w->quiet; i++)
		report_event(w, &event[i], time);
}

/* --- folders -------------------------------------------------------------------------------- */

/* Only intervals of the stated length are judged: the features of coarser ones, and of those that
 * ended late, differ. */
static bool is_of_length(const struct watcher *w, struct span span)
{
	return fabs(span.end - span.start - w->options.every) < 0.001;
}

static struct profile *sorted_interval(const char *path, struct diag *diag)
{
	const struct profile *read = store_read(path, diag);
	struct profile *p = NULL;

	if (read != NULL)
		p = profile_merge(&read, 1, diag);
	profile_free((struct profile *)(uintptr_t)read);
	return p;
}

static bool go_through(struct watcher *w, const char *folder, size_t *ret_n, double *ret_seconds)
{
	struct arena *a = arena_new();
	struct kept_interval *k;
	size_t n;
	bool ok = store_list(folder, a, &k, &n, w->diag);

	*ret_n = 0;
	for (size_t i = 0; ok && i < n; i++) {
		struct profile *p =
			is_of_length(w, k[i].span) ? sorted_interval(k[i].path, w->diag) : NULL;

		if (p == NULL)
			continue;
		judge_interval(w, p, k[i].span.end, profile_lost(p) == 0);
		w->intervals++;
		w->end = k[i].span.end;
		(*ret_n)++;
	}
	*ret_seconds = (double)*ret_n * w->options.every;
	arena_free(a);
	return ok;
}

bool watcher_learn(struct watcher *w, const char *folder, bool frozen)
{
	double seconds;
	size_t n;
	bool ok;

	w->quiet = true;
	ok = go_through(w, folder, &n, &seconds);
	w->quiet = false;
	w->intervals = 0;
	if (ok && frozen && !watch_freeze(w->judge)) {
		diag_plain(w->diag, DIAG_RUNS_TOO_FEW,
			   "%s: %zu intervals of %.10g s; a reference needs 80 in which an "
			   "operation is called often enough",
			   folder, n, w->options.every);
		ok = false;
	}
	return ok;
}

bool watcher_replay(struct watcher *w, const char *folder, size_t *ret_n, double *ret_seconds)
{
	return go_through(w, folder, ret_n, ret_seconds);
}

/* --- the end of an interval ------------------------------------------------------------------ */

static struct profile *empty_interval(void)
{
	struct profile *p = profile_new("watch");

	p->format = "osprof";
	return p;
}

/* States that p was measured during this span, in UTC.  What holds for a whole run only is not
 * stated: its length, and its clients, which the sum of parts that arrived one after another would
 * count several times. */
static void stamp_span(struct profile *p, struct span span)
{
	p->epoch = true;
	p->untimed = false;
	p->elapsed = 0;
	p->concurrency = 0;
	for (size_t i = 0; i < p->n_ops; i++) {
		struct operation *op = &p->op[i];

		op->interval = arena_make(p->arena, struct interval, 1);
		op->interval[0] = (struct interval){ span.start, span.end, op->hist, op->stated };
		op->n_intervals = 1;
	}
}

/* Replaces a file.  A symbolic link in its place is removed, not followed. */
static bool write_text(const char *path, struct str text)
{
	struct out *name = out_to_memory();
	bool ok;
	int fd;

	out_printf(name, "%s.part", path);
	out_char(name, '\0');
	(void)unlink(out_memory(name).p);
	fd = open(out_memory(name).p, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	ok = fd >= 0 && write(fd, text.p, text.n) == (ssize_t)text.n;
	if (fd >= 0 && close(fd) != 0)
		ok = false;
	ok = ok && rename(out_memory(name).p, path) == 0;
	if (!ok && fd >= 0)
		(void)unlink(out_memory(name).p);
	out_free(name);
	return ok;
}

static void write_textfile(struct watcher *w, const struct source_status *source, size_t n)
{
	const struct textfile t = { .intervals = w->intervals,
				    .alarms = w->alarms,
				    .late = w->late,
				    .operations = watch_operations(w->judge),
				    .judged = watch_judged(w->judge),
				    .active = watch_active(w->judge),
				    .judge = w->judge,
				    .end = w->end,
				    .source = source,
				    .n_sources = n };
	struct out *o;

	if (w->options.textfile == NULL)
		return;
	o = out_to_memory();
	textfile_print(o, &t);
	if (!write_text(w->options.textfile, out_memory(o))) {
		diag_plain(w->diag, DIAG_OUTPUT_FAILED, "%s: %s", w->options.textfile,
			   strerror(errno));
		w->failed = true;
	}
	out_free(o);
}

static void fill_reported(struct reported_interval *t, const struct watcher *w,
			  const struct profile *p)
{
	t->operations = p->n_ops;
	t->followed = watch_operations(w->judge);
	t->unit = p->n_ops > 0 ? unit_name(p->unit) : NULL;
	t->contention = p->contention;
	for (size_t i = 0; i < p->n_ops; i++) {
		t->calls += operation_count(&p->op[i]);
		t->total += operation_total(&p->op[i]);
	}
}

/* Repeated errors are suppressed after a while; this message is always printed. */
static bool keep_interval(struct watcher *w, const struct profile *p, struct span span)
{
	const struct source_status keep = { .name = "--keep", .state = SOURCE_OPEN };
	uint64_t before = store_counts(w->options.store).dropped;
	bool kept = store_put(w->options.store, p, span, w->diag);

	w->failed |= !kept;
	if (store_counts(w->options.store).dropped > before)
		report_source(&w->reporter, span.end, &keep,
			      "more than 64 intervals cannot be written: the oldest is dropped");
	return kept;
}

/* Adds the lines and gaps that sources lost since the last call to every open interval, since it is
 * unknown which of them they belong to. */
static void note_losses(struct watcher *w, const struct source_status *source, size_t n)
{
	uint64_t missed = 0;

	for (size_t i = 0; i < n; i++)
		missed += intake_ledger(source[i].intake)->refused +
			  intake_ledger(source[i].intake)->gaps;
	w->missing += missed - w->missed;
	w->missed = missed;
	for (size_t i = 0; i < w->n_open; i++)
		w->open[i].missing += w->missing;
	if (w->n_open > 0)
		w->missing = 0;
}

/* Ends an interval.  Takes ownership of the sum; NULL: no call.  Missing lines are stored as lost
 * events, so that a replay judges the interval in the same way. */
static void end_interval(struct watcher *w, struct profile *sum, struct span span, bool whole,
			 uint64_t missing, const struct source_status *source, size_t n)
{
	struct reported_interval reported = { .span = span,
					      .judged = whole,
					      .why = whole ? NULL : "not a whole interval" };
	struct profile *p = sum != NULL ? sum : empty_interval();

	p->lost += missing;
	reported.complete = profile_lost(p) == 0;
	w->incomplete += !reported.complete;
	stamp_span(p, span);
	fill_reported(&reported, w, p);
	if (w->options.store != NULL) {
		reported.kept = keep_interval(w, p, span);
		if (w->intervals % TIDY_EVERY == TIDY_EVERY - 1)
			store_tidy(w->options.store, span.end, w->diag);
	}
	w->kept = w->options.store == NULL || reported.kept;
	if (w->options.each != NULL)
		w->options.each(w->options.each_ctx, p, span);
	w->intervals++;
	w->end = span.end;
	if (whole) {
		judge_interval(w, p, span.end, reported.complete);
		reported.new_load = watch_load_is_new(w->judge);
	} else {
		profile_free(p);
	}
	reported.judged_operations = watch_judged(w->judge);
	reported.active = watch_active(w->judge);
	reported.possible = watch_possible(w->judge);
	reported.reach = watch_reaches_of(w->judge);
	report_interval(&w->reporter, &reported, source, n);
	write_textfile(w, source, n);
}

/* --- adding up ------------------------------------------------------------------------------- */

/* Adds p to *sum and takes ownership of it.  False: they cannot be merged, and *sum is unchanged.
 */
static bool add_to(struct profile **sum, struct profile *p, struct diag *diag)
{
	const struct profile *both[] = { *sum, p };
	struct profile *r =
		*sum != NULL ? profile_merge(both, 2, diag) : profile_merge(both + 1, 1, diag);

	profile_free(p);
	if (r == NULL)
		return false;
	profile_free(*sum);
	*sum = r;
	return true;
}

static struct open_interval *open_at(struct watcher *w, long long number)
{
	size_t at = w->n_open;

	while (at > 0 && w->open[at - 1].number >= number)
		at--;
	if (at < w->n_open && w->open[at].number == number)
		return &w->open[at];
	w->open = xgrow(w->open, &w->cap_open, w->n_open + 1, sizeof(*w->open));
	memmove(w->open + at + 1, w->open + at, (w->n_open - at) * sizeof(*w->open));
	w->n_open++;
	w->open[at] = (struct open_interval){ .number = number };
	return &w->open[at];
}

/* Adds p to the interval of this number, or to the first open one if that has ended. */
static bool add_to_interval(struct watcher *w, long long number, struct profile *p, bool arrived)
{
	bool late = w->any_closed && number <= w->closed;
	struct open_interval *to = open_at(w, late ? w->closed + 1 : number);

	/* It has calls of an earlier interval. */
	w->late += late;
	to->missing += late;
	to->arrived |= arrived;
	return add_to(&to->sum, p, w->diag);
}

static bool add_by_start(struct watcher *w, struct profile *p)
{
	double start = part_next(p, -HUGE_VAL);
	bool ok = true;

	while (start < HUGE_VAL) {
		long long number = llround(start / w->options.every);
		double next = part_next(p, start);
		struct profile *part = part_of(p, start, next == HUGE_VAL);

		start = next;
		ok &= add_to_interval(w, number, part, false);
	}
	profile_free(p);
	return ok;
}

bool watcher_add(struct watcher *w, struct profile *p)
{
	bool timed = false;

	for (size_t i = 0; i < p->n_ops && !timed; i++)
		timed = p->op[i].n_intervals > 0;
	if (w->options.lateness >= 0 && p->epoch && timed)
		return add_by_start(w, p);
	return add_to(&w->sum, p, w->diag);
}

static void end_first(struct watcher *w, bool whole, const struct source_status *source, size_t n)
{
	struct open_interval first = w->open[0];
	struct span span = { (double)first.number * w->options.every,
			     (double)(first.number + 1) * w->options.every };

	memmove(w->open, w->open + 1, --w->n_open * sizeof(first));
	/* Intervals without calls in between count, too. */
	if (w->any_closed && first.number - w->closed <= MAX_OPEN) {
		while (w->closed + 1 < first.number) {
			struct span gap = { (double)(w->closed + 1) * w->options.every,
					    (double)(w->closed + 2) * w->options.every };

			w->closed++;
			end_interval(w, NULL, gap, true, first.missing, source, n);
		}
	}
	w->closed = first.number;
	w->any_closed = true;
	end_interval(w, first.sum, span, whole, first.missing, source, n);
}

void watcher_place_untimed(struct watcher *w, struct span arrived)
{
	static const double early = 0.002; /* seconds that a timer may fire too early */
	double time = fmax(arrived.start, arrived.end - early);
	struct profile *sum = w->sum;

	w->sum = NULL;
	/* What does not fit has been reported. */
	if (sum != NULL)
		(void)add_to_interval(w, (long long)floor(time / w->options.every), sum, true);
}

void watcher_advance(struct watcher *w, const struct source_status *source, size_t n)
{
	long long last = w->n_open > 0 ? w->open[w->n_open - 1].number : 0;
	long long wait = llround(ceil(fmax(w->options.lateness, 0) / w->options.every));

	note_losses(w, source, n);
	while (w->n_open > 1 && (w->open[0].number + wait < last || w->n_open > MAX_OPEN))
		/* The first interval began before the watch did. */
		end_first(w, w->any_closed || !w->open[0].arrived, source, n);
}

void watcher_end_interval(struct watcher *w, struct span span, bool whole,
			  const struct source_status *source, size_t n)
{
	struct profile *sum = w->sum;
	uint64_t missing;

	note_losses(w, source, n);
	missing = w->missing;
	w->sum = NULL;
	w->missing = 0;
	end_interval(w, sum, span, whole && is_of_length(w, span), missing, source, n);
}

void watcher_end(struct watcher *w, struct span span, const struct source_status *source, size_t n)
{
	if (w->options.lateness >= 0)
		watcher_place_untimed(w, span);
	note_losses(w, source, n);
	while (w->n_open > 0)
		end_first(w, w->n_open > 1, source, n);
	if (w->sum != NULL)
		watcher_end_interval(w, span, false, source, n);
	if (w->options.store != NULL)
		store_tidy(w->options.store, w->end, w->diag);
}

void watcher_finish(struct watcher *w, const struct source_status *source, size_t n,
		    const struct forwarded *forwarded)
{
	struct store_counts keep;

	if (w->options.store != NULL)
		keep = store_counts(w->options.store);
	report_end(&w->reporter,
		   &(struct reported_end){ .time = w->end,
					   .intervals = w->intervals,
					   .alarms = w->alarms,
					   .new_load = w->new_load,
					   .judge = w->judge,
					   .keep = w->options.store != NULL ? &keep : NULL,
					   .forwarded = forwarded },
		   source, n);
}

void watcher_begin(struct watcher *w, const struct source_status *source, size_t n)
{
	const struct reported_start start = { .version = w->options.version,
					      .every = w->options.every,
					      .rules = w->options.rules,
					      .threshold = watch_threshold(w->judge),
					      .reach = watch_reaches_of(w->judge) };

	reach_note(w->diag, &start);
	report_start(&w->reporter, &start, source, n);
}

void watcher_rate(struct watcher *w, const struct reported_rate *r)
{
	report_rate(&w->reporter, r);
}

void watcher_zoom(struct watcher *w, const struct reported_zoom *z)
{
	report_zoom(&w->reporter, z);
}

void watcher_source(struct watcher *w, double time, const struct source_status *source,
		    const char *message)
{
	report_source(&w->reporter, time, source, message);
}

void watcher_status(const struct watcher *w, struct watch_status *ret)
{
	ret->end = w->intervals > 0 ? w->end : NAN;
	ret->intervals = w->intervals;
	ret->incomplete = w->incomplete;
	ret->alarms = w->alarms;
	ret->active = watch_active(w->judge);
	ret->late = w->late;
}

uint64_t watcher_new_load(const struct watcher *w)
{
	return w->new_load;
}

uint64_t watcher_alarms(const struct watcher *w)
{
	return w->alarms;
}

bool watcher_kept(const struct watcher *w)
{
	return w->kept;
}

bool watcher_failed(const struct watcher *w)
{
	return w->failed;
}
