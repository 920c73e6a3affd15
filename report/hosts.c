/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/hosts.h"

#include <math.h>

#include "analyze/hosts/hosts.h"
#include "base/escape.h"
#include "base/out.h"
#include "profile/quantity.h"
#include "report/jout.h"
#include "report/parts.h"
#include "report/report.h"

enum { MAX_NAMED = 10 };

static const struct operation *operation_of(const struct outlier_host *outlier)
{
	return ranked_operation(outlier->of);
}

/* --- words -------------------------------------------------------------------------- */

static bool is_reported(const struct outlier_host *outlier)
{
	return outlier->side != OUTLIER_BEFORE;
}

/* Whether an earlier entry is about the same host. */
static bool was_named(const struct hosts_findings *h, size_t at, bool reported)
{
	for (size_t i = 0; i < at; i++) {
		if (is_reported(&h->outlier[i]) == reported &&
		    str_eq(h->outlier[i].host, h->outlier[at].host))
			return true;
	}
	return false;
}

static size_t count_operations(const struct hosts_findings *h, size_t at)
{
	size_t n = 0;

	for (size_t i = 0; i < h->n_outliers; i++) {
		bool again = false;

		if (!is_reported(&h->outlier[i]) ||
		    !str_eq(h->outlier[i].host, h->outlier[at].host))
			continue;
		for (size_t k = 0; k < i; k++)
			again |= is_reported(&h->outlier[k]) &&
				 h->outlier[k].of == h->outlier[i].of &&
				 str_eq(h->outlier[k].host, h->outlier[i].host);
		n += !again;
	}
	return n;
}

static void say_size(struct out *o, const struct outlier_host *outlier)
{
	static const char *const what[] = { "calls take", "mean", "odds of a slow call" };
	double ratio = exp2(fabs(outlier->octaves));
	bool higher = outlier->octaves > 0;

	out_printf(o, "%s ", what[outlier->feature]);
	if (ratio >= 1.5) {
		quantity_ratio(o, higher || outlier->feature != SPREAD_SHIFT ? ratio : 1 / ratio);
		out_text(o, "x ");
	} else {
		quantity_percent(o, fabs(exp2(outlier->octaves) - 1));
		out_char(o, ' ');
	}
	if (outlier->feature == SPREAD_SHIFT && ratio >= 1.5)
		out_text(o, "as long as");
	else if (outlier->feature == SPREAD_SHIFT)
		out_text(o, higher ? "longer than" : "shorter than");
	else
		out_text(o, higher ? "higher than" : "lower than");
	out_text(o, outlier->side == OUTLIER_CHANGE ? " before, beside the other hosts"
						    : " on the other hosts");
}

static void say_outliers(struct out *o, const struct hosts_findings *h, size_t at, bool markdown)
{
	const struct outlier_host *outlier = &h->outlier[at];
	struct style plain = { .color = false };
	size_t n = count_operations(h, at);

	out_text(o, markdown ? "- " : "  ");
	if (markdown)
		escape_markdown(o, outlier->host);
	else
		escape_terminal(o, outlier->host);
	out_text(o, ": ");
	plain.output_format = markdown ? OUTPUT_FORMAT_MARKDOWN : OUTPUT_FORMAT_TEXT;
	say_operation(o, &plain, operation_of(outlier));
	out_text(o, ": ");
	say_size(o, outlier);
	out_printf(o, ", %.3g deviations", outlier->deviations);
	if (outlier->before_too)
		out_text(o, "; before, too");
	if (n > 1)
		out_printf(o, "; outlier in %zu operations", n);
	out_char(o, '\n');
}

static size_t count_hosts(const struct hosts_findings *h, bool reported)
{
	size_t n = 0;

	for (size_t i = 0; i < h->n_outliers; i++)
		n += is_reported(&h->outlier[i]) == reported && !was_named(h, i, reported);
	return n;
}

void say_outlier_hosts(struct out *o, const struct comparison *c, bool markdown)
{
	const struct hosts_findings *h = c->hosts;
	size_t n, shown = 0;

	if (h == NULL || (n = count_hosts(h, true)) == 0)
		return;
	out_printf(o, "\nOutlier host%s, far from the others%s:\n", n == 1 ? "" : "s",
		   h->paired ? " or from themselves before" : " after");
	if (markdown)
		out_char(o, '\n');
	for (size_t i = 0; i < h->n_outliers && shown < MAX_NAMED; i++) {
		if (!is_reported(&h->outlier[i]) || was_named(h, i, true))
			continue;
		say_outliers(o, h, i, markdown);
		shown++;
	}
	if (shown < n)
		out_printf(o, "%s%zu more; --format json names them.\n", markdown ? "\n" : "  ",
			   n - shown);
}

/* --- JSON ----------------------------------------------------------------------------- */

static void jout_outlier(struct jout *j, const struct outlier_host *outlier)
{
	const struct operation *op = operation_of(outlier);

	jout_object(j, NULL);
	jout_str(j, "host", outlier->host);
	jout_str(j, "operation", op->name);
	jout_str(j, "layer", op->layer);
	jout_text(j, "side", outlier_sides[outlier->side]);
	jout_text(j, "feature", spread_names[outlier->feature]);
	jout_f64(j, "log2_ratio", outlier->octaves);
	jout_f64(j, "deviations", outlier->deviations);
	jout_bool(j, "before_too", outlier->before_too);
	jout_end_object(j);
}

void jout_hosts(struct jout *j, const struct comparison *c)
{
	const struct hosts_findings *h = c->hosts;

	if (h == NULL)
		return;
	jout_object(j, "hosts");
	jout_u64(j, "before", h->n_before);
	jout_u64(j, "after", h->n_after);
	jout_u64(j, "missing_before", h->missing_before);
	jout_u64(j, "missing_after", h->missing_after);
	jout_bool(j, "paired", h->paired);
	jout_f64(j, "outlier_deviations", h->deviations);
	jout_array(j, "outliers");
	for (size_t i = 0; i < h->n_outliers; i++)
		jout_outlier(j, &h->outlier[i]);
	jout_end_array(j);
	jout_end_object(j);
}
