/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tui/column.h"

#include <math.h>

#include "base/out.h"
#include "profile/quantity.h"

enum kind { KIND_TEXT, KIND_NUMBER, KIND_SCORE, KIND_COUNT, KIND_LATENCY, KIND_SHARE, KIND_FACTOR };

struct column_row {
	const char *name, *title;
	enum kind kind;
	const char *alone; /* its title for one run; NULL: two runs only */
	double (*value)(const struct study *s, const struct item *i);
};

static double rank_of(const struct study *s, const struct item *i)
{
	(void)s;
	return (double)i->index + 1;
}

static double score_of(const struct study *s, const struct item *i)
{
	(void)s;
	return i->ranked != NULL ? i->ranked->score : NAN;
}

static double calls_before(const struct study *s, const struct item *i)
{
	(void)s;
	return item_calls(i, SIDE_BEFORE);
}

static double calls_after(const struct study *s, const struct item *i)
{
	(void)s;
	return item_calls(i, SIDE_AFTER);
}

static double total_before(const struct study *s, const struct item *i)
{
	(void)s;
	return item_total(i, SIDE_BEFORE);
}

static double total_after(const struct study *s, const struct item *i)
{
	(void)s;
	return item_total(i, SIDE_AFTER);
}

static double self_before(const struct study *s, const struct item *i)
{
	(void)s;
	return item_self(i, SIDE_BEFORE);
}

static double self_after(const struct study *s, const struct item *i)
{
	(void)s;
	return item_self(i, SIDE_AFTER);
}

static double mean_before(const struct study *s, const struct item *i)
{
	(void)s;
	return item_mean(i, SIDE_BEFORE);
}

static double mean_after(const struct study *s, const struct item *i)
{
	(void)s;
	return item_mean(i, SIDE_AFTER);
}

static double p50_before(const struct study *s, const struct item *i)
{
	return item_p50(s, i, SIDE_BEFORE);
}

static double p50_after(const struct study *s, const struct item *i)
{
	return item_p50(s, i, SIDE_AFTER);
}

static double p99_before(const struct study *s, const struct item *i)
{
	return item_p99(s, i, SIDE_BEFORE);
}

static double p99_after(const struct study *s, const struct item *i)
{
	return item_p99(s, i, SIDE_AFTER);
}

static double calls_change(const struct study *s, const struct item *i)
{
	return log2(calls_after(s, i) / calls_before(s, i));
}

static double mean_change(const struct study *s, const struct item *i)
{
	return log2(mean_after(s, i) / mean_before(s, i));
}

static double p50_change(const struct study *s, const struct item *i)
{
	return log2(p50_after(s, i) / p50_before(s, i));
}

static double p99_change(const struct study *s, const struct item *i)
{
	return log2(p99_after(s, i) / p99_before(s, i));
}

