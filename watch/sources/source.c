/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "watch/sources/source.h"

#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/xalloc.h"
#include "watch/status.h"

enum { PIECE = 256 * 1024 };

static const double first_retry = 1, last_retry = 300;
static const double lasted = 10; /* seconds open after which a source is retried quickly again */

/* The last one, a file, has no prefix and takes all other names. */
static const struct source_type *const types[] = { &source_stdin,  &source_unix,   &source_tcp,
						   &source_cmd,	   &source_poll,   &source_pid,
						   &source_region, &source_frames, &source_file };

/* Returns the type of a source by its prefix, and what follows the prefix. */
static const struct source_type *source_type_of(const char *name, const char **ret_rest)
{
	size_t i = strcmp(name, "-") == 0 ? 0 : 1;

	while (strncmp(name, types[i]->prefix, strlen(types[i]->prefix)) != 0)
		i++;
	*ret_rest = name + strlen(types[i]->prefix);
	return types[i];
}

static void take_profile(void *ctx, struct profile *p)
{
	(void)source_profile(ctx, p); /* which says so itself */
}

static void report_message(void *ctx, const char *message)
{
	struct source *s = ctx;

	watcher_source(s->all->watcher, loop_now(), s->status, message);
}

static bool open_one(struct sources *all, size_t i, const char *name,
		     const struct intake_options *options, struct diag *diag)
{
	struct source *s = &all->source[i];
	struct intake_options with = *options;
	const char *rest;

	s->type = source_type_of(name, &rest);
	s->all = all;
	s->status = &all->status[i];
	with.kind = s->type->intake;
	s->intake = intake_new(name, &with, take_profile, report_message, s);
	*s->status = (struct source_status){ .name = name,
					     .state = SOURCE_WAITING,
					     .intake = s->intake };
	s->retry = first_retry;
	s->latest = loop_since();
	return s->type->open(s, rest, diag);
}

bool sources_open(struct sources *all, char *const *names, size_t n,
		  const struct intake_options *options, struct diag *diag)
{
	all->read = &options->read;
	all->source = xcalloc(n, sizeof(*all->source));
	all->status = xcalloc(n, sizeof(*all->status));
	for (size_t i = 0; i < n; i++) {
		all->n = i + 1;
		if (!open_one(all, i, names[i], options, diag))
			return false;
	}
	return true;
}

static void stop_waiting(void *ctx)
{
	struct sources *all = ctx;

	loop_stop(all->loop);
}

void sources_finish(struct sources *all)
{
	struct loop_timer *timer;

	for (size_t i = 0; i < all->n; i++) {
		struct source *s = &all->source[i];

		if (s->type->finish != NULL && s->type->finish(s))
			all->n_finishing++;
	}
	if (all->n_finishing == 0)
		return;
	timer = loop_timer(all->loop, stop_waiting, all);
	loop_timer_set(timer, SOURCES_FINISH);
	loop_run(all->loop);
	loop_timer_free(timer);
}

void source_finished(struct source *s)
{
	if (--s->all->n_finishing == 0)
		loop_stop(s->all->loop);
}

void sources_close(struct sources *all)
{
	for (size_t i = 0; i < all->n; i++) {
		if (all->source[i].own != NULL)
			all->source[i].type->close(&all->source[i]);
		intake_free(all->source[i].intake);
	}
	free(all->source);
	free(all->status);
	all->n = 0;
}

void sources_status(const struct sources *all, struct watch_status *to)
{
	to->sources = all->n;
	for (size_t i = 0; i < all->n; i++) {
		const struct ledger *l = intake_ledger(all->source[i].intake);

		to->lost += l->lost;
		to->refused += l->refused;
		to->gaps += l->gaps;
		to->dropped += l->dropped;
		to->waiting += all->status[i].state == SOURCE_WAITING;
		to->failed += all->status[i].state == SOURCE_FAILED;
	}
}

/* Counts a gap for each interval in which the source was not open. */
static void note_interruption(struct source *s)
{
	if (s->interrupted)
		intake_gap(s->intake);
	if (s->status->state == SOURCE_OPEN || s->status->state == SOURCE_ENDED)
		s->interrupted = false;
}

/* A source that is open has failed while nothing of what it sends can be read. */
static void note_unreadable(struct source *s)
{
	const struct ledger *l = intake_ledger(s->intake);
	bool read = l->read > s->read, refused = l->refused > s->refused;

	if (s->status->state == SOURCE_OPEN && refused && !read) {
		s->unreadable = true;
		source_state(s, SOURCE_FAILED, "nothing that it sent could be read");
	} else if (s->status->state == SOURCE_FAILED && s->unreadable && read) {
		s->unreadable = false;
		source_state(s, SOURCE_OPEN, "can be read again");
	}
	s->read = l->read;
	s->refused = l->refused;
}

void sources_cut(struct sources *all, bool last)
{
	for (size_t i = 0; i < all->n; i++) {
		struct source *s = &all->source[i];

		if (s->type->interval != NULL && (!last || s->type->at_end))
			s->type->interval(s);
		intake_cut(s->intake, last || loop_since() - s->latest >= INTAKE_QUIET);
		if (last)
			intake_finish(s->intake);
		note_unreadable(s);
		note_interruption(s);
	}
}

void sources_kept(struct sources *all)
{
	for (size_t i = 0; i < all->n; i++) {
		struct source *s = &all->source[i];

		if (s->type->kept != NULL)
			s->type->kept(s);
	}
}

void source_bytes(struct source *s, const char *bytes, size_t n)
{
	s->latest = loop_since();
	intake_take(s->intake, bytes, n, s->latest);
	watcher_advance(s->all->watcher, s->all->status, s->all->n);
}

bool source_profile(struct source *s, struct profile *p)
{
	intake_lost(s->intake, profile_lost(p));
	if (watcher_add(s->all->watcher, p))
		return true;
	intake_gap(s->intake);
	source_state(s, s->status->state, "not added up with what other sources gave");
	return false;
}

void source_state(struct source *s, enum source_state state, const char *fmt, ...)
{
	char text[400];
	va_list ap;

	if (state == SOURCE_OPEN)
		s->opened = loop_since();
	s->status->state = state;
	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	watcher_source(s->all->watcher, loop_now(), s->status, text);
}

double source_retry(struct source *s)
{
	double after;

	if (s->opened > 0 && loop_since() - s->opened >= lasted)
		s->retry = first_retry;
	after = s->retry;
	s->retry = fmin(2 * s->retry, last_retry);
	s->interrupted |= s->opened > 0;
	s->opened = 0;
	s->status->restarts++;
	return after;
}

void source_widen(int fd)
{
#ifdef F_SETPIPE_SZ
	int bytes = fcntl(fd, F_GETPIPE_SZ); /* below 0: it is no pipe */

	if (bytes > 0 && bytes < PIECE)
		(void)fcntl(fd, F_SETPIPE_SZ, PIECE);
#else
	(void)fd;
#endif
}

long source_read_fd(struct source *s, int fd)
{
	char *piece = intake_room(s->intake, PIECE);
	long n = read(fd, piece, PIECE);

	if (n > 0)
		source_bytes(s, piece, (size_t)n);
	return n;
}

void source_ended(struct source *s)
{
	if (s->status->state != SOURCE_FAILED)
		s->status->state = SOURCE_ENDED;
	if (++s->all->n_ended == s->all->n)
		loop_stop(s->all->loop);
}
