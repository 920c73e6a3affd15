/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "watch/zoom.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/escape.h"
#include "base/out.h"
#include "base/outfile.h"
#include "base/xalloc.h"
#include "profile/accumulator/accumulator.h"
#include "record/call_log.h"
#include "region/calls.h"
#include "region/region.h"
#include "watch/report.h"

enum {
	MAX_AT_ONCE = 8,       /* operations */
	MAX_RECORDS = 1 << 18, /* per alarm and source; the recorder's own limit */
	MAX_ROWS_BYTES = 64 << 20,
	FILE_NAME = 64,
	ALL_CALLS = -1,
	NO_CALL = -2,
};

static const double look_every = 0.25;			  /* seconds */
static const struct str functions = STR_INIT("function"); /* the layer of record --functions */

/* The records of one source for one alarm. */
struct part {
	struct source *source;
	bool wanted, said;
	struct call_log *log; /* of osprof record; NULL: a source of lines */
	struct outfile file;  /* of a source of lines */
	bool open;
	struct out *staged; /* rows of a segment that may be read again */
	uint64_t n_staged, calls, missing, bytes;
};

/* An alarm whose records are being written. */
struct zoomed {
	uint64_t alarm;
	struct str layer, name; /* own copies; both empty: all operations */
	double start, until;	/* since 1970, and by loop_since() */
	int op;			/* of the C library, ALL_CALLS, NO_CALL */
	struct part *part;	/* one for each source */
};

/* Receives the samples of a source. */
struct listener {
	struct sample_tap samples; /* first */
	struct intake_tap tap;
	struct zoom *zoom;
	size_t source;
	double time; /* of the current reading, in seconds since 1970 */
};

struct zoom {
	struct zoom_options options;
	struct sources *all;
	struct diag *diag;
	struct loop_timer *timer;
	struct zoomed at[MAX_AT_ONCE];
	size_t n;
	struct listener *listener; /* one for each source */
	char *folder;
	bool failed;
};

/* --- reporting ---------------------------------------------------------------------------- */

static void say_zoom(struct zoom *z, const struct zoomed *a, struct part *p, const char *path,
		     const char *message)
{
	const struct reported_zoom reported = { .alarm = a->alarm,
						.layer = a->layer,
						.name = a->name,
						.source = p->source->status->name,
						.start = a->start,
						.end = loop_now(),
						.calls = p->calls,
						.missing = p->missing,
						.path = path,
						.message = message };

	p->said = true;
	watcher_zoom(z->all->watcher, &reported);
}

/* Keeps the detail of the first error. */
static void keep_error(void *ctx, const struct diag_msg *msg)
{
	struct out *o = ctx;

	if (msg->severity == SEV_ERROR && o->n == 0)
		out_text(o, msg->detail != NULL ? msg->detail : diag_text(msg->code));
}

/* --- files -------------------------------------------------------------------------------- */

static char *path_of(const struct zoom *z, const struct zoomed *a, const struct part *p,
		     const char *suffix)
{
	size_t room = strlen(z->folder) + FILE_NAME;
	char *path = xcalloc(room, 1), second[32];
	time_t seconds = (time_t)floor(a->start);
	struct tm tm;

	(void)gmtime_r(&seconds, &tm);
	(void)strftime(second, sizeof(second), "%Y%m%dT%H%M%SZ", &tm);
	(void)snprintf(path, room, "%s/%s-alarm%llu-source%zu%s", z->folder, second,
		       (unsigned long long)a->alarm, (size_t)(p->source - z->all->source) + 1,
		       suffix);
	return path;
}

struct zoom_file {
	char *path;
	double bytes;
};

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct zoom_file *)a)->path, ((const struct zoom_file *)b)->path);
}

