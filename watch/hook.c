/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "watch/hook.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

enum { HOUR = 3600 };

struct hook {
	struct loop *loop;
	void (*report)(void *ctx, const char *message);
	void *ctx;
	char *words;
	const char **argv;
	struct loop_child *child;   /* one at a time */
	struct loop_timer *timer;   /* until it is killed */
	double ran[HOOK_EACH_HOUR]; /* start times, a ring */
	size_t n;
	bool silenced, killed;
};

static void took_too_long(void *ctx)
{
	struct hook *h = ctx;

	if (h->child == NULL)
		return;
	h->killed = true;
	loop_child_kill(h->child, SIGKILL);
	h->report(h->ctx, "the command of --on-alarm took longer than 10 s, and was ended");
}

static void ended(void *ctx, int64_t status)
{
	struct hook *h = ctx;

	h->child = NULL;
	if (status != 0 && !h->killed)
		h->report(h->ctx, "the command of --on-alarm failed");
}

struct hook *hook_new(struct loop *l, const char *command,
		      void (*report)(void *ctx, const char *message), void *ctx)
{
	struct hook *h = xcalloc(1, sizeof(*h));
	size_t cap = 0, n = 0;
	char *rest = NULL;

	h->loop = l;
	h->report = report;
	h->ctx = ctx;
	h->words = xstrdup(command);
	h->timer = loop_timer(l, took_too_long, h);
	for (char *at = h->words; *at != '\0';) {
		at += strspn(at, " \t");
		if (*at == '\0')
			break;
		h->argv = xgrow(h->argv, &cap, n + 2, sizeof(*h->argv));
		h->argv[n++] = at;
		h->argv[n] = NULL;
		rest = at + strcspn(at, " \t");
		at = *rest == '\0' ? rest : rest + 1;
		*rest = '\0';
	}
	if (n > 0)
		return h;
	hook_free(h);
	return NULL;
}

void hook_free(struct hook *h)
{
	if (h == NULL)
		return;
	loop_child_free(h->child);
	loop_timer_free(h->timer);
	free(h->words);
	free(h->argv);
	free(h);
}

void hook_finish(struct hook *h)
{
	struct loop_child *child = h->child;
	int64_t status;
	double left;

	if (child == NULL)
		return;
	left = HOOK_SECONDS - (loop_since() - h->ran[(h->n - 1) % HOOK_EACH_HOUR]);
	if (loop_child_wait(child, left, &status))
		ended(h, status);
	else
		took_too_long(h);
	h->child = NULL;
	loop_child_free(child);
}

void hook_run(struct hook *h, struct str json)
{
	static const struct child_calls calls = { .ended = ended };
	double now = loop_since();
	bool too_many = h->n >= HOOK_EACH_HOUR && now - h->ran[h->n % HOOK_EACH_HOUR] < HOUR;

	if (too_many || h->child != NULL) {
		if (!h->silenced)
			h->report(h->ctx,
				  too_many ? "--on-alarm ran six times within an hour: "
					     "further alarms are only reported"
					   : "--on-alarm still runs: this alarm is only reported");
		h->silenced = true;
		return;
	}
	h->silenced = h->killed = false;
	h->ran[h->n++ % HOOK_EACH_HOUR] = now;
	h->child = loop_child(h->loop, h->argv, json, &calls, h);
	if (h->child == NULL)
		h->report(h->ctx, strerror(errno));
	else
		loop_timer_set(h->timer, HOOK_SECONDS);
}
