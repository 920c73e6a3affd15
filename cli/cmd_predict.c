/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>

#include "analyze/predict.h"
#include "base/arena.h"
#include "base/diag.h"
#include "base/xalloc.h"
#include "load/load.h"
#include "program/command.h"
#include "report/predict.h"

/* Loads the run that an option names; false when an error was reported. */
static bool load_named_run(struct loaded *ret, const char *path, const struct settings *s,
			   struct diag *diag)
{
	char *operand = xstrdup(path);
	bool ok = load_run(ret, &operand, 1, &s->options.load, diag);

	if (ok)
		ret->run.path = path;
	free(operand);
	return ok;
}

/* Returns what converts latencies of one run to the unit of another; NAN: nothing does. */
static double scale_between(const struct profile *from, const struct profile *to)
{
	double scale;

	return unit_scale(from->unit, from->hz, to->unit, to->hz, &scale) ? scale : NAN;
}

static bool report_loaded(struct context *cx, const struct settings *s, const struct loaded *costs,
			  const struct loaded *counts)
{
	const struct profile *only = costs->profile;
	struct runs_side side =
		costs->n_runs > 1 ? loaded_runs(costs) : (struct runs_side){ .run = &only, .n = 1 };
	struct arena *a = arena_new();
	struct prediction found = predict(a, &side, counts->profile, counts->run.n_runs,
					  scale_between(counts->profile, costs->profile));
	struct prediction_report r = { costs->run, counts->run, &found, s->options.show.all };
	bool ok = !isnan(found.total.value);

	if (ok)
		report_prediction(cx->out, &cx->style, &r);
	else
		diag_plain(cx->diag, DIAG_PREDICT_NOTHING, "%s has none of the operations of %s",
			   s->costs, s->counts);
	arena_free(a);
	return ok;
}

static enum exit_status run_predict(struct context *cx, const struct settings *s)
{
	struct loaded costs, counts;
	bool ok;

	if (s->costs == NULL || s->counts == NULL) {
		diag_plain(cx->diag, DIAG_USAGE,
			   "osprof predict needs --costs RUN, what calls cost, and --counts RUN, "
			   "how many there are");
		return EXIT_ERROR;
	}
	if (!load_named_run(&costs, s->costs, s, cx->diag))
		return EXIT_ERROR;
	ok = load_named_run(&counts, s->counts, s, cx->diag);
	if (ok) {
		ok = report_loaded(cx, s, &costs, &counts);
		loaded_release(&counts);
	}
	loaded_release(&costs);
	return ok ? EXIT_OK : EXIT_ERROR;
}

const struct command command_predict = {
	.id = COMMAND_predict,
	.name = "predict",
	.operands = "--costs RUN --counts RUN",
	.summary = "Predict the time of a workload from what its calls cost elsewhere",
	.output_formats = OUTPUT_FORMATS_TABLE,
	.run = run_predict,
};