/* Removes the oldest files; their names begin with the time. */
static void remove_oldest(struct zoom *z)
{
	struct zoom_file *file = NULL;
	size_t n = 0, cap = 0;
	double bytes = 0;
	DIR *d = opendir(z->folder);
	struct dirent *e;

	while (d != NULL && (e = readdir(d)) != NULL) {
		size_t room = strlen(z->folder) + strlen(e->d_name) + 2;
		struct stat st;
		char *path;

		if (e->d_name[0] == '.')
			continue;
		path = xcalloc(room, 1);
		(void)snprintf(path, room, "%s/%s", z->folder, e->d_name);
		if (lstat(path, &st) != 0 || !S_ISREG(st.st_mode)) {
			free(path);
			continue;
		}
		file = xgrow(file, &cap, n + 1, sizeof(*file));
		file[n++] = (struct zoom_file){ path, (double)st.st_size };
		bytes += (double)st.st_size;
	}
	if (d != NULL)
		(void)closedir(d);
	if (n > 0)
		qsort(file, n, sizeof(*file), by_name);
	for (size_t i = 0; i < n; i++) {
		if (bytes > z->options.max_bytes && i + 1 < n && unlink(file[i].path) == 0)
			bytes -= file[i].bytes;
		free(file[i].path);
	}
	free(file);
}

/* --- lines -------------------------------------------------------------------------------- */

static bool is_meant(const struct zoomed *a, struct str layer, struct str name)
{
	return (a->name.n == 0 && a->layer.n == 0) ||
	       (str_eq(a->name, name) && str_eq(a->layer, layer));
}

/* Returns the start of a call if starts are times since 1970, else its arrival. */
static double time_of(const struct listener *l, const struct sample *s,
		      const struct accumulator_options *how)
{
	if (how->interval > 0 && how->utc && how->start_rate > 0)
		return decimal_f64(s->start) / how->start_rate;
	return l->time;
}

static void write_row(struct out *o, double time, const struct sample *s)
{
	out_decimals(o, time, 6);
	out_char(o, ',');
	escape_csv(o, s->layer);
	out_char(o, ',');
	escape_csv(o, s->name);
	out_char(o, ',');
	decimal_print(o, s->latency);
	out_char(o, '\n');
}

/* Opens the table at the first sample, whose unit the header states. */
static bool open_rows(struct zoom *z, const struct zoomed *a, struct part *p,
		      const struct accumulator_options *how)
{
	enum unit stated = z->all->read->build.unit;
	enum unit of = how->unit != UNIT_UNKNOWN ? how->unit : stated;
	const char *unit = unit_is_time(of) || of == UNIT_CYCLES ? unit_name(of) : NULL;
	char *path = path_of(z, a, p, ".csv");

	p->open = outfile_make_folder(z->folder, z->diag) &&
		  outfile_open(&p->file, path, true, NULL, z->diag);
	free(path);
	if (p->open)
		out_printf(p->file.out, "start_s,layer,operation,latency%s%s\n",
			   unit != NULL ? "_" : "", unit != NULL ? unit : "");
	z->failed |= !p->open;
	return p->open;
}

static void take_sample(struct sample_tap *tap, const struct sample *s,
			const struct accumulator_options *how)
{
	struct listener *l = (struct listener *)tap;
	struct zoom *z = l->zoom;

	for (size_t i = 0; i < z->n; i++) {
		struct zoomed *a = &z->at[i];
		struct part *p = &a->part[l->source];

		if (!p->wanted || !is_meant(a, s->layer, s->name))
			continue;
		if (!p->open && !open_rows(z, a, p, how)) {
			p->wanted = false;
			say_zoom(z, a, p, NULL, "its file cannot be written");
			continue;
		}
		p->n_staged++;
		if (p->bytes + p->staged->n < MAX_ROWS_BYTES)
			write_row(p->staged, time_of(l, s, how), s);
		else
			p->missing++;
	}
}

static void forget_staged(void *ctx)
{
	struct listener *l = ctx;

	l->time = loop_now();
	for (size_t i = 0; i < l->zoom->n; i++) {
		struct part *p = &l->zoom->at[i].part[l->source];

		if (p->staged != NULL)
			out_reset(p->staged);
		p->n_staged = 0;
	}
}