static const struct column_row columns[] = {
	[COLUMN_RANK] = { "rank", "the order of the ranking", KIND_COUNT,
			  "the order of the ranking", rank_of },
	[COLUMN_NAME] = { "name", "name", KIND_TEXT, "name", NULL },
	[COLUMN_LAYER] = { "layer", "layer", KIND_TEXT, "layer", NULL },
	[COLUMN_VERDICT] = { "verdict", "verdict", KIND_TEXT, NULL, NULL },
	[COLUMN_SCORE] = { "score", "score", KIND_SCORE, NULL, score_of },
	[COLUMN_CHANGE] = { "change", "change of total latency", KIND_LATENCY, NULL, item_change },
	[COLUMN_SHARE] = { "share", "share of the run's latency", KIND_SHARE,
			   "share of the run's latency", item_share },
	[COLUMN_CALLS_BEFORE] = { "calls", "calls before", KIND_COUNT, "calls", calls_before },
	[COLUMN_CALLS_AFTER] = { "calls-after", "calls after", KIND_COUNT, NULL, calls_after },
	[COLUMN_TOTAL_BEFORE] = { "total", "total latency before", KIND_LATENCY, "total latency",
				  total_before },
	[COLUMN_TOTAL_AFTER] = { "total-after", "total latency after", KIND_LATENCY, NULL,
				 total_after },
	[COLUMN_SELF_BEFORE] = { "self", "self time before", KIND_LATENCY, "self time",
				 self_before },
	[COLUMN_SELF_AFTER] = { "self-after", "self time after", KIND_LATENCY, NULL, self_after },
	[COLUMN_MEAN_BEFORE] = { "mean", "mean latency before", KIND_LATENCY, "mean latency",
				 mean_before },
	[COLUMN_MEAN_AFTER] = { "mean-after", "mean latency after", KIND_LATENCY, NULL,
				mean_after },
	[COLUMN_P50_BEFORE] = { "p50", "p50 before", KIND_LATENCY, "p50", p50_before },
	[COLUMN_P50_AFTER] = { "p50-after", "p50 after", KIND_LATENCY, NULL, p50_after },
	[COLUMN_P99_BEFORE] = { "p99", "p99 before", KIND_LATENCY, "p99", p99_before },
	[COLUMN_P99_AFTER] = { "p99-after", "p99 after", KIND_LATENCY, NULL, p99_after },
	[COLUMN_CALLS_CHANGE] = { "calls-change", "change of the number of calls", KIND_FACTOR,
				  NULL, calls_change },
	[COLUMN_MEAN_CHANGE] = { "mean-change", "change of the mean", KIND_FACTOR, NULL,
				 mean_change },
	[COLUMN_P50_CHANGE] = { "p50-change", "change of p50", KIND_FACTOR, NULL, p50_change },
	[COLUMN_P99_CHANGE] = { "p99-change", "change of p99", KIND_FACTOR, NULL, p99_change },
};

/* What is sorted by most often comes first; other columns follow, distances last. */
static const size_t used_max[] = { COLUMN_RANK,	       COLUMN_CHANGE,	    COLUMN_TOTAL_BEFORE,
				   COLUMN_MEAN_CHANGE, COLUMN_MEAN_BEFORE,  COLUMN_P99_CHANGE,
				   COLUMN_P99_BEFORE,  COLUMN_CALLS_CHANGE, COLUMN_CALLS_BEFORE,
				   COLUMN_NAME };

static bool is_metric(size_t column)
{
	return column >= COLUMN_METRICS;
}

static enum metric metric_of(size_t column)
{
	return (enum metric)(column - COLUMN_METRICS);
}

const char *column_name(size_t column)
{
	return is_metric(column) ? distance_at(metric_of(column))->name : columns[column].name;
}

const char *column_title(const struct study *s, size_t column)
{
	if (is_metric(column))
		return distance_at(metric_of(column))->title;
	return study_compares(s) ? columns[column].title : columns[column].alone;
}

bool column_applies(const struct study *s, size_t column)
{
	if ((column == COLUMN_SELF_BEFORE || column == COLUMN_SELF_AFTER) && !s->nested)
		return false;
	return study_compares(s) || (!is_metric(column) && columns[column].alone != NULL);
}

bool column_by_name(const struct study *s, struct str name, size_t *ret)
{
	static const size_t changes[][2] = { { COLUMN_CALLS_BEFORE, COLUMN_CALLS_CHANGE },
					     { COLUMN_MEAN_BEFORE, COLUMN_MEAN_CHANGE },
					     { COLUMN_P50_BEFORE, COLUMN_P50_CHANGE },
					     { COLUMN_P99_BEFORE, COLUMN_P99_CHANGE },
					     { COLUMN_TOTAL_BEFORE, COLUMN_CHANGE } };
	size_t column = 0;

	while (column < N_COLUMNS && !str_eq_nocase(name, str_from(column_name(column))))
		column++;
	for (size_t i = 0; i < COUNT_OF(changes) && study_compares(s); i++) {
		if (column == changes[i][0])
			column = changes[i][1];
	}
	if (column == N_COLUMNS || !column_applies(s, column))
		return false;
	*ret = column;
	return true;
}

static void take_column(const struct study *s, size_t column, size_t ret[N_COLUMNS], size_t *n)
{
	for (size_t i = 0; i < *n; i++) {
		if (ret[i] == column)
			return;
	}
	if (column_applies(s, column))
		ret[(*n)++] = column;
}

