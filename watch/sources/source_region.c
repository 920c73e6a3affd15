/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pid:N and region:FILE: reads the counters of a program in place at the end of each interval.
 *
 * Calls from before the watch are in no interval.  pid: ends with the process; region: waits for
 * the next program that begins a profile in the file.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/diag.h"
#include "base/out.h"
#include "base/scan.h"
#include "base/xalloc.h"
#include "profile/merge.h"
#include "region/region.h"
#include "watch/contention_reader.h"
#include "watch/difference.h"
#include "watch/sources/source.h"

struct counters {
	struct source *source;
	struct region_source region;
	dev_t device; /* of the file, to detect that another one got its name */
	ino_t inode;
	bool open, tried, over;
	struct profile *before; /* the counts at the last reading; NULL: none */
	struct loop_timer *timer;
	struct contention_reader *contention; /* NULL: the process is unknown (region:) */
	struct out *why;		      /* the first error of the last operation */
};

static void keep_error(void *ctx, const struct diag_msg *msg)
{
	struct counters *c = ctx;

	if (msg->severity == SEV_ERROR && c->why->n == 0)
		out_printf(c->why, "%s", msg->detail != NULL ? msg->detail : diag_text(msg->code));
}

static struct diag listen_errors(struct counters *c)
{
	out_reset(c->why);
	return (struct diag){ .emit = keep_error, .ctx = c };
}

static void close_region(struct counters *c)
{
	if (c->open)
		region_close(&c->region);
	c->open = false;
	profile_free(c->before);
	c->before = NULL;
}

static void wait_for_region(struct counters *c)
{
	double after;

	close_region(c);
	after = source_retry(c->source);
	source_state(c->source, SOURCE_WAITING, "%.*s; tried again in %.0f s",
		     STR_ARG(out_memory(c->why)), after);
	loop_timer_set(c->timer, after);
}

/* Reads all counts, in order; NULL: they cannot be read. */
static struct profile *counted_calls(struct counters *c, struct diag *diag)
{
	const struct profile *all = region_profile(&c->region, c->source->all->read, diag);
	struct profile *p = all != NULL ? profile_merge(&all, 1, diag) : NULL;

	profile_free((struct profile *)(uintptr_t)all);
	return p;
}

/* Reads the first counts.  A program that has counted nothing has no readable profile yet. */
static bool take_baseline(struct counters *c, struct diag *diag)
{
	c->before = counted_calls(c, diag);
	if (c->before == NULL)
		out_reset(c->why);
	return true;
}

static void try_region(void *ctx)
{
	struct counters *c = ctx;
	struct diag diag = listen_errors(c);
	bool first = !c->tried;
	struct stat st = { .st_ino = 0 };

	c->tried = true;
	if (!region_open(&c->region, c->source->status->name, &diag)) {
		wait_for_region(c);
		return;
	}
	c->open = true;
	if (stat(c->region.path, &st) == 0) {
		c->device = st.st_dev;
		c->inode = st.st_ino;
	}
	if (first && !take_baseline(c, &diag))
		return;
	source_state(c->source, SOURCE_OPEN, "counters are read in place");
}

/* Removes operations without calls. */
static void leave_idle_out(struct profile *p)
{
	size_t n = 0;

	for (size_t i = 0; i < p->n_ops; i++) {
		if (operation_count(&p->op[i]) > 0)
			p->op[n++] = p->op[i];
	}
	p->n_ops = n;
}

static void add_contention(struct counters *c, struct profile *to)
{
	if (c->contention != NULL && !contention_reader_read(c->contention, &to->contention))
		to->contention = (struct contention){ .capacity = 0 };
}

/* Adds what was counted since the last reading to the interval. */
static bool hand_over(struct counters *c)
{
	struct diag diag = listen_errors(c);
	struct profile *now, *added;
	size_t resets = 0;

	if (!region_read_again(&c->region, &diag))
		return false;
	now = counted_calls(c, &diag);
	if (now == NULL) /* nothing was counted yet */
		return true;
	added = profile_merge((const struct profile *const *)&now, 1, &diag);
	if (added != NULL && c->before != NULL && !c->region.reset)
		resets = difference_subtract(added, c->before);
	if (resets > 0 || c->region.reset) {
		intake_gap(c->source->intake);
		source_state(c->source, SOURCE_OPEN,
			     "counters were reset: their current values count as new");
	}
	profile_free(c->before);
	c->before = now;
	if (added == NULL)
		return true;
	leave_idle_out(added);
	add_contention(c, added);
	if (added->n_ops > 0)
		(void)source_profile(c->source, added); /* which says so itself */
	else
		profile_free(added);
	return true;
}

/* Whether another file has the name now. */
static bool is_replaced(const struct counters *c)
{
	struct stat st;

	return strncmp(c->source->status->name, "region:", 7) == 0 &&
	       stat(c->region.path, &st) == 0 && (st.st_dev != c->device || st.st_ino != c->inode);
}

static void follow_state(struct counters *c)
{
	bool was_over = c->over;

	c->over = c->region.ended || c->region.abandoned;
	if (!c->over || was_over)
		return;
	if (c->source->type == &source_pid) {
		source_state(c->source, SOURCE_ENDED, "the program has ended");
		close_region(c);
		source_ended(c->source);
	} else {
		source_state(c->source, SOURCE_WAITING,
			     "the program has ended; the next is waited for");
	}
}

static void read_counters(struct source *s)
{
	struct counters *c = s->own;
	bool replaced;

	if (!c->open)
		return;
	replaced = is_replaced(c);
	if (!hand_over(c)) {
		c->over = false;
		wait_for_region(c);
		return;
	}
	follow_state(c);
	if (replaced) {
		close_region(c);
		c->over = false;
		try_region(c);
	}
}

static bool open_region(struct source *s, const char *rest, struct diag *diag)
{
	struct counters *c;
	uint64_t number = 0;

	if (s->type == &source_pid &&
	    (number_u64(str_from(rest), &number) != NUMBER_OK || number == 0)) {
		diag_plain(diag, DIAG_USAGE, "pid:%s: expected the number of a process", rest);
		return false;
	}
	if (*rest == '\0') {
		diag_plain(diag, DIAG_USAGE, "region: expected a file after it");
		return false;
	}
	if (s->all->by_start) {
		diag_plain(diag, DIAG_USAGE,
			   "%s: counters have no start times; leave --lateness out",
			   s->status->name);
		return false;
	}
	c = xcalloc(1, sizeof(*c));
	c->source = s;
	if (s->type == &source_pid)
		c->contention = contention_reader_new("/proc", number);
	c->why = out_to_memory();
	c->timer = loop_timer(s->all->loop, try_region, c);
	s->own = c;
	loop_timer_set(c->timer, 0);
	return true;
}

static void close_counters(struct source *s)
{
	struct counters *c = s->own;

	close_region(c);
	loop_timer_free(c->timer);
	contention_reader_free(c->contention);
	out_free(c->why);
	free(c);
}

static const struct region_source *counters_of(const struct source *s)
{
	const struct counters *c = s->own;

	return c->open ? &c->region : NULL;
}

const struct source_type source_pid = {
	.prefix = "pid:",
	.title = "counters of a process that is recorded or profiles itself",
	.at_end = true,
	.counters = counters_of,
	.open = open_region,
	.interval = read_counters,
	.close = close_counters,
};

const struct source_type source_region = {
	.prefix = "region:",
	.title = "counters in a file of osprof(3)",
	.at_end = true,
	.counters = counters_of,
	.open = open_region,
	.interval = read_counters,
	.close = close_counters,
};
