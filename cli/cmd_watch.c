/* SPDX-License-Identifier: GPL-3.0-or-later */
/* osprof watch: watches live sources, or replays a folder of kept intervals. */
#include <math.h>
#include <stdlib.h>

#include "analyze/stats/poisson.h"
#include "base/diag.h"
#include "base/out.h"
#include "base/xalloc.h"
#include "cli/watch_usage.h"
#include "load/load.h"
#include "plugin/load.h"
#include "program/command.h"
#include "record/install_paths.h"
#include "record/sites.h"
#include "watch/live.h"
#include "watch/report.h"

static const double day = 86400;

/* Sets the default tiers: intervals, five minutes, hours; each only if it is a multiple of the one
 * before. */
static void usual_tiers(struct store_options *o, double every)
{
	static const struct tier usual[] = { { 300, 7 * 86400. }, { 3600, 400 * 86400. } };

	o->tier[0] = (struct tier){ every, 6 * 3600. };
	o->n_tiers = 1;
	for (size_t i = 0; i < COUNT_OF(usual); i++) {
		double before = o->tier[o->n_tiers - 1].length;

		if (usual[i].length > before && fabs(remainder(usual[i].length, before)) < 1e-6)
			o->tier[o->n_tiers++] = usual[i];
	}
	o->tier[o->n_tiers - 1].age = usual[1].age;
}

static bool store_options_of(const struct watching *w, struct store_options *ret, struct diag *diag)
{
	*ret = (struct store_options){ .folder = w->keep, .max_bytes = (uint64_t)w->keep_bytes };
	if (w->n_tiers == 0) {
		usual_tiers(ret, w->every);
		return true;
	}
	ret->n_tiers = w->n_tiers;
	for (size_t i = 0; i < w->n_tiers; i++)
		ret->tier[i] = w->tier[i];
	if (fabs(ret->tier[0].length - w->every) < 1e-6)
		return true;
	diag_plain(diag, DIAG_USAGE, "--tiers: the first is that of intervals, %.10g s", w->every);
	return false;
}

static struct watcher_options watcher_options_of(const struct settings *s)
{
	struct watcher_options o = { .rules = watch_rules_default,
				     .every = s->watch.every,
				     .lateness = s->watch.lateness,
				     .textfile = s->watch.textfile,
				     .json = s->output_format == OUTPUT_FORMAT_JSON,
				     .markdown = s->output_format == OUTPUT_FORMAT_MARKDOWN ||
						 s->output_format == OUTPUT_FORMAT_HTML,
				     .version = OSPROF_VERSION };

	o.rules.interval = s->watch.every;
	o.rules.false_alarms = s->watch.false_alarms;
	o.rules.factor = s->watch.factor;
	o.rules.any_load = s->watch.any_load;
	o.rules.max_operations = s->watch.max_operations;
	o.rules.min_effect = s->options.compare.runs.min_effect;
	o.rules.min_calls = s->options.compare.rules.min_calls;
	return o;
}

/* --- replaying kept intervals ------------------------------------------------------------- */

/* Replays once; writes the reports to `out`, followed by the alarm rate unless it is a trial of
 * --calibrate. */
static bool replay_once(const struct watcher_options *o, const struct watching *w, struct out *out,
			struct diag *diag, struct reported_rate *ret)
{
	struct watcher *judge = watcher_new(o, out, diag, NULL, NULL);
	double seconds = 0;
	size_t n = 0;
	bool ok = w->reference == NULL || watcher_learn(judge, w->reference, true);

	ok = ok && watcher_replay(judge, w->replay, &n, &seconds);
	if (ok && n == 0) {
		diag_plain(diag, DIAG_RUNS_TOO_FEW,
			   "%s: no interval of %.10g s; state their length with --every", w->replay,
			   o->every);
		ok = false;
	}
	if (ok) {
		*ret = (struct reported_rate){ .intervals = n,
					       .new_load = watcher_new_load(judge),
					       .days = seconds / day,
					       .alarms = watcher_alarms(judge),
					       .allowed = o->rules.false_alarms * day,
					       .factor = o->rules.factor,
					       .trial = w->calibrate };
		poisson_interval((size_t)ret->alarms, &ret->low, &ret->high);
		ret->low /= ret->days;
		ret->high /= ret->days;
		ret->enough = (double)ret->alarms <= floor(o->rules.false_alarms * seconds);
		if (!ret->trial)
			watcher_rate(judge, ret);
	}
	watcher_free(judge);
	return ok;
}

/* Doubles the threshold's factor until there are no more alarms than allowed. */
static enum exit_status calibrate_threshold(struct context *cx, struct watcher_options *o,
					    const struct watching *w)
{
	enum { MAX_DOUBLINGS = 20 };
	struct reporter t = { .out = cx->out, .json = o->json };
	struct reported_rate rate;

	for (int i = 0; i < MAX_DOUBLINGS; i++) {
		struct out *unknown = out_to_memory();
		bool ok = replay_once(o, w, unknown, cx->diag, &rate);

		out_free(unknown);
		if (!ok)
			return EXIT_ERROR;
		report_rate(&t, &rate);
		if (rate.enough)
			return EXIT_OK;
		o->rules.factor *= 2;
	}
	diag_plain(cx->diag, DIAG_RUNS_TOO_FEW,
		   "%s: alarms whatever the threshold: something changed in it", w->replay);
	return EXIT_ERROR;
}