static void keep_staged(void *ctx)
{
	struct listener *l = ctx;

	for (size_t i = 0; i < l->zoom->n; i++) {
		struct part *p = &l->zoom->at[i].part[l->source];

		if (p->n_staged == 0)
			continue;
		out_bytes(p->file.out, out_memory(p->staged));
		p->bytes += out_memory(p->staged).n;
		p->calls += p->n_staged;
		p->n_staged = 0;
		out_reset(p->staged);
	}
}

static void finish_rows(struct zoom *z, const struct zoomed *a, struct part *p)
{
	char *path;

	if (!p->open) {
		say_zoom(z, a, p, NULL, "its format has no per-call records, or none came");
		return;
	}
	path = path_of(z, a, p, ".csv");
	p->calls -= p->missing;
	if (outfile_commit(&p->file, z->diag)) {
		say_zoom(z, a, p, path, NULL);
	} else {
		z->failed = true;
		say_zoom(z, a, p, NULL, "its file cannot be written");
	}
	p->open = false;
	free(path);
}

/* --- recorders ------------------------------------------------------------------------------ */

static int call_number(struct str layer, struct str name)
{
	int op;

	if (name.n == 0 && layer.n == 0)
		return ALL_CALLS;
	op = str_eq(layer, functions) ? NO_CALL : recorded_call_number(name);
	return op >= 0 ? op : NO_CALL;
}

static void ask_recorder(struct zoom *z, const struct zoomed *a, struct part *p)
{
	const struct region_source *r = p->source->type->counters(p->source);
	struct out *why = out_to_memory();
	struct diag diag = { .emit = keep_error, .ctx = why };
	struct region_clock clock;
	struct ring ring;

	if (a->op == NO_CALL) {
		say_zoom(z, a, p, NULL, "only calls of the C library leave per-call records");
	} else if (r == NULL) {
		say_zoom(z, a, p, NULL, "there is no program whose counters are read");
	} else if (!region_calls_open(&ring, &clock, r, &diag)) {
		out_char(why, '\0');
		say_zoom(z, a, p, NULL, out_memory(why).p);
	} else {
		region_calls_want(&ring, a->op, z->options.seconds);
		p->log = call_log_begin(&ring, clock.hz, clock.subtracted);
		p->wanted = true;
	}
	out_free(why);
}

static void write_log(struct zoom *z, const struct zoomed *a, struct part *p)
{
	char source[] = "osprof watch --zoom", *name = (char *)(uintptr_t)p->source->status->name;
	char *const argv[] = { source, name, NULL };
	char *path = path_of(z, a, p, ".calls.csv");
	struct outfile file;
	bool ok = outfile_make_folder(z->folder, z->diag) &&
		  outfile_open(&file, path, true, NULL, z->diag);

	call_log_gather(p->log, a->op, MAX_RECORDS, true);
	p->calls = p->log->n;
	p->missing = p->log->lost;
	if (ok)
		call_log_write(p->log, argv, file.out);
	ok = ok && outfile_commit(&file, z->diag);
	z->failed |= !ok;
	say_zoom(z, a, p, ok ? path : NULL, ok ? NULL : "its file cannot be written");
	call_log_free(p->log);
	p->log = NULL;
	free(path);
}

/* --- alarms ------------------------------------------------------------------------------------
 */

static void listen_sources(struct zoom *z)
{
	for (size_t i = 0; i < z->all->n; i++) {
		bool wanted = false;

		for (size_t k = 0; k < z->n; k++)
			wanted |= z->at[k].part[i].wanted && z->at[k].part[i].log == NULL;
		intake_tap(z->all->source[i].intake, wanted ? &z->listener[i].tap : NULL);
	}
}

static struct str copy_of(struct str s)
{
	char *p = xcalloc(s.n + 1, 1);

	memcpy(p, s.n > 0 ? s.p : "", s.n);
	return (struct str){ p, s.n };
}

static void begin_part(struct zoom *z, const struct zoomed *a, struct part *p)
{
	const struct source_type *type = p->source->type;

	if (type->no_records != NULL) {
		say_zoom(z, a, p, NULL, type->no_records);
	} else if (type->counters != NULL) {
		ask_recorder(z, a, p);
	} else {
		p->wanted = true;
		p->staged = out_to_memory();
	}
}