size_t columns_by_use(const struct study *s, size_t ret[N_COLUMNS])
{
	bool compares = study_compares(s);
	size_t n = 0;

	for (size_t i = 0; i < COUNT_OF(used_max); i++) {
		bool side = used_max[i] >= COLUMN_CALLS_BEFORE && used_max[i] <= COLUMN_P99_AFTER;

		if (!compares || !side) /* of two runs, changes are asked for more often */
			take_column(s, used_max[i], ret, &n);
	}
	for (size_t column = 0; column < N_COLUMNS; column++)
		take_column(s, column, ret, &n);
	return n;
}

double column_value(const struct study *s, size_t column, const struct item *i)
{
	if (is_metric(column))
		return i->ranked != NULL ? i->ranked->metric[metric_of(column)] : NAN;
	return columns[column].value != NULL ? columns[column].value(s, i) : NAN;
}

/* --- order -------------------------------------------------------------------------- */

/* The largest number is first, or for changes the largest either way. */
double column_order(const struct study *s, size_t column, const struct item *i)
{
	double v = column_value(s, column, i);

	if (column == COLUMN_RANK)
		return v;
	if (column == COLUMN_VERDICT)
		return i->ranked != NULL ? (double)i->ranked->verdict : NAN;
	if (is_metric(column) &&
	    (metric_of(column) == METRIC_INTERSECTION || metric_of(column) == METRIC_CHI_SQUARE_P))
		return v;
	if (is_metric(column) || column == COLUMN_SCORE || column == COLUMN_CHANGE ||
	    columns[column].kind == KIND_FACTOR)
		return -fabs(v);
	return -v;
}

bool column_is_text(size_t column)
{
	return column == COLUMN_NAME || column == COLUMN_LAYER;
}

struct str column_text(size_t column, const struct item *i)
{
	return column == COLUMN_LAYER ? item_operation(i)->layer : item_operation(i)->name;
}

/* --- text --------------------------------------------------------------------------- */

static void print_text(struct out *o, size_t column, const struct item *i)
{
	const struct operation *op = item_operation(i);

	if (column == COLUMN_VERDICT)
		out_text(o, i->ranked != NULL ? verdict_name(i->ranked->verdict) : "");
	else
		out_bytes(o, column == COLUMN_LAYER ? op->layer : op->name);
}

static void print_latency(struct out *o, const struct study *s, size_t column, double v,
			  const struct item *i)
{
	if (column == COLUMN_CHANGE && study_compares(s) && v >= 0)
		out_char(o, '+');
	quantity_latency(o, v, item_scale(s, i));
}

void column_factor(struct out *o, double octaves)
{
	double ratio = exp2(octaves);

	if (ratio >= 2 || ratio <= 0.5) {
		out_text(o, ratio < 1 ? "1/" : "");
		quantity_ratio(o, exp2(fabs(octaves)));
		out_text(o, ratio < 1 ? "" : "x");
		return;
	}
	out_printf(o, "%+.0f %%", (ratio - 1) * 100);
}

/* A p-value of 0 is one that is too small for a double. */
static void print_number(struct out *o, size_t column, double v)
{
	if (column == COLUMN_METRICS + METRIC_CHI_SQUARE_P && v == 0)
		out_text(o, "<1e-307");
	else if (isinf(v))
		out_f64(o, v);
	else
		out_digits(o, v, 4);
}

void column_print(struct out *o, const struct study *s, size_t column, const struct item *i)
{
	enum kind kind = is_metric(column) ? KIND_NUMBER : columns[column].kind;
	double v = kind == KIND_TEXT ? 0 : column_value(s, column, i);

	if (isnan(v) || (kind == KIND_FACTOR && isinf(v))) {
		out_char(o, '-');
		return;
	}
	switch (kind) {
	case KIND_TEXT:
		print_text(o, column, i);
		break;
	case KIND_COUNT:
		quantity_count(o, v);
		break;
	case KIND_LATENCY:
		print_latency(o, s, column, v, i);
		break;
	case KIND_SHARE:
		quantity_percent(o, v);
		break;
	case KIND_FACTOR:
		column_factor(o, v);
		break;
	case KIND_SCORE:
		out_decimals(o, v, 3);
		break;
	case KIND_NUMBER:
		print_number(o, column, v);
		break;
	}
}
