/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The user trusts a plug-in, but it may have bugs: everything that it pushes is checked like
 * the contents of a file, and after an error all further calls fail.
 */
#include "plugin/reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/scan.h"
#include "base/xalloc.h"
#include "formats/samples.h"
#include "formats/text.h"
#include "plugin/load.h"
#include "profile/builder/builder.h"

struct osprof_input {
	struct input *in;
	const struct read_options *options;
	struct builder *builder;
	struct diag *diag;
	struct str rest, line; /* parts of the input's bytes */
	struct samples samples;
	enum unit unit;
	enum { PUSHED_NOTHING, PUSHED_LATENCIES, PUSHED_HISTOGRAMS } pushed;
	bool has_operation, failed;
	uint64_t n_samples;
};

static int refuse_input(struct osprof_input *in, struct str where, const char *why)
{
	if (!in->failed)
		(void)format_fail(in->in, in->diag, DIAG_LINE_UNEXPECTED, where, "%s", why);
	in->failed = true;
	return 0;
}

static int next_line(struct osprof_input *in, struct osprof_text *ret)
{
	if (in->failed || in->rest.n == 0)
		return 0;
	if (!str_cut(in->rest, '\n', &in->line, &in->rest)) {
		in->line = in->rest;
		in->rest = str_skip(in->rest, in->rest.n);
	}
	if (in->line.n > 0 && in->line.p[in->line.n - 1] == '\r')
		in->line.n--;
	*ret = (struct osprof_text){ in->line.p, in->line.n };
	return 1;
}

static int set_unit(struct osprof_input *in, const char *unit)
{
	if (in->pushed != PUSHED_NOTHING)
		return refuse_input(in, in->line, "the plug-in names a unit too late");
	return unit_parse(str_from(unit), &in->unit) ||
	       refuse_input(in, in->line, "the plug-in names a unit that does not exist");
}

/* Checks that the plug-in pushes either latencies or histograms, not both. */
static bool begin_push(struct osprof_input *in, int what)
{
	const struct accumulator_options kind = { .unit = in->unit,
						  .unit_source = UNIT_STATED,
						  .start_rate = 1e9 };

	if (in->failed)
		return false;
	if (in->pushed != PUSHED_NOTHING && (int)in->pushed != what) {
		(void)refuse_input(in, in->line, "the plug-in mixes latencies and histograms");
		return false;
	}
	if (in->pushed == PUSHED_NOTHING && what == PUSHED_LATENCIES)
		samples_start(&in->samples, in->in, in->options, &kind, in->diag);
	in->pushed = what == PUSHED_LATENCIES ? PUSHED_LATENCIES : PUSHED_HISTOGRAMS;
	return true;
}

static bool is_text(struct osprof_text t)
{
	return t.size == 0 || (t.bytes != NULL && memchr(t.bytes, '\0', t.size) == NULL);
}

static bool are_names(struct osprof_input *in, struct osprof_text layer, struct osprof_text name)
{
	if (is_text(layer) && is_text(name) && name.size > 0)
		return true;
	(void)refuse_input(in, in->line,
			   "the plug-in gives an operation name that is empty or has a NUL byte");
	return false;
}

static struct str str_of(struct osprof_text t)
{
	return (struct str){ t.size > 0 ? t.bytes : "", t.size };
}

static int push_latency(struct osprof_input *in, struct osprof_text layer, struct osprof_text name,
			uint64_t latency, uint64_t start)
{
	struct sample sample = { .layer = str_of(layer),
				 .name = str_of(name),
				 .latency = decimal_from_u64(latency),
				 .start = decimal_from_u64(start),
				 .where = in->line,
				 .offset = in->n_samples++ };

	if (!begin_push(in, PUSHED_LATENCIES) || !are_names(in, layer, name))
		return 0;
	if (!samples_add(&in->samples, &sample, in->line, in->line))
		in->failed = true;
	return !in->failed;
}

static int push_operation(struct osprof_input *in, struct osprof_text layer,
			  struct osprof_text name)
{
	if (!begin_push(in, PUSHED_HISTOGRAMS) || !are_names(in, layer, name))
		return 0;
	in->failed = !build_operation(in->builder, str_of(layer), str_of(name), in->line);
	if (in->failed)
		return 0;
	build_unit(in->builder, in->unit, UNIT_STATED);
	in->has_operation = true;
	in->failed = !build_histogram(in->builder, in->line);
	return !in->failed;
}

/* Whether an operation has been pushed, to which buckets and totals can be added. */
static bool has_operation(struct osprof_input *in)
{
	if (!in->failed && !in->has_operation)
		(void)refuse_input(in, in->line, "the plug-in has named no operation yet");
	return !in->failed;
}

static int push_bucket(struct osprof_input *in, double low, double high, uint64_t calls)
{
	if (!has_operation(in))
		return 0;
	if (isnan(low) || isnan(high) || low >= high)
		return refuse_input(in, in->line, "the plug-in gives a bucket without width");
	in->failed = !build_range(in->builder, low, high, calls, in->line);
	return !in->failed;
}

static int push_total(struct osprof_input *in, uint64_t total)
{
	if (has_operation(in))
		in->failed = !build_total(in->builder, decimal_from_u64(total), in->line);
	return !in->failed;
}

static int push_count(struct osprof_input *in, uint64_t calls)
{
	if (has_operation(in))
		in->failed = !build_count(in->builder, calls, in->line);
	return !in->failed;
}

