/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/hosts.h"

#include <math.h>

#include "analyze/hosts.h"
#include "base/escape.h"
#include "base/out.h"
#include "profile/quantity.h"
#include "report/jout.h"
#include "report/parts.h"
#include "report/report.h"

enum { MAX_NAMED = 10 };

static const struct operation *operation_of(const struct odd_host *odd)
{
	return odd->of->before != NULL ? odd->of->before : odd->of->after;
}

/* --- words -------------------------------------------------------------------------- */

static bool is_told(const struct odd_host *odd)
{
	return odd->side != ODD_BEFORE;
}

/* Whether an entry before it was about the same host. */
static bool was_named(const struct hosts_findings *h, size_t at, bool told)
{
	for (size_t i = 0; i < at; i++) {
		if (is_told(&h->odd[i]) == told && str_eq(h->odd[i].host, h->odd[at].host))
			return true;
	}
	return false;
}

static size_t count_operations(const struct hosts_findings *h, size_t at)
{
	size_t n = 0;

	for (size_t i = 0; i < h->n_odd; i++) {
		bool again = false;

		if (!is_told(&h->odd[i]) || !str_eq(h->odd[i].host, h->odd[at].host))
			continue;
		for (size_t k = 0; k < i; k++)
			again |= is_told(&h->odd[k]) && h->odd[k].of == h->odd[i].of &&
				 str_eq(h->odd[k].host, h->odd[i].host);
		n += !again;
	}
	return n;
}

static void say_size(struct out *o, const struct odd_host *odd)
{
	static const char *const what[] = { "calls take", "mean", "odds of a slow call" };
	double ratio = exp2(fabs(odd->octaves));
	bool higher = odd->octaves > 0;

	out_printf(o, "%s ", what[odd->feature]);
	if (ratio >= 1.5) {
		quantity_ratio(o, higher || odd->feature != SPREAD_SHIFT ? ratio : 1 / ratio);
		out_text(o, "x ");
	} else {
		quantity_percent(o, fabs(exp2(odd->octaves) - 1));
		out_char(o, ' ');
	}
	if (odd->feature == SPREAD_SHIFT && ratio >= 1.5)
		out_text(o, "as long as");
	else if (odd->feature == SPREAD_SHIFT)
		out_text(o, higher ? "longer than" : "shorter than");
	else
		out_text(o, higher ? "higher than" : "lower than");
	out_text(o, odd->side == ODD_CHANGE ? " before, beside the other hosts"
					    : " on the other hosts");
}

static void say_odd(struct out *o, const struct hosts_findings *h, size_t at, bool markdown)
{
	const struct odd_host *odd = &h->odd[at];
	struct style plain = { .color = false };
	size_t n = count_operations(h, at);

	out_text(o, markdown ? "- " : "  ");
	if (markdown)
		escape_markdown(o, odd->host);
	else
		escape_terminal(o, odd->host);
	out_text(o, ": ");
	plain.dress = markdown ? DRESS_MARKDOWN : DRESS_TEXT;
	say_operation(o, &plain, operation_of(odd));
	out_text(o, ": ");
	say_size(o, odd);
	out_printf(o, ", %.3g deviations", odd->deviations);
	if (odd->before_too)
		out_text(o, "; before, too");
	if (n > 1)
		out_printf(o, "; odd in %zu operations", n);
	out_char(o, '\n');
}

static size_t count_hosts(const struct hosts_findings *h, bool told)
{
	size_t n = 0;

	for (size_t i = 0; i < h->n_odd; i++)
		n += is_told(&h->odd[i]) == told && !was_named(h, i, told);
	return n;
}

void say_odd_hosts(struct out *o, const struct comparison *c, bool markdown)
{
	const struct hosts_findings *h = c->hosts;
	size_t n, shown = 0;

	if (h == NULL || (n = count_hosts(h, true)) == 0)
		return;
	out_printf(o, "\nOdd host%s, far from the others%s:\n", n == 1 ? "" : "s",
		   h->paired ? " or from themselves before" : " after");
	if (markdown)
		out_char(o, '\n');
	for (size_t i = 0; i < h->n_odd && shown < MAX_NAMED; i++) {
		if (!is_told(&h->odd[i]) || was_named(h, i, true))
			continue;
		say_odd(o, h, i, markdown);
		shown++;
	}
	if (shown < n)
		out_printf(o, "%s%zu more; --format json names them.\n", markdown ? "\n" : "  ",
			   n - shown);
}

/* --- JSON ----------------------------------------------------------------------------- */

static void jout_odd(struct jout *j, const struct odd_host *odd)
{
	const struct operation *op = operation_of(odd);

	jout_object(j, NULL);
	jout_str(j, "host", odd->host);
	jout_str(j, "operation", op->name);
	jout_str(j, "layer", op->layer);
	jout_text(j, "side", odd_sides[odd->side]);
	jout_text(j, "feature", spread_names[odd->feature]);
	jout_f64(j, "octaves", odd->octaves);
	jout_f64(j, "deviations", odd->deviations);
	jout_bool(j, "before_too", odd->before_too);
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
	jout_f64(j, "odd_deviations", h->deviations);
	jout_array(j, "odd");
	for (size_t i = 0; i < h->n_odd; i++)
		jout_odd(j, &h->odd[i]);
	jout_end_array(j);
	jout_end_object(j);
}