static enum exit_status replay_intervals(struct context *cx, const struct settings *s)
{
	struct watcher_options o = watcher_options_of(s);
	struct reported_rate rate;

	if (s->watch.calibrate && o.markdown) {
		diag_plain(cx->diag, DIAG_USAGE, "--calibrate prints text and json");
		return EXIT_ERROR;
	}
	if (s->watch.calibrate)
		return calibrate_threshold(cx, &o, &s->watch);
	if (!replay_once(&o, &s->watch, cx->output[0].out, cx->diag, &rate))
		return EXIT_ERROR;
	return s->options.compare.gate != GATE_OFF && rate.alarms > 0 ? EXIT_DIFFERS : EXIT_OK;
}

/* --- watching live sources ------------------------------------------------------------------- */

#ifdef OSPROF_LIBUV
static void release_handlers(struct handlers_options *h)
{
	for (size_t i = 0; h->path != NULL && i < h->n; i++)
		free(h->path[i]);
	free((void *)(uintptr_t)h->path);
	free((char *)(uintptr_t)h->program);
}

/* Finds the plug-ins of --handler, and the program that runs them. */
static bool find_handlers(const struct settings *s, struct handlers_options *ret, struct diag *diag)
{
	char **path = xcalloc(ret->n, sizeof(*path));
	bool ok = true;

	ret->path = path;
	ret->program = path_of_plugin_host();
	if (ret->program == NULL) {
		diag_plain(diag, DIAG_PLUGIN_FAILED,
			   "osprof-plugin-host is not beside this program");
		ok = false;
	}
	for (size_t i = 0; ok && i < ret->n; i++) {
		path[i] = plugin_find(s->handler[i], OSPROF_PLUGINS, diag);
		ok = path[i] != NULL;
	}
	if (!ok)
		release_handlers(ret);
	return ok;
}

static enum exit_status watch_live(struct context *cx, const struct settings *s,
				   struct watcher_options *o)
{
	struct live_options live = { .intake = { .from = s->options.load.from,
						 .plugins = &s->options.load.plugins,
						 .max_bytes = s->options.load.max_input },
				     .duration = s->watch.duration,
				     .on_alarm = s->watch.on_alarm,
				     .forward = s->watch.forward,
				     .sender = s->watch.sender,
				     .spool = s->watch.spool,
				     .keep = s->watch.keep,
				     .trust_network = s->watch.trust_network,
				     .zoom = { .seconds = s->watch.zoom,
					       .keep = s->watch.keep,
					       .max_bytes = s->watch.keep_bytes },
				     .names = s->options.load.operand,
				     .n = s->options.load.n_operands };
	struct handlers_options handlers = { .name = s->handler, .n = s->n_handlers };
	struct reading_options reading;
	uint64_t alarms = 0;
	bool failed = false, ok;

	if (!reading_options_of(&s->options.load, &reading, cx->diag))
		return EXIT_ERROR;
	if (s->watch.zoom > 0)
		sites_check(cx->diag);
	live.intake.read = reading.read;
	if (o->lateness >= 0) {
		live.intake.read.build.interval = o->every;
		live.intake.read.utc = true;
	}
	if (s->n_handlers > 0) {
		if (!find_handlers(s, &handlers, cx->diag)) {
			reading_options_release(&reading);
			return EXIT_ERROR;
		}
		live.handlers = &handlers;
	}
	ok = live_watch(&live, o, s->watch.reference, s->watch.keep, cx->out, cx->diag, &alarms,
			&failed);
	reading_options_release(&reading);
	release_handlers(&handlers);
	if (!ok || failed)
		return EXIT_ERROR;
	return s->options.compare.gate != GATE_OFF && alarms > 0 ? EXIT_DIFFERS : EXIT_OK;
}
#else
static enum exit_status watch_live(struct context *cx, const struct settings *s,
				   struct watcher_options *o)
{
	(void)s;
	(void)o;
	diag_plain(cx->diag, DIAG_USAGE,
		   "this osprof was built without libuv: only --replay is there");
	return EXIT_ERROR;
}
#endif

static enum exit_status run_watch(struct context *cx, const struct settings *s)
{
	struct watcher_options o = watcher_options_of(s);
	enum exit_status status;

	xalloc_give_back();
	if (!watch_usage_check(s, cx->diag))
		return EXIT_ERROR;
	if (s->watch.replay != NULL)
		return replay_intervals(cx, s);
	if (o.markdown) {
		diag_plain(cx->diag, DIAG_USAGE,
			   "live sources are reported as text or json; --replay also as markdown "
			   "and html");
		return EXIT_ERROR;
	}
	if (s->watch.keep != NULL) {
		struct store_options options;

		if (!store_options_of(&s->watch, &options, cx->diag))
			return EXIT_ERROR;
		o.store = store_open(&options, cx->diag);
		if (o.store == NULL)
			return EXIT_ERROR;
	}
	status = watch_live(cx, s, &o);
	store_close(o.store);
	return status;
}

const struct command command_watch = {
	.id = COMMAND_watch,
	.name = "watch",
	.operands = "SOURCE...",
	.summary = "Judge a run while it goes on, and keep its intervals",
	.min_operands = 0,
	.max_operands = MANY_OPERANDS,
	.output_formats = 1U << OUTPUT_FORMAT_JSON | 1U << OUTPUT_FORMAT_MARKDOWN,
	.run = run_watch,
};