/* Blames the whole line unless `at` is a part of it. */
static int fail(struct osprof_input *in, struct osprof_text at, const char *why)
{
	struct str where = in->line;

	if (at.size > 0 && at.bytes >= in->line.p && at.bytes < in->line.p + in->line.n &&
	    at.size <= (size_t)(in->line.p + in->line.n - at.bytes))
		where = (struct str){ at.bytes, at.size };
	return refuse_input(in, where, why != NULL ? why : "the plug-in does not read this");
}

/* Handlers run in osprof-plugin-host; in this process they get no events. */
static int on_nothing(int event, osprof_handler *handler, void *context)
{
	(void)event, (void)handler, (void)context;
	return 1;
}

static int off_nothing(int event, osprof_handler *handler)
{
	(void)event, (void)handler;
	return 1;
}

static int send_nothing(const char *to, const void *bytes, size_t size)
{
	(void)to, (void)bytes, (void)size;
	return 0;
}

static const struct osprof_host host = {
	.size = sizeof(host),
	.abi = OSPROF_PLUGIN_ABI,
	.next_line = next_line,
	.unit = set_unit,
	.latency = push_latency,
	.operation = push_operation,
	.bucket = push_bucket,
	.total = push_total,
	.count = push_count,
	.fail = fail,
	.on = on_nothing,
	.off = off_nothing,
	.send = send_nothing,
};

static bool read_by_plugin(const struct read_task *task)
{
	struct plugin_reader *r = (struct plugin_reader *)(uintptr_t)task->spec;
	struct osprof_input reading = { .in = task->in,
					.options = task->options,
					.builder = task->to,
					.diag = task->diag,
					.unit = UNIT_NS };
	bool ok;

	reading.rest = task->in->bytes;
	reading.line = (struct str){ task->in->bytes.p, 0 };
	ok = r->plugin.table.read(&reading) != 0;
	if (!ok && !reading.failed)
		(void)refuse_input(&reading, reading.line,
				   "the plug-in gave up without saying why");
	ok = ok && !reading.failed;
	r->latencies = reading.pushed == PUSHED_LATENCIES;
	if (reading.pushed == PUSHED_LATENCIES) {
		ok = ok && accumulator_push(reading.samples.accumulator, reading.builder);
		samples_release(&reading.samples);
	}
	return ok;
}

bool plugins_add(struct plugins *all, const char *name, const char *folder, struct diag *diag)
{
	struct plugin_reader *r = xcalloc(1, sizeof(*r));
	const char *title;

	if (!plugin_load(&r->plugin, name, folder, &host, diag)) {
		free(r);
		return false;
	}
	title = r->plugin.table.title;
	r->format = (struct format){ .name = r->plugin.table.name,
				     .title = title != NULL ? title : "",
				     .versions = "those of the plug-in",
				     .unit = "as the plug-in says",
				     .totals = "exact, of latencies; else as the plug-in says",
				     .read = r->plugin.table.read != NULL ? read_by_plugin : NULL,
				     .spec = r };
	all->v = xgrow(all->v, &all->cap, all->n + 1, sizeof(struct plugin_reader *));
	all->v[all->n++] = r;
	return true;
}

void plugins_release(struct plugins *all)
{
	for (size_t i = 0; i < all->n; i++) {
		plugin_unload(&all->v[i]->plugin);
		free(all->v[i]);
	}
	free((void *)all->v);
	*all = (struct plugins){ .v = NULL };
}

static int probe_head(const struct plugin *p, const struct input *in)
{
	enum { HEAD = 64 * 1024 };
	struct str head = in->bytes;
	int sure;

	if (p->table.probe == NULL || p->table.read == NULL)
		return PROBE_NO;
	if (head.n > HEAD)
		head = text_whole_lines((struct str){ head.p, HEAD });
	sure = p->table.probe((struct osprof_text){ head.p, head.n });
	return sure >= OSPROF_MINE	  ? PROBE_MARKS
	       : sure >= OSPROF_PLAUSIBLE ? PROBE_SHAPE
					  : PROBE_NO;
}

/* Returns the format of the plug-in with the highest score; NULL if none claims the input, or one
 * of osprof's formats scores higher. */
static const struct format *plugins_claim(const struct plugins *all, const struct input *in)
{
	const struct format *best = NULL, *f;
	int best_score = PROBE_NO;

	for (size_t i = 0; i < all->n; i++) {
		int sure = probe_head(&all->v[i]->plugin, in);

		if (sure > best_score) {
			best_score = sure;
			best = &all->v[i]->format;
		}
	}
	for (size_t i = 0; best != NULL && (f = format_at(i)) != NULL; i++) {
		struct clue clue;

		if ((int)format_probe(f, in, &clue) > best_score)
			best = NULL;
	}
	return best;
}

const struct format *plugins_format(const struct plugins *all, struct str name)
{
	for (size_t i = 0; i < all->n; i++) {
		const struct format *f = &all->v[i]->format;

		if (f->read != NULL && str_eq(str_from(f->name), name))
			return f;
	}
	return NULL;
}

bool plugins_reads_events(const struct format *f)
{
	return f->read == read_by_plugin && ((const struct plugin_reader *)f->spec)->latencies;
}

struct profile *plugins_read(const struct plugins *all, const struct format *f, struct input *in,
			     const struct read_options *options, struct diag *diag)
{
	if (f == NULL)
		f = plugins_claim(all, in);
	return f != NULL && f->read == read_by_plugin ? format_read_bare(f, in, options, diag)
						      : format_read(f, in, options, diag);
}