static void say_too_many(struct zoom *z, const struct watch_event *e)
{
	const struct zoomed a = {
		.alarm = e->id, .layer = e->layer, .name = e->name, .start = loop_now()
	};
	struct part p = { .source = &z->all->source[0] };

	say_zoom(z, &a, &p, NULL, "eight operations are being recorded already");
}

void zoom_alarm(struct zoom *z, const struct watch_event *e)
{
	struct zoomed *a = &z->at[z->n];

	for (size_t i = 0; i < z->n; i++) {
		if (is_meant(&z->at[i], e->layer, e->name))
			return;
	}
	if (z->n == MAX_AT_ONCE) {
		say_too_many(z, e);
		return;
	}
	*a = (struct zoomed){ .alarm = e->id,
			      .layer = copy_of(e->common ? STR("") : e->layer),
			      .name = copy_of(e->common ? STR("") : e->name),
			      .start = loop_now(),
			      .until = loop_since() + z->options.seconds };
	a->op = call_number(a->layer, a->name);
	a->part = xcalloc(z->all->n, sizeof(*a->part));
	z->n++;
	for (size_t i = 0; i < z->all->n; i++) {
		a->part[i].source = &z->all->source[i];
		begin_part(z, a, &a->part[i]);
	}
	listen_sources(z);
	loop_timer_set(z->timer, look_every);
}

static void release_zoomed(struct zoomed *a, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (a->part[i].open)
			outfile_discard(&a->part[i].file);
		call_log_free(a->part[i].log);
		out_free(a->part[i].staged);
	}
	free(a->part);
	free((char *)(uintptr_t)a->layer.p);
	free((char *)(uintptr_t)a->name.p);
}

static void end_first(struct zoom *z)
{
	struct zoomed a = z->at[0];

	for (size_t i = 0; i < z->all->n; i++) {
		struct part *p = &a.part[i];

		if (p->log != NULL)
			write_log(z, &a, p);
		else if (!p->said)
			finish_rows(z, &a, p);
	}
	memmove(z->at, z->at + 1, --z->n * sizeof(*z->at));
	listen_sources(z);
	release_zoomed(&a, z->all->n);
	remove_oldest(z);
}

static void look_at_parts(void *ctx)
{
	struct zoom *z = ctx;

	for (size_t i = 0; i < z->n; i++) {
		for (size_t k = 0; k < z->all->n; k++) {
			struct part *p = &z->at[i].part[k];

			if (p->log != NULL)
				call_log_gather(p->log, z->at[i].op, MAX_RECORDS, false);
		}
	}
	while (z->n > 0 && loop_since() >= z->at[0].until)
		end_first(z);
	if (z->n > 0)
		loop_timer_set(z->timer, look_every);
}

void zoom_end(struct zoom *z)
{
	while (z->n > 0)
		end_first(z);
}

bool zoom_failed(const struct zoom *z)
{
	return z->failed;
}

struct zoom *zoom_new(const struct zoom_options *options, struct sources *all, struct diag *diag)
{
	static const char below[] = "/zoom";
	struct zoom *z = xcalloc(1, sizeof(*z));
	size_t n = strlen(options->keep);

	z->options = *options;
	z->all = all;
	z->diag = diag;
	z->timer = loop_timer(all->loop, look_at_parts, z);
	z->folder = xcalloc(n + sizeof(below), 1);
	memcpy(z->folder, options->keep, n);
	memcpy(z->folder + n, below, sizeof(below));
	z->listener = xcalloc(all->n, sizeof(*z->listener));
	for (size_t i = 0; i < all->n; i++) {
		struct listener *l = &z->listener[i];

		*l = (struct listener){ .samples = { take_sample },
					.tap = { &l->samples, forget_staged, keep_staged, l },
					.zoom = z,
					.source = i };
	}
	return z;
}

void zoom_free(struct zoom *z)
{
	if (z == NULL)
		return;
	for (size_t i = 0; i < z->n; i++)
		release_zoomed(&z->at[i], z->all->n);
	loop_timer_free(z->timer);
	free(z->listener);
	free(z->folder);
	free(z);
}
