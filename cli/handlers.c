/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/handlers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/out.h"
#include "formats/format.h"
#include "plugin/handler.h"
#include "plugin/load.h"
#include "plugin/plugin.h"
#include "profile/profile.h"
#include "program/settings.h"
#include "record/install_paths.h"
#include "region/region.h"
#include "report/report.h"

enum { SECONDS = 60 };

/* The context of one handler's callbacks. */
struct reported {
	const char *name;
	const struct comparison *c;
	struct diag *diag;
};

bool handlers_check(const struct settings *s, struct diag *diag)
{
	for (size_t i = 0; i < s->n_handlers; i++) {
		char *path = plugin_find(s->handler[i], OSPROF_PLUGINS, diag);

		if (path == NULL)
			return false;
		free(path);
	}
	return true;
}

/* --- callbacks --------------------------------------------------------------------------- */

/* Handlers may send only to the runs of this comparison, not to other processes. */
static bool is_run(const struct comparison *c, const char *to)
{
	return region_is_source(to) &&
	       (strcmp(c->before.path, to) == 0 || strcmp(c->after.path, to) == 0);
}

static void send_message(void *ctx, const char *to, const void *bytes, size_t n)
{
	const struct reported *t = ctx;

	if (strcmp(to, "log") == 0)
		diag_plain(t->diag, DIAG_PLUGIN_SAYS, "%s: %.*s", t->name, (int)n,
			   (const char *)bytes);
	else if (!is_run(t->c, to))
		diag_plain(t->diag, DIAG_PLUGIN_FAILED,
			   "%s: sends to %s, which is not a run that receives messages", t->name,
			   to);
	else if (!region_send(to, bytes, n, t->diag))
		diag_plain(t->diag, DIAG_PLUGIN_FAILED, "%s: its message to %s was not sent",
			   t->name, to);
}

static void report(void *ctx, const char *message)
{
	const struct reported *t = ctx;

	diag_plain(t->diag, DIAG_PLUGIN_FAILED, "%s: %s", t->name, message);
}

/* --- events ------------------------------------------------------------------------------- */

static void post_event(struct handler *h, int kind, struct out *object, struct str profile)
{
	out_char(object, '}');
	handler_post(h, kind, out_memory(object), profile);
	out_free(object);
}

static struct out *begin_event(const char *source)
{
	struct out *o = out_to_memory();

	out_char(o, '{');
	handler_put_text(o, "source", str_from(source));
	return o;
}

static void post_profile(struct handler *h, const struct run *run, const char *side)
{
	struct diag silent = { .emit = NULL };
	struct out *text = out_to_memory(), *o = begin_event(run->path);

	handler_put_text(o, "side", str_from(side));
	handler_put_text(o, "unit", str_from(unit_name(run->profile->unit)));
	if (format_by_name(STR("osprof"))->write(run->profile, text, &silent))
		post_event(h, OSPROF_PROFILE, o, out_memory(text));
	else
		out_free(o);
	out_free(text);
}

static void post_operation(struct handler *h, int kind, const struct comparison *c,
			   const struct ranked *r)
{
	const struct operation *op = r->after != NULL ? r->after : r->before;
	struct out *o = begin_event(c->after.path);

	handler_put_text(o, "operation", op->name);
	handler_put_text(o, "layer", op->layer);
	handler_put_text(o, "verdict", str_from(verdict_name(r->verdict)));
	handler_put_text(o, "unit", str_from(unit_name(c->before.profile->unit)));
	handler_put_number(o, "score", r->score);
	handler_put_number(o, "calls_before",
			   r->before != NULL ? (double)operation_count(r->before) : NAN);
	handler_put_number(o, "calls_after",
			   r->after != NULL ? (double)operation_count(r->after) : NAN);
	handler_put_number(o, "total_before", r->total_before);
	handler_put_number(o, "total_after", r->total_after);
	handler_put_number(o, "mean_ratio", exp2(r->mean_octaves));
	handler_put_number(o, "shift_ratio", exp2(r->shift));
	post_event(h, kind, o, STR(""));
}

static void post_all(struct handler *h, const struct comparison *c)
{
	const struct ranking *all = c->ranking;

	post_profile(h, &c->before, "before");
	post_profile(h, &c->after, "after");
	for (size_t i = 0; i < all->n; i++)
		post_operation(h, OSPROF_JUDGED, c, &all->v[i]);
	for (size_t i = 0; i < all->n; i++) {
		if (all->v[i].reported && all->v[i].verdict == VERDICT_REGRESSED)
			post_operation(h, OSPROF_ALARM, c, &all->v[i]);
	}
	post_event(h, OSPROF_END, begin_event(c->after.path), STR(""));
}

void handlers_report(const struct settings *s, const struct comparison *c, struct diag *diag)
{
	char *program = s->n_handlers > 0 ? path_of_plugin_host() : NULL;

	for (size_t i = 0; i < s->n_handlers; i++) {
		struct reported t = { .name = s->handler[i], .c = c, .diag = diag };
		const struct handler_calls calls = { .send = send_message,
						     .report = report,
						     .ctx = &t };
		char *path = plugin_find(s->handler[i], OSPROF_PLUGINS, diag);
		struct handler *h;

		if (program == NULL)
			report(&t, "osprof-plugin-host is not beside this program");
		if (program != NULL && path != NULL) {
			h = handler_new(program, path, &calls);
			post_all(h, c);
			(void)handler_finish(h, SECONDS);
			handler_free(h);
		}
		free(path);
	}
	free(program);
}
