/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cmd:COMMAND runs a collector, and restarts it when it ends.  poll:COMMAND runs a command at the
 * end of each interval, which prints a document.  The shell runs both: they are the user's own.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/xalloc.h"
#include "watch/sources/source.h"

struct running {
	struct source *source;
	const char *command;
	struct loop_child *child; /* NULL: it does not run */
	struct loop_timer *timer; /* until the next start */
	bool document, finishing;
};

static void take_bytes(void *ctx, const char *bytes, size_t n)
{
	struct running *r = ctx;

	source_bytes(r->source, bytes, n);
}

static void describe_status(int64_t status, char text[64])
{
	static const char by_signal[] = "ended by signal ", by_status[] = "exited with status ";
	int number = (int)(status < 0 ? -status : status);
	char digits[12];
	size_t n = sizeof(digits);

	digits[--n] = '\0';
	do {
		digits[--n] = (char)('0' + number % 10);
		number /= 10;
	} while (number > 0);
	(void)strcpy(text, status < 0 ? by_signal : by_status);
	(void)strcat(text, digits + n);
}

static void ended(void *ctx, int64_t status)
{
	struct running *r = ctx;
	char text[64];

	r->child = NULL;
	describe_status(status, text);
	if (status == 0) {
		intake_end(r->source->intake);
	} else {
		intake_break(r->source->intake);
	}
	if (r->document && status != 0) {
		intake_gap(r->source->intake);
		source_state(r->source, SOURCE_FAILED, "%s", text);
	}
	if (r->document) {
		if (!r->source->unreadable)
			r->source->status->state = status == 0 ? SOURCE_OPEN : SOURCE_FAILED;
	} else if (r->finishing) {
		if (!r->source->unreadable)
			r->source->status->state = SOURCE_ENDED;
		source_finished(r->source);
	} else {
		double after = source_retry(r->source);

		source_state(r->source, SOURCE_WAITING, "%s; run again in %.0f s", text, after);
		loop_timer_set(r->timer, after);
	}
}

static void run_command(void *ctx)
{
	static const struct child_calls calls = { .bytes = take_bytes, .ended = ended };
	struct running *r = ctx;
	const char *const argv[] = { "/bin/sh", "-c", r->command, NULL };

	r->child = loop_child(r->source->all->loop, argv, STR(""), &calls, r);
	if (r->child == NULL) {
		source_state(r->source, SOURCE_FAILED, "%s", strerror(errno));
		if (!r->document)
			loop_timer_set(r->timer, source_retry(r->source));
	} else if (!r->document) {
		source_state(r->source, SOURCE_OPEN, "running");
	}
}

static void next_document(struct source *s)
{
	struct running *r = s->own;

	if (r->child != NULL) {
		source_state(s, SOURCE_FAILED, "did not end within an interval, and was ended");
		/* Otherwise commands that hang would accumulate, one an interval. */
		loop_child_kill(r->child, SIGKILL);
		loop_child_free(r->child);
		intake_gap(s->intake);
		intake_break(s->intake);
	}
	run_command(r);
}

static bool open_running(struct source *s, const char *rest, bool document, struct diag *diag)
{
	struct running *r;

	if (*rest == '\0') {
		diag_plain(diag, DIAG_USAGE, "%s: expected a command after it", s->type->prefix);
		return false;
	}
	r = xcalloc(1, sizeof(*r));
	r->source = s;
	r->command = rest;
	r->document = document;
	r->timer = loop_timer(s->all->loop, run_command, r);
	s->own = r;
	loop_timer_set(r->timer, 0);
	return true;
}

static bool open_cmd(struct source *s, const char *rest, struct diag *diag)
{
	return open_running(s, rest, false, diag);
}

static bool open_poll(struct source *s, const char *rest, struct diag *diag)
{
	return open_running(s, rest, true, diag);
}

/* Many collectors print their histograms when they are terminated, so that output is read. */
static bool finish_command(struct source *s)
{
	struct running *r = s->own;

	loop_timer_free(r->timer); /* it is not run again */
	r->timer = NULL;
	r->finishing = r->child != NULL;
	if (r->finishing)
		loop_child_kill(r->child, SIGTERM);
	return r->finishing;
}

static void close_running(struct source *s)
{
	struct running *r = s->own;

	if (r->finishing && r->child != NULL) /* it had its time */
		loop_child_kill(r->child, SIGKILL);
	loop_child_free(r->child);
	loop_timer_free(r->timer);
	free(r);
}

const struct source_type source_cmd = {
	.prefix = "cmd:",
	.title = "what a command prints; it is run again when it ends",
	.open = open_cmd,
	.finish = finish_command,
	.close = close_running,
};

const struct source_type source_poll = {
	.prefix = "poll:",
	.title = "a document that a command prints, each interval",
	.intake = INTAKE_DOCUMENT,
	.no_records = "documents are sums, and no per-call records",
	.open = open_poll,
	.interval = next_document,
	.close = close_running,
};
